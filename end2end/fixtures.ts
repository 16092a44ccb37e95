// The fixtures of every test: a server with its own config, and a browser whose errors and warnings fail the test.

import { test as base, expect, type Page } from '@playwright/test';

import { Portico, type Start } from './server.ts';

export { expect };

export interface Options {
  /** Config of the test's server: a path below `configs/`, or null for an empty directory. */
  config: string | null;
  /** Text of the config instead. */
  text: string | undefined;
  /** Whether the server may only read its directory. */
  readOnly: boolean;
  /** Whether the config of the test's server is mounted on its own. */
  mounted: boolean;
  /** Additional environment variables of the test's server. */
  environment: Record<string, string>;
  /** Whether the test's server shows the demo instead of a config. */
  demo: boolean;
  /** Errors and warnings of the browser that the test causes on purpose. */
  expected: RegExp | undefined;
}

export interface Fixtures {
  /** The test's server. */
  portico: Portico;
  /** Starts another server, which is stopped at the end of the test. */
  start: (start: Start) => Promise<Portico>;
  /** Hosts besides the test's server that the browser may send requests to. */
  allowed: string[];
  /** Addresses on other hosts that windows or frames went to; each got an empty page instead. */
  visits: string[];
  /** All errors and warnings of the browser. */
  complaints: string[];
}

/** Servers that tests of this worker share, by what they were started with. The last used is the last. */
type Pool = Map<string, Portico>;

/** How many shared servers a worker keeps running. */
const MAX_SHARED = 4;

export const test = base.extend<Options & Fixtures, { pool: Pool }>({
  pool: [
    async ({}, use) => {
      const pool: Pool = new Map();
      await use(pool);
      await Promise.all([...pool.values()].map((portico) => portico.remove()));
    },
    { scope: 'worker' },
  ],

  config: ['workshop.yml', { option: true }],
  text: [undefined, { option: true }],
  readOnly: [false, { option: true }],
  mounted: [false, { option: true }],
  environment: [{}, { option: true }],
  demo: [false, { option: true }],
  expected: [undefined, { option: true }],

  start: async ({}, use) => {
    const started: Portico[] = [];
    await use(async (start) => {
      const portico = await Portico.start(start);
      started.push(portico);
      return portico;
    });
    await Promise.all(started.map((portico) => portico.remove()));
  },

  // A server is used again by the next test that wants the same, if this one has changed nothing. Browsers share nothing: each
  // test has its own context.
  portico: async ({ config, text, readOnly, mounted, environment, demo, pool, start }, use) => {
    const wanted: Start = { config: text === undefined && !demo ? config : null, text, readOnly, mounted, environment, demo };
    if (readOnly || mounted || Object.keys(environment).length > 0) return use(await start(wanted));
    const key = JSON.stringify(wanted);
    const portico = pool.get(key) ?? (await Portico.start(wanted));
    pool.delete(key);
    const isUnchanged = portico.lend();
    await use(portico);
    if (!isUnchanged()) return portico.remove();
    pool.set(key, portico);
    const [oldest] = pool;
    if (pool.size > MAX_SHARED && oldest) {
      pool.delete(oldest[0]);
      await oldest[1].remove();
    }
  },

  baseURL: async ({ portico }, use) => use(`${portico.url}/`),

  allowed: async ({}, use) => use([]),

  visits: async ({}, use) => use([]),

  complaints: async ({}, use) => use([]),

  context: async ({ context, portico, allowed, visits, complaints, expected }, use) => {
    const own = new URL(portico.url).host;
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => complaints.push(`page: ${error.error().message}`));
    await context.route(
      (url) => url.host !== own && !allowed.includes(url.host) && url.protocol.startsWith('http'),
      async (route) => {
        const request = route.request();
        if (request.isNavigationRequest()) {
          visits.push(request.url());
          await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Elsewhere</title>' });
        } else {
          complaints.push(`request to another host: ${request.url()}`);
          await route.abort();
        }
      },
    );
    await use(context);
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([]);
  },

});

/** Opens an address of the dashboard and waits until the page is hydrated. */
export async function open(page: Page, path = '/'): Promise<void> {
  await page.goto(address(path));
  await alive(page);
}

/** Waits until the page is hydrated. */
export async function alive(page: Page): Promise<void> {
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

/** A path relative to the base address, so that a path prefix is kept. */
export function address(path: string): string {
  return `.${path}`;
}

/** How soon a change of the file must be visible. */
export const SOON = { timeout: 2_000, intervals: [50] };

/** Replaces `conf.yml`, and waits until pages are rendered from it. */
export async function rewrite(page: Page, portico: Portico, text: string): Promise<void> {
  const tag = async () => (await page.request.get(address('/'))).headers()['etag'];
  const before = await tag();
  portico.replace('conf.yml', text);
  await expect.poll(tag, SOON).not.toBe(before);
}
