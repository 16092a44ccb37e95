// Starts edit mode: loads the editor, and shows in the open page what the server draws for it. Loaded at the first click on
// the pencil, or for a local config.

import editorSheet from 'built:editor.css'
import editorModule from 'built:editor_bg.wasm'
import { dialogs, menu } from './dialogs.js'
import { t } from './texts.js'

/**
 * The dialogs of edit mode. That of `colors` is not of the bundle.
 *
 * @typedef {'colors' | 'local' | 'yaml' | 'encrypt' | 'restore' | 'styles' | 'page-info' | 'settings' | 'pages' | 'import' | 'backups'} Dialog
 */

/**
 * What the page offers for a local config.
 *
 * @typedef {object} LocalHost
 * @property {string} base Path prefix of the product.
 * @property {string | null} page The slug of the page; null for the home page.
 * @property {typeof import('./stream.js')} stream Patches the open page.
 * @property {() => Promise<void>} begin Starts edit mode.
 */

/**
 * What the page offers the editor, besides that.
 *
 * @typedef {object} EditHost
 * @property {HTMLElement} button What was clicked to begin.
 * @property {() => void} ended Runs when edit mode ends.
 * @property {(dialog: Dialog | 'protect') => void} open Opens a dialog that is a script of its own.
 * @property {(element: Element, x: number, y: number) => void} menu Opens the context menu of an element at a place in the window.
 * @property {(field: HTMLInputElement) => void} chooseTheme Opens the dialog of themes for a field.
 * @property {() => Promise<any>} code Loads the field for the text of a config.
 *
 * @typedef {LocalHost & EditHost} Host
 */

const notLoaded = () => t('This part of the editor cannot be loaded. See that the server can be reached, and try again.')

const root = document.documentElement
const settings = /** @type {HTMLElement} */ (document.getElementById('settings'))
/** Path prefix of the product. */
const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '')
const page = new URLSearchParams(settings.dataset.address).get('page')
/** How long a page stays hidden while its local config loads, in milliseconds. */
const MAX_WAIT = 2e3
/** The storage key of the local config of the page, and the value that stands for none. */
const localKey = `porticoDraft-${root.dataset.drafts}-/${root.dataset.page ?? ''}`
const NO_CONFIG = 'null'
/** The storage key of the dialog that a tab opens when it comes to the home view. */
const BEGIN = 'porticoBegin'
let running = false
/** The bundle, once it is loaded. @type {any} */
let editor

/** @param {HTMLElement} button */
export default async function edit(button) {
  if (button.dataset.home) return leaveFor(button.dataset.home)
  if (button.dataset.start === 'protect') return void open('protect')
  if (running) return
  running = true
  // Edit mode replaces the button with a new one.
  const options = { ...button.dataset }
  button.setAttribute('aria-busy', 'true')
  // The page must not change under an editor that is starting.
  let isChanged = false
  const postpone = (/** @type {Event} */ event) => {
    event.preventDefault()
    isChanged = true
  }
  document.addEventListener('portico:change', postpone)
  try {
    const [stream, bundle] = await Promise.all([loadStream(), loadEditor(), loadStyles()])
    editor = bundle
    const message = await editor.start(/** @type {Host} */ ({
      ...localHost(stream),
      button,
      ended: () => { running = false },
      open: (dialog) => void open(dialog),
      menu: (element, x, y) => menu({ type: 'press', clientX: x, clientY: y }, element),
      chooseTheme: (field) => void dialogs().then((bundle) => bundle.choose_theme(field)).catch(() => showToast(notLoaded())),
      code: () => import('./edit/code.js'),
    }))
    if (message) throw new Error(message)
    // The page of a new dashboard offers ways to begin.
    if (options.start) editor.begin(options.start, options.replaces !== undefined)
  } catch (error) {
    running = false
    showToast(error instanceof Error ? error.message : String(error))
  }
  document.removeEventListener('portico:change', postpone)
  // Without an editor, the page follows the file as usual.
  if (isChanged && running) document.dispatchEvent(new Event('portico:change', { cancelable: true }))
  else if (isChanged) loadStream().then((stream) => stream.change(''), () => {})
  button.removeAttribute('aria-busy')
}

/** Starts edit mode unless it is on, and opens a dialog. @param {Dialog} [dialog] */
export async function begin(dialog) {
  const pencil = /** @type {HTMLElement | null} */ (document.querySelector('.pencil'))
  if (pencil?.dataset.home) return leaveFor(pencil.dataset.home, dialog)
  if (!running && pencil) {
    await edit(pencil)
    await answered()
  }
  if (running && dialog) editor.open_dialog(dialog)
}

/** Adds a widget that was chosen in the gallery. @param {string} kind Its type. */
export async function addWidget(kind) {
  // Loading the page again must not ask again.
  history.replaceState(history.state, '', location.pathname)
  await begin()
  if (running) editor.add_widget(kind)
}

/** Waits until the editor has no question open, such as whether to continue an old draft. @returns {Promise<void>} */
function answered() {
  return new Promise((done) => {
    const check = () => {
      if (document.querySelector('#editor dialog')) return
      observer.disconnect()
      done()
    }
    const observer = new MutationObserver(check)
    observer.observe(document.body, { childList: true, subtree: true })
    check()
  })
}

/** A setting of the draft; `null` if it is missing, or edit mode is off. @param {string} key */
export const setting = (key) => running ? JSON.parse(editor.setting(key)) : null

/** Changes a setting of the draft. Without a label for the history, it is only previewed. @param {string} key @param {unknown} value @param {string} [label] */
export const changeSetting = (key, value, label) => editor.change_setting(key, JSON.stringify(value), label)

/** Adds colors of this browser to the draft. The browser keeps them until the draft is saved. @param {string} theme @param {Record<string, string>} colors */
export const takeColors = (theme, colors) => editor.take_colors(theme, JSON.stringify(colors))

/** Whether the page is being edited. */
export const isRunning = () => running

/** Edits the page in the home view: goes there, where `local` starts edit mode. @param {string} home @param {Dialog} [dialog] */
function leaveFor(home, dialog) {
  try {
    sessionStorage.setItem(BEGIN, dialog ?? '')
    // Pages load this script by themselves only if there is a local config.
    localStorage[localKey] ||= NO_CONFIG
  } catch {
    // The browser forbids storage, so the pencil there has to be clicked.
  }
  location.assign(home)
}

/** Starts edit mode if the viewer came for that. */
function arrive() {
  const dialog = /** @type {Dialog | '' | null} */ (sessionStorage.getItem(BEGIN))
  if (dialog === null) return
  sessionStorage.removeItem(BEGIN)
  if (localStorage[localKey] === NO_CONFIG) localStorage.removeItem(localKey)
  void begin(dialog || undefined)
}

/** Shows the local config instead of the file, if there is one. Settles after `MAX_WAIT` at the latest. */
export async function local() {
  arrive()
  if (!(localKey in localStorage)) return
  const drawn = Promise.all([loadEditor(), loadStream(), loadStyles()]).then(([bundle, stream]) => bundle.show_local(localHost(stream)))
  await Promise.race([drawn, new Promise((done) => setTimeout(done, MAX_WAIT))])
}

/** The bundle of the editor, while it is loaded and then. @type {Promise<any> | undefined} */
let bundle

/** Loads the bundle of the editor. It must not be started twice. @returns {Promise<any>} */
function loadEditor() {
  bundle ??= startEditor().catch((error) => {
    // The next attempt loads it again.
    bundle = undefined
    throw error
  })
  return bundle
}

/** @returns {Promise<any>} */
async function startEditor() {
  const bundle = await import('built:editor.js')
  await bundle.default({ module_or_path: new URL(editorModule, import.meta.url) })
  return bundle
}

/** The script that keeps the page up to date. The demo has none. */
const loadStream = () => import('./stream.js')

/** What the page offers for a local config. @param {typeof import('./stream.js')} stream @returns {LocalHost} */
const localHost = (stream) => ({ base, page, stream, begin })

/** @param {Dialog | 'protect'} dialog */
async function open(dialog) {
  try {
    if (dialog === 'colors') return colors()
    if (dialog === 'protect') {
      const [bundle] = await Promise.all([loadEditor(), loadStyles()])
      return await bundle.protect(base)
    }
  } catch {
    showToast(notLoaded())
  }
}

/** The editor's style sheet. @returns {Promise<void>} */
function loadStyles() {
  return new Promise((done, failed) => {
    if (document.getElementById('editor-style')) return done()
    const link = document.createElement('link')
    Object.assign(link, { id: 'editor-style', rel: 'stylesheet', href: new URL(editorSheet, import.meta.url), onload: () => done() })
    link.onerror = () => {
      // The next attempt loads it again.
      link.remove()
      failed(new Error(t('The editor cannot be loaded. Try again, or reload the page.')))
    }
    document.head.append(link)
  })
}

/** Opens the dialog of the theme's colors, which change the draft. */
async function colors() {
  await (await dialogs()).open_colors({ setting, changeSetting })
}

/** Shows a toast. @param {string} text */
function showToast(text) {
  loadStream().then((stream) => stream.say(text), () => {})
}
