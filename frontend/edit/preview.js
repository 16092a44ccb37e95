// What a widget shows before it is saved: beside its form, and on the page wherever a widget is new there. Loaded with
// the first of them.

import { button, element } from './elements.js'
import { writeTimes } from './panel-texts.js'
import { call, messageOf } from './server.js'

/**
 * What the server says of an entry: `WidgetPreview` in app/src/editing.rs.
 *
 * @typedef {object} Preview
 * @property {string} kind
 * @property {string} [label]
 * @property {string[]} classes
 * @property {string} [html] What stands in the frame.
 * @property {string} [note] Why nothing is shown.
 * @property {number} [next] Seconds until it is worth asking again.
 * @property {string} styleSheet
 */

/** How long nothing is typed before the service is asked, in milliseconds. */
const PAUSE = 400
/** How often a service that does not answer is asked after. */
const MOST_TURNS = 20

/** The language and time zone of this browser. */
const { locale, timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * What an entry shows, as soon as its service has answered. `seen` gets each answer on the way, and says whether to go on.
 *
 * @param {string} base @param {string | null} page @param {string} entry @param {(answer: Preview) => boolean} seen
 */
async function settled(base, page, entry, seen) {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    /** @type {Preview} */
    const answer = await call(base, 'editor-panel', { page, entry, locale, zone })
    if (!seen(answer) || !answer.next) return
    await wait(answer.next * 1000)
  }
}

/** The style sheet of widgets, which a page without any lacks. @param {string} href */
function load(href) {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return
  document.head.append(element('link', { rel: 'stylesheet', href }))
}

/** The elements of an answer. @param {Preview} answer */
function content({ html, note }) {
  const template = document.createElement('template')
  template.innerHTML = html ?? '<div class="widget-body" data-state="content"></div><p class="widget-note"></p>'
  if (note) template.content.querySelector('.widget-note')?.replaceChildren(note)
  // Not said aloud with each letter; and the next one asks again by itself.
  for (const alert of template.content.querySelectorAll('[role=alert]')) alert.removeAttribute('role')
  for (const retry of template.content.querySelectorAll('.widget-retry')) retry.remove()
  writeTimes(template.content)
  return template.content
}

/** The newest question about the open form; older answers come too late. */
let newest = 0
/** @type {Element | null} */
let last = null

/**
 * Shows beside the open form what its widget would show.
 *
 * @param {string} entry As JSON. @param {string} base Path prefix of the product. @param {string | null} page
 */
export default async function preview(entry, base, page) {
  const place = document.querySelector('#editor .edit-preview')
  if (!place) return
  const isFirst = place !== last
  const frame = isFirst ? furnish(place) : /** @type {HTMLElement} */ (place.querySelector('article'))
  const status = /** @type {HTMLElement} */ (place.querySelector('[role=status]'))
  last = place
  newest += 1
  const turn = newest
  const isCurrent = () => turn === newest && place.isConnected
  frame.setAttribute('aria-busy', 'true')
  if (!isFirst) await wait(PAUSE)
  if (!isCurrent()) return
  try {
    await settled(base, page, entry, (answer) => {
      if (!isCurrent()) return false
      load(answer.styleSheet)
      frame.className = ['widget-base', `widget-${answer.kind}`, ...answer.classes].join(' ')
      frame.ariaLabel = answer.label ?? answer.kind
      const head = answer.label ? [element('header', { className: 'widget-head' }, element('h3', { className: 'widget-label' }, answer.label))] : []
      frame.replaceChildren(...head, content(answer))
      status.textContent = answer.next ? 'Waiting for the service…' : ''
      return true
    })
  } catch (error) {
    if (isCurrent()) status.textContent = messageOf(error)
  }
  if (isCurrent()) frame.removeAttribute('aria-busy')
}

/** Fills the place of the preview. Gives the frame of the widget. @param {Element} place */
function furnish(place) {
  const frame = element('article', { className: 'widget-base' })
  const body = element('div', { className: 'edit-preview-body', id: 'edit-preview-body' }, frame, element('p', { className: 'edit-about', role: 'status' }))
  const fold = button('Preview', () => {
    body.hidden = !body.hidden
    fold.setAttribute('aria-expanded', String(!body.hidden))
  }, 'edit-preview-fold')
  fold.setAttribute('aria-expanded', 'true')
  fold.setAttribute('aria-controls', body.id)
  place.replaceChildren(fold, body)
  // It is looked at: what is pressed in it would leave the page, or press a button of the service.
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
 * Asks for the panels of widgets that are new on the page, and puts them there.
 *
 * @param {() => HTMLElement[]} waiting The frames, each with its entry in `data-entry`. @param {string} base @param {string | null} page
 */
export function fill(waiting, base, page) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const frame of waiting()) void fillOne(frame, base, page)
  }, PAUSE)
}

/** @param {HTMLElement} frame @param {string} base @param {string | null} page */
async function fillOne(frame, base, page) {
  const { entry } = frame.dataset
  if (!entry) return
  try {
    await settled(base, page, entry, (answer) => {
      const body = frame.querySelector('.widget-body[data-state=loading]')
      // Another entry, or somebody else was faster.
      if (!frame.isConnected || frame.dataset.entry !== entry || !body) return false
      if (answer.next) return true
      frame.querySelector('.widget-note')?.remove()
      body.replaceWith(content(answer))
      return false
    })
  } catch {
    // The page says itself when the server cannot be reached.
  }
}
