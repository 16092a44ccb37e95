// Runs at the very end of the body. It loads everything that a page can be seen without.
//
// After the first paint it loads the bundle that the page's data names; the module starts by itself. Nothing is loaded ahead,
// because that would delay the paint, and the page can be used before. If the bundle has not arrived after eight seconds, the
// page says so until it has. Then comes the small script that follows changes of the page.
//
// If the bundle cannot be loaded, or fails later, the page says so once, and then works as it does without scripts: the bundle
// gets no more events, since each would only fail again, and links and sections work by themselves. The dialogs of the
// options work without the bundle. The style sheet takes over a masonry layout that the bundle no longer measures.
//
// A moment after the start, the page loads its companion if there is work for it, otherwise after half a minute, or when the
// tab is first left.
//
// A local config, which an admin keeps in this browser (docs/spec/behavior.md 16), is drawn by the editor; until
// then nothing is seen of the file that it stands for.

/** @import { Settings } from './types' */

/** How long the bundle may take before the page says that it is still loading, in milliseconds. */
const SLOW = 8e3
/** When the companion is loaded if there is work for it, and when otherwise, in milliseconds after the first paint. */
const COMPANION = 3e3
const COMPANION_WITHOUT_WORK = 3e4
/** How long the page says that something cannot be loaded, in milliseconds. */
const SHOWN = 6e3
/** How many errors are kept for the debug information. */
const MAX_ERRORS = 20
/** The key of what a tab remembers while a page comes back in a language that was just chosen. */
const CHOSEN = 'porticoLanguage'
/** The events that the bundles listen for. */
const EVENTS = 'click auxclick input change submit keydown pointermove pointerover pointerout focusin focusout scroll error toggle close visibilitychange pageshow online'
/**
 * The elements with a context menu: links of items, headings of sections, all tiles for viewers who may edit the page, and
 * in edit mode also the controls and the heads of widgets.
 */
const MENU_OWNERS = '#content :is(.items a,.section-heading),:root:has(.edit-button) #content .items>*,[data-editing] #content :is(.widget-head,[data-edit^=section],[data-edit^=widget])'

const root = document.documentElement
const content = document.getElementById('content')
const settings = /** @type {Settings} */ (document.getElementById('settings'))
const data = settings.dataset
const failed = document.getElementById('scripts-failed')

// --- Buttons whose modules are loaded at their first use (those of the options name none), and the bar that says that something is loading ---

/** Shows the bar after a moment. */
const startBusy = () => setTimeout(() => { root.dataset.busy = '' }, 300)
/** @param {any} [timer] what `startBusy` gave */
function endBusy(timer) {
  clearTimeout(timer)
  delete root.dataset.busy
}

/** @param {EventTarget | null} target @param {string} selector @returns {HTMLElement | null | undefined} */
const closest = (target, selector) => /** @type {Partial<Element> | null} */ (target)?.closest?.(selector)

// A link to `#edit` does what the pencil does, one to `#options` what their button does, and one to `#search` leads to the box.
addEventListener('click', (event) => {
  const { target } = event
  const place = closest(target, 'a[href="#options"],a[href="#search"]')
  if (place) {
    event.preventDefault()
    const isSearch = place.matches('[href$=h]')
    const control = /** @type {HTMLElement | null} */ (document.querySelector(isSearch ? '#search' : '[popovertarget=options-panel]'))
    if (isSearch) control?.focus()
    else control?.click()
    return
  }
  const link = closest(target, 'a[href="#edit"]')
  const button = link ? /** @type {HTMLElement | null} */ (document.querySelector('.edit-button')) : closest(target, '[data-module]')
  if (!button) return
  if (link) event.preventDefault()
  const timer = startBusy()
  import(/** @type {string} */ (button.dataset.module || data.controls)).then((module) => module.default(button), sayUnreachable).finally(() => endBusy(timer))
}, true)
const { navigation } = /** @type {any} */ (window)
navigation?.addEventListener('navigate', (/** @type {any} */ { destination, downloadRequest }) => {
  if (!/^http/.test(destination.url) || destination.sameDocument || downloadRequest != null) return
  const timer = startBusy()
  navigation.onnavigateerror = () => endBusy(timer)
})
// A page that comes back from the cache of the browser is not loading.
addEventListener('pageshow', endBusy)

// A language that is chosen in the options is sent at once. The page changes in place; where it cannot, it is loaded again at the
// same place, with the options open.
function loadAgain() {
  try {
    sessionStorage[CHOSEN] = 1
  } catch {
    // The browser forbids storage: the options are closed.
  }
  location.reload()
}
addEventListener('change', ({ target }) => {
  const { name, form } = /** @type {HTMLSelectElement} */ (target)
  if (name !== 'language' || !form) return
  fetch(form.action, { method: 'POST', body: new URLSearchParams(/** @type {any} */ (new FormData(form))), redirect: 'manual' }).then(
    () => import(/** @type {string} */ (data.stream)).then((stream) => stream.translate()).catch(loadAgain),
    () => {
      form.reset()
      sayUnreachable()
    },
  )
}, true)
try {
  if (sessionStorage[CHOSEN]) {
    sessionStorage.removeItem(CHOSEN)
    document.getElementById('options-panel')?.showPopover()
    ;/** @type {HTMLElement | null} */ (document.querySelector('[name=language]'))?.focus()
  }
} catch {
  // The browser forbids storage, or knows no popovers.
}

// --- What scripts find at the element of the settings ---

/** The last errors, for the debug information. */
settings.errors = []
settings.texts = JSON.parse(data.texts || '{}')

/** Shows a message at the bottom of the page. @param {string} text */
function show(text) {
  const shown = Object.assign(document.createElement('p'), { className: 'toast', role: 'status', textContent: settings.texts[text] || text })
  failed?.after(shown)
  return shown
}

/** Says for a while that something cannot be loaded. */
function sayUnreachable() {
  const shown = show('The server of this dashboard cannot be reached.')
  setTimeout(() => shown.remove(), SHOWN)
}

// The browser offers to install the page as an app; the companion shows a button for it.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  settings.install = event
})

// --- A bundle that is late, or fails ---

/** Shows the notice that scripts have failed, once, and stops events from reaching the bundle. */
function fail() {
  if (data.failed) return
  data.failed = '1'
  if (settings.sizes) {
    settings.sizes.disconnect()
    content?.removeAttribute('data-packed')
  }
  if (failed) {
    failed.className = 'toast'
    failed.hidden = false
  }
  for (const name of EVENTS.split(' ')) {
    addEventListener(name, (event) => {
      if (!closest(event.target, '.theme-dialog,.tools-dialog')) event.stopImmediatePropagation()
    }, true)
  }
}

/** @param {any} event */
function noteError({ error, reason, message }) {
  const cause = error || reason
  settings.errors.push(String(cause?.stack || cause || message))
  settings.errors.splice(0, settings.errors.length - MAX_ERRORS)
  if (window.WebAssembly && cause instanceof WebAssembly.RuntimeError) fail()
}
addEventListener('error', noteError)
addEventListener('unhandledrejection', noteError)

/** @type {HTMLElement | undefined} */
let slow
const wait = setTimeout(() => {
  slow = show('Search and options are still loading. Links work already.')
}, SLOW)
function arrived() {
  clearTimeout(wait)
  slow?.remove()
  search?.removeEventListener('input', searchEarly)
  for (const tile of tiles()) tile.removeAttribute('data-early')
}

// --- A first search, until that of the bundle: the style sheet hides what does not contain all words ---

const search = /** @type {HTMLInputElement | null} */ (document.getElementById('search'))
/** @returns {Iterable<HTMLElement>} */
const tiles = () => document.querySelectorAll('#content :is(.items>*,.widget-base)')
function searchEarly() {
  const words = /** @type {HTMLInputElement} */ (search).value.toLowerCase().split(/\s+/)
  for (const tile of tiles()) {
    const text = [tile.textContent, tile.dataset.tags, tile.dataset.provider, tile.getAttribute('href')].join().toLowerCase()
    tile.toggleAttribute('data-early', !words.every((word) => text.includes(word)))
  }
}
search?.addEventListener('input', searchEarly)

// --- A local config ---

try {
  if (data.editor && localStorage.getItem(`porticoDraft-${root.dataset.drafts}-/${root.dataset.page || ''}`)) {
    const { style } = /** @type {HTMLElement} */ (content)
    style.visibility = 'hidden'
    import(data.editor).then((module) => module.local()).finally(() => { style.visibility = '' })
  }
} catch {
  // The browser forbids storage, so there is no local config.
}

// --- Context menus ---

/**
 * Loads the script of the menus with the first event that opens one, or may become a long press, and passes it all of them.
 * The browser shows its own menu with Shift, and on selected text, except for a link that was selected by the same click.
 *
 * @param {Event} event
 */
function openMenu(event) {
  const { type } = event
  const { key, shiftKey } = /** @type {KeyboardEvent} */ (event)
  if (type === 'keydown' && key !== 'ContextMenu' && !(shiftKey && key === 'F10')) return
  if (type === 'pointerdown' && /** @type {PointerEvent} */ (event).pointerType !== 'touch') return
  const owner = closest(event.target, MENU_OWNERS)
  if (!owner || !data.menu || data.failed) return
  if (type === 'contextmenu') {
    const selection = /** @type {Selection} */ (getSelection())
    const isSelected = !selection.isCollapsed && selection.containsNode(owner, true)
    if (shiftKey || isSelected && !(owner.matches('a') && owner.contains(selection.anchorNode))) return
  }
  if (type !== 'pointerdown') event.preventDefault()
  import(data.menu).then((module) => module.menu(event, owner), sayUnreachable)
}
for (const name of ['contextmenu', 'keydown', 'pointerdown']) addEventListener(name, openMenu, true)

// --- The companion ---

let hasCompanion = false
function loadCompanion() {
  if (hasCompanion || !data.companion) return
  hasCompanion = true
  import(/** @type {string} */ (data.companion)).catch(() => {})
}
document.addEventListener('visibilitychange', () => setTimeout(loadCompanion, 1e3))
window.porticoPainted.then(() => {
  setTimeout(loadCompanion, 'worker' in data || 'compat' in data ? COMPANION : COMPANION_WITHOUT_WORK)
  // The offline script removes a worker that is no longer needed.
  navigator.serviceWorker?.getRegistrations().then(({ length }) => { if (length) loadCompanion() }).catch(() => {})
})

// --- The bundle, and the script that follows changes ---

window.porticoPainted
  .then(async () => {
    const module = fetch(/** @type {string} */ (data.wasm))
    // Its failure is that of the start.
    module.catch(() => {})
    const bundle = await import(/** @type {string} */ (data.script))
    return bundle.default({ module_or_path: module })
  })
  .then(arrived, (error) => {
    arrived()
    fail()
    console.error(error)
  })
  .then(() => data.stream && import(data.stream))
  .catch(console.error)
