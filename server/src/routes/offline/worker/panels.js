// Panels, and the items of other pages for the search: from the server, or the copy if the server does not respond in time.

import { keep } from './copies.js';
import { base } from './scope.js';
import { AWAY_FOR_PANELS, noteLost, noteReached, pause, wasLostWithin } from './server.js';
import { admit, cacheOf, copies, end, session } from './session.js';
import { keptWords } from './words.js';

/** How many milliseconds a panel may take if there is a copy. */
const LIMIT = 8_000;

/**
 * A panel, or the items of other pages for the search.
 * @param {FetchEvent} event
 * @param {URL} url
 */
export async function panel(event, url) {
  const began = Date.now();
  const seen = url.searchParams.get('seen');
  const address = new URL(url);
  for (const name of ['seen', 'force']) address.searchParams.delete(name);
  const key = address.pathname + address.search;
  const copy = async () => (await panelCopy(key, seen)) ?? panelOfPage(url.searchParams);
  if (wasLostWithin(AWAY_FOR_PANELS)) {
    const known = await copy();
    if (known) return known;
  }
  // A redirect means a login. It need not be followed.
  const network = fetch(event.request, { redirect: 'manual' });
  const checked = network.then(async (response) => {
    const header = response.headers.get('portico-copy');
    const { status, type } = response;
    if (header === null && (status >= 500 || status === 404)) return undefined;
    noteReached();
    if (type === 'opaqueredirect' || header === null || status === 401 || status === 403) {
      await end(began);
      return type === 'opaqueredirect' ? Response.error() : response;
    }
    if ((await admit(response, began)) && session) event.waitUntil(keepPanel(cacheOf(session.key), key, response.clone()));
    return response;
  }, () => undefined);
  event.waitUntil(checked.catch(() => undefined));
  const inTime = await Promise.race([checked, pause(LIMIT)]);
  if (inTime) return inTime;
  noteLost();
  return (await copy()) ?? (await checked) ?? network;
}

/**
 * Keeps a panel. An unchanged panel arrives without markup, which is then copied from the previous copy.
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
 * The copy of a panel, marked as stale.
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
  return Response.json({ ...answer, state: 'stale', note: await note(), next: 20 });
}

/**
 * The age of a panel that has not been requested since it arrived with its page.
 * @param {URLSearchParams} query
 */
async function panelOfPage(query) {
  const page = query.get('page') ?? 'home';
  const kept = await (await copies())?.match(base + (page === 'home' ? '/' : `/home/${page}`), { ignoreVary: true });
  const html = (await kept?.text().catch(() => '')) ?? '';
  const place = html.indexOf(`data-widget="${query.get('section')}-${query.get('widget')}"`);
  const [, version, at] = (place >= 0 && /^[^]*?data-version="(\d+)" data-at="(\d+)"/.exec(html.slice(place).split('</article>', 1)[0] ?? '')) || [];
  if (!version || version !== query.get('seen')) return undefined;
  return Response.json({ state: 'stale', version: Number(version), at: Number(at), note: await note(), next: 20 });
}

/** Why a panel is not newer. */
const note = async () => (await keptWords()).t('The server of this dashboard cannot be reached.');
