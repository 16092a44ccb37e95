// Files of the user-data directory, and what must never leave it (docs/spec/behavior.md 22).

import { connect } from 'node:net';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, open, rewrite, test } from '../fixtures.ts';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="8" height="8"><rect width="8" height="8" fill="#c00"/></svg>';

/** A request for exactly this path: ordinary clients normalize paths. */
function raw(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (data) => (text += String(data)));
    socket.on('end', () => done(text));
    socket.on('error', failed);
  });
}

test('are served from the root of the site', async ({ request, portico }) => {
  portico.write('marks/sun.svg', PICTURE);
  portico.write('Größe & mehr.txt', 'inch');
  for (const [path, type, body] of [
    ['./marks/sun.svg', 'image/svg+xml', PICTURE],
    [`./${encodeURIComponent('Größe & mehr.txt')}`, 'text/plain; charset=utf-8', 'inch'],
  ] as const) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    expect(response.headers()['content-type']).toBe(type);
    expect(await response.text()).toBe(body);
  }
});

test('take the place of bundled ones', async ({ request, portico }) => {
  expect(await (await request.get('./favicon.svg')).text()).not.toBe(PICTURE);
  portico.write('favicon.svg', PICTURE);
  expect(await (await request.get('./favicon.svg')).text()).toBe(PICTURE);
});

test.describe('with scripts in them', () => {
  test.use({ expected: /Blocked script execution|violates the following Content Security Policy/ });

  test('cannot run them', async ({ page, portico }) => {
    const script = '<script>document.documentElement.id = "ran"</script>';
    portico.write('evil.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
    portico.write('evil.html', `<!doctype html><p>Hello${script}`);
    for (const path of ['./evil.svg', './evil.html']) {
      await page.goto(path);
      expect(await page.locator(':root').getAttribute('id')).toBeNull();
    }
  });
});
test('own icons, logo, styles and fonts show on the page', async ({ page, portico }) => {
  portico.write('item-icons/own/mark.svg', PICTURE);
  portico.write('marks/logo.svg', PICTURE);
  portico.write('extra.css', '.page-footer { color: rgb(1, 2, 3) !important; }');
  await rewrite(
    page,
    portico,
    `pageInfo: { title: Own things, logo: /marks/logo.svg, footer: Below }
appConfig: { externalStyleSheet: [/extra.css], customCss: '.item { outline: 3px solid rgb(9, 8, 7) }' }
sections: [{ name: Things, items: [{ title: Mine, icon: own/mark.svg, url: 'https://mine.example' }] }]
`,
  );
  await open(page);
  for (const picture of await page.locator('.site-logo, .item img').all()) {
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await expect(page.locator('.page-footer')).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(page.locator('.item')).toHaveCSS('outline-color', 'rgb(9, 8, 7)');
});

test('nothing outside, hidden or private is served', async ({ portico }) => {
  const outside = join(dirname(portico.directory), `${portico.directory.split('/').at(-1)}-outside.txt`);
  writeFileSync(outside, 'SECRET');
  symlinkSync(outside, join(portico.directory, 'link.txt'));
  portico.write('.hidden', 'SECRET');
  portico.write('.git/config', 'SECRET');
  portico.write('config-backups/conf-1.backup.yml', 'SECRET');
  portico.write('open/file.txt', 'fine');
  const name = outside.split('/').at(-1);
  for (const path of [
    `/../${name}`,
    `/%2e%2e/${name}`,
    `/..%2f${name}`,
    `/..%5c${name}`,
    `/open/../../${name}`,
    `/open/..%2f..%2f${name}`,
    `/%252e%252e/${name}`,
    `/open//../../${name}`,
    '/link.txt',
    '/.hidden',
    '/.git/config',
    '/open/%2e%2e/.hidden',
    '/config-backups/conf-1.backup.yml',
    '//etc/passwd',
    '/etc/passwd',
    '/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/%00',
    '/conf.yml%00.txt',
  ]) {
    const response = await raw(portico.url, path);
    expect(response, path).not.toContain('SECRET');
    expect(response, path).not.toContain('root:');
    expect(response, path).toMatch(/^HTTP\/1\.1 4\d\d /);
  }
  // A missing picture is always replaced by the placeholder.
  for (const path of ['/icons/file/../../.hidden', '/icons/file/..%2f..%2f.hidden', '/icons/file/link.txt']) {
    expect(await raw(portico.url, path), path).not.toContain('SECRET');
  }
  expect(await raw(portico.url, '/open/file.txt')).toContain('fine');
  rmSync(outside);
});

test.describe('with users', () => {
  test.use({ config: 'morning.yml', environment: { ENABLE_HTTP_AUTH: 'true' } });

  test('everything private requires a sign-in', async ({ request, portico }) => {
    portico.write('marks/sun.png', 'x');
    for (const path of ['./', './conf.yml', './marks/sun.png', './home/main/today', './download']) {
      const response = await request.get(path, { maxRedirects: 0 });
      expect(response.status(), path).toBe(401);
      expect(await response.text()).not.toContain('Paperwork');
    }
    expect((await request.get('./healthz')).status()).toBe(200);
    const wrong = { authorization: `Basic ${btoa('greta:lamp')}` };
    expect((await request.get('./', { headers: wrong })).status()).toBe(401);
  });

  test('each person sees only their own part', async ({ request }) => {
    const as = async (name: string, path: string) => {
      const headers = { authorization: `Basic ${btoa(`${name}:lantern`)}` };
      const response = await request.get(path, { headers });
      expect(response.status()).toBe(200);
      return response.text();
    };
    expect(await as('greta', './')).toContain('Secret garden');
    expect(await as('otto', './')).not.toContain('Secret garden');
    expect(await as('otto', './')).toContain('Paperwork');
    const text = await as('otto', './conf.yml');
    expect(text).not.toContain('Secret garden');
    expect(text).not.toContain('hash');
    expect(text).not.toContain('00000000000000000000000000000000');
    expect(await as('greta', './conf.yml')).toContain('hash');
  });
});
