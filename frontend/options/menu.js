// The config menu: one dialog with tabs. Admins can manage the config; everybody can see what this browser has stored, the debug
// information, and the version of the program. Loaded when it is first opened.

import optionsSheet from 'built:config-menu.css';
import { browserTab, debugTab } from './browser.js';
import { element, styled, t, tabs, translated } from './elements.js';

const base = new URL('.', import.meta.url);
const root = document.documentElement;

/** Shows admins that there is a newer version, if the server knows of one. @param {HTMLElement} place */
async function tellNews(place) {
  const answer = await fetch(new URL('new-version', base)).catch(() => undefined);
  const { version, page } = answer?.ok ? await answer.json() : {};
  if (!version) return;
  place.textContent = `${t('Version {version} is there.', { version })} `;
  if (page) place.append(element('a', { href: page, target: '_blank', rel: 'noopener noreferrer', textContent: t('What is new') }));
}

function aboutTab(version, isAdmin) {
  return (panel) => {
    const news = element('p', { className: 'tools-news', ariaLive: 'polite' });
    panel.replaceChildren(element('p', {}, t('Portico {version}. Free software under the MIT license. Its fonts and icons have licenses of their own.', { version })), news);
    if (isAdmin) tellNews(news);
  };
}

/** The state of the config, below all tabs. */
function foot(version, file) {
  const language = JSON.parse(document.getElementById('settings')?.textContent ?? '{}').look?.language ?? navigator.language;
  const known = [file, t('theme {name}', { name: root.dataset.theme ?? 'default' }), t('language {name}', { name: language }), `Portico ${version}`];
  return known.filter(Boolean).join(' · ');
}

async function build(opener) {
  const { version, file } = opener.dataset;
  await translated();
  const mayEdit = file !== undefined;
  const title = t(mayEdit ? 'Config' : 'About this dashboard');
  const close = element('button', { type: 'button', className: 'button', textContent: t('Close'), onclick: () => dialog.close() });
  const heading = element('h2', { id: 'tools-title', textContent: title });
  const dialog = element('dialog', { className: 'tools-dialog', 'aria-labelledby': heading.id });
  const own = [];
  if (mayEdit) {
    const [{ backupsTab, editTab, exportTab, stylesTab }, { managedTab }] = await Promise.all([import('./config.js'), import('./manage.js')]);
    own.push(
      { name: 'edit', label: t('Edit'), fill: editTab(dialog) },
      { name: 'export', label: t('Export'), fill: exportTab(dialog, file) },
      { name: 'styles', label: t('Styles'), fill: stylesTab(dialog) },
      { name: 'backups', label: t('Backups'), fill: backupsTab(dialog) },
      { name: 'history', label: t('History'), fill: managedTab('history') },
      { name: 'tokens', label: t('Tokens'), fill: managedTab('tokens') },
      { name: 'alerts', label: t('Alerts'), fill: managedTab('alerts') },
      { name: 'widgets', label: t('Widgets'), fill: managedTab('widgets') },
    );
  }
  const all = [
    ...own,
    { name: 'about', label: t('About'), fill: aboutTab(version, mayEdit) },
    { name: 'debug', label: t('Debug'), fill: debugTab(version) },
    { name: 'browser', label: t('This browser'), fill: browserTab() },
  ];
  const { elements, show } = tabs(title, all);
  const end = element('p', { className: 'tools-foot' });
  dialog.append(element('div', { className: 'dialog-header' }, heading, close), ...elements);
  const isAdmin = Boolean(document.getElementById('settings')?.dataset.editor);
  if (!isAdmin) dialog.append(element('p', { className: 'tools-note', textContent: t('Only admins can see and change the config here.') }));
  dialog.append(end);
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => opener.focus());
  // Keys in the dialog must not trigger shortcuts of the page.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  return () => {
    // An update of the page removes elements that are not part of it.
    if (!dialog.isConnected) document.body.append(dialog);
    end.textContent = foot(version, file);
    document.getElementById('options-panel')?.hidePopover();
    dialog.showModal();
    show(all[0].name);
    elements[0].querySelector('[aria-selected="true"]').focus();
  };
}

let opening;

/** Opens the menu. On closing, the focus returns to `opener`. */
export default async function open(opener) {
  opening ??= Promise.all([styled(new URL(optionsSheet, import.meta.url).href), build(opener)]).catch((error) => {
    opening = undefined;
    throw error;
  });
  const [, show] = await opening;
  show();
}
