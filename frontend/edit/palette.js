// The picker for a field of several colors: ready-made palettes, or single colors in any order. Each choice goes into the field,
// and so onto the page, at once.

import { fixed, openPicker, swatch, toHex } from './colors.js'
import { button, element, fill } from './elements.js'
import { read, write } from './list.js'
import { t } from '../texts.js'

/** Colors that can be told apart beside each other, and shades of one. @returns {[string, string[]][]} */
const palettes = () => [
  [t('Clear'), ['#2563eb', '#ea580c', '#16a34a', '#9333ea', '#dc2626', '#0891b2', '#ca8a04', '#db2777']],
  [t('For all eyes'), ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00']],
  [t('Soft'), ['#8ab4f8', '#f6b26b', '#93c47d', '#c6a0f6', '#f28b82', '#76c7c0']],
  [t('Blue'), ['#1e3a8a', '#1d4ed8', '#3b82f6', '#60a5fa', '#93c5fd']],
  [t('Green'), ['#14532d', '#15803d', '#22c55e', '#4ade80', '#86efac']],
  [t('Warm'), ['#7f1d1d', '#b91c1c', '#ea580c', '#f59e0b', '#fcd34d']],
]

/** @param {HTMLInputElement} field Its text is a list of colors (list.js). */
export default function choose(field) {
  const chosen = element('div', { className: 'edit-colors', role: 'group', 'aria-label': t('Chosen colors') })
  const status = element('p', { className: 'edit-about', role: 'status' })
  const any = element('input', { type: 'color', value: toHex('#2563eb'), 'aria-label': t('Any other color') })
  const ready = element('fieldset', { className: 'edit-palette wide' }, element('legend', {}, t('Palettes')), ...palettes().map(([name, colors]) => {
    const input = element('input', { type: 'radio', name: 'edit-palette', value: name, checked: colors.join() === listed().join(), className: 'visually-hidden', onchange: () => set(colors) })
    return element('label', { title: colors.join(', ') }, input, element('span', {}, name), ...colors.map(swatch))
  }))
  const more = element('fieldset', { className: 'edit-palette' }, element('legend', {}, t('Add a color')), ...fixed().map(([value = '', name = '']) => {
    const add = button(name, () => set([...listed(), value]))
    add.prepend(swatch(value))
    add.setAttribute('aria-label', t('Add {name}', { name }))
    return add
  }))
  openPicker(field, t('Choose colors'), t('No colors'),
    element('div', { className: 'edit-search' }, chosen, status), element('div', { className: 'edit-scroll' }, ready, more,
      element('div', { className: 'edit-colors' }, any, button(t('Add this color'), () => set([...listed(), any.value])))))

  function listed() {
    return read(field.value)
  }

  /** @param {string[]} colors */
  function set(colors) {
    fill(field, write(colors))
    show()
  }

  function show() {
    const colors = listed()
    chosen.replaceChildren(...colors.map((color, at) => {
      const remove = button(`${color} ×`, () => {
        set(colors.filter((_, other) => other !== at))
        const rest = chosen.querySelectorAll('button')
        ;(rest[Math.min(at, rest.length - 1)] ?? any).focus()
      })
      remove.prepend(swatch(color))
      remove.setAttribute('aria-label', t('Remove {name}', { name: color }))
      return remove
    }))
    status.textContent = colors.length ? '' : t('No color is chosen: the usual ones are shown.')
    for (const input of ready.querySelectorAll('input')) {
      input.checked = palettes().some(([name, palette]) => name === input.value && palette.join() === colors.join())
    }
  }

  show()
}
