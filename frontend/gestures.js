// Gestures on a page in edit mode (docs/editing.md): dragging items, sub-items, widgets and sections by mouse, pen or finger, and
// the double click that renames. `edit.js` loads it before the editor, so that its listeners run first.
//
// The editor decides what a gesture does: it gets each as an event `portico:edit`, whose detail is a command such as
// `drop i-2-5 3 1` (`frontend/editor/src/gestures/command.rs`).

import { number, targetAt } from './drop-targets.js'
import rename from './rename.js'
import { t, tCount } from './texts.js'

/** @typedef {import('./drop-targets.js').Draggable} Draggable */
/** @typedef {import('./drop-targets.js').DropTarget} DropTarget */
/** @typedef {Omit<Draggable, 'kind'> & { kind: Draggable['kind'] | 'page' }} Named What can be renamed. */
/**
 * A pointer that is down on something that can be dragged.
 *
 * @typedef {object} Hold
 * @property {number} pointer The id of the pointer.
 * @property {boolean} touch
 * @property {Draggable} source
 * @property {{ x: number, y: number }} start
 * @property {{ x: number, y: number }} at Where the pointer is now.
 * @property {boolean} lifted Whether a finger has pressed long enough to drag.
 * @property {boolean} dragging
 * @property {DropTarget | undefined} target
 */

const root = document.documentElement
/** How far the pointer moves before a drag begins, and how far a finger may move during a long press, in pixels. */
const DRAG_THRESHOLD = 6
/** How long a finger presses before it can drag, in milliseconds. */
const LONG_PRESS = 400
/** How long a click on a title waits for a second one, in milliseconds. */
const DOUBLE_CLICK = 220
/** The page scrolls while the pointer is this close to the edge of the window, by at most so much per frame, in pixels. */
const SCROLL_EDGE = 90
const SCROLL_SPEED = 18
/** Elements of a widget that react to the pointer themselves. */
const INTERACTIVE = 'a, button, input, select, textarea, label, summary, iframe, video, audio, [contenteditable], [tabindex]'
const NAMES = '#content :is(.tile-title, .group-title, .section-heading h2, .widget-label), .page-title h1'

/** @type {Hold | undefined} */
let hold
/** @type {ReturnType<typeof setTimeout> | undefined} */
let press
/** @type {ReturnType<typeof setTimeout> | undefined} */
let click
/** Whether the next click is the end of a drag. */
let endsDrag = false
/** Whether the last touch was a long press, which neither scrolls nor clicks. */
let isLongPress = false

/** Sends a command to the editor. @param {string} command */
const send = (command) => document.dispatchEvent(new CustomEvent('portico:edit', { detail: command }))

/** @param {EventTarget | null} target @returns {Draggable | undefined} */
function draggableAt(target) {
  if (!(target instanceof Element) || !target.closest('#content')) return undefined
  const tile = target.closest('.items > *')
  if (tile instanceof HTMLElement) return { kind: 'item', element: tile, id: tile.id }
  const heading = target.closest('.section-heading, [data-edit^=section]')
  const section = heading?.closest('section')
  if (section) return { kind: 'section', element: section, id: `section-${number(section)}` }
  const widget = target.closest('.widget-base')
  if (!(widget instanceof HTMLElement)) return undefined
  const own = target.closest(INTERACTIVE)
  if (own && widget.contains(own) && !own.matches('[data-edit], .edit-menu')) return undefined
  return { kind: 'widget', element: widget, id: `widget-${widget.dataset.widget}` }
}

/** The sub-item at a pointer, unless its group is selected: then everything selected is dragged. @param {EventTarget | null} target @returns {Draggable | undefined} */
function partAt(target) {
  const part = target instanceof Element ? target.closest('#content .items > :not([data-picked]) .sub-item') : null
  return part instanceof HTMLElement ? { kind: 'part', element: part, id: part.id } : undefined
}

/** What is renamed at a name or a control, whether its group is selected or not. @param {EventTarget | null} target @returns {Named | undefined} */
function namedAt(target) {
  const part = target instanceof Element ? target.closest('#content .sub-item') : null
  if (part instanceof HTMLElement) return { kind: 'part', element: part, id: part.id }
  const title = target instanceof Element ? target.closest('.page-title') : null
  return title instanceof HTMLElement ? { kind: 'page', element: title, id: 'page' } : draggableAt(target)
}

/** The line where the dragged element would go, its name beside the pointer, and what screen readers say. */
const line = document.createElement('div')
line.className = 'drop-line'
const label = document.createElement('div')
label.className = 'drag-label'
label.ariaHidden = 'true'
const liveRegion = document.createElement('p')
liveRegion.className = 'visually-hidden'
liveRegion.setAttribute('role', 'status')

/** @param {Draggable} source */
function nameOf({ kind, element }) {
  const title = element.querySelector(kind === 'item' || kind === 'part' ? ':scope > :is(.tile-title, .group-title)' : kind === 'section' ? 'h2' : '.widget-label')
  return title?.textContent?.trim() || element.dataset.kind || t(kind === 'part' ? 'sub-item' : kind)
}

/** @param {Hold} held */
function begin(held) {
  clearTimeout(click)
  held.dragging = true
  root.dataset.dragging = ''
  const selected = held.source.element.matches('[data-picked]') ? [...document.querySelectorAll('#content [data-picked]')] : []
  const moved = selected.length > 1 ? selected : [held.source.element]
  for (const one of moved) one.setAttribute('data-dragged', '')
  label.textContent = moved.length > 1 ? tCount('1 item', '{count} items', moved.length) : nameOf(held.source)
  document.getElementById('editor')?.append(line, label, liveRegion)
  liveRegion.textContent = t('Moving {name}. Escape cancels.', { name: label.textContent })
  requestAnimationFrame(scroll)
}

/** Draws the line at the drop target. */
function drawLine() {
  if (!hold) return
  const { x, y } = hold.at
  hold.target = targetAt(hold.source, x, y)
  label.style.translate = `${x + 14}px ${y + 14}px`
  line.hidden = !hold.target
  if (!hold.target) return
  const { rect, edge } = hold.target
  const isStart = (edge === 'start') === (root.dir !== 'rtl')
  const isVertical = edge === 'start' || edge === 'end'
  line.classList.toggle('whole', edge === 'all')
  const left = isVertical ? (isStart ? rect.left - 5 : rect.right + 2) : rect.left
  const top = edge === 'top' ? rect.top - 5 : edge === 'bottom' ? rect.bottom + 2 : rect.top
  line.style.translate = `${left}px ${top}px`
  line.style.inlineSize = `${isVertical ? 3 : rect.width}px`
  line.style.blockSize = `${isVertical || edge === 'all' ? rect.height : 3}px`
}

/** Scrolls while the pointer is near an edge. */
function scroll() {
  if (!hold?.dragging) return
  const { y } = hold.at
  const bar = document.querySelector('.edit-bar')?.getBoundingClientRect().top ?? innerHeight
  const over = y < SCROLL_EDGE ? y - SCROLL_EDGE : Math.max(0, y - bar + SCROLL_EDGE)
  if (over) {
    scrollBy({ top: Math.max(-1, Math.min(1, over / SCROLL_EDGE)) * SCROLL_SPEED, behavior: 'instant' })
    drawLine()
  }
  requestAnimationFrame(scroll)
}

/** Ends a hold. @param {string} [message] what screen readers say if it was a drag */
function release(message) {
  clearTimeout(press)
  if (hold?.dragging) {
    endsDrag = true
    setTimeout(() => { endsDrag = false })
    if (message) liveRegion.textContent = message
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

/** Opens the context menu under a finger after a long press. @param {Hold} held */
function openMenuOf({ source: { kind, element }, at }) {
  const owner = kind === 'item' || kind === 'part' ? element : element.querySelector(kind === 'section' ? '.section-heading' : '[data-edit]')
  if (owner) openMenu(owner, at.x, at.y)
}

/** @param {Element} owner @param {number} x @param {number} y */
function openMenu(owner, x, y) {
  // Its buttons work even if the config turns menus off for right clicks and long presses.
  import('./menu.js').then((script) => script.default({ type: 'press', clientX: x, clientY: y }, owner))
}

/** @param {PointerEvent} event */
function down(event) {
  isLongPress = false
  if (hold && event.pointerId !== hold.pointer) return release(t('Not moved.'))
  const source = partAt(event.target) ?? draggableAt(event.target)
  if (!source || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector('dialog[open]')) return
  const start = { x: event.clientX, y: event.clientY }
  const held = { pointer: event.pointerId, touch: event.pointerType === 'touch', source, start, at: start, lifted: false, dragging: false, target: undefined }
  hold = held
  if (!held.touch) return
  press = setTimeout(() => {
    held.lifted = isLongPress = true
    source.element.setAttribute('data-lifted', '')
    navigator.vibrate?.(10)
  }, LONG_PRESS)
}

/** @param {PointerEvent} event */
function move(event) {
  if (!hold || event.pointerId !== hold.pointer) return
  // The button was released outside the window.
  if (!hold.touch && !event.buttons) return release(t('Not moved.'))
  hold.at = { x: event.clientX, y: event.clientY }
  const far = Math.hypot(hold.at.x - hold.start.x, hold.at.y - hold.start.y) > DRAG_THRESHOLD
  if (!hold.dragging) {
    if (!far) return
    // A finger that moves at once scrolls.
    if (hold.touch && !hold.lifted) return release()
    begin(hold)
  }
  drawLine()
}

/** @param {PointerEvent} event */
function up(event) {
  if (!hold || event.pointerId !== hold.pointer) return
  const held = hold
  if (held.dragging) {
    hold.at = { x: event.clientX, y: event.clientY }
    drawLine()
  }
  const { source, target } = held
  release(target ? undefined : t('Not moved.'))
  if (held.dragging && target) {
    const { before = '-', column = '' } = target
    send(source.kind === 'section' ? `drop ${source.id} ${before} ${column}` : `drop ${source.id} ${target.list} ${before}`)
  } else if (held.lifted && !held.dragging && document.getElementById('settings')?.dataset.menu) openMenuOf(held)
}

/** Prevents what the browser itself would do with a long press or a drag. @param {Event} event */
function prevent(event) {
  const isOurs = event.type === 'dragstart' ? draggableAt(event.target) : event.type === 'contextmenu' ? hold?.touch : isLongPress
  if (isOurs && event.cancelable) event.preventDefault()
}

/** A click on a title waits for a second one, which renames. @param {MouseEvent} event */
function clicked(event) {
  if (endsDrag) return stop(event)
  const target = event.target instanceof Element ? event.target : null
  const more = target?.closest('.edit-menu')
  if (more) {
    stop(event)
    const { left, right, bottom } = more.getBoundingClientRect()
    return openMenu(more, root.dir === 'rtl' ? right : left, bottom)
  }
  const name = target?.closest(NAMES)
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse'
  if (!name || !isPlain || !isMouse || root.dataset.selecting !== undefined || document.querySelector('dialog[open]')) return
  const source = namedAt(name)
  if (!source) return
  clearTimeout(click)
  if (event.detail > 2) return
  stop(event)
  if (event.detail === 2) rename(source, send)
  else click = setTimeout(() => singleClick(source), DOUBLE_CLICK)
}

/** A click on a title that was not followed by a second one. @param {Named} source */
function singleClick({ kind, element, id }) {
  if (kind === 'item' || kind === 'part' || kind === 'page') send(`open ${id}`)
  else if (kind === 'section') element.querySelector('summary')?.click()
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
    return release(t('Not moved.'))
  }
  const arrow = /^Arrow(Up|Left)?/.exec(event.altKey && !event.shiftKey ? event.key : '')
  if (event.key !== 'F2' && !arrow || document.querySelector('dialog[open]')) return
  const source = namedAt(event.target)
  const move = arrow && source?.kind === 'section' && moveInColumn(source.id, !arrow[1])
  if (arrow && !move || !source) return
  stop(event)
  if (move) send(move)
  else rename(source, send)
}

/**
 * The command that moves a section past the next one in its column of the page. In the file, other sections may be between them.
 *
 * @param {string} id @param {boolean} down
 */
function moveInColumn(id, down) {
  const section = document.getElementById(id.replace('section', 's'))
  const column = section?.parentElement
  if (!section || !column?.matches('.page-column')) return undefined
  const all = [...column.children]
  const other = all[all.indexOf(section) + (down ? 1 : -1)]
  return `drop ${id} ${other ? number(other) + Number(down) : number(section)}`
}

/** The context menu asks to rename something, or to move a section within its column. @param {Event} event */
function command(event) {
  const [what, id = ''] = String(/** @type {CustomEvent} */ (event).detail).split(' ')
  const move = (what === 'up' || what === 'down') && id.startsWith('section') && moveInColumn(id, what === 'down')
  if (move) {
    event.stopImmediatePropagation()
    return send(move)
  }
  if (what !== 'name') return
  const control = id.startsWith('widget') && document.querySelector(`[data-edit="${id}"]`)
  const element = document.getElementById(id.replace('section', 's'))
  /** @type {Named | undefined} */
  const source = element && id.startsWith('section') ? { kind: 'section', element, id } : namedAt(control || element)
  if (source) rename(source, send)
}

const cancel = () => release(t('Not moved.'))
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
  [window, 'portico:edit', command, { capture: true }],
]

/** Begins to listen. @returns {() => void} what ends it */
export default function listen() {
  for (const [target, name, listener, options] of LISTENERS) target.addEventListener(name, listener, options)
  return () => {
    release()
    clearTimeout(click)
    for (const [target, name, listener, options] of LISTENERS) target.removeEventListener(name, listener, options)
  }
}
