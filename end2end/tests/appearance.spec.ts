// Fields of the config that change what a page shows, and addresses of old bookmarks.

import { expect, open, test } from '../fixtures.ts';

const ITEMS = "items: [ { title: Anvil, url: 'https://a.example/' }, { title: Bellows, url: 'https://b.example/' }, { title: Chisel, url: 'https://c.example/' }, { title: Dowel, url: 'https://d.example/' }, { title: Easel, url: 'https://e.example/' }, { title: File, url: 'https://f.example/' } ]";

test.describe('old bookmarks with the path after a #', () => {
  test('lead to the page', async ({ page }) => {
    await page.goto('./#/home/main/drawers');
    await expect(page).toHaveURL(/\/home\/main\/drawers$/);
    await expect(page).toHaveTitle('Drawers | Workshop');
  });

  test('never lead to another host', async ({ page, portico }) => {
    for (const path of ['//evil.example/', '/\\evil.example/']) {
      await page.goto(`${portico.url}/#/${path}`);
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      expect(new URL(page.url()).host).toBe(new URL(portico.url).host);
    }
  });
});

test.describe('splash screen', () => {
  test.use({ text: `pageInfo: { title: Smithy }\nappConfig: { showSplashScreen: true }\nsections: [ { name: S, ${ITEMS} } ]\n` });

  test('shows the title, and makes way', async ({ page }) => {
    await page.goto('./');
    await expect(page.locator('#splash')).toContainText('Smithy');
    await expect(page.getByRole('link', { name: 'Anvil' })).toBeVisible();
    await expect(page.locator('#splash')).toBeHidden();
    await page.getByRole('link', { name: 'Anvil' }).click({ trial: true });
  });

  test('a click hides it', async ({ page }) => {
    await open(page);
    await page.evaluate(() => document.getElementById('splash')?.click());
    await expect(page.locator('#splash')).toHaveCount(0);
  });
});

test.describe('hidden parts', () => {
  test.use({
    text: `pageInfo: { title: Smithy, description: Iron, navLinks: [ { title: Coal, path: 'https://coal.example' } ], footer: Ash }
appConfig: { hideComponents: { hideHeading: true, hideNav: true, hideSearch: true, hideFooter: true } }
sections: [ { name: S, ${ITEMS} } ]\n`,
  });

  test('are not there, but for screen readers and behind the menu', async ({ page }) => {
    await open(page);
    await expect(page.locator('.page-title')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'Smithy' })).toBeAttached();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await expect(page.locator('footer')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Coal' })).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('link', { name: 'Coal' })).toBeVisible();
    await page.keyboard.press('Escape');
    // Without a search box, typing has no effect.
    await page.keyboard.type('anvil');
    await expect(page.getByRole('link', { name: 'Bellows' })).toBeVisible();
  });
});

test.describe('background', () => {
  test.use({ text: `appConfig: { backgroundImg: /forge.svg }\nsections: [ { name: S, ${ITEMS} } ]\n` });

  test('a picture of the user-data folder lies behind the page, in each view', async ({ page, portico }) => {
    portico.write('forge.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="teal"/></svg>');
    for (const view of ['/', '/minimal', '/workspace']) {
      const picture = async () => {
        await open(page, view);
        const image = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundImage);
        return /url\("([^"]+)"\)/.exec(image)?.[1] ?? '';
      };
      // The server lists new pictures every few seconds.
      await expect.poll(picture, { timeout: 15_000, message: view }).toContain(portico.url);
      const address = await picture();
      expect((await page.request.get(address)).headers()['content-type'], view).toContain('image/svg+xml');
    }
    // Text needs a ground where the picture is not even.
    await open(page);
    expect(await page.locator('main > section').evaluate((section) => getComputedStyle(section).backgroundColor)).toMatch(/^oklab\(.* \/ 0\.88\)$/);
    expect(await page.locator('.top').evaluate((top) => getComputedStyle(top).borderImageSource)).toContain('gradient');
  });
});

test.describe('background of a theme of glass', () => {
  test.use({ text: `appConfig: { theme: glass, backgroundImg: /forge.svg }\nsections: [ { name: S, ${ITEMS} } ]\n` });

  test('is blurred and darkened by panes', async ({ page, portico }) => {
    portico.write('forge.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="teal"/></svg>');
    const pane = page.locator('main > section');
    // The server lists new pictures every few seconds.
    await expect(async () => {
      await open(page);
      await expect(pane).toHaveCSS('backdrop-filter', /^blur\(/, { timeout: 100 });
    }).toPass({ timeout: 15_000 });
    await expect(pane).toHaveCSS('background-image', /^linear-gradient\(oklab\(.* \/ 0\.7\) 0px/);
  });
});

test.describe('orders that the browser makes', () => {
  const section = (order: string) => `  - { name: ${order}, displayData: { sortBy: ${order} }, ${ITEMS} }\n`;
  test.use({ text: `sections:\n${section('most-used')}${section('last-used')}${section('random')}` });

  const titles = (page: import('@playwright/test').Page, at: number) => page.locator('#content > section').nth(at).locator('.item .tile-title').allTextContents();

  async function use(page: import('@playwright/test').Page, at: number, names: string[]): Promise<void> {
    for (const name of names) {
      await page.locator('#content > section').nth(at).getByRole('link', { name }).evaluate((link) => {
        link.addEventListener('click', (event) => event.preventDefault(), { once: true });
        (link as HTMLElement).click();
      });
    }
  }

  test('items are sorted by use, and by last use', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await use(page, 0, ['File', 'Chisel', 'File']);
    await use(page, 1, ['Dowel']);
    await page.clock.fastForward(1000);
    await use(page, 1, ['Bellows']);
    await open(page);
    expect(await titles(page, 0)).toEqual(['File', 'Chisel', 'Anvil', 'Bellows', 'Dowel', 'Easel']);
    expect(await titles(page, 1)).toEqual(['Bellows', 'Dowel', 'Anvil', 'Chisel', 'Easel', 'File']);
  });

  test('random shuffles at each load, and loses nothing', async ({ page }) => {
    const orders = new Set<string>();
    for (let load = 0; load < 6; load++) {
      await open(page);
      const order = await titles(page, 2);
      expect([...order].sort()).toEqual(['Anvil', 'Bellows', 'Chisel', 'Dowel', 'Easel', 'File']);
      orders.add(order.join());
    }
    // With 720 orders, six equal ones in a row happen once in 200 billion runs.
    expect(orders.size).toBeGreaterThan(1);
  });

  test.describe('without counting', () => {
    test.use({ text: `appConfig: { disableSmartSort: true }\nsections:\n${section('most-used')}${section('last-used')}` });

    test('the order is that of the file, and nothing is stored', async ({ page }) => {
      await open(page);
      await use(page, 0, ['File']);
      expect(await page.evaluate(() => [localStorage.getItem('mostUsed'), localStorage.getItem('lastUsed')])).toEqual([null, null]);
      await page.evaluate(() => localStorage.setItem('mostUsed', JSON.stringify({ '5_915_file': 9 })));
      await open(page);
      for (const at of [0, 1]) expect((await titles(page, at))[0]).toBe('Anvil');
    });
  });
});

test.describe('icons that cannot be had', () => {
  test.use({ text: "sections: [ { name: S, items: [ { title: Anvil, icon: mdi-nothing, color: teal }, { title: Bellows, icon: /lost.png }, { title: Chisel, icon: lost.png, url: 'https://c.example' } ] } ]\n" });

  test('are letters in the color of the item, and admins see the reason', async ({ page }) => {
    await open(page);
    await expect(page.locator('#content .letter')).toHaveText(['A', 'B', 'C']);
    await expect(page.locator('#content img')).toHaveCount(0);
    await expect(page.locator('#content .letter').first()).toHaveCSS('color', 'rgb(0, 128, 128)');
    await page.getByRole('link', { name: 'Chisel' }).hover();
    await expect(page.getByRole('tooltip')).toHaveText('Icon: item-icons/lost.png: there is no such file');
  });
});
