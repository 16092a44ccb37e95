// Choosing icons in the editor (docs/editing.md, "Icons and colors"): by mouse, keyboard and touch, and uploading pictures.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, file, save, tile } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = `pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Anchor
        url: https://anchor.example
      - title: Tools
        subItems:
          - title: Winch
            url: https://winch.example
`;
/** One red dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==', 'base64');

test.use({ text: CONF });

const form = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit item' });
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose an icon' });
const field = (page: Page): Locator => form(page).getByRole('textbox', { name: 'Icon' });
const search = (page: Page): Locator => picker(page).getByRole('searchbox', { name: 'Search' });
const status = (page: Page): Locator => picker(page).getByRole('status');
const group = (page: Page, name: string): Locator => picker(page).getByRole('radio', { name, exact: true });
const option = (page: Page, name: string): Locator => picker(page).getByRole('option', { name, exact: true });

async function openPicker(page: Page): Promise<void> {
  await edit(page);
  await tile(page, 'Anchor').click();
  await form(page).getByRole('button', { name: 'Choose icon' }).click();
  await expect(search(page)).toBeFocused();
  await expect(status(page)).toContainText('icon');
}

const upload = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  picker(page).locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('an icon is found by the title of its item, and is on the page at once', async ({ page, portico }) => {
  await openPicker(page);
  await expect(search(page)).toHaveValue('Anchor');
  await option(page, 'anchor, Symbols').click();
  await expect(picker(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue('mdi-anchor');
  await expect(field(page)).toBeFocused();
  await expect(tile(page, 'Anchor').locator('.glyph')).toHaveAttribute('clip-path', 'url(#mdi-anchor)');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain('url: https://anchor.example\n        icon: mdi-anchor\n');
});

test('all kinds of icons are searched, and one kind alone', async ({ page }) => {
  await openPicker(page);
  await search(page).fill('jellyfin');
  await expect(option(page, 'jellyfin, Applications')).toBeVisible();
  await expect(option(page, 'jellyfin, Brands')).toBeVisible();
  await expect(option(page, 'jellyfin, Applications').locator('img')).toHaveJSProperty('complete', true);
  await group(page, 'Brands').check();
  await expect(option(page, 'jellyfin, Applications')).toHaveCount(0);
  await expect(status(page)).toHaveText('1 icon');
  await group(page, 'selfh.st').check();
  await expect(option(page, 'jellyfin, selfh.st')).toHaveAttribute('title', 'sh-jellyfin');
  await group(page, 'Emoji').check();
  await search(page).fill('rocket');
  await option(page, 'rocket, Emoji').click();
  await expect(field(page)).toHaveValue('🚀');
  await form(page).getByRole('button', { name: 'Choose icon' }).click();
  await search(page).fill('no such thing');
  await expect(status(page)).toHaveText('No icon matches “no such thing”. Try a single word, or another kind.');
  await search(page).fill('site');
  await option(page, 'Icon of the site').click();
  await expect(field(page)).toHaveValue('favicon');
  await form(page).getByRole('button', { name: 'Choose icon' }).click();
  await picker(page).getByRole('button', { name: 'No icon' }).click();
  await expect(field(page)).toHaveValue('');
});

test('much is shown in pages', async ({ page }) => {
  await openPicker(page);
  await group(page, 'Symbols').check();
  await search(page).fill('a');
  await expect(picker(page).getByRole('option')).toHaveCount(120);
  await picker(page).getByRole('button', { name: 'Show more' }).click();
  await expect(picker(page).getByRole('option')).toHaveCount(240);
  await expect(picker(page).getByRole('option').nth(120)).toBeFocused();
});

/** Searches for servers, by keyboard alone. */
async function searchByKeyboard(page: Page): Promise<void> {
  await edit(page);
  await tile(page, 'Anchor').focus();
  await page.keyboard.press('Enter');
  await form(page).getByRole('button', { name: 'Choose icon' }).focus();
  await page.keyboard.press('Enter');
  await expect(search(page)).toBeFocused();
  await page.keyboard.type('server');
  await expect(option(page, 'server, Symbols')).toBeVisible();
  // On a slow machine, these can still be the results of what was typed so far.
  await expect(picker(page).getByRole('listbox')).toHaveAttribute('aria-busy', 'false');
}

test('everything is done by keyboard', async ({ page }) => {
  await searchByKeyboard(page);
  await page.keyboard.press('ArrowDown');
  const options = picker(page).getByRole('option');
  await expect(options.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(options.nth(1)).toBeFocused();
  const columns = await options.evaluateAll((all) => all.findIndex((one) => one.getBoundingClientRect().top > (all[0]?.getBoundingClientRect().top ?? 0) + 1));
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1 + columns)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await expect(options.nth(0)).toBeFocused();
  await page.keyboard.press('End');
  await expect(options.last()).toBeFocused();
  await page.keyboard.press('Home');
  const value = await options.nth(0).getAttribute('title');
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue(value ?? '-');
  // Escape closes only this dialog, and leaves the field unchanged.
  await form(page).getByRole('button', { name: 'Choose icon' }).focus();
  await page.keyboard.press('Enter');
  await expect(search(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveCount(0);
  await expect(form(page)).toBeVisible();
  await expect(field(page)).toHaveValue(value ?? '-');
});

test('later results keep the place of who is among the earlier ones', async ({ page }) => {
  await searchByKeyboard(page);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => { release = resolve; });
  await page.route('**/fn/editor-icons*', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/editor-icons/);
  await page.keyboard.type(' network');
  await asked;
  const options = picker(page).getByRole('option');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(options.nth(1)).toBeFocused();
  const before = await options.count();
  release();
  await expect.poll(() => options.count()).toBeLessThan(before);
  await expect(options.nth(1)).toBeFocused();
});

test('the icon of a part of a group is chosen too', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Tools').getByText('Tools').click();
  await form(page).getByRole('group', { name: 'Sub-item 1' }).getByRole('button', { name: 'Choose icon' }).click();
  await expect(search(page)).toHaveValue('Winch');
  await search(page).fill('hook');
  await option(page, 'hook, Symbols').click();
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain('icon: mdi-hook');
});

test('an own picture is uploaded, chosen and shown', async ({ page, portico }) => {
  await openPicker(page);
  await upload(page, 'My Logo.PNG', PNG);
  await expect(picker(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue('my-logo.png');
  expect(readFileSync(join(portico.directory, 'item-icons/my-logo.png'))).toEqual(PNG);
  await expect(tile(page, 'Anchor').locator('img')).toHaveAttribute('src', /\/icons\/file\/my-logo\.png$/);
  // Another picture with that name gets a number, and both are offered.
  await form(page).getByRole('button', { name: 'Choose icon' }).click();
  await upload(page, 'my-logo.png', Buffer.concat([PNG, Buffer.from([0])]));
  await expect(field(page)).toHaveValue('my-logo-2.png');
  await form(page).getByRole('button', { name: 'Choose icon' }).click();
  await group(page, 'Your pictures').check();
  await expect(picker(page).getByRole('option')).toHaveCount(2);
  await expect(option(page, 'my-logo-2.png, Your pictures')).toHaveAttribute('aria-selected', 'true');
});

test('pictures are dropped on the dialog', async ({ page, portico }) => {
  await openPicker(page);
  const files = await page.evaluateHandle((text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    for (const name of ['one.png', 'two.png']) transfer.items.add(new File([bytes, name], name));
    return transfer;
  }, PNG.toString('base64'));
  await picker(page).dispatchEvent('dragover', { dataTransfer: files });
  await expect(picker(page)).toHaveClass(/dropping/);
  await picker(page).dispatchEvent('drop', { dataTransfer: files });
  await expect(picker(page)).not.toHaveClass(/dropping/);
  await expect(status(page)).toHaveText('one.png is stored. two.png is stored.');
  await expect(picker(page).getByRole('option')).toHaveCount(2);
  expect(readdirSync(join(portico.directory, 'item-icons')).sort()).toEqual(['one.png', 'two.png']);
});

test.describe('what is refused', () => {
  test.use({ expected: /status of 415/ });

  test('a file that is no picture, or too large, is not stored, and the dialog says so', async ({ page, portico }) => {
    await openPicker(page);
    await upload(page, 'logo.png', Buffer.from('<!doctype html><script>alert(1)</script>'));
    await expect(status(page)).toContainText('choose a PNG, JPEG, WebP, GIF, AVIF, ICO or SVG picture');
    await upload(page, 'large.png', Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]));
    await expect(status(page)).toContainText('at most 1 MB can be stored');
    await expect(field(page)).toHaveValue('');
    expect(existsSync(join(portico.directory, 'item-icons'))).toBe(false);
  });
});

test.describe('where nothing may be written', () => {
  test.use({ text: `${CONF}appConfig: { preventWriteToDisk: true }\n`, expected: /status of 403/ });

  test('a picture is refused in words', async ({ page, portico }) => {
    await openPicker(page);
    await upload(page, 'logo.png', PNG);
    await expect(status(page)).toContainText('Remove preventWriteToDisk');
    expect(existsSync(join(portico.directory, 'item-icons'))).toBe(false);
  });
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('an icon is chosen by touch', async ({ page }) => {
    await edit(page);
    await tile(page, 'Anchor').tap();
    await form(page).getByRole('button', { name: 'Choose icon' }).tap();
    await option(page, 'anchor, Symbols').tap();
    await expect(field(page)).toHaveValue('mdi-anchor');
  });
});

test('the dialog is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await openPicker(page);
  await search(page).fill('cloud');
  await expect(option(page, 'cloud, Symbols')).toBeVisible();
  await check(page, async () => {
    const directory = process.env['PICTURES'];
    const { width = 0 } = page.viewportSize() ?? {};
    const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    if (directory) await page.screenshot({ path: join(directory, `icons-${width}-${dark ? 'dark' : 'light'}.png`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
  });
});
