// To whom the copies belong. The copies of one session are in one cache, which is deleted as soon as the session ends or
// another one begins.

/** @import { Session } from '../types' */

import { base, worker } from './scope.js';

/** The prefix of the names of all our caches. Another dashboard on this origin has another prefix. */
export const OURS = `portico ${base}/ `;
/** The program's own files, the same for everybody. */
export const PROGRAM = `${OURS}program`;
/** The cache that says to whom the copies belong. */
export const META = `${OURS}meta`;
const WHO = `${base}/who`;
/** @param {string} key */
export const cacheOf = (key) => `${OURS}of ${key}`;
/** A cookie that exists while the browser is open, for sessions that end with it. Dashboards on other ports have their own. */
const COOKIE = `portico-copy-${worker.location.port}`;
export const DAY = 24 * 3_600_000;

/** Undefined until it has been read; null for nobody. @type {Session | null | undefined} */
export let session;
/** Responses to requests from before this moment belong to somebody else. */
let since = 0;
/** Sessions that were signed out; responses still in transit for them are not kept. @type {Set<string>} */
const ended = new Set();
/** Whether this worker has been removed; it runs until its last tab is closed. */
export let isGone = false;

export async function current() {
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
export async function admit(response, began) {
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
export async function copies() {
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
export async function wipe() {
  session = null;
  since = Date.now();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(cacheOf('')) || name === META).map((name) => caches.delete(name)));
  // Its existence distinguishes this worker from others at the same address.
  if (!isGone) await caches.open(META);
  await worker.cookieStore?.delete({ name: COOKIE, path: `${base}/` }).catch(() => undefined);
}

/** Ends the session, unless somebody else has signed in since. @param {number} began */
export async function end(began) {
  if (began >= since) await wipe();
}

/** Ends the session for good: its responses in transit are not kept either. */
export async function endForGood() {
  const who = await current();
  if (who) ended.add(who.key);
  await wipe();
}

/** Deletes everything that this worker has kept, and keeps nothing any more. */
export async function wipeAll() {
  isGone = true;
  session = null;
  since = Date.now();
  await worker.registration.unregister();
  const names = await caches.keys().catch(() => []);
  await Promise.all(names.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name)));
}
