// The tour of a new dashboard.

import { violations } from '../axe.ts';
import { address, alive, expect, test } from '../fixtures.ts';

test.use({ config: null });

for (const width of [390, 1366]) {
  test(`${width}: shows three things, and never comes back`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(address('/'));
    await alive(page);
    const tour = page.getByRole('region', { name: 'Tour' });
    await expect(tour).toContainText('1 of 3');
    await expect(page.locator('.search.tour-target, #search.tour-target')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByRole('button', { name: 'Next' }).click();
    await expect(page.locator('.edit-button.tour-target')).toBeVisible();
    await tour.getByRole('button', { name: 'Done' }).click();
    await expect(tour).toHaveCount(0);
    await expect(page.locator('.tour-target')).toHaveCount(0);
    await page.reload();
    await alive(page);
    // The script that begins it has run.
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/menu-.*\.js/.test(name)));
    await expect(tour).toHaveCount(0);
  });
}

test('can be skipped', async ({ page }) => {
  await page.goto(address('/'));
  await alive(page);
  const tour = page.getByRole('region', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Skip' }).press('Escape');
  await expect(tour).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('porticoTour'))).toBe('seen');
});

test('goes on in another language', async ({ page }) => {
  await page.goto(address('/'));
  await alive(page);
  const card = page.locator('.tour');
  await card.getByRole('button', { name: 'Next' }).click();
  await page.locator('.options > button').click();
  await page.locator('#options-panel select[name=language]').selectOption('de');
  await expect(card).toContainText('2 von 3');
  await expect(card.getByText('Mach sie zu deiner')).toBeVisible();
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Weiter' }).click();
  await expect(page.locator('.edit-button.tour-target')).toBeVisible();
  await card.getByRole('button').last().click();
  await expect(page.locator('.tour, .tour-target')).toHaveCount(0);
});
