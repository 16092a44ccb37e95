// The unit for systemd.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT, run, temporaryFolder } from './harness.mjs';

const UNIT = join(ROOT, 'deploy/portico.service');
/** The exposure that systemd computes, from 0 to 10. */
const MAX_EXPOSURE = 2;

test('systemd understands it', () => {
  const folder = temporaryFolder();
  const unit = join(folder, 'portico.service');
  // The program is not installed here.
  writeFileSync(unit, readFileSync(UNIT, 'utf8').replace('/usr/bin/portico', process.execPath));
  assert.equal(run('sh', '-c', `systemd-analyze verify --man=no ${unit} 2>&1`), '');
});

test('little of the system is exposed to it', () => {
  const report = run('systemd-analyze', 'security', '--offline=true', UNIT);
  const [, exposure] = /Overall exposure level for portico\.service: ([\d.]+)/.exec(report);
  assert.ok(Number(exposure) <= MAX_EXPOSURE, exposure);
});
