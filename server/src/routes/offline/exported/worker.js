// The offline worker of a static export. The export puts its settings in front, as `PORTICO`; their version changes with every file.
//
// It keeps the files that all languages share and the pages of the languages that this browser has opened, as the lists in
// `offline/` name them. Files with a hash in their names come from the copies; everything else comes from the web server, and from
// the copies if that does not respond in time.

import { noteLost, noteReached, pause, wasLostWithin } from '../worker/server.js';
import { base, below, worker } from '../worker/scope.js';

/** The prefix of all caches for this address, also those of a server that was here before. */
const OURS = `portico ${base}/ `;
const CACHE = `${OURS}export`;
/** The header with the hash of a copy; it is empty for a file that never changes. */
const HASH = 'portico-hash';
/** Where the names of the languages are kept. */
const TREES = `${base}/trees`;
/** How many milliseconds a file may take if there is a copy, and how long a server that was too slow is not asked. */
const LIMIT = 3_000;
const AWAY = 10_000;
/** How many files are fetched at a time. */
const AT_ONCE = 4;

/** The languages whose pages are kept, by their folders; the first language has none. @returns {Promise<string[]>} */
async function keptTrees() {
  const kept = await (await caches.open(CACHE)).match(TREES);
  return kept?.json() ?? [''];
}

/** A list of files. @param {string} name @returns {Promise<Record<string, string>>} */
async function list(name) {
  const response = await fetch(`${base}/offline/${name}.json`, { cache: 'no-cache' });
  // A new export may have fewer languages.
  return response.ok ? response.json() : {};
}

/** Fetches what is new, and deletes what is gone. Throws if the server does not respond. @param {string[]} trees */
async function update(trees) {
  const lists = await Promise.all(['files', ...trees.map((tree) => (tree ? `pages-${tree}` : 'pages'))].map(list));
  /** @type {Record<string, string>} */
  const wanted = Object.assign({}, ...lists);
  const cache = await caches.open(CACHE);
  const names = Object.keys(wanted);
  const keepSome = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await keep(cache, `${base}/${name}`, wanted[name] ?? '');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepSome));
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== TREES && !(pathname.slice(base.length + 1) in wanted)) await cache.delete(request);
  }
}

/** Keeps a file, unless there is a copy with this hash. @param {Cache} cache @param {string} address @param {string} hash */
async function keep(cache, address, hash) {
  if ((await cache.match(address))?.headers.get(HASH) === hash) return;
  const response = await fetch(address, { cache: 'no-cache' });
  if (!response.ok) return;
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set(HASH, hash);
  // A new response, because one after a redirect cannot answer a navigation.
  await cache.put(address, new Response(await response.blob(), { headers }));
}

/** The copy of a file, or of the page in a folder. @param {string} path */
async function copy(path) {
  const cache = await caches.open(CACHE);
  const folder = path.replace(/(^|\/)index\.html$/, '$1');
  return (await cache.match(folder)) ?? cache.match(`${folder}/`);
}

/** @param {Request} request @param {string} path */
async function answer(request, path) {
  const kept = await copy(path);
  if (kept?.headers.get(HASH) === '' || (kept && wasLostWithin(AWAY))) return kept;
  const network = fetch(request);
  const response = await Promise.race([network.catch(() => undefined), kept ? pause(LIMIT) : network.catch(() => undefined)]);
  if (response && response.status < 500) {
    noteReached();
    return response;
  }
  noteLost();
  if (kept) return kept;
  const unknown = request.mode === 'navigate' && (await copy(`${base}/404.html`));
  return unknown ? new Response(unknown.body, { status: 404, headers: unknown.headers }) : network;
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin || below(pathname) === null || request.headers.has('range')) return;
  event.respondWith(answer(request, pathname));
});

/** Keeps the pages of a language from now on. @param {string} tree */
async function addTree(tree) {
  const trees = await keptTrees();
  if (trees.includes(tree)) return;
  await update([...trees, tree]);
  await (await caches.open(CACHE)).put(TREES, Response.json([...trees, tree]));
}

worker.addEventListener('message', (event) => {
  const { data } = /** @type {{ data: { tree: string } }} */ (event);
  // The next page that is opened sends it again.
  event.waitUntil(addTree(data.tree).catch(() => undefined));
});

worker.addEventListener('install', (event) => {
  event.waitUntil(keptTrees().then(update).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
      await Promise.all(others.map((name) => caches.delete(name)));
      await worker.clients.claim();
    })(),
  );
});
