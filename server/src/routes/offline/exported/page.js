// The part of an exported page in its offline use: registers the worker, and names the language whose pages it keeps.

import { offerInstall } from '../install.js';

const settings = /** @type {HTMLElement} */ (document.getElementById('settings'));
// The folder above that of this script.
const scope = (settings.dataset['companion'] ?? '').replace(/offline\/[^/]*$/, '');
/** Path prefix of the pages in this language. @type {string} */
const base = JSON.parse(settings.textContent ?? '').base;

async function register() {
  const container = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker);
  // There is none without HTTPS.
  if (!container) return;
  // The prefix itself is not below the prefix.
  if (`${location.pathname}/` === scope) history.replaceState(history.state, '', scope + location.search + location.hash);
  await container.register(`${scope}service-worker.js`, { scope });
  const { active } = await container.ready;
  active?.postMessage({ tree: base.slice(scope.length) });
}

// The browser may forbid storage.
register().catch(() => undefined);
offerInstall();
