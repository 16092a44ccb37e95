// Lists of texts in one line of a form (docs/editing.md): commas within a text stay in it.

import type { Locator, Page } from '@playwright/test';

import { QUAY, edit, file, save, tile } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const FONTS = 'https://fonts.example/css2?family=Lora:ital,wght@0,400;1,700';

const form = (page: Page): Locator => page.getByRole('dialog').last();
const done = (page: Page): Promise<void> => form(page).getByRole('button', { name: 'Done', exact: true }).click();

test.describe('style sheets', () => {
  test.use({ text: `${QUAY}appConfig:\n  externalStyleSheet:\n    - ${FONTS}\n` });

  test('a second one leaves the first as it is', async ({ page, portico }) => {
    await edit(page);
    await page.getByRole('button', { name: 'Settings' }).click();
    const field = form(page).getByLabel('Your own style sheets');
    await expect(field).toHaveValue(FONTS);
    await field.fill(`${FONTS}, https://styles.example/a,b.css`);
    await done(page);
    await save(page);
    expect(file(portico)).toBe(`${QUAY}appConfig:\n  externalStyleSheet:\n    - ${FONTS}\n    - https://styles.example/a,b.css\n`);
  });
});

test.describe('tags', () => {
  test.use({ text: `${QUAY}        tags:\n          - sea, land\n` });

  test('a text with a comma is in quotes', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').click();
    const field = form(page).getByLabel('Tags');
    await expect(field).toHaveValue('"sea, land"');
    await field.fill('"sea, land", tall, "say ""hi"""');
    await done(page);
    await save(page);
    expect(file(portico)).toBe(`${QUAY}        tags:\n          - sea, land\n          - tall\n          - say "hi"\n`);
  });
});

test.describe('colors', () => {
  test.use({ text: `${QUAY}    widgets:\n      - type: system-load-history\n        label: Load\n        options:\n          chartColors: ['rgb(1, 2, 3)']\n` });

  test('commas in parentheses belong to a color, in the palettes too', async ({ page, portico }) => {
    await edit(page);
    await page.getByRole('button', { name: 'Edit widget Load' }).click();
    await expect(form(page).getByRole('textbox', { name: 'Chart colours' })).toHaveValue('rgb(1, 2, 3)');
    const choose = form(page).getByRole('button', { name: 'Choose chart colours' });
    await expect.poll(() => choose.evaluate((element) => getComputedStyle(element, '::before').backgroundColor)).toBe('rgb(1, 2, 3)');
    await choose.click();
    await form(page).getByRole('button', { name: 'Add Teal' }).click();
    await expect(form(page).getByRole('button', { name: 'Remove rgb(1, 2, 3)' })).toBeVisible();
    await form(page).getByRole('button', { name: 'Done' }).click();
    await done(page);
    await save(page);
    expect(file(portico)).toContain("chartColors:\n            - rgb(1, 2, 3)\n            - '#0d9488'\n");
  });
});
