// The server's page is complete: everything except the options works without JavaScript.

import { expect, test } from '../fixtures.ts';

test.use({ javaScriptEnabled: false });

test('sections and items are links that work', async ({ page, visits }) => {
  await page.goto('./');
  await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Machines' }).getByRole('link')).toHaveCount(5);

  const lathe = page.getByRole('link', { name: /Lathe/ });
  await expect(lathe).toHaveAttribute('target', '_blank');
  await expect(lathe).toHaveAttribute('rel', 'noopener noreferrer');
  const [window] = await Promise.all([page.context().waitForEvent('page'), lathe.click()]);
  await window.waitForURL('https://lathe.example/panel');

  await page.getByRole('link', { name: 'Band saw' }).click();
  await page.waitForURL('https://saw.example/');
  expect(visits).toEqual(['https://lathe.example/panel', 'https://saw.example/']);
});

test('methods that need a script open a new tab instead', async ({ page }) => {
  await page.goto('./');
  for (const title of ['Window seat', 'Door plate', 'Skylight']) {
    const item = page.getByRole('link', { name: title });
    await expect(item).toHaveAttribute('target', '_blank');
    const [window] = await Promise.all([page.context().waitForEvent('page'), item.click()]);
    await expect(window).toHaveURL(/^https:\/\/(seat|plate|sky)\.example/);
    await window.close();
  }
});

test('a section opens and closes', async ({ page }) => {
  await page.goto('./');
  const screws = page.getByRole('link', { name: 'Screws' });
  await expect(screws).toBeHidden();
  const heading = page.locator('summary', { hasText: 'Drawers' });
  await heading.click();
  await expect(screws).toBeVisible();
  await heading.click();
  await expect(screws).toBeHidden();
});

test('a section opens alone, and there is a way back', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('link', { name: 'Open section Drawers alone' }).click();
  await page.waitForURL('**/home/main/drawers');
  await expect(page.locator('main > section')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to all sections' }).click();
  await expect(page.locator('main > section')).toHaveCount(5);
});

test('the search box asks the server', async ({ page }) => {
  await page.goto('./');
  const box = page.getByRole('searchbox', { name: 'Search' });
  await box.fill('SCREW');
  await box.press('Enter');
  await page.waitForURL('**/?q=SCREW');
  // Playwright cannot find text in a <noscript>.
  await expect(page.locator('.hits')).toContainText('for “SCREW”');
  await expect(box).toHaveValue('SCREW');
  await expect(page.locator('#search-note')).toBeHidden();
  // Its section would otherwise be collapsed.
  await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Lathe/ })).toBeHidden();
  await page.getByRole('link', { name: 'Show everything' }).click();
  await expect(page.getByRole('link', { name: /Lathe/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Screws' })).toBeHidden();
});

test('what needs a script is not offered', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: 'Options' }).click();
  const options = page.locator('#options-panel');
  await expect(options.getByRole('navigation', { name: 'View' })).toBeVisible();
  await expect(options.getByRole('group')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose a theme' })).toHaveCount(0);
  await expect(page.getByText('Stored in this browser')).toBeHidden();
});

test.describe('several pages', () => {
  test.use({ config: 'house' });


  test('the navigation leads to them', async ({ page, baseURL }) => {
    await page.goto('./');
    const navigation = page.getByRole('navigation', { name: 'Links and pages' });
    await navigation.getByRole('link', { name: 'Cables' }).click();
    await page.waitForURL('**/home/cables');
    await expect(page).toHaveTitle('Cables');
    await page.getByRole('link', { name: /Cables/ }).first().click();
    expect(page.url()).toBe(baseURL);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, config: 'house' });

  test('the bar of pages leads on', async ({ page }) => {
    await page.goto('./');
    await page.getByRole('navigation').getByRole('link', { name: 'Cables' }).click();
    await page.waitForURL('**/home/cables');
  });
});
