// What a search finds, and in which order (docs/spec/behaviour.md 6). Independent of the page.
//
// All texts are compared without case, accents and ligatures.

/**
 * The texts of a tile or of a sub-item, and how often it was opened. Without an address, it cannot be opened.
 *
 * @typedef {{ title: string, url?: string | null, rest?: (string | null | undefined)[], opened?: number }} Texts
 *
 * A text in the form in which it is searched: folded; with a space in place of each character that is neither letter nor
 * digit; and both without punctuation, if it has any: `wifi` finds `Wi-Fi`. The tokens are computed by the first tolerant
 * search.
 *
 * @typedef {{ folded: string, shape: string, bare?: Text, tokens?: string[] }} Text
 *
 * A tile without sub-items, or a sub-item: the positions of both, and its texts.
 *
 * @typedef {{ tile: number, sub: number, title: Text, rest: Text, opened: number, leads: boolean }} SearchEntry
 *
 * A word of the query; `letters` are its letters and digits.
 *
 * @typedef {{ word: string, letters: string }} Word
 *
 * @typedef {{ words: Word[], whole: string }} Query
 *
 * An item of another page.
 *
 * @typedef {{ title: string, words: string, url: string, local_url: string, local_timeout?: number, page: string, target: string, open: string }} Item
 */

/** In the tolerant pass, words of at least this many letters may differ from an item's word by one edit. */
const TOLERANT_FROM = 4
/** Maximum number of results on other pages. */
const MAX_ELSEWHERE = 12
const LETTERS = /[^\p{Alphabetic}\p{N}]/gu
const PUNCTUATION = /[^\p{Alphabetic}\p{N}\s]/gu
// The same for folded ASCII.
const PLAIN = /^[\0-\x7f]*$/
const PLAIN_LETTERS = /[^a-z\d]/g
const PLAIN_PUNCTUATION = /[^a-z\d\s]/g
/** Letters that Unicode does not decompose. @type {Record<string, string>} */
const LIKE = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ς: 'σ' }

/** The text in the form in which it is compared. Punctuation and white space are kept. @param {string} text */
export const fold = (text) => text.toLowerCase().normalize('NFKD')
  .replace(/[\u0300-\u036fßæœøđðþłħıς]/g, (letter) => LIKE[letter] ?? '')

/** @param {string} folded @returns {Text} */
function textOf(folded) {
  // Unicode character classes are slow, and most texts are ASCII.
  const isPlain = PLAIN.test(folded)
  const bare = folded.replace(isPlain ? PLAIN_PUNCTUATION : PUNCTUATION, '')
  const shape = isPlain ? folded.replace(PLAIN_LETTERS, ' ') : folded.replace(LETTERS, (other) => ' '.repeat(other.length))
  return { folded, shape, bare: bare === folded ? undefined : textOf(bare) }
}

/** The host of an address, without port, path and `www.`. @param {string} url */
const domain = (url) => url.replace(/^.*?:\/\//, '').replace(/[/?#].*/s, '').replace(/^.*@/, '').replace(/:[^:]*$/, '').replace(/^www\./, '')

/** @param {number} tile @param {number} sub @param {Texts} texts @param {string} [group] @returns {SearchEntry} */
function entry(tile, sub, { title, url, rest = [], opened = 0 }, group) {
  const others = [...rest, url && domain(url), group].filter(Boolean)
  return { tile, sub, title: textOf(fold(title)), rest: textOf(fold(others.join('\n'))), opened, leads: url != null }
}

/** Prepares tiles: each is a list of its own texts, followed by those of its sub-items, in page order. @param {Texts[][]} tiles */
export function prepare(tiles) {
  return tiles.flatMap(([own, ...subs], tile) =>
    subs.length ? subs.map((texts, sub) => entry(tile, sub, texts, own?.title)) : own ? [entry(tile, -1, own)] : [])
}

/** @param {string} text @returns {Query} */
function queryOf(text) {
  const words = fold(text).split(/\s+/).filter(Boolean)
  const parts = words.map((word) => ({ word, letters: word.replace(LETTERS, '') })).filter(({ letters }) => letters)
  return { words: parts, whole: words.join(' ') }
}

/**
 * 0 if the word is a whole word of the text, 1 if a word begins with it, 2 if it is in the middle of one; 9 if it is not in
 * the text. Punctuation in the text is ignored if the word has none.
 *
 * @param {Text} text @param {Word} query @returns {number}
 */
function placeIn({ folded, shape, bare }, query) {
  const { word } = query
  let best = 9
  for (let at = folded.indexOf(word); at >= 0 && best; at = folded.indexOf(word, at + 1)) {
    const before = shape[at - 1] ?? ' '
    const after = shape[at + word.length] ?? ' '
    best = Math.min(best, before !== ' ' ? 2 : after !== ' ' ? 1 : 0)
  }
  return best && bare && word === query.letters ? Math.min(best, placeIn(bare, query)) : best
}

/** Whether a word of the text begins with this one or almost so; short words must match exactly. @param {Text} text @param {string} word @returns {boolean} */
function nearlyHas(text, word) {
  if ([...word].length < TOLERANT_FROM) return text.folded.includes(word)
  text.tokens ??= text.shape.split(' ').filter(Boolean)
  return text.tokens.some((token) => beginsNearly(token, word)) || (text.bare !== undefined && nearlyHas(text.bare, word))
}

/**
 * Whether some prefix of the token is at most one edit (replace, insert, delete, swap of neighbors) from the word. A
 * prefix, because the person may still be typing.
 *
 * @param {string} token @param {string} word
 */
function beginsNearly(token, word) {
  let same = 0
  while (same < word.length && token[same] === word[same]) same += 1
  // Most tokens need two edits; detect that without creating strings.
  if (same + 1 < word.length && token[same + 1] !== word[same + 1] && token[same + 1] !== word[same] && token[same] !== word[same + 1]) return false
  const [left, typed] = [token.slice(same), word.slice(same)]
  if (!typed) return true
  if (!left) return typed.length === 1
  const [later, next] = [left.slice(1), typed.slice(1)]
  return later.startsWith(next) || later.startsWith(typed) || left.startsWith(next)
    || (next !== '' && left[0] === next[0] && later[0] === typed[0] && later.slice(1).startsWith(next.slice(1)))
}

/**
 * How well an entry matches: lower is better, infinite if a word is missing. Titles rank before other texts, whole words
 * before beginnings, and beginnings before middles; then come exact titles, then frequently opened entries.
 *
 * @param {SearchEntry} entry @param {Query} query @param {boolean} tolerant
 */
function rank({ title, rest, opened }, { words, whole }, tolerant) {
  let places = 0
  for (const word of words) {
    let place = placeIn(title, word)
    if (place > 2) place = 3 + placeIn(rest, word)
    if (place > 5) {
      if (!tolerant) return Infinity
      place = nearlyHas(title, word.letters) ? 6 : nearlyHas(rest, word.letters) ? 7 : Infinity
    }
    places += place
  }
  const { folded } = title
  return ((places * 2 + Number(folded !== whole)) * 2 ** 32 - Math.min(opened, 2 ** 31)) * 2 + Number(!folded.startsWith(whole))
}

/**
 * What a search finds on the page.
 *
 * @typedef {{ tiles: Set<number>, first?: SearchEntry }} Hits
 *
 * The entries that matched the beginning of a longer query, so they include all that match the longer one.
 *
 * @typedef {{ words: Word[], entries: SearchEntry[] }} Narrowed
 */

/** Whether all matches of a query are among those of an earlier one. @param {Query} query @param {Narrowed} narrowed */
const isWithin = (query, { words }) => words.every(({ word }, at) => query.words[at]?.word.startsWith(word))

/** How many entries are compared between two points at which a search can be interrupted. */
const STEP = 8

/**
 * The tiles whose texts together contain every word of the text in any order, in page order; if there are none, those
 * that do if each longer word may have one typing error. `first` is the best one that can be opened. All tiles match
 * while the text has no letter and no digit.
 *
 * `earlier` holds the matches of previous queries, each a subset of the one before; this function updates it. It yields
 * after every few entries, and can be abandoned there.
 *
 * @param {SearchEntry[]} entries @param {string} text @param {Narrowed[]} [earlier]
 * @returns {Generator<void, Hits, void>}
 */
export function* findInSteps(entries, text, earlier = []) {
  const query = queryOf(text)
  while (earlier.length && !isWithin(query, /** @type {Narrowed} */ (earlier.at(-1)))) earlier.pop()
  for (const tolerant of [false, true]) {
    /** @type {Set<number>} */
    const tiles = new Set()
    /** @type {SearchEntry[]} */
    const matching = []
    let [first, best] = [/** @type {SearchEntry | undefined} */ (undefined), Infinity]
    const all = tolerant ? entries : earlier.at(-1)?.entries ?? entries
    // Iterators would leave an array per entry to the garbage collector, after each key.
    for (let at = 0; at < all.length; at += 1) {
      if (at % STEP === STEP - 1) yield
      const entry = /** @type {SearchEntry} */ (all[at])
      const own = rank(entry, query, tolerant)
      if (own === Infinity) continue
      tiles.add(entry.tile)
      matching.push(entry)
      if (entry.leads && own < best && query.words.length) [first, best] = [entry, own]
    }
    if (!tolerant) earlier.push({ words: query.words, entries: matching })
    if (tiles.size || tolerant) return { tiles, first }
  }
  throw new Error('one of two passes is the last')
}

/** `findInSteps` without interruption. @param {SearchEntry[]} entries @param {string} text @param {Narrowed[]} [earlier] */
export function find(entries, text, earlier) {
  const steps = findInSteps(entries, text, earlier)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * The matching items of other pages, best first, grouped by page; none for an empty text. Typing
 * errors are tolerated if nothing matches exactly, unless this page itself has hits.
 *
 * @param {SearchEntry[]} entries @param {Item[]} items @param {string} text @param {boolean} pageHasHits
 */
export function findElsewhere(entries, items, text, pageHasHits) {
  const query = queryOf(text)
  if (!query.words.length) return []
  /** @param {boolean} tolerant */
  const ranked = (tolerant) => entries.map((entry) => ({ entry, own: rank(entry, query, tolerant) }))
    .filter(({ own }) => own < Infinity).sort((a, b) => a.own - b.own).slice(0, MAX_ELSEWHERE)
  let found = ranked(false)
  if (!found.length && !pageHasHits) found = ranked(true)
  /** @type {Map<string, (Item | undefined)[]>} */
  const pages = new Map()
  for (const { entry: { tile } } of found) {
    const item = items[tile]
    if (item) pages.set(item.page, [...(pages.get(item.page) ?? []), item])
  }
  return [...pages.values()].flat()
}
