// The colors and fonts of a theme (docs/editing.md, "Styles"): live on the page, stored in this browser or in the draft.

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, edit, ended, file, remove, tool } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';

const CONF = `appConfig:
  theme: nord
sections:
  - name: Quay
    items:
      - title: Crane
`;

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Colours: nord' });
const field = (page: Page, name: string): Locator => dialog(page).getByLabel(name, { exact: true });
const button = (page: Page, name: string): Locator => dialog(page).getByRole('button', { name, exact: true });

async function show(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Colours and fonts' }).click();
  await expect(field(page, 'primary')).toBeFocused();
}

/** The value of a variable on the page. */
const value = (page: Page, name: string): Promise<string> => page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(), name);
const stored = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('customColors'));

test('are seen at once, kept in this browser, and reset one by one', async ({ page }) => {
  await open(page);
  const before = await value(page, 'primary');
  await show(page);
  await field(page, 'primary').fill('#ff8800');
  await expect.poll(() => value(page, 'primary')).toBe('#ff8800');
  await expect(dialog(page).getByLabel('Palette for primary')).toHaveValue('#ff8800');
  await dialog(page).getByLabel('Palette for background', { exact: true }).fill('#101010');
  await expect(field(page, 'background')).toHaveValue('#101010');
  await expect.poll(() => value(page, 'background')).toBe('#101010');
  await button(page, 'Save').click();
  await expect(dialog(page)).toHaveCount(0);
  expect(JSON.parse((await stored(page))!)).toEqual({ nord: { primary: '#ff8800', background: '#101010' } });
  await open(page);
  expect(await value(page, 'primary')).toBe('#ff8800');
  await show(page);
  await button(page, 'Reset primary').click();
  await expect.poll(() => value(page, 'primary')).toBe(before);
  await button(page, 'Save').click();
  expect(JSON.parse((await stored(page))!)).toEqual({ nord: { background: '#101010' } });
});

test('are as before after Escape', async ({ page }) => {
  await open(page);
  const before = await value(page, 'primary');
  await show(page);
  await field(page, 'primary').fill('red');
  await expect.poll(() => value(page, 'primary')).toBe('red');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  expect(await value(page, 'primary')).toBe(before);
  expect(await stored(page)).toBeNull();
});

test('an invalid color is reported, and not shown', async ({ page }) => {
  await open(page);
  const before = await value(page, 'primary');
  await show(page);
  await field(page, 'primary').fill('reddish');
  await expect(dialog(page).getByText('Not a colour.')).toBeVisible();
  await expect(field(page, 'primary')).toHaveAttribute('aria-invalid', 'true');
  expect(await value(page, 'primary')).toBe(before);
  await field(page, 'primary').fill('red; } body { display: none');
  await expect(dialog(page).getByText('A value has no')).toBeVisible();
  await field(page, 'primary').fill('red');
  await expect(field(page, 'primary')).toHaveAttribute('aria-invalid', 'false');
});

test('low contrast is reported', async ({ page }) => {
  await open(page);
  await show(page);
  await field(page, 'background').fill('#ffffff');
  await field(page, 'foreground').fill('#cccccc');
  await expect(dialog(page).getByText('Contrast 1.6 with background: hard to read, text needs 4.5.')).toBeVisible();
  await field(page, 'foreground').fill('#000000');
  await expect(dialog(page).getByText('Contrast 21 with background.')).toBeVisible();
});

test('there is a field for every variable, and for fonts', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await show(page);
  await dialog(page).getByText('Fonts', { exact: true }).click();
  await field(page, 'font-body').fill('Georgia, serif');
  await expect(page.locator('body')).toHaveCSS('font-family', 'Georgia, serif');
  await dialog(page).getByText('All variables', { exact: true }).click();
  await dialog(page).getByRole('searchbox').fill('item-back');
  await expect(field(page, 'item-background')).toBeVisible();
  await expect(field(page, 'footer-background')).toBeHidden();
  await field(page, 'item-background').fill("rgb(1 2 3)");
  await expect(page.locator('#content .item').first()).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  await button(page, 'Copy as YAML').click();
  await expect(button(page, 'Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("appConfig:\n  customColors:\n    nord:\n      font-body: 'Georgia, serif'\n      item-background: 'rgb(1 2 3)'\n");
});

test('can be used by everybody', async ({ page }) => {
  await open(page);
  await show(page);
  await field(page, 'primary').fill('reddish');
  await check(page, () => expect(dialog(page)).toBeVisible());
});

test('are taken into the config', async ({ page, portico }) => {
  await open(page);
  await show(page);
  await field(page, 'primary').fill('#ff8800');
  await button(page, 'Take into the config').click();
  await expect(page.getByRole('button', { name: 'Undo: Colours of the theme “nord”' })).toBeVisible();
  // Until the draft is saved, the colors are only here.
  expect(await stored(page)).toContain('#ff8800');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(await stored(page)).toBeNull();
  expect(file(portico)).toContain("  customColors:\n    nord:\n      primary: '#ff8800'\n");
  await expect.poll(() => value(page, 'primary')).toBe('#ff8800');
});

test('stay in this browser if the draft is not saved', async ({ page }) => {
  await open(page);
  await show(page);
  await field(page, 'primary').fill('#ff8800');
  await button(page, 'Take into the config').click();
  await expect(page.getByRole('button', { name: 'Undo: Colours of the theme “nord”' })).toBeVisible();
  await bar(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await ended(page);
  expect(await stored(page)).toContain('#ff8800');
  await expect.poll(() => value(page, 'primary')).toBe('#ff8800');

  // The same if the step was undone.
  await show(page);
  await button(page, 'Take into the config').click();
  await page.getByRole('button', { name: 'Undo: Colours of the theme “nord”' }).click();
  await remove(page, 'Crane');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(await stored(page)).toContain('#ff8800');
});

test('are changed in the draft', async ({ page, portico }) => {
  await edit(page);
  await (await tool(page, 'Styles')).click();
  await page.getByRole('dialog', { name: 'Custom CSS' }).getByRole('button', { name: /Colou?rs of the theme/ }).click();
  await field(page, 'primary').fill('#00aa55');
  await expect.poll(() => value(page, 'primary')).toBe('#00aa55');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => value(page, 'primary')).not.toBe('#00aa55');
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  await (await tool(page, 'Styles')).click();
  await page.getByRole('dialog', { name: 'Custom CSS' }).getByRole('button', { name: /Colou?rs of the theme/ }).click();
  await field(page, 'primary').fill('#00aa55');
  await button(page, 'Apply').click();
  await expect(bar(page).getByRole('button', { name: 'Undo: Colours of the theme “nord”' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico)).toContain("      primary: '#00aa55'\n");
});
