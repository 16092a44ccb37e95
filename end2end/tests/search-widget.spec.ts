// The web search widget: its buttons follow the typed text.

import { expect, open, test } from '../fixtures.ts';

test.use({
  text: `sections:
  - name: Ask
    widgets:
      - type: custom-search
        label: Engines
        options:
          engines:
            - { title: Find, url: 'https://find.example/?q=' }
            - { title: Pages, url: 'https://pages.example/%s?lang=en' }
`,
});

test('the buttons lead somewhere only while there is a text', async ({ page }) => {
  await open(page);
  const field = page.getByRole('searchbox', { name: 'Search the web' });
  const [find, pages] = [page.locator('a', { hasText: 'Find' }), page.locator('a', { hasText: 'Pages' })];
  await expect(find).not.toHaveAttribute('href');
  await find.click();
  await expect(field).toBeFocused();
  await field.fill(' blue tit ');
  await expect(find).toHaveAttribute('href', 'https://find.example/?q=blue%20tit');
  await expect(pages).toHaveAttribute('href', 'https://pages.example/blue%20tit?lang=en');
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(find).not.toHaveAttribute('href');
  await field.fill('  ');
  await expect(pages).not.toHaveAttribute('href');
  expect(page.context().pages()).toHaveLength(1);
});

test('the buttons are there for the keys too', async ({ page }) => {
  await open(page);
  const form = page.getByRole('search', { name: 'Engines' });
  const field = form.getByRole('searchbox', { name: 'Search the web' });
  const pages = form.getByRole('link', { name: 'Pages' });
  await field.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(pages).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await page.keyboard.type('wren');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const [window] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await window.waitForURL('https://pages.example/wren?lang=en');
});

test('Enter asks the first engine, in a new tab', async ({ page }) => {
  await open(page);
  const field = page.getByRole('searchbox', { name: 'Search the web' });
  // The browser restores the typed text without an event.
  await field.evaluate((field: HTMLInputElement) => (field.value = 'wren'));
  const [window] = await Promise.all([page.context().waitForEvent('page'), field.press('Enter')]);
  await window.waitForURL('https://find.example/?q=wren');
});

test.describe('with the workspace', () => {
  test.use({
    text: "sections: [ { name: Ask, widgets: [ { type: custom-search, options: { openingMethod: workspace, engines: [ { title: Find, url: 'https://find.example/?q=' } ] } } ] } ]\n",
  });

  test('the results open beside the sidebar', async ({ page }) => {
    await open(page);
    await page.getByRole('searchbox', { name: 'Search the web' }).fill('wren & tit');
    await page.getByRole('link', { name: 'Find' }).click();
    await expect(page).toHaveURL((url) => url.pathname.endsWith('/workspace') && url.searchParams.get('url') === 'https://find.example/?q=wren%20%26%20tit');
    await expect(page.locator('#frames iframe')).toHaveAttribute('src', 'https://find.example/?q=wren%20%26%20tit');
    expect(page.context().pages()).toHaveLength(1);
  });
});
