// Live figures of services that install here, compared with what the services say themselves.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { all, ask, confirm, hasBetween, numbers, program, Service } from './services.mjs';

const KEY = '0123456789abcdef0123456789abcdef';
/** How many percentage points two successive readings of a processor may differ. */
const ROOM = 20;

/** The figures of a panel: labels and values. */
const figures = (panel) => all(panel, 'stats').flat().filter((stat) => stat.label).map((stat) => [stat.label, stat.value]);

test('figures of Prometheus', async () => {
  const port = await freePort();
  const closed = await freePort();
  const folder = temporaryDirectory();
  writeFiles(folder, {
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'all', static_configs: [{ targets: [`127.0.0.1:${port}`, `127.0.0.1:${closed}`] }] }],
    }),
  });
  const service = new Service(program('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  const count = async (health) => (await ask(`${url}/api/v1/targets`)).data.activeTargets.filter((target) => target.health === health).length;
  await service.ready('Prometheus', async () => (await count('up')) === 1 && (await count('down')) === 1);
  await confirm('service-figures', { service: 'prometheus', url }, () => count('up'), (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Up', 'Down', 'Total']);
    assert.deepEqual(numbers(panel), [1, 1, 2]);
  });
  await service.stop();
});

test('figures of SABnzbd', async () => {
  const port = await freePort();
  const folder = temporaryDirectory();
  writeFiles(folder, { 'sabnzbd.ini': `__version__ = 19\n[misc]\napi_key = ${KEY}\n` });
  const path = program('sabnzbdplus');
  const parameters = ['-OO', path, '-f', join(folder, 'sabnzbd.ini'), '-s', `127.0.0.1:${port}`, '-b', '0', '-p', '--disable-file-log'];
  const environment = { HOME: folder, PYTHONPATH: join(dirname(path), '../share/sabnzbdplus') };
  const service = new Service(program('sabnzbd/bin/python'), parameters, environment);
  const url = `http://127.0.0.1:${port}`;
  const read = () => ask(`${url}/sabnzbd/api?mode=queue&output=json&apikey=${KEY}`).then((response) => response.queue);
  await service.ready('SABnzbd', async () => (await read()).noofslots === 0);
  await confirm('service-figures', { service: 'sabnzbd', url: `${url}/sabnzbd`, key: KEY }, read, (panel, before) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Rate', 'Queue', 'Time left']);
    assert.deepEqual(numbers(panel), [0, before.noofslots]);
    assert.ok(JSON.stringify(panel).includes(before.timeleft), 'the time left');
  });
  await service.stop();
});

for (const version of [4, 3]) {
  test(`figures of Glances ${version}`, async () => {
    const port = await freePort();
    const home = temporaryDirectory();
    const parameters = ['-w', '--bind', '127.0.0.1', '-p', String(port), '-t', '1', '-q', '--disable-check-update', '--disable-process'];
    const folders = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
    const service = new Service(program(`glances-${version}/bin/glances`), parameters, folders);
    const url = `http://127.0.0.1:${port}`;
    const read = () => ask(`${url}/api/${version}/quicklook`);
    await service.ready(`Glances ${version}`, async () => (await read()).mem > 0);
    await confirm('service-figures', { service: 'glances', url }, read, (panel, before, after) => {
      assert.deepEqual(figures(panel).map(([label]) => label), ['CPU', 'Memory', 'Swap', 'Load']);
      const [cpu, memory] = numbers(panel);
      hasBetween([cpu], before.cpu, after.cpu, ROOM, 'load');
      hasBetween([memory], before.mem, after.mem, 3, 'memory');
    });
    await service.stop();
  });
}
