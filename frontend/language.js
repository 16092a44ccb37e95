// Brings the open page into the language that was just chosen, without loading it again: scroll position, search, open sections and
// frames stay as they are. Loaded at its first use.

/** Attributes that have a text. */
const TEXTS = ['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'content', 'dir', 'placeholder', 'title', 'value']

/**
 * Gets the page in its new language, and shows it. Throws if the page has to be loaded again instead.
 *
 * @param {Pick<typeof import('./stream.js'), 'become' | 'parse'> & { close: () => void, open: () => void }} stream
 */
export default async function translate({ become, parse, close, open }) {
  const root = document.documentElement
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = parse(await answer.text())
  const fresh = page.getElementById('settings')
  // The editor has texts of its own, and changes that are not saved. A script that teaches the browser a language has to run first.
  if (!answer.ok || !fresh || 'editing' in root.dataset || page.querySelector('[data-formats]')) throw new Error('the page cannot change in place')
  const settings = /** @type {any} */ (document.getElementById('settings'))
  for (const name of ['lang', 'dir']) {
    const value = page.documentElement.getAttribute(name)
    if (value) root.setAttribute(name, value)
    else root.removeAttribute(name)
  }
  // What scripts have loaded is in the old language.
  settings.removeAttribute('data-dialog-texts')
  settings.removeAttribute('data-texts')
  for (const name of ['texts', 'core', 'version']) {
    const value = fresh.dataset[name]
    if (value) settings.dataset[name] = value
  }
  settings.texts = JSON.parse(fresh.dataset.texts || '{}')
  become(page, copyTexts)
  const choice = (/** @type {Document} */ of) => /** @type {HTMLSelectElement | null} */ (of.querySelector('[name=language]'))
  const [shown, chosen] = [document, page].map(choice)
  if (shown && chosen) {
    shown.value = chosen.value
    // What the form returns to if another choice cannot be sent.
    for (const option of shown.options) option.defaultSelected = option.selected
    shown.focus()
  }
  for (const name of ['changed', 'language']) document.dispatchEvent(new CustomEvent(`portico:${name}`, { detail: page }))
  // The server writes events in the language of their request.
  close()
  open()
}

/**
 * Copies the texts of a part whose nodes belong to the bundle, which goes on with them. What it has drawn since, such as results of
 * a search, has no counterpart in the page, and stays until it is drawn again.
 *
 * @param {Node} old @param {Node} fresh
 */
function copyTexts(old, fresh) {
  if (old instanceof Element && fresh instanceof Element) {
    if (old.matches('.widget-body, .widget-note, script')) return
    for (const name of TEXTS) {
      const value = fresh.getAttribute(name)
      // The value of a field is what a person has typed.
      if (value !== null && old.hasAttribute(name) && !(name === 'value' && old.matches('input, option, select'))) old.setAttribute(name, value)
    }
  } else if (old.nodeType === Node.TEXT_NODE && old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue
  const isAlike = old.childNodes.length === fresh.childNodes.length && [...old.childNodes].every((child, at) => child.nodeName === fresh.childNodes[at].nodeName)
  if (isAlike) old.childNodes.forEach((child, at) => copyTexts(child, fresh.childNodes[at]))
}
