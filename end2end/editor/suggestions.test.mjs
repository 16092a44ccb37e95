// The addresses that a title suggests (frontend/edit/suggestions.js).

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { usualAddress } from '../../frontend/edit/suggestions.js'

test('a known service has its usual address on the host of the dashboard', () => {
  assert.equal(usualAddress('Jellyfin', 'nas.lan'), 'http://nas.lan:8096')
  assert.equal(usualAddress('Home Assistant', 'nas.lan'), 'http://nas.lan:8123')
  assert.equal(usualAddress('Proxmox', 'nas.lan'), 'https://nas.lan:8006')
  assert.equal(usualAddress('Pi-hole', 'nas.lan'), 'http://nas.lan')
  assert.equal(usualAddress('Ferry', 'nas.lan'), undefined)
})
