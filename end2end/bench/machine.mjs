// The machine of the benchmark, and whether it was busy with something else.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

// Above this share of all cores, the figures are unreliable.
const QUIET = 0.1;

export const machine = () => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryMebibytes: Math.round(totalmem() / 2 ** 20),
  kernel: release(),
  node: process.version,
});

// The share of all cores that was in use between two moments.
function usedTicks() {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/);
  const [user, nice, system, idle, wait, ...rest] = fields.slice(0, 8).map(Number);
  const used = [user, nice, system, ...rest].reduce((sum, ticks) => sum + ticks, 0);
  return { used, all: used + idle + wait };
}

// Measures for a second the load of a machine that should be idle.
export async function disturbance() {
  const before = usedTicks();
  await sleep(1000);
  const after = usedTicks();
  const busy = (after.used - before.used) / Math.max(1, after.all - before.all);
  return { busy, load: loadavg()[0], quiet: busy <= QUIET };
}
