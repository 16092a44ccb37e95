// The minimal and the workspace view (docs/spec/behavior.md 8, 9).

import { createServer } from 'node:http';

import { check } from '../accessibility.ts';
import { alive, expect, open, rewrite, test } from '../fixtures.ts';
import { freePort } from '../server.ts';

const SECTIONS = (names: string[]) =>
  names.map((name) => `  - name: ${name}\n    icon: mdi-home\n    items: [ { title: ${name} one, url: 'https://${name.toLowerCase()}.example/one' } ]\n`).join('');

test.describe('minimal', () => {
  for (const [theme, hasGround] of [['nord', false], ['dracula', true]] as const) {
    test(`${theme} has ${hasGround ? 'the' : 'no'} ground behind its tiles that it has at home`, async ({ page }) => {
      await page.addInitScript((theme) => localStorage.setItem('theme', theme), theme);
      const backgrounds: string[] = [];
      for (const view of ['/', '/minimal']) {
        await open(page, view);
        const section = page.locator('#content > section:visible:not([data-color])').first();
        backgrounds.push(await section.evaluate((section) => getComputedStyle(section).backgroundColor));
      }
      expect(backgrounds[1]).toBe(backgrounds[0]);
      expect(backgrounds[0] !== 'rgba(0, 0, 0, 0)').toBe(hasGround);
    });
  }

  test('one section at a time, by mouse and by keys', async ({ page }) => {
    await open(page, '/minimal');
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    await expect(tabs).toHaveCount(5);
    const shown = page.locator('#content > section:visible');
    await expect(shown).toHaveCount(1);
    await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
    await tabs.nth(1).click();
    await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Lathe' })).toBeHidden();
    await expect(page).toHaveURL(/\/minimal\/main\/drawers$/);
    await expect(page).toHaveTitle('Drawers | Workshop | Minimal');
    await page.keyboard.press('ArrowRight');
    await expect(tabs.nth(2)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(shown).toHaveCount(1);
    await expect(page.getByRole('link', { name: 'Trap door' })).toBeVisible();
    await expect(tabs.nth(2)).toHaveAttribute('aria-current', 'true');
  });

  test('the last tab is remembered, an address that names one wins', async ({ page }) => {
    await open(page, '/minimal');
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Doors' }).click();
    await open(page, '/minimal');
    await expect(page.getByRole('link', { name: 'Trap door' })).toBeVisible();
    await open(page, '/minimal/main/shelves');
    await expect(page.getByRole('link', { name: 'Manuals' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Trap door' })).toBeHidden();
  });

  test('the pencil edits the page in the home view, and the config menu does too', async ({ page }) => {
    await open(page, '/minimal/main/drawers');
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole('region', { name: 'Save bar' })).toBeVisible();
    // Once only.
    await open(page, '/home');
    await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
    expect(await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => /Draft|Begin/.test(key)))).toEqual([]);

    await open(page, '/minimal');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Config menu' }).click();
    await page.getByRole('dialog', { name: 'Config' }).getByRole('button', { name: 'Edit as YAML' }).first().click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
  });

  test('a search looks in all sections, and hides the tabs', async ({ page }) => {
    await open(page, '/minimal');
    await page.keyboard.type('metal');
    await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
    await expect(page.locator('.section-tabs')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'Screws' })).toBeHidden();
    await expect(page.locator('.section-tabs')).toBeVisible();
  });

  test.describe('with many sections', () => {
    test.use({ text: `sections:\n${SECTIONS(Array.from({ length: 30 }, (_, at) => `Room${at}`))}` });

    test('icons with names as tooltips, and arrows where the strip is too long', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await open(page, '/minimal');
      const later = page.getByRole('button', { name: 'Later sections' });
      const last = page.getByRole('link', { name: 'Room29', exact: true });
      await expect(later.locator('svg')).toBeVisible();
      await expect(last).toHaveAttribute('title', 'Room29');
      await expect(last).not.toBeInViewport();
      for (let at = 0; at < 12 && !(await later.isDisabled()); at++) {
        await later.click();
        await page.locator('.section-tabs ul').evaluate((list) => new Promise((done) => (list.addEventListener('scrollend', done, { once: true }), setTimeout(done, 800))));
      }
      await expect(last).toBeInViewport();
      await last.click();
      await expect(page.getByRole('link', { name: 'Room29 one' })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    });
  });

  test('a changed config keeps the tab', async ({ page, portico }) => {
    await rewrite(page, portico, `sections:\n${SECTIONS(['Attic', 'Cellar'])}`);
    await open(page, '/minimal');
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Cellar' }).click();
    await rewrite(page, portico, `sections:\n${SECTIONS(['Attic', 'Cellar']).replace('Cellar one', 'Cellar two')}`);
    await expect(page.getByRole('link', { name: 'Cellar two' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Attic one' })).toBeHidden();
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('each tab is a link', async ({ page }) => {
      await page.goto('./minimal');
      await page.getByRole('link', { name: 'Drawers' }).click();
      await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Lathe' })).toBeHidden();
    });
  });

  test('axe finds nothing', async ({ page }) => {
    await check(page, () => open(page, '/minimal'));
  });
});

test.describe('workspace', () => {
  test.use({ text: `appConfig: { defaultOpeningMethod: newtab }\nsections:\n${SECTIONS(['Attic', 'Cellar'])}    widgets: [ { type: clock } ]\n` });

  const frames = '#frames iframe';

  test('one list at a time; an item opens beside it', async ({ page }) => {
    await open(page, '/workspace');
    await expect(page.getByText('Choose something in the bar')).toBeVisible();
    await page.locator('summary', { hasText: 'Attic' }).click();
    // The server redirects there once it knows that the site allows framing.
    await Promise.all([page.waitForRequest('https://attic.example/one'), page.getByRole('link', { name: 'Attic one' }).click()]);
    await expect(page.locator(frames)).toHaveAttribute('title', 'Attic one');
    await expect(page).toHaveURL(/\?url=https%3A%2F%2Fattic\.example%2Fone$/);
    await expect(page.getByRole('link', { name: 'Attic one' })).toHaveAttribute('aria-current', 'true');
    await expect(page.getByRole('main').getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', 'https://attic.example/one');
    // Opening the other section closes this one, and shows its widgets until an item is opened.
    await page.locator('summary', { hasText: 'Cellar' }).click();
    await expect(page.locator('#content details[open]')).toHaveCount(1);
    await expect(page.locator('.widget-clock')).toBeVisible();
    await page.getByRole('link', { name: 'Cellar one' }).click();
    await expect(page.locator('.widget-clock')).toBeHidden();
    await expect(page.locator(frames)).toHaveCount(1);
    await page.goBack();
    await expect(page.locator(frames)).toHaveAttribute('title', 'Attic one');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.locator(frames)).toHaveCount(0);
  });

  test('an entry for a new tab opens there, and leaves alone what is open', async ({ page, portico }) => {
    const items = ['sametab', 'newtab'].map((target) => `{ title: In ${target}, url: 'https://${target}.example/', target: ${target} }`);
    const usual = "{ title: Beside, url: 'https://beside.example/' }";
    await rewrite(page, portico, `sections: [ { name: S, items: [ ${[usual, ...items].join(', ')} ] } ]\n`);
    await open(page, '/workspace');
    await page.getByRole('link', { name: 'Beside' }).click();
    await expect(page.locator(frames)).toHaveAttribute('title', 'Beside');
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'In newtab' }).click()]);
    await expect.poll(() => tab.url()).toBe('https://newtab.example/');
    await tab.close();
    await expect(page.locator(frames)).toHaveAttribute('title', 'Beside');
    await expect(page).toHaveURL(/\?url=https%3A%2F%2Fbeside\.example%2F$/);
  });

  test('long titles can be read without a tooltip', async ({ page, portico }) => {
    const long = 'Backup of the photographs of the whole family, encrypted and copied to another continent every night';
    const word = 'https-photographs.of-the-whole-family.archive.internal.example';
    const items = [long, word].map((title) => `{ title: '${title}', url: 'https://a.example/' }`);
    await rewrite(page, portico, `sections: [ { name: '${long}', items: [ ${items.join(', ')} ] } ]\n`);
    await open(page, '/workspace');
    for (const text of [page.locator('.side-bar h2'), ...(await page.locator('.side-bar .tile-title').all())]) {
      await expect(text).toBeVisible();
      const cut = await text.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const [words, bar] = [range.getBoundingClientRect(), element.closest('.side-bar')!.getBoundingClientRect()];
        const own = element.getBoundingClientRect();
        return words.right > bar.right || words.height > own.height + 1 || words.width > own.width + 1;
      });
      expect(cut, (await text.textContent())!).toBe(false);
    }
  });

  test('an address in the query opens, and its section is expanded', async ({ page }) => {
    await open(page, '/workspace?url=https://cellar.example/one');
    await expect(page.locator(frames)).toHaveAttribute('title', 'Cellar one');
    await expect(page.locator('details[open] h2')).toHaveText('Cellar');
    await open(page, '/workspace?url=https://elsewhere.example/a');
    await expect(page.locator(frames)).toHaveAttribute('src', 'https://elsewhere.example/a');
  });

  test('nothing but the web is opened', async ({ page }) => {
    for (const url of ['javascript:document.title="x"', 'data:text/html,<script>parent.document.title="x"</script>', 'file:///etc/passwd', 'blob:x', 'http://', ' ']) {
      await open(page, `/workspace?url=${encodeURIComponent(url)}`);
      await expect(page.getByText('This cannot be opened here'), url).toBeVisible();
      await expect(page.locator(frames), url).toHaveCount(0);
      await expect(page).toHaveTitle('Portico | Workspace');
    }
  });

  test('items with the target workspace come here, from any view', async ({ page, portico }) => {
    await rewrite(page, portico, "sections: [ { name: S, items: [ { title: Beside, url: 'https://beside.example/', target: workspace } ] } ]\n");
    for (const view of ['/', '/minimal']) {
      await open(page, view);
      await page.getByRole('link', { name: 'Beside' }).click();
      await expect(page).toHaveURL(/\/workspace\?url=https%3A%2F%2Fbeside\.example%2F$/);
      await alive(page);
      await expect(page.locator(frames)).toHaveAttribute('title', 'Beside');
    }
  });

  test.describe('with multitasking and a first address', () => {
    test.use({ text: `appConfig: { enableMultiTasking: true, workspaceLandingUrl: 'https://attic.example/one' }\nsections:\n${SECTIONS(['Attic', 'Cellar'])}` });

    test('frames stay', async ({ page }) => {
      await open(page, '/workspace');
      await expect(page.locator('details[open] h2')).toHaveText('Attic');
      await page.locator('summary', { hasText: 'Cellar' }).click();
      await page.getByRole('link', { name: 'Cellar one' }).click();
      await expect(page.locator(frames)).toHaveCount(2);
      await expect(page.locator(`${frames}:visible`)).toHaveAttribute('title', 'Cellar one');
      await page.goBack();
      await expect(page.locator(`${frames}:visible`)).toHaveAttribute('title', 'Attic one');
      await expect(page.locator(frames)).toHaveCount(2);
    });
  });

  test.describe('with requests to other hosts', () => {
    test.use({ environment: { OFFLINE: 'false' } });

    test('a site that forbids frames gets a new tab', async ({ page, portico, allowed }) => {
      const port = await freePort();
      const site = createServer((_, response) => response.writeHead(200, { 'x-frame-options': 'DENY' }).end('no'));
      await new Promise<void>((done) => site.listen(port, '127.0.0.1', done));
      const url = `http://127.0.0.1:${port}/`;
      allowed.push(`127.0.0.1:${port}`);
      await rewrite(page, portico, `sections: [ { name: S, items: [ { title: Closed, url: '${url}' }, { title: Pop, url: '${url}', target: modal } ] } ]\n`);
      await open(page, '/workspace');
      await page.getByRole('link', { name: 'Closed' }).click();
      const frame = page.frameLocator(frames);
      await expect(frame.getByText('127.0.0.1 does not allow other pages to show it.')).toBeVisible();
      await expect(frame.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', url);
      await open(page);
      await page.getByRole('link', { name: 'Pop' }).click();
      await expect(page.frameLocator('dialog iframe').getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', url);
      site.close();
    });
  });

  test('a changed config leaves what is open alone', async ({ page, portico }) => {
    await open(page, '/workspace?url=https://attic.example/one');
    await page.locator(frames).evaluate((frame) => ((frame as HTMLIFrameElement).dataset['mark'] = '1'));
    const text = `sections:\n${SECTIONS(['Attic', 'Cellar']).replace('Cellar one', 'Cellar two')}    widgets: [ { type: clock } ]\n`;
    await rewrite(page, portico, `appConfig: { defaultOpeningMethod: newtab }\n${text}`);
    await expect(page.getByRole('link', { name: 'Cellar two', includeHidden: true })).toBeAttached();
    await expect(page.locator(frames)).toHaveAttribute('data-mark', '1');
    await expect(page.locator('#page')).toHaveAttribute('data-stage', 'frame');
    await expect(page.getByRole('link', { name: 'Attic one' })).toHaveAttribute('aria-current', 'true');
  });

  test('on a phone the list lies over what is open, and makes way', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '/workspace');
    await page.locator('summary').first().click();
    await page.getByRole('link', { name: 'Attic one' }).click();
    await expect(page.locator('#content details[open]')).toHaveCount(0);
    const box = (await page.locator(frames).boundingBox())!;
    expect(box.width).toBeGreaterThan(320);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(844);
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('items open in the frame', async ({ page, visits }) => {
      await page.goto('./workspace');
      await page.locator('summary', { hasText: 'Attic' }).click();
      await page.getByRole('link', { name: 'Attic one' }).click();
      await expect.poll(() => visits).toEqual(['https://attic.example/one']);
      await expect(page).toHaveURL(/\/workspace$/);
    });
  });

  test('axe finds nothing', async ({ page }) => {
    await check(page, async () => {
      await open(page, '/workspace');
      await page.locator('summary', { hasText: 'Cellar' }).click();
      await expect(page.locator('.widget-clock')).toBeVisible();
    });
  });
});

test('the switch leads from view to view, below a prefix too', async ({ page, start, allowed }) => {
  const portico = await start({ config: 'workshop.yml', environment: { BASE_URL: '/start' } });
  allowed.push(new URL(portico.url).host);
  await page.goto(`${portico.url}/home/main/drawers`);
  for (const [name, address] of [
    ['Minimal', '/minimal/main/drawers'],
    ['Home', '/home/main/drawers'],
    ['Workspace', '/workspace'],
  ] as const) {
    await alive(page);
    await page.getByRole('button', { name: 'Options' }).click();
    const links = page.getByRole('navigation', { name: 'View' });
    await expect(links.locator('[aria-current]')).toHaveCount(1);
    await links.getByRole('link', { name }).click();
    await expect(page).toHaveURL(`${portico.url}${address}`);
  }
});
