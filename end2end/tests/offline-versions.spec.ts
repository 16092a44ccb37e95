// New versions of the worker, failing workers, workers of other programs, and slow servers
// (docs/spec/behavior.md 21).

import { createServer } from 'node:http';

import type { Page } from '@playwright/test';

import { alive } from '../fixtures.ts';
import type { Front } from '../front.ts';
import { AWAY, banner, copies, expect, install, test, workers } from '../offline.ts';
import { freePort } from '../server.ts';

const CONF = `pageInfo: { title: Harbour house }
appConfig: { enableServiceWorker: true }
sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]
`;

// The worker is loaded some time after the page, and several visits follow.
test.describe.configure({ timeout: 90_000 });

test.use({ text: CONF, expected: new RegExp(`${AWAY.source}|MIME type|bad HTTP response code|status of 50`) });

/** Makes the server look like another version of the program. */
function release(front: Front, version: string): void {
  front.rewrite = (path, text) =>
    path === '/service-worker.js' ? text.replace(/"version":"[^"]*"/, `"version":"${version}"`) : text.replace(/data-worker="[^"]*"/, `data-worker="${version}"`);
}

/** Makes a worker install itself slowly. */
const SLOWLY = ';self.addEventListener("install", (event) => event.waitUntil(new Promise((done) => setTimeout(done, 5000))))';

/**
 * Loads the page again, and returns the version of the worker that takes over from its own. Nothing is asked until then:
 * messages to a worker can keep the browser from replacing it.
 */
async function reloadAndReplace(page: Page): Promise<unknown> {
  await page.addInitScript(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => document.documentElement.setAttribute('data-replaced', ''));
  });
  await page.reload();
  await expect(page.locator('html[data-replaced]')).toBeAttached({ timeout: 15_000 });
  return page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    const version = new Promise((done) => (port1.onmessage = ({ data }) => done(data)));
    navigator.serviceWorker.controller!.postMessage({ type: 'version' }, [port2]);
    return version;
  });
}

test.describe('a new version', () => {
  test.use({ baseURL: async ({ front }, use) => use(`${front.url}/`) });

  test('is announced, and a click brings it into all tabs', async ({ page, context, front }) => {
    release(front, 'one');
    await install(page);
    const other = await context.newPage();
    await install(other);
    release(front, 'two');
    // Every page does this once an hour.
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));
    const notices = [page, other].map((tab) => tab.getByText('A new version of this dashboard is ready.'));
    for (const notice of notices) {
      await expect(notice).toBeVisible();
      await expect(notice).toHaveCount(1);
    }
    await page.getByRole('button', { name: 'Refresh' }).click();
    for (const tab of [page, other]) {
      await expect(tab.locator('#settings')).toHaveAttribute('data-worker', 'two');
      await alive(tab);
      await expect(tab.getByText('A new version of this dashboard is ready.')).toHaveCount(0);
    }
    expect(await workers(page)).toBe(1);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.waiting)).toBe(null);
  });

  test('that a page already has takes over silently', async ({ page, front }) => {
    release(front, 'one');
    await install(page);
    release(front, 'two');
    expect(await reloadAndReplace(page)).toBe('two');
    await expect(page.locator('#settings')).toHaveAttribute('data-worker', 'two');
    await expect(page.getByText('A new version of this dashboard is ready.')).toHaveCount(0);
  });

  test('takes over even if it was found before the script of the page ran', async ({ page, front }) => {
    release(front, 'one');
    await install(page);
    release(front, 'two');
    const { rewrite } = front;
    // It is still being installed when that script runs.
    front.rewrite = (path, text) => rewrite!(path, text) + (path === '/service-worker.js' ? SLOWLY : '');
    await page.addInitScript(() => {
      const { serviceWorker } = navigator;
      const register = serviceWorker.register.bind(serviceWorker);
      serviceWorker.register = async (...parameters) => {
        await (await serviceWorker.getRegistration())?.update();
        return register(...parameters);
      };
    });
    expect(await reloadAndReplace(page)).toBe('two');
    await expect(page.getByText('A new version of this dashboard is ready.')).toHaveCount(0);
  });

  for (const [what, status, body] of [['an error', 500, 'broken'], ['a page', 200, '<!doctype html><p>Hello']] as const) {
    test(`worker that comes as ${what} three times removes itself`, async ({ page, front }) => {
      await install(page);
      front.responses.set('/service-worker.js', (_, response) => {
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end(body);
      });
      for (let visits = 1; visits <= 3; visits++) {
        expect(await workers(page)).toBe(1);
        await page.goto('./');
        await alive(page);
        await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
        const count = () => page.evaluate(() => Number(localStorage.getItem('portico-worker-failures')));
        await expect.poll(count, { timeout: 15_000 }).toBe(visits);
      }
      await expect.poll(() => workers(page)).toBe(0);
      await expect.poll(() => copies(page)).toEqual({});
      await page.goto('./');
      await alive(page);
    });
  }

  test('a server that is slower than three seconds is not waited for', async ({ page, front }) => {
    await install(page);
    front.responses.set('/', (request, response) => {
      request.on('close', () => response.end());
    });
    const began = Date.now();
    await page.goto('./');
    await expect(banner(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
    expect(Date.now() - began).toBeGreaterThan(2_900);
    expect(Date.now() - began).toBeLessThan(6_000);
  });

  test('a gateway’s error page does not hide the copy', async ({ page, front }) => {
    await install(page);
    for (const status of [502, 503, 504, 404]) {
      front.responses.set('/', (_, response) => {
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end('<h1>Gateway</h1>');
      });
      await page.goto('./');
      await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
      await expect(banner(page)).toBeVisible();
    }
  });
});

for (const [script, isOn] of [['sw.js', true], ['sw.js', false], ['service-worker.js', true], ['service-worker.js', false]] as const) {
  test(`${script} of Dashy goes, and its pages with it, with the worker ${isOn ? 'on' : 'off'}`, async ({ context, start }) => {
    const port = await freePort();
    // As Workbox generates it: the page always comes from the cache.
    const worker = `self.addEventListener('install', (event) => event.waitUntil(caches.open('workbox-precache-v2-' + registration.scope).then((cache) => cache.put('/index.html', new Response('<!doctype html><title>Dashy</title>', { headers: { 'content-type': 'text/html' } }))).then(() => skipWaiting())));
      self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      self.addEventListener('fetch', (event) => event.request.mode === 'navigate' && event.respondWith(caches.match('/index.html')));`;
    const old = createServer((request, response) => {
      const isScript = request.url === `/${script}`;
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? worker : `<!doctype html><title>Dashy</title><script>navigator.serviceWorker.register('/${script}')</script>`);
    });
    await new Promise<void>((done) => old.listen(port, '127.0.0.1', done));
    const url = `http://127.0.0.1:${port}/`;
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    old.closeAllConnections();
    await new Promise((done) => old.close(done));
    await start({ text: isOn ? CONF : CONF.replace('enableServiceWorker: true', 'theme: dark'), environment: { PORT: String(port) } });
    await page.goto(url);
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible({ timeout: 15_000 });
    await alive(page);
    const names = async () => Object.keys(await copies(page)).filter((name) => name.startsWith('workbox'));
    await expect.poll(names, { timeout: 15_000 }).toEqual([]);
    if (isOn) await install(page);
    else await expect.poll(() => workers(page), { timeout: 15_000 }).toBe(0);
  });
}
