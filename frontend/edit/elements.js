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

/** Downloads a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }))
  element('a', { href, download: name }).click()
  URL.revokeObjectURL(href)
}
