// Brings the text of a config into even form: two spaces, one line feed at the end. Comments and blank lines stay, and so
// does what the text says. Loaded when somebody formats.

import { parseDocument } from 'yaml'

/**
 * @param {string} text
 * @returns {string} The formatted text.
 * @throws If the text is no YAML, or would say something else.
 */
export default function format(text) {
  const read = (/** @type {string} */ source) => parseDocument(source, { intAsBigInt: true, merge: true })
  const document = read(text)
  if (document.errors.length > 0) throw new Error('Mend what is not valid YAML first.')
  const formatted = document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true })
  const said = (/** @type {string} */ source) => JSON.stringify(read(source).toJS(), (_, value) => typeof value === 'bigint' ? `${value}n` : value)
  if (said(formatted) !== said(text)) throw new Error('This text cannot be formatted without changing what it says.')
  return formatted
}
