// Response headers: policy, caching, encodings.

import { request as http } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { expect, test } from '../fixtures.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A request without automatic compression by the client. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((done, failed) => {
    const exchange = http(url, { headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
    });
    exchange.on('error', failed);
    exchange.end();
  });
}

/** The program's own files in pages: in a page of the dashboard, and in one without inline styles. */
async function assets(url: string): Promise<string[]> {
  const pages = await Promise.all(['/', '/no/such/page/anywhere'].map((path) => ask(url + path)));
  const html = pages.map(({ body }) => String(body)).join('');
  const names = [...html.matchAll(/(?:href|src|data-script|data-wasm)="(\/[^"]+\.(?:css|js|wasm|woff2))"/g)].map((match) => match[1]!);
  return [...new Set(names)];
}

test('the policy of pages allows no inline script, no eval and no other host', async ({ portico }) => {
  for (const path of ['/', '/home/main/drawers', '/nowhere']) {
    const { headers, body } = await ask(portico.url + path);
    const policy = String(headers['content-security-policy']);
    expect(policy, path).not.toContain('unsafe-inline');
    expect(policy, path).not.toContain("'unsafe-eval'");
    expect(policy, path).not.toContain('*');
    const directives = Object.fromEntries(policy.split(';').map((part) => [part.trim().split(' ')[0], part]));
    expect(directives['default-src']).toContain("'none'");
    for (const name of ['script-src', 'style-src', 'img-src', 'connect-src', 'font-src']) {
      expect(directives[name], name).not.toMatch(/https?:/);
    }
    expect(directives['base-uri']).toContain("'none'");
    expect(String(body)).not.toMatch(/ on[a-z]+="| style="/);
  }
});

test('every answer carries the common headers', async ({ portico }) => {
  for (const path of ['/', '/nowhere', '/healthz', '/conf.yml', '/favicon.svg', ...(await assets(portico.url))]) {
    const { headers } = await ask(portico.url + path);
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    // These headers matter only for documents.
    const kind = String(headers['content-type']);
    if (!/^(image|font|text\/css|text\/javascript|application\/wasm)/.test(kind)) {
      expect(headers['content-security-policy'], path).toBeTruthy();
      if (!kind.startsWith('application/json')) expect(headers['referrer-policy'], path).toBeTruthy();
    }
    expect(headers['server'], path).toBeUndefined();
    expect(headers['access-control-allow-origin'], path).toBeUndefined();
  }
});

test('files with a hash in their names are kept for ever, others are asked for again', async ({ portico }) => {
  const names = await assets(portico.url);
  expect(names.some((name) => name.endsWith('.css'))).toBe(true);
  expect(names.some((name) => name.endsWith('.js'))).toBe(true);
  expect(names.some((name) => name.endsWith('.wasm'))).toBe(true);
  for (const name of names) {
    const { status, headers } = await ask(portico.url + name);
    expect(status).toBe(200);
    expect(headers['cache-control'], name).toBe('public, max-age=31536000, immutable');
    expect(headers['etag'], name).toBeUndefined();
  }
  expect((await ask(`${portico.url}/`)).headers['cache-control']).toBe('private, no-cache');
  expect((await ask(`${portico.url}/favicon.svg`)).headers['cache-control']).toContain('no-cache');
  expect((await ask(`${portico.url}/healthz`)).headers['cache-control']).toBe('no-store');
});

test('the newest version is reported as such', async ({ portico }) => {
  for (const path of ['/', '/conf.yml', '/favicon.svg']) {
    const first = await ask(portico.url + path);
    const tag = String(first.headers['etag']);
    expect(tag, path).toMatch(/^(W\/)?"[^"]+"$/);
    for (const value of [tag, `"other", ${tag}`, '*', tag.replace(/^W\//, '')]) {
      const again = await ask(portico.url + path, { 'if-none-match': value });
      expect(again.status, `${path} ${value}`).toBe(304);
      expect(again.body).toHaveLength(0);
      expect(again.headers['etag']).toBe(tag);
      expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
    }
    expect((await ask(portico.url + path, { 'if-none-match': '"other"' })).status).toBe(200);
  }
});

test('a changed config changes the tag', async ({ portico }) => {
  const before = (await ask(`${portico.url}/`)).headers['etag'];
  portico.write('conf.yml', 'pageInfo: { title: Other }\n');
  await expect
    .poll(async () => (await ask(`${portico.url}/`, { 'if-none-match': String(before) })).status, { timeout: 2_000 })
    .toBe(200);
});

test('bodies come in the best coding that is taken', async ({ portico }) => {
  const style = (await assets(portico.url)).find((name) => name.endsWith('.css'))!;
  for (const path of ['/', style]) {
    const plain = await ask(portico.url + path);
    expect(plain.headers['content-encoding'], path).toBeUndefined();
    expect(String(plain.headers['vary']).toLowerCase()).toContain('accept-encoding');
    const brotli = await ask(portico.url + path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(brotli.headers['content-encoding'], path).toMatch(/^(br|zstd)$/);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 2);
    const onlyBrotli = await ask(portico.url + path, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(onlyBrotli.body).equals(plain.body)).toBe(true);
    const gzip = await ask(portico.url + path, { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzip.headers['content-encoding'], path).toBe('gzip');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    const none = await ask(portico.url + path, { 'accept-encoding': 'identity' });
    expect(none.headers['content-encoding']).toBeUndefined();
  }
  const zstd = await ask(`${portico.url}/`, { 'accept-encoding': 'zstd' });
  expect(zstd.headers['content-encoding']).toBe('zstd');
  // The magic number of a Zstandard frame (RFC 8878).
  expect(zstd.body.subarray(0, 4).toString('hex')).toBe('28b52ffd');
});

test('HEAD answers as GET without a body', async ({ portico }) => {
  for (const path of ['/', '/favicon.svg', '/nowhere', '/healthz', '/conf.yml']) {
    const [get, head] = [await ask(portico.url + path), await ask(portico.url + path, {}, 'HEAD')];
    expect(head.status, path).toBe(get.status);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-type'], path).toBe(get.headers['content-type']);
  }
});

test('other methods are refused', async ({ portico }) => {
  for (const path of ['/', '/healthz', '/favicon.svg']) {
    const { status } = await ask(portico.url + path, {}, 'POST');
    expect(status, path).toBe(405);
  }
});

test('there is no proxy', async ({ portico }) => {
  const { status } = await ask(`${portico.url}/cors-proxy`, { 'target-url': `${portico.url}/healthz` });
  expect(status).toBe(404);
});

test('inline scripts run because the policy knows them, and no other does', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto('./');
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  expect(refused).toEqual([]);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.documentElement.dataset.ran = ""';
    document.body.append(script);
    return 'ran' in document.documentElement.dataset;
  });
  expect(ran).toBe(false);
});
test.use({ expected: /violates the following Content Security Policy|Refused to execute inline script/ });
