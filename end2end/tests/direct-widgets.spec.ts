// Widgets whose service the browser queries: here public-ip, with a local provider.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Browser, type Page, chromium } from '@playwright/test';

import { chromium as launch } from '../browser.ts';
import { expect, rewrite, test as base } from '../fixtures.ts';
import { temporaryDirectory } from '../server.ts';
import { type ServiceResponse, silence, status, Upstream } from '../upstream.ts';

const ADDRESS = { ip: '203.0.113.7', org: 'AS64500 Example Net', city: 'Trondheim', region: 'Trøndelag', country: 'NO' };

/** A new key and an untrusted certificate. */
function certificate(): { key: string; cert: string } {
  const directory = temporaryDirectory();
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=ipinfo.io'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(directory, { recursive: true });
  return pair;
}

/** A page in a browser that resolves the provider to this machine. */
const test = base.extend<{ provider: Upstream; visitor: Page }>({
  provider: async ({}, use) => {
    const provider = await Upstream.start(certificate());
    await use(provider);
    await provider.stop();
  },
  visitor: async ({ provider, portico }, use) => {
    const rules = `--host-resolver-rules=MAP ipinfo.io:443 127.0.0.1:${provider.port}`;
    const browser: Browser = await chromium.launch({ ...launch, args: [...launch.args!, rules, '--ignore-certificate-errors'] });
    const page = await browser.newPage({ baseURL: `${portico.url}/`, locale: 'en-GB', timezoneId: 'UTC' });
    await use(page);
    await browser.close();
  },
});

/** Responds with the headers that allow pages of other origins to read the response. */
function allowed(body: object): ServiceResponse {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify(body));
  };
}

async function open(page: Page): Promise<void> {
  await page.goto('./');
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

const CONFIG = `
sections:
  - name: Panel
    widgets:
      - type: public-ip
        label: Address
        timeout: 1000
        updateInterval: 2
      - type: clock
`;

test.use({ text: CONFIG });

test('the browser asks, draws, and asks again', async ({ visitor: page, provider }) => {
  provider.responses.set('/json', allowed(ADDRESS));
  await open(page);
  const frame = page.getByRole('article', { name: 'Address' });
  await expect(frame).toContainText('203.0.113.7');
  await expect(frame).toContainText('Example Net');
  await expect(frame.locator('.widget-body').getByRole('link')).toHaveCount(0);
  provider.responses.set('/json', allowed({ ...ADDRESS, ip: '203.0.113.8', loc: '63.4,10.4' }));
  await expect(frame).toContainText('203.0.113.8', { timeout: 4_000 });
  await expect(frame.locator('.widget-body').getByRole('link')).toHaveAttribute('href', /openstreetmap/);
});

test('a section that gets another name keeps its widgets', async ({ visitor: page, provider, portico }) => {
  provider.responses.set('/json', allowed(ADDRESS));
  await open(page);
  const frame = page.locator('[data-widget="0-0"]');
  await expect(frame).toContainText('203.0.113.7');
  await frame.evaluate((element) => { (element as Element & { mark?: number }).mark = 1; });
  await rewrite(page, portico, CONFIG.replace('name: Panel', 'name: Renamed'));
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible();
  expect(await frame.evaluate((element) => (element as Element & { mark?: number }).mark)).toBe(1);
  await expect(frame).toContainText('203.0.113.7');
  // It is still refreshed.
  provider.responses.set('/json', allowed({ ...ADDRESS, ip: '203.0.113.8' }));
  await expect(frame).toContainText('203.0.113.8', { timeout: 4_000 });
});

test('a provider that allows no other origins', async ({ visitor: page, provider }) => {
  provider.responses.set('/json', ADDRESS);
  await open(page);
  const frame = page.getByRole('article', { name: 'Address' });
  await expect(frame.getByRole('alert')).toContainText('ipinfo.io could not be reached from this browser');
  provider.responses.set('/json', allowed(ADDRESS));
  await frame.getByRole('button', { name: 'Retry' }).click();
  await expect(frame).toContainText('203.0.113.7');
});

test('a provider that does not answer in time', async ({ visitor: page, provider }) => {
  provider.responses.set('/json', silence);
  await open(page);
  await expect(page.getByRole('alert')).toContainText('ipinfo.io did not answer within 1 s.');
});

test('the last panel stays when the provider fails', async ({ visitor: page, provider }) => {
  provider.responses.set('/json', allowed(ADDRESS));
  await open(page);
  const frame = page.getByRole('article', { name: 'Address' });
  await expect(frame).toContainText('203.0.113.7');
  provider.responses.set('/json', (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    (status(503) as (...details: unknown[]) => void)(request, response);
  });
  await expect(frame.locator('.widget-body')).toHaveAttribute('data-state', 'stale', { timeout: 4_000 });
  await expect(frame).toContainText('203.0.113.7');
  await expect(frame.getByRole('status').last()).toContainText('503');
});

test('an answer without end is given up', async ({ visitor: page, provider }) => {
  provider.responses.set('/json', (_, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' });
    const more = () => response.destroyed || response.write('x'.repeat(1_000_000), () => setImmediate(more));
    more();
  });
  await open(page);
  await expect(page.getByRole('alert')).toContainText(/too large|did not answer/);
});

test('only a page that needs it may ask the provider', async ({ page, portico }) => {
  portico.write('conf.yml', 'sections: [{ name: Panel, widgets: [{ type: clock }] }]\n');
  await expect.poll(async () => (await page.request.get('./')).text()).not.toContain('public-ip');
  const answer = await page.request.get('./');
  expect(answer.headers()['content-security-policy']).not.toContain('ipinfo');
  portico.write('conf.yml', CONFIG);
  await expect.poll(async () => (await page.request.get('./')).headers()['content-security-policy']).toContain('https://ipinfo.io');
});
