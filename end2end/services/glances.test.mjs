// The widgets of the system monitor (Glances), in its versions 4 and 3, with a password.

import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { all, ask, confirm, hasBetween, numbers, program, Service, showThrough, texts } from './services.mjs';

const PASSWORD = 'for-the-tests';
/** How many percentage points two successive readings of the processor may differ. */
const ROOM = 15;

/** Glances' password file: a salt, and the password hashed twice. */
function passwordFile() {
  const hash = (text, salt) => pbkdf2Sync(text, salt, 100_000, 128, 'sha256').toString('hex');
  return `salt$${hash(hash(PASSWORD, ''), 'salt')}`;
}

async function start(version) {
  const port = await freePort();
  const home = temporaryDirectory();
  writeFiles(home, { 'glances/glances.pwd': passwordFile() });
  const parameters = ['-w', '--bind', '127.0.0.1', '-p', String(port), '--password', '-t', '1', '-q', '--disable-check-update', '--disable-process'];
  const folders = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const service = new Service(program(`glances-${version}/bin/glances`), parameters, folders);
  const url = `http://127.0.0.1:${port}`;
  const read = (path) => ask(`${url}/api/${version}/${path}`, ['glances', PASSWORD]);
  // The first reading after the start measures nothing yet.
  await service.ready(`Glances ${version}`, async () => {
    const cpu = await read('cpu');
    return cpu.idle > 0 || cpu.user + cpu.system > 10;
  });
  return { service, url, read };
}

const seconds = (uptime) => {
  const [, days = '0', hours, minutes, rest] = /^(?:(\d+) days?, )?(\d+):(\d+):(\d+)/.exec(uptime);
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
};

/** The dial of a percentage. */
const dial = (panel) => numbers(all(panel, 'gauge')[0].value);

const processor = {
  read: ['cpu'],
  compare: (panel, [before], [after]) => hasBetween(numbers(panel), before.total, after.total, ROOM, 'load'),
};
const memory = {
  read: ['mem'],
  compare(panel, [before], [after]) {
    hasBetween(dial(panel), before.percent, after.percent, 2, 'share');
    hasBetween(numbers(panel), before.total, after.total, 0, 'size');
  },
};
/** The newest value of each line is among the values of the monitor. */
const history = (path) => ({
  read: [path],
  compare(panel, _, [after]) {
    const told = Object.values(after).flat().map(([, value]) => value);
    const [low, high] = [Math.min(...told), Math.max(...told)];
    const [series] = all(panel, 'series');
    assert.ok(series.length > 0, 'there are lines');
    for (const { points } of series) hasBetween([points.at(-1)[1]], low, high, 0.1, 'newest value');
  },
});
const names = (path, name) => ({
  read: [path],
  compare(panel, [before]) {
    const known = before.map((entry) => entry[name]);
    assert.ok(texts(panel).some((text) => known.includes(text)), `one of ${known} is shown`);
  },
});

/** For each widget, the parts of the monitor to query, and the comparison. */
const WIDGETS = {
  'system-alerts': {
    read: ['alert'],
    compare(panel, [before], [after]) {
      const shown = all(panel, 'entries').filter(Array.isArray).flat().length;
      const counts = [before.length, after.length];
      assert.ok(counts.includes(shown), `${shown} of ${counts} alerts`);
    },
  },
  'system-compact-metrics': {
    options: ({ hostname, ...access }) => ({ systems: [{ header: 'here', url: hostname }], ...access }),
    read: ['mem', 'fs'],
    compare(panel, [before, disks], [after]) {
      const cells = numbers(all(panel, 'rows')[0]);
      hasBetween(cells, before.percent, after.percent, 2, 'memory');
      const disk = (disks[0].used / disks[0].size) * 100;
      hasBetween(cells, disk, disk, 1, 'disk');
    },
  },
  'system-cpu-cores': {
    read: ['percpu'],
    compare(panel, [before]) {
      // With many cores, the rest of the rows is in tables of its own.
      const rows = all(panel, 'rows').filter(Array.isArray).flat();
      assert.equal(rows.length, before.length, 'one row for each core');
      for (const row of rows) assert.ok(numbers(row).length > 2, 'each core has shares');
    },
  },
  'system-cpu-current': processor,
  'system-cpu-speedometer': processor,
  'system-cpu-history': history('cpu/history/100'),
  'system-cpu-temperature': {
    read: ['sensors'],
    compare(panel, [before]) {
      const labels = before.map((sensor) => sensor.label);
      const isTold = labels.length === 0 ? all(panel, 'notice').length > 0 : labels.some((label) => texts(panel).includes(label));
      assert.ok(isTold, `the sensors ${labels} are shown, or that there are none`);
    },
  },
  'system-disk-io': names('diskio', 'disk_name'),
  'system-disk-space': {
    read: ['fs'],
    compare(panel, [before], [after]) {
      hasBetween(numbers(panel), before[0].size, before[0].size, 0, 'size');
      hasBetween(numbers(panel), before[0].free, after[0].free, 2 ** 28, 'free space');
    },
  },
  'system-ip-address': {
    read: ['ip'],
    compare(panel, [before]) {
      // Glances 3 needs a compiled library to know its address, and reports none without it.
      const isTold = before.address ? texts(panel).includes(before.address) : all(panel, 'notice').length > 0;
      assert.ok(isTold, `${before.address} is shown, or that it is not known`);
    },
  },
  'system-load': {
    read: ['load'],
    compare(panel, [before], [after]) {
      for (const name of ['min1', 'min5', 'min15']) hasBetween(numbers(panel), before[name], after[name], 0.5, name);
    },
  },
  'system-load-history': history('load/history/500'),
  'system-memory-current': memory,
  'system-memory-speedometer': memory,
  'system-memory-history': history('mem/history/100'),
  'system-network-interfaces': names('network', 'interface_name'),
  'system-network-traffic': {
    read: ['network/history/100'],
    compare(panel) {
      const [series] = all(panel, 'series');
      assert.equal(series.length, 2, 'what comes and what leaves');
      for (const { points } of series) assert.ok(points.some(([, value]) => value >= 0), 'there are values');
    },
  },
  'system-uptime': {
    read: ['uptime'],
    compare: (panel, [before], [after]) => hasBetween(numbers(panel), seconds(before), seconds(after), 2, 'seconds'),
  },
};

for (const version of [4, 3]) {
  test(`Glances ${version}`, async (t) => {
    const { service, url, read } = await start(version);
    const access = { hostname: url, password: PASSWORD };
    const optionsOf = (kind) => WIDGETS[kind].options?.(access) ?? access;
    for (const [kind, { read: parts, compare }] of Object.entries(WIDGETS)) {
      await t.test(`${kind} shows what the monitor tells`, () =>
        confirm(kind, optionsOf(kind), () => Promise.all(parts.map(read)), compare),
      );
    }
    await t.test('panels, a wrong password, and the monitor stopped', () => {
      const widgets = Object.keys(WIDGETS).map((kind) => ({ type: kind, options: optionsOf(kind) }));
      const wrong = { type: 'system-load', options: { ...access, password: 'another' } };
      return showThrough(widgets, wrong, () => service.stop());
    });
  });
}
