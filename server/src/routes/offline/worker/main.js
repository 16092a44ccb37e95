// The offline worker. The server puts its settings in front, as `PORTICO` (see `scripts.rs`).
//
// While the server responds, the worker passes pages and panels through and keeps copies of them; everything else it
// leaves to the browser. When the server does not respond, the worker shows the copies. Each response says for whom and
// how long it may be kept (`portico-copy`); a response without this header is not kept.

/** @import { AddRoutes, Message } from '../types' */

import { keep, keepAll } from './copies.js';
import { page, unknownPage } from './pages.js';
import { panel } from './panels.js';
import { base, below, files, isFile, isPage, stem, version, worker } from './scope.js';
import { AWAY_FOR_FILES, fromServer, wasLostWithin } from './server.js';
import { META, PROGRAM, copies, endSignedOut, removeWorker, wipe } from './session.js';
import { keepWords } from './words.js';

/** After this many internal errors the worker removes itself. */
const MAX_FAILURES = 3;

let failures = 0;

/** A file while the server is away. @param {Request} request */
async function file(request) {
  const program = await caches.match(request, { cacheName: PROGRAM, ignoreVary: true });
  return program ?? (await (await copies())?.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * The worker's response, or the server's if the worker has an internal error. After several errors it removes itself.
 * @param {FetchEvent} event
 * @param {() => Promise<Response>} answer
 */
async function guarded(event, answer) {
  try {
    return await answer();
  } catch (error) {
    // The network failed, which the browser reports.
    if (error instanceof TypeError) throw error;
    await noteError();
    return fetch(event.request);
  }
}

async function noteError() {
  failures += 1;
  if (failures >= MAX_FAILURES) await removeWorker();
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
  } else if (wasLostWithin(AWAY_FOR_FILES) && isFile(path)) {
    event.respondWith(guarded(event, () => file(request)));
  }
});

/** Handles a sign-out, and notifies the other tabs. @param {string} [except] the id of the tab that signs out */
async function signOut(except) {
  await endSignedOut();
  await notify('signed out', except);
}

/** Sends a message to all tabs. @param {string} message @param {string} [except] the id of a tab that does not get it */
async function notify(message, except) {
  const clients = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const client of clients) {
    if (client.id !== except && client.url.startsWith(worker.registration.scope)) client.postMessage(message);
  }
}

worker.addEventListener('message', (event) => {
  const message = /** @type {Message} */ (event.data);
  if (message.type === 'version') event.ports[0]?.postMessage(version);
  if (message.type === 'keep') {
    // A page that was opened while this worker became active missed its `claim`, and would stay without a worker until it is reloaded.
    if (message.path !== null) event.waitUntil(worker.clients.claim().catch(() => undefined));
    const kept = keepWords(message.words).then(() => keepAll(message.path, message.at, message.files)).catch(noteError);
    event.waitUntil(kept.then(() => event.ports[0]?.postMessage('kept')));
  }
  if (message.type === 'remove') event.waitUntil(removeWorker());
  if (message.type === 'wipe') event.waitUntil(wipe());
  if (message.type === 'sign out') event.waitUntil(signOut(event.source && 'id' in event.source ? event.source.id : undefined));
  if (message.type === 'take over') {
    event.waitUntil((message.requested ? notify('refresh') : Promise.resolve()).then(() => worker.skipWaiting()));
  }
});

/** Whether this worker replaces that of another program. */
const replacesForeign = async () => Boolean(worker.registration.active) && !(await caches.has(META).catch(() => true));

/**
 * Lets browsers with `InstallEvent.addRoutes` (service worker specification) load fonts without this worker: they never
 * change, so they come from the browser's own cache, also offline. If one has left that cache, text has a local font while
 * offline. Pages go through the worker, with navigation preload: racing the worker against the network
 * (`race-network-and-fetch-handler`) makes the first paint of later visits half a frame later.
 * @param {ExtendableEvent & { addRoutes?: AddRoutes }} event
 */
async function addRoutes(event) {
  await event.addRoutes?.([{ condition: { requestMethod: 'GET', requestDestination: 'font' }, source: 'network' }]);
}

worker.addEventListener('install', (event) => {
  // An optimization: everything works without it.
  event.waitUntil(addRoutes(event).catch(() => undefined));
  event.waitUntil(
    (async () => {
      // The open pages are not ours, and the old worker would serve them until the last tab is closed.
      if (await replacesForeign()) await worker.skipWaiting();
      // Fetch new versions of the files that this browser has used. Others are kept when a page uses them.
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
        // Not awaited: these requests wait until this worker is active.
        for (const client of await worker.clients.matchAll({ type: 'window' })) client.navigate(client.url).catch(() => null);
      }
    })(),
  );
});
