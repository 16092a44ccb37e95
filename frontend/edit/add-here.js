// Adds a widget that was chosen in the gallery: begins to edit, asks for the section, and opens the form of the new widget.

import { button, dialog, element } from './elements.js'
import { t } from '../texts.js'

/** @param {string} kind The type of the widget. */
export default async function addHere(kind) {
  // Loading the page again must not ask again.
  history.replaceState(history.state, '', location.pathname)
  const { begin, isRunning } = await import('../edit.js')
  await begin()
  if (!isRunning()) return
  const sections = [...document.querySelectorAll(/** @type {'section'} */ ('#content > section, .page-column > section'))]
  const add = (/** @type {HTMLElement} */ section) => {
    document.dispatchEvent(new CustomEvent('portico:edit', { detail: `add ${section.id.replace('s-', 'section-')} ${kind}` }))
  }
  if (sections.length === 1) return add(/** @type {HTMLElement} */ (sections[0]))
  const choices = sections.map((section) => button(section.querySelector('h2')?.textContent ?? '', () => {
    end()
    add(section)
  }))
  const text = sections.length ? t('Which section is the new widget for?') : t('Add a section first, then add the widget to it.')
  const { end } = dialog(t('Add widget'), 'edit-question', () => end(),
    element('div', { className: 'edit-scroll' }, element('p', {}, text), element('div', { className: 'edit-choices' }, ...choices)),
    element('div', { className: 'edit-buttons' }, button(t('Cancel'), () => end())))
}
