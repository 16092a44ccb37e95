// In which order a search offers the types of widgets (frontend/edit/widgets.js).

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { rank } from '../../frontend/edit/widgets.js'

const type = (name, title, words, about = '') => ({ name, title, words, about, category: 'Time and weather', picture: '' })
const TYPES = [
  type('calendar', 'Calendar', 'ical Google Calendar'),
  type('public-holidays', 'Public holidays', 'Enrico vacation'),
  type('weather', 'Weather', 'Open-Meteo temperature'),
  type('weather-forecast', 'Weather forecast', 'Open-Meteo week'),
  type('dns-filter-stats', 'DNS filter stats', 'AdGuard Home', 'What a filter for ads has blocked.'),
]
const found = (text) => TYPES.filter((one) => rank(one, text) !== undefined).sort((one, other) => rank(one, text) - rank(other, text)).map(({ name }) => name)

test('names come before services, and services before descriptions and categories', () => {
  assert.deepEqual(found('weather').slice(0, 2), ['weather', 'weather-forecast'])
  assert.deepEqual(found('weather').length, 5)
  assert.deepEqual(found('public holidays'), ['public-holidays'])
  assert.deepEqual(found('holi'), ['public-holidays'])
  assert.deepEqual(found('adguard'), ['dns-filter-stats'])
  assert.deepEqual(found('week'), ['weather-forecast'])
  assert.deepEqual(found('ads'), ['dns-filter-stats'])
  assert.deepEqual(found('zzz'), [])
})
