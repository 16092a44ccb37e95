// Pages: from the server, or the copy if the server does not respond in time.

import { AT, keep } from './copies.js';
import { base, below, isPage } from './scope.js';
import { fromServer, noteLost, noteReached, pause } from './server.js';
import { admit, cacheOf, copies, end, session } from './session.js';
import { keptWords } from './words.js';

/** How many milliseconds a page may take if there is a copy. */
const LIMIT = 3_000;

/**
 * A page: from the server, or the copy if the server does not respond in time.
 * @param {FetchEvent} event
 * @param {string} path
 */
export async function page(event, path) {
  const began = Date.now();
  const network = fromServer(event);
  const checked = network.then((response) => check(event, path, response, began), () => undefined);
  event.waitUntil(checked.catch(() => undefined));
  const inTime = await Promise.race([checked, pause(LIMIT)]);
  if (inTime) return inTime;
  // If the landing page is another view, its address redirects there.
  const landing = async () => (path === '/' ? (await pageCopy('/minimal')) ?? pageCopy('/workspace') : undefined);
  const copy = (await pageCopy(path)) ?? (await landing());
  if (copy) {
    noteLost();
    return copy;
  }
  return (await checked) ?? network.catch(() => unknownPage());
}

/**
 * Checks a response for a page: keeps it, or ends the session. Undefined if it is not the server's.
 * @param {FetchEvent} event
 * @param {string} path
 * @param {Response} response
 * @param {number} began
 */
async function check(event, path, response, began) {
  // The landing page may redirect to another view. The worker cannot see where, so it follows the redirect itself.
  if (response.type === 'opaqueredirect' && path === '/' && (await leadsToView())) return response;
  const header = response.headers.get('portico-copy');
  const { status } = response;
  // Our server always sends the header, so this comes from a proxy in front of it.
  if (header === null && (status >= 500 || status === 404)) return undefined;
  noteReached();
  const { searchParams, search } = new URL(event.request.url);
  if (header === null || status === 401 || status === 403) {
    // The return from an identity provider is a redirect as well.
    if (!searchParams.has('state')) await end(began);
  } else if ((await admit(response, began)) && session && !search) {
    event.waitUntil(keep(cacheOf(session.key), base + path, response.clone(), Date.now()));
  }
  return response;
}

/** Whether the landing page redirects to another of our pages, not to a login. */
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
    // It is damaged, and has to be fetched again.
    await cache.delete(base + path, { ignoreVary: true });
    return undefined;
  }
  const language = /<html[^>]* lang="([^"]*)"/.exec(html)?.[1];
  // The page contains the texts of its language.
  const texts = JSON.parse((/ data-texts="([^"]*)"/.exec(html)?.[1] ?? '{}').replaceAll('&quot;', '"'));
  /** @param {string} text @returns {string} */
  const t = (text) => texts[text] ?? text;
  const notice =
    `<div class="notices" id="offline-notice"><div class="notice" role="status"><strong>${t('Offline, as of {time}').replace('{time}', time(Number(kept.headers.get(AT)), language))}</strong>` +
    `<p>${t('The server of this dashboard cannot be reached. What you see is from then; it is refreshed as soon as the server is back.')}</p></div></div>`;
  return new Response(html.slice(0, place) + notice + withAges(html.slice(place), language, t), { headers: kept.headers });
}

/**
 * Marks the panels of a page as stale and adds their age. The page's bundle then requests newer ones.
 * @param {string} html
 * @param {string | undefined} language
 * @param {(text: string) => string} t translates into the language of the page
 */
const withAges = (html, language, t) =>
  html.replaceAll(
    /data-state="(?:content|stale)"( data-version="\d+" data-at="(\d+)"(?:(?! data-state=")[^])*?<span class="widget-age">)[^]*?<\/span>/g,
    (_, panel, at) => `data-state="stale"${panel}${t('as of {time}').replace('{time}', time(Number(at), language))}</span>`,
  );

/** The time, with the date unless it is today. @param {number} at @param {string | undefined} language */
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

/** How that page looks, by day and by night: no style sheet may be there. */
const UNKNOWN_STYLE =
  ':root{color-scheme:light dark;background:light-dark(#f4f6fb,#101622);color:light-dark(#1b2333,#e4e9f4);font:1.0625rem/1.5 system-ui,sans-serif}' +
  'body{max-inline-size:36rem;margin:18vh auto 0;padding:0 1.5rem}a{color:light-dark(#1d7089,#5cabca);margin-inline-end:1.25rem}';

/** The page that is shown if there is no copy. */
export async function unknownPage() {
  const { lang, dir, t } = await keptWords();
  const html =
    `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${t('Offline')}</title>` +
    `<style>${UNKNOWN_STYLE}</style>` +
    `<h1>${t('Offline')}</h1><p>${t('The server of this dashboard cannot be reached.')} ${t('This device has no copy of the page.')}</p>` +
    `<p><a href="">${t('Try again')}</a> <a href="${base}/">${t('To the start page')}</a></p></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
  return new Response(html, { status: 503, headers });
}
