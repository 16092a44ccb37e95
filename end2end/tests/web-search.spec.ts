// Enter in the search box (docs/spec/behavior.md 6.1).

import { expect, open, test } from '../fixtures.ts';

test('opens what was asked for in a new tab and clears the box', async ({ page }) => {
  await open(page);
  const box = page.getByRole('searchbox');
  for (const [text, address, note] of [
    ['zebras & ü', 'https://www.mojeek.com/search?q=zebras%20%26%20%C3%BC', 'Enter searches the web with Mojeek'],
    ['/tools chisel', 'https://tools.example/find?name=chisel', 'Enter searches the web with /tools'],
    ['chisel /gh', 'https://github.com/search?q=chisel', 'Enter searches the web with /gh'],
    ['zz /gh b', 'https://www.mojeek.com/search?q=zz%20%2Fgh%20b', 'Enter searches the web with Mojeek'],
    ['chisels.example/new', 'https://chisels.example/new', 'Enter opens https://chisels.example/new'],
  ] as const) {
    await box.fill(text);
    await expect(page.locator('#search-note')).toHaveText(note);
    const [window] = await Promise.all([page.context().waitForEvent('page'), box.press('Enter')]);
    await window.waitForURL(address);
    expect(await window.evaluate(() => window.opener === null)).toBe(true);
    await window.close();
    await expect(box).toHaveValue('');
  }
});

test('nothing happens without text', async ({ page }) => {
  await open(page);
  await page.getByRole('searchbox').press('Enter');
  await expect(page.locator('#search-note')).toHaveText('');
  expect(page.context().pages()).toHaveLength(1);
  expect(new URL(page.url()).search).toBe('');
});

test.describe('in the same tab', () => {
  test.use({ text: 'appConfig: { webSearch: { openingMethod: sametab, searchEngine: custom, customSearchEngine: "https://find.example/?text=" } }\nsections: []\n' });

  test('opens there', async ({ page }) => {
    await open(page);
    await page.keyboard.type('oil');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://find.example/?text=oil');
  });
});

test.describe('with an unknown engine', () => {
  test.use({ text: 'appConfig: { webSearch: { searchEngine: alta-lavista } }\nsections: []\n' });

  test('says so and keeps the text', async ({ page }) => {
    await open(page);
    await page.keyboard.type('oil');
    await page.keyboard.press('Enter');
    await expect(page.locator('.toast')).toContainText('alta-lavista');
    await expect(page.getByRole('searchbox')).toHaveValue('oil');
    expect(page.context().pages()).toHaveLength(1);
  });
});

test.describe('switched off', () => {
  test.use({ text: 'appConfig: { webSearch: { disableWebSearch: true } }\nsections: []\n' });

  test('does nothing and promises nothing', async ({ page }) => {
    await open(page);
    await page.keyboard.type('oil');
    await expect(page.getByText('No results on this page')).toBeVisible();
    await expect(page.locator('#search-note')).toHaveText('');
    await expect(page.getByText('search the web')).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('searchbox')).toHaveValue('oil');
    expect(page.context().pages()).toHaveLength(1);
  });
});
