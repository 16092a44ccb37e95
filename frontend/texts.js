// The texts of the page and of the editor in the language of the page. The settings element has those of the page; those of the
// editor come with it (`GET /language`). In English, a text is its own key.

/** @typedef {Record<string, string | Record<string, string>>} Texts A text with a number has a form for each plural category. */

/** The language of the page, which can change. Tests have no page. */
const tag = () => globalThis.document?.documentElement.lang ?? 'en'
const settings = /** @type {{ texts?: Texts, fields?: Texts, dataset?: DOMStringMap } | undefined} */ (/** @type {unknown} */ (globalThis.document?.getElementById('settings')))
/** Pirates count in English. */
const countsIn = () => (tag().startsWith('zz') ? 'en' : tag())

/** @typedef {Record<string, string | number>} Values */

/** A number in the digits of the language. @param {string | number | undefined} value */
const written = (value) => (typeof value === 'number' ? new Intl.NumberFormat(countsIn(), { useGrouping: false }).format(value) : value)

/** @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => `${written(values[name]) ?? all}`)

/** @param {Texts | undefined} texts @param {string} text @param {number} [count] */
function found(texts, text, count) {
  const one = texts?.[text]
  if (typeof one !== 'object') return one
  return one[count === undefined ? 'other' : new Intl.PluralRules(countsIn()).select(count)] ?? one.other ?? Object.values(one).at(-1)
}

/** The translation of a text of the page or the editor, if there is one; with a number, the form for it. @param {string} text @param {number} [count] */
export const translation = (text, count) => {
  const form = found(settings?.texts, text, count)
  return count === undefined ? form : form?.replace('{count}', `${written(count)}`)
}

/** A text, with values in the place of `{name}`. @param {string} text @param {Values} [values] */
export const t = (text, values = {}) => filled(found(settings?.texts, text) ?? text, values)

/**
 * A text with a number, which is `{count}` in it.
 *
 * @param {string} one The English singular. @param {string} other The English plural, which is the key. @param {number} count
 * @param {Values} [values]
 */
export function tCount(one, other, count, values = {}) {
  const texts = settings?.texts
  // A language without forms of it may have the singular as a text of its own.
  const own = count === 1 && typeof texts?.[other] !== 'object' ? texts?.[one] : undefined
  return filled((typeof own === 'string' ? own : found(texts, other, count)) ?? (count === 1 ? one : other), { count, ...values })
}

/** The description of a field of the config, or a value of one. @param {string} text */
export const fieldText = (text) => found(settings?.fields, text.replace(/\s+/g, ' ').trim()) ?? text

/** The language in which each kind of texts has been loaded. @type {Map<string, string>} */
const loaded = new Map()

/**
 * Loads texts that pages do not contain, once for each language. Without them, the editor is in English.
 *
 * @param {string} base Path prefix of the product. @param {'dialogs' | 'editor'} kind
 */
export async function loadTexts(base, kind) {
  if (loaded.get(kind) === tag() || !settings) return
  loaded.set(kind, tag())
  settings.fields = {}
  if (!('texts' in (settings.dataset ?? {}))) return
  try {
    const answer = await fetch(`${base}/language?of=${tag()}&for=${kind}`)
    if (!answer.ok) return
    const read = await answer.json()
    if (kind === 'dialogs') settings.texts = { ...read, ...settings.texts }
    else {
      settings.texts = { ...settings.texts, ...read.texts }
      settings.fields = read.fields
    }
  } catch {
    loaded.delete(kind)
  }
}
