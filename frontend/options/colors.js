// The color editor: the colors and fonts of the current theme. Each change is visible at once. They are stored in this browser,
// or become part of the draft in edit mode. Loaded when it is first opened.

import { contrasts, isColor, partner, resolved } from './contrast.js';
import { button, copy, element, styled, t, translated, words } from './elements.js';
import chooserSheet from 'built:theme-chooser.css';
import colorsSheet from 'built:theme-colors.css';

const root = document.documentElement;
// The viewer's own colors of themes, under the same key as in Dashy.
const COLORS_KEY = 'customColors';
const BASE = ['primary', 'foreground', 'background', 'background-darker'];
const FONTS = ['font-body', 'font-headings', 'font-monospace'];
const FAMILIES = ['system-ui, sans-serif', 'Georgia, serif', 'ui-monospace, monospace', 'ui-rounded, system-ui, sans-serif', 'Figtree, sans-serif'];
/** How long to wait for another change before the server draws the page with the draft, in milliseconds. */
const PAUSE = 250;

const currentTheme = () => root.dataset.theme ?? 'default';

const isMapping = (value) => value && typeof value === 'object' && !Array.isArray(value);

/** The colors of all themes that this browser has stored. */
function stored() {
  try {
    const colors = JSON.parse(localStorage.getItem(COLORS_KEY));
    return isMapping(colors) ? colors : {};
  } catch {
    return {};
  }
}

/** The colors of all themes, with new ones for one theme; without colors, the theme is removed. */
function withTheme(all, theme, values) {
  const rest = { ...all, [theme]: values };
  if (Object.keys(values).length === 0) delete rest[theme];
  return rest;
}

/** The variables of the page's style sheets, without the two hyphens. */
function variables() {
  const found = new Set();
  const look = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText === ':root') for (const name of rule.style) if (name.startsWith('--')) found.add(name.slice(2));
      if (rule.cssRules && !(rule instanceof CSSStyleRule)) look(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) if (!sheet.href) look(sheet.cssRules);
  const shown = [...found].filter((name) => !name.startsWith('theme-') && ![...BASE, ...FONTS].includes(name));
  return shown.sort();
}

/** The colors as the lines of a config. */
export function yaml(theme, values) {
  const quoted = (text) => `'${String(text).replaceAll("'", "''")}'`;
  const plain = (name) => (/^[a-z][\w-]*$/i.test(name) ? name : quoted(name));
  const lines = Object.entries(values).map(([name, value]) => `      ${plain(name)}: ${quoted(value)}`);
  return ['appConfig:', '  customColors:', `    ${plain(theme)}:`, ...lines, ''].join('\n');
}

/** Why a value cannot be used; undefined if it can. */
function refusal(value, wasColor) {
  if (/[;{}]|<\//.test(value)) return t('A value has no `;`, no braces and no tags.');
  if (wasColor && !isColor(value) && !value.includes('var(')) return t('Not a color. Use for example `#1d7089`, `teal` or `oklch(0.6 0.1 220)`.');
  return '';
}

/**
 * The row of one variable. `values` holds the changed variables; `changed` is called after each change.
 */
function row(name, values, changed) {
  const kind = isColor(resolved(name)) || BASE.includes(name) ? 'color' : 'text';
  const id = `colors-${name}`;
  const hint = element('p', { id: `${id}-hint`, className: 'colors-hint' });
  const text = element('input', { id, type: 'text', spellcheck: false, autocomplete: 'off', 'aria-describedby': hint.id });
  if (FONTS.includes(name)) text.setAttribute('list', 'colors-families');
  const palette = kind === 'color' ? element('input', { type: 'color', ariaLabel: t('Palette for {name}', { name }) }) : undefined;
  const reset = element('button', { type: 'button', className: 'button', textContent: t('Reset'), ariaLabel: t('Reset {name}', { name }) });
  const set = (value) => {
    const problem = value && refusal(value, kind === 'color');
    text.setAttribute('aria-invalid', String(Boolean(problem)));
    if (problem) {
      hint.className = 'colors-hint failed';
      hint.replaceChildren(...words(problem));
      return;
    }
    if (value) values[name] = value;
    else delete values[name];
    changed();
  };
  text.addEventListener('input', () => set(text.value.trim()));
  palette?.addEventListener('input', () => {
    text.value = palette.value;
    set(palette.value);
  });
  reset.addEventListener('click', () => {
    text.value = '';
    set('');
    text.focus();
  });
  const made = element('div', { className: 'colors-row' }, element('label', { htmlFor: id, textContent: name }), ...(palette ? [palette] : []), text, reset, hint);
  made.name = name;
  made.isColor = kind === 'color';
  /** Shows the value, what applies without it, and its contrast. */
  made.update = (shown, measured) => {
    const value = values[name] ?? '';
    const isWrong = text.getAttribute('aria-invalid') === 'true';
    if (!isWrong && text.value.trim() !== value) text.value = value;
    reset.hidden = !value && !isWrong;
    text.placeholder = shown;
    if (isWrong) return;
    hint.replaceChildren();
    if (!palette) return;
    palette.value = measured.hex;
    hint.className = measured.least && measured.ratio < measured.least ? 'colors-hint warned' : 'colors-hint';
    if (measured.least) {
      const ratio = Math.floor(measured.ratio * 10) / 10;
      const measures = { ratio, name: partner(name), kind: t(measured.kind), least: measured.least };
      const said = measured.ratio < measured.least ? 'Contrast {ratio} with `{name}`: hard to read, {kind} needs {least}.' : 'Contrast {ratio} with `{name}`.';
      hint.append(...words(t(said, measures)));
    }
  };
  return made;
}

/**
 * Opens the colors of the theme. `draft` has the functions of `frontend/edit.js` while the page is being edited. On closing,
 * the focus returns to `opener`.
 */
async function show(draft, opener) {
  await Promise.all([styledOnce(new URL(chooserSheet, import.meta.url).href), styledOnce(new URL(colorsSheet, import.meta.url).href), translated()]);
  const theme = currentTheme();
  const mine = stored();
  const ofDraft = () => (isMapping(draft?.setting(COLORS_KEY)) ? draft.setting(COLORS_KEY) : {});
  const began = { ...(draft ? ofDraft() : mine)[theme] };
  const values = { ...began };
  let timer;

  const paint = (own) => {
    root.removeAttribute('style');
    for (const [name, value] of Object.entries({ ...(draft ? {} : mine[theme]), ...own })) root.style.setProperty(`--${name}`, String(value));
  };
  const changed = () => {
    if (draft) {
      paint(values);
      clearTimeout(timer);
      timer = setTimeout(() => draft.changeSetting(COLORS_KEY, withTheme(ofDraft(), theme, values)), PAUSE);
    } else {
      root.removeAttribute('style');
      for (const [name, value] of Object.entries(values)) root.style.setProperty(`--${name}`, value);
    }
    update();
  };

  const rows = [...BASE, ...FONTS].map((name) => row(name, values, changed));
  const base = element('div', {}, ...rows.slice(0, BASE.length));
  const fonts = element('details', {}, element('summary', { textContent: t('Fonts') }), ...rows.slice(BASE.length), element('datalist', { id: 'colors-families' }, ...FAMILIES.map((value) => element('option', { value }))));
  const filter = element('input', { type: 'search', placeholder: t('Find a variable'), ariaLabel: t('Find a variable'), autocomplete: 'off' });
  const list = element('div');
  const all = element('details', {}, element('summary', { textContent: t('All variables') }), filter, list);
  all.addEventListener('toggle', () => {
    if (!all.open || list.hasChildNodes()) return;
    const more = variables().map((name) => row(name, values, changed));
    rows.push(...more);
    list.append(...more);
    narrow();
    update();
  });
  filter.addEventListener('input', narrow);
  function narrow() {
    for (const one of list.children) one.hidden = !one.name.includes(filter.value.trim().toLowerCase());
  }
  let frame;
  function update() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      // All is read before anything is written: reading after writing makes the browser compute the styles of the page again.
      const shown = rows.map((one) => resolved(one.name));
      const measured = contrasts(rows.filter((one) => one.isColor).map((one) => one.name));
      rows.forEach((one, at) => one.update(shown[at], measured.get(one.name)));
      const isEmpty = Object.keys(values).length === 0;
      for (const one of [exported, resetAll]) one.disabled = isEmpty;
      code.textContent = isEmpty ? '' : yaml(theme, values);
      code.hidden = isEmpty;
    });
  }

  const code = element('pre', { className: 'colors-code', tabIndex: 0, ariaLabel: t('Lines of a config') });
  const exported = button(t('Copy as YAML'), () => copy(yaml(theme, values), code));
  const resetAll = button(t('Reset all'), () => {
    for (const name of Object.keys(values)) delete values[name];
    for (const one of rows) one.querySelector('[aria-invalid]')?.setAttribute('aria-invalid', 'false');
    changed();
  });
  const heading = element('h2', { id: 'colors-title', textContent: t('Colors: {theme}', { theme }) });
  const cancel = button(t('Cancel'), () => goBack());
  const keep = button(t(draft ? 'Apply' : 'Save'), () => (draft ? apply(draft) : save()), { className: 'button primary' });
  const about = t(draft ? 'They become part of the draft, for everybody with this theme.' : 'They are stored in this browser, for you only.');
  const mayEdit = !draft && document.querySelector('.edit-button');
  const take = mayEdit ? [button(t('Take into the config'), () => toConfig())] : [];
  const dialog = element('dialog', { className: 'theme-dialog colors-dialog', 'aria-labelledby': heading.id },
    element('div', { className: 'dialog-header' }, heading, cancel, keep),
    element('div', { className: 'colors-body' }, element('p', { className: 'colors-about', textContent: about }), base, fonts, all,
      element('div', { className: 'colors-actions' }, exported, resetAll, ...take), code));

  const store = (colors) => {
    try {
      if (Object.keys(colors).length) localStorage.setItem(COLORS_KEY, JSON.stringify(colors));
      else localStorage.removeItem(COLORS_KEY);
    } catch {
      // Then they last only for this visit.
    }
  };
  const end = () => {
    clearTimeout(timer);
    dialog.close();
    dialog.remove();
    opener?.focus();
  };
  function goBack() {
    end();
    paint({});
    if (draft) draft.changeSetting(COLORS_KEY, withTheme(ofDraft(), theme, began));
  }
  function save() {
    store(withTheme(mine, theme, values));
    end();
  }
  function apply(to) {
    end();
    // Until the server has drawn the page with them.
    document.addEventListener('portico:changed', () => paint({}), { once: true });
    to.changeSetting(COLORS_KEY, withTheme(ofDraft(), theme, values), `Colors of the theme “${theme}”`);
  }
  async function toConfig() {
    end();
    const editor = await import('../edit.js');
    await editor.begin();
    if (!editor.isRunning()) return paint({});
    // If the draft is not saved, this browser still has them.
    store(withTheme(mine, theme, values));
    editor.takeColors(theme, values);
  }

  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    goBack();
  });
  // Keys in the dialog must not trigger shortcuts of the page.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  // The dialog itself stays readable with any colors of the page.
  for (const name of [...BASE, ...FONTS, ...variables()]) dialog.style.setProperty(`--${name}`, resolved(name));
  dialog.style.colorScheme = getComputedStyle(root).colorScheme;
  document.getElementById('options-panel')?.hidePopover();
  (document.getElementById('editor') ?? document.body).append(dialog);
  update();
  dialog.showModal();
  rows[0].querySelector('input[type="text"]').focus();
}

const sheets = new Map();

function styledOnce(href) {
  if (!sheets.has(href)) sheets.set(href, styled(href));
  return sheets.get(href);
}

/** Opens the colors of the draft. `draft` has `setting` and `changeSetting` of `frontend/edit.js`. */
export const open = (draft) => show(draft, undefined);

/** Opens the colors of this browser; in edit mode, those of the draft. */
export default async function openOwn(opener) {
  const pencil = document.querySelector('.edit-button');
  const editor = 'editing' in root.dataset && pencil ? await import('../edit.js') : undefined;
  await show(editor, opener);
}
