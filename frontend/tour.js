// A small tour of a new dashboard, for those who may edit it: the search, the options, the pencil. It begins by itself while the page is
// still the example, can be skipped, and never comes back to this browser.

import { loadTexts, t } from './texts.js'

/** The key in the browser's storage that says that the tour has been seen. */
const SEEN = 'porticoTour'
/** What each step points at, and what it says. */
const steps = () => [
  ['#search', t('Just type to search'), t('What does not match disappears, and Enter opens the first hit.')],
  ['[popovertarget=options-panel]', t('Make it yours'), t('Sixty themes, the layout and the size of the tiles are in the options.')],
  ['.edit-button', t('Edit the page itself'), t('Add services and widgets, drag them, rename them. Each step can be undone, and nothing is written before you save.')],
]
const STYLE = `@layer portico {
  .tour { position: fixed; inset: auto 1rem 1rem auto; z-index: 5; inline-size: min(22rem, 100vi - 2rem); padding: 1rem 1.25rem; color: var(--foreground);
    background: var(--raised); border: 1px solid var(--border); border-radius: var(--radius-section); box-shadow: var(--lift) }
  .tour:dir(rtl) { inset: auto auto 1rem 1rem }
  .tour p { margin-block: 0.25rem 0.75rem; color: var(--muted) }
  .tour > div { display: flex; gap: 0.5rem; align-items: center }
  .tour small { margin-inline-end: auto; color: var(--muted) }
  .tour-target { outline: 3px solid var(--primary); outline-offset: 4px; border-radius: var(--curve-factor) }
  [data-editing] :is(.tour, .tour-target) { outline: 0 }
  [data-editing] .tour { display: none }
  @media print { .tour { display: none } }
}`

/** @param {string} selector */
const target = (selector) => {
  const found = document.querySelector(selector)
  return selector === '#search' ? found?.closest('.search') ?? found : found
}

/** Path prefix of the product. */
const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '')

function begin() {
  const possible = () => steps().filter(([selector]) => target(/** @type {string} */ (selector)))
  let shown = possible()
  let at = 0
  const over = new AbortController()
  const { signal } = over
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

  const make = (/** @type {string} */ name, /** @type {string} */ className) => Object.assign(document.createElement(name), { className })
  const card = make('section', 'tour')
  const [title, text, row] = [make('strong', ''), make('p', ''), make('div', '')]
  const count = make('small', '')
  const [skip, next] = /** @type {HTMLButtonElement[]} */ ([make('button', 'button'), make('button', 'button primary')])
  row.append(count, /** @type {Node} */ (skip), /** @type {Node} */ (next))
  card.append(title, text, row)
  // What changes in it is announced.
  text.role = 'status'

  const mark = (/** @type {boolean} */ on) => target(shown[at]?.[0] ?? '#search')?.classList.toggle('tour-target', on)
  const show = () => {
    const [, name, about] = shown[at] ?? []
    card.ariaLabel = t('Tour')
    skip.textContent = t('Skip')
    title.textContent = name ?? ''
    text.textContent = about ?? ''
    count.textContent = t('{step} of {steps}', { step: at + 1, steps: shown.length })
    const isLast = at === shown.length - 1
    skip.hidden = isLast
    next.textContent = isLast ? t('Done') : t('Next')
    mark(true)
  }
  const end = () => {
    mark(false)
    const hadFocus = card.contains(document.activeElement)
    card.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    over.abort()
    try {
      localStorage.setItem(SEEN, 'seen')
    } catch {
      // Then it is seen once per page.
    }
    if (hadFocus) document.getElementById('content')?.focus({ preventScroll: true })
  }
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape' && card.contains(document.activeElement)) end()
  }
  skip.onclick = end
  next.onclick = () => {
    mark(false)
    at += 1
    if (at < shown.length) show()
    else {
      at -= 1
      end()
    }
  }
  const draw = () => {
    show()
    document.getElementById('page')?.append(card)
  }
  addEventListener('keydown', escape, { signal })
  // A page that changes has no card, and may have another language.
  document.addEventListener('portico:changed', draw, { signal })
  document.addEventListener('portico:language', async () => {
    await loadTexts(base, 'dialogs')
    if (signal.aborted) return
    shown = possible()
    show()
  }, { signal })
  draw()
}

let isNew = false
try {
  isNew = !localStorage.getItem(SEEN)
} catch {
  // Without storage it would come back with every page.
}
if (isNew) loadTexts(base, 'dialogs').then(begin)
