// The dialog for choosing a theme and an accent color. The focused theme is shown at once and stored in this browser; Escape and
// "Cancel" restore the previous one. Loaded when it is first opened.

import chooserSheet from 'built:theme-chooser.css';

/** A text in the language of the page. @type {(text: string) => string} */
const t = (text) => /** @type {any} */ (document.getElementById('settings'))?.texts?.[text] ?? text;
const root = document.documentElement;
const suffix = root.dataset.page ? `-${root.dataset.page}` : '';
const THEME_KEY = `theme${suffix}`;
// The viewer's own colors of themes, under the same key as in Dashy.
const COLORS_KEY = 'customColors';
const ACCENTS = ['#4f8ef7', '#8b7cff', '#d46ad0', '#e94560', '#f58233', '#d9a520', '#4fae5c', '#1fae9b'];
const GENERAL = [
  { name: '', label: t('As configured'), about: t('What the config file says') },
  { name: 'default', label: t('System'), about: t('Follows the system by day and night') },
  { name: 'light', label: t('Light'), about: t('The day of the system theme') },
  { name: 'dark', label: t('Dark'), about: t('The night of the system theme') },
];

const read = (key) => {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
};
const write = (key, value) => {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // Then the choice lasts only for this visit.
  }
};
const stored = () => {
  try {
    const colors = JSON.parse(read(COLORS_KEY));
    return colors && typeof colors === 'object' && !Array.isArray(colors) ? colors : {};
  } catch {
    return {};
  }
};

let chosen = read(THEME_KEY);
let colors = stored();
let turn = 0;

/** The name of the current theme. */
const current = () => root.dataset.theme ?? 'default';

function showColors() {
  root.removeAttribute('style');
  for (const [name, value] of Object.entries(colors[current()] ?? {})) root.style.setProperty(`--${name}`, String(value));
}

/** Shows a theme; an empty name means that of the config. Resolves when it is visible. */
async function show(name) {
  const mine = ++turn;
  const before = [...document.querySelectorAll('link.theme')];
  if (!['', 'default', 'auto'].includes(name)) {
    const sheet = Object.assign(document.createElement('link'), {
      className: 'theme',
      rel: 'stylesheet',
      href: `${root.dataset.themes}${encodeURIComponent(name)}.css`,
    });
    const loaded = new Promise((done) => (sheet.onload = sheet.onerror = done));
    document.head.append(sheet);
    await loaded;
    if (mine !== turn) return sheet.remove();
  }
  for (const sheet of before) sheet.remove();
  for (const style of document.querySelectorAll(/** @type {'style'} */ ('style.theme'))) style.disabled = name !== '';
  const { day, night, only } = root.dataset;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const shown = name || (day ? (dark ? night : day) : (only ?? 'default'));
  if (['default', 'auto'].includes(shown)) delete root.dataset.theme;
  else root.dataset.theme = shown;
  if (name) root.dataset.chosen = '';
  else delete root.dataset.chosen;
  showColors();
}

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** The colors of a theme that the config defines, as far as a rule of the page contains them. */
function ownColors(name) {
  const found = {};
  for (const sheet of document.styleSheets) {
    if (sheet.href) continue;
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || !rule.selectorText.includes(`[data-theme="${name}"]`)) continue;
      for (const part of ['background', 'primary', 'foreground', 'item-group-outer-background']) {
        found[part] ??= rule.style.getPropertyValue(`--${part}`) || undefined;
      }
    }
  }
  const { background = '#101622', primary = '#5cabca', foreground = '#e4e9f4' } = found;
  return [background, found['item-group-outer-background'] ?? background, primary, foreground];
}

const title = (name) => name.replaceAll('-', ' ').replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());

function card({ name, label, about, hues = [] }, swatch) {
  const radio = element('input', { type: 'radio', name: 'theme', value: name, checked: name === chosen });
  const picture = element('span', { className: 'theme-picture', ariaHidden: 'true' }, ...['b', 'i', 'i', 'i', 'u'].map((tag) => element(tag)));
  ['ground', 'surface', 'accent', 'text'].forEach((part, at) => picture.style.setProperty(`--${part}`, swatch[at]));
  picture.querySelectorAll('i').forEach((tile, at) => hues[at] && tile.style.setProperty('--accent', hues[at]));
  const made = element('label', { className: 'theme-card', title: about ?? '' }, radio, picture, element('span', { className: 'theme-name', textContent: label ?? title(name) }));
  made.dataset.words = `${name} ${label ?? ''} ${about ?? ''}`.toLowerCase();
  return made;
}

/** The stored accent color of the current theme. */
const accent = () => colors[current()]?.primary ?? '';

function setAccent(value) {
  const own = { ...colors[current()] };
  if (value) own.primary = value;
  else delete own.primary;
  colors = { ...colors, [current()]: own };
  if (Object.keys(own).length === 0) delete colors[current()];
  write(COLORS_KEY, Object.keys(colors).length ? JSON.stringify(colors) : '');
  showColors();
}

function accents() {
  const free = element('input', { type: 'color', ariaLabel: t('Accent of your own'), value: '#5cabca' });
  const box = element('fieldset', { className: 'accents' }, element('legend', { textContent: t('Accent') }));
  const choices = ['', ...ACCENTS].map((color) => {
    const radio = element('input', { type: 'radio', name: 'accent', value: color, ariaLabel: color || t('As in the theme'), title: color || t('As in the theme') });
    if (color) radio.style.setProperty('--own', color);
    radio.addEventListener('change', () => setAccent(color));
    return radio;
  });
  free.addEventListener('input', () => {
    setAccent(free.value);
    for (const radio of choices) radio.checked = false;
  });
  box.append(...choices, free);
  box.update = () => {
    for (const radio of choices) radio.checked = radio.value === accent();
    if (/^#[0-9a-f]{6}$/i.test(accent())) free.value = accent();
  };
  return box;
}

async function build(button) {
  const looks = element('link', { rel: 'stylesheet', href: new URL(chooserSheet, import.meta.url).href });
  const styled = new Promise((done, failed) => ((looks.onload = done), (looks.onerror = failed)));
  document.head.append(looks);
  const [themes] = await Promise.all([fetch(`${root.dataset.themes}list.json`).then((answer) => answer.json()), styled]);
  const { look = {} } = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const swatchOf = (theme) => theme[dark ? 'dark' : 'light'];
  const known = Object.fromEntries(themes.map((theme) => [theme.name, theme]));
  const configured = (dark ? look.nightTheme : look.dayTheme) ?? 'default';
  if (!root.dataset.day && configured !== 'default') root.dataset.only = configured;
  const ofName = (name) => (known[name] ? swatchOf(known[name]) : ownColors(name));
  const general = GENERAL.map((entry) =>
    card(entry, { '': ofName(configured), default: swatchOf(known.default), light: known.default.light, dark: known.default.dark }[entry.name]),
  );
  const own = (look.themes ?? []).map((name) => card({ name, label: name, about: t('A theme of the config') }, ofName(name)));
  // The style sheets themselves are part of every page; under their names they can style a theme of their own. These are the
  // names that Dashy keeps in browsers.
  const sheets = (look.styleSheets ?? []).map((_, at) => card({ name: `External Stylesheet ${at + 1}`, label: t('External style sheet {count}').replace('{count}', `${at + 1}`), about: t('A style sheet of the config') }, swatchOf(known.default)));
  const rest = themes.filter(({ name }) => name !== 'default').map((theme) => card(theme, swatchOf(theme)));
  const cards = [...general, ...own, ...sheets, ...rest];

  const filter = element('input', { type: 'search', placeholder: t('Find a theme'), ariaLabel: t('Find a theme'), autocomplete: 'off' });
  const note = element('p', { className: 'theme-about', ariaLive: 'polite' });
  const list = element('fieldset', { className: 'theme-list' }, element('legend', { className: 'visually-hidden', textContent: t('Theme') }), ...cards);
  const box = accents();
  const cancel = element('button', { type: 'button', className: 'button', textContent: t('Cancel') });
  const keep = element('button', { type: 'button', className: 'button primary', textContent: t('Keep') });
  const heading = element('h2', { id: 'theme-dialog-title', textContent: t('Theme') });
  const dialog = element('dialog', { className: 'theme-dialog' }, element('div', { className: 'dialog-header' }, heading, cancel, keep), filter, list, note, box);
  dialog.setAttribute('aria-labelledby', heading.id);

  let before;
  const choose = async (name) => {
    chosen = name;
    write(THEME_KEY, name);
    note.textContent = cards.find((card) => card.control.value === name)?.title ?? '';
    await show(name);
    box.update();
  };
  const goBack = () => {
    colors = before.colors;
    write(COLORS_KEY, Object.keys(colors).length ? JSON.stringify(colors) : '');
    write(THEME_KEY, before.chosen);
    chosen = before.chosen;
    dialog.close();
    return show(chosen);
  };
  list.addEventListener('change', (event) => choose(event.target.value));
  // If filtering has left a single theme, arrow keys change nothing, but still show the focused theme.
  list.addEventListener('focusin', ({ target }) => {
    if (target.checked && target.value !== chosen) choose(target.value);
  });
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const card of cards) card.hidden = !words.every((word) => card.dataset.words.includes(word));
  });
  keep.addEventListener('click', () => dialog.close());
  cancel.addEventListener('click', goBack);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    goBack();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => button.focus());
  // Keys in the dialog must not trigger shortcuts of the page.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  document.body.append(dialog);
  return () => {
    before = { chosen, colors };
    filter.value = '';
    for (const card of cards) {
      card.hidden = false;
      card.control.checked = card.control.value === chosen;
    }
    note.textContent = '';
    box.update();
    document.getElementById('options-panel')?.hidePopover();
    dialog.showModal();
    const checked = list.querySelector(':checked') ?? list.querySelector('input');
    checked.focus();
    checked.closest('label').scrollIntoView({ block: 'center' });
  };
}

let opening;

/** Opens the dialog. On closing, the focus returns to `button`. */
export default async function open(button) {
  opening ??= build(button).catch((error) => {
    opening = undefined;
    throw error;
  });
  (await opening)();
}
