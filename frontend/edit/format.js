/*! yaml, © Eemeli Aro, ISC license. */
// Formats the text of a config: two spaces of indentation, one line feed at the end. Comments, blank lines and the meaning
// stay. Loaded at the first use.

import { parseDocument } from 'yaml'
import { t } from '../texts.js'

/**
 * @param {string} text
 * @returns {string} The formatted text.
 * @throws If the text is not valid YAML, or its meaning would change.
 */
export default function format(text) {
  const read = (/** @type {string} */ source) => parseDocument(source, { intAsBigInt: true, merge: true })
  const document = read(text)
  if (document.errors.length > 0) throw new Error(t('Fix what is not valid YAML first.'))
  const formatted = document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true })
  const meaning = (/** @type {string} */ source) => JSON.stringify(read(source).toJS(), (_, value) => typeof value === 'bigint' ? `${value}n` : value)
  if (meaning(formatted) !== meaning(text)) throw new Error(t('This text cannot be formatted without changing its meaning.'))
  return formatted
}
