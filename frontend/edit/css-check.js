// Finds what a browser would ignore in a style sheet, and what it would load from other hosts, with line numbers. Browsers do
// not report it themselves.

import { t } from '../texts.js'

/** @typedef {{ line: number, message: string, isRemark?: boolean }} Problem A remark is about something that has an effect. */

/**
 * What a browser supports.
 *
 * @typedef {object} Browser
 * @property {(property: string, value: string) => boolean} supports `CSS.supports`
 * @property {(selector: string) => boolean} isSelector
 */

/** Rules that hold other rules. */
const GROUPS = /^@(media|supports|layer|container|scope|starting-style)\b/i
/** The `@import` rules at the top that the server takes as style sheets of the page (`css_values/src/imports.rs`). */
const LEADING = /^\s*(?:@import\s+(?:url\(\s*(?:"[^"]*"|'[^']*'|[^)"'\s]*)\s*\)|"[^"]*"|'[^']*')\s*(?:;\s*|$))*/i
/** An address on the web, with what stands before it. */
const ADDRESS = /(?:url\(\s*|@import\s+)["']?((?:https?:)?\/\/[^"')\s;]+)/gi
/** The maximum number of listed problems. */
const MAX_PROBLEMS = 20

/**
 * Checks a style sheet.
 *
 * @param {string} css @param {Browser} browser
 * @returns {Problem[]} In the order of the lines.
 */
export function check(css, browser) {
  /** @type {Problem[]} */
  const problems = []
  const lineAt = (/** @type {number} */ at) => css.slice(0, at).split('\n').length
  const tell = (/** @type {number} */ at, /** @type {string} */ message) => { problems.push({ line: lineAt(at), message }) }
  let at = 0

  for (const found of css.matchAll(/<[a-z/!?]/gi)) tell(found.index, t('Tags are removed from styles.'))

  /** Skips a comment or a string that begins here. Returns whether there was one. */
  function skip() {
    const begin = at
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2)
      if (end < 0) tell(begin, t('This comment has no end; `*/` is missing.'))
      at = end < 0 ? css.length : end + 2
      return true
    }
    const quote = css[at]
    if (quote !== '"' && quote !== "'") return false
    for (at += 1; at < css.length && css[at] !== quote; at += 1) {
      if (css[at] === '\\') at += 1
      else if (css[at] === '\n') break
    }
    if (css[at] !== quote) tell(begin, t('This text has no end; {quote} is missing.', { quote }))
    at += 1
    return true
  }

  /** Reads to the next `{`, `}` or `;` outside of brackets. Returns the text without comments, and where it begins. */
  function read() {
    let text = ''
    let depth = 0
    let begin = -1
    while (at < css.length) {
      const from = at
      const isComment = css.startsWith('/*', at)
      if (skip()) {
        if (!isComment) text += css.slice(from, at)
        if (!isComment && begin < 0) begin = from
        continue
      }
      const letter = css[at] ?? ''
      if ('{};'.includes(letter) && (depth === 0 || letter !== ';')) break
      if ('(['.includes(letter)) depth += 1
      if (')]'.includes(letter)) depth = Math.max(0, depth - 1)
      if (begin < 0 && letter.trim()) begin = at
      text += letter
      at += 1
    }
    return { text: text.trim(), begin: begin < 0 ? at : begin }
  }

  /** @param {string} text @param {number} begin */
  function declaration(text, begin) {
    if (!text) return
    const colon = text.indexOf(':')
    const name = text.slice(0, colon).trim()
    const value = text.slice(colon + 1).trim().replace(/\s*!\s*important$/i, '')
    if (colon < 0) tell(begin, t('`{text}` has no colon. Write `property: value;`.', { text: short(text) }))
    else if (name.startsWith('--') || browser.supports(name, value)) return
    else if (!browser.supports(name, 'initial')) tell(begin, t('There is no property `{name}`.', { name: short(name) }))
    else if (!value) tell(begin, t('`{name}` has no value.', { name }))
    else if (value.includes(':')) tell(begin, t('`{name}` takes no `{value}`. Is a semicolon missing at its end?', { name, value: short(value) }))
    else tell(begin, t('`{name}` takes no `{value}`.', { name, value: short(value) }))
  }

  /** Reads to the end of a block, or of the text. `kind` is its content: rules, declarations and rules, or what is not
   * checked. @param {'rules' | 'style' | 'other'} kind @param {number} opened Where the block begins; -1 for the text. */
  function block(kind, opened) {
    for (;;) {
      const { text, begin } = read()
      const end = css[at]
      at += 1
      if (end === '{') {
        const isGroup = GROUPS.test(text)
        // Other at-rules, and values of custom properties.
        const isOther = kind === 'other' || text.startsWith('@') && !isGroup || text.startsWith('--')
        if (!isOther && !isGroup) selector(text, begin)
        block(isOther ? 'other' : isGroup ? kind : 'style', begin)
        continue
      }
      if (kind === 'style') declaration(text, begin)
      else if (kind === 'rules' && text && !text.startsWith('@')) tell(begin, t('`{text}` is in no rule. Write `selector { property: value; }`.', { text: short(text) }))
      if (end === ';') continue
      if (end === undefined && opened >= 0) tell(opened, t('This block has no end; `}` is missing.'))
      if (end === '}' && opened < 0) {
        tell(at - 1, t('There is no block that this `}` would end.'))
        continue
      }
      return
    }
  }

  /** @param {string} text @param {number} begin */
  function selector(text, begin) {
    if (!text) return tell(begin, t('A selector is missing before `{`.'))
    // A nested rule may begin with a combinator or contain `&`.
    const whole = text.replaceAll('&', '*').split(',').map((part) => part.trim().replace(/^[>+~]/, '* $&')).join(',')
    if (!browser.isSelector(whole)) tell(begin, t('`{text}` is no selector.', { text: short(text) }))
  }

  /** What is loaded from elsewhere. */
  function others() {
    const plain = css.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    const top = LEADING.exec(plain)?.[0].length ?? 0
    for (const { index } of plain.matchAll(/@import\b/gi)) {
      if (index >= top) tell(index, t('This `@import` is left out: it works only at the very top, without conditions.'))
    }
    const hosts = new Set()
    for (const { index, 0: found, 1: address = '' } of plain.matchAll(ADDRESS)) {
      const isLate = index >= top && /@import\s*$/i.test(found.startsWith('@') ? '@import' : plain.slice(0, index))
      const host = hostOf(address)
      if (!host || isLate || hosts.has(host)) continue
      hosts.add(host)
      const message = t('`{host}` is another host. The server fetches from it, so that browsers do not; what it cannot fetch is left out.', { host })
      problems.push({ line: lineAt(index), message, isRemark: true })
    }
  }

  block('rules', -1)
  others()
  return problems.sort((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS)
}

/** @param {string} address */
function hostOf(address) {
  try {
    return new URL(address, 'https://here.invalid').host
  } catch {
    return ''
  }
}

/** @param {string} text */
const short = (text) => text.length > 60 ? `${text.slice(0, 60)}…` : text
