// The search among the items of the page (docs/spec/behavior.md 6).

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

/** The titles of all visible items. */
function shown(page: Page): Promise<string[]> {
  return page
    .locator('#content .item:visible .tile-title, #content .sub-items-group:visible .group-title')
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

test('every word must be there, in any order and in any text of the item', async ({ page }) => {
  await open(page);
  for (const [text, titles] of [
    ['rods turns', ['Lathe']],
    ['lathe metal', ['Lathe']],
    ['drawers metal', ['Screws']],
    ['grossenlehre', ['Größenlehre']],
    ['lathe oak', []],
  ] as const) {
    await search(page, text);
    await expect.poll(() => shown(page), text).toEqual(titles);
  }
});

test('the first hit is highlighted, and Enter opens it and nothing else', async ({ page, visits }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  for (const [text, first] of [
    ['metal', 'Lathe'],
    ['scr', 'Screws'],
    // Titles rank before descriptions, including those of sub-items.
    ['paper', 'Wallpaper'],
    ['teak', 'Teak oil'],
  ] as const) {
    await box.fill(text);
    await expect(page.locator('[data-first]'), text).toHaveCount(1);
    await expect(page.locator('[data-first] .tile-title'), text).toHaveText(first);
    await expect(page.locator('#search-note')).toContainText('Enter opens what is highlighted');
  }
  await box.fill('gate');
  const [window] = await Promise.all([page.context().waitForEvent('page'), box.press('Enter')]);
  await window.waitForURL('https://gate.example/new');
  expect(visits).toEqual(['https://gate.example/new']);
  await expect(box).toHaveValue('');
  await expect(page.locator('[data-first]')).toHaveCount(0);
});

test('Shift+Enter, a bang and the last row go to the web', async ({ page }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  for (const [text, key, address] of [
    ['lathe', 'Shift+Enter', 'https://www.mojeek.com/search?q=lathe'],
    ['lathe /gh', 'Enter', 'https://github.com/search?q=lathe'],
  ] as const) {
    await box.fill(text);
    const [window] = await Promise.all([page.context().waitForEvent('page'), box.press(key)]);
    await window.waitForURL(address);
    await expect(box).toHaveValue('');
  }
  await box.fill('lathe');
  await box.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'Lathe' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const row = page.getByRole('link', { name: 'Search the web with Mojeek' });
  await expect(row).toBeFocused();
  await expect(row.locator('kbd:visible')).toHaveText(['Shift', 'Enter']);
  const [window] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await window.waitForURL('https://www.mojeek.com/search?q=lathe');
});

test('of equal results, those that are opened often come first', async ({ page }) => {
  await open(page);
  await search(page, 'door');
  await expect(page.locator('[data-first] .tile-title')).toHaveText('Door plate');
  await search(page, '');
  const id = await page.evaluate(() => {
    localStorage.setItem('mostUsed', '{}');
    (document.querySelector('#content a[href="https://trap.example/"]') as HTMLElement).addEventListener('click', (event) => event.preventDefault());
    (document.querySelector('#content a[href="https://trap.example/"]') as HTMLElement).click();
    return localStorage.getItem('mostUsed');
  });
  expect(id).toContain('trapdoor');
  await open(page);
  await search(page, 'door');
  await expect(page.locator('[data-first] .tile-title')).toHaveText('Trap door');
});

test('nothing moves at the first key, and the hint covers no heading', async ({ page }) => {
  for (const viewport of [{ width: 1366, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    await open(page);
    const top = () => page.locator('#content').evaluate((node) => node.getBoundingClientRect().top);
    const before = await top();
    await page.keyboard.press('e');
    await expect(page.locator('#search-note')).toBeVisible();
    expect(await top()).toBe(before);
    const { y, height } = (await page.locator('#search-note').boundingBox())!;
    expect(y + height).toBeLessThanOrEqual((await page.locator('main h2:visible').first().boundingBox())!.y);
  }
});

test('tolerates one typo, only if nothing matches exactly', async ({ page }) => {
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
  // Then only Enter searches the web.
  await expect(page.locator('.web-row kbd:visible')).toHaveText(['Enter']);
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

  // Also from an item reached with the arrow keys.
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
    // The page itself has no results, so Enter opens this.
    await expect(hit).toHaveAttribute('data-first', '');
    await expect(page.locator('.search-outcome')).toHaveText('0 results, 1 on other pages');
    await page.keyboard.press('ArrowDown');
    await expect(hit).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('region', { name: 'On the web' }).getByRole('link')).toBeFocused();
    await search(page, 'gramaphone');
    await expect(hit).toBeVisible();
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

  test('hides those that do not match', async ({ page }) => {
    await open(page);
    await search(page, 'kettle');
    await expect(page.locator('main > section:visible h2')).toHaveText(['Boxes']);
    await search(page, 'third');
    await expect(page.locator('main > section:visible h2')).toHaveText(['Neighbours']);
    await search(page, 'zzzz');
    await expect(page.locator('main > section:visible')).toHaveCount(0);
    await expect(page.getByText('No results on this page')).toBeInViewport();
  });

  test('finds them by their section and type, and Enter leads there', async ({ page }) => {
    await open(page);
    await search(page, 'news');
    const widget = page.locator('main .widget-base:visible');
    await expect(widget.first()).toHaveAttribute('data-first');
    await expect(page.locator('main > section:visible h2')).toHaveText(['News']);
    await page.getByRole('searchbox').press('Enter');
    await expect(page.getByRole('searchbox')).toHaveValue('');
    await expect(page.locator('main > section:visible h2').first()).toHaveText('Boxes');
    await expect(page.locator('main .widget-base:focus')).toBeInViewport();
    const kind = await page.locator('main .widget-base:focus').getAttribute('data-kind');
    await search(page, kind!);
    await expect(page.locator('main .widget-base:visible').first()).toHaveAttribute('data-kind', kind!);
  });
});

test.describe('where the items of other pages come late', () => {
  test.use({ config: 'house' });

  const isRequest = (url: URL): boolean => url.pathname === '/fn/items-elsewhere';

  /** Opens the page, and gives what lets the items arrive. */
  const openWithLateItems = async (page: Page): Promise<() => void> => {
    let arrive = () => {};
    const late = new Promise<void>((done) => (arrive = done));
    await page.route(isRequest, async (route) => {
      await late;
      await route.continue();
    });
    await open(page);
    return arrive;
  };

  test('Enter waits for them', async ({ page, visits }) => {
    const arrive = await openWithLateItems(page);
    const box = page.getByRole('searchbox');
    await box.pressSequentially('gramophone');
    await box.press('Enter');
    await expect(box).toHaveValue('gramophone');
    const window = page.context().waitForEvent('page');
    arrive();
    await (await window).waitForURL('https://gramophone.example/');
    await expect(box).toHaveValue('');
    expect(visits).toEqual(['https://gramophone.example/']);
  });

  test('typing after Enter cancels it', async ({ page, visits }) => {
    const arrive = await openWithLateItems(page);
    const box = page.getByRole('searchbox');
    await box.fill('gramophone');
    await box.press('Enter');
    await box.fill('recipes');
    arrive();
    await expect(page.locator('[data-first] .tile-title')).toHaveText('Recipes');
    await expect(box).toHaveValue('recipes');
    expect(visits).toEqual([]);
  });

  test.describe('or never', () => {
    test.use({ expected: /other pages cannot be searched|Failed to load resource|ERR_FAILED/ });

    test('the page is searched', async ({ page }) => {
      await page.route(isRequest, (route) => route.abort());
      await open(page);
      await search(page, 'coats');
      await expect.poll(() => shown(page)).toEqual(['Coats']);
      await search(page, 'gramophone');
      await expect(page.getByText('No results on this page')).toBeVisible();
    });
  });
});
