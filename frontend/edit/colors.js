// The color picker: "Choose" beside a field for a color. Loaded at the first click. Each choice goes into the field, and so onto
// the page, at once; Cancel restores the old value. Fields for several colors get palettes (palette.js).

import { button, dialog, element, fill } from './elements.js'
import { t } from '../texts.js'

export { default as chooseSeveral } from './palette.js'

/** Colors of the theme, and fixed ones. */
const ofTheme = () => [['var(--primary)', t('Primary')], ['var(--foreground)', t('Text')], ['var(--background)', t('Background')], ['var(--info)', t('Info')], ['var(--success)', t('Success')], ['var(--warning)', t('Warning')], ['var(--danger)', t('Danger')], ['var(--muted)', t('Muted')]]
export const fixed = () => [['#dc2626', t('Red')], ['#ea580c', t('Orange')], ['#d97706', t('Amber')], ['#ca8a04', t('Yellow')], ['#65a30d', t('Lime')], ['#16a34a', t('Green')], ['#0d9488', t('Teal')], ['#0891b2', t('Cyan')], ['#2563eb', t('Blue')], ['#4f46e5', t('Indigo')], ['#9333ea', t('Purple')], ['#db2777', t('Pink')], ['#92663f', t('Brown')], ['#64748b', t('Gray')]]

/**
 * Opens the dialog for a field. Cancel restores the old value; `none` is the button that empties the field.
 *
 * @param {HTMLInputElement} field @param {string} title @param {string} none @param {...Node} content
 */
export function openPicker(field, title, none, ...content) {
  const before = field.value
  /** @param {string} value */
  const take = (value) => {
    if (field.value !== value) fill(field, value)
    close()
  }
  const cancel = () => take(before)
  const close = () => {
    end()
    field.focus()
  }
  const { end } = dialog(title, 'edit-color-picker', cancel, ...content,
    element('div', { className: 'edit-buttons' }, button(none, () => take('')), button(t('Cancel'), cancel), button(t('Done'), close, 'primary')))
}

/** @param {HTMLInputElement} field */
export default function choose(field) {
  const before = field.value
  const any = element('input', { type: 'color', value: toHex(before), oninput: () => set(any.value) })
  const palettes = [[t('Colors of the theme'), ofTheme()], [t('Always the same'), fixed()]].map(([legend, colors]) => palette(String(legend), /** @type {string[][]} */ (colors)))
  openPicker(field, t('Choose a color'), t('No color'),
    element('div', { className: 'edit-scroll' }, ...palettes, element('label', { className: 'field edit-any-color' }, element('span', {}, t('Any other color')), any)))

  /** @param {string} legend @param {string[][]} colors */
  function palette(legend, colors) {
    return element('fieldset', { className: 'edit-palette' }, element('legend', {}, legend), ...colors.map(([value, name]) => {
      const input = element('input', { type: 'radio', name: 'edit-color', value, checked: value === before.trim().toLowerCase(), className: 'visually-hidden', onchange: () => set(value) })
      return element('label', { title: value }, input, swatch(value), element('span', {}, name))
    }))
  }

  /** @param {string} value */
  function set(value) {
    fill(field, value)
  }
}

/** A disc of a color. @param {string} color */
export function swatch(color) {
  const disc = element('span', { className: 'edit-swatch', 'aria-hidden': 'true' })
  disc.style.setProperty('--swatch', color)
  return disc
}

/** A color as `#rrggbb`, the only form that `<input type=color>` takes. @param {string} color */
export function toHex(color) {
  const probe = element('canvas', { width: 1, height: 1 }).getContext('2d')
  if (!probe) return '#000000'
  probe.fillStyle = '#000000'
  probe.fillStyle = color
  return /^#[0-9a-f]{6}$/.test(probe.fillStyle) ? probe.fillStyle : '#000000'
}
