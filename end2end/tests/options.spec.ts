// Layout and size: applied at once, stored in this browser, and without a flash on the next load. Themes are in themes.spec.ts.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

async function choose(page: Page, group: string, name: string): Promise<void> {
  const panel = page.locator('#options-panel');
  if (!(await panel.isVisible())) await page.getByRole('button', { name: 'Options' }).click();
  const radio = panel.getByRole('group', { name: group }).getByRole('radio', { name, exact: true });
  await radio.check();
  await expect(radio).toBeChecked();
}

/** The color behind the page. */
function ground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

/** Reloads the page with a bundle that never arrives, so that only the first paint is visible. */
async function reloadWithoutBundle(page: Page): Promise<void> {
  await page.route('**/*.wasm', () => {});
  await page.reload({ waitUntil: 'domcontentloaded' });
}

test('follows the system by itself', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  const dark = await ground(page);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground(page)).not.toBe(dark);
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
    // Custom styles name both together.
    await expect(page.locator(`.item-group-container.orientation-${word}:not(.orientation-auto)`)).toHaveCount(1);
    await reloadWithoutBundle(page);
    await expect(page.locator('#page')).toHaveClass(new RegExp(`orientation-${word}`));
    await expect(page.locator(`.item-group-container.orientation-${word}:not(.orientation-auto)`)).toHaveCount(1);
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
