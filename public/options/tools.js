// Loaded at its first use: what the options have besides looks. Icons in one color are switched and notices closed here; the
// config menu is loaded when it is opened.

const root = document.documentElement;
const suffix = root.dataset.page ? `-${root.dataset.page}` : '';
const ICON_KEY = `iconColor${suffix}`;

/** Icons of brands in the color of the text or in their own; what the config says is not stored. */
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
  const { default: open } = await import('./menu.js');
  await open(control);
}
