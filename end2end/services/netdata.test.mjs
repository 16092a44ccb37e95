// The widgets of the metrics server (Netdata). It has no password itself, so a proxy asks for one.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { all, ask, confirm, hasBetween, netdataSettings, program, Service, showThrough } from './services.mjs';

const ACCESS = ['anna', 'for-the-tests'];

/** The widgets with the charts that they show. */
const WIDGETS = { 'metrics-cpu-history': 'system.cpu', 'metrics-load-history': 'system.load', 'metrics-ram-history': 'system.ram' };

async function start() {
  const port = await freePort();
  const folder = temporaryDirectory();
  for (const name of ['cache', 'lib', 'log', 'web', 'plugins']) mkdirSync(join(folder, name));
  writeFiles(folder, { 'netdata.conf': netdataSettings(folder, port) });
  const service = new Service(program('netdata'), ['-D', '-c', join(folder, 'netdata.conf')], { HOME: folder, TMPDIR: folder });
  const query = 'after=-600&points=60&group=average&format=json&options=seconds';
  const read = (chart) => ask(`http://127.0.0.1:${port}/api/v1/data?chart=${chart}&${query}`);
  await service.ready('Netdata', async () => {
    const charts = await Promise.all(Object.values(WIDGETS).map(read));
    // Rows arrive before the first numbers.
    const measured = (chart) => chart.data.filter(([, ...values]) => values.some((value) => value !== null));
    return charts.every((chart) => measured(chart).length >= 2);
  });
  return { service, port, read };
}

/** A proxy in front of a port, which asks for a password. */
async function guarded(port) {
  const expected = `Basic ${Buffer.from(ACCESS.join(':')).toString('base64')}`;
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.headers.authorization !== expected) {
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="metrics"' }).end('Unauthorized');
      return;
    }
    const passed = request({ host: '127.0.0.1', port, path: incoming.url, method: incoming.method }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  const stop = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  after(stop);
  return { host: `127.0.0.1:${proxy.address().port}`, stop };
}

test('Netdata', async (t) => {
  const { service, port, read } = await start();
  const proxy = await guarded(port);
  const options = { host: `http://${ACCESS.join(':')}@${proxy.host}` };
  for (const [kind, chart] of Object.entries(WIDGETS)) {
    // Memory is reported in MiB, and shown in bytes.
    const factor = kind === 'metrics-ram-history' ? 2 ** 20 : 1;
    const compare = (panel, before, later) => {
      const told = [...before.data, ...later.data].flatMap(([, ...values]) => values).filter((value) => value !== null);
      const [series] = all(panel, 'series');
      assert.ok(series.length > 0, 'there are lines');
      for (const { points } of series) {
        const [, newest] = points.findLast(([, value]) => value !== null);
        hasBetween([newest / factor], Math.min(...told), Math.max(...told), 0.1, 'newest value');
      }
    };
    await t.test(`${kind} shows what the server has recorded`, () => confirm(kind, options, () => read(chart), compare));
  }
  await t.test('panels, a wrong password, and the server stopped', () => {
    const widgets = Object.keys(WIDGETS).map((type) => ({ type, options }));
    const wrong = { type: 'metrics-load-history', options: { host: `http://anna:another@${proxy.host}` } };
    return showThrough(widgets, wrong, async () => {
      proxy.stop();
      await service.stop();
    });
  });
});
