// Changes the name of an item or a section where it stands, in edit mode (docs/editing.md).

/** How wide the field is at least, and how far it stays away from the edges of the window, in pixels. */
const MIN_WIDTH = 160
const GAP = 8

/**
 * Puts a field over the title of a thing. Enter and a click elsewhere take what is in it, Escape leaves the title as it was.
 *
 * @param {{ kind: string, element: HTMLElement, id: string }} thing An item or a section.
 * @param {(command: string) => void} send Tells the editor what to do.
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
  const wide = Math.min(Math.max(width + 4 * GAP, MIN_WIDTH), innerWidth - 2 * GAP)
  form.style.inlineSize = `${wide}px`
  form.style.left = `${Math.max(GAP, Math.min(left - GAP, innerWidth - wide - GAP)) + scrollX}px`
  form.style.top = `${top + height / 2 + scrollY}px`

  let open = true
  function close() {
    open = false
    form.remove()
  }

  /** Brings the focus back to the thing, unless it is elsewhere already. */
  function focus() {
    const found = document.querySelector(isItem ? `#${element.id}` : `#${element.id} .section-heading`)
    if (document.activeElement === document.body && found instanceof HTMLElement) found.focus()
  }

  function take() {
    const name = input.value.trim()
    close()
    if (name && name !== before) send(`rename ${id} ${name}`)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.value.trim()) {
      take()
      focus()
      // The thing may be drawn anew for its name.
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
    if (open) take()
  })
  editor.append(form)
  input.focus()
  input.select()
}
