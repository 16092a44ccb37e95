// A widget chosen in the gallery is added to a section of the dashboard.

import { address, alive, expect, test } from '../fixtures.ts';

test.describe('adding from the gallery', () => {
  test.use({ text: 'sections:\n  - { name: Attic, items: [ { title: Lamp } ] }\n  - { name: Cellar, items: [ { title: Boiler } ] }\n' });

  test('asks for the section, and opens the form of the widget', async ({ page }) => {
    await page.goto(address('/widget-gallery'));
    await alive(page);
    await page.getByText('Index', { exact: true }).click();
    await page.locator('#content').getByRole('link', { name: 'Joke', exact: true }).click();
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Joke', exact: true }) });
    await expect(section).toBeInViewport();
    await section.getByRole('link', { name: /Add to the dashboard/ }).click();
    await page.getByRole('dialog', { name: 'Add widget' }).getByRole('button', { name: 'Cellar' }).click();
    const form = page.getByRole('dialog').filter({ hasText: 'Joke' });
    await expect(form).toBeVisible();
    await form.getByRole('button', { name: /^(Add|Done|Apply)/ }).click();
    await expect(page.locator('section', { hasText: 'Cellar' }).locator('[data-kind=joke]')).toBeVisible();
    // Loading the page again does not ask again.
    expect(new URL(page.url()).search).toBe('');
  });

  test('is in the language of its viewer', async ({ page, portico }) => {
    await page.context().addCookies([{ name: 'portico-language', value: 'de', url: portico.url }]);
    await page.goto(address('/widget-gallery'));
    await alive(page);
    await expect(page.getByRole('link', { name: 'Dashboard', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Alle Fälle' })).toBeVisible();
    await page.getByText('Übersicht', { exact: true }).click();
    await page.locator('#content').getByRole('link', { name: 'Kalender', exact: true }).click();
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Kalender', exact: true }) });
    await expect(section.getByRole('article', { name: 'Kalender' })).toBeVisible();
    await expect(section.getByRole('link', { name: /Zum Dashboard hinzufügen/ })).toBeVisible();
  });
});
