// The offline worker. The server puts its settings in front, as `PORTICO` (see `scripts.rs`).
//
// While the server responds, the worker passes pages and panels through and keeps copies of them; everything else it
// leaves to the browser. When the server does not respond, the worker shows the copies. Each response says for whom and
// how long it may be kept (`portico-copy`); a response without this header is not kept. The copies of one session are
// in one cache, which is deleted as soon as the session ends or another one begins.

/** @import { AddRoutes, Kept, Message, Session } from './types' */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { version, base, files } = PORTICO;

/** The prefix of the names of all our caches. Another dashboard on this origin has another prefix. */
const OURS = `portico ${base}/ `;
/** The program's own files, the same for everybody. */
const PROGRAM = `${OURS}program`;
/** The cache that says to whom the copies belong. */
const META = `${OURS}meta`;
const WHO = `${base}/who`;
/** @param {string} key */
const cacheOf = (key) => `${OURS}of ${key}`;
/** A cookie that exists while the browser is open, for sessions that end with it. Dashboards on other ports have their own. */
const COOKIE = `portico-copy-${worker.location.port}`;

/** The headers that we add to copies: the time of arrival, and the size in bytes. */
const AT = 'portico-at';
const BYTES = 'portico-bytes';

const MAX_BYTES = 50 * 1024 * 1024;
const MAX_COPY = 5 * 1024 * 1024;
/** How many milliseconds a page and a panel may take if there is a copy. */
const PAGE_LIMIT = 3_000;
const PANEL_LIMIT = 8_000;
/** For how many milliseconds a server that did not respond counts as away: panels do not wait for it, and files come from
 * copies. */
const AWAY = 10_000;
const AWAY_FOR_FILES = 60_000;
const DAY = 24 * 3_600_000;
/** After this many internal failures the worker removes itself. */
const MAX_FAILURES = 3;

/** Undefined until it has been read; null for nobody. @type {Session | null | undefined} */
let session;
/** Responses to requests from before this moment belong to somebody else. */
let since = 0;
/** Sessions that were signed out; responses still in transit for them are not kept. @type {Set<string>} */
const ended = new Set();
let lostAt = 0;
let failures = 0;
/** Whether this worker has been removed; it runs until its last tab is closed. */
let isGone = false;

/** @param {string} pathname */
const below = (pathname) => (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null);
/** @param {string} path */
const isPage = (path) => /^\/((home|minimal|workspace)(\/.*)?)?$/.test(path);
/** Program files, and the pictures, fonts and style sheets of pages. @param {string} path */
const isFile = (path) =>
  isProgram(path) || (/^\/(icons|item-icons|widget-picture)\/|\.(avif|css|gif|ico|jpe?g|otf|png|svg|ttf|webp|woff2?)$|^\/manifest\.json$/i.test(path) && !/^\/api\//.test(path));
/** @param {string} path */
const isProgram = (path) => files.includes(path.slice(1));
/** The name of a file without its hash. @param {string} name */
const stem = (name) => name.replace(/-[0-9a-f]{10,16}(?=[._])/, '');

// --- Owner of the copies ---

async function current() {
  if (session === undefined) {
    const kept = await caches.match(WHO, { cacheName: META }).then((found) => found?.json(), () => null);
    session ??= kept ?? null;
  }
  return session;
}

/**
 * Notes whom a response is for. `began` is the time of the request.
 * @param {Response} response
 * @param {number} began
 * @returns {Promise<boolean>} whether it may be kept
 */
async function admit(response, began) {
  const told = response.headers.get('portico-copy');
  if (isGone || !told || told === 'none') return false;
  const before = await current();
  if (began < since) return false;
  const [key = '', ...terms] = told.split('; ');
  if (ended.has(key)) return false;
  const seconds = terms.find((term) => term.startsWith('max-age='))?.slice(8);
  const now = Date.now();
  /** @type {Session} */
  const next = { key, told: now, until: seconds ? now + Number(seconds) * 1000 : null, whileOpen: terms.includes('while-open') };
  const isSame = before?.key === key;
  if (!isSame) {
    await wipe();
    since = began;
  }
  session = next;
  if (!isSame || now - before.told > 60_000) {
    const meta = await caches.open(META);
    await meta.put(WHO, new Response(JSON.stringify(next)));
    if (next.whileOpen) await worker.cookieStore?.set({ name: COOKIE, value: key, path: `${base}/`, sameSite: 'strict' });
  }
  return true;
}

/** The copies that may be shown now. */
async function copies() {
  const who = await current();
  if (!who) return null;
  const now = Date.now();
  // If the clock was set back, the times are useless.
  let isOver = (who.until !== null && now >= who.until) || now < who.told - DAY;
  if (who.whileOpen) {
    const cookie = await worker.cookieStore?.get(COOKIE).catch(() => null);
    isOver ||= cookie?.value !== who.key;
  }
  if (isOver) {
    await wipe();
    return null;
  }
  return caches.open(cacheOf(who.key));
}

/** Deletes all copies of the session. */
async function wipe() {
  session = null;
  since = Date.now();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(cacheOf('')) || name === META).map((name) => caches.delete(name)));
  // Its existence distinguishes this worker from others at the same address.
  if (!isGone) await caches.open(META);
  await worker.cookieStore?.delete({ name: COOKIE, path: `${base}/` }).catch(() => undefined);
}

/** Ends the session, unless somebody else has signed in since. @param {number} began */
async function end(began) {
  if (began >= since) await wipe();
}

// --- Keeping ---

/**
 * @param {string} cache its name
 * @param {string} address
 * @param {Response} response
 * @param {number} at the time of arrival
 */
async function keep(cache, address, response, at) {
  const body = await response.blob().catch(() => null);
  if (!body || body.size > MAX_COPY) return;
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set(AT, String(at));
  headers.set(BYTES, String(body.size));
  const put = async () => {
    // After a sign-out, or the removal of the worker, nothing may be left behind.
    if (isGone) return;
    if (cache !== PROGRAM && cache !== (session && cacheOf(session.key))) return;
    await (await caches.open(cache)).put(address, new Response(body, { headers }));
  };
  try {
    await put();
  } catch {
    // The disk is full, or our share of it.
    await trim(MAX_BYTES / 2);
    await put().catch(() => undefined);
  }
}

/** Deletes the least recently used copies, until the rest has at most this many bytes. @param {number} limit */
async function trim(limit) {
  /** @type {Kept[]} */
  const all = [];
  for (const name of (await caches.keys()).filter((name) => name === PROGRAM || name.startsWith(cacheOf('')))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const headers = (await cache.match(request, { ignoreVary: true }))?.headers;
      all.push({ cache, request, at: Number(headers?.get(AT)), bytes: Number(headers?.get(BYTES)) });
    }
  }
  let bytes = all.reduce((sum, kept) => sum + kept.bytes, 0);
  for (const kept of all.sort((one, other) => one.at - other.at)) {
    if (bytes <= limit) return;
    await kept.cache.delete(kept.request, { ignoreVary: true });
    bytes -= kept.bytes;
  }
}

/**
 * Keeps the files of a page, without requesting anything that the browser still has.
 * @param {string | null} path of a page that was loaded before there was a worker
 * @param {number} at when the page was loaded
 * @param {string[]} addresses the files that the page has loaded
 */
async function keepAll(path, at, addresses) {
  if (path && isPage(path)) {
    const began = Date.now();
    const response = await stored(base + path).catch(() => fetch(base + path));
    if (response.ok && (await admit(response, began)) && session) await keep(cacheOf(session.key), base + path, response, at);
  }
  const who = await current();
  for (const address of addresses) {
    const { origin, pathname } = new URL(address, worker.location.href);
    const file = origin === worker.location.origin ? below(pathname) : null;
    if (!file || !isFile(file)) continue;
    const name = isProgram(file) ? PROGRAM : who && cacheOf(who.key);
    if (!name) continue;
    const kept = await caches.match(address, { cacheName: name, ignoreVary: true });
    if (kept && Date.now() - Number(kept.headers.get(AT)) < DAY) continue;
    const response = await stored(address).catch(() => (isProgram(file) ? fetch(address) : null));
    if (response?.ok) await keep(name, address, response, Date.now());
  }
  await trim(MAX_BYTES);
}

/** What the browser has cached for an address, without a request. @param {string} address */
const stored = (address) => fetch(address, { cache: 'only-if-cached', mode: 'same-origin' });

// --- Answering ---

/**
 * The server's response to a navigation, which the browser requested while it was starting the worker. It has to be used
 * here: if the navigation were left to the browser, it would send a second request.
 * @param {FetchEvent} event
 */
const fromServer = async (event) => /** @type {Response | undefined} */ (await event.preloadResponse) ?? fetch(event.request);

/**
 * A page: from the server, or the copy if the server does not respond in time.
 * @param {FetchEvent} event
 * @param {string} path
 */
async function page(event, path) {
  const began = Date.now();
  const network = fromServer(event);
  const judged = network.then((response) => judge(event, path, response, began), () => undefined);
  event.waitUntil(judged.catch(() => undefined));
  const inTime = await Promise.race([judged, pause(PAGE_LIMIT)]);
  if (inTime) return inTime;
  // If the landing page is another view, its address redirects there.
  const landing = async () => (path === '/' ? (await pageCopy('/minimal')) ?? pageCopy('/workspace') : undefined);
  const copy = (await pageCopy(path)) ?? (await landing());
  if (copy) {
    lostAt = Date.now();
    return copy;
  }
  return (await judged) ?? network.catch(() => unknownPage());
}

/**
 * Evaluates the response for a page; undefined for a response that is not the server's.
 * @param {FetchEvent} event
 * @param {string} path
 * @param {Response} response
 * @param {number} began
 */
async function judge(event, path, response, began) {
  // The landing page may redirect to another view. The worker cannot see where, so it follows the redirect itself.
  if (response.type === 'opaqueredirect' && path === '/' && (await leadsToView())) return response;
  const told = response.headers.get('portico-copy');
  const { status } = response;
  // Our server always sends the header, so this response comes from a proxy in front of it.
  if (told === null && (status >= 500 || status === 404)) return undefined;
  lostAt = 0;
  const { searchParams, search } = new URL(event.request.url);
  if (told === null || status === 401 || status === 403) {
    // The return from an identity provider is a redirect as well.
    if (!searchParams.has('state')) await end(began);
  } else if ((await admit(response, began)) && session && !search) {
    event.waitUntil(keep(cacheOf(session.key), base + path, response.clone(), Date.now()));
  }
  return response;
}

/** Whether the landing page redirects to one of our own pages, not to a login. */
async function leadsToView() {
  const response = await fetch(`${base}/`).catch(() => undefined);
  return !!response?.headers.get('portico-copy') && response.ok && isPage(below(new URL(response.url).pathname) ?? '');
}

/** The copy of a page, marked as such. @param {string} path */
async function pageCopy(path) {
  const cache = await copies();
  const kept = await cache?.match(base + path, { ignoreVary: true });
  if (!cache || !kept) return undefined;
  const html = await kept.text().catch(() => '');
  const place = html.indexOf('<main');
  if (place < 0) {
    // It is damaged, and can only be fetched again.
    await cache.delete(base + path, { ignoreVary: true });
    return undefined;
  }
  const language = /<html[^>]* lang="([^"]*)"/.exec(html)?.[1];
  // The page brings the texts of its language along.
  const texts = JSON.parse((/ data-texts="([^"]*)"/.exec(html)?.[1] ?? '{}').replaceAll('&quot;', '"'));
  /** @param {string} text @returns {string} */
  const t = (text) => texts[text] ?? text;
  const notice =
    `<div class="notices" id="offline-notice"><div class="notice" role="status"><strong>${t('Offline, as of {time}').replace('{time}', time(Number(kept.headers.get(AT)), language))}</strong>` +
    `<p>${t('The server of this dashboard cannot be reached. What you see is from then; it is refreshed as soon as the server is back.')}</p></div></div>`;
  return new Response(html.slice(0, place) + notice + aged(html.slice(place), language, t), { headers: kept.headers });
}

/**
 * Adds the age of each panel to a page. Once the page's bundle has started, it requests newer panels for stale ones.
 * @param {string} html
 * @param {string | undefined} language
 * @param {(text: string) => string} t gives a text in the language of the page
 */
const aged = (html, language, t) =>
  html.replaceAll(
    /data-state="(?:content|stale)"( data-version="\d+" data-at="(\d+)"(?:(?! data-state=")[^])*?<span class="widget-age">)[^]*?<\/span>/g,
    (_, panel, at) => `data-state="stale"${panel}${t('Last update {time}.').replace('{time}', time(Number(at), language))} </span>`,
  );

/** A time today, or a date and a time. @param {number} at @param {string | undefined} language */
function time(at, language) {
  const date = new Date(at);
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { hour: '2-digit', minute: '2-digit' };
  if (date.toDateString() !== new Date().toDateString()) Object.assign(style, { day: 'numeric', month: 'long', year: 'numeric' });
  try {
    return date.toLocaleString(language === 'en' ? undefined : language, style);
  } catch {
    return date.toLocaleString(undefined, style);
  }
}

/** The page that is shown if there is no copy. */
function unknownPage() {
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Offline</title>' +
    '<h1>Offline</h1><p>The server of this dashboard cannot be reached, and this device has no copy of the page.</p>' +
    `<p><a href="">Try again</a> <a href="${base}/">To the start page</a></p></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" };
  return new Response(html, { status: 503, headers });
}

/**
 * A panel, or the items of other pages for the search.
 * @param {FetchEvent} event
 * @param {URL} url
 */
async function panel(event, url) {
  const began = Date.now();
  const seen = url.searchParams.get('seen');
  const address = new URL(url);
  for (const name of ['seen', 'force']) address.searchParams.delete(name);
  const key = address.pathname + address.search;
  const copy = async () => (await panelCopy(key, seen)) ?? panelOfPage(url.searchParams);
  if (began - lostAt < AWAY) {
    const known = await copy();
    if (known) return known;
  }
  // The redirect of a login is not followed; that there is one is enough.
  const network = fetch(event.request, { redirect: 'manual' });
  const judged = network.then(async (response) => {
    const told = response.headers.get('portico-copy');
    const { status, type } = response;
    if (told === null && (status >= 500 || status === 404)) return undefined;
    lostAt = 0;
    if (type === 'opaqueredirect' || told === null || status === 401 || status === 403) {
      await end(began);
      return type === 'opaqueredirect' ? Response.error() : response;
    }
    if ((await admit(response, began)) && session) event.waitUntil(keepPanel(cacheOf(session.key), key, response.clone()));
    return response;
  }, () => undefined);
  event.waitUntil(judged.catch(() => undefined));
  const inTime = await Promise.race([judged, pause(PANEL_LIMIT)]);
  if (inTime) return inTime;
  lostAt = Date.now();
  return (await copy()) ?? (await judged) ?? network;
}

/**
 * Keeps a panel. An unchanged panel comes without markup, which is then taken from the copy.
 * @param {string} cache
 * @param {string} key
 * @param {Response} response
 */
async function keepPanel(cache, key, response) {
  const answer = await response.json();
  if (answer.state && answer.html === undefined) {
    const before = await caches.match(key, { cacheName: cache, ignoreVary: true }).then((kept) => kept?.json(), () => null);
    if (before?.version === answer.version) answer.html = before.html;
  }
  await keep(cache, key, new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } }), Date.now());
}

/**
 * The copy of a panel, with its age.
 * @param {string} key
 * @param {string | null} seen the version that the page shows
 */
async function panelCopy(key, seen) {
  const kept = await (await copies())?.match(key, { ignoreVary: true });
  const answer = await kept?.json().catch(() => null);
  if (!answer) return undefined;
  if (!answer.state) return Response.json(answer);
  if (!['content', 'stale'].includes(answer.state)) return undefined;
  const isSeen = String(answer.version) === seen;
  if (isSeen) delete answer.html;
  else if (answer.html === undefined) return undefined;
  return Response.json({ ...answer, state: 'stale', note: 'Offline.', next: 20 });
}

/**
 * The age of a panel that has not been requested since it came with its page.
 * @param {URLSearchParams} query
 */
async function panelOfPage(query) {
  const page = query.get('page') ?? 'home';
  const kept = await (await copies())?.match(base + (page === 'home' ? '/' : `/home/${page}`), { ignoreVary: true });
  const html = (await kept?.text().catch(() => '')) ?? '';
  const place = html.indexOf(`data-widget="${query.get('section')}-${query.get('widget')}"`);
  const [, version, at] = (place >= 0 && /^[^]*?data-version="(\d+)" data-at="(\d+)"/.exec(html.slice(place).split('</article>', 1)[0] ?? '')) || [];
  if (!version || version !== query.get('seen')) return undefined;
  return Response.json({ state: 'stale', version: Number(version), at: Number(at), note: 'Offline.', next: 20 });
}

/** A file while the server is away. @param {Request} request */
async function file(request) {
  const program = await caches.match(request, { cacheName: PROGRAM, ignoreVary: true });
  return program ?? (await (await copies())?.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** @param {number} milliseconds @returns {Promise<undefined>} */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Our response, or that of the server if we fail. A worker that fails repeatedly removes itself.
 * @param {FetchEvent} event
 * @param {() => Promise<Response>} answer
 */
async function guarded(event, answer) {
  try {
    return await answer();
  } catch (error) {
    // There was no response; the browser reports that.
    if (error instanceof TypeError) throw error;
    await failed();
    return fetch(event.request);
  }
}

async function failed() {
  failures += 1;
  if (failures >= MAX_FAILURES) await remove();
}

/** Removes this worker and everything that it has kept. */
async function remove() {
  isGone = true;
  session = null;
  since = Date.now();
  await worker.registration.unregister();
  const names = await caches.keys().catch(() => []);
  await Promise.all(names.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name)));
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const path = url.origin === worker.location.origin ? below(url.pathname) : null;
  if (path === null || request.headers.has('range') || request.headers.get('accept')?.includes('text/event-stream')) return;
  if (request.method === 'POST' && /^\/(logout|fn\/sign-out)$/.test(path)) {
    event.waitUntil(signOut(event.clientId));
  } else if (request.method !== 'GET') {
    return;
  } else if (request.mode === 'navigate') {
    event.respondWith(isPage(path) ? guarded(event, () => page(event, path)) : fromServer(event).catch(() => unknownPage()));
  } else if (path === '/fn/panel' || path === '/fn/items-elsewhere') {
    event.respondWith(guarded(event, () => panel(event, url)));
  } else if (Date.now() - lostAt < AWAY_FOR_FILES && isFile(path)) {
    event.respondWith(guarded(event, () => file(request)));
  }
});

/** Handles a sign-out, and tells the other tabs. @param {string} [except] the tab in which it happens */
async function signOut(except) {
  const who = await current();
  if (who) ended.add(who.key);
  await wipe();
  await tell('signed out', except);
}

/** @param {string} what @param {string} [except] */
async function tell(what, except) {
  const clients = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const client of clients) {
    if (client.id !== except && client.url.startsWith(worker.registration.scope)) client.postMessage(what);
  }
}

worker.addEventListener('message', (event) => {
  const message = /** @type {Message} */ (event.data);
  if (message.type === 'version') event.ports[0]?.postMessage(version);
  if (message.type === 'keep') event.waitUntil(keepAll(message.path, message.at, message.files).catch(failed));
  if (message.type === 'remove') event.waitUntil(remove());
  if (message.type === 'wipe') event.waitUntil(wipe());
  if (message.type === 'sign out') event.waitUntil(signOut(event.source && 'id' in event.source ? event.source.id : undefined));
  if (message.type === 'take over') {
    event.waitUntil((message.asked ? tell('refresh') : Promise.resolve()).then(() => worker.skipWaiting()));
  }
});

/** Whether the previous worker belonged to another program. */
const followsAnother = async () => Boolean(worker.registration.active) && !(await caches.has(META).catch(() => true));

/**
 * Lets browsers that support it (`InstallEvent.addRoutes` of the service worker specification) request a page, and
 * the files for its first paint, while they start this worker: starting it takes as long as a paint. The first response
 * is used;
 * a failure never wins. A `fetch` of the same request here gets the same response, so the server is
 * asked only once.
 * @param {ExtendableEvent & { addRoutes?: AddRoutes }} event
 */
async function race(event) {
  /** @type {Record<string, string>[]} */
  const conditions = [{ requestMode: 'navigate' }, { requestDestination: 'style' }, { requestDestination: 'font' }];
  const source = 'race-network-and-fetch-handler';
  await event.addRoutes?.(conditions.map((condition) => ({ condition: { requestMethod: 'GET', ...condition }, source })));
}

worker.addEventListener('install', (event) => {
  // Without this everything works, a little later.
  event.waitUntil(race(event).catch(() => undefined));
  event.waitUntil(
    (async () => {
      // Its pages are not ours, and would stay until the last tab is closed.
      if (await followsAnother()) await worker.skipWaiting();
      // New versions of the files that this browser has used; other files are kept when a page uses them.
      const before = await caches.open(PROGRAM);
      const used = new Set((await before.keys()).map((request) => stem(below(new URL(request.url).pathname) ?? '')));
      for (const name of files.filter((name) => used.has(stem(`/${name}`)))) {
        const address = `${base}/${name}`;
        if (await before.match(address, { ignoreVary: true })) continue;
        const response = await fetch(address);
        if (response.ok) await keep(PROGRAM, address, response, Date.now());
      }
    })().catch(() => undefined),
  );
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const isForeign = !(await caches.has(META).catch(() => true));
      const names = await caches.keys().catch(() => []);
      const foreign = names.filter((name) => name.startsWith('workbox-') && name.endsWith(worker.registration.scope));
      await Promise.all(foreign.map((name) => caches.delete(name)));
      await caches.open(META).catch(() => undefined);
      await worker.registration.navigationPreload?.enable().catch(() => undefined);
      await worker.clients.claim();
      if (isForeign && foreign.length > 0) {
        // Not awaited: this worker answers these requests once it is active.
        for (const client of await worker.clients.matchAll({ type: 'window' })) client.navigate(client.url).catch(() => null);
      }
    })(),
  );
});
