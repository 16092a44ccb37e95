// The search among the items of the page (docs/spec/behaviour.md 6).

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

/** The titles of all items that can be seen. */
function shown(page: Page): Promise<string[]> {
  return page
    .locator('#content .item:visible .tile-title, #content .item-group-container:visible .group-title')
    .allTextContents();
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
}

test('filters by title, description, provider, tag and domain', async ({ page }) => {
  await open(page);
  for (const [text, titles] of [
    ['lathe', ['Lathe']],
    ['PINE', ['Band saw']],
    ['ironmonger', ['Lathe']],
    ['turning', ['Lathe']],
    ['größen', ['Größenlehre']],
    ['gauge', ['Größenlehre']],
    ['metal', ['Lathe', 'Drill press', 'Screws']],
    ['teak', ['Varnishes']],
    ['panel', []],
  ] as const) {
    await search(page, text);
    await expect.poll(() => shown(page), text).toEqual(titles);
  }
});

test('every word must be in one field, in any order', async ({ page }) => {
  await open(page);
  await search(page, 'rods turns');
  await expect.poll(() => shown(page)).toEqual(['Lathe']);
  await search(page, 'lathe metal');
  await expect.poll(() => shown(page)).toEqual([]);
});

test('forgives one slip of the finger, only where nothing matches exactly', async ({ page }) => {
  await open(page);
  for (const [text, titles] of [
    ['wallapper', ['Wallpaper']],
    ['scrws', ['Screws']],
    ['manuels', ['Manuals']],
    ['saww', ['Band saw']],
    ['wxllpxper', []],
  ] as const) {
    await search(page, text);
    await expect.poll(() => shown(page), text).toEqual(titles);
  }
});

test('sections without a hit disappear and come back', async ({ page }) => {
  await open(page);
  await search(page, 'oak');
  await expect(page.locator('main > section:visible')).toHaveCount(1);
  await search(page, '');
  await expect(page.locator('main > section:visible')).toHaveCount(5);
});

test('a collapsed section opens for its hits and closes again', async ({ page }) => {
  await open(page);
  const drawers = page.locator('main > section', { hasText: 'Drawers' }).locator('details');
  await expect(drawers).not.toHaveAttribute('open');
  await search(page, 'screws');
  await expect(drawers).toHaveAttribute('open');
  await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
  await search(page, 'lathe');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(drawers).not.toHaveAttribute('open');
  expect(await page.evaluate(() => localStorage.getItem('collapseState'))).toBeNull();
});

test('says when there is nothing', async ({ page }) => {
  await open(page);
  await search(page, 'submarine');
  await expect(page.getByText('No results on this page')).toBeVisible();
  await expect(page.locator('main > section:visible')).toHaveCount(0);
  await search(page, 'lathe');
  await expect(page.getByText('No results on this page')).toBeHidden();
  await expect(page.getByText('1 result', { exact: true })).toBeAttached();
});

test('Escape and the button clear it', async ({ page }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  await search(page, 'oak');
  await box.press('Escape');
  await expect(box).toHaveValue('');
  await expect.poll(async () => (await shown(page)).length).toBeGreaterThan(10);

  await search(page, 'oak');
  const clear = page.getByRole('button', { name: 'Clear the search' });
  await clear.click();
  await expect(box).toHaveValue('');
  await expect(clear).toBeHidden();

  // Also from an item: the person walked there by the arrows.
  await search(page, 'oak');
  await box.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(box).toHaveValue('');
});

test('opening an item clears it', async ({ page }) => {
  await open(page);
  await search(page, 'oak');
  await search(page, 'holes');
  await page.getByRole('link', { name: 'Drill press' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('text that was typed before the page was alive counts', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('./', { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('oak');
  release();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await expect(page.getByRole('searchbox')).toHaveValue('oak');
  await expect.poll(() => shown(page)).toEqual(['Band saw']);
});

test.describe('with other pages', () => {
  test.use({ config: 'house' });

  test('offers their hits below', async ({ page }) => {
    await open(page);
    await search(page, 'gramophone');
    const hit = page.getByRole('region', { name: 'On other pages' }).getByRole('link', { name: /Gramophone/ });
    await expect(hit).toBeVisible();
    await expect(hit).toContainText('Cinema Room');
    const [window] = await Promise.all([page.context().waitForEvent('page'), hit.click()]);
    await window.waitForURL('https://gramophone.example/');
  });

  test('a page that is not the root offers those of the root', async ({ page }) => {
    await open(page, '/home/cinema-room');
    await search(page, 'coats');
    await expect(page.getByRole('region', { name: 'On other pages' }).getByRole('link', { name: /Coats/ })).toBeVisible();
    await search(page, 'projector');
    await expect(page.getByRole('region', { name: 'On other pages' })).toBeHidden();
  });
});

test.describe('with widgets', () => {
  test.use({ config: 'arrival.yml' });

  test('keeps sections of widgets alone, and those with hits', async ({ page }) => {
    await open(page);
    await search(page, 'kettle');
    await expect(page.locator('main > section:visible h2')).toHaveText(['Boxes', 'News']);
    await search(page, 'third');
    await expect(page.locator('main > section:visible h2')).toHaveText(['Neighbours', 'News']);
  });
});
