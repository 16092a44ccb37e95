// The widget of the metrics database (Prometheus), with the metrics of its node exporter and a password.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { all, ask, confirm, hasBetween, numbers, program, Service, showThrough } from './services.mjs';

const USER = 'anna';
const PASSWORD = 'for-the-tests';
/** The same as a bcrypt hash, as Prometheus requires it. */
const HASHED = '$2b$04$abcdefghijklmnopqrstuuDOP/cKvv3WvetOGBORfoMjawiSaSQiu';

async function start() {
  const [exporterPort, port] = [await freePort(), await freePort()];
  const folder = temporaryDirectory();
  writeFiles(folder, {
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'node', static_configs: [{ targets: [`127.0.0.1:${exporterPort}`] }] }],
    }),
    'web.yml': JSON.stringify({ basic_auth_users: { [USER]: HASHED } }),
  });
  const exporter = new Service(program('prometheus-node-exporter', 'node_exporter'), [`--web.listen-address=127.0.0.1:${exporterPort}`]);
  const prometheus = new Service(program('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--web.config.file=${join(folder, 'web.yml')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  const query = async (words) => {
    const response = await ask(`${url}/api/v1/query?query=${encodeURIComponent(words)}`, [USER, PASSWORD]);
    return Number(response.data.result[0].value[1]);
  };
  await prometheus.ready('Prometheus', async () => (await query('count_over_time(node_load1[1m])')) >= 5);
  const stop = () => Promise.all([prometheus.stop(), exporter.stop()]);
  return { url, query, stop };
}

test('Prometheus', async (t) => {
  const { url, query, stop } = await start();
  const metrics = [
    { label: 'Memory', query: 'node_memory_MemTotal_bytes', format: 'bytes' },
    { label: 'Free', query: 'node_memory_MemAvailable_bytes', format: 'bytes' },
    { label: 'Up', query: 'sum(up)' },
  ];
  const access = { url, username: USER, password: PASSWORD };
  const options = { ...access, metrics };
  await t.test('numbers are those of the database', async () => {
    const read = async () => [await query(metrics[0].query), await query(metrics[1].query)];
    await confirm('prometheus-data', options, read, (panel, [total, before], [, after]) => {
      const shown = numbers(panel);
      hasBetween(shown, total, total, 1, 'memory');
      hasBetween(shown, before, after, total / 20, 'free memory');
      hasBetween(shown, 1, 1, 0, 'targets that are up');
    });
  });
  const chart = { ...access, query: 'node_load1', range: '5m' };
  await t.test('a chart ends where the database does', async () => {
    await confirm('prometheus-data', chart, () => query('node_load1'), (panel, before, after) => {
      const [series] = all(panel, 'series');
      assert.equal(series.length, 1, 'one line');
      hasBetween([series[0].points.at(-1)[1]], before, after, 1, 'newest value');
    });
  });
  await t.test('panels, a wrong password, and the database stopped', () => {
    const widgets = [options, chart].map((options) => ({ type: 'prometheus-data', options }));
    return showThrough(widgets, { type: 'prometheus-data', options: { ...options, password: 'another' } }, stop);
  });
});
