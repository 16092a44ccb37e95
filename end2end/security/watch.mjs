// Watches a program under attack: it must survive, and `/healthz` must always respond within a second.

import assert from 'node:assert/strict';

import { sleep } from './harness.mjs';

const LIMIT = 1000;

/** Requests `/healthz` ten times a second until it is stopped; `check` fails if a response was missing, or later than `limit` milliseconds. */
export function watch(portico, limit = LIMIT) {
  let goes = true;
  let worst = 0;
  let failure;
  const ended = (async () => {
    while (goes) {
      const before = performance.now();
      try {
        const response = await portico.get('/healthz', { from: '127.9.9.9', timeout: 10_000 });
        if (response.status !== 200) failure ??= `/healthz answers ${response.status}`;
      } catch (error) {
        failure ??= error.message;
      }
      worst = Math.max(worst, performance.now() - before);
      await sleep(100);
    }
  })();
  return {
    /** Fails if anything was wrong since the last check. */
    check() {
      const [late, wrong] = [worst, failure];
      worst = 0;
      failure = undefined;
      assert.ok(portico.isAlive, `the program has ended\n${portico.log.slice(-2000)}`);
      assert.equal(wrong, undefined);
      assert.ok(late < limit, `/healthz took ${late.toFixed(0)} ms`);
    },
    async stop() {
      goes = false;
      await ended;
    },
  };
}
