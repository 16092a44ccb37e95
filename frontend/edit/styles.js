// The styles of the config: CSS beside the page, which shows it as it is typed. Loaded when somebody opens it.

import { check } from './css-check.js'
import { button, dialog, element, words } from './elements.js'

/**
 * What it needs of `frontend/edit.js`.
 *
 * @typedef {object} Host
 * @property {(key: string) => unknown} setting A setting of the draft.
 * @property {(key: string, value: unknown, words?: string) => void} changeSetting Changes one; without words it is only shown.
 * @property {() => Promise<void>} colors Opens the colors of the theme.
 */

const KEY = 'customCss'
/** How long typing may pause before the page is drawn. */
const PAUSE = 300

/** What this browser takes. */
const browser = {
  supports: (/** @type {string} */ property, /** @type {string} */ value) => CSS.supports(property, value),
  isSelector: (/** @type {string} */ selector) => {
    try {
      document.createDocumentFragment().querySelector(selector)
      return true
    } catch {
      return false
    }
  },
}

/** @param {Host} host */
export default function open(host) {
  const configured = host.setting(KEY)
  const began = typeof configured === 'string' ? configured : ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  const list = element('ul', { id: 'edit-css-problems', className: 'edit-css-problems', role: 'list', 'aria-label': 'Problems', hidden: true })
  const field = element('textarea', { id: 'edit-css', value: began, spellcheck: false, autocapitalize: 'off', 'aria-describedby': `${list.id} edit-css-about` })
  const told = element('p', { className: 'edit-about', role: 'status' })
  const text = () => field.value.trim() ? field.value : null

  function look() {
    const problems = check(field.value, browser)
    list.hidden = problems.length === 0
    list.replaceChildren(...problems.map(({ line, message, isRemark }) => {
      const go = element('button', { type: 'button', className: isRemark ? 'remark' : '', onclick: () => jump(line) })
      go.append(...words(`Line ${line}: ${message}`))
      return element('li', {}, go)
    }))
    told.textContent = problems.some(({ isRemark }) => !isRemark) ? 'The browser leaves out what is wrong; the rest is on the page.' : ''
  }
  /** @param {number} line */
  function jump(line) {
    const lines = field.value.split('\n')
    const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
    field.focus()
    field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      look()
      host.changeSetting(KEY, text())
    }, PAUSE)
  })
  // Tab would leave the field, which people expect of forms; indentation is typed.
  const ways = element('div', { className: 'edit-buttons' },
    button('Colors of the theme', () => { if (take()) void host.colors() }), button('Cancel', () => leave()), button('Apply', () => take(), 'primary'))
  const stay = button('Keep typing', () => decide(false))
  const question = element('div', { className: 'edit-buttons', role: 'alert', hidden: true },
    element('span', { className: 'edit-left' }, 'Your changes to the styles are not in the draft yet.'), button('Discard', () => discard()), stay)
  const decide = (/** @type {boolean} */ asked) => {
    question.hidden = !asked
    ways.hidden = asked
    if (asked) stay.focus()
    else field.focus()
  }

  const about = element('p', { id: 'edit-css-about', className: 'edit-about' },
    ...words('These styles come after all others, for everybody. Those of one theme begin with `html[data-theme=\'name\']`. Tags are removed.'))
  const { end } = dialog('Custom CSS', 'edit-styles', () => leave(),
    element('div', { className: 'edit-scroll' }, element('label', { className: 'field', htmlFor: field.id }, element('span', {}, 'CSS')), field, list, told, about), question, ways)

  function close() {
    clearTimeout(timer)
    end()
  }
  function take() {
    close()
    if (field.value !== began) host.changeSetting(KEY, text(), 'Edit custom CSS')
    return true
  }
  function discard() {
    close()
    host.changeSetting(KEY, began || null)
  }
  function leave() {
    if (field.value === began) discard()
    else decide(true)
  }

  look()
  field.focus()
}
