// Keeps copies: of pages and panels for the session, and of the program's own files.

/** @import { StoredCopy } from '../types' */

import { base, below, isFile, isPage, isProgram, worker } from './scope.js';
import { DAY, PROGRAM, admit, cacheOf, currentSession, isRemoved, session } from './session.js';

/** The headers that we add to copies: the time of arrival, and the size in bytes. */
export const AT = 'portico-at';
const BYTES = 'portico-bytes';

const MAX_BYTES = 50 * 1024 * 1024;
const MAX_COPY = 5 * 1024 * 1024;

/**
 * Keeps a response.
 * @param {string} cache its name
 * @param {string} address
 * @param {Response} response
 * @param {number} at when it arrived
 */
export async function keep(cache, address, response, at) {
  const body = await response.blob().catch(() => null);
  if (!body || body.size > MAX_COPY) return;
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set(AT, String(at));
  headers.set(BYTES, String(body.size));
  const put = async () => {
    if (!mayOpen(cache)) return;
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

/** Whether a cache may be opened. After a sign-out, or the removal of the worker, nothing may be left behind. @param {string} cache */
const mayOpen = (cache) => !isRemoved && (cache === PROGRAM || cache === (session && cacheOf(session.key)))

/** Deletes the least recently used copies, until the rest has at most this many bytes. @param {number} limit */
async function trim(limit) {
  /** @type {StoredCopy[]} */
  const all = [];
  await currentSession();
  for (const name of await caches.keys()) {
    if (!mayOpen(name)) continue;
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
 * Keeps the files of a page. Requests nothing that the browser has cached.
 * @param {string | null} path of a page that was loaded before there was a worker
 * @param {number} at when the page was loaded
 * @param {string[]} addresses the files that the page has loaded
 */
export async function keepAll(path, at, addresses) {
  if (path && isPage(path)) {
    const began = Date.now();
    const response = await httpCached(base + path).catch(() => fetch(base + path));
    if (response.ok && (await admit(response, began)) && session) await keep(cacheOf(session.key), base + path, response, at);
  }
  const who = await currentSession();
  for (const address of addresses) {
    const { origin, pathname } = new URL(address, worker.location.href);
    const file = origin === worker.location.origin ? below(pathname) : null;
    if (!file || !isFile(file)) continue;
    const name = isProgram(file) ? PROGRAM : who && cacheOf(who.key);
    if (!name) continue;
    const kept = await caches.match(address, { cacheName: name, ignoreVary: true });
    if (kept && Date.now() - Number(kept.headers.get(AT)) < DAY) continue;
    const response = await httpCached(address).catch(() => (isProgram(file) ? fetch(address) : null));
    if (response?.ok) await keep(name, address, response, Date.now());
  }
  await trim(MAX_BYTES);
}

/** The response in the browser's HTTP cache, without a request. @param {string} address */
const httpCached = (address) => fetch(address, { cache: 'only-if-cached', mode: 'same-origin' });
