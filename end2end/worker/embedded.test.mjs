// The minified scripts that Rust embeds are up to date.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleScripts } from '../../tools/embedded-scripts.mjs';

test('the embedded scripts are fresh', async () => {
  const stale = [...(await staleScripts()).keys()];
  assert.deepEqual(stale, [], 'run `make scripts`');
});
