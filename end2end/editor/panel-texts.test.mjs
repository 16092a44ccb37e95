// Times in the preview of a panel: frontend/edit/panel-texts.js, with the little of a page that it needs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { writeTimes } from '../../frontend/edit/panel-texts.js';

/** What is written into times with these attributes. */
function written(times) {
  const elements = times.map(([dateTime, dataset]) => ({ dateTime, dataset, textContent: '' }));
  writeTimes({ querySelectorAll: (selector) => (selector.startsWith('time') ? elements : []) });
  return elements.map(({ textContent }) => textContent);
}

test('times are written in the words of the viewer, at the place that they are about', () => {
  const at = '2026-11-21T23:30:00Z';
  const [day, moved, span, hours] = written([
    [at, { style: 'day', offset: '0' }],
    [at, { style: 'weekday', offset: '3600' }],
    [at, { style: 'day', offset: '0', until: '2026-11-24T00:00:00Z' }],
    [new Date(Date.now() - 2 * 3600e3 - 5e3).toISOString(), { style: 'relative' }],
  ]);
  assert.equal(day, new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(at)));
  assert.equal(moved, new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(Date.parse('2026-11-22T00:30:00Z')));
  assert.match(span, /21.*24/);
  const isEnglish = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('en');
  assert.equal(hours, isEnglish ? '2\u00a0h ago' : new Intl.RelativeTimeFormat(undefined, { style: 'short' }).format(-2, 'hour'));
});

test('a text that is no time stays as it is', () => {
  assert.deepEqual(written([['soon', { style: 'day' }]]), ['']);
});
