// Our own metrics, as a real Prometheus sees them: names, a scrape, the alert rules and the queries of the Grafana dashboard.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { eventually, freePort, Portico, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { ask, program, Service } from './services.mjs';

const DOCS = resolve(import.meta.dirname, '../../docs/monitoring');
const RULES = join(DOCS, 'alerts.yml');

/** Runs promtool; returns its exit status and output. */
function promtool(parameters, input = '') {
  return new Promise((done) => {
    const child = execFile(program('promtool'), parameters, (error, stdout, stderr) => {
      done({ status: error?.code ?? 0, output: stdout + stderr });
    });
    child.stdin.end(input);
  });
}

test('Prometheus watches the dashboard', async (t) => {
  const [metricsPort, port] = [await freePort(), await freePort()];
  const portico = await Portico.start({
    files: { 'conf.yml': 'sections: [{ name: A, items: [{ title: One }] }]' },
    environment: { METRICS_ADDR: `127.0.0.1:${metricsPort}` },
  });
  const address = `127.0.0.1:${metricsPort}`;
  for (const path of ['/home', '/home', '/nowhere', '/readyz']) await portico.get(path);
  const scrape = async (accept) => (await fetch(`http://${address}/metrics`, { headers: { accept } })).text();

  await t.test('promtool has nothing to say about the names', async () => {
    assert.deepEqual(await promtool(['check', 'metrics'], await scrape('text/plain')), { status: 0, output: '' });
  });
  await t.test('promtool accepts the alert rules', async () => {
    const { status, output } = await promtool(['check', 'rules', RULES]);
    assert.equal(status, 0, output);
  });
  await t.test('OpenMetrics ends as it must', async () => {
    assert.ok((await scrape('application/openmetrics-text')).endsWith('# EOF\n'));
  });

  const folder = temporaryDirectory();
  writeFiles(folder, {
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'portico', static_configs: [{ targets: [address] }] }],
    }),
  });
  const url = `http://127.0.0.1:${port}`;
  const prometheus = new Service(program('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
  ]);
  const query = async (words) => (await ask(`${url}/api/v1/query?query=${encodeURIComponent(words)}`)).data.result;
  await prometheus.ready('Prometheus', async () => (await query('up{job="portico"} == 1')).length === 1);

  await t.test('it stores what was counted', async () => {
    const pages = async () => Number((await query('portico_http_requests_total{route="/home",status="2xx"}'))[0]?.value[1]);
    await eventually('two pages are stored', async () => (await pages()) === 2);
    assert.equal((await query('portico_config_valid'))[0].value[1], '1');
  });
  await t.test('it evaluates the rules', async () => {
    const rules = async () => (await ask(`${url}/api/v1/rules`)).data.groups.flatMap((group) => group.rules);
    await eventually('all rules are evaluated', async () => (await rules()).every((rule) => rule.health === 'ok'));
    assert.ok((await rules()).every((rule) => rule.state === 'inactive'));
  });
  await t.test('it understands every query of the Grafana dashboard', async () => {
    const { panels } = JSON.parse(readFileSync(join(DOCS, 'grafana.json'), 'utf8'));
    const known = new Set(Object.keys((await ask(`${url}/api/v1/metadata`)).data));
    for (const { expr } of panels.flatMap((panel) => panel.targets)) {
      await query(expr);
      for (const name of expr.match(/\b(portico|process)_\w+/g)) {
        const family = name.replace(/_(total|bucket)$/, '');
        const isOnlyCountedLater = /sign_ins|lookup|last_success|writes|refused|status_checks|panel_cache/.test(name);
        assert.ok(isOnlyCountedLater || known.has(family) || known.has(name), `${name} exists`);
      }
    }
  });
  await Promise.all([prometheus.stop(), portico.stop()]);
});
