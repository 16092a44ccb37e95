/*! CodeMirror and Lezer, © Marijn Haverbeke and others, MIT license. */
// The field for the text of a config: CodeMirror with YAML, the schema, and the colors of the page.
//
// It lives in a shadow root: there CodeMirror adopts its style sheet, which the page's policy allows, and in a document it
// would insert a style element, which the policy forbids.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, linter, nextDiagnostic } from '@codemirror/lint'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

import { t } from '../texts.js'

/**
 * What is wrong in a text, as the server says; line and column count from 1.
 *
 * @typedef {{ line: number, column: number, message: string, blocks: boolean }} Problem
 *
 * What the editor knows about a position: a zero-based row, and a column. Returns JSON.
 *
 * @typedef {(lines: string[], row: number, column: number) => string | undefined} Lookup
 */

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--code-editor-color)', backgroundColor: 'var(--code-editor-background)', fontSize: '0.875rem' },
  // The element around it shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'currentColor' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--code-editor-background)', borderRight: '1px solid var(--hairline)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--veil)', color: 'inherit' },
  '.cm-foldGutter span': { cursor: 'pointer', padding: '0 0.25rem' },
  '.cm-foldPlaceholder': { color: 'inherit', backgroundColor: 'var(--veil-strong)', borderColor: 'var(--border)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--tint)', outline: '1px solid var(--border)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--danger)' },
  '.cm-searchMatch': { backgroundColor: 'var(--tint)', outline: '1px solid var(--border)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--tint)', outline: '2px solid var(--primary)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--veil-strong)' },
  '.cm-panels': { color: 'var(--foreground)', backgroundColor: 'var(--surface)', fontFamily: 'var(--font-body)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-panel.cm-search': { padding: '0.5rem 2.5rem 0.5rem 0.75rem' },
  '.cm-panel.cm-search label': { fontSize: '0.8125rem' },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: '1.25rem', padding: '0 0.5rem' },
  '.cm-textfield': { color: 'inherit', backgroundColor: 'var(--code-editor-background)', border: '1px solid var(--border)', fontSize: '0.875rem', padding: '0.25rem 0.5rem' },
  '.cm-button': { color: 'inherit', backgroundColor: 'var(--surface)', backgroundImage: 'none', border: '1px solid var(--border)', borderRadius: '4px', fontSize: '0.8125rem', padding: '0.25rem 0.5rem' },
  '.cm-tooltip': { color: 'var(--foreground)', backgroundColor: 'var(--raised)', border: '1px solid var(--border)', borderRadius: '4px', fontFamily: 'var(--font-body)', fontSize: '0.8125rem', maxWidth: 'min(28rem, 90vw)' },
  '.cm-tooltip p': { margin: '0', padding: '0.25rem 0.625rem' },
  '.cm-tooltip .cm-completionInfo': { padding: '0.25rem 0.625rem', maxWidth: 'min(22rem, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--on-primary)', backgroundColor: 'var(--primary)' },
  '.cm-completionDetail': { opacity: '0.8' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warning)' },
  '.cm-diagnostic': { padding: '0.25rem 0.625rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
})

const colors = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--link)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: 'var(--warning)' },
]))

/**
 * Puts the field into an element.
 *
 * @param {object} options
 * @param {HTMLElement} options.place The element, which is empty.
 * @param {string} options.text
 * @param {string} options.label What the field is, for screen readers.
 * @param {(text: string) => Promise<string>} options.check What is wrong in a text: JSON of a list of {@link Problem}.
 * @param {() => void} options.onChange
 * @param {Lookup} options.complete `{ from, options }` as CodeMirror takes them.
 * @param {Lookup} options.hint `{ from, to, lines }`.
 */
export function codeField({ place, text, label, check, onChange, complete, hint }) {
  const root = place.attachShadow({ mode: 'open' })
  const wrapping = new Compartment()
  // CodeMirror keeps lines, not what ends them.
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  // CodeMirror's timers may outlast the view, and the functions of the editor end with it.
  let isDestroyed = false
  /** What is known about a position. @param {Lookup} lookup @param {EditorState} state @param {number} pos */
  const known = (lookup, state, pos) => {
    const line = state.doc.lineAt(pos)
    const found = isDestroyed ? undefined : lookup(state.doc.toString().split('\n'), line.number - 1, pos - line.from)
    return { line, found: found === undefined ? undefined : JSON.parse(found) }
  }

  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter({ markerDOM: foldMarker }), lintGutter(), highlightSpecialChars(), highlightActiveLine(), highlightActiveLineGutter(),
        history(), bracketMatching(), indentUnit.of('  '), EditorState.tabSize.of(2), yaml(), colors, theme, search({ top: true }),
        wrapping.of([]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange() }),
        linter(async ({ state }) => {
          /** @type {Problem[]} */
          const problems = JSON.parse(await check(state.doc.toString()))
          return problems.map((problem) => ({ ...range(state, problem), severity: problem.blocks ? 'error' : 'warning', message: problem.message.replaceAll('`', '') }))
        }, { delay: 500 }),
        autocompletion({ icons: false, override: [(context) => {
          const { line, found } = known(complete, context.state, context.pos)
          if (!found || found.options.length === 0 || !context.explicit && line.from + found.from === context.pos) return null
          return { from: line.from + found.from, options: found.options, validFor: /^[\w./-]*$/ }
        }] }),
        hoverTooltip(({ state }, pos) => {
          const { line, found } = known(hint, state, pos)
          if (!found) return null
          const create = () => ({ dom: paragraphs(found.lines) })
          return { pos: line.from + found.from, end: line.from + found.to, above: true, create }
        }),
        EditorState.phrases.of(phrases()),
        keymap.of([
          { key: 'F8', run: nextDiagnostic },
          ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap, indentWithTab,
        ]),
      ],
    }),
  })

  return {
    text: () => view.state.doc.toString().replaceAll('\n', lineEnd),
    /** Puts another text there, as one step of the field's own undo. @param {string} next */
    replace(next) {
      const { head } = view.state.selection.main
      const insert = view.state.toText(next)
      const at = Math.min(head, insert.length)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, selection: { anchor: at }, scrollIntoView: true })
    },
    /** Shows a place, with the cursor at it. @param {number} line @param {number} column */
    jump(line, column) {
      const { from } = range(view.state, { line, column })
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
      view.focus()
    },
    /** @param {boolean} on */
    wrap: (on) => view.dispatch({ effects: wrapping.reconfigure(on ? EditorView.lineWrapping : []) }),
    find: () => openSearchPanel(view),
    /** Whether the line with the cursor is in sight. */
    seesCursor() {
      const at = view.coordsAtPos(view.state.selection.main.head)
      const { top, bottom } = view.scrollDOM.getBoundingClientRect()
      return at !== null && at.bottom > top && at.top < bottom
    },
    showCursor: () => view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'nearest', yMargin: 24 }) }),
    focus: () => view.focus(),
    /** Formats the text. Returns whether it was not formatted before. @throws If it is not valid YAML, or its meaning would change. */
    async format() {
      const { default: formatted } = await import('./format.js')
      const before = view.state.doc.toString()
      const after = formatted(before)
      if (after === before) return false
      this.replace(after)
      return true
    },
    async copy() {
      try {
        await navigator.clipboard.writeText(this.text())
      } catch {
        // Without HTTPS, scripts cannot use the clipboard.
        view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } })
        view.focus()
        document.execCommand('copy')
      }
    },
    destroy() {
      isDestroyed = true
      view.destroy()
    },
  }
}

/** What CodeMirror itself says, in the language of the page. */
const phrases = () => ({
  'Find': t('Find'), 'Replace': t('Replace'), 'next': t('next'), 'previous': t('previous'), 'all': t('all'), 'match case': t('match case'), 'regexp': t('regexp'),
  'by word': t('by word'), 'replace': t('replace'), 'replace all': t('replace all'), 'close': t('close'), 'current match': t('current match'), 'on line': t('on line'),
  'replaced $ matches': t('replaced $ matches'), 'replaced match on line $': t('replaced match on line $'), 'Completions': t('Completions'),
  'Diagnostics': t('Diagnostics'), 'No diagnostics': t('No diagnostics'), 'Control character': t('Control character'), 'Folded lines': t('Folded lines'),
  'Unfolded lines': t('Unfolded lines'), 'folded code': t('folded code'), 'unfold': t('unfold'), 'to': t('to'), 'Selection deleted': t('Selection deleted'),
})

/** @param {string[]} lines */
function paragraphs(lines) {
  const all = document.createElement('div')
  for (const line of lines) all.append(Object.assign(document.createElement('p'), { textContent: line.replaceAll('`', '') }))
  return all
}

/** What folds and unfolds a block. @param {boolean} isOpen */
function foldMarker(isOpen) {
  const marker = document.createElement('span')
  marker.title = isOpen ? t('Fold') : t('Unfold')
  marker.innerHTML = `<svg viewBox="0 0 10 10" width="10" height="10"><path d="${isOpen ? 'M1 3l4 4l4-4' : 'M3 1l4 4l-4 4'}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>`
  return marker
}

/** The characters that a problem is about: the word at its place, or the line. @param {EditorState} state @param {{ line: number, column: number }} place */
function range(state, { line, column }) {
  const at = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)))
  const from = Math.min(at.from + Math.max(0, column - 1), at.to)
  const word = /^[^\s:]+/.exec(state.sliceDoc(from, at.to))
  return { from, to: word ? from + word[0].length : at.to }
}
