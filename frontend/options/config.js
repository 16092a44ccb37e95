// The tabs of the config menu for admins: links into edit mode, export, styles and backups. Changes of the config are made in
// edit mode, which these tabs start.

import { hasLocalConfig } from './browser.js';
import { button, copy, element, handOut, t, words } from './elements.js';

const base = new URL('.', import.meta.url);
const settings = document.getElementById('settings');
const page = new URLSearchParams(settings?.dataset.address).get('page');
const { lang } = document.documentElement;
// English pages use the date format of the browser's region.
const formats = navigator.language.startsWith(lang) || lang === 'zz-pirate' ? undefined : lang;

/** Calls a server function of the editor; throws an error with a message for the person if it refuses. */
async function call(name, args = {}) {
  const answer = await fetch(new URL(`fn/${name}`, base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(args),
  }).catch(() => {
    throw new Error(t('The server cannot be reached. Try again in a moment.'));
  });
  const { done, refused, message } = await answer.json().catch(() => ({}));
  if (done !== undefined) return done;
  if (answer.status === 401) throw new Error(t('Your sign-in has ended. Sign in again, then open this menu once more.'));
  throw new Error(refused?.message ?? message ?? t('The server failed; its log says why.'));
}

/** The text of a config file. */
async function textOf(slug) {
  const answer = await fetch(download(slug)).catch(() => undefined);
  if (!answer?.ok) throw new Error(t('The file cannot be read. Its problem is in the table below, or in the log of the server.'));
  return answer.text();
}

const download = (slug) => new URL(`download?page=${encodeURIComponent(slug ?? 'main')}`, base).href;

/** Starts edit mode, and opens one of the editor's dialogs. */
async function begin(dialog, what) {
  dialog.close();
  const { begin } = await import('../edit.js');
  await begin(what);
}

/** Fills an element with the result of a task, or with its error. */
async function fill(place, make) {
  try {
    place.replaceChildren(...(await make()));
  } catch (error) {
    place.replaceChildren(element('p', { className: 'tools-problem', role: 'alert' }, ...words(error.message)));
  }
}

const plural = (count, one, many) => t(count === 1 ? one : many, { count });

/** The buttons that start edit mode. */
export function editTab(dialog) {
  const ways = [
    ['Edit on the page', undefined, 'Items, sections and widgets, by mouse, touch or keyboard'],
    ['Edit as YAML', 'yaml', 'The text of the file, with completion'],
    ['Page info', 'page-info', 'Title, description, links and footer'],
    ['Settings', 'settings', 'Theme, layout and all else of `appConfig`'],
    ...(page && page !== 'main' ? [] : [['Pages', 'pages', 'Which further pages there are']]),
    ['Import', 'import', 'From another dashboard, or from bookmarks'],
  ];
  return (panel) => {
    const rows = ways.map(([label, what, about]) =>
      element('li', {}, element('button', { type: 'button', className: 'tools-way', onclick: () => begin(dialog, what) }, element('strong', { textContent: t(label) }), element('span', {}, ...words(t(about))))));
    panel.replaceChildren(element('ul', { className: 'tools-ways', role: 'list' }, ...rows));
    if (document.querySelector('.edit-elsewhere')) panel.append(element('p', {}, t('The config is edited in the home view, on whole pages.')));
  };
}

/** The problems in the file of the page. */
async function problems() {
  const found = await call('editor-check', { page, text: await textOf(page) });
  if (found.length === 0) return [element('p', { textContent: t('Nothing is wrong in this file.') })];
  const rows = found.map(({ line, message, blocks }) => element('li', { className: blocks ? 'tools-problem' : '' }, ...words(t('Line {line}: {message}', { line, message }))));
  return [element('ul', { className: 'tools-list', ariaLabel: t('Problems') }, ...rows)];
}

/** A row of the table of all files. `show` shows the text of one. */
function row(file, show) {
  const { page: slug, title, remote, sections, items, widgets, unreadable } = file;
  const count = file.problems.length;
  const state = unreadable ? element('span', { className: 'tools-problem' }, ...words(t('unreadable: {reason}', { reason: unreadable }))) : count ? plural(count, '1 problem', '{count} problems') : t('valid');
  const open = new URL(slug ? `home/${encodeURIComponent(slug)}` : 'home', base).href;
  const actions = element('td', { className: 'tools-actions' }, element('a', { className: 'button', href: open, ariaLabel: t('Open {title}', { title }), textContent: t('Open') }));
  if (!remote) {
    actions.append(
      element('a', { className: 'button', href: download(slug), download: file.file.split('/').pop(), ariaLabel: t('Download {file}', file), textContent: t('Download') }),
      button(t('Show'), () => show(file), { ariaLabel: t('Show {file}', file) }),
    );
  }
  const cells = [[title, element('br'), element('code', { textContent: file.file })], [`${plural(sections, '1 section', '{count} sections')}, ${plural(items, '1 item', '{count} items')}, ${plural(widgets, '1 widget', '{count} widgets')}`], [state]];
  return element('tr', {}, ...cells.map((content) => element('td', {}, ...content)), actions);
}

/** The text of the config, its problems, and all config files. */
export function exportTab(dialog, name) {
  const heading = (text) => element('h3', { textContent: text });
  const text = element('pre', { className: 'tools-text', tabIndex: 0 });
  const wrong = element('div');
  const files = element('div', { className: 'tools-table' });
  const shown = heading(name);
  let file = name;
  const show = async (other) => {
    file = other.file;
    shown.textContent = file;
    text.ariaLabel = t('Text of {file}', { file });
    await fill(text, async () => [await textOf(other.page)]);
  };
  const actions = element('p', { className: 'tools-actions' },
    button(t('Copy'), () => copy(text.textContent, text)),
    button(t('Download'), () => handOut(file.split('/').pop(), text.textContent)),
    button(t('Encrypted copy…'), () => begin(dialog, 'encrypt')),
    button(t('Edit as YAML'), () => begin(dialog, 'yaml')));
  const local = element('p', { textContent: t('This is the file. To download the config that is stored only in this browser, use its badge at the foot of the page.') });
  return async (panel) => {
    local.hidden = !hasLocalConfig();
    panel.replaceChildren(shown, local, actions, text, heading(t('Problems')), wrong, heading(t('All config files')), files);
    const table = async () => {
      const rows = (await call('editor-files')).map((entry) => row(entry, show));
      const head = ['Page', 'Contents', 'State', 'Actions'].map((label) => element('th', { scope: 'col', textContent: t(label) }));
      return [element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows))];
    };
    await Promise.all([show({ file: name, page }), fill(wrong, problems), fill(files, table)]);
  };
}

/** Styles of the config, and those of this browser. */
export function stylesTab(dialog) {
  const colors = async (name) => {
    dialog.close();
    const { default: open } = await import('./colors.js');
    await open(document.querySelector(name));
  };
  return (panel) => {
    panel.replaceChildren(
      element('p', {}, ...words(t('For everybody, in the config. You see each change at once, and save it with the rest of the draft.'))),
      element('p', { className: 'tools-actions' }, button(t('Custom CSS'), () => begin(dialog, 'styles')), button(t('Colors of the theme'), () => begin(dialog, 'colors'))),
      element('p', {}, t('For you, in this browser.')),
      element('p', { className: 'tools-actions' }, button(t('Colors in this browser'), () => colors('.options > button'))),
    );
  };
}

const size = (bytes) => (bytes < 1024 ? t('{count} bytes', { count: bytes }) : `${Math.round(bytes / 1024)} KB`);

/** The backups on the server, and backups as files. */
export function backupsTab(dialog) {
  const list = element('div');
  const note = element('p', { className: 'tools-problem', role: 'alert' });
  const take = async (name) => {
    note.textContent = '';
    try {
      handOut(name, await call('editor-backup', { page, name }));
    } catch (error) {
      note.replaceChildren(...words(error.message));
    }
  };
  return async (panel) => {
    panel.replaceChildren(
      element('p', { textContent: t('What the file was before each change. Restoring takes a backup for the draft; nothing is written before you save.') }),
      element('p', { className: 'tools-actions' }, button(t('Compare and restore'), () => begin(dialog, 'backups')), button(t('Encrypted copy…'), () => begin(dialog, 'encrypt')), button(t('Restore from a file…'), () => begin(dialog, 'restore'))),
      note,
      list,
    );
    await fill(list, async () => {
      const backups = await call('editor-backups', { page });
      if (backups.length === 0) return [element('p', { textContent: t('There are no backups yet.') })];
      const rows = backups.map(({ name, at, bytes }) => {
        const when = new Date(at).toLocaleString(formats);
        return element('li', {}, element('span', { textContent: when }), element('span', { className: 'tools-muted', textContent: size(bytes) }), button(t('Download'), () => take(name), { ariaLabel: t('Download the backup of {time}', { time: when }) }));
      });
      return [element('ul', { className: 'tools-list', role: 'list' }, ...rows)];
    });
  };
}
