// The page that sets our pictures beside those of other dashboards. Theirs are not ours to copy: they stay in a folder of the reader's,
// and the page only links them.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The variable that names the folder with the pictures of others: `homepage-dark.png`, `glance-mobile.webp`. */
export const VARIABLE = 'PEER_PICTURES'
const IS_PICTURE = /\.(png|jpe?g|webp|avif|gif)$/i
const IS_PHONE = /mobile|phone|portrait/i
const IS_LIGHT = /light|day/i

/**
 * @typedef {import('./comparison.d.mts').OwnPicture} OwnPicture
 * @typedef {import('./comparison.d.mts').Pair} Pair
 */

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * The pictures in a folder, each with the one of ours that shows the same kind of screen: a phone beside a phone, light beside light.
 *
 * @param {string} folder
 * @param {OwnPicture[]} own
 * @returns {Pair[]}
 */
export function pairs(folder, own) {
  const names = readdirSync(folder).filter((name) => IS_PICTURE.test(name)).sort()
  return names.map((name) => {
    const isPhone = IS_PHONE.test(name)
    const scheme = IS_LIGHT.test(name) ? 'light' : 'dark'
    const fits = own.filter((picture) => picture.width < 600 === isPhone && picture.scheme === scheme)
    return { peer: name.split(/[-_. ]/)[0] ?? name, name, address: pathToFileURL(join(folder, name)).href, own: fits[0] }
  })
}

/**
 * The page.
 *
 * @param {OwnPicture[]} own
 * @param {string | undefined} folder of the others' pictures
 */
export function comparisonPage(own, folder) {
  const isThere = folder !== undefined && existsSync(folder)
  const picture = (/** @type {string} */ caption, /** @type {string | undefined} */ address) => address
    ? `<figure><figcaption>${escaped(caption)}</figcaption><a href="${escaped(address)}"><img src="${escaped(address)}" alt="${escaped(caption)}" loading="lazy"></a></figure>`
    : ''
  const row = (/** @type {Pair} */ pair) => `<section>${picture('Portico', pair.own?.address)}${picture(pair.name, pair.address)}</section>`
  const found = isThere ? pairs(folder, own) : []
  const peers = [...new Set(found.map(({ peer }) => peer))]
  const beside = peers.map((peer) => `<h2>${escaped(peer)}</h2>${found.filter((pair) => pair.peer === peer).map(row).join('')}`)
  const alone = own.map(({ width, scheme, address }) => picture(`${width} px, ${scheme}`, address))
  const hint = found.length ? '' : `<p>Set <code>${VARIABLE}</code> to a folder with pictures of other dashboards, such as <code>homepage-dark.png</code> and <code>glance-mobile.webp</code>, to see them here.</p>`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico beside other dashboards</title>
<style>
  body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #f4f4f6 }
  section { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; margin-block-end: 2rem }
  figure { margin: 0 }
  img { display: block; inline-size: 100%; block-size: auto; max-block-size: 90vh; object-fit: contain; object-position: 0 0; border-radius: 8px }
  .all { grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)) }
</style>
<h1>Portico beside other dashboards</h1>
<p>Compare in each pair: information, density, order, finish.</p>${hint}
${beside.join('\n')}
<h2>Portico on all screens</h2><section class="all">${alone.join('')}</section>
</html>
`
}
