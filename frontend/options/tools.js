// Options besides the layout: icons in one color, closing notices and hints, and the dialogs for the theme, its colors, and the config,
// which are loaded when they open. This script is loaded at its first use.

const root = document.documentElement;
const suffix = root.dataset.page ? `-${root.dataset.page}` : '';
const ICON_KEY = `iconColor${suffix}`;

/** The dialogs, by the `data-opens` of their button. */
const OPEN = {
  theme: () => import('./chooser.js'),
  colors: () => import('./colors.js'),
  config: () => import('./menu.js'),
};

/** Shows brand icons in the color of the text, or in their own. A choice that equals the config is not stored. */
function colorIcons(box) {
  const word = box.checked ? 'mono' : 'color';
  try {
    if (box.checked === box.defaultChecked) localStorage.removeItem(ICON_KEY);
    else localStorage.setItem(ICON_KEY, word);
  } catch {
    // Then the choice lasts only for this visit.
  }
  root.dataset.icons = word;
}

/** Closes a notice. With "Do not show again", its title remains. */
function dismiss(notice, extent) {
  if (extent === 'now') return notice.remove();
  notice.classList.add('quiet');
  try {
    localStorage.setItem('disableCriticalWarning', 'true');
  } catch {
    // Then it is shown again.
  }
}

/** Closes the hints about the config, until there are others. */
function closeHints(hints) {
  try {
    localStorage.setItem('closedHints', hints.dataset.hints);
  } catch {
    // Then they are there again.
  }
  hints.hidden = true;
}

/** Runs the action of a control. */
export default async function use(control) {
  if (control.type === 'checkbox') return colorIcons(control);
  if (control.dataset.dismiss === 'hints') return closeHints(control.closest('[data-hints]'));
  if (control.dataset.dismiss) return dismiss(control.closest('.notice'), control.dataset.dismiss);
  const { default: open } = await OPEN[control.dataset.opens]();
  await open(control);
}
