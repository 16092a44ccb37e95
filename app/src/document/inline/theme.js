// Runs in the head, before anything is painted. It applies what this browser has chosen: the theme, or the one for the time
// of day; the colors that the user has set for it; and whether icons have the color of the text.
//
// The style sheet of a chosen theme is written into the document, because then all browsers wait for it before the first
// paint. It replaces the ones before this script.
//
// Fonts are preloaded for people who have been here before, and so have them cached: a browser waits up to 50 ms for
// such a font before it paints. On the first visit, text is painted in a local font with the same metrics, and changes when
// the font is loaded. It is requested only after the first paint, which would otherwise be later. A page of thousands of
// tiles keeps the local font for this visit, because laying them all out anew would block it for a third of a second.
//
// The editor's drafts contain everything that is in a config file. They are deleted on sign-out, and when somebody
// else opens the page. A page for guests deletes none: an admin whose session has ended sees it too.
//
// Sections beyond the first screen wait for the first paint, like the bundle, so that nothing competes with the
// visible part. A tab in the background does not paint, and so does not wait; without scripts everything is in the
// first frame.

const root = document.documentElement
const data = root.dataset
/** How many links are too many for another font during a visit. */
const manyLinks = 3e3
/** The end of the names under which this page keeps its settings; the home page has none. */
const suffix = data.page ? `-${data.page}` : ''
const dark = matchMedia('(prefers-color-scheme: dark)')
/** The theme that was chosen in this browser. */
let theme = ''
/** The colors that were set in this browser, by the theme that they are for. @type {Record<string, Record<string, string>>} */
let colors = {}

/** Does something that fails where the browser forbids storage. @param {() => void} action */
function attempt(action) {
  try {
    action()
  } catch {}
}

/**
 * Deletes the drafts of everybody else, and lets tabs in edit mode know whose drafts they may store.
 * @param {string} [owner] as in `data-drafts`; empty if no drafts may be stored
 */
function keepDraftsOf(owner = '') {
  attempt(() => {
    if ((localStorage.porticoOwner || '') !== owner) localStorage.porticoOwner = owner
  })
  attempt(() => {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith('porticoDraft-') && !name.startsWith(`porticoDraft-${owner}-`)) localStorage.removeItem(name)
    }
  })
}

/** Applies the colors that were set for the theme. */
function paint() {
  root.removeAttribute('style')
  for (const [name, color] of Object.entries(colors[data.theme || 'default'] || {})) root.style.setProperty(`--${name}`, color)
}

window.porticoPainted = new Promise((painted) => {
  const canTell = window.PerformanceObserver?.supportedEntryTypes?.includes('paint')
  if (document.hidden || !canTell) return painted()
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length) painted()
  })
  observer.observe({ type: 'paint', buffered: true })
  setTimeout(painted, 2e3)
})
root.classList.add('arriving', 'local-font')
window.porticoPainted.then(() => {
  root.classList.remove('arriving')
  attempt(() => localStorage.setItem('fonts', '1'))
  const blocks = () => document.querySelectorAll(/** @type {'section'} */ ('header, section'))
  const heights = () => Array.from(blocks(), ({ offsetHeight }) => offsetHeight).join()
  const done = () => {
    // On later visits there is no local font to replace.
    if (!root.classList.contains('local-font') || document.links.length >= manyLinks) return
    const before = heights()
    root.classList.remove('local-font')
    // Nothing may move below a line that wraps differently. The next visit begins with the font.
    if (heights() !== before) root.classList.add('local-font')
  }
  // A theme may have another font.
  if (getComputedStyle(root).fontFamily.startsWith('"Figtree Fallback"')) document.fonts.load('1em Figtree').then(done, done)
  else done()
})

attempt(() => {
  if (!localStorage.getItem('fonts')) return
  root.classList.remove('local-font')
  for (const href of /** @type {string} */ (data.fonts).split(' ')) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href }))
  }
})
attempt(() => {
  theme = localStorage.getItem(`theme${suffix}`) || ''
  const icons = localStorage.getItem(`iconColor${suffix}`) || ''
  if (/^(mono|color)$/.test(icons)) data.icons = icons
  colors = JSON.parse(localStorage.getItem('customColors') || 'null') || colors
})

if ('drafts' in data) keepDraftsOf(data.drafts)
addEventListener(
  'submit',
  ({ target }) => {
    if (/\/logout$/.test(/** @type {HTMLFormElement} */ (target).action)) keepDraftsOf()
  },
  true,
)

if (theme) {
  data.chosen = ''
  for (const style of document.querySelectorAll(/** @type {'style'} */ ('style.theme'))) style.disabled = true
  if (/^(default|auto)$/.test(theme)) {
    delete data.theme
  } else {
    data.theme = theme
    document.write(`<link class=theme rel=stylesheet href="${data.themes}${encodeURIComponent(theme)}.css">`)
  }
}

/** Follows the time of day, if the page has a theme for each and the viewer has not chosen another. */
function follow() {
  if (data.day && !('chosen' in data)) {
    const name = dark.matches ? data.night : data.day
    if (name === 'default') delete data.theme
    else data.theme = name
  }
  paint()
}
dark.onchange = follow
follow()
