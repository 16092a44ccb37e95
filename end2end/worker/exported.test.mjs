// What the offline worker of a static export keeps and shows (docs/install/static.md), and how its pages choose their language: the
// scripts themselves, with storage, network and page simulated by the test.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';

import { FakeCache } from './cache.mjs';

const root = join(import.meta.dirname, '../..');
const script = (file) => readFileSync(join(root, file), 'utf8');
const WORKER = script('server/src/routes/offline/exported/worker.min.js');
const LANGUAGE = script('app/src/document/inline/language.min.js');
const ORIGIN = 'http://host.example';

/** A browser with the worker of an export below `/start/`. */
class Browser {
  stores = new Map();
  listeners = {};
  requested = [];
  skips = 0;
  /** The files of the web server by their paths; null while it is away. */
  files = {};

  constructor() {
    const { stores } = this;
    const caches = {
      open: async (name) => stores.get(name) ?? stores.set(name, new FakeCache(ORIGIN)).get(name),
      keys: async () => [...stores.keys()],
      delete: async (name) => stores.delete(name),
    };
    const self = {
      location: { origin: ORIGIN },
      addEventListener: (name, listener) => (this.listeners[name] = listener),
      skipWaiting: async () => (this.skips += 1),
      clients: { claim: async () => undefined },
    };
    const fetch = async (request) => {
      const { pathname } = new URL(typeof request === 'string' ? request : request.url, ORIGIN);
      this.requested.push(pathname);
      if (!this.files) throw new TypeError('no network');
      const body = this.files[pathname];
      return new Response(body ?? 'missing', { status: body === undefined ? 404 : 200 });
    };
    const globals = { self, caches, fetch, Response, Request, Headers, URL, setTimeout };
    vm.runInNewContext(`const PORTICO={"version":"1","base":"/start","files":[]};\n${WORKER}`, globals);
  }

  async fire(name, event = {}) {
    const work = [];
    this.listeners[name]({ waitUntil: (promise) => work.push(promise), ...event });
    await Promise.all(work);
  }

  /** The worker's answer; undefined if it leaves the request to the browser. */
  async get(path, mode = 'navigate') {
    let answer;
    const request = { url: ORIGIN + path, method: 'GET', mode, headers: new Headers() };
    this.listeners.fetch({ request, respondWith: (promise) => (answer = promise) });
    return answer;
  }

  text = async (path) => (await this.get(path)).text();
  get kept() {
    const kept = [...(this.stores.get('portico /start/ export')?.kept.keys() ?? [])].map((address) => address.slice(ORIGIN.length));
    return kept.filter((path) => path !== '/start/trees').sort();
  }
}

/** The files of an export in two languages; the texts of its pages end with `version`. */
function exported(version, pages = { '': 'start', 'home/media/': 'media' }) {
  const hashes = (names) => Object.fromEntries(names.map((name) => [name, `${name}${version}`]));
  const lists = {
    files: { 'main-0123456789abcdef.css': '', '404.html': '1', 'icons/a%20b.svg': '1' },
    pages: hashes(Object.keys(pages)),
    'pages-de': hashes(['de/']),
  };
  const files = { 'main-0123456789abcdef.css': 'css', '404.html': 'not found', 'icons/a%20b.svg': 'svg', 'de/': `Start${version}` };
  for (const [name, text] of Object.entries(pages)) files[name] = text + version;
  for (const [name, list] of Object.entries(lists)) files[`offline/${name}.json`] = JSON.stringify(list);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`/start/${name}`, text]));
}

async function installed() {
  const browser = new Browser();
  browser.files = exported(1);
  browser.stores.set('portico /start/ program', new FakeCache(ORIGIN));
  await browser.fire('install');
  await browser.fire('activate');
  return browser;
}

const SHARED = ['/start/icons/a%20b.svg', '/start/main-0123456789abcdef.css'];

test('the shared files and the pages of the first language are kept, those of others once they are used', async () => {
  const browser = await installed();
  assert.equal(browser.skips, 1);
  // Caches of a server that was here before are gone.
  assert.deepEqual([...browser.stores.keys()], ['portico /start/ export']);
  assert.deepEqual(browser.kept, ['/start/', '/start/404.html', '/start/home/media/', ...SHARED]);
  await browser.fire('message', { data: { tree: 'de' } });
  assert.ok(browser.kept.includes('/start/de/'));
});

test('without a network all pages open', async () => {
  const browser = await installed();
  await browser.fire('message', { data: { tree: 'de' } });
  browser.files = null;
  for (const [path, text] of [
    ['/start/', 'start1'],
    ['/start/home/media', 'media1'],
    ['/start/home/media/index.html', 'media1'],
    ['/start/de/?from=bookmark', 'Start1'],
    ['/start/icons/a%20b.svg', 'svg'],
  ]) {
    assert.equal(await browser.text(path), text, path);
  }
  const unknown = await browser.get('/start/nowhere');
  assert.deepEqual([unknown.status, await unknown.text()], [404, 'not found']);
  await assert.rejects(browser.get('/start/nowhere.png', 'no-cors'), TypeError);
  assert.equal(await browser.get('/other/'), undefined);
});

test('with a network pages come from there, and files that never change from the copies', async () => {
  const browser = await installed();
  browser.files['/start/'] = 'newer';
  browser.requested.length = 0;
  assert.equal(await browser.text('/start/'), 'newer');
  assert.equal(await browser.text('/start/main-0123456789abcdef.css'), 'css');
  assert.deepEqual(browser.requested, ['/start/']);
});

test('a new export replaces what has changed, and deletes what is gone', async () => {
  const browser = await installed();
  await browser.fire('message', { data: { tree: 'de' } });
  browser.files = null;
  await assert.rejects(browser.fire('install'), TypeError);
  assert.equal(await browser.text('/start/'), 'start1');
  browser.files = exported(2, { '': 'start' });
  browser.requested.length = 0;
  await browser.fire('install');
  assert.deepEqual(browser.kept, ['/start/', '/start/404.html', '/start/de/', ...SHARED]);
  assert.deepEqual(browser.requested.filter((path) => SHARED.includes(path)), []);
  browser.files = null;
  assert.equal(await browser.text('/start/de/'), 'Start2');
});

/**
 * Where a page of an export in English, German and traditional Chinese goes, and what is stored then. `file` is its path below the
 * folder of each language, and `here` the path of its address if that is another one.
 */
function choose(languages, { stored, nearest = true, storage = true, file = 'home', here = `/start/${file}` } = {}) {
  const table = { en: 'en', 'en-latn': 'en', de: 'de', 'de-latn': 'de', zh: 'zh-TW', 'zh-hant': 'zh-TW', 'zh-*': 'zh-TW', 'zh-us': 'en', '~lb': 'de' };
  const kept = new Map(stored ? [['porticoLanguage /start/', stored]] : []);
  const forbidden = () => {
    throw new Error('forbidden');
  };
  const state = { kept: () => kept.get('porticoLanguage /start/'), listeners: {} };
  const path = (code) => `/start/${code === 'en' ? '' : `${code}/`}${file}`;
  const links = ['en', 'de', 'zh-TW'].map((hreflang) => ({ hreflang, href: ORIGIN + path(hreflang), getAttribute: () => path(hreflang) }));
  const dataset = { base: '/start', ...(nearest && { nearest: JSON.stringify(table) }) };
  vm.runInNewContext(LANGUAGE, {
    document: { currentScript: { dataset }, querySelectorAll: () => links },
    navigator: { languages },
    localStorage: storage ? { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) } : { getItem: forbidden, setItem: forbidden },
    location: {
      search: '?q',
      hash: '#h',
      replace: (address) => (state.went = address),
      get href() {
        return `${ORIGIN}${here}?q#h`;
      },
      set href(address) {
        state.went = address;
      },
    },
    addEventListener: (name, listener) => (state.listeners[name] = listener),
  });
  return state;
}

test('a browser gets the nearest language once, and keeps it', () => {
  for (const [languages, code] of [
    [['de-AT', 'en'], 'de'],
    [['en-AU', 'de'], 'en'],
    [['zh-HK'], 'zh-TW'],
    [['zh-Hant-US'], 'zh-TW'],
    [['zh-US'], 'en'],
    [['ja', 'de-Latn-CH'], 'de'],
    [['de-Brai', 'zh_TW'], 'zh-TW'],
    // What they mostly read comes after what they name.
    [['lb', 'zh'], 'zh-TW'],
    [['lb-LU'], 'de'],
    [['ja'], undefined],
  ]) {
    const { went, kept } = choose(languages);
    assert.equal(kept(), code, String(languages));
    assert.equal(went, code && code !== 'en' ? `${ORIGIN}/start/${code}/home?q#h` : undefined, String(languages));
  }
  assert.equal(choose(['de'], { stored: 'en' }).went, undefined);
  assert.equal(choose(['en'], { stored: 'de' }).went, `${ORIGIN}/start/de/home?q#h`);
  // The export has that language no longer.
  assert.equal(choose(['de'], { stored: 'fr' }).kept(), 'de');
  // A link to another language shows that one, and without storage a page would come back again and again.
  assert.equal(choose(['de'], { nearest: false }).went, undefined);
  assert.equal(choose(['de'], { storage: false }).went, undefined);
});

test('the page for unknown addresses goes to the language of the address, and then to that of the browser', () => {
  const unknown = (languages, here, stored) => choose(languages, { file: '404.html', here, stored });
  const inGerman = `${ORIGIN}/start/de/404.html?q#h`;
  assert.equal(unknown(['en'], '/start/de/nowhere/at/all').went, inGerman);
  assert.equal(unknown(['en'], '/start/de/nowhere').kept(), undefined);
  assert.equal(unknown(['de'], '/start/nowhere').went, inGerman);
  assert.equal(unknown(['en'], '/start/nowhere', 'de').went, inGerman);
  assert.equal(unknown(['en'], '/start/nowhere').went, undefined);
  // The web server or the offline copy has no such file.
  assert.equal(unknown(['de'], '/start/de/404.html').went, undefined);
});

test('a choice in the options is kept', () => {
  const state = choose(['de'], { stored: 'en' });
  state.listeners.change({ target: { id: 'another', value: '/start/de/home' } });
  assert.deepEqual([state.went, state.kept()], [undefined, 'en']);
  state.listeners.change({ target: { id: 'exported-languages', value: '/start/zh-TW/home' } });
  assert.deepEqual([state.went, state.kept()], ['/start/zh-TW/home?q#h', 'zh-TW']);
});
