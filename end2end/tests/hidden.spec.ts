// Hidden content never reaches the browser: not in pages, panels, files, or responses to any request that a script of the page
// could send.

import type { Page } from '@playwright/test';

import { address, alive } from '../fixtures.ts';
import { signInAtProvider } from '../provider.ts';
import { expect, SECTIONS, test as base } from '../sign-in.ts';
import { Upstream } from '../upstream.ts';

/** One widget per section, whose service accepts only its own key. */
const WIDGETS = [
  { section: 'Hall', word: 'everybody' },
  { section: 'Kitchen', word: 'members' },
  { section: 'Attic', word: 'ann' },
  { section: 'Cellar', word: 'admins' },
  { section: 'Nursery', word: 'no-admin' },
];

const test = base.extend<{ upstream: Upstream }>({
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    for (const { word } of WIDGETS) {
      upstream.responses.set(`/${word}`, (request, response) => {
        const isRight = request.headers['x-key'] === `key-of-${word}`;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ state: isRight ? `panel-for-${word}` : 'no key' }));
      });
    }
    await use(upstream);
    await upstream.stop();
  },

  sections: async ({ upstream }, use) => {
    await use(
      SECTIONS.map((section) => {
        const { word } = WIDGETS.find(({ section: name }) => name === section.name)!;
        const options = {
          url: `${upstream.url}/${word}`,
          headers: { 'X-Key': `key-of-${word}` },
          mappings: [{ field: 'state', label: 'State' }],
        };
        return { ...section, widgets: [{ type: 'api-response', options }] };
      }),
    );
  },
});

/** All bytes that the browser received. */
class Bytes {
  readonly pieces: Promise<string>[] = [];
  readonly panels = new Set<string>();

  constructor(page: Page, own: string) {
    page.on('response', (response) => {
      if (!response.url().startsWith(own)) return;
      if (new URL(response.url()).pathname === '/fn/panel') this.panels.add(response.url());
      // The event stream never ends; the security tests read it.
      if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
      this.pieces.push(response.text().catch(() => ''));
    });
  }

  async all(): Promise<string> {
    return (await Promise.all(this.pieces)).join('\n');
  }
}

const PATHS = [
  '/',
  '/home',
  '/home/main/hall',
  '/home/main/kitchen',
  '/home/main/attic',
  '/home/main/cellar',
  '/home/main/nursery',
  '/fn/items-elsewhere?slug=other',
  '/get-user',
  '/schema.json',
  '/login',
  '/signed-out',
  '/api/config',
  '/api/config/conf.yml',
  '/api/openapi.json',
];

/** The config as a file. */
const FILES = ['/conf.yml', '/download'];

/** Visits all pages and waits for the panels. */
async function wander(page: Page, paths = PATHS): Promise<void> {
  await page.goto(address('/'));
  await alive(page);
  const shown = await page.locator('.widget-body').count();
  if (shown) await expect(page.locator('.widget-body').filter({ hasText: /panel-for-/ })).toHaveCount(shown, { timeout: 15_000 });
  await page.evaluate(async (paths) => {
    for (const path of paths) {
      for (const accept of ['text/html', 'application/json']) await fetch(path, { headers: { accept } }).then((answer) => answer.text());
    }
  }, paths);
}

test.use({ auth: { enableGuestAccess: true }, expected: /status of (40\d|500)/ });

test('guests, people and admins get what is theirs, and no key', async ({ page, browser, baseURL, portico, upstream }) => {
  test.slow();
  const bytes: Record<string, Bytes> = {};
  const tabs: Record<string, Page> = {};
  for (const name of ['guest', 'ben', 'ann']) {
    const tab = name === 'guest' ? page : await (await browser.newContext({ baseURL: baseURL! })).newPage();
    bytes[name] = new Bytes(tab, portico.url);
    tabs[name] = tab;
    if (name !== 'guest') {
      await tab.goto(address('/login/provider'));
      await signInAtProvider(tab, name);
    }
    // Admins may read the config, since they can write it.
    await wander(tab, name === 'ann' ? PATHS : [...FILES, ...PATHS]);
  }
  // Each person also requests everything that the others' pages request.
  const panels = new Set(Object.values(bytes).flatMap((each) => [...each.panels]));
  for (const tab of Object.values(tabs)) {
    await tab.evaluate(async (urls) => {
      for (const url of urls) await fetch(url).then((answer) => answer.text());
    }, [...panels]);
  }

  const theirs: Record<string, string[]> = {
    guest: ['everybody', 'no-admin'],
    ben: ['everybody', 'no-admin', 'members'],
    ann: ['everybody', 'members', 'ann', 'admins'],
  };
  for (const [name, words] of Object.entries(theirs)) {
    const text = await bytes[name]!.all();
    for (const { section, word } of WIDGETS) {
      expect(text.includes(`key-of-${word}`), `${name}: the key of ${section}`).toBe(false);
      expect(text.includes(`panel-for-${word}`), `${name}: the panel of ${section}`).toBe(words.includes(word));
    }
    for (const { word } of WIDGETS.filter(({ word }) => !words.includes(word))) {
      expect(text.includes(`${upstream.url}/${word}`), `${name}: the service for ${word}`).toBe(false);
    }
    for (const { name: section, items, displayData } of SECTIONS) {
      const { word } = WIDGETS.find((widget) => widget.section === section)!;
      if (displayData && !words.includes(word)) {
        for (const { url, title } of items) {
          expect(text.includes(url), `${name}: ${url}`).toBe(false);
          expect(text.includes(title), `${name}: ${title}`).toBe(false);
        }
      }
    }
  }
  for (const name of ['ben', 'ann']) await tabs[name]!.context().close();
});

test.describe('without guest access', () => {
  test.use({ auth: {} });

  test('signed-out viewers get no panel and no picture', async ({ page, browser, baseURL, portico }) => {
    const member = await (await browser.newContext({ baseURL: baseURL! })).newPage();
    const bytes = new Bytes(member, portico.url);
    await member.goto(address('/login/provider'));
    await signInAtProvider(member, 'ann');
    await wander(member);
    // The page may have contained the panels already.
    await Promise.all([member.waitForResponse(/\/fn\/panel/), member.getByRole('button', { name: /^Reload/ }).first().click()]);
    await member.context().close();
    for (const path of [...FILES, ...PATHS, '/system-info', '/widget-picture/made-up', '/config-manager/status', ...[...bytes.panels].map((url) => url.slice(portico.url.length))]) {
      const answer = await page.request.get(address(path), { maxRedirects: 0 });
      expect(await answer.text(), path).not.toMatch(/-(for|of)-(everybody|members|ann|admins|no-admin)|Coat rack|Larder/);
    }
    expect(bytes.panels.size).toBeGreaterThan(0);
  });
});
