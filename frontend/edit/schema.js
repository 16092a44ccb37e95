// Completions and hints for a position in the text of a config, from the schema.
//
// The position is resolved by indentation, line by line, because a text that is being typed is rarely valid YAML. There are no
// completions or hints inside flow style (`{ … }`, `[ … ]`).

import { fieldText, t } from '../texts.js'

/**
 * A key or a dash of a list, with its zero-based row and column.
 *
 * @typedef {{ row: number, column: number, key?: string, value?: string }} Token
 *
 * @typedef {Record<string, any>} Schema
 *
 * @typedef {{ label: string, detail?: string, info?: string, apply: string }} Completion As CodeMirror takes them.
 *
 * @typedef {{ from: number, options: Completion[] }} Completions
 */

const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s'"[\]{},#&*!|>%@`-][^:#]*?))\s*:(?=\s|$)/
/** Schemas refer to each other; no real path is longer. */
const MAX_DEPTH = 12

/** The dashes and the key of a line. @param {string} line @param {number} row @returns {Token[]} */
export function tokens(line, row) {
  /** @type {Token[]} */
  const found = []
  let column = line.search(/\S/)
  if (column < 0) return found
  while (/^-(\s|$)/.test(line.slice(column))) {
    found.push({ row, column })
    column += 1 + (/^\s*/.exec(line.slice(column + 1))?.[0].length ?? 0)
  }
  const key = KEY.exec(line.slice(column))
  if (key) found.push({ row, column, key: key[1] ?? key[2] ?? key[3], value: line.slice(column + key[0].length).trim() })
  return found
}

/**
 * The keys and dashes that contain a position, from the outermost to the innermost.
 *
 * @param {string[]} lines @param {number} row @param {number} column
 */
export function ancestors(lines, row, column) {
  /** @type {Token[]} */
  const path = []
  let inner = { column, isDash: false }
  for (let at = row; at >= 0 && (inner.column > 0 || inner.isDash); at -= 1) {
    for (const token of tokens(lines[at] ?? '', at).reverse()) {
      if (at === row && token.column >= column) continue
      const isDash = token.key === undefined
      // A list may begin in the column of its key.
      if (!(token.column < inner.column || inner.isDash && !isDash && token.column === inner.column)) continue
      path.unshift(token)
      inner = { column: token.column, isDash }
    }
  }
  return path
}

/**
 * The keys and values of the mapping around a row whose keys begin in a column.
 *
 * @param {string[]} lines @param {number} row @param {number} column
 */
export function siblings(lines, row, column) {
  /** @type {Map<string, string>} */
  const found = new Map()
  /** Collects the keys of a row. @param {number} at @param {boolean} upwards @returns {boolean} whether the mapping goes on beyond it */
  const collect = (at, upwards) => {
    const line = tokens(lines[at] ?? '', at)
    const own = line.find((token) => token.column === column)
    const begins = line.some((token) => token.column < column)
    if (own?.key !== undefined && (upwards || !begins)) found.set(own.key, own.value ?? '')
    return !begins
  }
  for (let at = row; at >= 0 && collect(at, true); at -= 1);
  for (let at = row + 1; at < lines.length && collect(at, false); at += 1);
  return found
}

/** A value without its quotes and without a comment. @param {string | undefined} value */
function plain(value) {
  return (value ?? '').replace(/\s+#.*$/, '').replace(/^(["'])(.*)\1$/, '$2')
}

/**
 * A schema and all schemas that it refers to. Its conditions depend on the type of the widget.
 *
 * @param {Schema} root @param {Schema | undefined} node @param {() => string} type @param {number} depth @returns {Schema[]}
 */
function expand(root, node, type, depth = 0) {
  if (!node || typeof node !== 'object' || depth > MAX_DEPTH) return []
  const all = [node]
  const add = (/** @type {Schema | undefined} */ part) => all.push(...expand(root, part, type, depth + 1))
  if (node.$ref) add(root.$defs?.[node.$ref.replace('#/$defs/', '')])
  for (const part of [...node.anyOf ?? [], ...node.oneOf ?? [], ...node.allOf ?? []]) {
    /** @type {string[] | undefined} */
    const types = part.if?.properties?.type?.enum
    if (!part.if) add(part)
    else if (types?.some((name) => name.toLowerCase() === type())) add(part.then)
  }
  return all
}

/**
 * The schemas for the end of a path: for the value of a key, or for the elements of a list.
 *
 * @param {Schema} root @param {string[]} lines @param {Token[]} path
 */
function schemasOf(root, lines, path) {
  let nodes = [root]
  for (const token of path) {
    const type = () => plain(siblings(lines, token.row, token.column).get('type')).toLowerCase()
    nodes = nodes.flatMap((node) => expand(root, node, type)).flatMap((node) => {
      if (token.key === undefined) return node.items ? [node.items] : []
      const own = node.properties?.[token.key]
      const others = node.additionalProperties
      return own ? [own] : typeof others === 'object' && others ? [others] : []
    })
  }
  return nodes
}

/**
 * The lines of the hint for a key; undefined elsewhere.
 *
 * @param {Schema} root @param {string[]} lines @param {number} row @param {number} column
 */
export function describe(root, lines, row, column) {
  const key = tokens(lines[row] ?? '', row).find((token) => token.key !== undefined)
  if (!key?.key || column < key.column || column > key.column + key.key.length) return
  const path = [...ancestors(lines, row, key.column), key]
  const nodes = schemasOf(root, lines, path).flatMap((node) => expand(root, node, () => ''))
  const about = nodes.find((node) => node.description)?.description
  if (!about) return
  const words = valuesOf(nodes).map(({ label }) => label)
  const preset = nodes.find((node) => node.default !== undefined)?.default
  const hint = [fieldText(about)]
  if (words.length > 0 && words.length <= 20) hint.push(t('Values: {values}.', { values: words.join(', ') }))
  if (['string', 'number', 'boolean'].includes(typeof preset) && preset !== '') hint.push(t('Default: {value}.', { value: preset }))
  return { from: key.column, to: key.column + key.key.length, hint }
}

/** @param {Schema[]} nodes @returns {Completion[]} */
function valuesOf(nodes) {
  /** @type {Map<string, Completion>} */
  const values = new Map()
  const add = (/** @type {unknown} */ value, /** @type {string | undefined} */ detail) => {
    const label = String(value)
    if (!values.has(label)) values.set(label, { label, detail, apply: typeof value === 'string' ? scalar(value) : label })
  }
  for (const node of nodes) {
    for (const value of node.enum ?? []) add(value, undefined)
    if (node.const !== undefined) add(node.const, undefined)
    if ([node.type].flat().includes('boolean')) [true, false].forEach((value) => add(value, undefined))
  }
  for (const node of nodes) for (const value of node.examples ?? []) if (typeof value !== 'object') add(value, t('example'))
  return [...values.values()]
}

/** A text as a YAML scalar, quoted if it has to be. @param {string} text */
function scalar(text) {
  return /^[A-Za-z/][\w./:@ -]*$/.test(text) && !/:( |$)|^(true|false|null|yes|no|on|off)$|\s$/i.test(text) ? text : JSON.stringify(text)
}

/**
 * Completions at a position: keys where a key begins, values after a key or a dash.
 *
 * @param {Schema} root @param {string[]} lines @param {number} row @param {number} column @returns {Completions | undefined}
 */
export function completions(root, lines, row, column) {
  const before = (lines[row] ?? '').slice(0, column)
  if (/(^|\s)#/.test(before)) return
  const behind = /^(\s*(?:-\s+)*)([^\s#"':[\]{}-][^:#]*?)\s*:\s+(\S*)$/.exec(before)
  if (behind) {
    const key = { row, column: behind[1].length, key: behind[2] }
    const path = [...ancestors(lines, row, key.column), key]
    const nodes = schemasOf(root, lines, path).flatMap((node) => expand(root, node, () => ''))
    return { from: column - behind[3].length, options: valuesOf(nodes) }
  }
  const begin = /^(\s*(?:-\s+)*)([\w-]*)$/.exec(before)
  if (!begin) return
  const start = begin[1].length
  const known = siblings(lines, row, start)
  const type = () => plain(known.get('type')).toLowerCase()
  const nodes = schemasOf(root, lines, ancestors(lines, row, start)).flatMap((node) => expand(root, node, type))
  const keys = nodes.flatMap((node) => Object.entries(node.properties ?? {}))
  /** @type {Completion[]} */
  const found = keys.filter(([key, node]) => !known.has(key) && !node.deprecated).map(([key, node]) => {
    const all = expand(root, node, () => '')
    const isBlock = all.some((part) => part.properties || part.items)
    return { label: key, info: fieldText(all.find((part) => part.description)?.description ?? '') || undefined, apply: isBlock ? `${key}:` : `${key}: ` }
  })
  return { from: start, options: [...found, ...begin[1].includes('-') ? valuesOf(nodes) : []] }
}
