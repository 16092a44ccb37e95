// The grid of widget types: "Add widget" in a section, and "Change type…" in the form of a widget. Loaded at the first click.
//
// Each type has a picture of itself: its panel with sample data, which the gallery of widgets has (`server/src/routes/gallery.rs`).

import { button, dialog, element, fill, moveInGrid, picture, words } from './elements.js'
import { writeTimes } from './panel-texts.js'
import { call, messageOf } from './server.js'
import { fieldText, t, tCount } from '../texts.js'

/** @typedef {{ name: string, title: string, about: string, words: string, category: string, picture: string }} WidgetType As the server lists them, sorted by category. */

/** How often the gallery is asked for panels that are not ready, and how long to wait between two attempts, in milliseconds. */
const MAX_ATTEMPTS = 5
const PAUSE = 700
/** What a picture leaves out: it must neither load another page, nor run anything, nor be found by its id. */
const LEFT_OUT = 'iframe, script, object, embed, audio, video, noscript'

/** @param {string} base Path prefix of the product. @param {string} section The position of the section in the file. */
export default function add(base, section) {
  return pick(base, t('Add widget'), (name) => {
    document.dispatchEvent(new CustomEvent('portico:edit', { detail: `add section-${section} ${name}` }))
  })
}

/** Changes the type of the widget whose form is open. @param {HTMLInputElement} field The field of its type. @param {string} base */
export const changeType = (field, base) => pick(base, t('Change type'), (name) => {
  if (name !== field.value) fill(field, name)
})

/**
 * How well a type matches words in lower case; lower is better, and `undefined` if it does not. Its name comes before the services
 * and other words by which people know it, and those before its description.
 *
 * @param {WidgetType} type @param {string} text
 */
export function rank({ name, title, about, words, category }, text) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const [names, others, rest] = [`${title} ${name}`, words, `${about} ${category}`].map((part) => part.toLowerCase())
  if (!wanted.every((word) => `${names} ${others} ${rest}`.includes(word))) return undefined
  const all = wanted.join(' ')
  if ([name, title.toLowerCase()].includes(all)) return 0
  if (title.toLowerCase().startsWith(all) || name.startsWith(all)) return 1
  const begins = (/** @type {string} */ part, /** @type {string} */ word) => part.split(/[\s-]+/).some((piece) => piece.startsWith(word))
  if (wanted.every((word) => begins(names, word))) return 2
  if (wanted.every((word) => begins(`${names} ${others}`, word))) return 3
  return wanted.every((word) => `${names} ${others}`.includes(word)) ? 4 : 5
}

/** The panels of the gallery, by type. They stay for the next time. @type {Map<string, HTMLElement>} */
const panels = new Map()

/** Fills the map of panels. @param {string} base */
async function loadPanels(base) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const answer = await fetch(`${base}/widget-gallery`)
    if (!answer.ok) return
    // The policy of the page would refuse the gallery's own styles, and report each.
    const markup = (await answer.text()).replace(/<style\b.*?<\/style>/gs, '')
    const gallery = new DOMParser().parseFromString(markup, 'text/html')
    const sheet = gallery.querySelector('link[rel=stylesheet][href*="/widgets-"]')?.getAttribute('href')?.replace(/.*\/(?=widgets-)/, `${base}/`)
    // A page without widgets has not loaded their style sheet.
    if (sheet && !document.querySelector(`link[rel=stylesheet][href="${sheet}"]`)) document.head.append(element('link', { rel: 'stylesheet', href: sheet }))
    let waiting = 0
    for (const frame of /** @type {NodeListOf<HTMLElement>} */ (gallery.querySelectorAll('.widget-base'))) {
      const panel = /** @type {HTMLElement | null} */ (frame.querySelector('.widget-body[data-state=content] > .panel'))
      if (panel) panels.set(frame.dataset.kind ?? '', panel)
      else if (frame.querySelector('.widget-body[data-state=loading]')) waiting += 1
    }
    if (waiting === 0) return
    await new Promise((done) => setTimeout(done, PAUSE))
  }
}

/** The picture of a type: its panel, small and without life. @param {HTMLElement} panel */
function small(panel) {
  const copy = document.importNode(panel, true)
  for (const one of copy.querySelectorAll(LEFT_OUT)) one.remove()
  for (const one of [copy, ...copy.querySelectorAll('[id]')]) one.removeAttribute('id')
  writeTimes(copy)
  return copy
}

/** @param {string} base @param {string} title @param {(name: string) => void} take Takes the chosen type. */
async function pick(base, title, take) {
  const search = element('input', { type: 'search', autocomplete: 'off', spellcheck: false })
  const list = element('div', { className: 'edit-scroll' })
  const status = element('p', { className: 'edit-status', role: 'status' })
  const gallery = element('a', { className: 'button', href: `${base}/widget-gallery`, target: '_blank', rel: 'noopener' }, t('See them with sample data'))
  const { dialog: frame, end } = dialog(title, 'edit-picker', () => close(),
    element('label', { className: 'field edit-search' }, element('span', {}, t('Search by what it shows, or by its service')), search),
    list, status, element('div', { className: 'edit-buttons' }, gallery, button(t('Cancel'), () => close())))
  search.focus()

  // Panels are drawn only where they can be seen.
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const panel = panels.get(/** @type {HTMLElement} */ (target).dataset.type ?? '')
      if (!isIntersecting || !panel) continue
      seen.unobserve(target)
      target.replaceChildren(small(panel))
      target.classList.add('drawn')
    }
  }, { root: list, rootMargin: '300px' })

  function close() {
    seen.disconnect()
    end()
  }

  /** @type {WidgetType[]} */
  let types = []
  function show() {
    const text = search.value.trim()
    const ranked = types.flatMap((type) => {
      const quality = rank(type, text)
      return quality === undefined ? [] : [{ type, quality }]
    })
    const found = ranked.sort((one, other) => one.quality - other.quality).map(({ type }) => type)
    seen.disconnect()
    const grid = (/** @type {WidgetType[]} */ some) => element('ul', { className: 'edit-types', role: 'list' }, ...some.map(cell))
    // Without a search, the types are in categories; the results of one begin with the best.
    const categories = [...new Set(found.map(({ category }) => category))]
    list.replaceChildren(...(text
      ? [grid(found)]
      : categories.map((category) => element('section', { className: 'edit-category' }, element('h3', {}, category), grid(found.filter((type) => type.category === category))))))
    list.classList.toggle('searched', text !== '')
    list.scrollTop = 0
    for (const one of list.querySelectorAll('.edit-type-picture')) seen.observe(one)
    const [first] = found
    status.textContent = !first ? t('No widget matches these words.')
      : text ? tCount('1 type of widgets. Enter takes {name}.', '{count} types of widgets. Enter takes {name}.', found.length, { name: first.title })
        : tCount('1 type of widgets', '{count} types of widgets', found.length)
  }

  /** @param {WidgetType} type */
  function cell({ name, title, about, picture: address }) {
    const choose = () => {
      close()
      take(name)
    }
    const [sentence] = /^.*?(?:\.(?=\s|$)|[。।])/s.exec(about) ?? [about]
    const shown = element('span', { className: 'edit-type-picture', 'aria-hidden': 'true', inert: true }, picture(address))
    shown.dataset.type = name
    return element('li', {}, element('button', { type: 'button', className: 'edit-type', title: name, onclick: choose },
      shown, element('strong', {}, title), element('span', {}, ...words(sentence))))
  }

  search.addEventListener('input', show)
  // The arrow keys go through the search and the types.
  frame.addEventListener('keydown', (event) => {
    /** @type {HTMLButtonElement[]} */
    const cells = [...list.querySelectorAll(/** @type {'button'} */ ('.edit-type'))]
    if (event.target === search) {
      if (event.key === 'Enter' && search.value.trim()) {
        event.preventDefault()
        cells[0]?.click()
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        cells.at(event.key === 'ArrowDown' ? 0 : -1)?.focus()
      }
    } else if (event.key === 'ArrowUp' && isInFirstRow(cells, event.target)) {
      event.preventDefault()
      search.focus()
    } else if (cells.includes(/** @type {HTMLButtonElement} */ (event.target))) moveInGrid(event, cells)
  })
  try {
    /** @type {WidgetType[]} */
    const listed = await call(base, 'editor-widgets', {})
    // People look for the English names too.
    types = listed.map(({ title, about, category, words, ...type }) => ({
      ...type, title: fieldText(title), about: fieldText(about), category: fieldText(category), words: `${words} ${title} ${category}`,
    }))
    show()
    await loadPanels(base).catch(() => {})
    for (const one of list.querySelectorAll('.edit-type-picture:not(.drawn)')) {
      // An element that is observed already would not be reported again.
      seen.unobserve(one)
      seen.observe(one)
    }
  } catch (error) {
    status.textContent = messageOf(error)
    status.classList.add('failed')
  }
}

/** @param {HTMLElement[]} cells @param {EventTarget | null} target */
function isInFirstRow([first], target) {
  return first && target instanceof HTMLElement && target.getBoundingClientRect().top < first.getBoundingClientRect().bottom
}
