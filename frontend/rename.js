// Renames an item, a sub-item, a section, a widget or the page in place, in edit mode (docs/editing.md).

import { t } from './texts.js'

/** The least width of the field, and its distance from the edges of the window, in pixels. */
const MIN_WIDTH = 160
const GAP = 8

/** What has no name yet. @type {Record<string, () => string>} */
const UNNAMED = { item: () => t('the item'), part: () => t('the sub-item'), section: () => t('the section'), page: () => t('the page'), widget: () => t('the widget') }

/** @typedef {{ name: string, owner: string, label: () => string, needs: () => string }} Named Where the name is, what has the focus afterwards, and texts. */

/** @type {Named} */
const TILE = { name: ':scope > :is(.tile-title, .group-title)', owner: '', label: () => t('Title of {name}'), needs: () => t('An item needs a title.') }
/** @type {Record<string, Named>} */
const KINDS = {
  item: TILE,
  part: TILE,
  section: { name: 'h2:not(.visually-hidden)', owner: '.section-heading', label: () => t('Name of {name}'), needs: () => t('A section needs a name.') },
  page: { name: 'h1', owner: '.page-title', label: () => t('Title of {name}'), needs: () => t('A page needs a title.') },
  widget: { name: '.widget-label', owner: '[data-edit]', label: () => t('Label of {name}'), needs: () => t('Type a label. To remove it, open the form of the widget.') },
}

/**
 * Puts a field over the name of an element. Enter and a click elsewhere rename, Escape cancels.
 *
 * @param {{ kind: string, element: HTMLElement, id: string }} source The element, as in gestures.js.
 * @param {(command: string) => void} send Sends a command to the editor.
 */
export default function rename({ kind, element, id }, send) {
  const { name, owner, label, needs } = /** @type {Named} */ (KINDS[kind])
  const own = element.querySelector(name)
  // A widget without a label shows its type beside its buttons.
  const title = own ?? (kind === 'section' && element.querySelector(owner) || element)
  const editor = document.getElementById('editor')
  if (!editor) return
  const before = own?.textContent?.trim() ?? ''

  const form = document.createElement('form')
  form.className = 'rename'
  form.ariaLabel = t('Rename')
  form.innerHTML = '<input type="text" autocomplete="off" spellcheck="false" aria-describedby="rename-problem"><p id="rename-problem" role="alert"></p>'
  const [input, problem] = /** @type {[HTMLInputElement, HTMLElement]} */ (/** @type {unknown} */ ([...form.children]))
  input.value = before
  input.setAttribute('aria-label', label().replace('{name}', () => before || UNNAMED[kind]()))
  const { left, top, width, height } = own || kind !== 'widget' ? title.getBoundingClientRect() : lineOf(element)
  const inlineSize = Math.min(Math.max(width + 4 * GAP, MIN_WIDTH), innerWidth - 2 * GAP)
  form.style.inlineSize = `${inlineSize}px`
  form.style.left = `${Math.max(GAP, Math.min(left - GAP, innerWidth - inlineSize - GAP)) + scrollX}px`
  form.style.top = `${top + height / 2 + scrollY}px`

  let open = true
  function close() {
    open = false
    form.remove()
  }

  /** Moves the focus back to what was renamed, unless it has moved on already. */
  function focus() {
    const found = document.querySelector(kind === 'widget' ? `[data-edit="${id}"]` : kind === 'page' ? owner : `#${element.id} ${owner}`)
    if (document.activeElement === document.body && found instanceof HTMLElement) found.focus()
  }

  function apply() {
    const typed = input.value.trim()
    close()
    if (typed && typed !== before) send(`rename ${id} ${typed}`)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.value.trim()) {
      apply()
      focus()
      // The server may draw it again under its new name.
      document.addEventListener('portico:changed', focus, { once: true })
      return
    }
    problem.textContent = needs()
    input.setAttribute('aria-invalid', 'true')
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    close()
    focus()
  })
  input.addEventListener('blur', () => {
    if (open) apply()
  })
  editor.append(form)
  input.focus()
  input.select()
}

/** The line of a widget without a label: as high as its buttons. @param {Element} widget */
function lineOf(widget) {
  const { left, top, width } = widget.getBoundingClientRect()
  const buttons = widget.querySelector('.widget-tools')?.getBoundingClientRect()
  return { left, top: buttons?.top ?? top, width: Math.min(width, 240), height: buttons?.height ?? 36 }
}
