// Previews of widgets that are not saved yet: beside their form, and on the page where a widget is new. Loaded with the first
// preview.

import { button, element } from './elements.js'
import { writeTimes } from './panel-texts.js'
import { call, messageOf } from './server.js'
import { t } from '../texts.js'

/**
 * The preview of a config entry: `WidgetPreview` in app/src/editing.rs.
 *
 * @typedef {object} Preview
 * @property {string} kind
 * @property {string} [label]
 * @property {string[]} classes
 * @property {string} [html] The content of the frame.
 * @property {string} [note] Why nothing is shown.
 * @property {number} [next] Seconds until it is worth asking again.
 * @property {string} styleSheet
 */

/** How long typing has to pause before the server is asked, in milliseconds. */
const DEBOUNCE = 400
/** How often the server is asked again about a service that has not responded. */
const MAX_ATTEMPTS = 20

/** The language and time zone of this browser. */
const { locale, timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Asks for the preview of an entry until its service has responded. `onAnswer` gets each answer, and returns whether to go on.
 *
 * @param {string} base @param {string | null} page @param {string} entry @param {(answer: Preview) => boolean} onAnswer
 */
async function poll(base, page, entry, onAnswer) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    /** @type {Preview} */
    const answer = await call(base, 'editor-panel', { page, entry, locale, zone })
    if (!onAnswer(answer) || !answer.next) return
    await wait(answer.next * 1000)
  }
}

/** Loads the style sheet of widgets, which a page without widgets does not have. @param {string} href */
function loadStyles(href) {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return
  document.head.append(element('link', { rel: 'stylesheet', href }))
}

/** The elements of an answer. @param {Preview} answer */
function content({ html, note }) {
  const template = document.createElement('template')
  template.innerHTML = html ?? '<div class="widget-body" data-state="content"></div><p class="widget-note"></p>'
  if (note) template.content.querySelector('.widget-note')?.replaceChildren(note)
  // Screen readers would announce it after each letter; and the next letter retries anyway.
  for (const alert of template.content.querySelectorAll('[role=alert]')) alert.removeAttribute('role')
  for (const retry of template.content.querySelectorAll('.widget-retry')) retry.remove()
  writeTimes(template.content)
  return template.content
}

/** The minimum and maximum height of a frame, in pixels. */
const HEIGHTS = /** @type {const} */ ([40, 5000])
/** The properties of an embedded document, and those of the page that they are taken from, as in `app/src/parts/live/embedded.rs`. That
 * code runs only on pages that have frames from the start. */
const LOOK = [['color-scheme', 'color-scheme'], ['font-family', 'font-family'], ['--widget-text-color', '--text'], ['--widget-background-color', '--widget-background-color'],
  ['--widget-accent-color', '--accent'], ['--primary', '--primary'], ['--background', '--background']]

/** Embedded content reports its height; its frame is resized, and it gets the colors around it. @param {MessageEvent} event */
function fit({ source, data }) {
  if (typeof data !== 'number' || !Number.isFinite(data)) return
  for (const frame of document.querySelectorAll(/** @type {'iframe'} */ ('iframe[data-embedded]'))) {
    if (frame.contentWindow !== source) continue
    frame.style.height = `${Math.min(Math.max(data, HEIGHTS[0]), HEIGHTS[1])}px`
    const style = getComputedStyle(frame)
    const rules = LOOK.map(([name, from = '']) => `${name}:${style.getPropertyValue(from)};`)
    // The frame's origin is opaque, and colors are not secret.
    frame.contentWindow?.postMessage(`:root{${rules.join('')}}`, '*')
  }
}
addEventListener('message', fit)

/** The number of the newest preview of the open form; answers to older ones are dropped. */
let newest = 0
/** @type {Element | null} */
let last = null

/**
 * Shows a preview of the widget beside its open form.
 *
 * @param {string} entry As JSON. @param {string} base Path prefix of the product. @param {string | null} page
 */
export default async function preview(entry, base, page) {
  const place = document.querySelector('#editor .edit-preview')
  if (!place) return
  const isFirst = place !== last
  const frame = isFirst ? build(place) : /** @type {HTMLElement} */ (place.querySelector('article'))
  const status = /** @type {HTMLElement} */ (place.querySelector('[role=status]'))
  last = place
  newest += 1
  const number = newest
  const isCurrent = () => number === newest && place.isConnected
  frame.setAttribute('aria-busy', 'true')
  if (!isFirst) await wait(DEBOUNCE)
  if (!isCurrent()) return
  try {
    await poll(base, page, entry, (answer) => {
      if (!isCurrent()) return false
      loadStyles(answer.styleSheet)
      frame.className = ['widget-base', `widget-${answer.kind}`, ...answer.classes].join(' ')
      frame.ariaLabel = answer.label ?? answer.kind
      const head = answer.label ? [element('header', { className: 'widget-head' }, element('h3', { className: 'widget-label' }, answer.label))] : []
      frame.replaceChildren(...head, content(answer))
      status.textContent = answer.next ? t('Waiting for the service…') : ''
      return true
    })
  } catch (error) {
    if (isCurrent()) status.textContent = messageOf(error)
  }
  if (isCurrent()) frame.removeAttribute('aria-busy')
}

/** Builds the preview pane. @param {Element} place @returns {HTMLElement} the frame of the widget */
function build(place) {
  const frame = element('article', { className: 'widget-base' })
  const body = element('div', { className: 'edit-preview-body', id: 'edit-preview-body' }, frame, element('p', { className: 'edit-about', role: 'status' }))
  const fold = button(t('Preview'), () => {
    body.hidden = !body.hidden
    fold.setAttribute('aria-expanded', String(!body.hidden))
  }, 'edit-preview-fold')
  fold.setAttribute('aria-expanded', 'true')
  fold.setAttribute('aria-controls', body.id)
  place.replaceChildren(fold, body)
  // Links would leave the page, and buttons would act on the service.
  for (const name of ['click', 'submit']) {
    frame.addEventListener(name, (event) => {
      if (/** @type {Element} */ (event.target).closest('summary')) return
      event.preventDefault()
      event.stopPropagation()
    }, true)
  }
  return frame
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/**
 * Fills the widgets that are new on the page.
 *
 * @param {() => HTMLElement[]} waiting The frames, each with its entry in `data-entry`. @param {string} base @param {string | null} page
 */
export function fill(waiting, base, page) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const frame of waiting()) void fillOne(frame, base, page)
  }, DEBOUNCE)
}

/** @param {HTMLElement} frame @param {string} base @param {string | null} page */
async function fillOne(frame, base, page) {
  const { entry } = frame.dataset
  if (!entry) return
  try {
    await poll(base, page, entry, (answer) => {
      const body = frame.querySelector('.widget-body[data-state=loading]')
      // The entry has changed, or the panel has arrived another way.
      if (!frame.isConnected || frame.dataset.entry !== entry || !body) return false
      if (answer.next) return true
      frame.querySelector('.widget-note')?.remove()
      body.replaceWith(content(answer))
      return false
    })
  } catch {
    // The page itself shows when the server cannot be reached.
  }
}
