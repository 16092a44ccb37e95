// The page that `make pictures` writes to compare our pictures with those of other dashboards.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { comparisonPage, pairs } from '../comparison.mjs'

/** @type {import('../comparison.mjs').OwnPicture[]} */
const OWN = [
  { width: 390, scheme: 'dark', address: 'own-390-dark.png' },
  { width: 1366, scheme: 'light', address: 'own-1366-light.png' },
  { width: 1366, scheme: 'dark', address: 'own-1366-dark.png' },
]

test('each picture stands beside ours of the same kind of screen, and is linked where it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  for (const name of ['homepage-light.png', 'glance-mobile.webp', 'dashy "1".jpg', 'notes.txt']) writeFileSync(join(folder, name), '')
  const found = pairs(folder, OWN).map(({ peer, own }) => [peer, own?.address])
  assert.deepEqual(found, [['dashy', 'own-1366-dark.png'], ['glance', 'own-390-dark.png'], ['homepage', 'own-1366-light.png']])
  const page = comparisonPage(OWN, folder)
  assert.match(page, /<h2>glance<\/h2><section><figure><figcaption>Portico<\/figcaption><a href="own-390-dark.png">/)
  assert.match(page, /src="file:\/\/\/.*glance-mobile\.webp"/)
  assert.match(page, /dashy &#34;1&#34;\.jpg/)
  assert.doesNotMatch(page, /notes\.txt|PEER_PICTURES/)
  rmSync(folder, { recursive: true })
})

test('without a folder the page shows ours, and says how to see others', () => {
  for (const folder of [undefined, '/nonexistent']) {
    const page = comparisonPage(OWN, folder)
    assert.match(page, /PEER_PICTURES/)
    assert.equal(page.match(/<img /g)?.length, OWN.length)
  }
})
