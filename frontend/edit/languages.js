// The languages of the interface: "Choose" beside the field for the language of everybody. Loaded at the first click.

import { button, dialog, element, fill } from './elements.js'
import { t } from '../texts.js'

/** @param {HTMLInputElement} field */
export default function choose(field) {
  const before = field.value
  // The options of the page list all languages by their own names.
  const offered = [...document.querySelectorAll(/** @type {'option'} */ ('select[name=language] option'))].filter(({ value }) => value)
  const entries = [{ value: '', name: t('The browser’s'), lang: '' }, ...offered.map(({ value, textContent }) => ({ value, name: textContent ?? value, lang: value }))]
  const rows = entries.map(({ value, name, lang }) => element('label', {},
    element('input', { type: 'radio', name: 'edit-language', value, checked: value === before.trim(), onchange: () => fill(field, value) }),
    element('span', lang ? { lang } : {}, name)))
  const close = () => {
    end()
    field.focus()
  }
  const cancel = () => {
    if (field.value !== before) fill(field, before)
    close()
  }
  const search = element('input', { type: 'search', autocomplete: 'off', spellcheck: false, oninput: () => {
    const wanted = search.value.trim().toLowerCase()
    rows.forEach((row, at) => (row.hidden = !`${entries[at].name} ${entries[at].value} ${english(entries[at].value)}`.toLowerCase().includes(wanted)))
  } })
  const list = element('fieldset', { className: 'edit-palette' }, element('legend', { className: 'visually-hidden' }, t('Language')), ...rows)
  const { dialog: frame, end } = dialog(t('Language for everybody'), 'edit-languages', cancel,
    element('label', { className: 'field edit-search' }, element('span', {}, t('Find a language')), search),
    element('div', { className: 'edit-scroll' }, list),
    element('div', { className: 'edit-buttons' }, button(t('Cancel'), cancel), button(t('Done'), close, 'primary')))
  const chosen = /** @type {HTMLElement} */ (frame.querySelector(':checked') ?? search)
  chosen.focus()
}

/** What English calls a language. @param {string} code */
function english(code) {
  try {
    return code && new Intl.DisplayNames('en', { type: 'language' }).of(code) || ''
  } catch {
    return ''
  }
}
