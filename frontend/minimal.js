// The tabs of the minimal view (docs/spec/behavior.md 8). Without this script, each tab is a link to the page of its
// section.

export {}

const root = document.documentElement
const { texts } = /** @type {any} */ (document.getElementById('settings'))
const strip = document.querySelector('.section-tabs')
const list = strip?.querySelector('ul')
/** The storage key of the last tab of a page. */
const KEY = `minimalSection${root.dataset.page ? `-${root.dataset.page}` : ''}`

/** @returns {HTMLAnchorElement[]} */
const tabs = () => [...(strip?.querySelectorAll('a') ?? [])]
const current = () => tabs().find((tab) => tab.ariaCurrent)

/** Shows the section of a tab. @param {HTMLAnchorElement} tab */
function select(tab) {
  for (const other of tabs()) other.ariaCurrent = other === tab ? 'true' : null
  for (const section of document.querySelectorAll('#content > section')) {
    section.toggleAttribute('data-selected', section.id === tab.dataset.section)
  }
  tab.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Handles the viewer's choice: stores it, and puts it into the address and the links to other views. @param {HTMLAnchorElement} tab */
function choose(tab) {
  select(tab)
  try {
    localStorage.setItem(KEY, tab.dataset.key ?? '')
  } catch {
    // Then the choice lasts only for this visit.
  }
  history.replaceState(history.state, '', tab.href)
  document.title = [tab.textContent?.trim(), document.querySelector('h1')?.textContent, texts?.Minimal ?? 'Minimal'].join(' | ')
  for (const view of ['home', 'minimal']) {
    const link = document.querySelector(`.view-switch [data-view=${view}]`)
    link?.setAttribute('href', new URL(tab.href).pathname.replace('/minimal/', `/${view}/`))
  }
}

strip?.addEventListener('click', (event) => {
  if (!(event instanceof MouseEvent) || !(event.target instanceof Element)) return
  const tab = event.target.closest('a')
  const arrow = event.target.closest('button')
  if (arrow) list?.scrollBy({ left: Number(arrow.dataset.scroll) * list.clientWidth * 0.8 * (root.dir === 'rtl' ? -1 : 1), behavior: 'smooth' })
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  choose(tab)
})

// Left and right move between tabs; elsewhere these keys move between items.
strip?.addEventListener('keydown', (event) => {
  if (!(event instanceof KeyboardEvent) || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return
  const all = tabs()
  const at = all.findIndex((tab) => tab === document.activeElement)
  if (at < 0) return
  const step = (event.key === 'ArrowRight') === (root.dir !== 'rtl') ? 1 : -1
  event.preventDefault()
  event.stopPropagation()
  all[(at + step + all.length) % all.length]?.focus()
})

/** Shows the arrow buttons on the sides where the strip continues. */
function arrows() {
  if (!strip || !list) return
  const place = Math.abs(list.scrollLeft)
  const [before, after] = strip.querySelectorAll('button')
  const rest = list.scrollWidth - list.clientWidth
  if (before) before.hidden = rest <= 1
  if (after) after.hidden = rest <= 1
  if (before) before.disabled = place <= 1
  if (after) after.disabled = place >= rest - 1
}

if (list) {
  list.addEventListener('scroll', arrows, { passive: true })
  new ResizeObserver(arrows).observe(list)
  current()?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

// A new version of the page selects the tab that the address named when it was rendered.
let chosen = current()?.dataset.key
strip?.addEventListener('click', () => { chosen = current()?.dataset.key })
document.addEventListener('portico:changed', () => {
  const tab = tabs().find((one) => one.dataset.key === chosen) ?? tabs()[0]
  if (tab) select(tab)
})
