// Loaded at its first use: what the options have besides looks, which is icons in one colour, and the dialog with what the
// program is, what it knows of this browser, and the way to forget what it has stored there. It closes notices too.

/** A text in the language of the page. @type {(text: string) => string} */
const t = (text) => /** @type {any} */ (document.getElementById('settings'))?.texts?.[text] ?? text;
const root = document.documentElement;
const suffix = root.dataset.page ? `-${root.dataset.page}` : '';
const base = new URL('..', import.meta.url);
const ICON_KEY = `iconColor${suffix}`;
// What is stored for all pages, or with the name of a page behind it. Who is signed in, how often items were opened, which
// sections are collapsed, and drafts of the editor stay.
const CHOICES = ['theme', 'layoutOrientation', 'iconSize', 'iconColor', 'language', 'minimalSection'];
const LOCAL = ['appConfig', 'pageInfo', 'confSections', 'confPages', 'customColors', 'hideWelcomeHelpers', 'disableCriticalWarning', 'hideSettings'];

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** The keys in the browser's storage; none if it is not allowed. */
function stored() {
  try {
    return Object.keys(localStorage).sort();
  } catch {
    return [];
  }
}

const isChoice = (key) => CHOICES.some((name) => key === name || key.startsWith(`${name}-`));
const isLocal = (key) => LOCAL.some((name) => key === name || key.startsWith(`${name}-`));

/** Icons of brands in the colour of the text or in their own; what the config says is not stored. */
function colorIcons(box) {
  const word = box.checked ? 'mono' : 'color';
  try {
    if (box.checked === box.defaultChecked) localStorage.removeItem(ICON_KEY);
    else localStorage.setItem(ICON_KEY, word);
  } catch {
    // The choice then lasts for this visit.
  }
  root.dataset.icons = word;
}

/** An error without what may be secret: the queries of addresses. */
const redacted = (text) => text.replace(/[?#][^\s'")]*/g, '?…');

/** What somebody who is asked for help wants to know. No values but choices, no addresses of items, no config. */
async function information(version) {
  const settings = document.getElementById('settings');
  const { slug, look = {} } = JSON.parse(settings?.textContent ?? '{}');
  const count = (selector) => document.querySelectorAll(selector).length;
  const media = (query) => (matchMedia(query).matches ? 'yes' : 'no');
  const worker = await navigator.serviceWorker?.getRegistration(base.href).catch(() => undefined);
  const kinds = [...document.querySelectorAll('[data-widget]')].map((widget) => widget.dataset.kind).filter(Boolean);
  const lines = [
    ['Portico', version],
    ['Page', `${slug}, ${document.querySelector('.view-minimal') ? 'minimal' : document.querySelector('.view-workspace') ? 'workspace' : 'home'} view, version ${settings?.dataset.version ?? 'unknown'}`],
    ['Content', `${count('#content > section')} sections, ${count('#content .item, #content .sub-items-group')} items, ${count('.widget-base')} widgets${kinds.length ? ` (${kinds.join(', ')})` : ''}`],
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

/** A button that says for a while what has come of it. */
function button(label, act, properties = {}) {
  const made = element('button', { type: 'button', className: 'button', textContent: label, ...properties });
  made.addEventListener('click', async () => {
    const said = await act(made);
    if (!said) return;
    made.textContent = said;
    setTimeout(() => (made.textContent = label), 3000);
  });
  return made;
}

function reset() {
  for (const key of stored().filter((key) => isChoice(key) || isLocal(key))) localStorage.removeItem(key);
  document.cookie = `portico-language=; Path=${base.pathname}; Max-Age=0`;
  location.reload();
}

/** Says that there is a newer program, if the server knows of one; admins alone are told. @param {HTMLElement} place */
async function tellNews(place) {
  const answer = await fetch(new URL('new-version', base)).catch(() => undefined);
  const { version, page } = answer?.ok ? await answer.json() : {};
  if (!version) return;
  place.textContent = `${t('Version {version} is there.').replace('{version}', version)} `;
  if (page) place.append(element('a', { href: page, target: '_blank', rel: 'noopener noreferrer', textContent: t('What is new') }));
}

function build(opener) {
  const { version, config } = opener.dataset;
  const text = element('pre', { className: 'tools-text', tabIndex: 0, ariaLabel: t('Debug information') });
  const copy = button(t('Copy'), async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      return t('Copied');
    } catch {
      getSelection().selectAllChildren(text);
      return t('Press Ctrl+C');
    }
  });
  const sure = button(t('Yes, reset'), reset, { className: 'button primary', hidden: true });
  const forget = button(t('Reset local settings'), () => {
    sure.hidden = false;
    sure.focus();
  });
  const news = element('p', { className: 'tools-news', ariaLive: 'polite' });
  const close = button(t('Close'), () => dialog.close());
  const heading = element('h2', { id: 'tools-title', textContent: t('About this dashboard') });
  const about = element('p', {}, t('Portico {version}. Free software under the MIT license. Its fonts and icons have licenses of their own.').replace('{version}', version));
  const actions = element('p', { className: 'tools-actions' }, forget, sure);
  const files = element('p', { className: 'tools-actions' });
  if (config !== undefined) {
    const href = new URL(`download?page=${encodeURIComponent(config === 'home' ? 'main' : config)}`, base).href;
    files.append(element('a', { className: 'button', href, download: 'conf.yml', textContent: t('Download the config of this page') }));
  }
  const dialog = element(
    'dialog',
    { className: 'tools-dialog' },
    element('div', { className: 'dialog-header' }, heading, close),
    element('div', { className: 'tools-body' }, about, news, files,
      element('h3', { textContent: t('Debug information') }),
      element('p', { textContent: t('For whoever helps you. It contains no passwords, keys or addresses of your services.') }), text, copy,
      element('h3', { textContent: t('This browser') }),
      element('p', { textContent: t('Themes, colors, layouts, sizes and other choices are kept here. Resetting forgets them, on all pages, and loads this one again. You stay signed in.') }), actions),
  );
  dialog.setAttribute('aria-labelledby', heading.id);
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => opener.focus());
  // Keys for the page are none of the dialog's.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  document.body.append(dialog);
  return async () => {
    sure.hidden = true;
    text.textContent = await information(version);
    document.getElementById('options-panel')?.hidePopover();
    dialog.showModal();
    if (config !== undefined) tellNews(news);
  };
}

/** The style sheet of the dialog. */
function styled() {
  const link = element('link', { rel: 'stylesheet', href: new URL('tools.css', import.meta.url).href });
  const loaded = new Promise((done, failed) => ((link.onload = done), (link.onerror = failed)));
  document.head.append(link);
  return loaded;
}

let opening;

/** Takes a notice away; one that shall not be shown again keeps its title. */
function dismiss(notice, extent) {
  if (extent === 'now') return notice.remove();
  notice.classList.add('quiet');
  try {
    localStorage.setItem('disableCriticalWarning', 'true');
  } catch {
    // Then it is shown again.
  }
}

/** Does what the control is for. */
export default async function use(control) {
  if (control.type === 'checkbox') return colorIcons(control);
  if (control.dataset.dismiss) return dismiss(control.closest('.notice'), control.dataset.dismiss);
  opening ??= styled()
    .then(() => build(control))
    .catch((error) => {
      opening = undefined;
      throw error;
    });
  await (await opening)();
}
