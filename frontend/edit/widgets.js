// The list of widget types: "Add widget" in a section, and "Change type…" in the form of a widget. Loaded at the first click.

import { button, dialog, element, fill, picture, words } from './elements.js'
import { call, messageOf } from './server.js'

/** @typedef {{ name: string, about: string, words: string, category: string, picture: string }} WidgetType As the server lists them, sorted by category. */

/** @param {string} base Path prefix of the product. @param {string} section The position of the section in the file. */
export default function add(base, section) {
  return pick(base, 'Add widget', (name) => {
    document.dispatchEvent(new CustomEvent('portico:edit', { detail: `add section-${section} ${name}` }))
  })
}

/** Changes the type of the widget whose form is open. @param {HTMLInputElement} field The field of its type. @param {string} base */
export const changeType = (field, base) => pick(base, 'Change type', (name) => {
  if (name !== field.value) fill(field, name)
})

/** @param {string} base @param {string} title @param {(name: string) => void} take Takes the chosen type. */
async function pick(base, title, take) {
  const search = element('input', { type: 'search', autocomplete: 'off', spellcheck: false })
  const list = element('div', { className: 'edit-scroll' })
  const status = element('p', { className: 'edit-status', role: 'status' })
  const gallery = element('a', { className: 'button', href: `${base}/widget-gallery`, target: '_blank', rel: 'noopener' }, 'See them with sample data')
  const { dialog: frame, end } = dialog(title, 'edit-picker', () => end(),
    element('label', { className: 'field edit-search' }, element('span', {}, 'Search by what it shows, or by its service'), search),
    list, status, element('div', { className: 'edit-buttons' }, gallery, button('Cancel', () => end())))
  search.focus()

  /** @type {WidgetType[]} */
  let types = []
  function show() {
    const wanted = search.value.toLowerCase().split(/\s+/)
    const found = types.filter((type) => {
      const text = `${type.name} ${type.about} ${type.words} ${type.category}`.toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    const categories = [...new Set(found.map(({ category }) => category))]
    list.replaceChildren(...categories.map((category) => element('section', { className: 'edit-category' }, element('h3', {}, category),
      element('ul', { className: 'edit-types', role: 'list' }, ...found.filter((type) => type.category === category).map(row)))))
    list.scrollTop = 0
    status.textContent = found.length ? `${found.length} ${found.length === 1 ? 'type' : 'types'} of widgets` : 'No widget matches these words.'
  }

  /** @param {WidgetType} type */
  function row({ name, about, picture: address }) {
    const choose = () => {
      end()
      take(name)
    }
    const [sentence] = /^.*?\.(?=\s|$)/s.exec(about) ?? [about]
    return element('li', {}, element('button', { type: 'button', className: 'edit-type', onclick: choose },
      picture(address), element('strong', {}, name), element('span', {}, ...words(sentence))))
  }

  search.addEventListener('input', show)
  // The arrow keys go through the search and the types.
  frame.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step) return
    event.preventDefault()
    /** @type {HTMLElement[]} */
    const stops = [search, ...list.querySelectorAll('button')]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    stops.at((at + step) % stops.length)?.focus()
  })
  try {
    types = await call(base, 'editor-widgets', {})
    show()
  } catch (error) {
    status.textContent = messageOf(error)
    status.classList.add('failed')
  }
}
