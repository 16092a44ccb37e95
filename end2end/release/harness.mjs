// Helpers for the tests of what people install.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

export const ROOT = resolve(import.meta.dirname, '../..');
export const VERSION = /^version = "(.+)"/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];

/** The output of a command; throws with its error output if it fails. */
export function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

const cleanups = [];
after(() => {
  for (const clean of cleanups.reverse()) clean();
});

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-release-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
