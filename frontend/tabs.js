// Groups of widgets as tabs, with the keys of the ARIA pattern. Loaded on pages that have some; without this script, each tab is a
// link to its panel.

export {}

const root = document.documentElement

/** @param {Element | null} list @returns {HTMLAnchorElement[]} */
const tabsOf = (list) => [...(list?.querySelectorAll(/** @type {'a'} */ ('[role=tab]')) ?? [])]

/** The tab that an event belongs to. @param {Event} event */
const tabOf = (event) => (event.target instanceof Element ? event.target.closest(/** @type {'a'} */ ('a[role=tab]')) : null)

/** Shows the panel of a tab. Only the chosen tab is a stop of the Tab key. @param {HTMLAnchorElement} tab */
function select(tab) {
  for (const other of tabsOf(tab.parentElement)) {
    const isChosen = other === tab
    other.ariaSelected = String(isChosen)
    other.tabIndex = isChosen ? 0 : -1
    document.getElementById(other.getAttribute('aria-controls') ?? '')?.toggleAttribute('data-selected', isChosen)
  }
  tab.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

for (const group of document.querySelectorAll('.widget-tabs')) {
  group.toggleAttribute('data-live', true)
  for (const tab of tabsOf(group)) tab.tabIndex = tab.ariaSelected === 'true' ? 0 : -1
}

addEventListener('click', (event) => {
  const tab = tabOf(event)
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  select(tab)
})

// Elsewhere the arrow keys move between items, so these come first.
addEventListener('keydown', (event) => {
  const tab = tabOf(event)
  if (!tab || event.ctrlKey || event.metaKey || event.altKey) return
  const tabs = tabsOf(tab.parentElement)
  const at = tabs.indexOf(tab)
  const forward = root.dir === 'rtl' ? -1 : 1
  const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: tabs.length - 1, ' ': at }[event.key]
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  const next = /** @type {HTMLAnchorElement} */ (tabs[(to + tabs.length) % tabs.length])
  select(next)
  next.focus()
}, { capture: true })
