// The page without a mouse (docs/spec/behavior.md 7).

import type { Page } from '@playwright/test';

import { expect, open, rewrite, test } from '../fixtures.ts';

/** A short description of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const node = document.activeElement;
    if (!node || node === document.body) return 'nothing';
    const title = node.querySelector('.tile-title');
    return (node.getAttribute('aria-label') ?? title?.textContent ?? node.id.replace(/^(?=.)/, '#')) || (node.textContent ?? '').trim();
  });
}

async function press(page: Page, ...keys: string[]): Promise<string> {
  for (const key of keys) await page.keyboard.press(key);
  return focused(page);
}

test('Tab walks from the skip link through header, search and sections', async ({ page }) => {
  await open(page);
  const walk: string[] = [];
  for (let step = 0; step < 23; step += 1) walk.push(await press(page, 'Tab'));
  expect(walk).toEqual([
    'Skip to content',
    'WorkshopTools, drawers and doors',
    'Timber yard',
    'Front page',
    '#search',
    'Options',
    'Edit this page',
    'Machines',
    'Lathe',
    'Band saw',
    'Drill press',
    'Größenlehre',
    'Open section Machines alone',
    'Drawers',
    'Open section Drawers alone',
    'Doors',
    'Garden gate',
    'Front door',
    'Parent door',
    'Trap door',
    'Window seat',
    'Door plate',
    'Skylight',
  ]);
});

test('what has the focus can be seen', async ({ page }) => {
  await open(page);
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('Tab');
    const marked = await page.evaluate(() => {
      const node = document.activeElement as HTMLElement;
      const style = getComputedStyle(node);
      const box = node.getBoundingClientRect();
      const inside = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
      return inside && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== 'none');
    });
    expect(marked, await focused(page)).toBe(true);
  }
});

test('the skip link leads past the header', async ({ page }) => {
  await open(page);
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await page.keyboard.press('Tab');
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  expect(await press(page, 'Tab')).toBe('Machines');
});

test('arrows walk over the items and wrap', async ({ page }) => {
  await open(page);
  expect(await press(page, 'ArrowRight')).toBe('Lathe');
  expect(await press(page, 'ArrowRight', 'ArrowRight')).toBe('Drill press');
  expect(await press(page, 'ArrowLeft')).toBe('Band saw');
  // Collapsed sections are skipped.
  expect(await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('Garden gate');
  await page.locator('#content a.item').first().focus();
  const last = await press(page, 'ArrowLeft');
  expect(last).toBe('Manuals');
  expect(await press(page, 'ArrowRight')).toBe('Lathe');
});

test('up and down go to the row above and below, and wrap', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const place = () => page.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON() as DOMRect);
  await page.getByRole('link', { name: 'Lathe' }).focus();
  const first = await place();
  await page.keyboard.press('ArrowDown');
  const second = await place();
  expect(second.top).toBeGreaterThanOrEqual(first.bottom);
  expect(Math.abs(second.left - first.left)).toBeLessThan(5);
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('Lathe');
  await page.keyboard.press('ArrowUp');
  const bottom = await page.locator('#content a.item:visible, #content a.sub-item:visible').last().boundingBox();
  expect((await page.locator(':focus').boundingBox())!.y).toBeGreaterThan(bottom!.y - 60);
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Lathe');
});

test('Enter opens the item in focus', async ({ page, visits }) => {
  await open(page);
  await page.keyboard.press('ArrowRight');
  const [window] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await window.waitForURL('https://lathe.example/panel');
  expect(visits).toEqual(['https://lathe.example/panel']);
});

test('Ctrl+Enter opens a new tab whatever the target', async ({ page, portico, start }) => {
  // A tab in the background sends its request before Playwright can intercept it, so its address must be real.
  const elsewhere = `${(await start({ text: 'sections: []\n' })).url}/healthz`;
  const items = ['sametab', 'modal'].map((target) => `{ title: ${target}, url: '${elsewhere}', target: ${target} }`);
  await rewrite(page, portico, `pageInfo: { title: Doors }\nsections: [{ name: Doors, items: [${items.join(', ')}] }]\n`);
  await open(page);
  for (const title of ['sametab', 'modal']) {
    await page.getByRole('link', { name: title }).focus();
    const [window] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')]);
    await expect(window).toHaveURL(elsewhere);
    await window.close();
    await expect(page).toHaveTitle('Doors');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('Alt+Enter opens the pop-up', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Lathe' }).focus();
  await page.keyboard.press('Alt+Enter');
  const dialog = page.getByRole('dialog', { name: 'Lathe' });
  await expect(dialog.locator('iframe')).toHaveAttribute('src', '/framed?url=https%3A%2F%2Flathe.example%2Fpanel');
  expect(page.context().pages()).toHaveLength(1);
});

test('digits open the items that have them, by their own targets', async ({ page }) => {
  await open(page);
  const [lathe] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('1')]);
  await lathe.waitForURL('https://lathe.example/panel');
  const [gauge] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('0')]);
  await gauge.waitForURL('https://gauge.example/');
  await page.keyboard.press('9');
  await page.keyboard.press('Control+Shift+2');
  await expect(page).toHaveTitle('Workshop');
  await page.keyboard.press('2');
  await page.waitForURL('https://saw.example/');
});

test('digits are text while the search has the focus', async ({ page, visits }) => {
  await open(page);
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('12');
  await expect(page.getByRole('searchbox')).toHaveValue('12');
  expect(visits).toEqual([]);
  expect(page.context().pages()).toHaveLength(1);
});

test('the key that leads to the search is no part of its text, unless it makes a bang', async ({ page }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  const note = page.locator('#search-note');
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('zzzz');
  await expect(box).toHaveValue('zzzz');
  await expect(note).toHaveText('Enter searches the web with Mojeek');
  await press(page, 'Escape', 'Escape');
  await expect(box).not.toBeFocused();

  await page.keyboard.type('/tools chisel');
  await expect(box).toHaveValue('/tools chisel');
  await expect(note).toHaveText('Enter searches the web with /tools');
  await press(page, 'Escape', 'Escape');

  // Only words that are bangs with it, and only after this key.
  await page.keyboard.type('/tool chisel');
  await expect(box).toHaveValue('tool chisel');
  await press(page, 'Escape', 'Escape');
  await page.keyboard.type('tools chisel');
  await expect(box).toHaveValue('tools chisel');
  await press(page, 'Escape');
  // In the box it is a character like any other.
  await page.keyboard.type('/etc');
  await expect(box).toHaveValue('/etc');
});

test('Escape ends a composition and keeps the text', async ({ page }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  await box.focus();
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.insertText', { text: '東京' });
  await keyboard.send('Input.imeSetComposition', { text: 'えき', selectionStart: 2, selectionEnd: 2 });
  await expect(box).toHaveValue('東京えき');
  await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue(/^東京/);
  // Without a composition it clears the box.
  await keyboard.send('Input.insertText', { text: '' });
  await box.press('Escape');
  await expect(box).toHaveValue('');
});

for (const key of ['m', ':', '!']) {
  test(`typing ${key} goes to the search`, async ({ page }) => {
    await open(page);
    await page.keyboard.press(key);
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('searchbox')).toHaveValue(key);
  });
}

test('so do letters that the test’s keyboard lacks', async ({ page }) => {
  await open(page);
  for (const key of ['ö', 'я', '日']) {
    await page.evaluate((key) => {
      (document.activeElement as HTMLElement).blur();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }, key);
    await expect(page.getByRole('searchbox')).toBeFocused();
  }
});

test('keys with Ctrl are the browser’s', async ({ page }) => {
  await open(page);
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('searchbox')).not.toBeFocused();
});

test('? shows the keys; Escape closes them and gives the focus back', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Lathe' }).focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('Open the item in a pop-up')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await focused(page)).toBe('Lathe');
  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
});

test('none of the page’s keys act while a dialog is open', async ({ page, visits }) => {
  await open(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  for (const key of ['1', 'x', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  expect(visits).toEqual([]);
});

test('down from the search leads to the first hit', async ({ page }) => {
  await open(page);
  await page.keyboard.type('metal');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Lathe');
  await expect(page.getByRole('link', { name: 'Band saw' })).toBeHidden();
  expect(await press(page, 'ArrowRight')).toBe('Drill press');
  expect(await press(page, 'ArrowRight')).toBe('Screws');
  expect(await press(page, 'ArrowRight')).toContain('Search the web');
  expect(await press(page, 'ArrowRight')).toBe('Lathe');
});

test('the options work by keyboard', async ({ page }) => {
  await open(page);
  const button = page.getByRole('button', { name: 'Options' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Masonry' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Choose a theme' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Masonry' })).toBeFocused();
  await expect(page.locator('#page')).toHaveClass(/orientation-masonry/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('radio', { name: 'Masonry' })).toBeHidden();
  await expect(button).toBeFocused();
});

test('the first press of an arrow leads to the first item', async ({ page }) => {
  for (const key of ['ArrowDown', 'ArrowRight']) {
    await open(page);
    expect(await press(page, key)).toBe('Lathe');
  }
});
