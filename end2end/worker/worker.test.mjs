// What the offline worker keeps and shows, and for whom (docs/spec/behavior.md 21): the worker itself, with storage, network and
// cookies simulated by the test.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';

import { FakeCache } from './cache.mjs';

const SOURCE = readFileSync(join(import.meta.dirname, '../../server/src/routes/offline/worker.min.js'), 'utf8');
const ORIGIN = 'http://dash.example';
const PANEL = '/fn/panel?page=home&section=0&widget=1&kind=joke';

/** A request of a page; Node's own cannot be a navigation. */
class PageRequest extends Request {
  #mode;
  constructor(path, { mode = 'cors', ...init } = {}) {
    super(new URL(path, ORIGIN), init);
    this.#mode = mode;
  }
  get mode() {
    return this.#mode;
  }
}

/** A browser with the worker in it. */
class Browser {
  stores = new Map();
  cookies = new Map();
  told = [];
  removals = 0;
  listeners = {};
  /** The server's responses; undefined while it is away. */
  server;

  constructor() {
    const { stores, cookies, told } = this;
    this.caches = {
      open: async (name) => stores.get(name) ?? stores.set(name, new FakeCache(ORIGIN)).get(name),
      keys: async () => [...stores.keys()],
      has: async (name) => stores.has(name),
      delete: async (name) => stores.delete(name),
      match: async (request, { cacheName }) => stores.get(cacheName)?.match(request),
    };
    const self = {
      location: { origin: ORIGIN, port: '', href: `${ORIGIN}/service-worker.js` },
      addEventListener: (name, listener) => (this.listeners[name] = listener),
      registration: { scope: `${ORIGIN}/`, active: null, unregister: async () => (this.removals += 1) },
      clients: {
        claim: async () => undefined,
        matchAll: async () => [{ id: 'another tab', url: `${ORIGIN}/`, postMessage: (message) => told.push(message) }],
      },
      cookieStore: {
        get: async (name) => (cookies.has(name) ? { value: cookies.get(name) } : null),
        set: async ({ name, value }) => void cookies.set(name, value),
        delete: async ({ name }) => void cookies.delete(name),
      },
    };
    const fetch = async (request, init) => {
      if (!this.server) throw new TypeError('nobody answers');
      return this.server(request, init);
    };
    const globals = { Boolean, Date, Headers, JSON, Map, Number, Object, Promise, Request, Response, Set, String, TypeError, URL, URLSearchParams };
    // Timeouts are not awaited.
    const setTimeout = (call) => void globalThis.setTimeout(call, 20);
    const PORTICO = { version: 'one', base: '', files: ['live-0123456789abcdef.js'] };
    vm.runInNewContext(SOURCE, { ...globals, self, caches: this.caches, fetch, setTimeout, PORTICO });
  }

  /** The worker's response; undefined for a request that it leaves to the browser, and an error if there is no response. */
  async ask(path, init) {
    const waits = [];
    let response;
    const event = {
      request: new PageRequest(path, init),
      clientId: 'this tab',
      preloadResponse: Promise.resolve(undefined),
      respondWith: (answer) => (response = answer),
      waitUntil: (work) => waits.push(Promise.resolve(work)),
    };
    this.listeners.fetch(event);
    const answer = response && (await response.catch((error) => error));
    for (let settled = 0; settled < waits.length; ) {
      settled = waits.length;
      await Promise.all(waits);
    }
    return answer;
  }

  async open(path = '/') {
    return this.ask(path, { mode: 'navigate' });
  }

  async tell(message) {
    const waits = [];
    this.listeners.message({ data: message, ports: [], source: null, waitUntil: (work) => waits.push(work) });
    await Promise.all(waits);
  }

  /** The paths of copies of a session. */
  copies(key) {
    return [...(this.stores.get(`portico / of ${key}`)?.kept.keys() ?? [])].map((address) => address.slice(ORIGIN.length));
  }
}

const answer = (body, told, type = 'text/html') => () => new Response(body, { headers: { 'content-type': type, ...(told && { 'portico-copy': told }) } });

const page = (name, told) =>
  answer(`<html lang="en"><article data-widget="0-1"><div data-state="content" data-version="7" data-at="1000">3</div></article><main id="content">${name}</main>`, told);

const panel = (content, told = 'ann') => answer(JSON.stringify(content), told, 'application/json');

/** A browser in which somebody has opened the dashboard. */
async function visited(told = 'ann') {
  const browser = new Browser();
  browser.server = page('of somebody', told);
  assert.match(await (await browser.open()).text(), /of somebody/);
  return browser;
}

test('fonts do not wait for the worker where the browser allows that', async () => {
  const browser = new Browser();
  let routes;
  const waits = [];
  const event = { waitUntil: (work) => waits.push(work), addRoutes: async (rules) => (routes = rules) };
  browser.listeners.install(event);
  await Promise.all(waits);
  assert.deepEqual(JSON.parse(JSON.stringify(routes)), [
    { condition: { requestMethod: 'GET', requestDestination: 'font' }, source: 'network' },
  ]);
});

test('a copy is shown while the server is away, and is marked as a copy', async () => {
  const browser = await visited();
  assert.deepEqual(browser.copies('ann'), ['/']);
  browser.server = undefined;
  const html = await (await browser.open()).text();
  assert.match(html, /Offline, as of .*<main id="content">of somebody/s);
  assert.equal((await browser.open('/home/attic')).status, 503);
  assert.equal((await browser.open('/login')).status, 503);
});

test('what the worker says itself is in the language of the page that was open last', async () => {
  const browser = await visited();
  const words = (lang, dir, texts) => browser.tell({ type: 'keep', path: null, at: 0, files: [], words: { lang, dir, texts } });
  const shown = async () => {
    const { server } = browser;
    browser.server = undefined;
    const html = await (await browser.open('/home/attic')).text();
    browser.server = server;
    return html;
  };
  assert.match(await shown(), /<html lang="en" dir="ltr">.*<h1>Offline<\/h1>.*This device has no copy of the page\..*Try again/s);
  await words('de', 'ltr', { 'Try again': 'Noch einmal versuchen', '{count} results': { one: '1 Treffer', other: '{count} Treffer' } });
  assert.match(await shown(), /<html lang="de" dir="ltr">.*Noch einmal versuchen/s);
  // Older pages send none.
  await browser.tell({ type: 'keep', path: null, at: 0, files: [] });
  assert.match(await shown(), /lang="de"/);
  await words('ar', 'rtl', { 'The server of this dashboard cannot be reached.': 'لا يمكن الوصول' });
  assert.match(await shown(), /<html lang="ar" dir="rtl">.*لا يمكن الوصول/s);
  browser.server = panel({ state: 'content', version: 9, html: '<b>9</b>', at: 2000 });
  await browser.ask(PANEL);
  browser.server = undefined;
  assert.equal((await (await browser.ask(PANEL)).json()).note, 'لا يمكن الوصول');
  // They are not part of the session.
  browser.server = page('of somebody else', 'ben');
  await browser.open();
  assert.match(await shown(), /lang="ar"/);
});

test('a gateway’s error page does not count as a response', async () => {
  const browser = await visited();
  for (const status of [502, 503, 504, 404]) {
    browser.server = () => new Response('gateway', { status });
    assert.match(await (await browser.open()).text(), /Offline, as of/, String(status));
  }
  // Our own pages do.
  browser.server = () => new Response('not here', { status: 404, headers: { 'portico-copy': 'none' } });
  assert.equal(await (await browser.open()).text(), 'not here');
});

test('everything but pages and panels is left to the browser', async () => {
  const browser = await visited();
  for (const path of ['/healthz', '/api/config', '/fn/session', '/system-info', '/status-check', '/conf.yml', '/icons/a.svg', '/live-0123456789abcdef.js']) {
    assert.equal(await browser.ask(path), undefined, path);
  }
  assert.equal(await browser.ask('/fn/panel-action', { method: 'POST', body: '{}' }), undefined);
  assert.equal(await browser.ask('/login', { method: 'POST', mode: 'navigate', body: 'a=b' }), undefined);
  assert.equal(await browser.ask(PANEL, { headers: { accept: 'text/event-stream' } }), undefined);
  assert.equal(await browser.ask(PANEL, { headers: { range: 'bytes=0-1' } }), undefined);
  assert.equal(await browser.ask('http://elsewhere.example/'), undefined);
});

test('a response without a copy notice is not kept', async () => {
  const browser = new Browser();
  for (const told of [undefined, 'none']) {
    browser.server = page('of nobody', told);
    await browser.open();
  }
  assert.deepEqual([...browser.stores.keys()].filter((name) => name.includes(' of ')), []);
});

test('panels come from the copy, with the time of their lookup', async () => {
  const browser = await visited();
  browser.server = panel({ state: 'content', version: 9, html: '<b>9</b>', at: 2000 });
  await browser.ask(`${PANEL}&seen=7`);
  // An unchanged panel arrives without markup.
  browser.server = panel({ state: 'content', version: 9, at: 3000 });
  await browser.ask(`${PANEL}&seen=9&force=true`);
  browser.server = undefined;
  const known = await (await browser.ask(`${PANEL}&seen=7`)).json();
  const note = 'The server of this dashboard cannot be reached.';
  assert.deepEqual([known.state, known.html, known.at, known.note], ['stale', '<b>9</b>', 3000, note]);
  const seen = await (await browser.ask(`${PANEL}&seen=9`)).json();
  assert.deepEqual([seen.state, seen.html, seen.at], ['stale', undefined, 3000]);
});

test('a page from the copy tells the age of each panel, and has the program ask for newer ones', async () => {
  const browser = new Browser();
  const note = '<p class="widget-note"><span class="widget-age"></span><span class="widget-why"><span role="status"></span></span></p>';
  const frame = (state, at) => `<article><div data-state="${state}"${at ? ` data-version="7" data-at="${at}"` : ''} class="widget-body">3</div>${note}</article>`;
  const at = new Date().setHours(9, 5, 0, 0);
  browser.server = answer(`<html lang="de"><main id="content">${frame('content', at)}${frame('broken')}${frame('content', at + 60_000)}</main>`, 'ann');
  await browser.open();
  browser.server = undefined;
  const html = await (await browser.open()).text();
  assert.deepEqual(html.match(/data-state="[a-z]*"/g), ['data-state="stale"', 'data-state="broken"', 'data-state="stale"']);
  assert.deepEqual(html.match(/<span class="widget-age">[^<]*/g)?.map((text) => text.slice(25)), ['as of 09:05', '', 'as of 09:06']);
});

test('a panel that came with its page has the age that it has there', async () => {
  const browser = await visited();
  browser.server = undefined;
  const panel = await (await browser.ask(`${PANEL}&seen=7`)).json();
  assert.deepEqual([panel.state, panel.at, panel.html], ['stale', 1000, undefined]);
  assert.ok((await browser.ask(`${PANEL}&seen=8`)) instanceof TypeError, 'another version is on the screen');
});

test('another session deletes all copies of the previous one', async () => {
  const browser = await visited('ann; max-age=100');
  browser.server = page('of Ben', 'ben; max-age=100');
  await browser.open();
  assert.deepEqual([browser.copies('ann'), browser.copies('ben')], [[], ['/']]);
});

test('an ended login leaves no copies', async () => {
  const over = {
    'a login page': () => new Response('<p>log in'),
    'a refusal': () => new Response('no', { status: 401, headers: { 'portico-copy': 'none' } }),
    'a refusal of a proxy': () => new Response('no', { status: 403 }),
  };
  for (const [what, server] of Object.entries(over)) {
    for (const path of ['/', PANEL]) {
      const browser = await visited();
      browser.server = server;
      await (path === '/' ? browser.open() : browser.ask(path));
      assert.deepEqual(browser.copies('ann'), [], `${what} at ${path}`);
    }
  }
});

test('copies end with the login, by the clock and with the browser', async () => {
  const late = await visited('ann; max-age=0');
  late.server = undefined;
  assert.equal((await late.open()).status, 503);
  assert.deepEqual(late.copies('ann'), []);
  const closed = await visited('ann; max-age=100; while-open');
  closed.server = undefined;
  assert.equal((await closed.open()).status, 200);
  closed.cookies.clear();
  assert.equal((await closed.open()).status, 503);
  assert.deepEqual(closed.copies('ann'), []);
});

test('signing out deletes all copies, tells the other tabs, and later responses are not kept', async () => {
  for (const path of ['/logout', '/fn/sign-out']) {
    const browser = await visited('ann; max-age=100');
    await browser.ask(path, { method: 'POST', body: '{}' });
    assert.deepEqual(browser.copies('ann'), []);
    assert.deepEqual(browser.told, ['signed out']);
    // The server does not know about it yet.
    await browser.open();
    assert.deepEqual(browser.copies('ann'), [], path);
  }
});

test('a copy that is broken is thrown away', async () => {
  const browser = await visited();
  await browser.stores.get('portico / of ann').put('/', new Response('half a pa'));
  browser.server = undefined;
  assert.equal((await browser.open()).status, 503);
  assert.deepEqual(browser.copies('ann'), []);
});

test('the files of a page are taken from the browser’s cache', async () => {
  const browser = await visited();
  const requested = [];
  browser.server = (request, init) => {
    requested.push(init?.cache ?? 'from the server');
    if (init?.cache !== 'only-if-cached') throw new TypeError('not asked for');
    return new Response('x');
  };
  const files = ['/item-icons/a.png', '/live-0123456789abcdef.js', '/api/b.png', '/fn/session', '/conf.yml'].map((path) => ORIGIN + path);
  await browser.tell({ type: 'keep', path: null, at: 0, files: [...files, 'http://elsewhere.example/c.png'] });
  assert.deepEqual(browser.copies('ann'), ['/', '/item-icons/a.png']);
  assert.deepEqual([...browser.stores.get('portico / program').kept.keys()], [`${ORIGIN}/live-0123456789abcdef.js`]);
  assert.deepEqual(requested, ['only-if-cached', 'only-if-cached']);
  // Once a day is enough.
  await browser.tell({ type: 'keep', path: null, at: 0, files });
  assert.equal(requested.length, 2);
});

test('fifty megabytes are kept, and the least recently used copies are dropped', async () => {
  const browser = await visited();
  const cache = browser.stores.get('portico / of ann');
  for (let number = 1; number <= 12; number++) {
    await cache.put(`/${number}.png`, new Response('x', { headers: { 'portico-at': String(number), 'portico-bytes': String(5 * 1024 * 1024) } }));
  }
  await browser.tell({ type: 'keep', path: null, at: 0, files: [] });
  assert.deepEqual(browser.copies('ann').slice(0, 3), ['/', '/4.png', '/5.png']);
});

test('a full disk only prevents copies', async () => {
  const browser = await visited();
  browser.stores.get('portico / of ann').put = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  browser.server = page('as ever', 'ann');
  assert.match(await (await browser.open()).text(), /as ever/);
  assert.equal(browser.removals, 0);
});

test('a worker that is being removed keeps nothing, not even responses under way', async () => {
  const browser = await visited();
  await browser.tell({ type: 'remove' });
  assert.deepEqual([browser.removals, ...browser.stores.keys()], [1]);
  await browser.tell({ type: 'keep', path: '/', at: 1, files: [`${ORIGIN}/live-0123456789abcdef.js`, `${ORIGIN}/item-icons/a.png`] });
  assert.match(await (await browser.open()).text(), /of somebody/);
  await browser.tell({ type: 'wipe' });
  const kept = [...browser.stores.values()].flatMap((cache) => [...cache.kept.keys()]);
  assert.deepEqual(kept, []);
});

test('a worker that fails three times lets everything pass, and removes itself', async () => {
  const browser = new Browser();
  browser.caches.open = async () => {
    throw new DOMException('broken', 'UnknownError');
  };
  browser.server = page('as ever', 'ann');
  for (let times = 1; times <= 3; times++) {
    assert.match(await (await browser.open()).text(), /as ever/);
    assert.equal(browser.removals, times < 3 ? 0 : 1);
  }
});
