// What tests of the offline worker share: a browser that keeps what servers send, as the browsers of people do.

import { type BrowserContext, type Page } from '@playwright/test';

import { address, alive, expect, test as base } from './fixtures.ts';
import { Front } from './front.ts';
import { Portico } from './server.ts';

export { expect };

/** Complaints about a server that is away. */
export const AWAY = /ERR_CONNECTION_REFUSED|ERR_CACHE_MISS|ERR_FAILED|status of 50[234]|the other pages cannot be searched/;

export const test = base.extend<{ front: Front; again: () => Promise<Portico> }>({
  // Tests that may change answers have a browser without a cache of its own; these need that cache.
  context: async ({ browser, baseURL, complaints, expected, contextOptions }, use) => {
    const context = await browser.newContext({ ...contextOptions, baseURL: baseURL!, locale: 'en-GB', timezoneId: 'UTC' });
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => complaints.push(`page: ${error.error().message}`));
    await use(context);
    await context.close();
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([]);
  },

  front: async ({ portico }, use) => {
    const front = await Front.start(portico.url);
    await use(front);
    await front.stop();
  },

  // The same server once more, after it was stopped.
  again: async ({ portico, environment, start }, use) => {
    const { port } = new URL(portico.url);
    await use(() => start({ environment: { ...environment, PORT: port, USER_DATA_DIR: portico.directory } }));
  },
});

/** The paths of all copies, by cache. */
export function copies(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found[name.replace(/ of .*/, ' of somebody')] = requests.map(({ url }) => new URL(url).pathname + new URL(url).search);
    }
    return found;
  });
}

/** Whether there is a copy of a path. */
export async function isKept(page: Page, path: string | RegExp): Promise<boolean> {
  const all = Object.values(await copies(page)).flat();
  return all.some((kept) => (typeof path === 'string' ? kept === path : path.test(kept)));
}

/** Opens a page, and waits until there is a worker and a copy of the page and of what it consists of. */
export async function install(page: Page, path = '/'): Promise<void> {
  await page.goto(address(path));
  await alive(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 15_000 });
  const { pathname } = new URL(page.url());
  await expect.poll(() => isKept(page, pathname), { timeout: 15_000 }).toBe(true);
  await expect.poll(() => isKept(page, /_bg\.wasm$/), { timeout: 15_000 }).toBe(true);
  // The last script that every page loads.
  await expect.poll(() => isKept(page, /\/stream-[^/]*\.js$/), { timeout: 15_000 }).toBe(true);
}

/** The banner of a page that is a copy. */
export const banner = (page: Page) => page.locator('#offline-notice');

/** How many workers this address has. */
export function workers(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
}

/** Opens a page as a person who comes back: in a tab of its own. */
export async function visit(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address(path));
  return page;
}
