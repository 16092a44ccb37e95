// Completions and hints of the editor for YAML: the functions of frontend/edit/schema.js with the schema that the server
// publishes, without a page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { completions, describe } from '../../frontend/edit/schema.js';

const schema = JSON.parse(readFileSync(new URL('../../docs/schema.json', import.meta.url), 'utf8'));

/** The text without the mark, and where that was. */
function marked(text) {
  const lines = text.split('\n');
  const row = lines.findIndex((line) => line.includes('¦'));
  const column = lines[row].indexOf('¦');
  lines[row] = lines[row].replace('¦', '');
  return { lines, row, column };
}

function offered(text) {
  const { lines, row, column } = marked(text);
  return completions(schema, lines, row, column)?.options.map(({ label }) => label) ?? [];
}

function hint(text) {
  const { lines, row, column } = marked(text);
  return describe(schema, lines, row, column)?.hint.join('\n');
}

test('keys are offered where they fit', () => {
  for (const [text, fits, not] of [
    ['¦', ['pageInfo', 'appConfig', 'sections', 'pages'], 'title'],
    ['pageInfo:\n  title: A\n  ¦', ['description', 'navLinks', 'logo'], 'title'],
    ['sections:\n- name: A\n  ¦', ['items', 'widgets', 'icon'], 'name'],
    ['sections:\n  - name: A\n    items:\n      - title: B\n        u¦\n      - title: C', ['url', 'icon', 'tags'], 'title'],
    ['sections:\n  - name: A\n    items:\n      - ¦', ['title', 'url'], 'name'],
    ['sections:\n  - name: A\n    items:\n    - title: B\n      ¦', ['url', 'statusCheck'], 'items'],
    ['appConfig:\n  webSearch:\n    ¦\n  theme: nord\n', ['searchEngine', 'openingMethod'], 'theme'],
    ['sections:\n  - widgets:\n      - type: Clock\n        options:\n          ¦', ['timeZone', 'hideDate'], 'label'],
    ['sections:\n  - widgets:\n      - options:\n          ¦\n        type: clock\n      - type: joke', ['timeZone'], 'label'],
  ]) {
    const found = offered(text);
    for (const key of fits) assert.ok(found.includes(key), `${key} in ${text}: ${found}`);
    assert.ok(!found.includes(not), `${not} in ${text}`);
  }
});

test('old keys and unknown places give no suggestions', () => {
  assert.ok(!offered('sections:\n  - ¦').includes('filteredItems'));
  assert.deepEqual(offered('nobody:\n  knows:\n    ¦'), []);
  assert.deepEqual(offered('# pageInfo: ¦'), []);
  assert.deepEqual(offered('pageInfo: { ti¦ }'), []);
});

test('values are offered behind their key, in the form that YAML reads', () => {
  assert.ok(offered('appConfig:\n  layout: ¦').includes('masonry'));
  assert.deepEqual(offered('appConfig:\n  disableConfiguration: ¦'), ['true', 'false']);
  assert.ok(offered('sections:\n  - widgets:\n      - type: cl¦').includes('clock'));
  const { lines, row, column } = marked('pageInfo:\n  color: ¦');
  const { apply } = completions(schema, lines, row, column).options.find(({ label }) => label === '#0b3a4a');
  assert.equal(apply, '"#0b3a4a"');
});

test('a key is explained, with its values and its default', () => {
  assert.match(hint('appConfig:\n  lay¦out: auto'), /placed on the home view[^]*Values: auto, horizontal[^]*Default: auto\./);
  assert.match(hint('sections:\n  - widgets:\n      - type: clock\n        options:\n          hide¦Seconds: true'), /Hides the seconds/);
  assert.match(hint('"page¦Info":\n  title: A'), /Title, header links/);
  assert.equal(hint('pageInfo:\n  title: A¦bc'), undefined);
  assert.equal(hint('nobody: 1\nkno¦ws: 2'), undefined);
});

test('text of a block and comments do not lead astray', () => {
  assert.ok(offered('pageInfo:\n  # about: it\n\n  title: A\n  ¦').includes('footer'));
  assert.ok(offered('sections:\n  - name: A\n\n    # widgets\n    widgets:\n      # one\n      - type: clock\n        ¦').includes('label'));
});
