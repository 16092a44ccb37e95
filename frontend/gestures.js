// Gestures on a page in edit mode (docs/editing.md): dragging items, widgets and sections by mouse, pen or finger, and the double
// click that changes a name. Loaded by `edit.js` before the editor, so that its listeners come first.
//
// What a gesture means is decided by the editor: it hears of it as an event `portico:edit`, whose detail is a command such as
// `drop i-2-5 3 1` (`frontend/editor/src/gestures/command.rs`).

import rename from './rename.js'

/** @typedef {'item' | 'widget' | 'section'} Kind */
/** @typedef {{ kind: Kind, element: HTMLElement, id: string }} Thing What can be dragged, with its name in commands. */
/** @typedef {{ section: number, before: number | undefined, mark: DOMRect, edge: 'start' | 'end' | 'top' | 'bottom' | 'all' }} Place Where it would go. */
/**
 * A pointer that is down on a thing.
 *
 * @typedef {object} Hold
 * @property {number} pointer
 * @property {boolean} touch
 * @property {Thing} thing
 * @property {{ x: number, y: number }} start
 * @property {{ x: number, y: number }} at
 * @property {boolean} lifted A finger has pressed long enough.
 * @property {boolean} dragging
 * @property {Place | undefined} place
 */

const root = document.documentElement
/** How far the pointer moves before that is a drag, and how far a finger may move during a press, in pixels. */
const SLIP = 6
/** How long a finger presses before it lifts a thing, in milliseconds. */
const PRESS = 400
/** How long a click on a title waits for a second one, in milliseconds. */
const DOUBLE = 220
/** Within this distance of the window's edges the page scrolls, by at most so much per frame, in pixels. */
const EDGE = 90
const SPEED = 18
/** What has a use of its own in a widget. */
const INTERACTIVE = 'a, button, input, select, textarea, label, summary, iframe, video, audio, [contenteditable], [tabindex]'
const TITLES = '#content :is(.tile-title, .group-title)'

/** @type {Hold | undefined} */
let hold
/** @type {ReturnType<typeof setTimeout> | undefined} */
let press
/** @type {ReturnType<typeof setTimeout> | undefined} */
let click
/** Whether the click that ends a drag is still to come. */
let ended = false
/** Whether the touch that was last is a press, and so neither scrolls nor ends in a click. */
let pressed = false

/** Tells the editor what to do. @param {string} command */
const send = (command) => document.dispatchEvent(new CustomEvent('portico:edit', { detail: command }))
/** @param {Element} element */
const number = (element) => Number(element.id.split('-').at(-1) || 0)

/** @param {EventTarget | null} target @returns {Thing | undefined} */
function thingAt(target) {
  if (!(target instanceof Element) || !target.closest('#content')) return undefined
  const tile = target.closest('.items > *')
  if (tile instanceof HTMLElement) return { kind: 'item', element: tile, id: tile.id }
  const heading = target.closest('.section-heading, [data-edit^=section]')
  const section = heading?.closest('section')
  if (section) return { kind: 'section', element: section, id: `section-${number(section)}` }
  const widget = target.closest('.widget-base')
  if (!(widget instanceof HTMLElement)) return undefined
  const own = target.closest(INTERACTIVE)
  if (own && widget.contains(own) && !own.matches('[data-edit]')) return undefined
  return { kind: 'widget', element: widget, id: `widget-${widget.dataset.widget}` }
}

/** The position of a thing in its list of the file. @param {Element} element @param {Kind} kind */
function indexOf(element, kind) {
  return kind === 'widget' ? Number(/** @type {HTMLElement} */ (element).dataset.widget?.split('-')[1]) : number(element)
}

/** Where a thing would go if it was dropped at a point. @param {Thing} thing @param {number} x @param {number} y @returns {Place | undefined} */
function placeAt({ kind }, x, y) {
  const under = document.elementFromPoint(x, y)
  const content = document.getElementById('content')
  if (!content || under?.closest('#editor')) return undefined
  if (kind === 'section') return beside([...content.querySelectorAll('.collapsable')], kind, x, y, 0)
  const section = under?.closest('#content .collapsable') ?? nearest([...content.querySelectorAll('.collapsable')], x, y)
  if (!section) return undefined
  const list = [...section.querySelectorAll(kind === 'item' ? '.items > *' : '.widgets > *')].filter((one) => one.getClientRects().length)
  const isHeading = under?.closest('.section-heading, [data-edit^=section]')
  if (isHeading || !list.length) return { section: number(section), before: undefined, mark: section.getBoundingClientRect(), edge: 'all' }
  return beside(list, kind, x, y, number(section))
}

/** The place before or behind what is nearest. @param {Element[]} list @param {Kind} kind @param {number} x @param {number} y @param {number} section @returns {Place | undefined} */
function beside(list, kind, x, y, section) {
  const near = nearest(list, x, y)
  if (!near) return undefined
  const mark = near.getBoundingClientRect()
  const inRow = list.some((other) => {
    const { top, bottom } = other.getBoundingClientRect()
    return other !== near && top < mark.bottom - 1 && bottom > mark.top + 1
  })
  const isFirstHalf = inRow ? (x <= mark.left + mark.width / 2) === (root.dir !== 'rtl') : y <= mark.top + mark.height / 2
  const next = isFirstHalf ? near : list[list.indexOf(near) + 1]
  const edge = inRow ? (isFirstHalf ? 'start' : 'end') : isFirstHalf ? 'top' : 'bottom'
  return { section, before: next && indexOf(next, kind), mark, edge }
}

/** @param {Element[]} list @param {number} x @param {number} y */
function nearest(list, x, y) {
  const away = (/** @type {Element} */ element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
  }
  let best = list[0]
  for (const one of list) if (best && away(one) < away(best)) best = one
  return best
}

/** What shows where a thing would go, and what is being moved. */
const line = document.createElement('div')
line.className = 'drop-line'
const label = document.createElement('div')
label.className = 'drag-label'
label.ariaHidden = 'true'
const spoken = document.createElement('p')
spoken.className = 'visually-hidden'
spoken.setAttribute('role', 'status')

/** @param {Thing} thing */
function nameOf({ kind, element }) {
  const title = element.querySelector(kind === 'item' ? ':scope > :is(.tile-title, .group-title)' : kind === 'section' ? 'h2' : '.widget-label')
  return title?.textContent?.trim() || element.dataset.kind || kind
}

/** @param {Hold} held */
function begin(held) {
  clearTimeout(click)
  held.dragging = true
  root.dataset.dragging = ''
  const selected = held.thing.element.matches('[data-picked]') ? [...document.querySelectorAll('#content [data-picked]')] : []
  const moved = selected.length > 1 ? selected : [held.thing.element]
  for (const one of moved) one.setAttribute('data-dragged', '')
  label.textContent = moved.length > 1 ? `${moved.length} items` : nameOf(held.thing)
  document.getElementById('editor')?.append(line, label, spoken)
  spoken.textContent = `Moving ${label.textContent}. Escape cancels.`
  requestAnimationFrame(scroll)
}

/** Shows where the thing would go. */
function aim() {
  if (!hold) return
  const { x, y } = hold.at
  hold.place = placeAt(hold.thing, x, y)
  label.style.translate = `${x + 14}px ${y + 14}px`
  line.hidden = !hold.place
  if (!hold.place) return
  const { mark, edge } = hold.place
  const isStart = (edge === 'start') === (root.dir !== 'rtl')
  const upright = edge === 'start' || edge === 'end'
  line.classList.toggle('whole', edge === 'all')
  const left = upright ? (isStart ? mark.left - 5 : mark.right + 2) : mark.left
  const top = edge === 'top' ? mark.top - 5 : edge === 'bottom' ? mark.bottom + 2 : mark.top
  line.style.translate = `${left}px ${top}px`
  line.style.inlineSize = `${upright ? 3 : mark.width}px`
  line.style.blockSize = `${upright || edge === 'all' ? mark.height : 3}px`
}

/** Scrolls while the pointer is near an edge. */
function scroll() {
  if (!hold?.dragging) return
  const { y } = hold.at
  const bar = document.querySelector('.edit-bar')?.getBoundingClientRect().top ?? innerHeight
  const over = y < EDGE ? y - EDGE : Math.max(0, y - bar + EDGE)
  if (over) {
    scrollBy({ top: Math.max(-1, Math.min(1, over / EDGE)) * SPEED, behavior: 'instant' })
    aim()
  }
  requestAnimationFrame(scroll)
}

/** Ends a hold. @param {string} [said] */
function release(said) {
  clearTimeout(press)
  if (hold?.dragging) {
    ended = true
    setTimeout(() => { ended = false })
    if (said) spoken.textContent = said
  }
  hold = undefined
  delete root.dataset.dragging
  for (const one of document.querySelectorAll('[data-dragged], [data-lifted]')) {
    one.removeAttribute('data-dragged')
    one.removeAttribute('data-lifted')
  }
  line.remove()
  label.remove()
}

/** Opens the menu of a thing under a finger that has pressed it. @param {Hold} held */
function menu({ thing, at }) {
  const owner = thing.kind === 'item' ? thing.element : thing.element.querySelector(thing.kind === 'section' ? '.section-heading' : '[data-edit]')
  if (owner) openMenu(owner, at.x, at.y)
}

/** @param {Element} owner @param {number} x @param {number} y */
function openMenu(owner, x, y) {
  const module = document.getElementById('settings')?.dataset.menu
  if (module) import(module).then((script) => script.default({ type: 'press', clientX: x, clientY: y }, owner))
}

/** @param {PointerEvent} event */
function down(event) {
  pressed = false
  if (hold && event.pointerId !== hold.pointer) return release('Not moved.')
  const thing = thingAt(event.target)
  if (!thing || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector('dialog[open]')) return
  const start = { x: event.clientX, y: event.clientY }
  const held = { pointer: event.pointerId, touch: event.pointerType === 'touch', thing, start, at: start, lifted: false, dragging: false, place: undefined }
  hold = held
  if (!held.touch) return
  press = setTimeout(() => {
    held.lifted = pressed = true
    thing.element.setAttribute('data-lifted', '')
    navigator.vibrate?.(10)
  }, PRESS)
}

/** @param {PointerEvent} event */
function move(event) {
  if (!hold || event.pointerId !== hold.pointer) return
  // The button went up outside of the window.
  if (!hold.touch && !event.buttons) return release('Not moved.')
  hold.at = { x: event.clientX, y: event.clientY }
  const far = Math.hypot(hold.at.x - hold.start.x, hold.at.y - hold.start.y) > SLIP
  if (!hold.dragging) {
    if (!far) return
    // A finger that moves at once scrolls.
    if (hold.touch && !hold.lifted) return release()
    begin(hold)
  }
  aim()
}

/** @param {PointerEvent} event */
function up(event) {
  if (!hold || event.pointerId !== hold.pointer) return
  const held = hold
  if (held.dragging) {
    hold.at = { x: event.clientX, y: event.clientY }
    aim()
  }
  const { thing, place } = held
  release(place ? undefined : 'Not moved.')
  if (held.dragging && place) {
    const before = place.before ?? ''
    send(thing.kind === 'section' ? `drop ${thing.id} ${before}` : `drop ${thing.id} ${place.section} ${before}`)
  } else if (held.lifted && !held.dragging) menu(held)
}

/** What a browser would do with a press or a drag by itself. @param {Event} event */
function prevent(event) {
  const isOurs = event.type === 'dragstart' ? thingAt(event.target) : event.type === 'contextmenu' ? hold?.touch : pressed
  if (isOurs && event.cancelable) event.preventDefault()
}

/** A click on a title waits for a second one, which changes it. @param {MouseEvent} event */
function clicked(event) {
  if (ended) return stop(event)
  const target = event.target instanceof Element ? event.target : null
  const more = target?.closest('[data-more]')
  if (more) {
    stop(event)
    const { left, right, bottom } = more.getBoundingClientRect()
    return openMenu(more, root.dir === 'rtl' ? right : left, bottom)
  }
  const title = target?.closest(`${TITLES}, #content .section-heading h2`)
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse'
  if (!title || !isPlain || !isMouse || root.dataset.selecting !== undefined || document.querySelector('dialog[open]')) return
  const thing = thingAt(title)
  // The title of a part of a group is none of these.
  if (!thing || (thing.kind === 'item' && title.parentNode !== thing.element)) return
  clearTimeout(click)
  if (event.detail > 2) return
  stop(event)
  if (event.detail === 2) rename(thing, send)
  else click = setTimeout(() => once(thing), DOUBLE)
}

/** What a click on a title is that no second one followed. @param {Thing} thing */
function once({ kind, element, id }) {
  if (kind === 'item') send(`open ${id}`)
  else element.querySelector('summary')?.click()
}

/** @param {Event} event */
function stop(event) {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (event.key === 'Escape' && hold?.dragging) {
    stop(event)
    return release('Not moved.')
  }
  if (event.key !== 'F2' || document.querySelector('dialog[open]')) return
  const thing = thingAt(event.target)
  if (!thing || thing.kind === 'widget') return
  stop(event)
  rename(thing, send)
}

/** A menu asks for a name to be changed. @param {Event} event */
function command(event) {
  const [what, id = ''] = String(/** @type {CustomEvent} */ (event).detail).split(' ')
  if (what !== 'name') return
  const element = document.getElementById(id.replace('section', 's'))
  if (element) rename({ kind: id.startsWith('section') ? 'section' : 'item', element, id }, send)
}

const cancel = () => release('Not moved.')
const active = { capture: true, passive: false }
/** @type {[EventTarget, string, any, AddEventListenerOptions][]} */
const LISTENERS = [
  [window, 'pointerdown', down, active],
  [window, 'pointermove', move, active],
  [window, 'pointerup', up, active],
  [window, 'pointercancel', cancel, active],
  [window, 'blur', cancel, {}],
  [window, 'click', clicked, active],
  [window, 'keydown', key, active],
  [window, 'touchmove', prevent, active],
  [window, 'touchend', prevent, active],
  [window, 'dragstart', prevent, active],
  [window, 'contextmenu', prevent, active],
  [document, 'portico:edit', command, {}],
]

/** Begins to listen, and gives what ends it. @returns {() => void} */
export default function listen() {
  for (const [target, name, heard, options] of LISTENERS) target.addEventListener(name, heard, options)
  return () => {
    release()
    clearTimeout(click)
    for (const [target, name, heard, options] of LISTENERS) target.removeEventListener(name, heard, options)
  }
}
