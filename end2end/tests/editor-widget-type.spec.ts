// Changing the type of a widget in its form (docs/editing.md).

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { QUAY, edit, file, save } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = `${QUAY}    widgets:
      - type: clock
        label: Time
        x-own: 7
        options:
          timeZone: Europe/Lisbon
      - label: Nothing yet
        options:
          feed: kept
`;

test.use({ text: CONF });

const form = (page: Page): Locator => page.getByRole('dialog', { name: /^Edit widget/ });
const types = (page: Page): Locator => page.getByRole('dialog', { name: 'Change type' });

async function change(page: Page, name: string): Promise<void> {
  await form(page).getByRole('button', { name: 'Change type…' }).click();
  await types(page).getByRole('searchbox').fill(name);
  await types(page).getByRole('button', { name: new RegExp(`^${name}`, 'i') }).first().click();
  await expect(types(page)).toHaveCount(0);
}

test('another type has other fields, and the options stay', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Edit widget Time' }).click();
  await form(page).getByLabel('Label').fill('Harbour');
  await form(page).getByLabel('Time zone').fill('Europe/Madrid');
  await change(page, 'joke');
  await expect(page.getByRole('dialog', { name: 'Edit widget “joke”' })).toBeVisible();
  await expect(form(page).getByLabel('Time zone')).toHaveCount(0);
  await expect(form(page).getByLabel('Category')).toBeVisible();
  await expect(form(page).getByLabel('Label')).toHaveValue('Harbour');
  await change(page, 'clock');
  await expect(form(page).getByLabel('Time zone')).toHaveValue('Europe/Madrid');
  // Until the preview is there, the old one is pale.
  await check(page, () => expect(form(page).locator('.edit-preview article:not([aria-busy=true]) .part-clock')).toBeVisible());
  await change(page, 'joke');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('[data-widget="0-0"]')).toHaveAttribute('data-kind', 'joke');
  await save(page);
  expect(file(portico)).toBe(CONF.replace('clock', 'joke').replace('Time\n', 'Harbour\n').replace('Lisbon', 'Madrid'));
});

test('a widget without a type gets one', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Edit widget Nothing yet' }).click();
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(form(page).getByRole('alert')).toHaveText('Please fill in the type.');
  await change(page, 'clock');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(form(page)).toHaveCount(0);
  await save(page);
  expect(file(portico)).toBe(CONF.replace('- label: Nothing yet', '- type: clock\n        label: Nothing yet'));
});
