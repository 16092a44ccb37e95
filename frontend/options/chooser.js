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

function card({ name, label, about, hues = [] }, swatch, group = 'theme') {
  const radio = element('input', { type: 'radio', name: group, value: name, checked: name === chosen });
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

/** The themes, once their style sheet is there. */
let loading;
function loaded() {
  loading ??= (() => {
    const looks = element('link', { rel: 'stylesheet', href: new URL(chooserSheet, import.meta.url).href });
    const styled = new Promise((done, failed) => ((looks.onload = done), (looks.onerror = failed)));
    document.head.append(looks);
    return Promise.all([fetch(`${root.dataset.themes}list.json`).then((answer) => answer.json()), styled]).then(([themes]) => themes);
  })().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const lookOfConfig = () => JSON.parse(document.getElementById('settings')?.textContent ?? '{}').look ?? {};
const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** Shows only the cards that match what is typed. */
function filterBy(filter, cards) {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const card of cards) card.hidden = !words.every((word) => card.dataset.words.includes(word));
}

/**
 * Opens the same dialog for a field of the editor, for everybody: each choice goes into the field, and so onto the page, at once.
 *
 * @param {HTMLInputElement} field Its id says whether it is the theme, or that by day or by night.
 */
export async function chooseFor(field) {
  const themes = await loaded();
  const before = field.value;
  const byTime = /-(day|night)Theme$/.test(field.id);
  const dark = /-nightTheme$/.test(field.id) || !/-dayTheme$/.test(field.id) && isDark();
  const swatchOf = (theme) => theme[dark ? 'dark' : 'light'];
  const known = Object.fromEntries(themes.map((theme) => [theme.name, theme]));
  const system = byTime
    ? [{ name: '', label: 'As by day and night', about: 'The theme of the field “Theme”' }, { name: 'default', label: 'System', about: 'Follows the system by day and night' }]
    : [{ name: '', label: 'System', about: 'Follows the system by day and night' }];
  const cards = [
    ...system.map((entry) => card(entry, swatchOf(known.default), 'theme-for-all')),
    ...(lookOfConfig().themes ?? []).map((name) => card({ name, label: name, about: 'A theme of the config' }, known[name] ? swatchOf(known[name]) : ownColors(name), 'theme-for-all')),
    ...themes.filter(({ name }) => name !== 'default').map((theme) => card(theme, swatchOf(theme), 'theme-for-all')),
  ];
  const written = before.trim() === 'default' && !byTime ? '' : before.trim();
  for (const { control } of cards) control.checked = control.value === written;

  const filter = element('input', { type: 'search', placeholder: 'Find a theme', ariaLabel: 'Find a theme', autocomplete: 'off' });
  const note = element('p', { className: 'theme-about', ariaLive: 'polite' });
  const list = element('fieldset', { className: 'theme-list' }, element('legend', { className: 'visually-hidden', textContent: 'Theme' }), ...cards);
  const cancel = element('button', { type: 'button', className: 'button', textContent: 'Cancel' });
  const done = element('button', { type: 'button', className: 'button primary', textContent: 'Done' });
  const heading = element('h2', { id: 'theme-for-all-title', textContent: 'Theme for everybody' });
  const dialog = element('dialog', { className: 'theme-dialog' }, element('div', { className: 'dialog-header' }, heading, cancel, done), filter, list, note);
  dialog.setAttribute('aria-labelledby', heading.id);
  const set = (value) => {
    if (field.value === value) return;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const end = () => {
    dialog.close();
    dialog.remove();
    field.focus();
  };
  const goBack = () => {
    set(before);
    end();
  };
  list.addEventListener('change', ({ target }) => {
    note.textContent = target.closest('label').title;
    set(target.value);
  });
  filter.addEventListener('input', () => filterBy(filter, cards));
  done.addEventListener('click', end);
  cancel.addEventListener('click', goBack);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    goBack();
  });
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  (document.getElementById('editor') ?? document.body).append(dialog);
  dialog.showModal();
  const checked = list.querySelector(':checked') ?? list.querySelector('input');
  checked.focus();
  checked.closest('label').scrollIntoView({ block: 'center' });
}

async function build(button) {
  const themes = await loaded();
  const look = lookOfConfig();
  const dark = isDark();
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
  // Those who may edit the page lead everybody to it; the editor speaks English.
  const forAll = element('button', { type: 'button', className: 'button theme-for-all', textContent: 'For everybody' });
  const dialog = element('dialog', { className: 'theme-dialog' }, element('div', { className: 'dialog-header' }, heading, ...(document.querySelector('.pencil') ? [forAll] : []), cancel, keep), filter, list, note, box);
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
  filter.addEventListener('input', () => filterBy(filter, cards));
  keep.addEventListener('click', () => dialog.close());
  forAll.addEventListener('click', async () => {
    const name = chosen || 'default';
    // From now on this browser shows the theme of everybody.
    await choose('');
    dialog.close();
    const editor = await import('../edit.js');
    await editor.begin();
    if (editor.isRunning()) editor.changeSetting('theme', name === 'default' ? null : name, `Theme “${title(name)}” for everybody`);
  });
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
