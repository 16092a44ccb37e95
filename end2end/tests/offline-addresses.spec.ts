// Offline use and installation work over the server's own HTTPS, but not at a plain HTTP address
// (docs/spec/behavior.md 21).

import { rmSync } from 'node:fs';

import { chromium } from '../browser.ts';
import { selfSigned } from '../certificate.ts';
import { alive } from '../fixtures.ts';
import { AWAY, banner, expect, install, test as base, workers } from '../offline.ts';
import { freePort, temporaryDirectory } from '../server.ts';

const test = base.extend<{ secure: string; certificate: Record<string, string> }>({
  secure: async ({}, use) => use(`https://127.0.0.1:${await freePort()}`),

  certificate: async ({}, use) => {
    const directory = temporaryDirectory();
    await use(selfSigned(directory));
    rmSync(directory, { recursive: true });
  },
});

// Workers load only if the whole browser ignores certificate errors; a context is not enough.
test.use({
  launchOptions: { ...chromium, args: [...(chromium.args ?? []), '--ignore-certificate-errors', '--host-resolver-rules=MAP dash.example 127.0.0.1'] },
  text: `pageInfo: { title: Harbour house }
appConfig: { enableServiceWorker: true }
sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]
`,
  expected: AWAY,
});

test.describe.configure({ timeout: 90_000 });

test.describe('over HTTPS by its own listener', () => {
  test.use({
    environment: async ({ secure, certificate }, use) => use({ ...certificate, SSL_PORT: new URL(secure).port }),
    baseURL: async ({ secure }, use) => use(`${secure}/`),
  });

  test('there is a worker, and it stands in for a server that is away', async ({ page, portico, secure }) => {
    await install(page);
    expect(new URL(page.url()).origin).toBe(secure);
    await portico.stop();
    await page.goto('./');
    await expect(banner(page)).toContainText(/Offline, as of \d\d:\d\d/);
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  });
});

test.describe('at a plain HTTP address of another machine', () => {
  // Chromium warns about a header without effect there.
  test.use({ baseURL: async ({ portico }, use) => use(`http://dash.example:${new URL(portico.url).port}/`), expected: /Cross-Origin-Opener-Policy/ });

  test('there is none, and the options say why', async ({ page }) => {
    await page.goto('./');
    await alive(page);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.getByText('Offline use and installing need HTTPS; this address has none.')).toBeVisible({ timeout: 10_000 });
  });
});

test.describe('on this machine', () => {
  test.use({ baseURL: async ({ portico }, use) => use(`${portico.url}/`) });

  test('no HTTPS is needed, and the options do not ask for it', async ({ page }) => {
    await install(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.getByText('need HTTPS')).toHaveCount(0);
    expect(await workers(page)).toBe(1);
  });
});
