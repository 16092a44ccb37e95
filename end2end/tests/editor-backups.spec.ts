// Users' own copies of the config (docs/editing.md, "Backups"): downloads, and files encrypted with a
// password.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, ended, file, remove, save, tile, tool } from '../editing.ts';
import { expect, rewrite, test } from '../fixtures.ts';

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

const { subtle } = globalThis.crypto;

/** An encrypted file as docs/editing.md describes it. */
interface Copy {
  format: string;
  version: number;
  file: string;
  iterations: number;
  salt: string;
  iv: string;
  data: string;
}

const bytes = (base64: string): Buffer<ArrayBuffer> => Buffer.from(base64, 'base64');

async function keyOf(password: string, { iterations, salt }: Copy): Promise<CryptoKey> {
  const material = await subtle.importKey('raw', Buffer.from(password.normalize('NFKC')), 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations };
  return subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function cipher({ format, version, file, iterations, salt, iv }: Copy): AesGcmParams {
  return { name: 'AES-GCM', iv: bytes(iv), additionalData: Buffer.from(JSON.stringify([format, version, file, iterations, salt, iv])) };
}

/** The text in an encrypted file. */
async function decrypted(copy: Copy, password: string): Promise<string> {
  return Buffer.from(await subtle.decrypt(cipher(copy), await keyOf(password, copy), bytes(copy.data))).toString('utf8');
}

/** An encrypted file. */
async function encrypted(text: string, password: string): Promise<Copy> {
  const random = (length: number) => Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(length))).toString('base64');
  const copy = { format: 'portico-config', version: 1, file: 'conf.yml', iterations: 600_000, salt: random(16), iv: random(12), data: '' };
  const data = await subtle.encrypt(cipher(copy), await keyOf(password, copy), Buffer.from(text));
  return { ...copy, data: Buffer.from(data).toString('base64') };
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

test.describe('with letters beyond ASCII', () => {
  const text = CONF.replace('Harbour', 'Größe 🚀');
  test.use({ text });

  test('an encrypted copy has the documented format, and two copies have nothing in common', async ({ page }) => {
    await edit(page);
    const copies: Copy[] = [];
    // The same password, typed on two keyboards.
    for (const password of ['K\u00f6nigsberg', 'Ko\u0308nigsberg']) {
      const [, copy] = await encryptedCopy(page, password);
      copies.push(JSON.parse(copy) as Copy);
      expect(copy).toBe(`${JSON.stringify(copies.at(-1), null, 2)}\n`);
    }
    for (const copy of copies) {
      expect(await decrypted(copy, 'K\u00f6nigsberg')).toBe(text);
      expect([copy.format, copy.version, copy.file]).toEqual(['portico-config', 1, 'conf.yml']);
      expect(copy.iterations).toBeGreaterThanOrEqual(600_000);
      expect([copy.salt, copy.iv].map((part) => bytes(part).length)).toEqual([16, 12]);
      expect(bytes(copy.data).toString('latin1')).not.toContain('title');
    }
    for (const part of ['salt', 'iv', 'data'] as const) expect(copies[0]![part]).not.toBe(copies[1]![part]);
  });
});

test('a copy that another program has encrypted is restored, with a password typed on another keyboard', async ({ page }) => {
  const copy = await encrypted(`\ufeff${CONF.replace('Crane', 'Größe 🚀')}`, 'K\u00f6nigsberg');
  await edit(page);
  await chooseFile(page, 'copy.json', `\n ${JSON.stringify(copy)}`);
  await dialog(page).getByLabel('Password').fill('Ko\u0308nigsberg');
  await use(page);
  await expect(tile(page, 'Größe 🚀')).toHaveCount(1);
});

test('a wrong password and changed copies are refused in words', async ({ page }) => {
  test.setTimeout(60_000);
  const copy = await encrypted(CONF.replace('Crane', 'Winch'), 'correct horse');
  await edit(page);
  await chooseFile(page, 'copy.json', JSON.stringify(copy));
  await expect(dialog(page).getByLabel('Password')).toBeFocused();
  await dialog(page).getByLabel('Password').fill('correct house');
  const refused = async () => {
    await use(page);
    await expect(dialog(page).getByRole('alert')).toHaveText('The password is wrong, or the file is damaged.');
  };
  await refused();
  await dialog(page).getByLabel('Password').fill('correct horse');
  for (const change of [{ file: 'work.yml' }, { iterations: 600_001 }, { iv: copy.salt }, { data: `AAAA${copy.data.slice(4)}` }, { salt: '?' }]) {
    const buffer = Buffer.from(JSON.stringify({ ...copy, ...change }));
    await dialog(page).getByLabel('File', { exact: true }).setInputFiles({ name: 'copy.json', mimeType: 'text/plain', buffer });
    await refused();
  }
  for (const [change, said] of [[{ iterations: 1 }, 'is damaged'], [{ salt: undefined }, 'is damaged'], [{ version: 2 }, 'a newer one']] as const) {
    const buffer = Buffer.from(JSON.stringify({ ...copy, ...change }));
    await dialog(page).getByLabel('File', { exact: true }).setInputFiles({ name: 'copy.json', mimeType: 'text/plain', buffer });
    await use(page);
    await expect(dialog(page).getByRole('alert')).toContainText(said);
  }
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(tile(page, 'Crane')).toHaveCount(1);
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

/** A request to an endpoint for copies. */
interface Sent {
  method: string;
  tenant: string | null;
  subHash: string;
  cookie: string | undefined;
}

/** An endpoint that speaks the protocol of Dashy's backups. */
async function endpointWith(id: string, sent: Sent[]): Promise<Server> {
  const records = new Map<string, Record<'userData' | 'subHash', string>>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE');
    if (request.method === 'OPTIONS') return response.end();
    const { searchParams } = new URL(request.url!, 'http://x');
    const values = (body ? JSON.parse(body) : Object.fromEntries(searchParams)) as Record<'userData' | 'subHash' | 'backupId', string>;
    const { userData, subHash, backupId } = values;
    sent.push({ method: request.method!, tenant: searchParams.get('tenant'), subHash, cookie: request.headers.cookie });
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.method === 'POST') {
      records.set(id, { userData, subHash });
      return answer(200, { backupId: id });
    }
    const known = records.get(backupId);
    if (!known) return answer(404, { errorMsg: 'no such backup' });
    if (known.subHash !== subHash) return answer(200, { errorMsg: 'wrong password' });
    if (request.method === 'PUT') records.set(backupId, { userData, subHash });
    if (request.method === 'DELETE') records.delete(backupId);
    // The whole record, as Dashy's own service.
    return answer(200, request.method === 'GET' ? { userData: known } : { ok: true });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

test.describe('with an endpoint that keeps copies', () => {
  test.use({ expected: /404/ });

  test('a copy is stored, replaced, restored and deleted, and the endpoint learns nothing of the password', async ({ page, portico, allowed }) => {
    test.setTimeout(60_000);
    const id = 'ab12-cd34-ef56-7890';
    const sent: Sent[] = [];
    const server = await endpointWith(id, sent);
    const { port } = server.address() as AddressInfo;
    allowed.push(`127.0.0.1:${port}`);
    await rewrite(page, portico, `${CONF}appConfig: { backupEndpoint: 'http://127.0.0.1:${port}/backup?tenant=1&subHash=old' }\n`);
    await page.context().addCookies([{ name: 'secret', value: '1', url: `http://127.0.0.1:${port}` }]);
    await edit(page);
    const openRemote = async () => {
      await openBackups(page);
      await page.getByRole('button', { name: 'Remote copy…' }).click();
    };
    const button = (name: string) => dialog(page).getByRole('button', { name });
    const status = () => dialog(page).getByRole('status');
    const alert = () => dialog(page).getByRole('alert');
    await openRemote();
    await expect(dialog(page)).toContainText(`Keeps a copy of conf.yml at 127.0.0.1:${port}.`);
    await expect(dialog(page).getByLabel('Id')).toHaveValue('');
    await dialog(page).getByLabel('Password').fill('correct horse');
    await button('Back up').click();
    await expect(status()).toContainText(id);
    await expect(dialog(page).getByLabel('Id')).toHaveValue(id);
    await button('Close').last().click();

    await remove(page, 'Crane');
    await openRemote();
    await expect(dialog(page).getByLabel('Id')).toHaveValue(id);
    await dialog(page).getByLabel('Id').fill(` ${id} `);
    await dialog(page).getByLabel('Password').fill('correct house');
    await button('Restore').click();
    await expect(alert()).toHaveText(`127.0.0.1:${port} says: wrong password`);
    await dialog(page).getByLabel('Password').fill('correct horse');
    await button('Restore').click();
    await expect(tile(page, 'Crane')).toHaveCount(1);

    await remove(page, 'Ferry');
    await openRemote();
    await dialog(page).getByLabel('Password').fill('correct horse');
    await button('Back up').click();
    await expect(status()).toContainText(id);
    await button('Close').last().click();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(tile(page, 'Ferry')).toHaveCount(1);
    await openRemote();
    await dialog(page).getByLabel('Password').fill('correct horse');
    await button('Restore').click();
    await expect(tile(page, 'Ferry')).toHaveCount(0);

    await openRemote();
    await dialog(page).getByLabel('Id').fill('abc');
    await dialog(page).getByLabel('Password').fill('correct horse');
    await button('Restore').click();
    await expect(alert()).toHaveText('An id has the form xxxx-xxxx-xxxx-xxxx.');
    await dialog(page).getByLabel('Id').fill(id);
    await button('Delete the copy').click();
    await expect(status()).toContainText('Press again');
    await button('Delete the copy').click();
    await expect(status()).toHaveText('The copy is deleted.');
    await expect(dialog(page).getByLabel('Id')).toHaveValue('');
    expect(await page.evaluate(() => localStorage.getItem('backupId'))).toBeNull();
    await dialog(page).getByLabel('Id').fill(id);
    await button('Restore').click();
    await expect(alert()).toHaveText(`127.0.0.1:${port} says: no such backup`);

    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'PUT', 'GET', 'DELETE', 'GET']);
    const [first, wrong] = sent;
    expect(first!.subHash).toMatch(/^[0-9a-f]{64}$/);
    expect(wrong!.subHash).not.toBe(first!.subHash);
    for (const request of sent.filter((request) => request !== wrong)) expect(request).toMatchObject({ tenant: '1', subHash: first!.subHash });
    expect(sent.map(({ cookie }) => cookie).filter(Boolean)).toEqual([]);
    server.close();
  });
});

test.describe('with an endpoint that is off', () => {
  test.use({ text: `${CONF}appConfig: { backupEndpoint: 'https://backup.example/keep' }\n`, expected: /ERR_/ });

  test('the dialog says so', async ({ page, allowed }) => {
    allowed.push('backup.example');
    await page.route('https://backup.example/**', (route) => route.abort());
    await edit(page);
    await openBackups(page);
    await page.getByRole('button', { name: 'Remote copy…' }).click();
    await dialog(page).getByLabel('Password').fill('correct horse');
    await dialog(page).getByRole('button', { name: 'Back up' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('backup.example cannot be reached.');
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
