// The search in the items and widgets of this page and in the items of others (docs/spec/behaviour.md 6): shows the results on the page. The page
// loads it when it is idle; the bundle draws the search box and the summary of results.
//
// Both finding and showing run in slices: a page may have thousands of tiles. One pass over the sections sets `hidden` where
// it changes.
import { findElsewhere, findInSteps, prepare } from './search/matching.js'

/** @import { SearchEntry, Hits, Item, Narrowed } from './search/matching.js' */

/**
 * The nodes that a search changes: the sections, and the tiles in page order. A widget counts as a tile here.
 *
 * @typedef {object} Nodes
 * @property {SearchSection[]} sections
 * @property {HTMLElement[]} tiles
 * @property {SearchEntry[]} entries
 * @property {number} changes The number of changes to the page when they were collected.
 *
 * A section: the index of its first tile among all, which of its tiles are hidden, and whether it was open before the search.
 *
 * @typedef {object} SearchSection
 * @property {HTMLElement} section
 * @property {HTMLDetailsElement | null} body
 * @property {HTMLElement[]} tiles
 * @property {number} begin
 * @property {boolean[]} hidden
 * @property {boolean} [wasOpen]
 */

/**
 * Milliseconds of work after a key press, for finding and showing together. The rest follows in slices, so that the next key is
 * handled in between.
 */
const SLICE = 2

const FIRST = 'data-first'
const WIDGET = '.widget-base'
/** @type {Nodes | undefined} */
let nodes
/** @type {{ items: Item[], entries: SearchEntry[] } | undefined} */
let elsewhere
let requested = false
let pending = false
/** @type {Narrowed[]} */
let earlier = []
/** The search for the text in the box: the rest of it, until there are hits. @type {{ text: string, steps: Iterator<void, Hits>, hits?: Hits } | undefined} */
let finding
/** The previous result, which stays until there is another. */
let last = { count: 0, first: false, elsewhere: /** @type {ReturnType<typeof findElsewhere>} */ ([]) }
/** The rest of the changes to the page. @type {Iterator<void> | undefined} */
let showing
/** The element with the mark of the first result: looking for it would take long on a large page. @type {Element | null | undefined} */
let marked
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/** @param {Element} tile @param {string} selector */
const inner = (tile, selector) => tile.querySelector(selector)?.textContent
/** @param {Element} tile */
const titleOf = (tile) => inner(tile, ':scope > .tile-title, :scope > .group-title, :scope > .widget-head > .widget-label') ?? ''

/** The texts of all tiles, with those of their sub-items. @param {HTMLElement[]} tiles */
function textsOf(tiles) {
  /** @type {Record<string, number>} */
  let counts = {}
  try {
    counts = JSON.parse(localStorage.getItem('mostUsed') ?? '{}') ?? {}
  } catch {
    // Then there are no counts.
  }
  /** @type {Map<Element, string | null | undefined>} */
  const names = new Map()
  /** @param {Element} tile @param {string | null} [section] @param {number} [opened] */
  const texts = (tile, section, opened) => ({
    title: titleOf(tile),
    // A widget has no address: Enter leads to it.
    url: tile.matches(WIDGET) ? '' : tile.getAttribute('href'),
    rest: [tile.getAttribute('data-kind'), tile.getAttribute('data-provider'), inner(tile, ':scope > .tile-description'), tile.getAttribute('data-tags'), section],
    opened,
  })
  return tiles.map((tile) => {
    const section = tile.closest('section')
    if (section && !names.has(section)) names.set(section, inner(section, 'h2'))
    const own = texts(tile, section && names.get(section), counts[counterId(tile)])
    return [own, ...[...tile.querySelectorAll('.sub-item')].map((sub) => texts(sub))]
  })
}

/** The id under which existing browsers have stored counts (docs/spec/config.md 12). @param {Element} tile */
function counterId(tile) {
  const [, section, item] = tile.id.split('-')
  const name = document.getElementById(`s-${section}-name`)?.textContent ?? ''
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum += name.charCodeAt(at)
  return `${item}_${sum}_${titleOf(tile).replace(/[^a-z]/gi, '').toLowerCase()}`
}

/** @param {number} changes @returns {Nodes} */
function collect(changes) {
  /** @type {HTMLElement[]} */
  const all = [...document.querySelectorAll(/** @type {'section'} */ ('#content > section, .page-column > section'))]
  let begin = 0
  const sections = all.map((section) => {
    /** @type {HTMLElement[]} */
    const tiles = [...section.querySelectorAll(/** @type {'a'} */ (`.items > *, ${WIDGET}`))]
    const part = { section, body: section.querySelector('details'), tiles, begin, hidden: tiles.map((tile) => tile.hidden) }
    begin += tiles.length
    return part
  })
  const tiles = sections.flatMap((section) => section.tiles)
  marked = document.querySelector(`#content [${FIRST}]`)
  return { sections, tiles, entries: prepare(textsOf(tiles)), changes }
}

/** Shows the results and hides the rest; without a search, shows everything. @param {Nodes} nodes @param {Hits} [hits] @param {number} [until] */
function show({ sections, tiles }, hits, until) {
  marked?.removeAttribute(FIRST)
  marked = undefined
  if (hits?.first) {
    const tile = tiles[hits.first.tile]
    marked = hits.first.sub < 0 ? tile : tile?.querySelectorAll('.sub-item')[hits.first.sub]
    marked?.setAttribute(FIRST, '')
  }
  showing = showSections(sections, hits?.tiles)
  showSlice(until)
}

/** Continues the rest of the work, for one slice or until some time. */
function showSlice(until = performance.now() + SLICE) {
  clearTimeout(timer)
  while (showing && performance.now() < until) {
    if (showing.next().done) showing = undefined
  }
  if (showing) timer = setTimeout(showSlice)
}

/** Continues the search, for one slice or until some time. */
function findSlice(until = performance.now() + SLICE) {
  clearTimeout(timer)
  while (finding && !finding.hits && performance.now() < until) {
    const { done, value } = finding.steps.next()
    if (done) finding.hits = value
  }
  return finding?.hits
}

/** Continues the search in the background, and signals its end. */
function findRest() {
  if (findSlice()) tell()
  else timer = setTimeout(findRest)
}

/**
 * Shows one section after the other. The tiles of a section that is hidden as a whole are left unchanged.
 *
 * @param {SearchSection[]} sections @param {Set<number>} [hits]
 * @returns {Generator<void, void, void>}
 */
function* showSections(sections, hits) {
  for (const part of sections) {
    const { section, body, tiles, begin, hidden } = part
    const any = !hits || tiles.some((_, at) => hits.has(begin + at))
    hide(section, !any)
    if (any) {
      for (let at = 0; at < tiles.length; at += 1) {
        const isHidden = !!hits && !hits.has(begin + at)
        if (hidden[at] !== isHidden) /** @type {HTMLElement} */ (tiles[at]).hidden = hidden[at] = isHidden
        if (at % 64 === 63) yield
      }
    }
    if (body && !hits) {
      if (part.wasOpen !== undefined) body.open = part.wasOpen
      delete part.wasOpen
    } else if (body && any) {
      part.wasOpen ??= body.open
      body.open = true
    }
    yield
  }
}

/** @param {HTMLElement} node @param {boolean} hidden */
function hide(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden
}

/** Fetches the items of the other pages once. If that fails, they are not searched. */
async function fetchElsewhere() {
  const settings = document.getElementById('settings')
  const { slug, otherPages } = JSON.parse(settings?.textContent ?? '{}')
  if (!otherPages) return
  pending = true
  try {
    const response = await fetch(new URL(`fn/items-elsewhere?slug=${encodeURIComponent(slug)}`, import.meta.url))
    /** @type {Item[]} */
    const items = response.ok ? await response.json() : []
    const texts = items.map(({ title, words, url }) => [{ title, url, rest: [words] }])
    elsewhere = { items: [...items], entries: prepare(texts) }
    probe(items)
    document.addEventListener('visibilitychange', () => document.hidden || probe(items))
  } catch (error) {
    console.warn('the other pages cannot be searched', error)
  }
  pending = false
  tell()
}

/** Items open at their local address if this browser can reach it. @param {Item[]} items */
function probe(items) {
  items.forEach(async (item, at) => {
    if (!item.local_url || !elsewhere) return
    const signal = AbortSignal.timeout(item.local_timeout ?? 1500)
    const isReached = await fetch(item.local_url, { mode: 'no-cors', signal }).then(() => true, () => false)
    elsewhere.items[at] = isReached ? { ...item, url: item.local_url } : item
    tell()
  })
}

/** Leaves the search for the widget that it has found. The bundle clicks on the first result for Enter. */
document.addEventListener('click', ({ target, isTrusted }) => {
  const widget = /** @type {HTMLElement} */ (target)
  if (isTrusted || !widget.matches(`${WIDGET}[${FIRST}]`)) return
  const box = /** @type {HTMLInputElement} */ (document.getElementById('search'))
  box.value = ''
  box.dispatchEvent(new Event('input', { bubbles: true }))
  // After all other sections are back.
  requestAnimationFrame(() => {
    widget.tabIndex = -1
    widget.focus({ preventScroll: true })
    widget.scrollIntoView({ block: 'center' })
  })
})

/** Signals that the results of a search may have changed. */
const tell = () => document.dispatchEvent(new Event('portico:searchable'))

/**
 * Searches the page for a text and shows the results; for an empty text, shows everything. `changes` is the number of
 * changes to the page so far. `pending` in the result means that more results may follow.
 *
 * @param {string} text @param {number} changes
 */
export function search(text, changes) {
  const isSearch = text.trim() !== ''
  // Close the sections that a search has opened before collecting the nodes again.
  if (nodes && nodes.changes !== changes) {
    show(nodes)
    while (showing) showSlice()
    nodes = undefined
    earlier = []
  }
  document.getElementById('page')?.classList.toggle('searching', isSearch)
  if (!isSearch) {
    finding = undefined
    if (nodes) show(nodes)
    return null
  }
  if (!requested) fetchElsewhere()
  requested = true
  if (!nodes) {
    nodes = collect(changes)
    finding = undefined
  }
  const until = performance.now() + SLICE
  if (finding?.text !== text) {
    showing = undefined
    finding = { text, steps: findInSteps(nodes.entries, text, earlier) }
  }
  const hits = findSlice(until)
  if (!hits) {
    timer = setTimeout(findRest)
    return { ...last, first: false, pending: true }
  }
  show(nodes, hits, until)
  const others = elsewhere ? findElsewhere(elsewhere.entries, elsewhere.items, text, hits.tiles.size > 0) : []
  last = { count: hits.tiles.size, first: !!hits.first, elsewhere: others }
  return { ...last, pending }
}
