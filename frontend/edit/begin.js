// Starts a new dashboard: with a first service, a template, the list of widgets, or an import from another dashboard. Loaded with the first press
// of a button on an empty page (app/src/page/first_run.rs).

import family from './templates/family.yml'
import homelab from './templates/homelab.yml'
import media from './templates/media.yml'
import minimal from './templates/minimal.yml'
import { t } from '../texts.js'

/** @typedef {import('./raw.js').Bundle} Bundle */

/** @type {Record<string, string>} */
const TEMPLATES = { family, homelab, media, minimal }
/** The names of the templates. @type {Record<string, () => string>} */
const NAMES = { family: () => t('Family'), homelab: () => t('Homelab'), media: () => t('Media'), minimal: () => t('Minimal') }
const EMPTY_SECTION = 'sections:\n  - name: Services\n'
const ADD_WIDGET = '[data-edit^="add-widget-"]'

/**
 * @param {Bundle} editor
 * @param {DOMStringMap} options The data of the button: `start` is `import`, `service`, `widgets` or a template; `replaces` is set if the page is
 *   an example.
 */
export default function begin(editor, { start = '', replaces }) {
  const template = TEMPLATES[start]
  const isExample = replaces !== undefined
  if (template) {
    const name = NAMES[start]()
    editor.take_template(template, t('Start with the template “{name}”', { name }), isExample)
  } else if (start === 'import') {
    editor.open_import()
  } else if (start === 'widgets' && isExample) {
    // A widget joins the example.
    if (!press(ADD_WIDGET)) pressWhenThere(ADD_WIDGET)
  } else {
    // The form needs a section, which appears with the next preview from the server.
    pressWhenThere(start === 'widgets' ? ADD_WIDGET : '[data-edit="add-item-0"]')
    editor.take_template(EMPTY_SECTION, t('Add section “{name}”', { name: 'Services' }), isExample)
  }
}

/** Presses the last of the buttons of edit mode that match; false if there is none yet. @param {string} selector */
function press(selector) {
  const button = /** @type {HTMLElement | undefined} */ ([...document.querySelectorAll(selector)].at(-1))
  button?.click()
  return button !== undefined
}

/** Does so when the server has drawn it. @param {string} selector */
function pressWhenThere(selector) {
  const look = () => {
    if (press(selector)) document.removeEventListener('portico:changed', look)
  }
  document.addEventListener('portico:changed', look)
}
