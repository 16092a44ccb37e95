// The icon picker, which also stores pictures: "Choose" beside a field for an icon. Loaded at the first click.
//
// The server searches the bundled sets, emoji and the user's own files (`server/src/icons/choice.rs`). The field gets the value
// for the config: `hl-jellyfin`, `mdi-server`, 🚀, `logos/nas.png`.

import { button, dialog, element, fill, moveInGrid, picture as drawing, words } from './elements.js'
import { call, messageOf } from './server.js'
import { t, tCount } from '../texts.js'

/** @typedef {{ value: string, name: string, group: string, picture?: string }} Icon */
/** @typedef {{ icons: Icon[], total: number }} Found */

/** The groups: their names for the server and for people. */
const groupNames = () => [['', t('All')], ['applications', t('Applications')], ['selfhst', 'selfh.st'], ['brands', t('Brands')], ['symbols', t('Symbols')], ['font-awesome', 'Font Awesome'], ['emoji', t('Emoji')], ['files', t('Your pictures')]]
/** Values that are not pictures. @returns {Icon[]} */
const others = () => [
  { value: 'favicon', name: t('Icon of the site'), group: '', picture: 'mdi/web.svg#i' },
  { value: 'generative', name: t('Pattern made of the address'), group: '', picture: 'mdi/fingerprint.svg#i' },
]
/** Maximum size of a stored picture, in bytes. */
const MAX_SIZE = 1024 * 1024
/** What the file picker offers; the server checks the content. */
const ACCEPTED = '.png,.jpg,.jpeg,.webp,.gif,.avif,.ico,.svg'
/** How long typing has to pause before a search, in milliseconds. */
const DEBOUNCE = 150

/** @param {HTMLInputElement} field @param {string} base Path prefix of the product. */
export default function choose(field, base) {
  /** @type {AbortController | undefined} */
  let asking
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause
  let shown = 0

  const search = element('input', { type: 'search', id: 'edit-icon-search', autocomplete: 'off', spellcheck: false })
  const grid = element('div', { className: 'edit-icons', role: 'listbox', 'aria-label': t('Icons') })
  const status = element('p', { className: 'edit-status', role: 'status' })
  const more = button(t('Show more'), () => void find(shown))
  more.hidden = true
  const groups = element('fieldset', { className: 'edit-icon-groups' }, element('legend', { className: 'visually-hidden' }, t('Kind of icon')),
    ...groupNames().map(([value, label]) => element('label', {}, element('input', { type: 'radio', name: 'edit-icon-group', value, checked: !value, onchange: () => void find(0) }), element('span', {}, label))))
  const picked = element('input', { type: 'file', accept: ACCEPTED, hidden: true, onchange: () => void store([...picked.files ?? []]) })
  const upload = button(t('Upload a picture…'), () => picked.click())
  const place = element('div', { className: 'edit-scroll' }, grid, more)
  const { dialog: frame, end } = dialog(t('Choose an icon'), 'edit-icon-picker', () => close(),
    element('div', { className: 'edit-search' }, element('label', { className: 'field' }, element('span', {}, t('Search')), search), groups),
    place, status,
    element('div', { className: 'edit-buttons' }, upload, picked, button(t('No icon'), () => take(''))))

  const say = (/** @type {string} */ text, failed = false) => {
    status.replaceChildren(...words(text))
    status.classList.toggle('failed', failed)
  }
  const group = () => /** @type {HTMLInputElement} */ (groups.querySelector(':checked')).value
  /** @returns {HTMLElement[]} */
  const options = () => [...grid.querySelectorAll(/** @type {'div'} */ ('[role=option]'))]

  /** @param {string} value */
  function take(value) {
    close()
    fill(field, value)
  }

  function close() {
    clearTimeout(pause)
    asking?.abort()
    end()
    field.focus()
  }

  /** Shows the results of the search; `skip` icons are shown already. @param {number} skip */
  async function find(skip) {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    grid.ariaBusy = 'true'
    const text = search.value.trim()
    try {
      /** @type {Found} */
      const { icons, total } = await call(base, 'editor-icons', { words: text, group: group() || null, skip }, signal)
      const first = skip || group() ? [] : others().filter(({ value, name }) => `${value} ${name}`.toLowerCase().includes(text.toLowerCase()))
      const made = [...first.map((icon) => ({ ...icon, picture: `${base}/icons/${icon.picture}` })), ...icons].map(option)
      // Somebody may be among the results of what was typed before.
      const focused = skip ? 0 : options().indexOf(/** @type {HTMLElement} */ (document.activeElement))
      if (skip) grid.append(...made)
      else {
        grid.replaceChildren(...made)
        place.scrollTop = 0
      }
      shown = skip + icons.length
      more.hidden = shown >= total
      updateTabStop(focused < 0 ? undefined : made[Math.min(focused, made.length - 1)])
      if (focused >= 0 && !made.length) search.focus()
      const all = total + first.length
      say(all ? tCount('1 icon', '{count} icons', all, { count: all.toLocaleString(document.documentElement.lang) }) : t('No icon matches “{text}”. Try a single word, or another kind.', { text }))
    } catch (error) {
      if (!signal.aborted) say(messageOf(error), true)
    } finally {
      if (!signal.aborted) grid.ariaBusy = 'false'
    }
  }

  /** Lets Tab reach one option: the chosen one, or else the first. @param {HTMLElement} [focused] */
  function updateTabStop(focused) {
    const all = options()
    const stop = focused ?? all.find((one) => one.ariaSelected === 'true') ?? all[0]
    for (const one of all) one.tabIndex = one === stop ? 0 : -1
    focused?.focus()
  }

  /** @param {Icon} icon */
  function option({ value, name, group: kind, picture }) {
    const label = groupNames().find(([word]) => word && word === kind)?.[1]
    const chosen = value === field.value.trim()
    return element('div', { role: 'option', tabIndex: -1, title: value, 'aria-label': label ? `${name}, ${label}` : name, 'aria-selected': String(chosen), onclick: () => take(value) },
      picture ? drawing(picture) : element('span', { className: 'edit-picture', 'aria-hidden': 'true' }, value), element('span', {}, name))
  }

  /** Stores pictures. A single one is chosen at once. @param {File[]} files */
  async function store(files) {
    picked.value = ''
    const said = []
    let value = ''
    upload.disabled = true
    try {
      for (const file of files) {
        say(t('Storing `{name}`…', { name: file.name }))
        if (file.size > MAX_SIZE) throw new Error(t('`{name}` has {size} MB; at most 1 MB can be stored. Make it smaller.', { name: file.name, size: (file.size / MAX_SIZE).toFixed(1) }))
        const stored = await call(base, 'editor-upload', { name: file.name, data: await toBase64(file) })
        value = stored.value
        said.push(stored.message)
      }
      if (files.length === 1) return take(value)
      search.value = ''
      const own = /** @type {HTMLInputElement} */ (groups.querySelector('[value=files]'))
      own.checked = true
      await find(0)
      say(said.join(' '))
    } catch (error) {
      say(messageOf(error), true)
    } finally {
      upload.disabled = false
    }
  }

  search.addEventListener('input', () => {
    clearTimeout(pause)
    grid.ariaBusy = 'true'
    pause = setTimeout(() => void find(0), DEBOUNCE)
  })
  search.addEventListener('keydown', (event) => {
    if (!['ArrowDown', 'Enter', 'Escape'].includes(event.key)) return
    event.preventDefault()
    // Browsers would clear the field first.
    if (event.key === 'Escape') close()
    else options()[0]?.focus()
  })
  grid.addEventListener('keydown', (event) => {
    const all = options()
    const at = all.findIndex((one) => one === document.activeElement)
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      all[at]?.click()
    } else {
      moveInGrid(event, all)
      updateTabStop(all.find((one) => one === document.activeElement))
    }
  })
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
    frame.addEventListener(name, (event) => {
      const { dataTransfer, relatedTarget } = /** @type {DragEvent} */ (event)
      if (!dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const leaves = name === 'drop' || name === 'dragleave' && !frame.contains(/** @type {Node | null} */ (relatedTarget))
      frame.classList.toggle('dropping', !leaves)
      if (name === 'drop') void store([...dataTransfer.files])
    })
  }
  search.focus()
  search.value = suggestion(field)
  search.select()
  void find(0)
}

/** What to search for at first: the title of the item, if it has no icon yet. @param {HTMLInputElement} field */
function suggestion(field) {
  if (field.value.trim()) return ''
  const part = field.closest('.edit-part')
  const form = field.closest('form')
  const title = /** @type {HTMLInputElement | null | undefined} */ (part ? part.querySelector('[id$="-title"]') : form?.querySelector('#edit-title, #edit-name'))
  return title?.value.trim() ?? ''
}

/** @param {File} file @returns {Promise<string>} */
function toBase64(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,?/, ''))
    reader.onerror = () => failed(new Error(t('`{name}` cannot be read.', { name: file.name })))
    reader.readAsDataURL(file)
  })
}
