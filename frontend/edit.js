// Begins to edit the page: loads the editor, and brings what it draws into the open page. Loaded at the first click on
// the pencil; the build puts the names of the editor's files in place of those below.

/**
 * What the editor needs of the page.
 *
 * @typedef {object} Host
 * @property {string} base Path prefix of the product.
 * @property {string | null} page The page, as its address names it.
 * @property {(html: string, entries: string) => void} show Brings the open page to a document of the server; `entries` is
 *   the entry of each widget by its place, as JSON.
 * @property {(message: string) => void} leave Ends edit mode and says something.
 * @property {(what: string) => void} open Opens a dialog that has a script of its own: `yaml`, `encrypt`, `restore`, `remote`, or
 *   `add-widget-2` for the section 2.
 * @property {(entry: string) => void} preview Shows beside the open form what a widget with this entry, as JSON, shows.
 */

const FRAMES = '#content .widget-base'
const NOT_LOADED = 'This part of the editor cannot be loaded. See that the server can be reached, and try again.'

const root = document.documentElement
/** The scripts of the dialogs that help to fill in a field, by the name on its button. */
const HELPERS = { icons: './editor-icons.js', colors: './editor-colors.js' }
/** Path prefix of the product. */
const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '')
let running = false
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
    const settings = /** @type {HTMLElement} */ (document.getElementById('settings'))
    const addresses = [settings.dataset.stream, './editor.js', './gestures.js']
    const [stream, editor, gestures] = await Promise.all([...addresses.map((address) => import(/** @type {string} */ (address))), style()])
    await editor.default({ module_or_path: new URL('./editor_bg.wasm', import.meta.url) })
    const page = new URLSearchParams(settings.dataset.address).get('page')
    stop = gestures.default()
    live = new WeakSet(document.querySelectorAll(FRAMES))
    const panels = () => import(/** @type {string} */ ('./editor-preview.js'))
    const message = await editor.start(/** @type {Host} */ ({
      base,
      page,
      show: (html, entries) => {
        show(stream, html, JSON.parse(entries))
        if (waiting().length > 0) panels().then(({ fill }) => fill(waiting, base, page), () => {})
      },
      leave: (said) => leave(stream, said),
      open: (what) => void open(what, editor, page),
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

/** @param {string} what As in {@link Host}. @param {any} editor @param {string | null} page */
async function open(what, editor, page) {
  try {
    const [, section] = /^add-widget-(\d+)$/.exec(what) ?? []
    if (section) return (await import(/** @type {string} */ ('./editor-widgets.js'))).default(base, section)
    if (what === 'yaml') return (await import(/** @type {string} */ ('./editor-raw.js'))).default(editor, base, page)
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
  document.dispatchEvent(new Event('portico:changed'))
}

/** The widgets that are new on the page, and wait for their panels. @returns {HTMLElement[]} */
function waiting() {
  /** @type {NodeListOf<HTMLElement>} */
  const frames = document.querySelectorAll(`${FRAMES}:has(> .widget-body[data-state=loading])`)
  return [...frames].filter((frame) => !live.has(frame))
}

/** @param {any} stream @param {string} said */
async function leave(stream, said) {
  running = false
  stop()
  painter.disconnect()
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
