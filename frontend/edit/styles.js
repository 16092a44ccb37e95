// The dialog for custom CSS. The page shows it as it is typed. Loaded when it is opened.

import { check } from './css-check.js'
import { button, dialog, element, words } from './elements.js'
import { t } from '../texts.js'

/**
 * What `frontend/edit.js` offers it.
 *
 * @typedef {object} Host
 * @property {(key: string) => unknown} setting A setting of the draft.
 * @property {(key: string, value: unknown, label?: string) => void} changeSetting Changes one. Without a label for the history, it is only previewed.
 * @property {() => Promise<void>} colors Opens the dialog of the theme's colors.
 */

const KEY = 'customCss'
/** How long typing has to pause before the page is previewed, in milliseconds. */
const DEBOUNCE = 300

/** What this browser supports. */
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

  const list = element('ul', { id: 'edit-css-problems', className: 'edit-css-problems', role: 'list', 'aria-label': t('Problems'), hidden: true })
  const field = element('textarea', { id: 'edit-css', value: began, spellcheck: false, autocapitalize: 'off', 'aria-describedby': `${list.id} edit-css-about` })
  const told = element('p', { className: 'edit-about', role: 'status' })
  const text = () => field.value.trim() ? field.value : null

  function look() {
    const problems = check(field.value, browser)
    list.hidden = problems.length === 0
    list.replaceChildren(...problems.map(({ line, message, isRemark }) => {
      const go = element('button', { type: 'button', className: isRemark ? 'remark' : '', onclick: () => jump(line) })
      go.append(...words(t('Line {line}: {message}', { line, message })))
      return element('li', {}, go)
    }))
    told.textContent = problems.some(({ isRemark }) => !isRemark) ? t('The browser ignores what is wrong; the rest is on the page.') : ''
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
    }, DEBOUNCE)
  })
  // Tab leaves the field, as in other forms.
  const ways = element('div', { className: 'edit-buttons' },
    button(t('Colors of the theme'), () => { if (take()) void host.colors() }), button(t('Cancel'), () => leave()), button(t('Apply'), () => take(), 'primary'))
  const stay = button(t('Keep typing'), () => decide(false))
  const question = element('div', { className: 'edit-buttons', role: 'alert', hidden: true },
    element('span', { className: 'edit-left' }, t('Your changes to the styles are not in the draft yet.')), button(t('Discard'), () => discard()), stay)
  const decide = (/** @type {boolean} */ asked) => {
    question.hidden = !asked
    ways.hidden = asked
    if (asked) stay.focus()
    else field.focus()
  }

  const about = element('p', { id: 'edit-css-about', className: 'edit-about' },
    ...words(t("These styles come after all others, for everybody. Those of one theme begin with `html[data-theme='name']`. Tags are removed.")))
  const { end } = dialog(t('Custom CSS'), 'edit-styles', () => leave(),
    element('div', { className: 'edit-scroll' }, element('label', { className: 'field', htmlFor: field.id }, element('span', {}, t('CSS'))), field, list, told, about), question, ways)

  function close() {
    clearTimeout(timer)
    end()
  }
  function take() {
    close()
    if (field.value !== began) host.changeSetting(KEY, text(), t('Edit custom CSS'))
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
