// Watches a program under attack: it must survive, and `/healthz` must respond all the time. It is asked by another process, because
// this one is busy with the attack. The process asks a second, quiet program at the same moments: what that one needs, too, is the
// machine's time.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { eventually, Portico } from './harness.mjs';

/** The longest response, in milliseconds. */
const LIMIT = 1000;

/** How much longer the response of the attacked program may take than that of a quiet one, in milliseconds: the median. */
export const EXCESS = 50;

/** How many responses a check needs. */
const ENOUGH = 8;

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Requests `/healthz` ten times a second until it is stopped; `check` fails if a response was missing, later than `limit`
 *  milliseconds, or usually late. */
export async function watch(portico, limit = LIMIT) {
  const quiet = await Portico.start({ files: { 'conf.yml': 'sections: []\n' } });
  // Node would treat it as a part of this test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const parameters = [join(import.meta.dirname, 'health-probe.mjs'), portico.port, quiet.port].map(String);
  const probe = spawn(process.execPath, parameters, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let samples = [];
  createInterface({ input: probe.stdout }).on('line', (line) => samples.push(JSON.parse(line)));
  const ended = new Promise((done) => probe.once('exit', done));
  return {
    /** Leaves out what was before the attack. */
    begin() {
      samples = [];
    },
    /** Fails if anything was wrong since the last check. Returns the medians, in milliseconds. */
    async check(excess = EXCESS) {
      await eventually('there are enough responses of `/healthz`', () => samples.length >= ENOUGH, 60_000);
      const seen = samples;
      samples = [];
      assert.ok(portico.isAlive, `the program has ended\n${portico.log.slice(-2000)}`);
      assert.deepEqual(seen.filter(({ failure }) => failure).map(({ failure }) => failure), []);
      const times = seen.map(({ time }) => time);
      const worst = Math.max(...times);
      assert.ok(worst < limit, `/healthz took ${worst.toFixed(0)} ms`);
      const [usual, reference] = [median(times), median(seen.map((sample) => sample.quiet))];
      assert.ok(usual - reference <= excess, `/healthz usually took ${usual.toFixed(0)} ms, ${reference.toFixed(0)} ms on a quiet server`);
      return { usual, reference };
    },
    async stop() {
      probe.kill('SIGKILL');
      await ended;
      await quiet.stop();
    },
  };
}
