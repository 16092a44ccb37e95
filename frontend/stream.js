// Follows the events of an open page: the states of the services behind its items, and changes to the config.
// Loaded after everything else, under a name with a hash; the build minifies it.
//
// The stream is that of docs/spec/behavior.md 11; hidden tabs have none.

/** @typedef {{ up: string[], down: string[], warn: string[] }} StatusEvent Items by their positions, such as `2-5`. */

const settings = /** @type {HTMLElement} */ (document.getElementById('settings'))
const tooltip = /** @type {HTMLElement} */ (document.getElementById('tooltip'))
const known = settings.dataset
/** The delay of a tooltip, and its distance from the tile and the edges of the window. */
const DELAY = 620
const GAP = 8

/** @type {EventSource | undefined} */
let source
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
let again = ''
let pause = 4e3
/** The work in progress. Tasks run one after the other: a status that follows a change of the page applies to the changed page. */
let work = Promise.resolve()

/** Runs a task after all others. If it cannot fetch something, the page stays as it is. @param {() => unknown} next */
function enqueue(next) {
  work = work.then(next).then(() => {}, () => {})
}

/** An address with the query that identifies this page. @param {string} name @param {string} more */
const address = (name, more) => new URL(`${name}?${known.address}&${more}`, import.meta.url)

function close() {
  clearTimeout(timer)
  source?.close()
  source = undefined
}

/** Brings the page into the language that was just chosen. Rejects if it has to be loaded again. */
export const translate = () => import('./dialogs.js').then((script) => script.dialogs()).then((bundle) => bundle.translate({ become, parse, close, open }))

function open() {
  clearTimeout(timer)
  if (source || document.hidden) return
  source = new EventSource(address('events', `version=${known.version}&age=${performance.now()}${again}`))
  again = '&again=1'
  source.onopen = () => { pause = 4e3 }
  source.onerror = () => {
    close()
    timer = setTimeout(open, pause * (1 + Math.random()))
    pause = Math.min(pause * 2, 6e4)
  }
  source.addEventListener('status', (event) => enqueue(() => show(JSON.parse(event.data))))
  source.addEventListener('figures', (event) => enqueue(() => showFigures(JSON.parse(event.data))))
  source.addEventListener('panel', ({ data: detail }) => document.dispatchEvent(new CustomEvent('portico:panel', { detail })))
  source.addEventListener('page', (event) => enqueue(() => change(event.data)))
}

/** A text with a count, in the language of the page. @param {string} text @param {number} [count] */
const t = (text, count) => (/** @type {any} */ (settings).texts[text] ?? text).replace('{count}', `${count}`)

/** @param {StatusEvent} event */
function show(event) {
  // The positions are those in the file, which a local config replaces.
  if (known.local) {
    document.dispatchEvent(new Event('portico:status'))
    return
  }
  for (const [state, positions] of Object.entries(event)) {
    for (const position of positions) document.getElementById(`i-${position}`)?.setAttribute('data-status', state)
  }
  const count = (/** @type {string} */ state) => document.querySelectorAll(`#content [data-status=${state}]`).length
  const down = count('down')
  document.querySelector('.health')?.setAttribute('data-status', t('{count} up', count('up') + count('warn')) + (down ? `, ${t('{count} down', down)}` : ''))
}

/** Shows the figures of tiles, by their places. @param {Record<string, string>} figures */
function showFigures(figures) {
  for (const [place, html] of Object.entries(figures)) {
    const element = document.querySelector(`[data-figures="${place}"]`)
    if (element) element.innerHTML = html
  }
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  if (document.hidden) timer = setTimeout(close, 5e3)
  else open()
})
addEventListener('pagehide', close)
addEventListener('pageshow', open)
open()
const wanted = /[?&]add-widget=([a-z\d-]+)/.exec(location.search)?.[1]
if (wanted && document.querySelector('.pencil')) import('./edit.js').then((script) => script.addWidget(wanted), () => {})
if (document.querySelector('.notices [data-start]')) import('./dialogs.js').then((script) => script.tour(), () => {})

/** The tile of the tooltip that is shown, or will be after a delay. @type {Element | null} */
let tile = null
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timeout

function hide() {
  clearTimeout(timeout)
  if (tile?.hasAttribute('data-told')) {
    tooltip.hidden = true
    tile.removeAttribute('data-told')
    tile.removeAttribute('aria-describedby')
  }
  tile = null
}

/** Adds the state of the service to the tooltip, which may already have a description of the tile. */
async function showStatus() {
  const about = tile
  if (!about) return
  const delay = new Promise((done) => setTimeout(done, DELAY / 2))
  const answer = await fetch(address('events/status', `item=${about.id.slice(2)}`))
  const html = await answer.text()
  await delay
  if (!answer.ok || tile !== about) return
  if (tooltip.hidden) tooltip.textContent = ''
  tooltip.insertAdjacentHTML('beforeend', `<div class="status-tip">${html}</div>`)
  tooltip.hidden = false
  about.setAttribute('data-told', '')
  about.setAttribute('aria-describedby', 'tooltip')
  placeAt(about)
  // Measuring takes an engine a second, which nothing else waits for.
  showUsage(about).catch(() => {})
}

/** Adds what the container of a tile uses, if that is known. @param {Element} about */
async function showUsage(about) {
  const usage = /** @type {HTMLElement | null} */ (tooltip.querySelector('.status-usage'))
  if (!usage) return
  const answer = await fetch(address('events/usage', `item=${about.id.slice(2)}`))
  const text = await answer.text()
  if (!answer.ok || !text || tile !== about) return
  usage.textContent = text
  usage.hidden = false
  placeAt(about)
}

/** Places the tooltip at a tile. @param {Element} about */
function placeAt(about) {
  const [around, own] = [about, tooltip].map((element) => element.getBoundingClientRect())
  const { clientWidth, clientHeight } = document.documentElement
  const left = Math.max(GAP, Math.min(around.left + (around.width - own.width) / 2, clientWidth - own.width - GAP))
  const below = around.bottom + GAP
  const top = below + own.height > clientHeight ? Math.max(GAP, around.top - GAP - own.height) : below
  tooltip.style.left = `${left}px`
  tooltip.style.top = `${top}px`
}

for (const name of ['pointerout', 'focusout', 'keydown', 'scroll', 'pointerdown']) document.addEventListener(name, hide, true)
for (const name of ['pointerover', 'focusin']) {
  document.addEventListener(name, (event) => {
    hide()
    tile = /** @type {Element} */ (event.target).closest('#content [data-status]')
    if (tile && !known.local) timeout = setTimeout(() => enqueue(showStatus), DELAY / 2)
  }, true)
}

/** The page's own style sheet, which comes after the product's. */
const style = document.head.querySelectorAll('style:not(.theme)')[1]
let css = style?.textContent ?? ''
const sheet = new CSSStyleSheet()

/** Nodes and attributes that belong to other scripts of the page, or to the viewer. */
const SKIPPED = 'script, dialog, #toolbar, #overlay, #frames, #stage-bar, #tooltip, #scripts-failed, #session-ended, #editor, .widget-body, .widget-note'
const KEPT = ['open', 'style', 'hidden', 'data-packed', 'data-told', 'aria-describedby']

/** A document from the server, in which styles have no effect. @param {string} html */
export function parse(html) {
  // The document's policy, which allows only its original styles, applies to parsed documents too.
  return new DOMParser().parseFromString(html.replace(/(<\/?)style\b/g, '$1script'), 'text/html')
}

/** @typedef {(old: Element, fresh: Element) => void} CopyElement Brings an element that another script owns up to date. */

/** Without it, such an element stays as it is. @type {CopyElement | undefined} */
let copy

/** Patches the open page to match another one. @param {Document} page @param {CopyElement} [copyOwned] */
export function become(page, copyOwned) {
  copy = copyOwned
  page.getElementById('splash')?.remove()
  document.title = page.title
  const text = page.head.querySelectorAll('script:not(.theme)')[2]?.textContent ?? ''
  if (text !== css) {
    css = text
    style?.remove()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }
  children(document.body, page.body)
}

/**
 * Updates the page to another version: in place, or by a reload where that is not enough.
 * @param {string} version
 * @param {string} [message] shown afterwards, also after a reload
 */
export async function change(version, message = '') {
  if (version === known.version) return
  if (message) keep(message)
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = parse(await answer.text())
  // In edit mode, which may have begun in the meantime, the editor decides.
  if (!document.dispatchEvent(new CustomEvent('portico:change', { cancelable: true }))) return showKept()
  const next = page.getElementById('settings')?.dataset
  if (!answer.ok || next?.core !== known.core) return location.reload()
  become(page)
  known.version = next?.version
  // The panels of widgets are the widgets' own; those of notes are taken from this page.
  document.dispatchEvent(new CustomEvent('portico:changed', { detail: page }))
  showKept()
}

/** The message for the page after a change, in the storage of the tab. */
const KEPT_MESSAGE = 'portico-message'

/** @param {string} message */
function keep(message) {
  try {
    sessionStorage[KEPT_MESSAGE] = message
  } catch {
    // The browser forbids storage: shown now, it is lost if the page is loaded again.
    say(message)
  }
}

/** Shows the message that was kept. */
function showKept() {
  try {
    const message = sessionStorage[KEPT_MESSAGE]
    if (message) say(message)
    delete sessionStorage[KEPT_MESSAGE]
  } catch {
    // There is none.
  }
}

/** Shows a message for some seconds, like those of the page. @param {string} message */
export function say(message) {
  const toast = document.createElement('p')
  toast.className = 'toast'
  toast.textContent = message.replaceAll('`', '')
  document.querySelector('#overlay .toasts')?.append(toast)
  setTimeout(() => toast.remove(), 8e3)
}

showKept()

/** Identifies a node among its siblings. @param {Node} node */
function key(node) {
  if (!(node instanceof HTMLElement)) return node.nodeName
  // All widgets have the places of before, and a section with another name keeps its own.
  const own = node.matches('section') ? node.querySelector('[data-widget]')?.getAttribute('data-widget') ?? node.querySelector('details')?.dataset.key
    : node.matches('.items > *') ? node.textContent + (node.dataset.local ?? '')
      : node.id.replace(/.*\d.*/, '')
  return `${node.localName} ${own}`
}

/** Patches the children of a node to match those of another one, whose nodes are moved. @param {Node} old @param {Node} fresh */
function children(old, fresh) {
  /** @type {Map<string, ChildNode[]>} */
  const rest = new Map()
  for (const node of old.childNodes) {
    const list = rest.get(key(node))
    if (list) list.push(node)
    else rest.set(key(node), [node])
  }
  const pairs = [...fresh.childNodes].map((node) => ({ node, found: rest.get(key(node))?.shift() }))
  const spare = [...rest.values()].flat()
  for (const pair of pairs) {
    // A renamed element; a removed section must not be reused for a new one.
    const at = pair.found ? -1 : spare.findIndex(({ nodeName }) => nodeName !== 'SECTION' && nodeName === pair.node.nodeName)
    if (at >= 0) [pair.found] = spare.splice(at, 1)
  }
  for (const node of spare) node.remove()
  let next = old.firstChild
  for (const { node, found } of pairs) {
    if (!found) old.insertBefore(node, next)
    else {
      if (found === next) next = next.nextSibling
      else old.insertBefore(found, next)
      update(found, node)
    }
  }
}

/** @param {Node} old @param {Node} fresh */
function update(old, fresh) {
  if (!(old instanceof Element && fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue
    return
  }
  if (old.isEqualNode(fresh)) return
  if (old.matches(SKIPPED)) return copy?.(old, fresh)
  // A local address is used as long as it can be reached; the public address behind it may have changed.
  const isProbed = old.hasAttribute('data-public') && old.getAttribute('data-local') === fresh.getAttribute('data-local')
  if (isProbed) old.setAttribute('data-public', fresh.getAttribute('href') ?? '')
  // Layout and size are the viewer's choice.
  const isKept = (/** @type {string} */ name) => KEPT.includes(name) || (name === 'class' && old.matches('#page, .item-group-container'))
    || (isProbed && ['href', 'data-public'].includes(name))
    || (name === 'class' && old.matches('img.broken') && old.getAttribute('src') === fresh.getAttribute('src'))
  for (const { name, value } of fresh.attributes) {
    if (!isKept(name) && old.getAttribute(name) !== value) old.setAttribute(name, value)
  }
  for (const name of old.getAttributeNames()) {
    if (!isKept(name) && !fresh.hasAttribute(name)) old.removeAttribute(name)
  }
  children(old, fresh)
}
