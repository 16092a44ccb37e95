// What this browser has stored, and the debug information for bug reports.

import { button, copy, element, t } from './elements.js';

const root = document.documentElement;
const base = new URL('.', import.meta.url);
// The keys to reset: those for all pages, and those that end with the name of a page. Sign-ins, counts of opened items,
// collapsed sections and drafts of the editor are kept.
const CHOICES = ['theme', 'layoutOrientation', 'iconSize', 'iconColor', 'language', 'minimalSection'];
const LOCAL = ['appConfig', 'pageInfo', 'confSections', 'confPages', 'customColors', 'hideWelcomeHelpers', 'disableCriticalWarning', 'closedHints', 'hideSettings'];
// A local config, as in `frontend/edit/local.js`.
const LOCAL_CONFIG = /^porticoDraft-[^-]*-\//;

/** The keys in the browser's storage; empty if storage is blocked. */
function stored() {
  try {
    return Object.keys(localStorage).sort();
  } catch {
    return [];
  }
}

const isChoice = (key) => CHOICES.some((name) => key === name || key.startsWith(`${name}-`));
const isLocal = (key) => LOCAL_CONFIG.test(key) || LOCAL.some((name) => key === name || key.startsWith(`${name}-`));

/** Whether there is a local config of this page. */
export const hasLocalConfig = () => stored().includes(`porticoDraft-${root.dataset.drafts}-/${root.dataset.page ?? ''}`);

/** An error without the queries of addresses, which may be secret. */
const redacted = (text) => text.replace(/[?#][^\s'")]*/g, '?…');

/** The debug information: the viewer's choices, but no addresses of items and nothing from the config. */
async function information(version) {
  const settings = /** @type {any} */ (document.getElementById('settings'));
  const { slug, look = {} } = JSON.parse(settings?.textContent ?? '{}');
  const count = (selector) => document.querySelectorAll(selector).length;
  const media = (query) => (matchMedia(query).matches ? 'yes' : 'no');
  const worker = await navigator.serviceWorker?.getRegistration(base.href).catch(() => undefined);
  const kinds = [...document.querySelectorAll(/** @type {'article'} */ ('[data-widget]'))].map((widget) => widget.dataset.kind).filter(Boolean);
  const lines = [
    ['Portico', version],
    ['Page', `${slug}, ${document.querySelector('.view-minimal') ? 'minimal' : document.querySelector('.view-workspace') ? 'workspace' : 'home'} view, version ${settings?.dataset.version ?? 'unknown'}`],
    ['Content', `${count('#content > section')} sections, ${count('#content .item, #content .sub-items-group')} items, ${count('.widget-base')} widgets${kinds.length ? ` (${kinds.join(', ')})` : ''}`],
    ['Config', hasLocalConfig() ? 'a local one of this browser' : 'the file'],
    ['Configured', `themes ${look.dayTheme} and ${look.nightTheme}, language ${look.language ?? 'of the browser'}`],
    ['In use', `theme ${root.dataset.theme ?? 'default'}, icons ${root.dataset.icons ?? 'as configured'}, class “${document.getElementById('page')?.className}”`],
    ['Program', `${'ready' in root.dataset ? 'running' : 'not running'}, offline worker ${worker?.active ? 'active' : 'none'}, ${navigator.onLine ? 'online' : 'offline'}, ${isSecureContext ? 'secure' : 'not secure'}`],
    ['Browser', navigator.userAgent],
    ['Languages', navigator.languages.join(', ')],
    ['Time zone', Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['Window', `${innerWidth} × ${innerHeight} of ${screen.width} × ${screen.height}, ${devicePixelRatio} pixels each`],
    ['System', `dark ${media('(prefers-color-scheme: dark)')}, less motion ${media('(prefers-reduced-motion: reduce)')}, touch only ${media('(hover: none)')}`],
    ['Stored here', stored().map((key) => (isChoice(key) ? `${key} = ${localStorage[key]}` : `${key} (${localStorage[key].length} characters)`)).join('; ') || 'nothing'],
    ['Errors', (settings?.errors ?? []).map(redacted).join('\n  ') || 'none in this tab'],
  ];
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** The tab with the debug information. */
export function debugTab(version) {
  const text = element('pre', { className: 'tools-text', tabIndex: 0, ariaLabel: t('Debug information') });
  const about = element('p', { textContent: t('To share when you ask for help. It contains no passwords, keys or addresses of your services.') });
  const copied = button(t('Copy'), () => copy(text.textContent, text));
  return async (panel) => {
    panel.replaceChildren(about, text, copied);
    text.textContent = await information(version);
  };
}

function reset() {
  for (const key of stored().filter((key) => isChoice(key) || isLocal(key))) localStorage.removeItem(key);
  document.cookie = `portico-language=; Path=${base.pathname}; Max-Age=0`;
  location.reload();
}

/** The tab that resets the choices of this browser. */
export function browserTab() {
  return (panel) => {
    const sure = button(t('Yes, reset'), reset, { className: 'button primary', hidden: true });
    const forget = button(t('Reset local settings'), () => {
      sure.hidden = false;
      sure.focus();
    });
    const local = stored().some((key) => LOCAL_CONFIG.test(key)) ? ` ${t('This also deletes a config that is stored only in this browser. Download it first if you may need it again.')}` : '';
    panel.replaceChildren(
      element('p', { textContent: `${t('Themes, colors, layouts, sizes and other choices are stored in this browser. Resetting clears them for all pages and reloads this one. You stay signed in.')}${local}` }),
      element('p', { className: 'tools-actions' }, forget, sure),
    );
  };
}
