// Renames an item or a section in place, in edit mode (docs/editing.md).

/** The least width of the field, and its distance from the edges of the window, in pixels. */
const MIN_WIDTH = 160
const GAP = 8

/**
 * Puts a field over the title of an item or a section. Enter and a click elsewhere rename, Escape cancels.
 *
 * @param {{ kind: string, element: HTMLElement, id: string }} source The item or section, as in gestures.js.
 * @param {(command: string) => void} send Sends a command to the editor.
 */
export default function rename({ kind, element, id }, send) {
  const isItem = kind === 'item'
  const heading = element.querySelector('.section-heading')
  const own = element.querySelector(isItem ? ':scope > :is(.tile-title, .group-title)' : 'h2:not(.visually-hidden)')
  const owner = isItem ? element : heading
  const title = own ?? owner
  const editor = document.getElementById('editor')
  if (!title || !editor) return
  const before = own?.textContent?.trim() ?? ''

  const form = document.createElement('form')
  form.className = 'rename'
  form.ariaLabel = 'Rename'
  form.innerHTML = '<input type="text" autocomplete="off" spellcheck="false" aria-describedby="rename-problem"><p id="rename-problem" role="alert"></p>'
  const [input, problem] = /** @type {[HTMLInputElement, HTMLElement]} */ (/** @type {unknown} */ ([...form.children]))
  input.value = before
  input.setAttribute('aria-label', isItem ? `Title of ${before || 'the item'}` : `Name of ${before || 'the section'}`)
  const { left, top, width, height } = title.getBoundingClientRect()
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
    const found = document.querySelector(isItem ? `#${element.id}` : `#${element.id} .section-heading`)
    if (document.activeElement === document.body && found instanceof HTMLElement) found.focus()
  }

  function apply() {
    const name = input.value.trim()
    close()
    if (name && name !== before) send(`rename ${id} ${name}`)
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
    problem.textContent = isItem ? 'An item needs a title.' : 'A section needs a name.'
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
