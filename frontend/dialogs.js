// Starts the bundle of dialogs and menus (`frontend/dialogs`) at its first use: of a control of the options, of a notice or a hint,
// or with the first event that may open a context menu.

import dialogsModule from 'built:dialogs_bg.wasm'
import configMenuSheet from 'built:config-menu.css'
import menuSheet from 'built:menu.css'
import tourSheet from 'built:tour.css'
import chooserSheet from 'built:theme-chooser.css'
import colorsSheet from 'built:theme-colors.css'

/** @type {Record<string, string>} */
const SHEETS = { 'config-menu': configMenuSheet, 'menu': menuSheet, 'theme-chooser': chooserSheet, 'theme-colors': colorsSheet, 'tour': tourSheet }

/** @param {string} name */
const address = (name) => new URL(name, import.meta.url).href

/** Says that the server does not respond, so something cannot be loaded. */
export function sayUnreachable() {
  const text = 'The server of this dashboard cannot be reached.'
  const { texts } = /** @type {any} */ (document.getElementById('settings'))
  import('./stream.js').then((stream) => stream.say(texts?.[text] ?? text), () => {})
}

/**
 * What the page offers the bundle.
 *
 * @typedef {object} Host
 * @property {(name: string) => string} sheet The address of a style sheet by its name without the hash.
 * @property {() => void} sayUnreachable
 * @property {() => Promise<any>} editor Loads `frontend/edit.js`.
 */

/** @type {Host} */
const host = { sheet: (name) => address(SHEETS[name] ?? ''), sayUnreachable, editor: () => import('./edit.js') }

/** @type {Promise<any> | undefined} */
let running

async function start() {
  const module = fetch(address(dialogsModule))
  // Its failure is that of the start.
  module.catch(() => {})
  const bundle = await import('built:dialogs.js')
  await bundle.default({ module_or_path: module })
  bundle.start(host)
  return bundle
}

/** The bundle, running. A start that has failed is tried again at the next use. @returns {Promise<any>} */
export function dialogs() {
  running ??= start().catch((error) => {
    running = undefined
    throw error
  })
  return running
}

/** Begins the tour of a new dashboard, unless this browser has seen it, or cannot remember that. */
export function tour() {
  try {
    if (localStorage.getItem('porticoTour')) return
  } catch {
    return
  }
  dialogs().then((bundle) => bundle.start_tour()).catch(console.warn)
}

/** Uses the bundle. If something cannot be loaded, the page says so and goes on. @param {(bundle: any) => unknown} action */
async function withDialogs(action) {
  try {
    await action(await dialogs())
  } catch (error) {
    console.warn(error)
    sayUnreachable()
  }
}

/** Does what a control is for. @param {HTMLElement} control */
export default (control) => withDialogs((bundle) => bundle.use_control(control))

/**
 * Handles an event that may open a context menu (`frontend/dialogs/src/context_menu`).
 *
 * @param {Event | { type: 'press', clientX: number, clientY: number }} event A context menu, a key, a finger that comes down,
 *   or a press that has lasted long enough.
 * @param {Element} element The target: a link, a tile, a heading, or a control of the editor.
 */
export const menu = (event, element) => void withDialogs((bundle) => bundle.handle_menu_event(event, element))
