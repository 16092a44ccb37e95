// The dashboard without its server: copies of pages and panels, to whom they belong, and when they are deleted
// (docs/spec/behavior.md 21).

import type { Page } from '@playwright/test';

import { alive, rewrite } from '../fixtures.ts';
import { AWAY, banner, copies, expect, install, isKept, test, visit, workers } from '../offline.ts';
import { Upstream } from '../upstream.ts';

const CONF = `pageInfo: { title: Harbour house }
appConfig: { enableServiceWorker: true }
pages: [ { name: Boats, path: boats.yml } ]
sections:
  - name: Quay
    items: [ { title: Crane, url: 'https://crane.example', icon: /item-icons/crane.svg } ]
`;

// The worker is loaded some time after the page, and several visits follow.
test.describe.configure({ timeout: 90_000 });

test.use({ text: CONF, expected: AWAY });

test.beforeEach(({ portico }) => {
  portico.write('boats.yml', 'sections: [ { name: Boats, items: [ { title: Ferry, url: https://ferry.example } ] } ]\n');
  portico.write('item-icons/crane.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="20"/></svg>');
});

test('Chromium finds nothing that keeps it from being installed', async ({ page }) => {
  await install(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data!).name).toBe('Harbour house');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Tests use private windows.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

test('a page does not wait for the worker to start', async ({ page, portico }) => {
  await install(page);
  await page.reload();
  const routed = async () =>
    page.evaluate(() => (performance.getEntriesByType('navigation')[0] as PerformanceEntry & { workerRouterEvaluationStart?: number }).workerRouterEvaluationStart ?? 0);
  expect(await routed()).toBeGreaterThan(0);
  // The worker has received the response too, so there is a copy of the current content.
  await rewrite(page, portico, CONF.replace('Crane', 'Winch'));
  await page.reload();
  await expect(page.getByText('Winch')).toBeVisible();
  const path = new URL(page.url()).pathname;
  await expect.poll(() => page.evaluate(async (path) => (await (await caches.match(path, { ignoreVary: true }))?.text())?.includes('Winch'), path)).toBe(true);
});

test('a page that was loaded past the worker has it again', async ({ page }) => {
  await install(page);
  const session = await page.context().newCDPSession(page);
  const controlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  const [past] = await Promise.all([page.waitForNavigation().then(controlled), session.send('Page.reload', { ignoreCache: true })]);
  expect(past).toBe(false);
  await expect.poll(controlled, { timeout: 15_000 }).toBe(true);
});

/** When a page showed something, in milliseconds after its request. */
const paintOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity);

test.describe('with widgets', () => {
  const upstreams: Upstream[] = [];
  test.afterEach(() => Promise.all(upstreams.splice(0).map((upstream) => upstream.stop())));

  test('everything is there within half a second while the server is stopped, and refreshes when it is back', async ({ page, portico, again }) => {
    const upstream = await Upstream.start();
    upstreams.push(upstream);
    upstream.responses.set('/level', { level: '4.2 metres' });
    await rewrite(page, portico, `${CONF}    widgets: [ { type: api-response, label: Tide, updateInterval: 5, options: { url: '${upstream.url}/level' } } ]\n`);
    await install(page);
    await page.reload();
    await expect(page.getByText('4.2 metres')).toBeVisible();
    await expect.poll(() => isKept(page, /^\/fn\/panel\?/), { timeout: 15_000 }).toBe(true);
    await expect.poll(() => isKept(page, /^\/icons\/file\/crane\.svg$/)).toBe(true);
    await portico.stop();

    // The visible content at the first paint.
    await page.context().addInitScript(() => {
      new PerformanceObserver((list) => {
        if (list.getEntriesByName('first-contentful-paint').length) Object.assign(window, { seen: document.body.innerText });
      }).observe({ type: 'paint', buffered: true });
    });
    const later = await visit(page.context());
    await expect(banner(later)).toContainText(/Offline, as of \d\d:\d\d/);
    await expect(later.getByText('4.2 metres')).toBeVisible();
    await alive(later);
    await expect(later.locator('.widget-note')).toContainText('The server of this dashboard cannot be reached.');
    expect(await later.locator('img[src*="crane"]').first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    // The search still works.
    await later.keyboard.type('crane');
    await expect(later.getByRole('searchbox')).toHaveValue('crane');
    await later.keyboard.press('Escape');
    await later.evaluate(() => (document.activeElement as HTMLElement).blur());

    // The page contains the value, its age and the banner, so the first paint shows them. A busy machine sometimes paints late,
    // so only one of several visits has to be fast.
    await expect(async () => {
      const another = await visit(page.context());
      const shown = await another.waitForFunction(() => (window as unknown as { seen?: string }).seen, undefined, { timeout: 5_000 });
      const [text, painted] = [await shown.jsonValue(), await paintOf(another)];
      await another.close();
      expect(text).toMatch(/Offline, as of \d\d:\d\d[^]*4\.2 metres[^]*as of \d\d:\d\d/);
      expect(painted).toBeLessThan(500);
    }).toPass({ timeout: 30_000 });

    upstream.responses.set('/level', { level: '5.1 metres' });
    await again();
    await expect(banner(later)).toHaveCount(0, { timeout: 20_000 });
    await expect(later.getByText('5.1 metres')).toBeVisible({ timeout: 20_000 });
    await expect(later.getByText('Crane')).toBeVisible();
    await expect(later.locator('.widget-age')).toHaveText('');
  });
});

test('pages that were visited are there, others say that they are not', async ({ page, portico }) => {
  await install(page);
  await page.goto('./home/boats');
  await alive(page);
  await expect.poll(() => isKept(page, '/home/boats')).toBe(true);
  await portico.stop();
  await page.goto('./');
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await page.getByRole('link', { name: 'Boats' }).click();
  await expect(page.getByRole('link', { name: 'Ferry' })).toBeVisible();
  await expect(banner(page)).toBeVisible();
  await page.goto('./home/main/quay');
  await expect(page.getByRole('heading', { name: 'Offline' })).toBeVisible();
  await expect(page.getByText('has no copy of the page')).toBeVisible();
});

test('what has no copy says so in the language of the last page', async ({ page, portico }) => {
  await page.context().addCookies([{ name: 'portico-language', value: 'de', url: portico.url }]);
  await install(page);
  await portico.stop();
  await page.goto('./home/main/quay');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText('Dieses Gerät hat keine Kopie der Seite.')).toBeVisible();
  await page.getByRole('link', { name: 'Zur Startseite' }).click();
  await expect(banner(page)).toBeVisible();
});

test.describe('beside pages and panels', () => {
  test.use({ expected: /status of 40[134]/ });

  test('nothing goes through the worker', async ({ page }) => {
    await install(page);
    const through: Record<string, boolean> = {};
    page.on('response', (response) => (through[new URL(response.url()).pathname] ||= response.fromServiceWorker()));
    await page.reload();
    await alive(page);
    await page.evaluate(async () => {
      for (const path of ['/healthz', '/api/config', '/get-user', '/system-info', '/conf.yml', '/download', '/status-check', '/login', '/events']) await fetch(path);
      await fetch('/fn/items-elsewhere?slug=home');
      await fetch('/fn/items-elsewhere?slug=home', { headers: { accept: 'text/event-stream' } });
      await fetch('/favicon.svg', { headers: { range: 'bytes=0-1' } });
      await fetch('/fn/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    });
    const own = Object.keys(through).filter((path) => through[path]);
    expect(own.filter((path) => path !== '/' && path !== '/fn/items-elsewhere')).toEqual([]);
    expect(through['/']).toBe(true);
    expect(await isKept(page, '/healthz')).toBe(false);
  });
});

test.describe('an address with a mistake', () => {
  test.use({ expected: /status of 404/ });

  test('is not kept', async ({ page }) => {
    await install(page);
    await page.goto('./home/nowhere');
    await page.goto('./');
    await alive(page);
    expect(await isKept(page, '/home/nowhere')).toBe(false);
  });
});

test('switched off, worker and copies are gone at the next visit', async ({ page, portico }) => {
  await install(page);
  await rewrite(page, portico, CONF.replace('enableServiceWorker: true', 'theme: dark'));
  await page.goto('./');
  await alive(page);
  await expect.poll(() => workers(page), { timeout: 15_000 }).toBe(0);
  await expect.poll(() => copies(page)).toEqual({});
  await page.reload();
  await alive(page);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBe(null);
});

test('a broken copy is thrown away, and the page is fetched again', async ({ page, portico, again }) => {
  await install(page);
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((name) => name.includes(' of '))!;
    await (await caches.open(name)).put('/', new Response('<!doctype html><p>half a pa', { headers: { 'content-type': 'text/html' } }));
  });
  await portico.stop();
  await page.goto('./');
  await expect(page.getByText('has no copy of the page')).toBeVisible();
  await again();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test('the dashboard works with a full disk', async ({ page }) => {
  await install(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 2_000 });
  const put = page.evaluate(async () => (await caches.open('full')).put('/full', new Response(new Uint8Array(100_000))));
  await expect(put).rejects.toThrow(/Quota/);
  for (const path of ['./', './home/boats', './']) {
    await page.goto(path);
    await alive(page);
  }
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test('the least recently used copies make room', async ({ page }) => {
  await install(page);
  // Twelve copies of five megabytes, the first of them the oldest.
  await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys()).find((name) => name.includes(' of '))!);
    for (let number = 1; number <= 12; number++) {
      const headers = { 'portico-at': String(number), 'portico-bytes': String(5 * 1024 * 1024) };
      await cache.put(`/item-icons/${number}.png`, new Response('x', { headers }));
    }
  });
  await page.reload();
  await alive(page);
  await expect.poll(() => isKept(page, '/item-icons/1.png'), { timeout: 15_000 }).toBe(false);
  await expect.poll(() => isKept(page, '/item-icons/3.png'), { timeout: 15_000 }).toBe(false);
  expect(await isKept(page, '/item-icons/12.png')).toBe(true);
  expect(await isKept(page, '/')).toBe(true);
});

test.describe('below a path prefix', () => {
  test.use({ environment: { BASE_URL: '/start' } });

  test('all of it works, and nothing lies beyond', async ({ page, portico }) => {
    await page.goto(portico.url);
    await expect.poll(() => workers(page), { timeout: 15_000 }).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/start/');
    await install(page);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${portico.url}/`);
    expect(Object.keys(await copies(page)).every((name) => name.startsWith('portico /start/ '))).toBe(true);
    await portico.stop();
    await page.goto('./');
    await expect(banner(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  });
});

test.describe('where the worker cannot be', () => {
  test('it says why', async ({ page }) => {
    // As on plain HTTP beyond the own machine.
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined }));
    await page.goto('./');
    await alive(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.getByText('Offline use and installing need HTTPS')).toBeVisible({ timeout: 10_000 });
  });

  test('the dashboard works with blocked storage', async ({ page }) => {
    await page.addInitScript(() => {
      const refuse = { get: () => { throw new DOMException('blocked', 'SecurityError'); } };
      for (const name of ['localStorage', 'sessionStorage', 'caches']) Object.defineProperty(window, name, refuse);
    });
    await page.goto('./');
    await alive(page);
    await expect.poll(() => workers(page), { timeout: 10_000 }).toBe(1);
    await page.reload();
    await alive(page);
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  });
});
