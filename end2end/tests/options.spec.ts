// Theme, layout and size: at once, for this browser, and without a flash at the next load.

import type { Page } from '@playwright/test';

import { alive, expect, open, test } from '../fixtures.ts';

async function choose(page: Page, group: string, name: string): Promise<void> {
  const panel = page.locator('#options-panel');
  if (!(await panel.isVisible())) await page.getByRole('button', { name: 'Options' }).click();
  const radio = panel.getByRole('group', { name: group }).getByRole('radio', { name, exact: true });
  await radio.check();
  await expect(radio).toBeChecked();
}

/** The colour behind the page. */
function ground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

/** Loads the page again with a bundle that never comes: what shows is what is painted first. */
async function reloadWithoutBundle(page: Page): Promise<void> {
  await page.route('**/*.wasm', () => {});
  await page.reload({ waitUntil: 'domcontentloaded' });
}

test('follows the system by itself', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'auto');
  const dark = await ground(page);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground(page)).not.toBe(dark);
});

for (const [name, scheme, system] of [
  ['Light', 'light', 'dark'],
  ['Dark', 'dark', 'light'],
  ['System', 'auto', 'dark'],
] as const) {
  test(`the theme ${name} applies at once and stays`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: system });
    await open(page);
    const before = await ground(page);
    await choose(page, 'Theme', name);
    await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
    const after = await ground(page);
    if (scheme !== 'auto') expect(after).not.toBe(before);

    await reloadWithoutBundle(page);
    await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
    expect(await ground(page)).toBe(after);

    await page.unroute('**/*.wasm');
    await page.reload();
    await alive(page);
    await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
  });
}

test('the choice of the config can be taken back', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page);
  await choose(page, 'Theme', 'Dark');
  await choose(page, 'Theme', 'As configured');
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'auto');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
});

for (const [name, word] of [
  ['Masonry', 'masonry'],
  ['Rows', 'horizontal'],
  ['Columns', 'vertical'],
] as const) {
  test(`the layout ${name} applies at once and stays`, async ({ page }) => {
    await open(page);
    await choose(page, 'Layout', name);
    await expect(page.locator('#page')).toHaveClass(new RegExp(`orientation-${word}`));
    await expect(page.locator('#page')).not.toHaveClass(/orientation-auto/);
    await reloadWithoutBundle(page);
    await expect(page.locator('#page')).toHaveClass(new RegExp(`orientation-${word}`));
    expect(await page.evaluate(() => localStorage.getItem('layoutOrientation'))).toBe(word);
  });
}

for (const [name, word] of [
  ['Small', 'small'],
  ['Large', 'large'],
] as const) {
  test(`the size ${name} applies at once and stays`, async ({ page }) => {
    await open(page);
    const tile = page.locator('#content a.item').first();
    const before = await tile.boundingBox();
    await choose(page, 'Tiles', name);
    await expect(page.locator('#page')).toHaveClass(new RegExp(`item-size-${word}`));
    expect(await tile.boundingBox()).not.toEqual(before);
    await reloadWithoutBundle(page);
    await expect(page.locator('#page')).toHaveClass(new RegExp(`item-size-${word}`));
    expect(await page.evaluate(() => localStorage.getItem('iconSize'))).toBe(word);
  });
}

test('the panel closes with Escape and with a click elsewhere', async ({ page }) => {
  await open(page);
  const panel = page.locator('#options-panel');
  const button = page.getByRole('button', { name: 'Options' });
  await button.click();
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await button.click();
  await page.mouse.click(4, 4);
  await expect(panel).toBeHidden();
});

test('the panel stays inside the window', async ({ page }) => {
  for (const [width, height] of [[1366, 900], [390, 844], [360, 500]] as const) {
    await page.setViewportSize({ width, height });
    await open(page);
    await page.getByRole('button', { name: 'Options' }).click();
    const box = (await page.locator('#options-panel').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
  }
});

test.describe('themes of the config', () => {
  test.use({ config: 'drawer-of-everything.yml' });

  test('are offered, and bring their colours', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'solarized-light');
    await choose(page, 'Theme', 'sunset');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'sunset');
    expect(await ground(page)).toBe('rgb(58, 20, 64)');
    await reloadWithoutBundle(page);
    expect(await ground(page)).toBe('rgb(58, 20, 64)');
  });

  test('of day and night follow the system', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.route('**/*.wasm', () => {});
    await page.goto('./', { waitUntil: 'domcontentloaded' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'callisto');
    const night = await ground(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload({ waitUntil: 'domcontentloaded' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'solarized-light');
    expect(await ground(page)).not.toBe(night);
  });
});

test.describe('with pages', () => {
  test.use({ config: 'house' });

  test('each page remembers its own', async ({ page }) => {
    await open(page);
    await choose(page, 'Tiles', 'Small');
    await open(page, '/home/cinema-room');
    await expect(page.locator('#page')).toHaveClass(/item-size-large/);
    await choose(page, 'Tiles', 'Medium');
    expect(await page.evaluate(() => [localStorage.getItem('iconSize'), localStorage.getItem('iconSize-cinema-room')])).toEqual([
      'small',
      'medium',
    ]);
    await reloadWithoutBundle(page);
    await expect(page.locator('#page')).toHaveClass(/item-size-medium/);
  });
});
