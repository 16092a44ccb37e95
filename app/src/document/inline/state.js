// Runs at the end of the body. It brings back what this browser has kept of the page: layout, size and collapsed sections,
// the chosen color of icons, dismissed notices, and in the minimal view the last tab, unless the address names one.
//
// Then it places the sections of a masonry layout: each gets the lane that is shortest so far and keeps it, however heights
// change, so nothing jumps from one column to another. The bundle follows the heights (`app/src/browser/masonry.rs`). Until
// all lanes are known no section is seen, because a large page may be painted while it arrives.

const root = document.documentElement
const page = /** @type {HTMLElement} */ (document.getElementById('page'))
const content = document.getElementById('content')
/** Whether the page shows one section alone, or is not the home view. */
const isOneSection = () => /single-section|view-/.test(page.className)

/** The end of the names under which this page keeps its settings; the home page has none. */
const suffix = root.dataset.page ? `-${root.dataset.page}` : ''
/** What this browser has kept of this page. @param {string} name */
const kept = (name) => localStorage.getItem(name + suffix) || ''

function restore() {
  const layout = kept('layoutOrientation')
  const size = kept('iconSize')
  const collapsed = JSON.parse(localStorage.getItem('collapseState') || '{}')
  for (const element of document.querySelectorAll('#page, .item-group-container')) {
    if (/^(auto|horizontal|vertical|masonry)$/.test(layout)) element.className = element.className.replace(/orientation-\w+/, `orientation-${layout}`)
    if (/^(small|medium|large)$/.test(size)) element.className = element.className.replace(/item-size-\w+/, `item-size-${size}`)
  }
  const oneColor = /** @type {HTMLInputElement | null} */ (document.getElementById('one-color'))
  if (root.dataset.icons && oneColor) oneColor.checked = root.dataset.icons === 'mono'
  if (localStorage.getItem('disableCriticalWarning')) {
    for (const notice of document.querySelectorAll('.notice:has([data-dismiss])')) notice.classList.add('quiet')
  }
  const hints = /** @type {HTMLElement | null} */ (document.querySelector('[data-hints]'))
  if (hints) hints.hidden = hints.dataset.hints === localStorage.getItem('closedHints')
  if (!isOneSection()) {
    for (const section of document.querySelectorAll(/** @type {'details'} */ ('details[data-key]'))) {
      const open = collapsed[section.dataset.key || '']
      if (typeof open === 'boolean') section.open = open
    }
  }
  const last = kept('minimalSection')
  const tabs = last && document.querySelector('.section-tabs:not([data-chosen])')
  if (!tabs) return
  const tab = /** @type {HTMLElement | null} */ (tabs.querySelector(`[data-key="${CSS.escape(last)}"]`))
  const current = tabs.querySelector('[aria-current]')
  if (!tab || tab === current) return
  current?.removeAttribute('aria-current')
  tab.setAttribute('aria-current', 'true')
  document.querySelector('[data-selected]')?.removeAttribute('data-selected')
  document.getElementById(tab.dataset.section || '')?.setAttribute('data-selected', '')
}

/** How many lanes the sections were placed in. */
let laneCount = 0

/** Gives each section its lane, if their number has changed. */
function place() {
  root.dataset.placed = ''
  const isMasonry = content && /orientation-masonry/.test(page.className) && !isOneSection()
    && !('split' in content.dataset) && !CSS.supports('display', 'grid-lanes')
  const count = isMasonry ? getComputedStyle(content).gridTemplateColumns.split(' ').length : 0
  if (!isMasonry || count === laneCount || (document.getElementById('settings') || content).dataset.failed) return
  laneCount = count
  content.dataset.packed = ''
  // How far each lane is filled, in pixels.
  const filled = Array(count).fill(0)
  // All are measured before any is placed, so that the layout is computed once.
  const sections = /** @type {HTMLElement[]} */ ([...content.children])
  const heights = sections.map((section) => section.offsetHeight + parseFloat(getComputedStyle(section).marginBlockEnd))
  sections.forEach((section, index) => {
    const width = Math.min(Number(section.dataset.cols) || 1, count)
    const height = heights[index]
    const top = (/** @type {number} */ lane) => Math.max(...filled.slice(lane, lane + width))
    let lane = 0
    for (let other = 1; other <= count - width; other += 1) if (top(other) < top(lane)) lane = other
    filled.fill(top(lane) + height, lane, lane + width)
    section.style.setProperty('--lane', `${lane + 1}`)
    section.style.setProperty('--packed-rows', `${Math.ceil(height / 4)}`)
  })
}

/** Says in a class whether a section is open, for custom styles. @param {HTMLDetailsElement} body */
function mark(body) {
  if (body.matches('.section-body')) body.parentElement?.classList.toggle('is-open', body.open)
}

document.addEventListener('toggle', ({ target }) => mark(/** @type {HTMLDetailsElement} */ (target)), true)
document.addEventListener('portico:changed', () => document.querySelectorAll('details').forEach(mark))
try {
  restore()
} catch {
  // The browser forbids storage, or something else has written to it.
}
place()
addEventListener('resize', place)
