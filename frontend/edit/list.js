// Lists of texts in one line, as the fields of forms have them: `blue, rgb(1, 2, 3), "one, two"`. The editor's bundle reads and
// writes the same lines (`frontend/editor/src/schema/lists.rs`).

/**
 * The texts of a line. A comma ends one, except in double quotes, in parentheses, and within a web address.
 *
 * @param {string} line
 */
export function read(line) {
  const values = []
  let rest = line.trimStart()
  while (rest) {
    const quoted = /^"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest)
    const end = quoted ? quoted[0].length : endOf(rest) + 1
    const value = quoted ? (quoted[1] ?? '').replaceAll('""', '"') : rest.slice(0, end - 1).trimEnd()
    if (quoted || value) values.push(value)
    rest = rest.slice(end).trimStart()
  }
  return values
}

/** The line of some texts, which have no line breaks. @param {string[]} values */
export const write = (values) => values.map((value) => (isPlain(value) ? value : `"${value.replaceAll('"', '""')}"`)).join(', ')

/** Whether a text can stand beside others without quotes. @param {string} value */
function isPlain(value) {
  let depth = 0
  for (const character of value) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    if (depth < 0) return false
  }
  const [only, ...more] = read(value)
  return depth === 0 && !value.startsWith('"') && only === value && !more.length
}

/** Where the text ends that a line begins with. @param {string} line */
function endOf(line) {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '(') at = closing(line, at)
    if (line[at] === ',' && !(line.slice(0, at).includes('://') && /^(?![a-z\d]+:\/\/)\S/i.test(line.slice(at + 1)))) return at
  }
  return line.length
}

/** Where a parenthesis closes; the same place if it does not. @param {string} line @param {number} from */
function closing(line, from) {
  let depth = 0
  for (let at = from; at < line.length; at++) {
    depth += line[at] === '(' ? 1 : line[at] === ')' ? -1 : 0
    if (depth === 0) return at
  }
  return from
}
