// Users' own copies of the config (docs/editing.md, "Backups"): downloads, and files encrypted with a
// password.

import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, ended, file, remove, save, tile, tool } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = `pageInfo:
  title: Harbour # kept
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
      - title: Ferry
`;

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog');

async function openBackups(page: Page): Promise<void> {
  await (await tool(page, 'Backups')).click();
  await expect(page.getByRole('dialog', { name: 'Backups' })).toBeVisible();
}

/** Clicks a download button; returns the name and the text of the file. */
async function downloaded(page: Page, button: Locator): Promise<[string, string]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}

async function encryptedCopy(page: Page, password: string): Promise<[string, string]> {
  await openBackups(page);
  await page.getByRole('button', { name: 'Encrypted copy…' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await dialog(page).getByLabel('Password once more').fill(password);
  return downloaded(page, dialog(page).getByRole('button', { name: 'Download' }));
}

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  await openBackups(page);
  await page.getByRole('button', { name: 'Restore from a file…' }).click();
  await dialog(page).getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

const use = (page: Page): Promise<void> => dialog(page).getByRole('button', { name: 'Use as draft' }).click();

test('a backup of the server is downloaded as it was', async ({ page }) => {
  await edit(page);
  await remove(page, 'Crane');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: 'Save without comments?' }).getByRole('button', { name: 'Save' }).click();
  await ended(page);
  await edit(page);
  await openBackups(page);
  const [name, text] = await downloaded(page, dialog(page).getByRole('button', { name: /^Download the backup of/ }));
  expect(name).toMatch(/^conf-\d+\.backup\.yml$/);
  expect(text).toBe(CONF);
});

test('an encrypted copy holds nothing to read, and comes back with its password', async ({ page, portico }) => {
  await edit(page);
  const [name, copy] = await encryptedCopy(page, 'correct horse');
  expect(name).toBe('conf.portico.json');
  expect(copy).not.toContain('Crane');
  const { version, iterations, salt } = JSON.parse(copy) as Record<string, unknown>;
  expect([version, iterations, typeof salt]).toEqual([1, 600_000, 'string']);
  await expect(dialog(page)).toHaveCount(0);

  await remove(page, 'Crane');
  await chooseFile(page, name, copy);
  await dialog(page).getByLabel('Password').fill('wrong horse');
  await use(page);
  await expect(dialog(page).getByRole('alert')).toHaveText('The password is wrong, or the file is damaged.');
  await dialog(page).getByLabel('Password').fill('correct horse');
  await use(page);
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Undo: Restore conf.portico.json' })).toBeEnabled();
  await save(page);
  expect(file(portico)).toBe(CONF);
});

test('a config file without encryption is taken too, and says what is wrong with it', async ({ page }) => {
  await edit(page);
  await chooseFile(page, 'other.yml', 'sections: [\n');
  await expect(dialog(page).getByLabel('Password')).toBeHidden();
  await use(page);
  await expect(dialog(page).getByRole('alert')).toContainText('other.yml cannot be used');
  await dialog(page).getByLabel('File', { exact: true }).setInputFiles({ name: 'good.yml', mimeType: 'text/plain', buffer: Buffer.from(CONF.replace('Crane', 'Winch')) });
  await use(page);
  await expect(tile(page, 'Winch')).toHaveCount(1);
});

test('a password is long enough and typed twice', async ({ page }) => {
  await edit(page);
  await openBackups(page);
  await page.getByRole('button', { name: 'Encrypted copy…' }).click();
  for (const [one, other, said] of [['short', 'short', 'at least 8 characters'], ['long enough', 'long enouhg', 'differ']] as const) {
    await dialog(page).getByLabel('Password', { exact: true }).fill(one);
    await dialog(page).getByLabel('Password once more').fill(other);
    await dialog(page).getByRole('button', { name: 'Download' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText(said);
  }
});

for (const name of ['Encrypted copy…', 'Restore from a file…']) {
  test(`is accessible, by day and by night, on a desk and on a phone: ${name}`, async ({ page }) => {
    test.setTimeout(60_000);
    await edit(page);
    await openBackups(page);
    await page.getByRole('button', { name }).click();
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
    // Axe cannot tell the contrast of an empty field for every background.
    for (const field of await dialog(page).locator('input[type="password"]:visible').all()) await field.fill('long enough');
    await check(page, async () => {});
  });
}

test.describe('with an endpoint for copies', () => {
  const endpoint = 'https://backup.example';
  test.use({ text: `${CONF}appConfig: { backupEndpoint: '${endpoint}/keep' }\n` });

  test('a copy is kept there, encrypted, and comes back with id and password', async ({ page, portico, allowed }) => {
    const id = 'ab12-cd34-ef56-7890';
    const records = new Map<string, Record<string, string>>();
    allowed.push('backup.example');
    await page.route(`${endpoint}/**`, async (route) => {
      const request = route.request();
      const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };
      if (request.method() === 'POST') records.set(id, request.postDataJSON() as Record<string, string>);
      const known = records.get(new URL(request.url()).searchParams.get('backupId') ?? '');
      await route.fulfill({ headers, json: request.method() === 'POST' ? { backupId: id } : known ? { userData: known.userData } : { errorMsg: 'nothing here' } });
    });
    await edit(page);
    await openBackups(page);
    await page.getByRole('button', { name: 'Remote copy…' }).click();
    await dialog(page).getByLabel('Password').fill('correct horse');
    await dialog(page).getByRole('button', { name: 'Back up' }).click();
    await expect(dialog(page).getByRole('status')).toContainText(id);
    await expect(dialog(page).getByLabel('Id')).toHaveValue(id);
    expect(records.get(id)!.userData).not.toContain('Crane');
    expect(JSON.stringify(records.get(id))).not.toContain('correct');
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();

    await remove(page, 'Crane');
    await openBackups(page);
    await page.getByRole('button', { name: 'Remote copy…' }).click();
    await dialog(page).getByLabel('Id').fill('0000-0000-0000-0000');
    await dialog(page).getByLabel('Password').fill('correct horse');
    await dialog(page).getByRole('button', { name: 'Restore' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('nothing here');
    await dialog(page).getByLabel('Id').fill(id);
    await dialog(page).getByRole('button', { name: 'Delete the copy' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Press again');
    await dialog(page).getByRole('button', { name: 'Restore' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(tile(page, 'Crane')).toHaveCount(1);
    await save(page);
    expect(file(portico)).toContain('title: Crane');
  });
});

test.describe('the dialog for remote copies', () => {
  test.use({ text: `${CONF}appConfig: { backupEndpoint: 'https://backup.example/keep' }\n` });

  test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
    test.setTimeout(60_000);
    await edit(page);
    await openBackups(page);
    await page.getByRole('button', { name: 'Remote copy…' }).click();
    await dialog(page).getByLabel('Id').fill('ab12-cd34-ef56-7890');
    await dialog(page).getByLabel('Password').fill('long enough');
    await check(page, () => expect(dialog(page)).toBeVisible());
  });
});

test('without an endpoint nothing offers one', async ({ page }) => {
  await edit(page);
  await openBackups(page);
  await expect(page.getByRole('button', { name: 'Remote copy…' })).toHaveCount(0);
});
