// Choosing colors in the forms of the editor (docs/editing.md, "Icons and colors").

import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { QUAY, edit, file, save, tile } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = `${QUAY}        color: '#112233'
`;

test.use({ text: CONF });

const form = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit item' });
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose a colour' });
const field = (page: Page): Locator => form(page).getByRole('textbox', { name: 'Colour', exact: true });
const button = (page: Page): Locator => form(page).getByRole('button', { name: 'Choose colour' });
const colorOfTile = (page: Page): Promise<string> => tile(page, 'Crane').evaluate((element) => getComputedStyle(element).color);
const swatch = (page: Page): Promise<string> => button(page).evaluate((element) => getComputedStyle(element, '::before').backgroundColor);

async function openPicker(page: Page): Promise<void> {
  await edit(page);
  await tile(page, 'Crane').click();
  await button(page).click();
  await expect(picker(page)).toBeVisible();
}

test('a color is on the page while it is chosen, and in the file afterwards', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').click();
  await expect.poll(() => swatch(page)).toBe('rgb(17, 34, 51)');
  await button(page).click();
  await picker(page).getByText('Teal', { exact: true }).click();
  await expect(field(page)).toHaveValue('#0d9488');
  await expect.poll(() => colorOfTile(page)).toBe('rgb(13, 148, 136)');
  await expect.poll(() => swatch(page)).toBe('rgb(13, 148, 136)');
  await picker(page).getByRole('button', { name: 'Done' }).click();
  await expect(field(page)).toBeFocused();
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain("color: '#0d9488'");
});

test('Cancel and Escape restore the old color, and No color removes it', async ({ page }) => {
  await openPicker(page);
  await picker(page).getByText('Primary', { exact: true }).click();
  await expect(field(page)).toHaveValue('var(--primary)');
  await picker(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(field(page)).toHaveValue('#112233');
  await expect.poll(() => colorOfTile(page)).toBe('rgb(17, 34, 51)');
  await button(page).click();
  await picker(page).getByText('Red', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue('#112233');
  await button(page).click();
  await picker(page).getByRole('button', { name: 'No colour' }).click();
  await expect(field(page)).toHaveValue('');
});

test('colors are chosen by keyboard, and any color by its number', async ({ page }) => {
  await openPicker(page);
  await picker(page).getByRole('radio', { name: 'Red', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(field(page)).toHaveValue('#ea580c');
  await expect(picker(page).getByRole('radio', { name: 'Orange' })).toBeChecked();
  await picker(page).getByLabel('Any other colour').fill('#abcdef');
  await expect(field(page)).toHaveValue('#abcdef');
  await picker(page).getByRole('button', { name: 'Done' }).click();
  // Colors can still be typed as text.
  await field(page).fill('rebeccapurple');
  await expect.poll(() => colorOfTile(page)).toBe('rgb(102, 51, 153)');
  await field(page).fill('reddish');
  await expect(form(page).locator('.edit-problem')).toContainText(/colou?r/i);
});

test.describe('a list of colors', () => {
  test.use({ text: `${QUAY}    widgets:\n      - type: system-load-history\n        label: Load\n` });
  const several = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose colours' });
  const widget = (page: Page): Locator => page.getByRole('dialog', { name: /^Edit widget/ });
  const colors = (page: Page): Locator => widget(page).getByRole('textbox', { name: 'Chart colours' });

  test('has palettes, and single colors to add and remove', async ({ page, portico }) => {
    test.setTimeout(60_000);
    await edit(page);
    await page.getByRole('button', { name: 'Edit widget Load' }).click();
    await widget(page).getByRole('button', { name: 'Choose chart colours' }).click();
    await several(page).getByText('For all eyes').click();
    await expect(colors(page)).toHaveValue('#0072b2, #e69f00, #009e73, #cc79a7, #56b4e9, #d55e00');
    await several(page).getByRole('button', { name: 'Remove #e69f00' }).click();
    await expect(several(page).getByRole('button', { name: 'Remove #009e73' })).toBeFocused();
    await several(page).getByRole('button', { name: 'Add Teal' }).click();
    await expect(colors(page)).toHaveValue('#0072b2, #009e73, #cc79a7, #56b4e9, #d55e00, #0d9488');
    await expect(several(page).getByRole('radio', { checked: true })).toHaveCount(0);
    await check(page, () => expect(several(page)).toBeVisible());
    await several(page).getByRole('button', { name: 'Done' }).click();
    await widget(page).getByRole('button', { name: 'Done' }).click();
    await save(page);
    expect(file(portico)).toContain("chartColors:\n            - '#0072b2'");
  });

  test('is as it was after Cancel', async ({ page }) => {
    await edit(page);
    await page.getByRole('button', { name: 'Edit widget Load' }).click();
    await widget(page).getByRole('button', { name: 'Choose chart colours' }).click();
    await several(page).getByText('Blue', { exact: true }).first().click();
    await page.keyboard.press('Escape');
    await expect(several(page)).toHaveCount(0);
    await expect(colors(page)).toHaveValue('');
  });
});

test('the dialog is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await openPicker(page);
  await check(page, async () => {
    const directory = process.env['PICTURES'];
    const { width = 0 } = page.viewportSize() ?? {};
    const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    if (directory) await page.screenshot({ path: join(directory, `colors-${width}-${dark ? 'dark' : 'light'}.png`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
  });
});
