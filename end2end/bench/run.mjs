// The benchmark: `make bench`, or `node end2end/bench/run.mjs [--strict] [--quick] [--only=api] [--items=200,2000] [--minutes=30]`.
//
// Every figure of the server is compared with that of a bare axum handler that sends the same bytes, on the same machine, in
// the same minute. With --strict, a missed budget is a failure; --quick makes fewer and shorter runs. --only=api measures only
// the REST API, --only=page everything else, --only=services the widgets of services, --only=status the status checks, --only=figures the live figures of tiles,
// --only=metrics the metrics, --only=replicas several servers with one database, --only=offline the offline worker,
// --only=editor the editor in the page, --only=soak what grows in a long run. --minutes=30 sets how long a hundred browsers keep the
// page with these widgets open; the default is less than a minute. With --only=soak it is the length of the run, which is 15 minutes
// otherwise. PORTICO names another binary, CHROMIUM another browser.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { measureApi } from './api.mjs';
import { measureCatalogue } from './catalogue.mjs';
import { dashboard } from './dashboard.mjs';
import { measureEditor } from './editor.mjs';
import { measureFigures } from './figures.mjs';
import { load, record } from './load.mjs';
import { disturbance, machine } from './machine.mjs';
import { measureMetrics } from './metrics.mjs';
import { measureOffline } from './offline.mjs';
import { measurePanels } from './panels.mjs';
import { EMPTY, startBare, startPortico } from './processes.mjs';
import { measureReplicas } from './replicas.mjs';
import { Report } from './report.mjs';
import { measureSoak } from './soak.mjs';
import { median, medianOf, quantile, repeat } from './statistics.mjs';
import { measureStatus } from './status.mjs';
import { measureThemes } from './themes.mjs';
import { coldVisit, keystrokes, openBrowser, paints as paintsOf, searchReacts, tracedVisit, use, visit } from './visit.mjs';
import { measureWidgetVisits } from './widgets.mjs';

const MEBIBYTE = 2 ** 20;
const CONNECTIONS = 32;
const SIZES = [20, 200, 2000, 10_000];
// More items exceed the API's limit for writes.
const MAX_ITEMS_OF_THE_API = 2000;
// How long a server is idle before its memory is measured.
const REST = 2000;

// On two cores, in a release build: bytes, and for times ratios to a reference in the same run. For times in the browser this
// is the first paint of an empty page, 30 to 50 ms.
const BUDGETS = {
  20: { paint: { maxRatio: 2 } },
  200: {
    firstResponse: { maxRatio: 9 },
    idleMemory: { max: 22 * MEBIBYTE },
    throughput: { min: 0.5 },
    bytesBeforePaint: { max: 60_000 },
    bytes: { max: 200_000 },
    paint: { maxRatio: 2 },
    blocking: { maxRatio: 1 },
    coldPaint: { maxRatio: 2.2 },
    coldBlocking: { max: 50 },
  },
  2000: { paint: { maxRatio: 2 }, elements: { max: 5 } },
  10_000: {
    idleMemory: { max: 60 * MEBIBYTE },
    blocking: { maxRatio: 10 },
    search: { maxRatio: 30 },
    keystroke: { maxRatio: 0.16 },
  },
};

const SCALE = `For scale: the best known product of this kind moves 1.5 to 7 MB on a first visit, shows 200 items after 3.5 s
with 3.1 s of blocked main thread, and does not load 2,000 items within 60 s.`;

const { values: options } = parseArgs({
  options: { strict: { type: 'boolean' }, quick: { type: 'boolean' }, items: { type: 'string' }, only: { type: 'string' }, minutes: { type: 'string' } },
});
const PARTS = ['services', 'status', 'figures', 'metrics', 'replicas', 'offline', 'editor', 'soak', 'themes'];
const isPart = PARTS.includes(options.only);
if (options.only !== undefined && !isPart && !['api', 'page'].includes(options.only)) {
  console.error(`--only=${options.only} is no part of the bench; there are ${['api', 'page', ...PARTS].join(', ')}`);
  process.exit(2);
}
const sizes = isPart ? [] : options.items ? options.items.split(',').map(Number) : SIZES;
const runs = options.quick
  ? { starts: 5, loads: 2, visits: 2, paints: 5, traces: 1, writes: 50, warmUp: 300, duration: 1000, soak: 2 }
  : { starts: 15, loads: 5, visits: 7, paints: 15, traces: 3, writes: 200, warmUp: 500, duration: 3000, soak: 15 };

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const programs = {
  portico: resolve(process.env.PORTICO ?? join(target, 'release/portico')),
  bare: join(target, 'release/examples/bare'),
  load: join(target, 'release/examples/load'),
  verify: join(target, 'release/examples/verify'),
};

const say = (text) => process.stderr.write(`▸ ${text}\n`);

function buildGenerators() {
  if (!existsSync(programs.portico)) throw new Error('the server is not built; run `make build`');
  // Nothing is compared with the bare handler.
  if (options.only === 'soak') return;
  const build = ['build', '--release', '--locked', '--quiet', '--package', 'server', '--features', 'embed'];
  execFileSync('cargo', [...build, '--example', 'bare', '--example', 'load', '--example', 'verify'], { cwd: root, stdio: 'inherit' });
}

// Waits a while for the machine to become idle; after that, measures anyway and says so.
async function awaitQuiet(disturbances, items) {
  let seen = await disturbance();
  for (let turn = 0; turn < 10 && !seen.quiet; turn += 1) {
    await sleep(1000);
    seen = await disturbance();
  }
  disturbances.push({ items, ...seen });
  if (!seen.quiet) say(`the machine is not quiet (${Math.round(seen.busy * 100)} % busy): the figures are not to be trusted`);
}

// The responses of the bare handler: the page as sent by Portico, and a page with a line of text.
async function recorded(portico) {
  const page = await record(portico.url);
  if (page.status !== 200) throw new Error(`/ answers ${page.status}`);
  return [page, EMPTY];
}

async function measureServer(report, folder, items) {
  const budget = BUDGETS[items] ?? {};
  const config = dashboard(items);
  const data = join(folder, `portico-${items}`);
  const recordings = join(folder, `bare-${items}`);

  const first = await startPortico(programs.portico, data, config);
  const responses = await recorded(first.server);
  await first.server.stop();

  const starts = await repeat(runs.starts, async () => {
    const own = await startPortico(programs.portico, data, config);
    await own.server.stop();
    const reference = await startBare(programs.bare, recordings, responses);
    await reference.server.stop();
    return { own: own.milliseconds, bare: reference.milliseconds };
  });
  report.add(items, 'exec to first 200', 'ms', medianOf(starts, (run) => run.own), {
    reference: medianOf(starts, (run) => run.bare), ...budget.firstResponse,
  });

  const { server: portico } = await startPortico(programs.portico, data, config);
  const { server: bare } = await startBare(programs.bare, recordings, responses);
  try {
    await sleep(REST);
    const idle = portico.memory();
    report.add(items, 'memory, idle', 'MiB', idle.rss, { reference: bare.memory().rss, ...budget.idleMemory });
    report.add(items, 'memory, idle, without pages of the binary', 'MiB', idle.own, { reference: bare.memory().own });

    const settings = { connections: CONNECTIONS, warmUp: runs.warmUp, duration: runs.duration };
    const loads = await repeat(runs.loads, async () => ({
      bare: await load(programs.load, bare, settings),
      own: await load(programs.load, portico, settings),
    }));
    const compare = (measure, unit, of) => report.add(items, measure, unit, medianOf(loads, ({ own }) => of(own)), {
      reference: medianOf(loads, (run) => of(run.bare)),
    });
    compare('GET / requests per second, 32 connections', 'count', (run) => run.requestsPerSecond);
    report.add(items, 'GET / requests, ratio to the bare handler', 'ratio',
      medianOf(loads, ({ own, bare: reference }) => own.requestsPerSecond / reference.requestsPerSecond), budget.throughput);
    compare('GET / p99', 'ms', (run) => run.p99Microseconds / 1000);
    compare('GET / processor time per request', 'µs', (run) => run.processorMicroseconds);

    await sleep(REST);
    report.add(items, 'memory, after load', 'MiB', portico.memory().rss, { reference: bare.memory().rss });
  } finally {
    await Promise.all([portico.stop(), bare.stop()]);
  }
  return { config, data, recordings, responses };
}

async function measureVisits(report, details, browser, items, { config, data, recordings, responses }) {
  const budget = BUDGETS[items] ?? {};
  const { server: portico } = await startPortico(programs.portico, data, config);
  const { server: bare } = await startBare(programs.bare, recordings, responses);
  try {
    // The very first visit also starts parts of the browser.
    await visit(browser, portico.url);
    // Alternating, so that a disturbance of the machine affects both.
    const paints = await repeat(runs.paints, async () => ({
      own: await paintsOf(browser, portico.url),
      empty: await paintsOf(browser, `${bare.url}empty`),
    }));
    const visits = await repeat(runs.visits, () => visit(browser, portico.url));
    const traces = await repeat(runs.traces, () => tracedVisit(browser, portico.url));
    const reactions = await repeat(runs.visits, () => searchReacts(browser, portico.url));
    const middle = (of) => medianOf(visits, of);
    report.add(items, 'first visit, document', 'KB', middle((run) => run.document));
    report.add(items, 'first visit, before paint', 'KB', middle((run) => run.bytesBeforePaint), budget.bytesBeforePaint);
    report.add(items, 'first visit, in total', 'KB', middle((run) => run.bytes), budget.bytes);
    report.add(items, 'first visit, requests', 'count', middle((run) => run.requests));
    report.add(items, 'elements per item', 'ratio', middle((run) => run.elements) / items, budget.elements);
    const empty = medianOf(paints, (run) => run.empty.first);
    const compared = (budgeted = {}) => ({ reference: empty, ...budgeted });
    report.add(items, 'first contentful paint (reference: an empty page)', 'ms', medianOf(paints, (run) => run.own.first), compared());
    report.add(items, 'largest contentful paint (reference: an empty page)', 'ms', medianOf(paints, (run) => run.own.largest), {
      reference: medianOf(paints, (run) => run.empty.largest), ...budget.paint,
    });
    if (budget.coldPaint) {
      const cold = await repeat(runs.visits, async () => ({ own: await coldVisit(portico.url), empty: await coldVisit(`${bare.url}empty`) }));
      report.add(items, 'new browser process: largest contentful paint (reference: an empty page)', 'ms', medianOf(cold, (run) => run.own.largest), {
        reference: medianOf(cold, (run) => run.empty.largest), ...budget.coldPaint,
      });
      report.add(items, 'new browser process: total blocking time', 'ms', medianOf(cold, (run) => run.own.blockingTime), budget.coldBlocking);
    }
    // Observer and trace measure the same tasks differently; the worse figure counts.
    const observed = middle((run) => run.blockingTime);
    const traced = medianOf(traces, (run) => run.blockingTime);
    report.add(items, 'total blocking time', 'ms', Math.max(observed, traced), compared(budget.blocking));
    report.add(items, 'longest task', 'ms', Math.max(middle((run) => run.longestTask), medianOf(traces, (run) => run.longestTask)));
    report.add(items, 'search reacts after', 'ms', median(reactions), compared(budget.search));
    const keys = await keystrokes(browser, portico.url);
    report.add(items, 'keystroke of a search, p99 of its script', 'ms', quantile(keys.script, 0.99), compared(budget.keystroke));
    report.add(items, 'keystroke of a search, p99 with layout', 'ms', quantile(keys.withLayout, 0.99));
    details.push({ items, visits, paints, traces, reactions, keys });
    let used;
    let problem;
    try {
      used = await use(browser, portico.url, items);
    } catch (error) {
      problem = error.message;
    }
    report.require(items, 'search filters, page scrolls', problem);
    if (used) {
      report.add(items, 'last key to frame with the result', 'ms', used.keyToFrame);
      report.add(items, 'longest frame while scrolling', 'ms', used.longestFrame);
    }
  } finally {
    await Promise.all([portico.stop(), bare.stop()]);
  }
}

// How much more a verified ID token costs a request than the API token.
function measureVerification(report) {
  const runsOf = Array.from({ length: runs.loads }, () => JSON.parse(execFileSync(programs.verify, { encoding: 'utf8' })));
  report.add('API', 'request with an ID token (reference: with the API token)', 'µs', medianOf(runsOf, (run) => run.idTokenMicroseconds), {
    reference: medianOf(runsOf, (run) => run.apiTokenMicroseconds), maxRatio: 3,
  });
  report.add('API', 'check of an ID token after the first', 'µs',
    medianOf(runsOf, (run) => run.idTokenMicroseconds - run.apiTokenMicroseconds));
  report.add('API', 'first request with an ID token', 'µs', medianOf(runsOf, (run) => run.firstMicroseconds));
}

async function main() {
  if (process.platform !== 'linux') throw new Error('the benchmark reads /proc and needs Linux');
  buildGenerators();
  const report = new Report();
  const details = [];
  const disturbances = [];
  const about = machine();
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const browser = options.only === 'api' ? undefined : await openBrowser();
  about.browser = browser?.version();
  try {
    for (const items of sizes) {
      say(`${items} items`);
      await awaitQuiet(disturbances, items);
      if (browser) {
        const prepared = await measureServer(report, folder, items);
        await measureVisits(report, details, browser, items, prepared);
      }
      if (options.only !== 'page' && items <= MAX_ITEMS_OF_THE_API) {
        await measureApi(report, programs, folder, items, { ...runs, connections: CONNECTIONS });
      }
    }
    await awaitQuiet(disturbances, 'widgets');
    if (!isPart) {
      measureVerification(report);
      say('widgets');
      if (browser) await measureWidgetVisits(report, programs, browser, folder, runs);
      await measurePanels(report, programs, folder, runs);
    }
    if (browser && (!isPart || options.only === 'status')) {
      say('status checks');
      await measureStatus(report, programs, browser, folder, runs);
    }
    if (!isPart || options.only === 'metrics') {
      say('metrics');
      await measureMetrics(report, programs, folder, runs);
    }
    if (!isPart || options.only === 'replicas') {
      say('several servers with one database');
      await measureReplicas(report, programs, folder, runs);
    }
    if (browser && (!isPart || options.only === 'figures')) {
      say('live figures');
      await measureFigures(report, programs, browser, folder, runs);
    }
    if (browser && (!isPart || options.only === 'offline')) {
      say('offline worker');
      await measureOffline(report, programs, browser, folder, runs);
    }
    if (browser && (!isPart || options.only === 'editor')) {
      say('editor');
      await measureEditor(report, programs, browser, folder, runs);
    }
    // These take a quarter of an hour each, so they run only on demand.
    if (browser && options.only === 'soak') {
      say('soak');
      await measureSoak(report, programs, browser, folder, { minutes: options.minutes ? Number(options.minutes) : runs.soak });
    }
    if (browser && options.only === 'themes') {
      say('themes');
      await measureThemes(report, programs, browser, folder);
    }
    say('widgets of services');
    if (browser && (!isPart || options.only === 'services')) await measureCatalogue(report, programs, browser, folder, { ...runs, minutes: Number(options.minutes ?? 0) });
  } finally {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const output = join(root, 'end2end/output');
  mkdirSync(output, { recursive: true });
  const result = { machine: about, disturbances, runs, rows: report.rows, visits: details };
  writeFileSync(join(output, 'bench.json'), `${JSON.stringify(result, undefined, 2)}\n`);

  console.log(`\n${about.cores} cores (${about.processor}), ${about.memoryMebibytes} MiB, Linux ${about.kernel}${about.browser ? `, Chromium ${about.browser}` : ''}`);
  const noisy = disturbances.filter((seen) => !seen.quiet);
  for (const { items, busy, load: average } of noisy) {
    console.log(`Not quiet before ${items}: ${Math.round(busy * 100)} % busy, load ${average.toFixed(1)}.`);
  }
  console.log(`\n${report.table()}\n\n${SCALE}\n`);
  const over = report.over();
  console.log(over.length === 0 ? 'All budgets are kept.' : `${over.length} over budget; all figures in end2end/output/bench.json.`);
  if (options.strict && over.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
