// Elements and dialogs for the scripts of the options.

const settings = /** @type {any} */ (document.getElementById('settings'));

/** A text in the language of the page, with values in the place of `{name}`. @type {(text: string, values?: Record<string, unknown>) => string} */
export const t = (text, values = {}) => (settings?.texts?.[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** @type {Promise<void> | undefined} */
let loading;

/** Loads the translated texts of dialogs, which pages do not contain, before the first dialog opens. */
export const translated = () => (loading ??= loadTexts());

async function loadTexts() {
  if (!settings || !('texts' in settings.dataset)) return;
  const answer = await fetch(new URL(`./language?of=${document.documentElement.lang}`, import.meta.url)).catch(() => undefined);
  if (answer?.ok) Object.assign(settings.texts, await answer.json());
  else loading = undefined;
}

/** An element with properties, attributes (names with a hyphen) and children. */
export const element = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
};

/** A sentence with `code` in it. */
export const words = (text) => text.split('`').map((part, at) => (at % 2 ? element('code', {}, part) : part));

/** A button that shows the result of its action for a moment. */
export function button(label, act, properties = {}) {
  const made = element('button', { type: 'button', className: 'button', textContent: label, ...properties });
  made.addEventListener('click', async () => {
    const said = await act(made);
    if (!said) return;
    made.textContent = said;
    setTimeout(() => (made.textContent = label), 3000);
  });
  return made;
}

/** Copies a text; if scripts cannot use the clipboard, selects the element that shows it. */
export async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return t('Copied');
  } catch {
    if (shown instanceof HTMLTextAreaElement) shown.select();
    else getSelection().selectAllChildren(shown);
    return t('Press Ctrl+C');
  }
}

/** Downloads a text as a file. */
export function handOut(name, text, type = 'application/yaml') {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Loads a style sheet. */
export function styled(href) {
  const link = element('link', { rel: 'stylesheet', href });
  const loaded = new Promise((done, failed) => ((link.onload = done), (link.onerror = failed)));
  document.head.append(link);
  return loaded;
}

/**
 * A list of tabs with their panels: arrow keys, Home and End move between tabs. Each entry has `name`, `label` and `fill`,
 * which is called with its panel whenever it is shown. Returns the elements, and a function that shows a tab by its name.
 */
export function tabs(label, entries) {
  const list = element('div', { role: 'tablist', className: 'tools-tabs', 'aria-label': label });
  const made = entries.map(({ name, label, fill }) => {
    const panel = element('div', { role: 'tabpanel', id: `tools-panel-${name}`, className: 'tools-body', tabIndex: 0, hidden: true, 'aria-labelledby': `tools-tab-${name}` });
    const tab = element('button', { type: 'button', role: 'tab', id: `tools-tab-${name}`, textContent: label, 'aria-controls': panel.id });
    tab.addEventListener('click', () => show(name));
    return { name, tab, panel, fill };
  });
  const show = (name) => {
    for (const entry of made) {
      const isShown = entry.name === name;
      entry.tab.setAttribute('aria-selected', String(isShown));
      entry.tab.tabIndex = isShown ? 0 : -1;
      entry.panel.hidden = !isShown;
      if (!isShown) continue;
      entry.tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      entry.fill(entry.panel);
    }
  };
  list.addEventListener('keydown', (event) => {
    const at = made.findIndex(({ tab }) => tab === event.target);
    const isMirrored = getComputedStyle(list).direction === 'rtl';
    const steps = { ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1, Home: -at, End: made.length - 1 - at };
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    const next = made[(at + steps[event.key] + made.length) % made.length];
    show(next.name);
    next.tab.focus();
  });
  list.append(...made.map(({ tab }) => tab));
  return { elements: [list, ...made.map(({ panel }) => panel)], show };
}
