// Many widgets of self-hosted services at once: how often they are queried, what they cost, and that no page waits for them.
// The services respond with the widgets' examples (widgets/cases/<type>/example.yml).

import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

import { dashboard } from './dashboard.mjs';
import { load } from './load.mjs';
import { startPortico } from './processes.mjs';
import { median, medianOf, repeat } from './statistics.mjs';
import { emptyPaint, visit } from './visit.mjs';

const CASES = resolve(dirname(fileURLToPath(import.meta.url)), '../../widgets/cases');
const OF_A_SERVICE = /^(system-|metrics-|prometheus-|dns-|cloud-|ci-builds|cron-|file-browser|remote-monitoring|uptime-|usenet-|virtualization-|vpn-gateway)/;
// Their services are on the public internet, or the machine of Portico itself.
const OTHERS = new Set(['system-info']);

const WIDGETS = 100;
const BROWSERS = 100;
// Seconds between two lookups of a widget, and how many intervals are measured.
const INTERVAL = 15;
const INTERVALS = 3;
const HANGING = 40;
const HANGING_VISITS = 15;
// How many seconds the requests to hanging services may queue.
const MAX_QUEUE = 60;
// How much later such a page may be complete, as a ratio to the first paint of an empty page: about 10 ms.
const MAX_LATER = 0.2;
// A page with many widgets, and the number of concurrent connections that load it.
const ORDINARY = 25;
const CONNECTIONS = 32;
// How long the server is idle before its memory is measured.
const REST = 2000;
const MEBIBYTE = 2 ** 20;
const ITEMS = 200;
// How long the server has to look up all panels.
const LOOKUPS = 4000;

// The examples of the widgets, each with the origins that it queries.
function examples() {
  return readdirSync(CASES).filter((type) => OF_A_SERVICE.test(type) && !OTHERS.has(type)).sort().flatMap((type) => {
    const { options = {}, entry = {}, exchanges = [] } = parse(readFileSync(join(CASES, type, 'example.yml'), 'utf8'));
    const origins = [...new Set(exchanges.map(({ request }) => new URL(request.url.replace(/\*$/, '')).origin))];
    const text = JSON.stringify(options);
    const isOwn = origins.length > 0 && origins.every((origin) => text.includes(new URL(origin).host));
    return isOwn ? [{ type, options, entry, exchanges, origins, folder: join(CASES, type) }] : [];
  });
}

// Whether an address matches that of a case: query parameters may be in any order, and a star matches any rest. Parameters that
// depend on the time of day are not compared.
const TIMES = /^(start|end|time|after|before),/;
function fits(pattern, address) {
  const isOpen = pattern.endsWith('*');
  const wanted = new URL(isOpen ? pattern.slice(0, -1) : pattern);
  if (isOpen && !wanted.search && address.href.startsWith(wanted.href)) return true;
  if (wanted.pathname !== address.pathname) return false;
  const [pairs, parts] = [address, wanted].map((url) => [...url.searchParams].map(String).filter((pair) => !TIMES.test(pair)));
  const last = isOpen ? parts.pop() : undefined;
  return parts.every((pair) => pairs.includes(pair)) && (isOpen
    ? last === undefined || pairs.some((pair) => pair.startsWith(last))
    : pairs.length === parts.length);
}

// One server for all services. Each widget has its own host, like self-hosted services, and a path with numbers for the widget
// and the origin of its example.
class Services {
  /** How often each widget sent a request. */
  requested = new Map();
  isHanging = false;
  missing = new Set();

  static async start(widgets) {
    const services = new Services();
    services.widgets = widgets;
    services.counts = new Map();
    services.server = createServer((request, response) => services.answer(request, response));
    await new Promise((resolve) => services.server.listen(0, '0.0.0.0', resolve));
    return services;
  }

  /** All of 127.0.0.0/8 is this machine. */
  base(number, origin) {
    return `127.0.1.${Number(number) + 1}:${this.server.address().port}/w${number}o${origin}`;
  }

  answer(request, response) {
    const [, number, origin, rest] = /^\/w(\d+)o(\d+)(.*)$/.exec(request.url) ?? [];
    const widget = this.widgets[number];
    request.resume();
    if (!widget) return response.writeHead(404).end();
    this.requested.set(number, (this.requested.get(number) ?? 0) + 1);
    if (this.isHanging) return undefined;
    const address = new URL(rest || '/', widget.origins[origin]);
    const found = widget.exchanges
      .map((exchange, at) => ({ exchange, at }))
      .filter(({ exchange: { request: wanted } }) => (wanted.method ?? 'GET') === request.method && fits(wanted.url, address));
    if (found.length === 0) {
      this.missing.add(`${widget.type}: ${request.method} ${address}`);
      return response.writeHead(404).end();
    }
    const fresh = found.find(({ at }) => !this.counts.has(`${number} ${at}`)) ?? found.at(-1);
    this.counts.set(`${number} ${fresh.at}`, true);
    const { status = 200, headers = {}, body = '', body_file: file } = fresh.exchange.response;
    const text = file ? readFileSync(join(widget.folder, file)) : typeof body === 'string' ? body : JSON.stringify(body);
    const { location, ...others } = headers;
    response.writeHead(status, { 'content-type': 'application/json', ...others, ...(location ? { location: this.moved(number, widget, location) } : {}) });
    return response.end(text);
  }

  moved(number, widget, location) {
    return widget.origins.reduce((text, origin, at) => text.replace(origin, `http://${this.base(number, at)}`), location);
  }

  /** The entries of all widgets for a section. */
  entries(more = {}) {
    return this.widgets.map(({ type, options, entry, origins }, number) => {
      const text = origins.reduce((text, origin, at) => {
        const own = this.base(number, at);
        return text.replaceAll(origin, `http://${own}`).replaceAll(new URL(origin).host, own);
      }, JSON.stringify(options));
      return { ...entry, type, label: `${type} ${number}`, options: JSON.parse(text), ...more };
    });
  }

  total() {
    return [...this.requested.values()].reduce((sum, count) => sum + count, 0);
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const page = (entries) => `${dashboard(ITEMS)}  - name: Panel\n    widgets: ${JSON.stringify(entries)}\n`;

// Reads and discards the bodies of requests.
const fetched = (url, agent) => new Promise((resolve, reject) => {
  get(url, { agent, headers: { accept: '*/*', 'accept-encoding': 'br' } }, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode));
    response.on('error', reject);
  }).on('error', reject);
});

// An open tab: it requests each panel once per interval.
async function browse(portico, paths, until, agent) {
  const statuses = new Map();
  while (performance.now() < until) {
    const begin = performance.now();
    for (const path of paths) {
      const status = await fetched(`${portico.url.slice(0, -1)}${path}`, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    await sleep(Math.max(0, Math.min(INTERVAL * 1000 - (performance.now() - begin), until - performance.now())));
  }
  return statuses;
}

// The number of requests to the services during some intervals, with this many open tabs.
async function rounds(portico, services, paths, tabs, intervals) {
  const agent = new Agent({ keepAlive: true, maxSockets: tabs });
  // The tabs are opened during the first interval.
  const until = performance.now() + (intervals + 1) * INTERVAL * 1000;
  let before;
  setTimeout(() => { before = services.total(); }, INTERVAL * 1000);
  await Promise.all(Array.from({ length: tabs }, async (_, tab) => {
    // Not all tabs open at the same moment.
    await sleep((tab / tabs) * INTERVAL * 1000);
    await browse(portico, paths, until, agent);
  }));
  agent.destroy();
  return (services.total() - before) / intervals;
}

async function measureRounds(report, programs, folder, minutes) {
  const known = examples();
  const services = await Services.start(Array.from({ length: WIDGETS }, (_, at) => known[at % known.length]));
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-rounds'), page(services.entries({ updateInterval: INTERVAL })));
  try {
    await fetch(portico.url);
    await sleep(LOOKUPS);
    const text = await (await fetch(portico.url)).text();
    const slots = [...text.matchAll(/data-widget="(\d+)-(\d+)" data-kind="([a-z0-9-]+)"/g)];
    const states = [...text.matchAll(/data-state="(\w+)"/g)].map((match) => match[1]);
    const failed = states.filter((state) => state !== 'content');
    const problem = services.missing.size > 0 ? [...services.missing][0] : failed.length > 0 || slots.length !== WIDGETS
      ? `${slots.length} widgets, ${failed.length} without a panel` : undefined;
    report.require('services', `${known.length} types, ${WIDGETS} widgets: panels are there`, problem);
    const paths = slots.map(([, section, widget, kind]) => `/fn/panel?page=home&section=${section}&widget=${widget}&kind=${kind}`);
    // A whole round, and the sign-ins at services that need one.
    const one = services.total();
    const together = await rounds(portico, services, paths, BROWSERS, Math.max(INTERVALS, Math.round((minutes * 60) / INTERVAL)));
    report.add('services', `requests to services per interval, ${BROWSERS} browsers (reference: one round)`, 'count', together, { reference: one });
    report.add('services', 'the same, ratio', 'ratio', together / one, { max: 1.05 });
    report.add('services', `memory with ${WIDGETS} widgets after ${Math.max((INTERVALS * INTERVAL) / 60, minutes)} min of ${BROWSERS} browsers`, 'MiB', portico.memory().rss, { max: 60 * MEBIBYTE });
  } finally {
    await portico.stop();
    services.stop();
  }
}

// A page whose services all hang, compared with one without widgets: the time until the document arrives, and until it is loaded.
async function measureHanging(report, programs, browser, folder, runs) {
  const known = examples();
  const reference = await emptyPaint(programs, browser, folder, runs);
  const services = await Services.start(Array.from({ length: HANGING }, (_, at) => known[at % known.length]));
  services.isHanging = true;
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-hanging'), page(services.entries()));
  const { server: plain } = await startPortico(programs.portico, join(folder, 'portico-plain'), page([]));
  try {
    const agent = new Agent({ keepAlive: true });
    const time = async ({ url }) => {
      const begin = performance.now();
      await fetched(url, agent);
      return performance.now() - begin;
    };
    await time(portico);
    await time(plain);
    const documents = await repeat(HANGING_VISITS, async () => ({ own: await time(portico), plain: await time(plain) }));
    agent.destroy();
    const loaded = async ({ url }) => {
      const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
      try {
        const tab = await context.newPage();
        await tab.goto(url, { waitUntil: 'load' });
        return await tab.evaluate(() => performance.getEntriesByType('navigation')[0].responseEnd);
      } finally {
        await context.close();
      }
    };
    await loaded(portico);
    const visits = await repeat(HANGING_VISITS, async () => ({ own: await loaded(portico), plain: await loaded(plain) }));
    const later = (times) => median(times.map((time) => time.own - time.plain));
    // The server sends a limited number of requests at a time. The others wait until those have timed out.
    for (let seconds = 0; seconds < MAX_QUEUE && services.requested.size < HANGING; seconds += 1) await sleep(1000);
    report.require('services', `${HANGING} widgets whose services hang: they are asked`, services.requested.size < HANGING ? `${services.requested.size} were asked` : undefined);
    report.add('services', `document with ${HANGING} hanging widgets, later than without widgets (reference: the first paint of an empty page)`, 'ms', later(documents), {
      reference, maxRatio: MAX_LATER,
    });
    report.add('services', 'the same in the browser', 'ms', later(visits), { reference, maxRatio: MAX_LATER });
  } finally {
    await Promise.all([portico.stop(), plain.stop()]);
    services.stop();
  }
}

async function measureFirstVisit(report, programs, browser, folder, runs) {
  const known = examples();
  const wanted = [
    'system-compact-metrics', 'system-cpu-cores', 'system-memory-current', 'system-disk-space', 'system-network-interfaces',
    'system-load-history', 'metrics-ram-history', 'prometheus-data', 'dns-sinkhole-traffic', 'cloud-stats', 'uptime-monitor', 'virtualization-lists',
  ];
  const services = await Services.start(wanted.map((type) => known.find((one) => one.type === type)).filter(Boolean));
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-dozen'), page(services.entries()));
  try {
    report.require('services', 'a dozen types have examples', services.widgets.length < wanted.length ? `${services.widgets.length} have` : undefined);
    await fetch(portico.url);
    await sleep(LOOKUPS);
    await visit(browser, portico.url);
    const visits = await repeat(runs.visits, () => visit(browser, portico.url));
    report.add('services', 'first visit with a dozen widgets of services, in total', 'KB', medianOf(visits, (run) => run.bytes), { max: 220_000 });
  } finally {
    await portico.stop();
    services.stop();
  }
}

// The memory that an ordinary page with widgets needs.
async function measureMemory(report, programs, folder, runs) {
  const services = await Services.start(examples().slice(0, ORDINARY));
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-memory'), page(services.entries()));
  try {
    await fetch(portico.url);
    await sleep(LOOKUPS);
    await load(programs.load, portico, { connections: CONNECTIONS, warmUp: runs.warmUp, duration: runs.duration });
    await sleep(REST);
    report.add('services', `memory with ${ORDINARY} panels, after load`, 'MiB', portico.memory().rss, { max: 40 * MEBIBYTE });
  } finally {
    await portico.stop();
    services.stop();
  }
}

// Adds all measurements. `minutes` is how long a hundred browsers keep the page open.
export async function measureCatalogue(report, programs, browser, folder, { minutes, ...runs }) {
  await measureFirstVisit(report, programs, browser, folder, runs);
  await measureMemory(report, programs, folder, runs);
  await measureHanging(report, programs, browser, folder, runs);
  await measureRounds(report, programs, folder, minutes);
}
