// The page's part of offline use: registers the worker, sends it the files of the page, and shows messages about the
// connection. Pages load it shortly after their start if `enableServiceWorker` or `enableAuthProxyCompat` is on, or if a
// worker is already registered; all others after half a minute, to notice when the server goes away.

/** @import { Message } from './types' */

import { addNote, button, offerInstall, t } from './install.js';

const settings = /** @type {HTMLElement} */ (document.getElementById('settings'));
const { worker: version } = settings.dataset;
// The attribute has no value.
const compat = 'compat' in settings.dataset;
const scope = `${JSON.parse(settings.textContent ?? '').base}/`;
const container = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker);
/** Whether this page is signing out. */
let isLeaving = false;
/** Whether this page is a copy. */
const isCopy = document.getElementById('offline-notice') !== null;

/**
 * Shows a message that stays, with a button for an action or a link that reloads; without a text, removes the message.
 * @param {string} name identifies the message
 * @param {string} [text]
 * @param {string} [label] of the button or the link; empty for none
 * @param {() => void} [act]
 */
function showMessage(name, text, label = t('Reload'), act) {
  const id = `said-${name}`;
  const shown = document.getElementById(id);
  if (!text) shown?.remove();
  if (!text || shown) return;
  const line = document.createElement('p');
  Object.assign(line, { id, className: 'toast', textContent: text });
  // A link works even if the page's scripts have stopped working.
  if (label) line.append(act ? button(label, act) : Object.assign(document.createElement('a'), { href: '', textContent: label }));
  document.getElementById('scripts-failed')?.after(line);
}

/**
 * Reloads the page, but only once for a reason until the reason is gone, and never while somebody is typing.
 * @param {string} reason
 * @param {string} message what is shown instead of reloading
 */
function reloadOnce(reason, message) {
  const { activeElement } = document;
  const isBusy = document.querySelector('dialog[open]') || (activeElement instanceof HTMLInputElement && activeElement.value);
  if (!isBusy && mark(reason) === null && mark(reason, '1')) location.reload();
  else showMessage(reason, message);
}

/**
 * Marks that the page was reloaded for a reason, for as long as the tab lives: reads the mark, sets it, or removes it if the
 * value is empty.
 * @param {string} reason
 * @param {string} [value]
 */
function mark(reason, value) {
  const name = `portico-reloaded-${reason}`;
  try {
    if (value === '') sessionStorage.removeItem(name);
    else if (value) sessionStorage.setItem(name, value);
    return sessionStorage.getItem(name);
  } catch {
    // Without storage, reloads cannot be counted, so the page never reloads by itself.
    return '';
  }
}

/**
 * Asks the server: `lost` if it does not respond, `over` if a login page responds instead, otherwise the header with the
 * session.
 * @param {string} path
 */
async function probe(path) {
  try {
    const signal = AbortSignal.timeout(5_000);
    const { status, headers } = await fetch(path, { method: 'HEAD', redirect: 'manual', cache: 'no-store', signal });
    const session = headers.get('portico-copy');
    if (status > 499 || (status === 404 && !session)) return 'lost';
    return !session || status === 401 || status === 403 ? 'over' : session;
  } catch {
    return 'lost';
  }
}

// --- A server that goes away, and comes back ---

let isLost = isCopy;
/** @type {ReturnType<typeof setTimeout>} */
let timer;

async function checkServer() {
  clearTimeout(timer);
  if (document.hidden) return;
  const isAway = async () => (await probe(`${scope}healthz`)) === 'lost';
  let away = await isAway();
  if (away && !isLost) {
    // A computer that wakes up has no network for a moment.
    await new Promise((done) => setTimeout(done, 2_000));
    away = await isAway();
  }
  if (away !== isLost) {
    isLost = away;
    // Pages with widgets show this themselves, unless the worker responds in place of the server.
    if (away && (version || !document.querySelector('[data-widget]'))) showMessage('lost', t('The server of this dashboard cannot be reached.'), '');
    if (!away) showMessage('lost');
    if (!away && isCopy) reloadOnce('back', t('The server is back.'));
  }
  timer = setTimeout(checkServer, isLost ? 10_000 : 60_000);
}

if (!isCopy) mark('back', '');
for (const name of ['online', 'offline']) addEventListener(name, checkServer);

// --- A login in front of the dashboard ---

async function checkLogin() {
  const answer = await probe(location.pathname);
  if (answer === 'over') {
    await removeWorker();
    reloadOnce('login', t('Your login has ended.'));
  } else if (answer !== 'lost') {
    mark('login', '');
    showMessage('login');
  }
}

document.addEventListener('visibilitychange', () => {
  checkServer();
  if (document.hidden && !isLeaving) sendFiles();
  else if (compat) checkLogin();
});
if (compat) checkLogin();
timer = setTimeout(checkServer, isCopy ? 1_000 : 60_000);

// --- The worker ---

/** Removes the worker at this address, even one of another program, and everything that it has kept. */
async function removeWorker() {
  try {
    const found = await container?.getRegistration(scope);
    const address = new URL(scope, location.href).href;
    if (found?.scope === address) {
      // It may be storing something at this moment.
      post(found.active, { type: 'remove' });
      await found.unregister();
    }
    for (const name of await caches.keys()) {
      if (name.startsWith(`portico ${scope} `) || (name.startsWith('workbox-') && name.endsWith(address))) await caches.delete(name);
    }
  } catch {
    // Storage is blocked, so it is empty.
  }
}

/** @param {ServiceWorker | null | undefined} to @param {Message} message @param {Transferable[]} [transfer] */
const post = (to, message, transfer = []) => to?.postMessage(message, transfer);

/** Sends a message, and waits for the response. @param {ServiceWorker} to @param {Message} message @returns {Promise<string>} */
const ask = (to, message) =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data);
    post(to, message, [port2]);
  });

/** @param {ServiceWorker} of */
const versionOf = (of) => ask(of, { type: 'version' });

/** @type {ServiceWorkerRegistration | undefined} */
let registration;
const wasControlled = Boolean(container?.controller);

/**
 * Sends the worker the words of the page and the addresses that it has loaded, and waits until it has kept them.
 * @param {string | null} [path] of the page, if it was loaded without the worker
 */
async function sendFiles(path = null) {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const worker = registration?.active;
  const { lang, dir } = document.documentElement;
  const words = { lang, dir, texts: /** @type {any} */ (settings).texts };
  if (worker && !isCopy) await ask(worker, { type: 'keep', path, at: performance.timeOrigin, files, words });
}

async function register() {
  if (!container) return addNote(t('Offline use and installing need HTTPS; this address has none.'));
  const script = `${scope}service-worker.js`;
  // The prefix itself is not below the prefix.
  if (`${location.pathname}/` === scope) history.replaceState(history.state, '', scope + location.search + location.hash);
  try {
    registration = await container.register(script, { scope });
    const update = () => registration?.update().then(() => missCount(0), () => handleMissing(script));
    if (wasControlled) update();
    setInterval(update, 3_600_000);
    await container.ready;
    // Chromium may not let a new worker take over for minutes if it asks while the old one handles a message. Old versions of
    // the worker do not respond.
    const sent = sendFiles(wasControlled ? null : location.pathname.slice(scope.length - 1));
    await Promise.race([sent, new Promise((done) => setTimeout(done, 10_000))]);
    if (registration.waiting) announce(registration.waiting);
    // The browser may have found a new version before this script ran.
    announceInstalled(registration.installing);
    registration.addEventListener('updatefound', () => announceInstalled(registration?.installing));
  } catch {
    await handleMissing(script);
  }
}

/** Announces a new version once it is installed. @param {ServiceWorker | null | undefined} next */
function announceInstalled(next) {
  next?.addEventListener('statechange', () => next.state === 'installed' && container?.controller && announce(next));
}

/** @param {ServiceWorker} next */
async function announce(next) {
  const isNew = (await versionOf(next)) !== version;
  const refresh = () => post(next, { type: 'take over', requested: true });
  if (isNew) showMessage('update', NEW, t('Refresh'), refresh);
  else post(next, { type: 'take over', requested: false });
}

/** Removes the worker if the server responds but no longer has one. @param {string} script */
async function handleMissing(script) {
  const answer = await fetch(script, { cache: 'no-store' }).catch(() => null);
  const isScript = answer?.ok && answer.headers.get('content-type')?.includes('javascript');
  if (!answer || isScript || (await probe(`${scope}healthz`)) === 'lost') return;
  if (missCount(missCount() + 1) >= 3) await removeWorker();
}

/** How many times in a row the worker was missing. @param {number} [count] the new number */
function missCount(count) {
  const name = 'portico-worker-failures';
  try {
    if (count !== undefined) localStorage.setItem(name, String(count));
    return Number(localStorage.getItem(name));
  } catch {
    return 0;
  }
}

const NEW = t('A new version of this dashboard is ready.');
let isControlled = wasControlled;
let isChanged = false;
let isAccepted = false;

function refresh() {
  if (isChanged && isAccepted) reloadOnce(`update-${version}`, NEW);
}

container?.addEventListener('controllerchange', async () => {
  if (!container.controller) return;
  // The first worker does not change the page.
  if (!isControlled) return void (isControlled = true);
  isChanged = true;
  refresh();
  if (!isAccepted && (await versionOf(container.controller)) !== version) showMessage('update', NEW, t('Refresh'));
});

// Messages are queued until this call.
container?.startMessages();
container?.addEventListener('message', ({ data }) => {
  if (data === 'refresh') {
    isAccepted = true;
    refresh();
  }
  if (data === 'signed out' && !isLeaving) location.reload();
});

document.addEventListener(
  'submit',
  ({ target }) => {
    if (target instanceof HTMLFormElement && target.action.endsWith('/logout')) {
      isLeaving = true;
      post(registration?.active, { type: 'sign out' });
    }
  },
  true,
);

const ended = document.getElementById('session-ended');
if (ended) new MutationObserver(() => ended.hidden || post(registration?.active, { type: 'wipe' })).observe(ended, { attributes: true });

offerInstall();
if (version) register();
else removeWorker();
