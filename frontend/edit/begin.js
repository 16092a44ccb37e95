// Starts a new dashboard: with a first service, a template, or an import from another dashboard. Loaded with the first press
// of a button on an empty page (app/src/page/first_run.rs).

import family from './templates/family.yml'
import homelab from './templates/homelab.yml'
import media from './templates/media.yml'
import minimal from './templates/minimal.yml'

/** @typedef {import('./raw.js').Bundle} Bundle */

/** @type {Record<string, string>} */
const TEMPLATES = { family, homelab, media, minimal }
const EMPTY_SECTION = 'sections:\n  - name: Services\n'

/**
 * @param {Bundle} editor
 * @param {DOMStringMap} options The data of the button: `start` is `import`, `first` or a template; `replaces` is set if the page is an example.
 */
export default function begin(editor, { start = '', replaces }) {
  const template = TEMPLATES[start]
  if (template) {
    const name = start[0].toUpperCase() + start.slice(1)
    editor.take_template(template, `Start with the template “${name}”`, replaces !== undefined)
  } else if (start === 'import') {
    editor.open_import()
  } else {
    // The form needs a section, which appears with the next preview from the server.
    const open = () => {
      const button = /** @type {HTMLElement | null} */ (document.querySelector('[data-edit="add-item-0"]'))
      if (!button) return
      document.removeEventListener('portico:changed', open)
      button.click()
    }
    document.addEventListener('portico:changed', open)
    editor.take_template(EMPTY_SECTION, 'Add section “Services”', replaces !== undefined)
  }
}
