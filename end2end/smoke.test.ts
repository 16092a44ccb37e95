// The program that ships, as `make build` leaves it: its embedded files in every encoding, and a page that comes to life
// in a browser and can be edited. All other tests use a development build.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { type IncomingHttpHeaders, get } from 'node:http';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { type Browser, chromium } from '@playwright/test';

import { chromium as options, WITH_WINDOW } from './browser.ts';
import { Portico } from './server.ts';

const DIST = join(import.meta.dirname, '../dist');

let portico: Portico;
let browser: Browser;

before(async () => {
  portico = await Portico.start({ config: 'workshop.yml' });
  // As people have it; the other tests use one without a window.
  browser = await chromium.launch({ ...options, executablePath: process.env['CHROMIUM'] || WITH_WINDOW });
});

after(async () => {
  await browser?.close();
  await portico?.remove();
});

/** A response as it was sent: `fetch` would decode it. */
function request(path: string, encoding: string, language = 'en'): Promise<{ headers: IncomingHttpHeaders; status: number; body: Buffer }> {
  return new Promise((done, failed) => {
    get(`${portico.url}/${path}`, { headers: { 'accept-encoding': encoding, 'accept-language': language } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done({ headers: response.headers, status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
    }).on('error', failed);
  });
}

function decoded(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

test('every embedded file is served as it was built, in every encoding', async () => {
  const names = readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(DIST, join(entry.parentPath, entry.name)))
    .filter((name) => name !== 'index.html' && name !== 'icons.pack');
  assert.ok(names.length > 10);
  for (const name of names) {
    const plain = readFileSync(join(DIST, name));
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers, status, body } = await request(name, encoding);
      assert.equal(status, 200, name);
      assert.ok(decoded(headers, body).equals(plain), `${name} as ${encoding}`);
    }
  }
});

test('a page in another language is at most 3 KB larger, or 4.5 KB with formats that browsers lack', async () => {
  const pageIn = async (language: string): Promise<{ size: number; hasFormats: boolean }> => {
    const { headers, body } = await request('', 'br', language);
    return { size: body.length, hasFormats: decoded(headers, body).includes(' data-formats=') };
  };
  const [{ size: english }, page] = [await pageIn('en'), (await request('', 'identity')).body.toString()];
  const codes = [...page.slice(page.indexOf('<select name="language">')).matchAll(/<option value="([a-zA-Z-]+)"/g)].map((match) => match[1] ?? '');
  assert.ok(codes.length > 30, codes.join());
  const sizes = await Promise.all(codes.map(async (code) => {
    const { size, hasFormats } = await pageIn(code);
    return { code, more: size - english, limit: hasFormats ? 4500 : 3000 };
  }));
  assert.deepEqual(sizes.filter(({ limit }) => limit > 3000).map(({ code }) => code), ['az', 'gl', 'ky']);
  const largest = sizes.toSorted((one, other) => other.more - one.more)[0];
  console.log(`${largest?.code} has ${largest?.more} bytes more than English`);
  assert.deepEqual(sizes.filter(({ more, limit }) => more > limit), []);
});

test('a page comes to life, finds an item, and can be edited', async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  await page.goto(portico.url);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  const title = (await page.locator('#content .tile-title').first().textContent()) ?? '';
  await page.getByRole('searchbox').fill(title);
  await page.locator('#content .items > *', { hasText: title }).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await page.getByRole('region', { name: 'Save bar' }).waitFor();
  await page.getByRole('button', { name: 'Add section' }).waitFor();
  assert.deepEqual(errors, []);
});
