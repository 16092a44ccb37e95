// Elements and dialogs for the editor's own scripts.

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

/** A sentence with `code` in it. @param {string} text */
export const words = (text) => text.split('`').map((part, index) => index % 2 ? element('code', {}, part) : part)

/**
 * Opens a dialog inside the editor. `close` is asked when somebody closes it, and closes it by `end`.
 *
 * @param {string} title @param {string} kind @param {() => void} close @param {...Node} children
 */
export function dialog(title, kind, close, ...children) {
  const heading = element('h2', { id: 'edit-dialog-title' }, ...words(title))
  const cross = element('button', { type: 'button', className: 'icon-button', 'aria-label': 'Close', onclick: close })
  cross.innerHTML = '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M5.5 5.5l9 9M14.5 5.5l-9 9" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>'
  const made = element('dialog', { className: `edit-dialog ${kind}`, 'aria-labelledby': heading.id }, element('div', { className: 'dialog-header' }, heading, cross), ...children)
  made.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  document.getElementById('editor')?.append(made)
  made.showModal()
  return {
    dialog: made,
    /** Closes it; the focus goes back to where it was. */
    end() {
      made.close()
      made.remove()
    },
  }
}

/** Hands a text out as a file. @param {string} name @param {string} text @param {string} type */
export function handOut(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }))
  element('a', { href, download: name }).click()
  URL.revokeObjectURL(href)
}
