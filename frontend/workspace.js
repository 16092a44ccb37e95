// Opens items beside the sidebar of the workspace view (docs/spec/behavior.md 9). Without this script, the links of
// the sidebar open in the frame that the page has for browsers without scripts.

export {}

/** A text in the language of the page. @type {(text: string) => string} */
const t = (text) => /** @type {any} */ (document.getElementById('settings'))?.texts?.[text] ?? text
const page = /** @type {HTMLElement} */ (document.getElementById('page'))
const bar = /** @type {HTMLElement} */ (document.getElementById('stage-bar'))
const frames = /** @type {HTMLElement} */ (document.getElementById('frames'))
const hint = /** @type {HTMLElement} */ (document.querySelector('.stage-hint'))
const HINT = hint.textContent ?? ''
const OPENABLE = '#content a[target=stage]'

/** The open frames, by address. @type {Map<string, HTMLIFrameElement>} */
const open = new Map()

/** The address, if it is a web address. @param {string | null | undefined} written */
function web(written) {
  if (!written?.trim()) return undefined
  try {
    const { protocol, href } = new URL(written, location.href)
    return /^https?:$/.test(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** @returns {HTMLAnchorElement[]} */
const links = () => [...document.querySelectorAll(/** @type {'a'} */ (OPENABLE))]
/** @param {string} address */
const linkTo = (address) => links().find((link) => link.href === address)
/** @param {HTMLAnchorElement | undefined} link */
const title = (link) => link?.querySelector('.tile-title')?.textContent?.trim()

/** Shows an address, or the empty view. @param {string | undefined} address */
function show(address) {
  const link = address ? linkTo(address) : undefined
  for (const other of links()) other.ariaCurrent = other === link ? 'true' : null
  if (!frames.hasAttribute('data-keep')) {
    for (const [key, frame] of open) {
      if (key === address) continue
      frame.remove()
      open.delete(key)
    }
  }
  for (const [key, frame] of open) frame.hidden = key !== address
  bar.hidden = !address
  if (address) page.dataset.stage = 'frame'
  else delete page.dataset.stage
  if (!address) return
  const name = title(link) || new URL(address).host
  const heading = bar.querySelector('h2')
  if (heading) heading.textContent = name
  bar.querySelector('a')?.setAttribute('href', address)
  if (open.has(address)) return
  const frame = document.createElement('iframe')
  frame.title = name
  frame.allow = 'fullscreen; clipboard-write'
  // The server only knows which sites of items can be shown in a frame; other addresses are loaded directly.
  const isKnown = new URL(address).origin !== location.origin && (link || address === web(frames.dataset.landing))
  frame.src = isKnown ? new URL(`framed?url=${encodeURIComponent(address)}`, import.meta.url).href : address
  open.set(address, frame)
  frames.append(frame)
}

/** Opens an address as a history entry, so that "Back" returns from it. @param {string} address */
function go(address) {
  const next = new URL(location.href)
  next.searchParams.set('url', address)
  if (next.href !== location.href) history.pushState(null, '', next)
  show(address)
}

/** Expands the section that contains a link, which closes the others. @param {string} address */
function expand(address) {
  const section = linkTo(address)?.closest('details')
  if (section) section.open = true
}

/** Shows what the address of the page names, or else what the config names. */
function start() {
  const wanted = new URLSearchParams(location.search).get('url')
  const address = web(wanted ?? frames.dataset.landing)
  hint.textContent = wanted !== null && !address ? t('This cannot be opened here: only addresses that begin with http or https can.') : HINT
  if (address) expand(address)
  show(address)
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest(OPENABLE))
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const address = web(link.href)
  // Other addresses, such as mail addresses, are left to the browser.
  if (!address) return link.removeAttribute('target')
  event.preventDefault()
  go(address)
  const section = link.closest('details')
  if (section && matchMedia('(width < 780px)').matches) section.open = false
})

bar.querySelector('button')?.addEventListener('click', () => {
  const address = bar.querySelector('a')?.href ?? ''
  open.get(address)?.remove()
  open.delete(address)
  const next = new URL(location.href)
  next.searchParams.delete('url')
  history.pushState(null, '', next)
  show(undefined)
  linkTo(address)?.closest('details')?.querySelector('summary')?.focus()
})

// A section with widgets shows them instead of the open site, until another one is opened.
document.addEventListener('toggle', ({ target }) => {
  const section = target instanceof HTMLDetailsElement && target.closest('#content > section')
  if (!section || !(/** @type {HTMLDetailsElement} */ (target).open)) return
  const widgets = document.getElementById(`stage-${section.id.slice(2)}`)
  if (widgets && !section.querySelector('[aria-current]')) {
    delete page.dataset.stage
    bar.hidden = true
  } else if (!widgets && bar.hidden && !page.dataset.stage) {
    const shown = [...open].find(([, frame]) => !frame.hidden)
    if (shown) show(shown[0])
  }
}, true)

// A new version of the page does not contain the open frames.
document.addEventListener('portico:changed', () => {
  if (!bar.hidden) show(bar.querySelector('a')?.href)
})
addEventListener('popstate', start)
start()
