// Elements and dialogs for the editor's own scripts.

import { t } from '../texts.js'

/**
 * An element with properties, attributes (`aria-…`, `role`) and children.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {Record<string, any>} [properties] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role') made.setAttribute(key, value)
    else Object.assign(made, { [key]: value })
  }
  made.append(...children)
  return made
}

/** @param {string} text @param {() => void} onclick @param {string} [kind] */
export const button = (text, onclick, kind = '') => element('button', { type: 'button', className: `button ${kind}`.trim(), onclick }, text)

/** The nodes of a text with `code` in it. @param {string} text */
export const words = (text) => text.split('`').map((part, index) => index % 2 ? element('code', {}, part) : part)

/**
 * Opens a dialog inside the editor. `close` runs when somebody wants to close it; it calls `end` to do so.
 *
 * @param {string} title @param {string} kind @param {() => void} close @param {...Node} children
 */
export function dialog(title, kind, close, ...children) {
  // A dialog of the editor's bundle may be open below it.
  const heading = element('h2', { id: 'edit-script-title' }, ...words(title))
  const cross = element('button', { type: 'button', className: 'icon-button', 'aria-label': t('Close'), onclick: close })
  cross.innerHTML = '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M5.5 5.5l9 9M14.5 5.5l-9 9" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>'
  const made = element('dialog', { className: `edit-dialog ${kind}`, 'aria-labelledby': heading.id }, element('div', { className: 'dialog-header' }, heading, cross), ...children)
  made.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
    focused = document.activeElement
  })
  // Browsers close a dialog at the second Escape in a row, whatever `cancel` says. What is typed there must not go with it.
  made.addEventListener('close', () => {
    if (hasEnded || !made.isConnected) return
    made.showModal()
    if (focused instanceof HTMLElement) focused.focus()
  })
  let hasEnded = false
  /** What has the focus after an attempt to close the dialog. @type {Element | null} */
  let focused = null
  // Without edit mode there is no editor.
  ;(document.getElementById('editor') ?? document.body).append(made)
  made.showModal()
  return {
    dialog: made,
    /** Closes the dialog; the focus returns to where it was. */
    end() {
      hasEnded = true
      made.close()
      made.remove()
    },
  }
}

/** A picture by its address; a glyph in the color of the text if the address ends with `#i`. @param {string} address */
export function picture(address) {
  if (!address.endsWith('#i')) return element('img', { className: 'edit-picture', src: address, alt: '', loading: 'lazy' })
  const glyph = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  glyph.setAttribute('class', 'edit-picture')
  glyph.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(glyph.namespaceURI, 'use')
  use.setAttribute('href', address)
  glyph.append(use)
  return glyph
}

/**
 * Keys that move the focus in a grid of elements that are laid out in rows.
 *
 * @param {KeyboardEvent} event @param {HTMLElement[]} cells
 */
export function moveInGrid(event, cells) {
  const at = cells.findIndex((cell) => cell === document.activeElement)
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  const side = document.documentElement.dir === 'rtl' ? -1 : 1
  /** @type {Record<string, HTMLElement | undefined>} */
  const places = { ArrowRight: cells[at + side], ArrowLeft: cells[at - side], Home: cells[0], End: cells.at(-1) }
  const isVertical = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  if (!isVertical && !(event.key in places)) return
  event.preventDefault()
  const next = isVertical ? inNextRow(cells[at], event.key === 'ArrowDown' ? cells.slice(at + 1) : cells.slice(0, at).reverse()) : places[event.key]
  next?.focus()
}

/** The cell of the nearest row that is closest to a column. @param {HTMLElement} from @param {HTMLElement[]} others Nearest first. */
function inNextRow(from, others) {
  const { top, left } = from.getBoundingClientRect()
  /** @type {number | undefined} */
  let row
  /** @type {HTMLElement | undefined} */
  let best
  let distance = Infinity
  for (const cell of others) {
    const place = cell.getBoundingClientRect()
    if (Math.abs(place.top - top) <= 1) continue
    row ??= place.top
    if (Math.abs(place.top - row) > 1) break
    if (Math.abs(place.left - left) >= distance) continue
    distance = Math.abs(place.left - left)
    best = cell
  }
  return best
}

/** Fills a field as if somebody had typed. @param {HTMLInputElement} field @param {string} text */
export function fill(field, text) {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Downloads a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }))
  element('a', { href, download: name }).click()
  URL.revokeObjectURL(href)
}
