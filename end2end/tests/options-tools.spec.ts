// Options besides layout and theme: icons in one color, and in the config menu the debug information and resetting this
// browser. The tabs about the config itself are in config-menu.spec.ts.

import { violations } from '../axe.ts';
import { expect, open, test } from '../fixtures.ts';
import type { Page } from '@playwright/test';

const CONF = (app: string) => `appConfig: { ${app} }
pages: [ { name: Shed, path: shed.yml } ]
sections: [ { name: Tools, items: [ { title: Films, icon: si-jellyfin, url: 'https://films.example/?key=hidden-1' } ] } ]
`;

/** The color in which the icon of the first tile is drawn, and that of its text. */
function colors(page: Page): Promise<[string, string]> {
  return page.locator('#content .item').first().evaluate((tile) => [
    getComputedStyle(tile.querySelector('.glyph')!).backgroundColor,
    getComputedStyle(tile).color,
  ]);
}

async function toggle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('checkbox', { name: /^In one colou?r$/ }).click();
  await page.keyboard.press('Escape');
}

for (const [app, configured] of [['', 'colored'], ['monochromeIcons: true', 'plain']] as const) {
  test.describe(`icons that are ${configured} in the config`, () => {
    test.use({ text: CONF(app) });

    test('are switched for this browser, before anything is painted', async ({ page }) => {
      const isPlain = async () => {
        const [icon, text] = await colors(page);
        return icon === text;
      };
      await open(page);
      expect(await isPlain()).toBe(configured === 'plain');
      await toggle(page);
      await expect.poll(isPlain).toBe(configured !== 'plain');
      await page.route('**/*.wasm', () => {});
      await page.reload({ waitUntil: 'domcontentloaded' });
      expect(await isPlain()).toBe(configured !== 'plain');
      await expect(page.locator('#one-color')).toBeChecked({ checked: configured !== 'plain' });
      await page.unroute('**/*.wasm');
      await open(page);
      await toggle(page);
      await expect.poll(isPlain).toBe(configured === 'plain');
      expect(await page.evaluate(() => localStorage.getItem('iconColor'))).toBeNull();
    });
  });
}

test.describe('pictures', () => {
  test.use({ text: 'appConfig: { monochromeIcons: true }\nsections: [{ name: S, items: [{ title: Films, icon: hl-jellyfin }] }]\n' });

  test('lose their colors with the glyphs', async ({ page }) => {
    await open(page);
    const picture = page.locator('#content .item > .picture');
    await expect(picture).toHaveCSS('filter', 'grayscale(1)');
    await toggle(page);
    await expect(picture).toHaveCSS('filter', 'none');
  });
});

test.describe('the dialog', () => {
  test.use({ text: CONF('') });

  const show = async (page: Page, tab: string) => {
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Config menu' }).click();
    const dialog = page.getByRole('dialog', { name: 'Config' });
    await dialog.getByRole('tab', { name: tab }).click();
    return dialog;
  };

  test('describes the program, and reveals no secrets', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      localStorage.setItem('theme', 'nord');
      localStorage.setItem('backupHash', 'hidden-2');
    });
    await open(page);
    const dialog = await show(page, 'About');
    await expect(dialog.getByText(/^Portico \d+\.\d+\.\d+\. Free software/)).toBeVisible();
    await dialog.getByRole('tab', { name: 'Debug' }).click();
    const { version } = (await (await page.request.get('./healthz')).json()) as { version: string };
    await expect(dialog.getByLabel('Debug information')).toContainText('Browser: ');
    const text = await dialog.getByLabel('Debug information').innerText();
    expect(text).toContain(`Portico: ${version}`);
    expect(text).toContain('1 sections, 1 items, 0 widgets');
    expect(text).toContain('theme = nord');
    expect(text).toContain('backupHash (8 characters)');
    expect(text).not.toMatch(/hidden-|films\.example/);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test.describe('after an error', () => {
    test.use({ expected: /it broke/ });

    test('repeats the address without its query', async ({ page }) => {
      await open(page);
      await page.evaluate(() => setTimeout(() => { throw new Error('it broke at https://x.example/a?key=hidden-3'); }));
      await expect.poll(() => page.evaluate(() => (document.getElementById('settings') as unknown as { errors: string[] }).errors.length)).toBe(1);
      const information = (await show(page, 'Debug')).getByLabel('Debug information');
      await expect(information).toContainText('Errors: ');
      const text = await information.innerText();
      expect(text).toContain('it broke at https://x.example/a?…');
      expect(text).not.toContain('hidden-3');
    });
  });

  test('forgets what was chosen, on all pages, and nothing else', async ({ page }) => {
    await open(page);
    await page.evaluate(() => {
      localStorage.setItem(`porticoDraft-${document.documentElement.dataset['drafts']}-/shed`, '{}');
      for (const key of ['theme', 'theme-shed', 'iconSize', 'customColors', 'mostUsed', 'collapseState', 'porticoDraft-1']) localStorage.setItem(key, '{}');
    });
    const dialog = await show(page, 'This browser');
    await expect(dialog.getByText('stored only in this browser')).toBeVisible();
    await dialog.getByRole('button', { name: 'Reset local settings' }).click();
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('{}');
    const loaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'Yes, reset' }).click();
    await loaded;
    const left = await page.evaluate(() => Object.keys(localStorage).sort());
    expect(left).toEqual(expect.arrayContaining(['collapseState', 'mostUsed']));
    expect(left.filter((key) => /theme|iconSize|customColors|\/shed/.test(key))).toEqual([]);
  });

});

test('a bar says that another page takes its time', async ({ page }) => {
  await open(page);
  let seen = () => {};
  const isSeen = new Promise<void>((done) => (seen = done));
  await page.exposeFunction('barIsSeen', () => seen());
  await page.evaluate(() => {
    const root = document.documentElement;
    const tell = () => 'busy' in root.dataset && (window as unknown as { barIsSeen: () => void }).barIsSeen();
    new MutationObserver(tell).observe(root, { attributes: true });
  });
  // The page is delayed until the bar is visible.
  await page.route('**/minimal', async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.evaluate(() => setTimeout(() => { location.href = 'minimal'; }));
  await page.waitForURL('**/minimal');
  await expect(page.locator('html')).not.toHaveAttribute('data-busy');
});
