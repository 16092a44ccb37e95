// Metrics: what a scrape of a large dashboard takes, and what counting costs each request.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { dashboard } from './dashboard.mjs';
import { load } from './load.mjs';
import { freePort, startPortico } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';

const CASES = resolve(import.meta.dirname, '../../widgets/cases');
const WIDGETS = 500;
const SECTION = 50;
const SCRAPES = 100;
const CONNECTIONS = 32;
// Where free ports for metrics are looked for, apart from those of the servers.
const METRICS_PORT = 30_000;
const MAX_SCRAPE_MS = 2;
const MAX_SCRAPE_BYTES = 100_000;
// How many pairs of runs stand for one run of other measurements.
const PAIRS = 6;
// Throughput with metrics, compared with that without.
const LEAST_RATIO = 0.98;

// A widget of each type, with the options of one of its cases, so that each type has its own series.
function widgets() {
  return readdirSync(CASES).flatMap((type) => {
    const texts = readdirSync(join(CASES, type)).map((name) => readFileSync(join(CASES, type, name), 'utf8'));
    const options = texts.map((text) => /^options:.+\n(?: .*\n)*|^options:\n(?: .*\n)+/m.exec(text)?.[0]).find(Boolean);
    return options ? [`- type: ${type}\n${options.trimEnd()}`.replaceAll('\n', '\n  ')] : [];
  });
}

function config() {
  const all = widgets();
  const lines = ['pageInfo: { title: Widgets }', 'sections:'];
  for (let number = 0; number < WIDGETS; number += 1) {
    if (number % SECTION === 0) lines.push(`  - name: Section ${number}`, '    widgets:');
    lines.push(`      ${all[number % all.length].replaceAll('\n', '\n      ')}`);
  }
  return `${lines.join('\n')}\n`;
}

async function measureScrape(report, programs, folder) {
  const port = await freePort(METRICS_PORT);
  const { server } = await startPortico(programs.portico, join(folder, 'metrics'), config(), { METRICS_ADDR: `127.0.0.1:${port}` });
  try {
    const page = await (await fetch(server.url)).text();
    const found = [...page.matchAll(/data-widget="(\d+)-(\d+)" data-kind="([a-z0-9-]+)"/g)];
    for (const [, section, widget, kind] of found) {
      await (await fetch(`${server.url}fn/panel?page=home&section=${section}&widget=${widget}&kind=${kind}`)).arrayBuffer();
    }
    const scrape = async () => {
      const before = performance.now();
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return { milliseconds: performance.now() - before, bytes: text.length, lookups: text.match(/^portico_widget_lookups_total/gm)?.length ?? 0 };
    };
    const scrapes = await repeat(SCRAPES, scrape);
    const types = new Set(found.map((match) => match[3])).size;
    const problem = found.length < WIDGETS ? `only ${found.length} widgets on the page`
      : scrapes[0].lookups < types / 2 ? `only ${scrapes[0].lookups} types were looked up` : undefined;
    report.require('metrics', `${WIDGETS} widgets were looked up`, problem);
    report.add('metrics', `scrape at ${WIDGETS} widgets`, 'ms', medianOf(scrapes, (run) => run.milliseconds), { max: MAX_SCRAPE_MS });
    report.add('metrics', `scrape at ${WIDGETS} widgets, size`, 'KB', medianOf(scrapes, (run) => run.bytes), { max: MAX_SCRAPE_BYTES });
  } finally {
    await server.stop();
  }
}

// Many short runs of both, and each is the first one half of the time: the difference is smaller than the disturbances of a machine.
async function measureCost(report, programs, folder, { loads, warmUp, duration }) {
  const port = await freePort(METRICS_PORT);
  const page = dashboard(200);
  const { server: without } = await startPortico(programs.portico, join(folder, 'without-metrics'), page);
  const { server: counting } = await startPortico(programs.portico, join(folder, 'with-metrics'), page, { METRICS_ADDR: `127.0.0.1:${port}` });
  try {
    const settings = { connections: CONNECTIONS, warmUp, duration: duration / 2 };
    let isCountingFirst = false;
    const runs = await repeat(loads * PAIRS, async () => {
      isCountingFirst = !isCountingFirst;
      const first = isCountingFirst ? await load(programs.load, counting, settings) : undefined;
      const reference = await load(programs.load, without, settings);
      return { without: reference, counting: first ?? await load(programs.load, counting, settings) };
    });
    report.add('metrics', 'processor time per request (reference: without metrics)', 'µs', medianOf(runs, (run) => run.counting.processorMicroseconds), {
      reference: medianOf(runs, (run) => run.without.processorMicroseconds),
      ratio: medianOf(runs, (run) => run.counting.processorMicroseconds / run.without.processorMicroseconds),
    });
    report.add('metrics', 'throughput, ratio to that without metrics', 'ratio',
      medianOf(runs, (run) => run.counting.requestsPerSecond / run.without.requestsPerSecond), { min: LEAST_RATIO });
  } finally {
    await Promise.all([without.stop(), counting.stop()]);
  }
}

export async function measureMetrics(report, programs, folder, runs) {
  await measureScrape(report, programs, folder);
  await measureCost(report, programs, folder, runs);
}
