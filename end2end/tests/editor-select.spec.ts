// Several items at once in edit mode (docs/editing.md): by mouse, keyboard and touch.

import type { Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, edit, file, harbour, heading, save, spoken, tile, titles } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = harbour({ 'ferry.example': '        tags:\n          - sea\n      - title: Buoy\n        url: https://buoy.example\n' });

test.use({ text: CONF });

const picked = (page: Page): Promise<string[]> => page.locator('[data-picked] > .tile-title').allTextContents();
const actions = (page: Page) => page.getByRole('group', { name: 'Selected items' });

test('Ctrl and Shift select, and the items move together', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').click({ modifiers: ['Control'] });
  await expect.poll(() => picked(page)).toEqual(['Crane']);
  await expect(spoken(page)).toHaveText('“Crane” selected, 1 in all.');
  await tile(page, 'Buoy').click({ modifiers: ['Shift'] });
  await expect.poll(() => picked(page)).toEqual(['Crane', 'Ferry', 'Buoy']);
  await tile(page, 'Ferry').click({ modifiers: ['Control'] });
  await expect.poll(() => picked(page)).toEqual(['Crane', 'Buoy']);
  await expect(actions(page)).toContainText('2 items selected');
  await actions(page).getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText('Choose a section to move the items to.')).toBeVisible();
  await actions(page).getByLabel('Section for the selected items').selectOption('Office');
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry', 'Buoy']);
  await actions(page).getByRole('button', { name: 'Move' }).click();
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane', 'Buoy']);
  await expect(actions(page)).toHaveCount(0);
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: Move 2 items to Office' }).click();
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry', 'Buoy']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => titles(page, 0)).toEqual(['Ferry']);
  await save(page);
  expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Ferry
        url: https://ferry.example
        tags:
          - sea
  - name: Office
    items:
      - title: Ledger
        url: https://ledger.example
      - title: Crane
        url: https://crane.example
      - title: Buoy
        url: https://buoy.example
`);
});

test('selected items are dragged together', async ({ page }) => {
  await edit(page);
  await tile(page, 'Crane').click({ modifiers: ['Control'] });
  await tile(page, 'Buoy').click({ modifiers: ['Control'] });
  await tile(page, 'Buoy').dragTo(heading(page, 1));
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane', 'Buoy']);
  await expect(page.getByText('1 change, not saved')).toBeVisible();
});

test('items are selected, tagged and deleted by keyboard', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Space');
  await tile(page, 'Ferry').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => picked(page)).toEqual(['Crane', 'Ferry']);
  await actions(page).getByLabel('Tag for the selected items').fill('sea');
  // The page is drawn again, and the focus restored.
  const drawn = page.waitForResponse(/editor-preview$/);
  await page.keyboard.press('Enter');
  await (await drawn).finished();
  await expect(page.getByRole('button', { name: 'Undo: Tag “Crane” with “sea”' })).toBeEnabled();
  await expect(actions(page)).toHaveCount(0);
  await tile(page, 'Ferry').focus();
  await page.keyboard.press('Space');
  await tile(page, 'Buoy').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect.poll(() => titles(page, 0)).toEqual(['Crane']);
  await expect(spoken(page)).toHaveText('Delete 2 items.');
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => picked(page)).toEqual(['Crane']);
  await page.keyboard.press('Escape');
  await expect.poll(() => picked(page)).toEqual([]);
  await save(page);
  expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
        tags:
          - sea
  - name: Office
    items:
      - title: Ledger
        url: https://ledger.example
`);
});

test('the selected items are moved by keyboard, and arrow keys in the list alone move nothing', async ({ page }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Space');
  await tile(page, 'Buoy').focus();
  await page.keyboard.press('Space');
  await actions(page).getByLabel('Section for the selected items').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(actions(page).getByLabel('Section for the selected items')).toHaveValue('1');
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane', 'Buoy']);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('what is selected is tagged and moved', async ({ page }) => {
    await edit(page);
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await tile(page, 'Crane').tap();
    await tile(page, 'Buoy').tap();
    await actions(page).getByLabel('Tag for the selected items').fill('tall');
    await actions(page).getByRole('button', { name: 'Add tag' }).tap();
    await expect(page.getByRole('button', { name: 'Undo: Tag 2 items with “tall”' })).toBeEnabled();
    // A change clears the selection; taps go on selecting.
    await tile(page, 'Crane').tap();
    await tile(page, 'Ferry').tap();
    await actions(page).getByLabel('Section for the selected items').selectOption('Office');
    await actions(page).getByRole('button', { name: 'Move' }).tap();
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane', 'Ferry']);
    await actions(page).getByRole('button', { name: 'Done' }).tap();
    await expect(actions(page)).toHaveCount(0);
  });

  test('Select makes taps select', async ({ page }) => {
    await edit(page);
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await expect(actions(page)).toContainText('Choose items');
    await tile(page, 'Crane').tap();
    await tile(page, 'Ledger').tap();
    await expect.poll(() => picked(page)).toEqual(['Crane', 'Ledger']);
    await actions(page).getByRole('button', { name: 'Delete' }).tap();
    await expect.poll(() => titles(page, 0)).toEqual(['Ferry', 'Buoy']);
    await expect(page.getByRole('button', { name: 'Undo: Delete 2 items' })).toBeEnabled();
    await actions(page).getByRole('button', { name: 'Done' }).tap();
    await tile(page, 'Ferry').tap();
    await expect(page.getByRole('dialog', { name: 'Edit item' })).toBeVisible();
  });
});

test('nothing of it is left after edit mode', async ({ page }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await tile(page, 'Crane').click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.locator('[data-picked], [data-selecting]')).toHaveCount(0);
});

test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await edit(page);
  await tile(page, 'Crane').click({ modifiers: ['Control'] });
  await expect(actions(page)).toBeVisible();
  await check(page, async () => {
    const cut = await actions(page).evaluate((bar) => [...bar.querySelectorAll('button, input, select')].filter((one) => one.getBoundingClientRect().right > innerWidth).length);
    expect(cut).toBe(0);
  });
});
