// The color picker: "Choose" beside a field for a color. Loaded at the first click. Each choice goes into the field, and so onto
// the page, at once; Cancel restores the old value. Fields for several colors get palettes (palette.js).

import { button, dialog, element, fill } from './elements.js'

export { default as chooseSeveral } from './palette.js'

/** Colors of the theme, and fixed ones. */
const OF_THEME = [['var(--primary)', 'Primary'], ['var(--foreground)', 'Text'], ['var(--background)', 'Background'], ['var(--info)', 'Info'], ['var(--success)', 'Success'], ['var(--warning)', 'Warning'], ['var(--danger)', 'Danger'], ['var(--muted)', 'Muted']]
export const FIXED = [['#dc2626', 'Red'], ['#ea580c', 'Orange'], ['#d97706', 'Amber'], ['#ca8a04', 'Yellow'], ['#65a30d', 'Lime'], ['#16a34a', 'Green'], ['#0d9488', 'Teal'], ['#0891b2', 'Cyan'], ['#2563eb', 'Blue'], ['#4f46e5', 'Indigo'], ['#9333ea', 'Purple'], ['#db2777', 'Pink'], ['#92663f', 'Brown'], ['#64748b', 'Gray']]

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
    element('div', { className: 'edit-buttons' }, button(none, () => take('')), button('Cancel', cancel), button('Done', close, 'primary')))
}

/** @param {HTMLInputElement} field */
export default function choose(field) {
  const before = field.value
  const any = element('input', { type: 'color', value: toHex(before), oninput: () => set(any.value) })
  const palettes = [['Colors of the theme', OF_THEME], ['Always the same', FIXED]].map(([legend, colors]) => palette(String(legend), /** @type {string[][]} */ (colors)))
  openPicker(field, 'Choose a color', 'No color',
    element('div', { className: 'edit-scroll' }, ...palettes, element('label', { className: 'field edit-any-color' }, element('span', {}, 'Any other color'), any)))

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
