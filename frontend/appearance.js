// What the page looks like in edit mode: it has the theme, the colors, the layout and the size that will be saved. Those that this
// browser has chosen for itself are put aside, and come back afterwards (docs/spec/behavior.md 14). Part of edit.js.

const root = document.documentElement
/** The storage key of the colors of themes that this browser has; in the config they have the same name. */
export const COLORS_KEY = 'customColors'

/** The theme of the saved page, or the one chosen in this browser, and the style sheets that replace it. */
const { theme, day, night } = root.dataset
/** @type {CSSStyleSheet[]} */
let sheets = []
/** The theme that was chosen in this browser, while edit mode has put it aside; empty for the theme of the system. @type {string | undefined} */
let ownTheme

/**
 * Shows the theme of a document from the server, or that of the saved page again. A theme chosen in this browser stays, except in
 * edit mode.
 *
 * @param {Document} [page]
 */
export function showTheme(page) {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
  sheets = []
  if (page && 'editing' in root.dataset) putThemeAside()
  else if (!page && ownTheme !== undefined) return bringThemeBack(ownTheme)
  if ('chosen' in root.dataset) return
  const wanted = page ? page.documentElement.dataset : { theme, day, night }
  const isOther = ownTheme !== undefined || wanted.day !== day || wanted.night !== night || !day && wanted.theme !== theme
  for (const style of document.querySelectorAll('style.theme')) /** @type {HTMLStyleElement} */ (style).disabled = isOther
  for (const name of ['day', 'night']) {
    if (wanted[name]) root.dataset[name] = wanted[name]
    else delete root.dataset[name]
  }
  const shown = wanted.day ? (matchMedia('(prefers-color-scheme: dark)').matches ? wanted.night : wanted.day) : wanted.theme
  if (!shown || shown === 'default') delete root.dataset.theme
  else root.dataset.theme = shown
  if (!isOther || !page) return
  // `stream.parse` turns styles into inert scripts.
  for (const style of page.querySelectorAll('head script.theme')) {
    const sheet = new CSSStyleSheet({ media: style.getAttribute('media') ?? '' })
    sheet.replaceSync(style.textContent ?? '')
    sheets.push(sheet)
  }
  document.adoptedStyleSheets = [...sheets, ...document.adoptedStyleSheets]
}

/** The style sheets of a theme that was chosen in this browser. @returns {NodeListOf<HTMLLinkElement>} */
const ownSheets = () => document.querySelectorAll('link.theme')

function putThemeAside() {
  if (!('chosen' in root.dataset)) return
  ownTheme = root.dataset.theme ?? ''
  delete root.dataset.chosen
  for (const link of ownSheets()) link.disabled = true
}

/** @param {string} name */
function bringThemeBack(name) {
  ownTheme = undefined
  for (const link of ownSheets()) link.disabled = false
  for (const style of document.querySelectorAll('style.theme')) /** @type {HTMLStyleElement} */ (style).disabled = true
  for (const [key, value] of Object.entries({ theme: name, day, night, chosen: '' })) {
    if (value || key === 'chosen') root.dataset[key] = value
    else delete root.dataset[key]
  }
}

/** The elements whose classes name the layout and the size, and these classes. */
const LAID_OUT = '#page, .item-group-container'
const LAYOUT = /\b(?:orientation|item-size)-\w+/g
/** The layout and the size before edit mode. @type {string[]} */
let ownLayout = []

/** The classes of layout and size of a document. @param {Document} page */
export const layoutOf = (page) => page.getElementById('page')?.className.match(LAYOUT) ?? []

/** Shows a layout and a size. @param {string[]} classes */
export function showLayout(classes) {
  for (const name of classes) {
    const kind = name.slice(0, name.lastIndexOf('-'))
    for (const element of document.querySelectorAll(LAID_OUT)) element.className = element.className.replace(new RegExp(`\\b${kind}-\\w+`), name)
  }
}

/** Puts the colors of this browser aside, and remembers the layout and the size. Themes follow with the first page that is shown. */
export function putChoicesAside() {
  ownLayout = layoutOf(document)
  root.removeAttribute('style')
}

/** Reads what this browser stores. @param {string} name */
export function stored(name) {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    // The browser forbids storage.
    return ''
  }
}

/** The colors of all themes that this browser stores. @returns {Record<string, Record<string, string>>} */
export function ownColors() {
  try {
    return JSON.parse(stored(COLORS_KEY)) ?? {}
  } catch {
    return {}
  }
}

/** Shows the choices of this browser again: its theme and colors, the layout and the size. @param {boolean} isSaved Whether the page is now as the draft was. */
export function bringChoicesBack(isSaved) {
  showTheme()
  for (const [name, color] of Object.entries(ownColors()[root.dataset.theme ?? 'default'] ?? {})) root.style.setProperty(`--${name}`, color)
  const suffix = root.dataset.page ? `-${root.dataset.page}` : ''
  const [layout, size] = [stored(`layoutOrientation${suffix}`), stored(`iconSize${suffix}`)]
  if (!isSaved) showLayout(ownLayout)
  showLayout([/^(auto|horizontal|vertical|masonry)$/.test(layout) ? `orientation-${layout}` : '', /^(small|medium|large)$/.test(size) ? `item-size-${size}` : ''].filter(Boolean))
}

// The page itself brings the colors back when the system changes between day and night.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  if ('editing' in root.dataset) root.removeAttribute('style')
})
