// Where the focus is in edit mode (docs/editing.md): in the first field of a form, and afterwards where it was.

import type { Locator, Page } from '@playwright/test';

import { bar, edit, ended, harbour, spoken, tile, titles, tool } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';

const CONF = harbour({
  Harbour: 'pages:\n  - { name: Boats, path: boats.yml }\n  - { name: Crew, path: crew.yml }\n  - { name: Stores, path: stores.yml }\n',
});

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Opens a dialog with Enter on a control, and closes it with Escape, which brings the focus back. */
async function thereAndBack(page: Page, control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(control).toBeFocused();
}

test('is on the first entry when edit mode begins, where Enter edits', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Edit this page' }).press('Enter');
  await expect(page.locator('#content .section-heading').first()).toBeFocused();
  await expect(spoken(page)).toHaveText(/^Editing conf\.yml/);
});

test('returns from each dialog to the control that opened it', async ({ page }) => {
  await edit(page);
  for (const name of ['Page info', 'Settings', 'Pages', 'Styles', 'Backups', 'Import']) {
    await thereAndBack(page, await tool(page, name));
  }
  await thereAndBack(page, tile(page, 'Crane'));
  for (const name of ['Add item to Quay', 'Add widget to Quay', 'Edit section Quay', 'Add section']) {
    await thereAndBack(page, page.getByRole('button', { name }));
  }
  const backups = await tool(page, 'Backups');
  await backups.click();
  await dialog(page).getByRole('button', { name: 'Restore from a file…' }).click();
  await expect(page.getByRole('dialog', { name: 'Restore from a file' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(backups).toBeFocused();
  const pencil = page.getByRole('button', { name: 'Edit section Quay' });
  await pencil.focus();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog', { name: 'Delete the section?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pencil).toBeFocused();
});

test('begins in the first field of a form, and goes to a field that is added', async ({ page }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Title')).toBeFocused();
  await dialog(page).getByRole('button', { name: '+ Tags' }).press('Enter');
  await expect(dialog(page).getByLabel('Tags')).toBeFocused();
});

test('stays near the element that an undo removes', async ({ page }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add item to Office' }).press('Enter');
  await expect(dialog(page).getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Stamp');
  await page.keyboard.press('Enter');
  await expect(tile(page, 'Stamp')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger']);
  await expect(page.getByRole('button', { name: 'Edit section Office' })).toBeFocused();
});

test('is on the pencil after edit mode', async ({ page }) => {
  await edit(page);
  await bar(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await ended(page);
  await expect(page.getByRole('button', { name: 'Edit this page' })).toBeFocused();
});

test('follows a page through the list of pages, and each move is announced', async ({ page }) => {
  await edit(page);
  await (await tool(page, 'Pages')).press('Enter');
  const up = dialog(page).getByRole('button', { name: 'Move up Stores' });
  await up.press('Enter');
  await expect(dialog(page).getByRole('status').last()).toHaveText('Move “Stores” up.');
  await expect(up).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('listitem').first()).toContainText('Stores');
  await expect(dialog(page).getByRole('button', { name: 'Edit Stores' })).toBeFocused();
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('opens no keyboard before a field is touched', async ({ page }) => {
    await edit(page);
    await tile(page, 'Crane').tap();
    await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeFocused();
  });
});

test('edit mode is said aloud, and the focus returns to what an undo brings back', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Edit this page' }).press('Enter');
  await expect(bar(page)).toBeVisible();
  await expect(spoken(page)).toHaveText(/^Editing conf\.yml\./);
  await tile(page, 'Ferry').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Ferry')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(tile(page, 'Ferry')).toBeFocused();
});
