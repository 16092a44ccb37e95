// Begins to edit the page: loads the editor, and brings what it draws into the open page. Loaded at the first click on
// the pencil, or for a local config; the build puts the names of the editor's files in place of those below.

/**
 * The dialogs of edit mode. The first seven have scripts of their own.
 *
 * @typedef {'yaml' | 'encrypt' | 'restore' | 'remote' | 'styles' | 'colors' | 'local' | 'page-info' | 'settings' | 'pages' | 'import' | 'backups'} Dialog
 */

/**
 * What the editor needs of the page.
 *
 * @typedef {object} Host
 * @property {string} base Path prefix of the product.
 * @property {string | null} page The page, as its address names it.
 * @property {(html: string, entries: string) => void} show Brings the open page to a document of the server; `entries` is
 *   the entry of each widget by its place, as JSON.
 * @property {(message: string) => void} leave Ends edit mode and says something.
 * @property {(what: Dialog | `add-widget-${number}`) => void} open Opens a dialog that has a script of its own; `add-widget-2` is the list
 *   of types for the section 2.
 * @property {(entry: string) => void} preview Shows beside the open form what a widget with this entry, as JSON, shows.
 */

const FRAMES = '#content .widget-base'
const NOT_LOADED = 'This part of the editor cannot be loaded. See that the server can be reached, and try again.'

const root = document.documentElement
/** The scripts of the dialogs that help to fill in a field, by the name on its button. */
const HELPERS = { icons: './editor-icons.js', colors: './editor-colors.js' }
const settings = /** @type {HTMLElement} */ (document.getElementById('settings'))
/** Path prefix of the product. */
const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '')
const page = new URLSearchParams(settings.dataset.address).get('page')
/** How long a page with a local config shows nothing. */
const PATIENCE = 2e3
let running = false
/** The bundle, once it is loaded. @type {any} */
let editor
/** Ends the gestures. */
let stop = () => {}
/** The widgets that the page itself keeps up to date. @type {WeakSet<Element>} */
let live = new WeakSet()

/** @param {HTMLElement} button */
export default async function edit(button) {
  if (running) return
  running = true
  // The page is drawn anew meanwhile, and the button with it.
  const wish = { ...button.dataset }
  button.setAttribute('aria-busy', 'true')
  try {
    const addresses = [settings.dataset.stream, './editor.js', './gestures.js']
    const [stream, bundle, gestures] = await Promise.all([...addresses.map((address) => import(/** @type {string} */ (address))), style()])
    await bundle.default({ module_or_path: new URL('./editor_bg.wasm', import.meta.url) })
    editor = bundle
    stop = gestures.default()
    live = new WeakSet(document.querySelectorAll(FRAMES))
    const message = await editor.start(/** @type {Host} */ ({
      base,
      page,
      show: (html, entries) => {
        show(stream, html, JSON.parse(entries))
        if (waiting().length > 0) panels().then(({ fill }) => fill(waiting, base, page), () => {})
      },
      leave: (said) => leave(stream, said),
      open: (what) => void open(what),
      preview: (entry) => void panels().then((script) => script.default(entry, base, page), () => {}),
    }))
    if (message) throw new Error(message)
    const place = document.getElementById('editor')
    if (place) painter.observe(place, { childList: true, subtree: true })
    // A page that nobody has written yet offers ways to begin.
    if (wish.start) import(/** @type {string} */ ('./editor-begin.js')).then((script) => script.default(editor, wish), () => tell(NOT_LOADED))
  } catch (error) {
    running = false
    stop()
    tell(error instanceof Error ? error.message : String(error))
  }
  button.removeAttribute('aria-busy')
}

/** Begins to edit, if nobody does yet, and opens a dialog. @param {Dialog} [what] */
export async function begin(what) {
  const pencil = /** @type {HTMLElement | null} */ (document.querySelector('.edit-button'))
  if (!running && pencil) {
    await edit(pencil)
    await answered()
  }
  if (running && what) editor.open_dialog(what)
}

/** Waits until the editor has no question open, such as whether to go on with a draft. @returns {Promise<void>} */
function answered() {
  return new Promise((done) => {
    const look = () => {
      if (document.querySelector('#editor dialog')) return
      observer.disconnect()
      done()
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    look()
  })
}

/** A setting of the draft; `null` if it is not there, or nobody edits. @param {string} key */
export const setting = (key) => running ? JSON.parse(editor.setting(key)) : null

/** Changes a setting of the draft; without words it is only shown. @param {string} key @param {unknown} value @param {string} [words] */
export const changeSetting = (key, value, words) => editor.change_setting(key, JSON.stringify(value), words)

/** Whether the page is being edited. */
export const isRunning = () => running

/** Shows the local config in place of the file, if there is one. Nobody waits longer for it than `PATIENCE`. */
export async function local() {
  const drawn = Promise.all([localScript(), style()]).then(([script]) => script.draw())
  await Promise.race([drawn, new Promise((late) => setTimeout(late, PATIENCE))])
}

/** The script that shows what a widget shows before it is saved. */
const panels = () => import(/** @type {string} */ ('./editor-preview.js'))

async function localScript() {
  const [script, stream] = await Promise.all(['./editor-local.js', settings.dataset.stream].map((address) => import(/** @type {string} */ (address))))
  const fill = (/** @type {() => HTMLElement[]} */ frames) => {
    if (frames().length > 0) panels().then((script) => script.fill(frames, base, page), () => {})
  }
  script.follow({ base, stream, look, begin, fill })
  return script
}

/** @param {Dialog | `add-widget-${number}`} what */
async function open(what) {
  try {
    const [, section] = /^add-widget-(\d+)$/.exec(what) ?? []
    if (section) return (await import(/** @type {string} */ ('./editor-widgets.js'))).default(base, section)
    if (what === 'yaml') return (await import(/** @type {string} */ ('./editor-raw.js'))).default(editor, base, page)
    if (what === 'local') return (await localScript()).save(editor)
    if (what === 'styles') return (await import(/** @type {string} */ ('./editor-styles.js'))).default({ setting, changeSetting, colors })
    if (what === 'colors') return colors()
    const { exportEncrypted, remoteBackup, restoreFile } = await import(/** @type {string} */ ('./editor-backup.js'))
    const dialogs = new Map([['encrypt', exportEncrypted], ['remote', remoteBackup], ['restore', restoreFile]])
    dialogs.get(what)?.(editor)
  } catch {
    tell(NOT_LOADED)
  }
}

/** Opens the dialog of a button beside a field. @param {MouseEvent} event */
async function help({ target }) {
  const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('#editor [data-helper]')) : null
  const field = button?.closest('.edit-helped')?.querySelector('input')
  if (!button || !field) return
  try {
    const script = await import(/** @type {string} */ (HELPERS[/** @type {keyof typeof HELPERS} */ (button.dataset.helper)]))
    script.default(field, base)
  } catch {
    tell(NOT_LOADED)
  }
}

/** Shows the colors that are typed on their buttons. */
function paint() {
  for (const button of document.querySelectorAll(/** @type {'button'} */ ('#editor [data-helper=colors]'))) {
    button.style.setProperty('--swatch', button.parentElement?.querySelector('input')?.value ?? '')
  }
}

document.addEventListener('click', (event) => void help(event))
document.addEventListener('input', paint)
const painter = new MutationObserver(paint)

/** The editor's style sheet. @returns {Promise<void>} */
function style() {
  return new Promise((done, failed) => {
    if (document.getElementById('editor-style')) return done()
    const link = document.createElement('link')
    Object.assign(link, { id: 'editor-style', rel: 'stylesheet', href: new URL('./editor.css', import.meta.url), onload: () => done() })
    link.onerror = () => failed(new Error('The editor cannot be loaded. Reload the page and try again.'))
    document.head.append(link)
  })
}

/** @param {any} stream @param {string} html @param {Record<string, string>} entries */
function show(stream, html, entries) {
  const page = stream.parse(html)
  for (const frame of page.querySelectorAll('.widget-base')) frame.dataset.entry = entries[frame.dataset.widget]
  for (const old of document.querySelectorAll('#content .widget-base')) {
    const { entry } = /** @type {HTMLElement} */ (old).dataset
    // A panel belongs to its entry.
    if (entry !== undefined && page.getElementById(old.id)?.dataset.entry !== entry) old.remove()
  }
  for (const tile of page.querySelectorAll('.items > *')) {
    if (!tile.matches('a')) tile.tabIndex = 0
    if (tile.matches('span')) tile.setAttribute('role', 'button')
  }
  // What the server draws knows nothing of the editor itself.
  const own = document.getElementById('editor')
  if (own) page.body.append(own.cloneNode())
  root.dataset.editing = ''
  // That of widgets, which a page without any lacks.
  for (const link of page.querySelectorAll('link[rel=stylesheet][href*="/widgets-"]')) {
    if (!document.querySelector(`link[href="${link.getAttribute('href')}"]`)) document.head.append(link.cloneNode())
  }
  stream.become(page)
  look(page)
  document.dispatchEvent(new Event('portico:changed'))
}

/** The widgets that are new on the page, and wait for their panels. @returns {HTMLElement[]} */
function waiting() {
  /** @type {NodeListOf<HTMLElement>} */
  const frames = document.querySelectorAll(`${FRAMES}:has(> .widget-body[data-state=loading])`)
  return [...frames].filter((frame) => !live.has(frame))
}

/** The theme of the file, and what shows another one in its place. */
const { theme, day, night } = root.dataset
/** @type {CSSStyleSheet[]} */
let sheets = []

/** Shows the theme of a document of the server, or that of the file again. Somebody who has chosen one keeps it. @param {Document} [page] */
function look(page) {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
  sheets = []
  if ('chosen' in root.dataset) return
  const wanted = page ? page.documentElement.dataset : { theme, day, night }
  const isOther = wanted.day !== day || wanted.night !== night || !day && wanted.theme !== theme
  for (const style of document.querySelectorAll('style.theme')) /** @type {HTMLStyleElement} */ (style).disabled = isOther
  for (const name of ['day', 'night']) {
    if (wanted[name]) root.dataset[name] = wanted[name]
    else delete root.dataset[name]
  }
  const shown = wanted.day ? (matchMedia('(prefers-color-scheme: dark)').matches ? wanted.night : wanted.day) : wanted.theme
  if (!shown || shown === 'default') delete root.dataset.theme
  else root.dataset.theme = shown
  if (!isOther || !page) return
  // What was parsed has scripts that do nothing in place of styles.
  for (const style of page.querySelectorAll('head script.theme')) {
    const sheet = new CSSStyleSheet({ media: style.getAttribute('media') ?? '' })
    sheet.replaceSync(style.textContent ?? '')
    sheets.push(sheet)
  }
  document.adoptedStyleSheets = [...sheets, ...document.adoptedStyleSheets]
}

/** Opens the colors, which change the draft. */
async function colors() {
  const { open } = await import(/** @type {string} */ (`${base}/themes/colors.js`))
  await open({ setting, changeSetting })
}

/** @param {any} stream @param {string} said */
async function leave(stream, said) {
  running = false
  stop()
  painter.disconnect()
  look()
  delete root.dataset.editing
  document.getElementById('editor')?.remove()
  await stream.change('')
  if (said) tell(said)
}

/** Says something for a while, as the page itself does. @param {string} text */
function tell(text) {
  const toast = document.createElement('p')
  toast.className = 'toast'
  toast.textContent = text.replaceAll('`', '')
  const places = document.querySelector('#overlay .toasts')
  places?.append(toast)
  setTimeout(() => toast.remove(), 8e3)
}
