// Choosing values of a service's response in the form of an api-response (docs/editing.md).

import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { QUAY, edit, file, save } from '../editing.ts';
import { expect, test as base } from '../fixtures.ts';
import { status, Upstream } from '../upstream.ts';

const NAS = {
  state: 'all is well',
  uptime_seconds: 90_000,
  disks: Array.from({ length: 60 }, (_, number) => ({ name: `disk ${number}`, free: number })),
  'a.b': { c: null, list: [] },
};

const test = base.extend<{ upstream: Upstream }>({
  text: QUAY,
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    upstream.responses.set('/nas', NAS);
    upstream.responses.set('/other', { name: 'Barge' });
    await use(upstream);
    await upstream.stop();
  },
});

const form = (page: Page): Locator => page.getByRole('dialog');
const preview = (page: Page): Locator => form(page).getByRole('region', { name: 'Preview' });
const value = (page: Page, name: RegExp | string): Locator => form(page).getByRole('button', { name });
const opener = (page: Page): Locator => form(page).getByRole('button', { name: 'Choose values' });
const address = (page: Page): Locator => form(page).getByLabel('Address', { exact: true });
const field = (page: Page, mapping: number, label: RegExp): Locator =>
  form(page).getByRole('group', { name: `Mapping ${mapping}`, exact: true }).getByLabel(label);

async function addWidget(page: Page, url: string): Promise<void> {
  await edit(page);
  await page.getByRole('button', { name: 'Add widget to Quay' }).click();
  await form(page).getByRole('searchbox').fill('api-response');
  await form(page).getByRole('button', { name: /^API response/ }).click();
  await expect(opener(page)).toBeHidden();
  await address(page).fill(url);
}

test('a person pastes an address, clicks values, and gets tiles', async ({ page, portico, upstream }) => {
  await addWidget(page, `${upstream.url}/nas`);
  // Nothing is asked until the person wants it, but for the preview.
  await expect(preview(page)).toContainText('all is well');
  let asked = 0;
  page.on('request', (request) => { asked += Number(request.url().endsWith('/fn/editor-values')); });
  await opener(page).click();
  await expect(opener(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(form(page).getByText('Click a value to show it in the widget.')).toBeVisible();

  await value(page, /^state: all is well/).click();
  await expect(value(page, /^state:/)).toHaveAttribute('aria-pressed', 'true');
  await value(page, /^uptime_seconds:/).click();
  await expect(preview(page)).toContainText('Uptime seconds');
  await expect(field(page, 2, /^Label/)).toHaveValue('Uptime seconds');
  await expect(field(page, 2, /^Format/)).toHaveValue('duration');

  // A list is folded and cut.
  await expect(value(page, /^free: 3$/)).toHaveCount(0);
  await form(page).getByText('disks [60]').click();
  await expect(form(page).getByText('… 10 more')).toBeVisible();
  await form(page).getByText('3 {2}', { exact: true }).click();
  await value(page, /^free: 3$/).click();
  await expect(field(page, 3, /^Field/)).toHaveValue('disks.3.free');
  await value(page, /^c: null$/).click();
  await expect(field(page, 4, /^Field/)).toHaveValue(/a\.b/);

  // Once more takes it out again. A label that was changed by hand stays.
  await field(page, 1, /^Label/).fill('Health');
  await value(page, /^c: null$/).click();
  await value(page, /^uptime_seconds:/).click();
  await expect(value(page, /^uptime_seconds:/)).toHaveAttribute('aria-pressed', 'false');
  await expect(form(page).getByRole('group', { name: 'Mapping 3', exact: true })).toHaveCount(0);
  await expect(field(page, 1, /^Label/)).toHaveValue('Health');
  // What is shown has no part in what the service is asked.
  expect(asked).toBe(1);

  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  const widget = page.locator('#s-0 .widget-base');
  await expect(widget).toContainText('Health');
  await expect(widget).toContainText('all is well');
  await expect(widget).toContainText('Free 4');
  expect(file(portico)).toContain('field: disks.3.free');
  expect(file(portico)).not.toContain('uptime');
});

test('values are chosen by keyboard, and those of the file are marked', async ({ page, portico, upstream }) => {
  await addWidget(page, `${upstream.url}/nas`);
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await expect(value(page, /^state:/)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(value(page, /^state:/)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(value(page, /^state:/)).toHaveAttribute('aria-pressed', 'true');
  await expect(value(page, /^state:/)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(value(page, /^name: disk 0$/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page, 2, /^Field/)).toHaveValue('disks.0.name');
  await form(page).getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toContain('field: disks.0.name');

  await page.getByRole('button', { name: 'Edit this page' }).click();
  await page.locator('#s-0').getByRole('button', { name: /^Edit widget/ }).click();
  await opener(page).click();
  await expect(value(page, /^state:/)).toHaveAttribute('aria-pressed', 'true');
  await expect(value(page, /^uptime_seconds:/)).toHaveAttribute('aria-pressed', 'false');
});

test('the values follow the options, and what is wrong is explained', async ({ page, upstream }) => {
  upstream.responses.set('/denied', status(401));
  upstream.responses.set('/page', (_, response) => response.end('<h1>Sign in</h1>'));
  await addWidget(page, `${upstream.url}/nas`);
  await opener(page).click();
  await value(page, /^state:/).click();
  await address(page).fill(`${upstream.url}/other`);
  await expect(value(page, /^name: Barge$/)).toBeVisible();
  await expect(value(page, /^state:/)).toHaveCount(0);
  const about = form(page).locator('.edit-values').getByRole('status');
  for (const [path, text] of [
    ['/denied', /answered 401\. Check the headers, the user name and the password/],
    ['/page', /The response is not JSON/],
  ] as const) {
    await address(page).fill(`${upstream.url}${path}`);
    await expect(about).toHaveText(text);
  }
  await expect(form(page).getByText('<h1>Sign in</h1>').last()).toBeVisible();
  await address(page).fill('http://127.0.0.1:1/');
  await expect(about).toHaveText(/Check the address, and that the service is running\./);
  await form(page).getByLabel('Display', { exact: true }).selectOption('dynamic-list');
  await expect(opener(page)).toBeHidden();
});

test('the values are accessible, by day and by night, on a desk and on a phone', async ({ page, upstream }) => {
  test.setTimeout(60_000);
  await addWidget(page, `${upstream.url}/nas`);
  await opener(page).click();
  await value(page, /^state:/).click();
  await expect(preview(page)).toContainText('State');
  await check(page, async () => {
    const tooWide = await form(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
    expect(tooWide).toBe(false);
  });
});

test('chosen values are downloaded as a service for live figures', async ({ page, upstream }) => {
  await addWidget(page, `${upstream.url}/nas`);
  await opener(page).click();
  const button = form(page).getByRole('button', { name: 'Download as a service' });
  await expect(value(page, /^uptime_seconds:/)).toBeVisible();
  await expect(button).toBeHidden();
  await value(page, /^uptime_seconds:/).click();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toBe('service.toml');
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain('value = "$.response.uptime_seconds"\nunit = "seconds"\n');
  expect(text).not.toContain(new URL(upstream.url).port);
  await expect(form(page).getByText('Put the file into user-data/services and restart the server.')).toBeVisible();
  await check(page, async () => expect(button).toBeVisible());
});
