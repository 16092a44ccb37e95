// The focus on a page in edit mode: into the first field of a form, and back to where it was when a dialog closes or the
// focused element goes. `edit.js` loads it.

/** @typedef {{ element: HTMLElement, selectors: string[] }} Place An element outside dialogs, and what finds it, or its section, once it is drawn again. */

const SECTIONS = '#content > section, .page-column > section'
const FIELDS = '.edit-scroll :is(input:not([type=hidden]), select, textarea)'

/** Where the focus was last. @type {Place | undefined} */
let last

/** @param {Element | null} element */
function remember(element) {
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('dialog, .rename')) return
  const { id, dataset: { edit, more } } = element
  const section = element.closest(SECTIONS)?.id
  const selectors = [
    id ? `[id="${id}"]` : edit ? `[data-edit="${edit}"]` : more ? `[data-more="${more}"]` : '',
    element.matches('.section-heading') ? `#${section} .section-heading` : '',
    section ? `[data-edit="${section.replace('s', 'section')}"]` : '',
  ]
  last = { element, selectors: selectors.filter(Boolean) }
}

/** Moves the focus back, unless something has it. */
function restore() {
  if (!last || document.activeElement !== document.body || document.querySelector('dialog[open], #editor dialog')) return
  const { element, selectors } = last
  for (const place of [element, ...selectors.map((selector) => document.querySelector(selector))]) {
    // An element that is gone or hidden does not take it.
    if (place instanceof HTMLElement) place.focus()
    if (document.activeElement === place) return
  }
}

/** Gives the focus to the first field of a form. A finger gets no keyboard before it touches a field. @param {HTMLDialogElement} form */
function enter(form) {
  const field = matchMedia('(pointer: coarse)').matches ? null : form.querySelector(FIELDS)
  if (!(field instanceof HTMLElement)) return
  if (form.open) field.focus()
  else field.autofocus = true
}

/** @param {MutationRecord[]} changes */
function changed(changes) {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (node instanceof HTMLDialogElement && node.matches('.edit-form')) enter(node)
  }
  restore()
}

/** @param {Event} event */
const focused = ({ target }) => remember(target instanceof Element ? target : null)

/** A click on the page beside everything leaves the focus nowhere. @param {Event} event */
function pressed({ target }) {
  if (target instanceof Element && !target.closest('dialog')) last = undefined
}

/**
 * Begins to follow the focus.
 *
 * @param {Element} editor The element that contains the dialogs.
 * @returns {() => void} what ends it
 */
export default function follow(editor) {
  const observer = new MutationObserver(changed)
  observer.observe(editor, { childList: true })
  remember(document.activeElement)
  document.addEventListener('focusin', focused)
  document.addEventListener('pointerdown', pressed, true)
  document.addEventListener('portico:changed', restore)
  return () => {
    observer.disconnect()
    last = undefined
    document.removeEventListener('focusin', focused)
    document.removeEventListener('pointerdown', pressed, true)
    document.removeEventListener('portico:changed', restore)
  }
}
