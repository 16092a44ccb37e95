// The search in the items of a page and of the others (docs/spec/behaviour.md 6): what of the page is seen meanwhile. The page
// loads it when it has nothing else to do; the bundle draws the box and the outcome.
//
// One pass over the sections sets `hidden` where it changes, in slices.
import { find, findElsewhere, prepare } from './search/matching.js'

/** @import { Entry, Item, Narrowed } from './search/matching.js' */

/**
 * What a search touches: the sections, and the tiles in page order.
 *
 * @typedef {object} Nodes
 * @property {Part[]} sections
 * @property {HTMLElement[]} tiles
 * @property {Entry[]} entries
 * @property {number} changes With how many changes of the page.
 *
 * A section: where its tiles begin among all, which of them are hidden, and whether it was open before the search.
 *
 * @typedef {object} Part
 * @property {HTMLElement} section
 * @property {HTMLDetailsElement | null} body
 * @property {HTMLElement[]} tiles
 * @property {number} begin
 * @property {boolean[]} hidden
 * @property {boolean} hasWidgets
 * @property {boolean} [wasOpen]
 */

/** Milliseconds in which a key changes the page at once. What is left then follows bit by bit, with room for the next key. */
const SLICE = 3

const FIRST = 'data-first'
/** @type {Nodes | undefined} */
let nodes
/** @type {{ items: Item[], entries: Entry[] } | undefined} */
let elsewhere
let asked = false
let pending = false
/** @type {Narrowed[]} */
let earlier = []
/** What is left to show. @type {Iterator<void> | undefined} */
let showing
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/** @param {Element} tile @param {string} selector */
const inner = (tile, selector) => tile.querySelector(selector)?.textContent
/** @param {Element} tile */
const titleOf = (tile) => inner(tile, ':scope > .tile-title, :scope > .group-title') ?? ''

/** The texts of all tiles, with those of their sub-items. @param {HTMLElement[]} tiles */
function textsOf(tiles) {
  /** @type {Record<string, number>} */
  let counts = {}
  try {
    counts = JSON.parse(localStorage.getItem('mostUsed') ?? '{}') ?? {}
  } catch {
    // Then nothing was opened often.
  }
  /** @type {Map<Element, string | null | undefined>} */
  const names = new Map()
  /** @param {Element} tile @param {string | null} [section] @param {number} [opened] */
  const texts = (tile, section, opened) => ({
    title: titleOf(tile),
    url: tile.getAttribute('href'),
    rest: [tile.getAttribute('data-provider'), inner(tile, ':scope > .tile-description'), tile.getAttribute('data-tags'), section],
    opened,
  })
  return tiles.map((tile) => {
    const section = tile.closest('section')
    if (section && !names.has(section)) names.set(section, inner(section, 'h2'))
    const own = texts(tile, section && names.get(section), counts[counterId(tile)])
    return [own, ...[...tile.querySelectorAll('.sub-item')].map((sub) => texts(sub))]
  })
}

/** The id under which existing browsers count (docs/spec/config.md 12). @param {Element} tile */
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
    const tiles = [...section.querySelectorAll(/** @type {'a'} */ ('.items > *'))]
    const hasWidgets = !!section.querySelector('.widgets')
    const part = { section, body: section.querySelector('details'), tiles, begin, hidden: tiles.map((tile) => tile.hidden), hasWidgets }
    begin += tiles.length
    return part
  })
  const tiles = sections.flatMap((section) => section.tiles)
  return { sections, tiles, entries: prepare(textsOf(tiles)), changes }
}

/** Shows what was found and hides the rest; shows everything without a search. @param {Nodes} nodes @param {ReturnType<find>} [hits] */
function show({ sections, tiles }, hits) {
  document.querySelector(`#content [${FIRST}]`)?.removeAttribute(FIRST)
  if (hits?.first) {
    const tile = tiles[hits.first.tile]
    const first = hits.first.sub < 0 ? tile : tile?.querySelectorAll('.sub-item')[hits.first.sub]
    first?.setAttribute(FIRST, '')
  }
  showing = showSections(sections, hits?.tiles)
  showSlice()
}

/** Goes on with what is left to show, for a moment. */
function showSlice() {
  clearTimeout(timer)
  const until = performance.now() + SLICE
  while (showing && performance.now() < until) {
    if (showing.next().done) showing = undefined
  }
  if (showing) timer = setTimeout(showSlice)
}

/**
 * Shows one section after the other. The tiles of a section that is hidden as a whole stay as they are.
 *
 * @param {Part[]} sections @param {Set<number>} [hits]
 * @returns {Generator<void, void, void>}
 */
function* showSections(sections, hits) {
  for (const part of sections) {
    const { section, body, tiles, begin, hidden } = part
    const any = !hits || tiles.some((_, at) => hits.has(begin + at))
    // Sections without tiles keep their widgets on screen.
    hide(section, !any && (tiles.length > 0 || !part.hasWidgets))
    if (any) {
      for (const [at, tile] of tiles.entries()) {
        const isHidden = !!hits && !hits.has(begin + at)
        if (hidden[at] !== isHidden) tile.hidden = hidden[at] = isHidden
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

/** Fetches the items of the other pages once; a failure only means that they are not searched. */
async function ask() {
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

/** Items whose local address this browser reaches open there. @param {Item[]} items */
function probe(items) {
  items.forEach(async (item, at) => {
    if (!item.local_url || !elsewhere) return
    const isReached = await fetch(item.local_url, { mode: 'no-cors' }).then(() => true, () => false)
    elsewhere.items[at] = isReached ? { ...item, url: item.local_url } : item
    tell()
  })
}

/** Something is known now that changes what a search finds. */
const tell = () => document.dispatchEvent(new Event('portico:searchable'))

/**
 * Searches the page for a text, and shows what it finds; everything for none. `changes` says how often the page has
 * changed. `pending` is what may yet find more.
 *
 * @param {string} text @param {number} changes
 */
export function search(text, changes) {
  const isSearch = text.trim() !== ''
  // What a search had opened is closed before other nodes are looked up.
  if (nodes && nodes.changes !== changes) {
    show(nodes)
    while (showing) showSlice()
    nodes = undefined
    earlier = []
  }
  document.getElementById('page')?.classList.toggle('searching', isSearch)
  if (!isSearch) {
    if (nodes) show(nodes)
    return null
  }
  if (!asked) ask()
  asked = true
  nodes ??= collect(changes)
  const hits = find(nodes.entries, text, earlier)
  show(nodes, hits)
  const others = elsewhere ? findElsewhere(elsewhere.entries, elsewhere.items, text, hits.tiles.size > 0) : []
  return { count: hits.tiles.size, first: !!hits.first, pending, elsewhere: others }
}
