// The config menu (docs/editing.md, "The config menu"): its tabs, by mouse, by keyboard and on a phone, and what each does.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, edit, remove, save } from '../editing.ts';
import { alive, expect, open, test } from '../fixtures.ts';

const CONF = `pageInfo: { title: Harbour } # kept
pages:
  - { name: Shed, path: shed.yml }
  - { name: Gone, path: gone.yml }
sections:
  - name: Quay
    items:
      - { title: Crane, url: 'https://crane.example', hotkey: soon }
      - title: Ferry
`;

test.use({ text: CONF });

async function show(page: Page, tab?: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Config menu' }).click();
  const dialog = page.getByRole('dialog', { name: 'Config' });
  await expect(dialog).toBeVisible();
  if (tab) await dialog.getByRole('tab', { name: tab }).click();
  return dialog;
}

test('arrow keys go through the tabs, and Escape closes', async ({ page }) => {
  await open(page);
  const dialog = await show(page);
  const tab = (name: string) => dialog.getByRole('tab', { name });
  await expect(tab('Edit')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Export')).toBeFocused();
  await expect(tab('Export')).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByRole('tabpanel', { name: 'Export' })).toBeVisible();
  await expect(dialog.getByRole('tabpanel')).toHaveCount(1);
  await page.keyboard.press('End');
  await expect(tab('This browser')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Edit')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(tab('This browser')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(tab('Edit')).toBeFocused();
  await expect(dialog.getByText(/conf\.yml · theme default · .*Portico \d/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

for (const name of ['Edit', 'Export', 'Styles', 'Backups', 'History', 'Tokens', 'Alerts', 'Widgets', 'Discovery', 'About', 'Debug', 'This browser']) {
  test(`the tab “${name}” can be used by everybody, in all sizes`, async ({ page }) => {
    await open(page);
    const dialog = await show(page, name);
    if (name === 'Export') await expect(dialog.locator('tbody tr')).toHaveCount(3);
    await check(page, () => expect(dialog.getByRole('tabpanel', { name })).toBeVisible());
  });
}

test('each entry opens its dialog in edit mode', async ({ page }) => {
  for (const [way, found] of [['Edit as YAML', 'Edit as YAML'], ['Page info', 'page info'], ['Settings', 'settings'], ['Pages', 'Pages'], ['Import', 'Import']] as const) {
    await open(page);
    await (await show(page)).getByRole('button', { name: new RegExp(`^${way}`) }).click();
    await expect(bar(page)).toBeVisible();
    await expect(page.getByRole('dialog', { name: new RegExp(found, 'i') })).toBeVisible();
  }
});

test('the text is shown, downloaded and checked, and all files are listed', async ({ page, portico, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  portico.write('shed.yml', 'pageInfo: { title: The shed }\nsections: []\n');
  await expect.poll(async () => (await page.request.get('./home/shed')).status()).toBe(200);
  await open(page);
  const dialog = await show(page, 'Export');
  await expect(dialog.getByLabel('Text of conf.yml')).toHaveText(CONF);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CONF);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download', exact: true }).click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(CONF);
  await expect(dialog.getByRole('list', { name: 'Problems' })).toContainText('Line 8: ');
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(name) });
  await expect(row('conf.yml')).toContainText('1 section, 2 items, 0 widgets');
  await expect(row('conf.yml')).toContainText('1 problem');
  await expect(row('shed.yml')).toContainText('valid');
  await expect(row('gone.yml')).toContainText('unreadable');
  await row('shed.yml').getByRole('button', { name: 'Show' }).click();
  await expect(dialog.getByLabel('Text of shed.yml')).toContainText('The shed');
  await row('shed.yml').getByRole('link', { name: 'Open' }).click();
  await page.waitForURL('**/home/shed');
  await expect((await show(page, 'Export')).getByLabel('Text of shed.yml')).toContainText('The shed');
});

test('backups are downloaded, and restored in edit mode', async ({ page }) => {
  await edit(page);
  await remove(page, 'Ferry');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: 'Save without comments?' }).getByRole('button', { name: 'Save' }).click();
  await expect(bar(page)).toHaveCount(0);
  const dialog = await show(page, 'Backups');
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: /^Download the backup of/ }).click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(CONF);
  await dialog.getByRole('button', { name: 'Compare and restore' }).click();
  await page.getByRole('dialog', { name: 'Backups' }).getByRole('button', { name: /^Restore the backup/ }).click();
  await save(page);
  await expect(page.locator('#content .item', { hasText: 'Ferry' })).toHaveCount(1);
});

test.describe('for people who may not edit', () => {
  const hash = createHash('sha256').update('ben').digest('hex');
  test.use({ text: `${CONF}appConfig: { auth: { users: [{ user: ben, hash: ${hash} }] } }\n` });

  test('there are the tabs about this browser, and a note', async ({ page }) => {
    await page.goto('./login');
    await page.getByLabel('Name').fill('ben');
    await page.getByLabel('Password').fill('ben');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alive(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'About, debug, reset' }).click();
    const dialog = page.getByRole('dialog', { name: 'About this dashboard' });
    await expect(dialog.getByRole('tab')).toHaveText(['About', 'Debug', 'This browser']);
    await expect(dialog.getByText('Only admins can see and change the config here.')).toBeVisible();
    await check(page, () => expect(dialog).toBeVisible());
  });
});

test.describe('with a target of alerts', () => {
  test.use({ text: `appConfig: { alerts: [ { type: webhook, url: 'http://127.0.0.1:9/s3cret', name: Chat } ] }\n${CONF}` });

  test('a test message is sent from the page, and a problem is explained', async ({ page }) => {
    await open(page);
    const panel = (await show(page, 'Alerts')).getByRole('tabpanel');
    await expect(panel.getByText('No message has been sent yet.')).toBeVisible();
    const button = panel.getByRole('button', { name: 'Send a test message: Chat' });
    await button.click();
    await expect(panel.getByRole('alert')).toHaveText('Not delivered: 127.0.0.1 could not be reached (connection refused)');
    await expect(panel.getByText(/^Last message: .*\d/)).toBeVisible();
    await expect(button).toBeFocused();
    await check(page, () => expect(button).toBeVisible());
  });
});
