// The editor for the text of a config: "Edit as YAML" in the save bar. Loaded when it is opened.
//
// It shows the draft as text. "Preview" replaces the draft with the text, as one step of the history; "Save" does so too, and
// saves the text as it was typed.

import { codeField } from './code.js'
import { button, dialog, element, download, words } from './elements.js'
import { call, messageOf } from './server.js'
import { t } from '../texts.js'

/**
 * What the editor's bundle exports for scripts.
 *
 * @typedef {object} Bundle
 * @property {() => string} draft_text The draft, as JSON: {@link Draft}.
 * @property {(text: string, label: string) => string} take_text Replaces the draft with a text. Returns why that is not
 *   possible; empty if it is.
 * @property {() => void} save_draft Saves the draft, as the button in the save bar does.
 * @property {(name: string) => void} open_dialog Opens a dialog of edit mode by its name.
 */

/**
 * @typedef {object} Draft
 * @property {string} file Name of the file.
 * @property {string} text The draft.
 * @property {string} saved The file as it was loaded.
 * @property {boolean} changed Whether the draft differs from the file.
 * @property {string | null} readOnly Why it cannot be saved to disk.
 * @property {string | null} noLocal Why it cannot be saved locally.
 * @property {string | null} backupEndpoint The endpoint for encrypted copies, if the config has one.
 */

/** @typedef {import('./code.js').Problem} Problem */

/** Phones, as style/_screens.scss has them. */
const NARROW = '(width < 600px)'

/**
 * @param {Bundle} editor @param {string} base Path prefix of the product. @param {string | null} page The page, as its address
 *   names it.
 */
export default function open(editor, base, page) {
  /** @type {Draft} */
  const draft = JSON.parse(editor.draft_text())
  /** @type {Record<string, any> | undefined} */
  let schema
  fetch(`${base}/schema.json`).then((answer) => answer.json()).then((read) => { schema = read }, () => {})

  const place = element('div', { className: 'edit-raw-code' })
  const status = element('p', { className: 'edit-raw-status', role: 'status' })
  const list = element('ul', { className: 'edit-raw-problems', role: 'list', 'aria-label': t('Problems'), hidden: true })
  const say = (/** @type {string} */ text, failed = false) => {
    status.replaceChildren(...words(text))
    status.classList.toggle('failed', failed)
  }

  /** The problems that the server finds in a text. The end of a text may be behind its last line. @param {string} text @returns {Promise<Problem[]>} */
  async function problemsIn(text) {
    /** @type {Problem[]} */
    const problems = await call(base, 'editor-check', { page, text })
    const last = text.split('\n').length
    return problems.map((problem) => ({ ...problem, line: Math.min(problem.line, last) }))
  }

  /** @param {string} text @returns {Promise<Problem[]>} */
  async function check(text) {
    try {
      return await problemsIn(text)
    } catch (error) {
      say(messageOf(error), true)
      return []
    }
  }

  /** @param {Problem[]} problems */
  function showProblems(problems) {
    const isSeen = field.seesCursor()
    blocking = problems.find((problem) => problem.blocks)
    broken = problems.find(isSyntax)
    settleSave()
    obstruct(preview, broken ? mendFirst(broken) : '')
    list.hidden = problems.length === 0
    list.replaceChildren(...problems.map((problem) => {
      const { message } = problem
      const said = isSyntax(problem) ? t('this cannot be read: {message}', { message }) : problem.blocks ? t('cannot be saved: {message}', { message }) : message
      const text = t('Line {line}: {message}', { line: problem.line, message: said })
      const go = element('button', { type: 'button', className: problem.blocks ? 'blocking' : '', onclick: () => field.jump(problem) })
      go.append(...words(text))
      return element('li', {}, go)
    }))
    // The list takes space from the text field.
    if (isSeen) field.showCursor()
  }

  /**
   * A button looks as if it was off, and says why, while something stands in its way. It can be reached all the same.
   *
   * @param {HTMLButtonElement} way @param {string} reason
   */
  function obstruct(way, reason) {
    way.title = reason
    way.setAttribute('aria-disabled', String(reason !== ''))
  }

  /** What is in the way of saving, as the server said last. @type {Problem | undefined} */
  let blocking
  /** Why the text cannot be read. @type {Problem | undefined} */
  let broken
  const isTyped = () => field.text() !== began
  /** Why there is nothing to save, or nobody may. */
  const idle = () => draft.readOnly ?? nothing()
  const nothing = () => isTyped() || draft.changed ? '' : t('Nothing has changed.')
  function settleSave() {
    obstruct(save, idle() || (blocking ? mendFirst(blocking) : ''))
    obstruct(keep, draft.noLocal || nothing() || (broken ? mendFirst(broken) : ''))
  }
  function changed() {
    say('')
    settleSave()
  }

  /** Whether the text is on its way into the draft, and whether the dialog has been closed. */
  let isTaking = false
  let isClosed = false

  /** Replaces the draft with the text, unless a problem prevents it. @param {(problem: Problem) => boolean} isObstacle */
  async function take(isObstacle) {
    if (isTaking) return false
    isTaking = true
    const isTaken = await tryToTake(isObstacle)
    isTaking = false
    return isTaken
  }

  /** @param {(problem: Problem) => boolean} isObstacle */
  async function tryToTake(isObstacle) {
    let text
    try {
      let problems
      do {
        text = field.text()
        problems = await problemsIn(text)
        if (isClosed) return false
        // What was typed in the meantime belongs to it.
      } while (field.text() !== text)
      showProblems(problems)
      const obstacle = problems.find(isObstacle)
      if (obstacle) {
        field.jump(obstacle)
        say(mendFirst(obstacle), true)
        return false
      }
    } catch (error) {
      say(messageOf(error), true)
      return false
    }
    const refusal = text === began ? '' : editor.take_text(text, t('Edit as YAML'))
    if (refusal) say(refusal, true)
    else close()
    return !refusal
  }

  const isSyntax = (/** @type {Problem & { syntax?: boolean }} */ problem) => problem.syntax === true
  const takeTyped = () => void take(isSyntax)
  async function saveTyped() {
    const reason = idle()
    if (reason) say(reason)
    else if (await take((problem) => problem.blocks)) editor.save_draft()
  }
  async function keepTyped() {
    const reason = draft.noLocal || nothing()
    if (reason) say(reason)
    else if (await take(isSyntax)) editor.open_dialog('local')
  }

  async function format() {
    try {
      const { default: formatted } = await import('./format.js')
      const text = formatted(field.text())
      if (text === field.text().replaceAll('\r\n', '\n')) say(t('The text is formatted already.'))
      else field.replace(text)
    } catch (error) {
      say(messageOf(error), true)
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(field.text())
    } catch {
      // Without HTTPS, scripts cannot use the clipboard.
      field.select()
      field.focus()
      document.execCommand('copy')
    }
    say(t('Copied.'))
  }

  const wrap = button(t('Wrap'), () => setWrap(wrap.getAttribute('aria-pressed') !== 'true'))
  const setWrap = (/** @type {boolean} */ on) => {
    wrap.setAttribute('aria-pressed', String(on))
    field.wrap(on)
  }
  const save = button(t('Save'), () => void saveTyped(), 'primary')
  const keep = button(t('Save locally'), () => void keepTyped())
  const preview = button(t('Preview'), takeTyped)
  const tools = element('div', { className: 'edit-raw-tools', role: 'toolbar', 'aria-label': t('Text') },
    button(t('Find'), () => field.find()), wrap, button(t('Format'), () => void format()), button(t('Copy'), () => void copy()),
    button(t('Download'), () => download(draft.file, field.text(), 'application/yaml')),
    button(t('Reset'), () => {
      field.replace(draft.saved)
      say(t('This is the file as it was loaded. Ctrl+Z brings your text back.'))
    }))
  const ways = element('div', { className: 'edit-buttons' }, button(t('Cancel'), () => leave()), preview, keep, save)
  const stay = button(t('Keep typing'), () => decide(false))
  const question = element('div', { className: 'edit-buttons', role: 'alert', hidden: true }, element('span', {}, t('Your changes to the text are not in the draft yet.')),
    button(t('Discard'), () => close()), stay, button(t('Preview'), takeTyped, 'primary'))
  const decide = (/** @type {boolean} */ asked) => {
    question.hidden = !asked
    ways.hidden = asked
    if (asked) stay.focus()
    else field.focus()
  }

  const { dialog: frame, end } = dialog(t('Edit as YAML: `{file}`', { file: draft.file }), 'edit-raw', () => leave(), tools,
    ...draft.readOnly ? [element('p', { className: 'edit-raw-note' }, ...words(draft.readOnly))] : [], place, list,
    element('p', { className: 'edit-raw-hint' }, t('Escape, then Tab, leaves the text. Ctrl+Space offers what fits.')), status, question, ways)
  const field = codeField({
    place, text: draft.text, label: t('YAML of {file}. Escape, then Tab, leaves the text.', { file: draft.file }),
    schema: () => schema, check, onProblems: showProblems, onChange: changed,
  })

  /** The draft, with the line endings of the field. */
  const began = field.text()

  // In the text field, Escape closes CodeMirror's popups, or lets the next Tab leave the field.
  place.addEventListener('keydown', (event) => { if (event.key === 'Escape') event.preventDefault() })
  frame.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    void saveTyped()
  })
  const others = () => say(t('`{file}` has just been changed by somebody else. Saving shows you both versions first.', { file: draft.file }), true)
  const hold = (/** @type {BeforeUnloadEvent} */ event) => { if (isTyped()) event.preventDefault() }
  document.addEventListener('portico:others', others)
  addEventListener('beforeunload', hold)

  function leave() {
    if (isTyped()) decide(true)
    else close()
  }
  function close() {
    isClosed = true
    document.removeEventListener('portico:others', others)
    removeEventListener('beforeunload', hold)
    field.destroy()
    end()
  }

  setWrap(matchMedia(NARROW).matches)
  changed()
  field.focus()
}

/** @param {Problem} obstacle */
const mendFirst = ({ line }) => t('Line {line} has to be fixed first.', { line })
