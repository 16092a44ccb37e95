// The context menu of an item, a section or a widget (docs/spec/behavior.md 5): right click, long press, menu key or
// Shift+F10. Loaded at the first use.
//
// In edit mode it sends commands to the editor, as events `portico:edit` whose detail is a command such as
// `move i-2-5 3` (`frontend/editor/src/gestures/command.rs`).

import menuSheet from 'built:menu.css'

/**
 * One line of a menu; null separates groups.
 *
 * @typedef {{ label: string, act: () => void, more?: () => MenuItem[] | Promise<MenuItem[]>, danger?: boolean } | null} MenuItem
 */

/** A text in the language of the page. @type {(text: string) => string} */
const t = (text) => /** @type {any} */ (document.getElementById('settings'))?.texts?.[text] ?? text
const root = document.documentElement
/** The minimum distance of the menu from the edges of the window, in pixels. */
const GAP = 8
/** The duration of a long press on an item and on a section, in milliseconds. */
const LONG = [750, 500]
/** How far a finger may move during a long press, in pixels. */
const SLIP = 10

const dialog = document.createElement('dialog')
dialog.className = 'context-menu'
dialog.setAttribute('aria-labelledby', 'context-menu-title')
dialog.innerHTML = '<p id="context-menu-title"></p><div role="menu" aria-labelledby="context-menu-title"></div>'
const [title, menu] = /** @type {[HTMLElement, HTMLElement]} */ (/** @type {unknown} */ ([...dialog.children]))

/** Whether a click is meant for the menu, and is not the end of the press that opened it. */
let armed = false
/** @type {ReturnType<typeof setTimeout> | undefined} */
let press
/** Where the press began. */
let start = { x: 0, y: 0 }

const isEditing = () => root.dataset.editing !== undefined
/** @type {() => HTMLElement | null} */
const editButton = () => document.querySelector('.edit-button')
/** Sends a command to the editor. @param {string} command */
const send = (command) => document.dispatchEvent(new CustomEvent('portico:edit', { detail: command }))
/** @param {Element | null | undefined} element */
const textOf = (element) => element?.textContent?.trim() ?? ''

/**
 * Handles an event that may open a menu.
 *
 * @param {Event | { type: 'press', clientX: number, clientY: number }} event A context menu, a key, a finger that comes down,
 *   or a press that has lasted long enough.
 * @param {Element} element The target: a link, a tile, a heading, or a control of the editor.
 */
export default function take(event, element) {
  // A sub-item without an address is no link, so the page names its group.
  const part = event instanceof Event && event.target instanceof Element ? event.target.closest('.sub-item') : null
  if (part && element.contains(part)) element = part
  if (event instanceof KeyboardEvent) {
    const { left, bottom } = element.getBoundingClientRect()
    return open(element, left, bottom)
  }
  const { clientX: x, clientY: y } = /** @type {MouseEvent} */ (event)
  if (!(event instanceof Event)) return open(element, x, y)
  // In edit mode a press may also start a drag, so `frontend/gestures.js` handles it.
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  if (isTouch && isEditing()) return
  if (event.type === 'contextmenu') return open(element, x, y)
  // While this script was loading, the finger may have started to scroll, or have left; then its pointer is no longer
  // captured.
  const { target, pointerId } = /** @type {PointerEvent} */ (event)
  if (!(target instanceof Element && target.hasPointerCapture(pointerId))) return
  start = { x, y }
  clearTimeout(press)
  press = setTimeout(() => open(element, x, y), LONG[element.matches('.section-heading') ? 1 : 0])
}

function release() {
  clearTimeout(press)
  press = undefined
}

for (const name of ['pointerup', 'pointercancel', 'scroll']) addEventListener(name, release, true)
addEventListener('pointermove', (event) => {
  if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIP) release()
}, true)
// Some browsers treat a long press on a link as the start of a drag.
addEventListener('dragstart', (event) => {
  if (press) event.preventDefault()
}, true)

/** @param {Element} element @param {number} x @param {number} y */
async function open(element, x, y) {
  release()
  await style
  const [name, entries] = menuOf(element)
  if (!entries.length || document.querySelector('dialog[open]')) return
  title.textContent = name
  fill(entries)
  armed = false
  // Here, updates from the server do not replace it.
  const place = document.getElementById('overlay') ?? document.body
  if (dialog.parentNode !== place) place.append(dialog)
  dialog.showModal()
  placeAt(x, y)
  items()[0]?.focus()
}

/** @param {number} x @param {number} y */
function placeAt(x, y) {
  const { width, height } = dialog.getBoundingClientRect()
  const left = root.dir === 'rtl' ? x - width : x
  const top = y + height + GAP > innerHeight ? y - height : y
  dialog.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
  dialog.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`
}

/** @returns {HTMLElement[]} */
const items = () => [...menu.querySelectorAll(/** @type {'button'} */ ('[role=menuitem]'))]

/** @param {MenuItem[]} entries */
function fill(entries) {
  menu.replaceChildren(...entries.map((entry) => {
    if (!entry) {
      const line = document.createElement('div')
      line.setAttribute('role', 'separator')
      return line
    }
    const { label, act, more, danger } = entry
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', role: 'menuitem', tabIndex: -1, textContent: label })
    if (danger) button.className = 'danger'
    if (more) button.setAttribute('aria-haspopup', 'menu')
    button.addEventListener('click', async (event) => {
      if (event.detail && !armed) return
      if (more) {
        fill(await more())
        items()[0]?.focus()
        return
      }
      dialog.close()
      act()
    })
    return button
  }))
}

dialog.addEventListener('pointerdown', (event) => {
  armed = true
  if (event.target === dialog) dialog.close()
})
dialog.addEventListener('click', (event) => event.stopPropagation())
dialog.addEventListener('contextmenu', (event) => event.preventDefault())
dialog.addEventListener('keydown', (event) => {
  const all = items()
  const at = all.findIndex((item) => item === document.activeElement)
  const ends = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }
  let next = ends[/** @type {keyof ends} */ (event.key)]
  if (event.key === 'Tab') return dialog.close()
  if (next === undefined) {
    if (event.key.length > 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
    const after = [...all.slice(at + 1), ...all.slice(0, at + 1)]
    const found = after.find((item) => textOf(item).toLowerCase().startsWith(event.key.toLowerCase()))
    if (!found) return
    next = all.indexOf(found)
  }
  event.preventDefault()
  all.at(next % all.length)?.focus()
})

/** The title and the items of the menu of an element. @param {Element} element @returns {[string, MenuItem[]]} */
function menuOf(element) {
  const button = element.closest('[data-edit], [data-more]')
  const control = button?.getAttribute('data-edit') ?? button?.getAttribute('data-more') ?? ''
  const [, kind, position] = /^(section|widget)-([\d-]+)$/.exec(control) ?? []
  const widget = kind === 'widget' ? document.querySelector(`[data-widget="${position}"]`) : element.closest('.widget-base')
  if (widget instanceof HTMLElement) {
    const name = textOf(widget.querySelector('.widget-label')) || (widget.dataset.kind ?? '')
    return [name, changes(`widget-${widget.dataset.widget}`)]
  }
  if (kind || element.matches('.section-heading')) return menuOfSection(kind ? document.getElementById(`s-${position}`) : element.closest('section'))
  const tile = element.closest('.items > *')
  if (!tile) return ['', []]
  const link = element.closest('a')
  const opening = link ? waysToOpen(link) : []
  const one = element.closest('.sub-item') ?? tile
  if (isEditing()) {
    const more = () => opening
    return [nameOf(one), [...changes(one.id, one), ...(link ? [null, { label: t('Open…'), act: more, more }] : [])]]
  }
  const editing = begin(one.id)
  return [nameOf(one), [...opening, ...(link && editing.length ? [null] : []), ...editing]]
}

/** @param {Element} tile */
const nameOf = (tile) => textOf(tile.querySelector(':scope > .tile-title, :scope > .group-title'))

/** @param {Element | null} section @returns {[string, MenuItem[]]} */
function menuOfSection(section) {
  if (!section) return ['', []]
  const details = section.querySelector('details')
  /** @type {HTMLAnchorElement | null} */
  const alone = section.querySelector('.section-open')
  const target = `section-${section.id.slice(2)}`
  /** @type {MenuItem[]} */
  const entries = []
  if (alone && alone.offsetParent) entries.push({ label: t('Open this section alone'), act: () => alone.click() })
  entries.push({ label: t(details?.open ? 'Collapse' : 'Expand'), act: () => details?.querySelector('summary')?.click() })
  const editing = isEditing() ? changes(target) : begin(target)
  return [textOf(section.querySelector('h2')), [...entries, ...(editing.length ? [null] : []), ...editing]]
}

/** The ways to open a link. @param {HTMLAnchorElement} link @returns {MenuItem[]} */
function waysToOpen(link) {
  const isWeb = /^https?:/.test(link.href)
  const stage = document.getElementById('frames')
  /** @type {(MenuItem & {} | false)[]} */
  const entries = [
    { label: t('Open in this tab'), act: () => follow(link, '') },
    { label: t('Open in a new tab'), act: () => follow(link, '_blank') },
    { label: t('Open in a new window'), act: () => follow(link, '_blank', 'newwindow') },
    isWeb && { label: t('Open in a pop-up'), act: () => follow(link, '_blank', 'modal') },
    isWeb && { label: t('Open in the workspace'), act: () => (stage ? follow(link, 'stage') : follow(link, '_blank', 'workspace')) },
    { label: t('Copy link'), act: () => follow(link, '_blank', 'clipboard') },
  ]
  return entries.filter((entry) => entry !== false)
}

/** Opens a link in another way than usual, including everything that the page does on opening. @param {HTMLAnchorElement} link @param {string} target @param {string} [method] */
function follow(link, target, method) {
  const names = ['target', 'data-open', 'data-opening']
  const before = names.map((name) => link.getAttribute(name))
  const set = (/** @type {(string | null | undefined)[]} */ values) => names.forEach((name, position) => {
    const value = values[position]
    if (value === null || value === undefined) link.removeAttribute(name)
    else link.setAttribute(name, value)
  })
  // The editor handles clicks on tiles, unless the tile is marked for opening.
  set([target, method, ''])
  link.click()
  set(before)
}

/** When the page is not edited: starts editing the page, with the form of an element open. @param {string} target @returns {MenuItem[]} */
function begin(target) {
  const button = editButton()
  if (!button) return []
  const act = async () => {
    const module = await import(/** @type {string} */ (button.dataset.module))
    await module.default(button)
    // A question about an older draft comes first.
    if (isEditing() && !document.querySelector('#editor dialog')) send(`open ${target}`)
  }
  return [{ label: t('Edit'), act }]
}

/** The actions for an element in edit mode. @param {string} target @param {Element} [tile] the tile of an item, or a sub-item @returns {MenuItem[]} */
function changes(target, tile) {
  const isSection = target.startsWith('section')
  const isSubItem = tile?.matches('.sub-item') ?? false
  const isItem = tile !== undefined && !isSubItem
  const own = target.split('-')[1]
  const sections = [...document.querySelectorAll('#content .collapsable')]
  // What it can be moved and copied to.
  const lists = isSubItem ? [...document.querySelectorAll('#content .sub-items-group')] : sections
  const list = isSubItem ? tile?.parentElement?.parentElement : document.getElementById(`s-${own}`)
  const others = lists.filter((one) => one !== list)
  /** @type {(command: string, offered: Element[]) => () => MenuItem[]} */
  const into = (command, offered) => () => offered.map((one) => {
    const act = (place = '') => send(`${command} ${target} ${isSubItem ? one.id : one.id.slice(2)}${place}`)
    const isEmpty = !one.querySelector(isSubItem ? '.sub-item' : isItem ? '.items > *' : '.widget-base')
    // The editor is not translated.
    const more = () => [{ label: 'At the beginning', act: () => act(' 0') }, { label: 'At the end', act: () => act() }]
    return { label: textOf(one.querySelector('h2, .group-title')), act: () => act(), ...(isEmpty ? {} : { more }) }
  })
  const none = () => {}
  const columns = isSection ? [...document.querySelectorAll('#content > .page-column')] : []
  const current = document.getElementById(`s-${own}`)?.parentElement
  const toColumn = () => columns.flatMap((column, at) => (
    column === current ? [] : [{ label: `Column ${at + 1}`, act: () => send(`drop ${target} - ${at + 1}`) }]
  ))
  /** @type {(MenuItem & {} | false)[]} */
  const entries = [
    { label: t('Edit'), act: () => send(`open ${target}`) },
    { label: t('Rename'), act: () => send(`name ${target}`) },
    isItem && { label: t('Select'), act: () => send(`select ${target}`) },
    !!tile?.matches('.sub-items-group') && { label: 'Add sub-item', act: () => send(`add ${target}`) },
    { label: t('Duplicate'), act: () => send(`duplicate ${target}`) },
    { label: t('Move up'), act: () => send(`up ${target}`) },
    { label: t('Move down'), act: () => send(`down ${target}`) },
    columns.length > 1 && { label: 'Move to column…', act: none, more: toColumn },
    !isSection && others.length > 0 && { label: t('Move to…'), act: none, more: into('move', others) },
    !isSection && { label: t('Copy to…'), act: none, more: into('copy', lists) },
    isSection && { label: 'Copy to page…', act: none, more: () => toPages('carry', target) },
    isSection && { label: 'Move to page…', act: none, more: () => toPages('transfer', target) },
    { label: t('Delete'), act: () => send(`delete ${target}`), danger: true },
  ]
  return entries.filter((entry) => entry !== false)
}

/** The pages that a section can be copied or moved to: all others whose files are here and can be read. @param {'carry' | 'transfer'} what @param {string} target @returns {Promise<MenuItem[]>} */
async function toPages(what, target) {
  const page = new URLSearchParams(document.getElementById('settings')?.dataset.address).get('page')
  /** @type {{ page: string | null, file: string, title: string, comments: boolean, remote: boolean, unreadable?: string }[]} */
  let files = []
  try {
    const answer = await fetch(new URL('./fn/editor-files', import.meta.url), { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: '{}' })
    files = (await answer.json()).done ?? []
  } catch {
    return [{ label: 'The server cannot be reached', act: () => {} }]
  }
  const others = files.filter((one) => one.page !== page && !one.remote && !one.unreadable)
  if (!others.length) return [{ label: 'There is no other page', act: () => {} }]
  return others.map(({ file, title, comments }) => ({ label: title, act: () => send(`${what} ${target} ${JSON.stringify({ file, name: title, comments })}`) }))
}

/** The style sheet of the menu. @type {Promise<void>} */
const style = new Promise((done) => {
  const link = document.createElement('link')
  // Without it, the menu is unstyled but works.
  Object.assign(link, { rel: 'stylesheet', href: new URL(menuSheet, import.meta.url).href, onload: () => done(), onerror: () => done() })
  document.head.append(link)
})
