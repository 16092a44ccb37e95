// Forms in plain words, pickers instead of names to know by heart, and the few buttons of the save bar (docs/editing.md).

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { QUAY, bar, edit, ended, file, save, tile, tool } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';

test.use({ text: `${QUAY}appConfig:\n  language: en\n` });

const form = (page: Page): Locator => page.getByRole('dialog').first();
const labels = (page: Page): Promise<string[]> => form(page).locator('.edit-field > label').allTextContents();

test('an item is filled in from its title, and offers icon and address', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add item to Quay' }).click();
  expect(await labels(page)).toEqual(['Title *', 'Address', 'Icon', 'Description', 'Opens in']);
  await expect(form(page).getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Jellyfin');
  const suggestions = form(page).getByRole('group', { name: 'Suggestions' });
  await suggestions.getByRole('button', { name: /^Icon hl-jellyfin$/ }).click();
  await expect(form(page).getByLabel('Icon', { exact: true })).toHaveValue('hl-jellyfin');
  await expect(suggestions.getByRole('button', { name: /^Icon/ })).toHaveCount(0);
  const address = suggestions.getByRole('button', { name: /^Address/ });
  await expect(address).toBeFocused();
  await page.keyboard.press('Enter');
  const { hostname } = new URL(portico.url);
  await expect(form(page).getByLabel('Address', { exact: true })).toHaveValue(`http://${hostname}:8096`);
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(tile(page, 'Jellyfin')).toBeVisible();
  await save(page);
  expect(file(portico)).toContain(`      - title: Jellyfin\n        icon: hl-jellyfin\n        url: http://${hostname}:8096\n`);
});

test('a field that is missing or wrong is marked itself', async ({ page }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add item to Quay' }).click();
  await form(page).getByRole('button', { name: 'Done' }).click();
  const title = form(page).getByLabel('Title');
  await expect(title).toHaveAttribute('aria-invalid', 'true');
  await expect(title).toHaveAccessibleDescription(/^This is required\./);
  await expect(title).toBeFocused();
  await title.fill('Buoy');
  await expect(title).not.toHaveAttribute('aria-invalid');
  const address = form(page).getByLabel('Address', { exact: true });
  await address.fill('htp:/buoy.example');
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(form(page).getByRole('alert')).toHaveText('Please correct what is marked.');
  await address.fill('http://buoy.example');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(tile(page, 'Buoy')).toHaveAttribute('href', 'http://buoy.example');
});

test('a widget begins with what it needs, and yes and no are switches', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add widget to Quay' }).click();
  await expect(form(page).getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('weather');
  await expect(form(page).getByRole('status')).toContainText('Enter takes Weather.');
  await page.keyboard.press('Enter');
  await expect(form(page).getByLabel('City *')).toBeFocused();
  const [first] = await labels(page);
  expect(first).toBe('City *');
  expect((await labels(page)).indexOf('API key')).toBeGreaterThan((await labels(page)).indexOf('Label'));
  await page.keyboard.type('Lisbon');
  const details = form(page).getByRole('switch', { name: 'Hide details' });
  await expect(details).not.toBeChecked();
  await details.check();
  await check(page, () => expect(details).toBeVisible());
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain('      - type: weather\n        options:\n          city: Lisbon\n          hideDetails: true\n');
});

test('the theme and the language of everybody are chosen from pictures and names', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(form(page).getByLabel('Layout').locator('option')).toHaveText(['Automatic', 'Rows', 'Columns side by side', 'Columns without gaps']);
  await form(page).getByRole('button', { name: 'Choose theme', exact: true }).click();
  const themes = page.getByRole('dialog', { name: 'Theme for everybody' });
  await themes.getByRole('searchbox').fill('nord');
  await themes.getByRole('radio', { name: 'Nord', exact: true }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'nord');
  await themes.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'nord');
  await form(page).getByRole('button', { name: 'Choose theme', exact: true }).click();
  await themes.getByRole('radio', { name: 'Nord', exact: true }).check({ force: true });
  await themes.getByRole('button', { name: 'Done' }).click();
  await expect(form(page).getByLabel('Theme', { exact: true })).toHaveValue('nord');
  await form(page).getByRole('button', { name: 'Choose language', exact: true }).click();
  const languages = page.getByRole('dialog', { name: 'Language for everybody' });
  await languages.getByRole('searchbox').fill('german');
  await languages.getByRole('radio', { name: 'Deutsch' }).check();
  await languages.getByRole('button', { name: 'Done' }).click();
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain('  language: de\n  theme: nord\n');
});

test('the theme of this browser becomes that of everybody', async ({ page, portico }) => {
  await open(page);
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Choose a theme' }).click();
  const themes = page.getByRole('dialog', { name: 'Theme' });
  await themes.getByRole('radio', { name: 'Dracula', exact: true }).check({ force: true });
  await themes.getByRole('button', { name: 'For everybody' }).click();
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  await save(page);
  expect(file(portico)).toContain('theme: dracula\n');
});

test('the save bar has four buttons, and the rest behind one', async ({ page }) => {
  await edit(page);
  const shown = (): Promise<string[]> => bar(page).locator('.button:visible').allTextContents();
  expect(await shown()).toEqual(['Select', 'Settings', 'More', 'Cancel', 'Save']);
  await (await tool(page, 'Page info')).click();
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(bar(page).getByRole('button', { name: 'Page info' })).toBeFocused();
  await tile(page, 'Crane').focus();
  await expect(bar(page).getByRole('button', { name: 'Page info' })).toBeHidden();
});

test.describe('with a key in the file', () => {
  test.use({ text: `${QUAY}    widgets:\n      - type: weather\n        options:\n          city: Lisbon\n          apiKey: 0123abc\n` });

  test('advice is a hint that can be closed', async ({ page }) => {
    await edit(page);
    await expect(bar(page).getByRole('button', { name: /problem/ })).toHaveCount(0);
    await bar(page).getByRole('button', { name: '1 hint' }).click();
    await expect(form(page)).toContainText('apiKey is written out.');
    await check(page, () => expect(form(page)).toBeVisible());
    await form(page).getByRole('button', { name: 'Do not show again' }).click();
    await expect(bar(page).getByRole('button', { name: '1 hint' })).toHaveCount(0);
    await bar(page).getByRole('button', { name: 'Cancel' }).click();
    await ended(page);
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await expect(bar(page)).toBeVisible();
    await expect(bar(page).getByRole('button', { name: '1 hint' })).toHaveCount(0);
  });
});

test('a folder that cannot be written is said when the pencil is pressed', async ({ page }) => {
  await page.route('**/fn/editor-load', async (route) => {
    const response = await route.fetch();
    const answer = await response.json() as { done: { unwritable?: string } };
    answer.done.unwritable = '`/data` cannot be written (permission denied). To change that: sudo chown -R 65534:65534 /data';
    await route.fulfill({ response, json: answer });
  });
  await edit(page);
  await expect(bar(page)).toContainText('sudo chown -R 65534:65534 /data');
});

test('a dashboard is protected by a name and a password, and one stays signed in', async ({ page, portico }) => {
  await edit(page);
  await (await tool(page, 'Protect this dashboard')).click();
  const dialog = page.getByRole('dialog', { name: 'Protect this dashboard' });
  await dialog.getByLabel('Name *').fill('ann');
  await dialog.getByLabel('Password *').fill('short');
  await dialog.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('The password needs at least 8 characters.');
  await expect(dialog.getByLabel('Password *')).toHaveAttribute('aria-invalid', 'true');
  await check(page, () => expect(dialog).toBeVisible());
  await dialog.getByLabel('Password *').fill('long enough');
  await dialog.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Edit this page' })).toBeVisible();
  await expect(page.locator('.account')).toContainText('ann');
  expect(file(portico)).toContain('type: admin');
  expect((await fetch(`${portico.url}/`, { redirect: 'manual' })).status).not.toBe(200);
});
