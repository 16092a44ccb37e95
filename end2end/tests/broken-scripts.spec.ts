// The bundle cannot be loaded, or fails later: the page says so once, and works as it does without scripts.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

const SENTENCE = 'Search, options and updates have stopped working here. Links still work. Reload';

test.use({
  text: `pageInfo: { title: Shed }
sections:
  - name: Tools
    items: [{ title: Lathe, url: https://lathe.example, target: newtab, provider: Workshop }]
    widgets: [{ type: clock, label: Here }]
  - name: Drawer
    displayData: { collapsed: true }
    items: [{ title: Screws, url: https://screws.example }]
`,
});

test.beforeEach(({ page }) => page.clock.install());

/** The server's markup works, and using it causes no new errors. */
async function expectUsable(page: Page, complaints: string[]): Promise<void> {
  const notice = page.getByText(SENTENCE);
  await expect(notice).toBeVisible();
  await expect(notice).toHaveCount(1);
  const before = complaints.length;
  const screws = page.getByRole('link', { name: 'Screws' });
  await expect(screws).toBeHidden();
  await page.locator('summary', { hasText: 'Drawer' }).click();
  await expect(screws).toBeVisible();
  await page.keyboard.type('lathe');
  await page.mouse.move(300, 300);
  const [window] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: /^Lathe/ }).click()]);
  await window.waitForURL('https://lathe.example/');
  await window.close();
  // Nothing runs that would fail repeatedly.
  await page.clock.runFor(5_000);
  expect(complaints.slice(before)).toEqual([]);
}

/** The program is sure that nothing happens in the middle of clearing a timer. */
async function breakProgram(page: Page): Promise<void> {
  await page.evaluate(() => {
    let isInside = false;
    window.clearTimeout = () => {
      if (isInside) return;
      isInside = true;
      document.querySelector('.item')!.dispatchEvent(new Event('focusin', { bubbles: true }));
      isInside = false;
    };
  });
  await page.getByRole('link', { name: /^Lathe/ }).hover();
  await page.mouse.move(2, 2);
}

async function expectWhole(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Reload' }).click();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await expect(page.getByText(SENTENCE)).toBeHidden();
}

test.describe('while it is loaded', () => {
  test.use({ expected: /console: / });

  test('it is cut off', async ({ page, complaints }) => {
    await page.route(/_bg\.wasm$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.body()).subarray(0, 5_000) });
    });
    await page.goto('./');
    await expectUsable(page, complaints);
    await page.unrouteAll();
    await expectWhole(page);
  });

  test('it is late: names are found already', async ({ page }) => {
    let release = () => {};
    const gate = new Promise<void>((done) => { release = done; });
    await page.route(/_bg\.wasm$/, async (route) => {
      await gate;
      await route.continue();
    });
    await page.goto('./');
    const [lathe, drawer, clock] = [page.getByRole('link', { name: /^Lathe/ }), page.locator('summary', { hasText: 'Drawer' }), page.locator('.widget-base')];
    const search = page.getByRole('searchbox');
    await search.fill('lath elsewhere');
    await expect(drawer).toBeHidden();
    await expect(lathe).toBeHidden();
    await search.fill('lath WORK');
    await expect(lathe).toBeVisible();
    await expect(drawer).toBeHidden();
    await expect(clock).toBeHidden();
    release();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await expect(search).toHaveValue('lath WORK');
    await expect(drawer).toBeHidden();
    await expect(clock).toBeHidden();
    await search.fill('');
    for (const shown of [lathe, drawer, clock]) await expect(shown).toBeVisible();
  });

  test('it is not there', async ({ page, complaints }) => {
    await page.route(/_bg\.wasm$/, (route) => route.fulfill({ status: 404, body: 'not found' }));
    await page.goto('./');
    await expectUsable(page, complaints);
    await page.unrouteAll();
    await expectWhole(page);
  });

  test('its script is not there', async ({ page, complaints }) => {
    await page.route(/(live|frontend)-.*\.js$/, (route) => route.fulfill({ status: 404, body: 'not found' }));
    await page.goto('./');
    await expectUsable(page, complaints);
  });

  test('the network is gone', async ({ page, complaints }) => {
    await page.route(/_bg\.wasm$|(live|frontend)-.*\.js$/, (route) => route.abort());
    await page.goto('./');
    await expectUsable(page, complaints);
  });

  test('a policy forbids it', async ({ page, complaints }) => {
    await page.route((url) => url.pathname === '/', async (route) => {
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy']!.replace("'wasm-unsafe-eval'", '');
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
    });
    await page.goto('./');
    await expectUsable(page, complaints);
  });
});

test.describe('while it runs', () => {
  test.use({ expected: /unreachable/ });

  test('it panics', async ({ page, complaints }) => {
    await open(page);
    await breakProgram(page);
    await expect(page.getByText(SENTENCE)).toBeVisible();
    expect(complaints.filter((text) => text.includes('unreachable'))).toHaveLength(1);
    await expectUsable(page, complaints);
    await expectWhole(page);
  });
});

test.describe('while it measures', () => {
  test.use({
    expected: /unreachable/,
    text: `appConfig: { layout: masonry }
sections:
  - name: Tools
    items: [{ title: Lathe, url: https://lathe.example, provider: Workshop }]
  - name: Drawer
    items: [{ title: Screws, url: https://screws.example }]
`,
  });

  test('it measures no more once it has failed', async ({ page, complaints }) => {
    await open(page);
    await expect(page.locator('#content')).toHaveAttribute('data-packed');
    await breakProgram(page);
    await expect(page.getByText(SENTENCE)).toBeVisible();
    await expect(page.locator('#content')).not.toHaveAttribute('data-packed');
    const before = complaints.length;
    await page.evaluate(() =>
      Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
        get: () => {
          throw new Error('still measured');
        },
      }),
    );
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 700, height: 600 });
    await page.locator('summary', { hasText: 'Drawer' }).click();
    await page.clock.runFor(5_000);
    expect(complaints.slice(before)).toEqual([]);
  });
});

test.describe('the bundle of dialogs', () => {
  test.use({ expected: /console: / });

  test('is missed in words, and tried again at the next use', async ({ page }) => {
    await open(page);
    await page.route(/dialogs-.*_bg\.wasm$/, (route) => route.abort());
    const choose = async () => {
      await page.getByRole('button', { name: 'Options' }).click();
      await page.getByRole('button', { name: 'Choose a theme' }).click();
    };
    await choose();
    await expect(page.getByText('The server of this dashboard cannot be reached.', { exact: true })).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Theme' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    // The rest of the page goes on.
    await page.keyboard.type('lathe');
    await expect(page.getByRole('searchbox')).toHaveValue('lathe');
    await page.keyboard.press('Escape');
    await page.unrouteAll();
    await choose();
    await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
  });
});
