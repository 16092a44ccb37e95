// The page's part of offline use: it registers the worker, tells it the files of the page, and shows messages about
// the connection. Pages load it shortly after their start if `enableServiceWorker` or `enableAuthProxyCompat` is on,
// or if there is a worker from before; all others after half a minute, to notice when the server goes away.

/** @import { InstallEvent, Message } from './types' */

const settings = /** @type {HTMLElement} */ (document.getElementById('settings'));
/** A text in the language of the page. @type {(text: string) => string} */
const t = (text) => /** @type {any} */ (settings).texts?.[text] ?? text;
const { worker: version } = settings.dataset;
// The attribute has no value.
const compat = 'compat' in settings.dataset;
const scope = `${JSON.parse(settings.textContent ?? '').base}/`;
const container = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker);
/** Whether a sign-out is in progress here. */
let isLeaving = false;
/** Whether this page is a copy. */
const isCopy = document.getElementById('offline-notice') !== null;

/**
 * Shows a message that stays, with a button if there is an action; without words, removes it.
 * @param {string} name
 * @param {string} [words]
 * @param {string} [label]
 * @param {() => void} [act]
 */
function say(name, words, label = t('Reload'), act) {
  const id = `said-${name}`;
  const shown = document.getElementById(id);
  if (!words) shown?.remove();
  if (!words || shown) return;
  const line = document.createElement('p');
  Object.assign(line, { id, className: 'toast', textContent: words });
  // A link works even if the rest of the page has stopped working.
  if (label) line.append(act ? button(label, act) : Object.assign(document.createElement('a'), { href: '', textContent: label }));
  document.getElementById('scripts-failed')?.after(line);
}

/** @param {string} label @param {() => void} act */
const button = (label, act) => Object.assign(document.createElement('button'), { type: 'button', textContent: label, onclick: act });

/**
 * Reloads the page, at most once per reason until it no longer applies, and never while somebody is typing.
 * @param {string} reason
 * @param {string} words the message that is shown instead
 */
function reloadOnce(reason, words) {
  const { activeElement } = document;
  const isBusy = document.querySelector('dialog[open]') || (activeElement instanceof HTMLInputElement && activeElement.value);
  if (!isBusy && mark(reason) === null && mark(reason, '1')) location.reload();
  else say(reason, words);
}

/**
 * A mark that lasts as long as the tab: reads it, sets it, or removes it if the value is empty.
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
 * How the server responds: `lost`; `over` if the response can only come from a login page; or for whom the response is.
 * @param {string} path
 */
async function ask(path) {
  try {
    const signal = AbortSignal.timeout(5_000);
    const { status, headers } = await fetch(path, { method: 'HEAD', redirect: 'manual', cache: 'no-store', signal });
    const told = headers.get('portico-copy');
    if (status > 499 || (status === 404 && !told)) return 'lost';
    return !told || status === 401 || status === 403 ? 'over' : told;
  } catch {
    return 'lost';
  }
}

// --- A server that goes away, and comes back ---

let isLost = isCopy;
/** @type {ReturnType<typeof setTimeout>} */
let timer;

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const isAway = async () => (await ask(`${scope}healthz`)) === 'lost';
  let away = await isAway();
  if (away && !isLost) {
    // After waking up, a computer has no network for a moment.
    await new Promise((done) => setTimeout(done, 2_000));
    away = await isAway();
  }
  if (away !== isLost) {
    isLost = away;
    // Pages with widgets show this themselves, unless the worker responds instead of the server.
    if (away && (version || !document.querySelector('[data-widget]'))) say('lost', t('The server of this dashboard cannot be reached.'), '');
    if (!away) say('lost');
    if (!away && isCopy) reloadOnce('back', t('The server is back.'));
  }
  timer = setTimeout(look, isLost ? 10_000 : 60_000);
}

if (!isCopy) mark('back', '');
for (const name of ['online', 'offline']) addEventListener(name, look);

// --- A login in front of the dashboard ---

async function verify() {
  const answer = await ask(location.pathname);
  if (answer === 'over') {
    await drop();
    reloadOnce('login', t('Your login has ended.'));
  } else if (answer !== 'lost') {
    mark('login', '');
    say('login');
  }
}

document.addEventListener('visibilitychange', () => {
  look();
  if (document.hidden && !isLeaving) tellFiles();
  else if (compat) verify();
});
if (compat) verify();
timer = setTimeout(look, isCopy ? 1_000 : 60_000);

// --- The worker ---

/** Removes the worker at this address, whichever program it belongs to, and everything that it has kept. */
async function drop() {
  try {
    const found = await container?.getRegistration(scope);
    const address = new URL(scope, location.href).href;
    if (found?.scope === address) {
      // It may be storing something right now.
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

/** @param {ServiceWorker} of @returns {Promise<string>} */
const versionOf = (of) =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data);
    post(of, { type: 'version' }, [port2]);
  });

/** @type {ServiceWorkerRegistration | undefined} */
let registration;
const wasControlled = Boolean(container?.controller);

/** Tells the worker what the page has loaded. @param {string | null} [path] the page's, if it was loaded without the worker */
function tellFiles(path = null) {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const { search } = document.getElementById('settings')?.dataset ?? {};
  // The search may not have been used yet.
  if (search) files.push(search);
  if (!isCopy) post(registration?.active, { type: 'keep', path, at: performance.timeOrigin, files });
}

async function register() {
  if (!container) return note(t('Offline use and installing need HTTPS; this address has none.'));
  const script = `${scope}service-worker.js`;
  // The prefix itself is not below the prefix.
  if (`${location.pathname}/` === scope) history.replaceState(history.state, '', scope + location.search + location.hash);
  try {
    registration = await container.register(script, { scope });
    if (registration.waiting) announce(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const next = registration?.installing;
      next?.addEventListener('statechange', () => next.state === 'installed' && container.controller && announce(next));
    });
    const update = () => registration?.update().then(() => misses(0), () => failed(script));
    if (wasControlled) update();
    setInterval(update, 3_600_000);
    await container.ready;
    tellFiles(wasControlled ? null : location.pathname.slice(scope.length - 1));
  } catch {
    await failed(script);
  }
}

/** @param {ServiceWorker} next */
async function announce(next) {
  const isNew = (await versionOf(next)) !== version;
  const refresh = () => post(next, { type: 'take over', asked: true });
  if (isNew) say('update', NEW, t('Refresh'), refresh);
  else post(next, { type: 'take over', asked: false });
}

/** If the server responds but no longer has a worker, ours has to be removed. @param {string} script */
async function failed(script) {
  const answer = await fetch(script, { cache: 'no-store' }).catch(() => null);
  const isScript = answer?.ok && answer.headers.get('content-type')?.includes('javascript');
  if (!answer || isScript || (await ask(`${scope}healthz`)) === 'lost') return;
  if (misses(misses() + 1) >= 3) await drop();
}

/** How many times in a row the worker could not be loaded. @param {number} [count] the new number */
function misses(count) {
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
  // The first worker of a page does not change it.
  if (!isControlled) return void (isControlled = true);
  isChanged = true;
  refresh();
  if (!isAccepted && (await versionOf(container.controller)) !== version) say('update', NEW, t('Refresh'));
});

// Browsers hold messages back until there is a listener.
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

// --- Installing ---

/** Adds to the options, once they are hydrated. @param {...(string | Node)} content */
function note(...content) {
  const { documentElement: root } = document;
  const add = () => {
    const line = document.createElement('p');
    line.className = 'options-note';
    line.append(...content);
    document.getElementById('options-panel')?.append(line);
  };
  if ('ready' in root.dataset) return add();
  const observer = new MutationObserver(() => {
    observer.disconnect();
    add();
  });
  observer.observe(root, { attributeFilter: ['data-ready'] });
}

/** The event may have occurred before this script was loaded; then the page's loader has kept it. */
const { install } = /** @type {{ install?: InstallEvent }} */ (/** @type {unknown} */ (settings));
/** @param {InstallEvent} event */
function offer(event) {
  event.preventDefault();
  const install = button(t('Install as an app'), () => event.prompt());
  install.className = 'button';
  note(install);
  addEventListener('appinstalled', () => install.remove());
}
if (install) offer(install);
else addEventListener('beforeinstallprompt', (event) => offer(/** @type {InstallEvent} */ (event)), { once: true });

if (version) register();
else drop();
