// The local config: a config that is saved in this browser and shown instead of the file (docs/editing.md, "Saving locally").
// Loaded when there is one, and when one is saved.
//
// It belongs to a page and a person: `porticoDraft-<person>-/<page>` in the storage. Like drafts, it is deleted on sign-out, and
// when somebody else opens the page (`app/src/document/inline/theme.js`).

import { button, dialog, element, download, words } from './elements.js'
import { call, Rejection } from './server.js'
import { loadTexts, t } from '../texts.js'

/**
 * The stored value; the editor reads it too (`frontend/editor/src/storage.rs`).
 *
 * @typedef {object} Local
 * @property {string} text The config.
 * @property {string} version The version of the file that it began with.
 * @property {string} base The text of that version.
 * @property {number} at When it was saved, in milliseconds since 1970.
 * @property {unknown[]} [copies] What saving it to disk also writes to files of other pages, a list of `config::PageCopy`.
 * @property {boolean} [written] Whether the text is as a person wrote it.
 */

/**
 * What the server reports about the file.
 *
 * @typedef {{ file: string, version: string, readOnly?: string, keepsBackups: boolean, otherWidgets: Record<string, string> }} About
 */

/**
 * @typedef {object} Host
 * @property {string} base Path prefix of the product.
 * @property {any} stream The module `frontend/stream.js`.
 * @property {(page?: Document) => void} showTheme Shows the theme of a document, or that of the page.
 * @property {() => Promise<void>} begin Starts edit mode.
 * @property {(frames: () => HTMLElement[]) => void} fill Requests the panels of widgets, given their entries.
 */

/** How long to collect status changes before drawing the page again, in milliseconds. */
const PAUSE = 2e3
const FRAMES = '#content .widget-base'

const root = document.documentElement
const settings = /** @type {HTMLElement} */ (document.getElementById('settings'))
const page = root.dataset.page ?? null
const key = `porticoDraft-${root.dataset.drafts}-/${page ?? ''}`
/** @type {Host} */
let host
/** @type {About | undefined} */
let about
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later
let turn = 0
/** Whether the page shows the local config. */
let shown = false

/** The stored local config of the page. @returns {Local | undefined} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Draws the local config each time the page would draw the file. @param {Host} using */
export function follow(using) {
  if (host) return
  host = using
  document.addEventListener('portico:change', (event) => {
    if ('editing' in root.dataset) return
    if (kept()) {
      event.preventDefault()
      void draw()
    } else if (document.getElementById('local-config')) {
      // The editor has just saved it to disk.
      forget()
    }
  })
  document.addEventListener('portico:status', () => {
    clearTimeout(later)
    later = setTimeout(() => { if (!('editing' in root.dataset)) void draw() }, PAUSE)
  })
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null || 'editing' in root.dataset) return
    if (kept()) void draw()
    else location.reload()
  })
}

/** Shows the local config on the page. */
export async function draw() {
  const local = kept()
  if (!local) return
  const mine = ++turn
  const texts = loadTexts(host.base, 'dialogs')
  settings.dataset.local = '1'
  try {
    const [{ html, local: found }] = await Promise.all([call(host.base, 'editor-preview', { page, text: local.text, shown: settings.dataset.address }), texts])
    if (mine !== turn || 'editing' in root.dataset) return
    about = found
    show(html, found)
    shown = true
    badge(local)
  } catch (error) {
    const isForbidden = error instanceof Rejection && error.kind === 'forbidden'
    await texts
    // An older drawing stays on the page, unless this person may no longer see it.
    if (shown && isForbidden) location.reload()
    if (shown) return
    delete settings.dataset.local
    const said = error instanceof Rejection ? error.message : String(error)
    const more = error instanceof Rejection && error.kind === 'sign-in' ? ` ${t('The local config stays stored, and is shown again after you sign in.')}` : ''
    badge(local, said + more)
  }
}

/** @param {string} html @param {About} found */
function show(html, found) {
  /** @type {Document} */
  const drawn = host.stream.parse(html)
  const entry = (/** @type {HTMLElement} */ frame) => found.otherWidgets[frame.dataset.widget ?? '']
  for (const frame of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(FRAMES))) {
    // A panel belongs to its entry.
    if (frame.dataset.entry !== entry(frame)) frame.remove()
  }
  for (const frame of /** @type {NodeListOf<HTMLElement>} */ (drawn.querySelectorAll(FRAMES))) {
    const other = entry(frame)
    if (other === undefined) continue
    frame.dataset.entry = other
    // Panels are requested by position in the file, where another widget has this position.
    if (frame.dataset.place !== 'local') delete frame.dataset.place
    frame.querySelector('.widget-reload')?.remove()
  }
  const loaded = new Set([...document.head.querySelectorAll('link')].map((link) => link.href))
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (drawn.head.querySelectorAll('link[rel="stylesheet"]'))) {
    const { href } = Object.assign(document.createElement('a'), { href: link.getAttribute('href') })
    if (!loaded.has(href)) document.head.append(element('link', { rel: 'stylesheet', href }))
  }
  host.stream.become(drawn)
  host.showTheme(drawn)
  document.dispatchEvent(new Event('portico:changed'))
  host.fill(() => [...document.querySelectorAll(`${FRAMES}[data-entry]:has(> .widget-body[data-state=loading])`)].map((frame) => /** @type {HTMLElement} */ (frame)))
}

/** Shows a badge that says that this is a local config. @param {Local} local @param {string} [failure] Why it cannot be shown. */
function badge(local, failure) {
  // Do not replace the panel while it is being read.
  if (document.querySelector('#local-panel:popover-open')) return
  document.getElementById('local-config')?.remove()
  const file = about?.file ?? t('the config file')
  const quoted = about ? `\`${file}\`` : file
  const when = new Date(local.at).toLocaleString(navigator.language.startsWith(root.lang) || root.lang === 'zz-pirate' ? undefined : root.lang)
  const what = t('This page shows a config that is stored only in this browser, saved on {time}. Everyone else sees {file}.', { time: when, file: quoted })
  const isOld = about && about.version !== local.version
  const changed = isOld ? ` ${t('{file} has changed since: Edit, then Save, shows both versions.', { file: quoted })}` : ''
  const text = element('p', {}, ...words(failure ? `${failure} ${t('This page shows the file. Your config of {time} is stored in this browser.', { time: when })}` : what + changed))
  const told = element('p', { className: 'local-told', role: 'status' })
  const say = (/** @type {string} */ said) => told.replaceChildren(...words(said))
  const actions = element('div', { className: 'local-actions' })
  const question = element('div', { className: 'local-actions', hidden: true })
  /** Asks for confirmation before something is lost. @param {string} text @param {string} label @param {() => void} act */
  const confirm = (text, label, act) => {
    say(text)
    const back = () => {
      say('')
      actions.hidden = false
      question.hidden = true
    }
    question.replaceChildren(button(t('Cancel'), back), button(label, () => { back(); act() }, 'primary'))
    actions.hidden = true
    question.hidden = false
    question.querySelector('button')?.focus()
  }
  const saveToDisk = async () => {
    try {
      const { message, version, failures, left } = await call(host.base, 'editor-save', { page, text: local.text, version: local.version, copies: local.copies })
      const said = [...failures ?? [], message].join(' ')
      if (left) {
        // The local config keeps what other pages did not get.
        Object.assign(local, { version, base: local.text, copies: left })
        localStorage.setItem(key, JSON.stringify(local))
        return say(said)
      }
      localStorage.removeItem(key)
      await host.stream.change('', said)
    } catch (error) {
      const { message, kind = '' } = /** @type {Partial<Rejection>} */ (error)
      say(kind === 'changed' ? t('{file} has changed since. Choose Edit, then Save: you see both versions first.', { file: quoted }) : `${message} ${t('The local config stays stored.')}`)
    }
  }
  const asked = t('Write the local config to {file}? It is written as it is, without comments that only the file has.', { file: quoted })
  const backup = about?.keepsBackups ? t('What is in the file now stays among the backups.') : t('What is in the file now is lost, because this server keeps no backups.')
  const save = button(t('Save to disk'), () => confirm(`${asked} ${backup}`, t('Save'), () => void saveToDisk()))
  if (about?.readOnly || failure) save.disabled = true
  if (about?.readOnly) save.title = about.readOnly.replaceAll('`', '')
  actions.append(
    ...failure || !document.querySelector('.edit-button') ? [] : [button(t('Edit'), () => { panel.hidePopover(); void host.begin() })],
    button(t('Download'), () => download(about?.file ?? 'conf.yml', local.text, 'application/yaml')),
    save,
    button(t('Reset'), () => confirm(t('Forget the local config? The page then shows the file. Download it first if you may want it again.'), t('Reset'), () => {
      localStorage.removeItem(key)
      location.reload()
    })),
  )
  const panel = element('div', { id: 'local-panel', className: 'local-panel', popover: 'auto', role: 'region', 'aria-label': t('Local config') }, text, told, actions, question)
  const open = element('button', { type: 'button', className: 'local-badge' }, t(failure ? 'Local config not shown' : 'Local config'))
  open.setAttribute('popovertarget', panel.id)
  if (failure) open.classList.add('failed')
  // The overlay is never replaced when the page changes.
  document.getElementById('overlay')?.append(element('div', { id: 'local-config', className: 'local-config' }, open, panel))
}

/** Removes the badge and the theme of the local config. */
function forget() {
  turn += 1
  document.getElementById('local-config')?.remove()
  shown = false
  delete settings.dataset.local
  host.showTheme()
}

/** Keeps the draft in this browser, after a confirmation, and ends edit mode. @param {any} editor The bundle. */
export function save(editor) {
  /** @type {{ file: string, text: string, saved: string, version: string, copies: unknown[], written: boolean }} */
  const { file, text, saved, version, copies, written } = JSON.parse(editor.draft_text())
  const alert = element('p', { className: 'edit-problem', role: 'alert' })
  const keep = () => {
    /** @type {Local} */
    const local = { text, version, base: saved, at: Date.now(), copies, written }
    try {
      // As in `frontend/editor/src/storage.rs`.
      if (localStorage.porticoOwner !== root.dataset.drafts) {
        alert.textContent = t('You have signed out in another tab. Sign in there again, then save here.')
        return
      }
      localStorage.setItem(key, JSON.stringify(local))
    } catch {
      alert.textContent = t('This browser does not keep it: its storage is full, or turned off for this site. Download the draft instead.')
      return
    }
    end()
    editor.end_editing(t('The config is saved in this browser.'))
  }
  const { end } = dialog(t('Save in this browser only?'), 'edit-question', () => end(),
    element('p', { className: 'edit-text' }, ...words(t('The page then shows your draft here, with a badge that says so. Everybody else, and your other browsers, see `{file}` as it is. It is forgotten when you reset it, save it to disk or sign out.', { file }))),
    alert, element('div', { className: 'edit-buttons' }, button(t('Keep editing'), () => end()), button(t('Save locally'), keep, 'primary')))
}
