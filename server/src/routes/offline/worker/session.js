// The session to which the copies belong. They are in one cache, which is deleted as soon as the session ends or another one
// begins.

/** @import { Session } from '../types' */

import { base, worker } from './scope.js';

/** The prefix of the names of all our caches. Another dashboard on this origin has another prefix. */
export const OURS = `portico ${base}/ `;
/** The program's own files, the same for everybody. */
export const PROGRAM = `${OURS}program`;
/** The cache that stores the session. */
export const META = `${OURS}meta`;
const SESSION_KEY = `${base}/who`;
/** @param {string} key */
export const cacheOf = (key) => `${OURS}of ${key}`;
/** The cookie of sessions that end when the browser is closed. Dashboards on other ports have their own. */
const COOKIE = `portico-copy-${worker.location.port}`;
export const DAY = 24 * 3_600_000;

/** Undefined until it has been read; null if there is none. @type {Session | null | undefined} */
export let session;
/** When the session began. Responses to earlier requests belong to somebody else. */
let since = 0;
/** The sessions that were signed out. Responses still in transit for them are not kept. @type {Set<string>} */
const ended = new Set();
/** Whether this worker has been removed. It runs on until its last tab is closed. */
export let isRemoved = false;

/** The current session, which may have been stored by an earlier run of the worker. */
export async function currentSession() {
  if (session === undefined) {
    const kept = await caches.match(SESSION_KEY, { cacheName: META }).then((found) => found?.json(), () => null);
    session ??= kept ?? null;
  }
  return session;
}

/**
 * Reads from the headers of a response to which session it belongs, and makes that the current one.
 * @param {Response} response
 * @param {number} began the time of the request
 * @returns {Promise<boolean>} whether the response may be kept
 */
export async function admit(response, began) {
  const header = response.headers.get('portico-copy');
  if (isRemoved || !header || header === 'none') return false;
  const before = await currentSession();
  if (began < since) return false;
  const [key = '', ...terms] = header.split('; ');
  if (ended.has(key)) return false;
  const seconds = terms.find((term) => term.startsWith('max-age='))?.slice(8);
  const now = Date.now();
  /** @type {Session} */
  const next = { key, confirmed: now, until: seconds ? now + Number(seconds) * 1000 : null, whileOpen: terms.includes('while-open') };
  const isSame = before?.key === key;
  if (!isSame) {
    await wipe();
    since = began;
  }
  session = next;
  if (!isSame || now - before.confirmed > 60_000) {
    const meta = await caches.open(META);
    await meta.put(SESSION_KEY, new Response(JSON.stringify(next)));
    if (next.whileOpen) await worker.cookieStore?.set({ name: COOKIE, value: key, path: `${base}/`, sameSite: 'strict' });
  }
  return true;
}

/** The cache of the session, unless the session is over. */
export async function copies() {
  const who = await currentSession();
  if (!who) return null;
  const now = Date.now();
  // If the clock was set back, the times mean nothing.
  let isOver = (who.until !== null && now >= who.until) || now < who.confirmed - DAY;
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

/** Forgets the session, and deletes its copies. */
export async function wipe() {
  session = null;
  since = Date.now();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(cacheOf('')) || name === META).map((name) => caches.delete(name)));
  // Its existence tells this worker apart from those of other programs at the same address.
  if (!isRemoved) await caches.open(META);
  await worker.cookieStore?.delete({ name: COOKIE, path: `${base}/` }).catch(() => undefined);
}

/** Ends the session, unless another one has begun since a request. @param {number} began the time of the request */
export async function end(began) {
  if (began >= since) await wipe();
}

/** Ends the session after a sign-out: responses still in transit are not kept either. */
export async function endSignedOut() {
  const who = await currentSession();
  if (who) ended.add(who.key);
  await wipe();
}

/** Removes this worker and everything that it has kept. */
export async function removeWorker() {
  isRemoved = true;
  session = null;
  since = Date.now();
  await worker.registration.unregister();
  const names = await caches.keys().catch(() => []);
  await Promise.all(names.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name)));
}
