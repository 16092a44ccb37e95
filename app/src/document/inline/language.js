// Stands at the beginning of the head of pages of an export in several languages (docs/install/static.md). In the first language,
// it goes to the language that was chosen in the options, or else to the nearest one for this browser, before anything is painted.
// The page for unknown addresses goes to the language of the address first. The links to the languages are before it.

const { base, nearest } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset
/** Dashboards at other paths of this host have choices of their own. */
const KEY = `porticoLanguage ${base}/`
const links = Array.from(document.querySelectorAll(/** @type {'link'} */ ('link[hreflang]')))

/** Whether a choice was stored. Without storage, the page would come back to the same language again and again. @param {string} code */
function remember(code) {
  try {
    localStorage.setItem(KEY, code)
    return localStorage.getItem(KEY) === code
  } catch {
    return false
  }
}

/** The code for a tag, as `Language::nearest_by_tag` describes its table. @param {Record<string, string>} table @param {string} tag */
function find(table, tag) {
  const [language, ...rest] = tag.toLowerCase().split(/[-_]/)
  const script = rest.find((subtag) => /^[a-z]{4}$/.test(subtag))
  const region = rest.find((subtag) => /^([a-z]{2}|\d{3})$/.test(subtag))
  if (script) return table[`${language}-${script}`]
  return (region && (table[`${language}-${region}`] || table[`${language}-*`])) || table[/** @type {string} */ (language)]
}

/** Goes to the page in another language, unless it turned out to be this one. @param {HTMLLinkElement} link */
function go({ href }) {
  const address = href + location.search + location.hash
  if (address !== location.href) location.replace(address)
}

const own = links.slice(1).find(({ href }) => location.href.startsWith(href.replace(/[^/]*$/, '')))
if (nearest && own) go(own)
else if (nearest) {
  /** @type {string | null | undefined} */
  let code
  try {
    code = localStorage.getItem(KEY)
  } catch {
    // The browser forbids storage.
  }
  // An earlier export may have had more languages.
  if (!links.some(({ hreflang }) => hreflang === code)) {
    const table = JSON.parse(nearest)
    const tags = navigator.languages
    const related = () => tags.map((tag) => table[`~${tag.toLowerCase().split('-')[0]}`])
    code = [...tags.map((tag) => find(table, tag)), ...related()].find(Boolean)
  }
  const link = links.find(({ hreflang }) => hreflang === code)
  if (code && remember(code) && link && link !== links[0]) go(link)
}

addEventListener('change', ({ target }) => {
  const { id, value } = /** @type {HTMLSelectElement} */ (target)
  if (id !== 'exported-languages') return
  remember(/** @type {HTMLLinkElement} */ (links.find((link) => link.getAttribute('href') === value)).hreflang)
  location.href = value + location.search + location.hash
})
