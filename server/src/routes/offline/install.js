// Installing a page as an app, and notes in its options.

/** @import { InstallEvent } from './types' */

const settings = /** @type {HTMLElement & { install?: InstallEvent, texts?: Record<string, string> }} */ (document.getElementById('settings'));

/** A text in the language of the page. @param {string} text @returns {string} */
export const t = (text) => settings.texts?.[text] ?? text;

/** @param {string} label @param {() => void} act */
export const button = (label, act) => Object.assign(document.createElement('button'), { type: 'button', textContent: label, onclick: act });

/** Adds a note to the options panel, once it is hydrated. @param {...(string | Node)} content */
export function addNote(...content) {
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

/** Offers to install the page, once the browser says that it can. */
export function offerInstall() {
  /** @param {InstallEvent} event */
  const offer = (event) => {
    event.preventDefault();
    const install = button(t('Install as an app'), () => event.prompt());
    install.className = 'button';
    addNote(install);
    addEventListener('appinstalled', () => install.remove());
  };
  // The event may have come before this script was loaded; then the page's loader has kept it.
  if (settings.install) offer(settings.install);
  else addEventListener('beforeinstallprompt', (event) => offer(/** @type {InstallEvent} */ (event)), { once: true });
}
