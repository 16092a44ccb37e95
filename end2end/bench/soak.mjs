// A long run, in which everything happens that happens in months: widgets and status checks that are refreshed all the time, tabs
// that come and go, edits, services that fail in many ways, connections that break. Measured is what grows: the memory of the
// server and of a tab that stays open, descriptors and threads.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort, startPortico } from './processes.mjs';
import { median } from './statistics.mjs';

const WIDGETS = 50;
const ITEMS = 20;
const TABS = 20;
// The last tabs show another page, where edits add and remove widgets, which reloads them.
const TABS_OF_THE_LAB = 4;
// Seconds between two lookups of a widget, and between two checks of an item.
const LOOKUP = 30;
const CHECK = 5;
// Seconds between two edits, two tabs that are opened again, two streams that are cut, and two kinds of failure.
const EDIT = 8;
const REOPEN = 15;
const CUT = 11;
const FAILURE = 10;
// How many samples are taken, and the least number of seconds between two.
const SAMPLES = 180;
const SAMPLE = 3;
// With fewer samples in a fifth of the run, medians say nothing.
const MIN_SAMPLES = 5;
// Seconds after the last failure until all services are up again everywhere.
const RECOVERY = 90;
// More than one address, because concurrent requests to one host are limited.
const HOSTS = 10;
// Milliseconds for a visit, on a machine that is busy with the other tabs.
const VISIT_TIMEOUT = 120_000;
const METRICS_PORT = 36_000;
const MEBIBYTE = 2 ** 20;
const MAX_GROWTH = 2 * MEBIBYTE;
// A tab that is just being opened, and the connection of the scrape, may be in one median and not in the other.
const TOLERANCE = 2;
// Each request to a service that does not respond has tasks, and some fail more often in one fifth than in another.
const TOLERANCE_OF_TASKS = 10;

// How a service may fail. At the end of the list, all are away at once, like a machine that restarts.
const FAILURES = ['cut', 'error', 'wrong', 'slow', 'hanging', 'away'];
const GROUPS = 5;
const SLOW = 3000;

const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));

// The services of all widgets and items. Each answer differs from the one before.
class Services {
  requests = 0;
  failing = { group: -1, how: '' };
  waiting = new Set();

  static async start() {
    const services = new Services();
    services.port = await freePort();
    await services.listen();
    return services;
  }

  async listen() {
    this.server = createServer((request, response) => this.receive(request, response));
    await new Promise((done) => this.server.listen(this.port, '0.0.0.0', done));
  }

  /** The address of a service. All of 127.0.0.0/8 is this machine. */
  address(number) {
    return `http://127.0.3.${(number % HOSTS) + 1}:${this.port}/${number}`;
  }

  receive(request, response) {
    this.requests += 1;
    const [, number, path] = /^\/(\d+)([^?]*)/.exec(request.url) ?? [];
    const answer = () => this.answer(path, Number(number), response);
    if (number % GROUPS !== this.failing.group) return answer();
    switch (this.failing.how) {
      case 'cut': return request.socket.destroy();
      case 'error': return response.writeHead(500, { 'content-type': 'text/plain' }).end('out of order');
      case 'wrong': return response.writeHead(200, { 'content-type': 'application/json' }).end(`{"state": [${'1,'.repeat(2000)}`);
      case 'slow': return setTimeout(answer, SLOW);
      default: return this.waiting.add(response);
    }
  }

  answer(path, number, response) {
    const count = this.requests;
    const wave = (at) => Math.round((Math.sin((at + number) / 7) + 1) * 4000) / 100;
    const now = Math.floor(Date.now() / 1000);
    const send = (type, text) => response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(text);
    const json = (value) => send('application/json', JSON.stringify(value));
    switch (path) {
      case '/state.json': return json({ name: `Service ${number}`, load: wave(count), requests: count, checked: now });
      case '/hosts.json': return json({ hosts: times(6 + (count % 5), (at) => ({ name: `host-${at}`, state: `${wave(count + at)} %` })) });
      case '/list.json': return json(times(8, (at) => ({
        link: { text: `tool-${at}`, url: `https://code.example/tool-${at}`, title: '' },
        value: { text: `v${count}.${at}`, title: '' },
        date: new Date((now - at * 90_000) * 1000).toISOString(),
      })));
      case '/feed.xml': {
        const post = (at) => `<item><title>Post ${count - at}</title><link>https://blog.example/${count - at}</link>
          <pubDate>${new Date((now - at * 40_000) * 1000).toUTCString()}</pubDate>
          <description>${'What happened in the garden. '.repeat(1 + (count % 4))}</description></item>`;
        return send('application/rss+xml', `<rss version="2.0"><channel><title>Feed ${number}</title>${times(8, post).join('')}</channel></rss>`);
      }
      case '/api/v1/data': return json({
        labels: ['time', 'user', 'system', 'iowait'],
        data: times(60, (at) => [now - at * 10, wave(count + at), wave(count + at * 2) / 2, wave(at) / 4]),
      });
      default: return response.writeHead(204).end();
    }
  }

  /** Ends what the failure before did, and begins another one. */
  async fail(turn) {
    await this.recover();
    const how = FAILURES[turn % FAILURES.length];
    this.failing = { group: turn % GROUPS, how };
    if (how === 'away') this.stop();
  }

  async recover() {
    const wasAway = this.failing.how === 'away';
    this.failing = { group: -1, how: '' };
    this.waiting.forEach((response) => response.destroy());
    this.waiting.clear();
    if (wasAway) await this.listen();
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

// Passes everything on to the server, and can cut the streams of events in it.
class Relay {
  sockets = new Set();
  streams = [];

  static async start(port) {
    const relay = new Relay();
    relay.server = createTcpServer((front) => {
      const back = connect(port, '127.0.0.1');
      const end = () => {
        front.destroy();
        back.destroy();
        relay.sockets.delete(end);
        relay.streams = relay.streams.filter((other) => other !== end);
      };
      relay.sockets.add(end);
      front.on('error', end).on('close', end);
      // What the server has sent last is still passed on.
      back.on('error', end).on('close', () => front.end());
      front.on('data', (piece) => {
        if (/^GET \S*\/events\?/.test(piece.toString('latin1', 0, 200))) relay.streams.push(end);
      });
      front.pipe(back);
      back.pipe(front);
    });
    await new Promise((done) => relay.server.listen(0, '127.0.0.1', done));
    relay.url = `http://127.0.0.1:${relay.server.address().port}/`;
    return relay;
  }

  cut(turn) {
    this.streams[turn % this.streams.length]?.();
  }

  stop() {
    this.server.close();
    this.sockets.forEach((end) => end());
  }
}

// An entry for one of the kinds of widgets in turn. Two are such that the browser asks their services itself.
function widget(services, number) {
  const at = services.address(number);
  const mappings = ['name', 'load', 'requests', 'checked'].map((field) => ({ field, label: field }));
  const entry = [
    { type: 'api-response', options: { url: `${at}/state.json`, mappings } },
    { type: 'api-response', options: { url: `${at}/hosts.json`, display: 'dynamic-list', mappings: { items: 'hosts', name: 'name', label: 'state' } } },
    { type: 'rss-feed', options: { rssUrl: `${at}/feed.xml`, parseLocally: true, limit: 5 } },
    { type: 'custom-list', options: { url: `${at}/list.json` } },
    { type: 'metrics-cpu-history', options: { host: at } },
  ][Math.floor(number / GROUPS) % 5];
  return { label: `Widget ${number}`, updateInterval: LOOKUP, ...(number % 25 === 0 ? { useProxy: false } : {}), ...entry };
}

const item = (services, number) => ({
  title: `Service ${number}`, url: `https://service-${number}.example/`, icon: 'si-docker', description: 'Runs under the stairs',
  statusCheckUrl: services.address(WIDGETS + number),
});

function home(services) {
  return {
    pageInfo: { title: 'Soak', description: 'Everything at once' },
    appConfig: { statusCheck: true, statusCheckInterval: CHECK },
    pages: [{ name: 'Lab', path: 'lab.yml' }],
    sections: [
      { name: 'Services', items: times(ITEMS, (number) => item(services, number)) },
      ...times(WIDGETS / 10, (section) => ({ name: `Widgets ${section}`, widgets: times(10, (at) => widget(services, section * 10 + at)) })),
    ],
  };
}

const lab = (services, turn) => ({
  pageInfo: { title: `Lab ${turn}` },
  sections: [{ name: 'All', widgets: times(5 + (turn % 3), (at) => widget(services, at * 7)) }],
});

// What an edit does in turn: a method, a path below `api/config/`, and a body. Those of the first page keep its open tabs.
function edits(services, turn) {
  const [round, kind] = [Math.floor(turn / 6), turn % 6];
  const number = round % ITEMS;
  return [
    () => ['PATCH', `conf.yml/sections/0/items/${number}`, { description: `Edit ${turn} ${'of a longer text '.repeat(round % 5)}` }],
    () => ['POST', 'conf.yml/sections/0/items', { ...item(services, number), title: 'Guest', statusCheck: false }],
    () => ['PATCH', 'conf.yml/sections/1', { name: `Widgets of round ${round}` }],
    () => ['DELETE', 'conf.yml/sections/0/items/Guest'],
    () => ['PUT', 'lab.yml', lab(services, round)],
    () => ['PUT', 'conf.yml/pageInfo', { title: 'Soak', description: `Round ${round}` }],
  ][kind]();
}

// Counts the memory of all modules of WebAssembly in the page.
function watchWebAssembly() {
  window.benchMemories = new Set();
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...parameters) => {
      const result = await original.apply(WebAssembly, parameters);
      for (const value of Object.values((result.instance ?? result).exports)) {
        if (value instanceof WebAssembly.Memory) window.benchMemories.add(value);
      }
      return result;
    };
  }
}

// A tab in a profile of its own: a browser has only six connections to a server.
async function openTab(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  const page = await context.newPage();
  await page.addInitScript(watchWebAssembly);
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  return { context, page };
}

// The memory of a tab after what is not used any more was collected.
async function measureTab({ page, session }) {
  // Twice, because elements that only scripts have held are free after the first time.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const heap = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const wasm = await page.evaluate(() => [...window.benchMemories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
  return {
    script: heap.usedSize, elements: heap.embedderHeapUsedSize ?? 0, wasm, tab: heap.usedSize + (heap.embedderHeapUsedSize ?? 0) + wasm,
    nodes: metric('Nodes'), listeners: metric('JSEventListeners'), documents: metric('Documents'),
  };
}

async function measureServer(server, relay, metricsPort) {
  const { rss, own } = server.memory();
  const count = (what) => readdirSync(`/proc/${server.child.pid}/${what}`).length;
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const gauge = (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    rss, own, connections: relay.sockets.size, descriptors: count('fd'), threads: count('task'),
    streams: gauge('portico_event_streams'), panels: gauge('portico_panels'), tasks: gauge('portico_runtime_tasks'),
  };
}

// Runs something every few seconds until then. Returns how often.
async function every(seconds, until, action) {
  for (let turn = 0; ; turn += 1) {
    await sleep(seconds * 1000);
    if (performance.now() >= until) return turn;
    await action(turn);
  }
}

// What the tab that was open all the time should show at the end, once all services are up; `undefined` if it does.
async function problemOf({ page }, description) {
  const look = () => page.evaluate(() => ({
    stayed: window.benchStays === true,
    panels: document.querySelectorAll('.widget-body[data-state=content]').length,
    other: document.querySelector('.widget-body:not([data-state=content])')?.closest('[data-widget]').textContent,
    up: document.querySelectorAll('#content [data-status=up]').length,
    text: document.body.textContent,
  }));
  let problem;
  for (let second = 0; second < RECOVERY; second += 1) {
    const { stayed, panels, other, up, text } = await look();
    if (!stayed) problem = 'it was loaded again';
    else if (panels !== WIDGETS) problem = `${panels} of ${WIDGETS} panels; another one says: ${other}`;
    else if (up !== ITEMS) problem = `${up} of ${ITEMS} services are up`;
    else problem = text.includes(description) ? undefined : `it does not show "${description}"`;
    if (!problem || !stayed) break;
    await sleep(1000);
  }
  return problem;
}

// The samples of a fifth of the time. A busy machine takes fewer of them in some minutes than in others.
const fifth = (samples, minutes, number) => samples.filter(({ seconds }) => Math.floor((seconds / 60 / minutes) * 5) === number);

function compare(report, samples, minutes) {
  const [second, last] = [fifth(samples, minutes, 1), fifth(samples, minutes, 4)];
  const samplesInFifth = Math.min(second.length, last.length);
  const tooFew = samplesInFifth < MIN_SAMPLES ? `only ${samplesInFifth}: the machine is too busy` : undefined;
  report.require('soak', `${minutes} min with at least ${MIN_SAMPLES} samples in a fifth`, tooFew);
  const add = (measure, unit, of, limits, middle = median) => {
    const [before, after] = [second, last].map((part) => middle(part.map(of)));
    report.add('soak', `${measure}, last fifth (reference: second fifth)`, unit, after, { reference: before });
    if (limits) report.add('soak', `${measure}, growth`, unit, after - before, limits);
  };
  // What a page takes while it is rendered comes and goes, by tens of MiB. What is never freed is also in the least.
  const least = (values) => Math.min(...values);
  add('memory of the server', 'MiB', ({ rss }) => rss);
  add('memory of the server, least', 'MiB', ({ rss }) => rss, { max: MAX_GROWTH }, least);
  add('the same without pages of the binary, least', 'MiB', ({ own }) => own, { max: MAX_GROWTH }, least);
  add('memory of a tab', 'MiB', ({ tab }) => tab);
  add('memory of a tab, least', 'MiB', ({ tab }) => tab, { max: MAX_GROWTH }, least);
  add('of it: heap of scripts', 'MiB', ({ script }) => script);
  add('of it: elements', 'MiB', ({ elements }) => elements);
  add('of it: WebAssembly', 'MiB', ({ wasm }) => wasm);
  add('nodes of the tab', 'count', ({ nodes }) => nodes);
  add('listeners of the tab', 'count', ({ listeners }) => listeners);
  add('descriptors of the server', 'count', ({ descriptors }) => descriptors);
  // Browsers open up to six connections for each tab, as they like.
  add('descriptors besides the connections of tabs', 'count', ({ descriptors, connections }) => descriptors - connections, { max: TOLERANCE });
  // Threads for blocking work come and go.
  add('threads of the server', 'count', ({ threads }) => threads);
  add('tasks besides those of connections', 'count', ({ tasks, connections }) => tasks - connections, { max: TOLERANCE_OF_TASKS });
  add('event streams', 'count', ({ streams }) => streams, { max: TOLERANCE });
}

/** The curves of a run, as a picture for the docs. */
function curves(samples, minutes) {
  const line = (name, field, divisor = 1) => ({ name, values: samples.map((sample) => sample[field] / divisor) });
  const size = (name, field) => line(name, field, MEBIBYTE);
  return picture(`${TABS} tabs, ${WIDGETS} widgets and ${ITEMS} status checks for ${minutes} minutes`, samples.map(({ seconds }) => seconds / 60), [
    { of: 'Memory of the server (MiB)', lines: [size('resident', 'rss'), size('anonymous', 'own')] },
    { of: 'Memory of a tab that stays open (MiB)', lines: [size('all', 'tab'), size('scripts', 'script'), size('WebAssembly', 'wasm')] },
    { of: 'The server (number)', lines: [line('descriptors', 'descriptors'), line('event streams', 'streams'), line('threads', 'threads'), line('tasks', 'tasks')] },
  ]);
}

// Round steps of an axis from 0 that has about four.
function steps(largest) {
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  return times(Math.floor(largest / step) + 1, (at) => Math.round(at * step * 1000) / 1000);
}

/** Charts below each other over the same minutes, as SVG that follows the color scheme of its reader. */
function picture(title, minutes, charts) {
  const [width, left, right, height, gap, top] = [760, 60, 110, 130, 50, 70];
  const end = minutes.at(-1);
  const x = (minute) => left + (minute / end) * (width - left - right);
  const whole = top + charts.length * (height + gap) + 10;
  const parts = charts.map(({ of, lines }, number) => {
    const floor = top + number * (height + gap) + height;
    const largest = Math.max(...lines.flatMap(({ values }) => values)) * 1.1;
    const y = (value) => floor - (value / largest) * height;
    const rows = steps(largest).map((value) => `<path class="rule" d="M${left} ${y(value).toFixed(1)}H${width - right}"/>
<text x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value}</text>`);
    const columns = steps(end).map((minute) => `<text x="${x(minute).toFixed(1)}" y="${floor + 16}" text-anchor="middle">${minute}</text>`);
    // Names beside the ends of the lines, the highest first, none on another one.
    let above = Number.NEGATIVE_INFINITY;
    const ends = new Map([...lines].sort((a, b) => b.values.at(-1) - a.values.at(-1)).map((line) => {
      above = Math.max(above + 15, y(line.values.at(-1)) + 4);
      return [line, above];
    }));
    const points = ({ values }) => values.map((value, sample) => `${x(minutes[sample]).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
    const paths = lines.map((line, at) => `<path class="line c${at}" d="M${points(line)}"/>
<text class="c${at}" x="${width - right + 6}" y="${ends.get(line).toFixed(1)}">${line.name}</text>`);
    return `<text class="name" x="${left}" y="${floor - height - 10}">${of}</text>\n${[...rows, ...columns, ...paths].join('\n')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" width="${width}" height="${whole}" role="img" aria-label="${title}">
<style>
svg { --paper: #fff; --text: #333; --rule: #ddd; --c0: #0b62c4; --c1: #b04a00; --c2: #1d7a3a; --c3: #8a3ab9; font: 12px system-ui, sans-serif }
@media (prefers-color-scheme: dark) { svg { --paper: #16191d; --text: #ddd; --rule: #3a3f46; --c0: #6cb2ff; --c1: #ffa45c; --c2: #6fd08c; --c3: #d09cf5 } }
.paper { fill: var(--paper) } text { fill: var(--text) } .title { font-size: 16px } .name { font-weight: bold } .rule { stroke: var(--rule) }
.line { fill: none; stroke-width: 1.5 } path.c0 { stroke: var(--c0) } path.c1 { stroke: var(--c1) } path.c2 { stroke: var(--c2) } path.c3 { stroke: var(--c3) }
text.c0 { fill: var(--c0) } text.c1 { fill: var(--c1) } text.c2 { fill: var(--c2) } text.c3 { fill: var(--c3) }
</style>
<rect class="paper" width="${width}" height="${whole}"/>
<text class="title" x="${left}" y="28">${title}</text>
${parts.join('\n')}
<text x="${(left + width - right) / 2}" y="${whole - 8}" text-anchor="middle">minutes since the last tab was opened</text>
</svg>
`;
}

/** Adds all measurements. With UPDATE_DOCS=1, the picture in the docs is made anew. */
export async function measureSoak(report, programs, browser, folder, { minutes }) {
  const services = await Services.start();
  const data = join(folder, 'soak');
  const metricsPort = await freePort(METRICS_PORT);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'lab.yml'), JSON.stringify(lab(services, 0)));
  const environment = { ENABLE_API: 'true', METRICS_ADDR: `127.0.0.1:${metricsPort}` };
  const { server } = await startPortico(programs.portico, data, JSON.stringify(home(services)), environment);
  const relay = await Relay.start(server.port);
  const tabs = [];
  try {
    const open = (number) => openTab(browser, number < TABS - TABS_OF_THE_LAB ? relay.url : `${relay.url}home/lab`);
    for (let number = 0; number < TABS; number += 1) tabs.push(await open(number));
    const [watched] = tabs;
    watched.session = await watched.context.newCDPSession(watched.page);
    await watched.session.send('Performance.enable');
    await watched.page.evaluate(() => { window.benchStays = true; });

    const edit = async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}api/config/${path}`, { method, headers, body: body && JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${method} ${path} fails with ${answer.status}: ${await answer.text()}`);
    };
    const reopen = async (turn) => {
      const number = 1 + (turn % (TABS - 1));
      await tabs[number].context.close();
      tabs[number] = await open(number);
    };
    const samples = [];
    const output = resolve(import.meta.dirname, '../output');
    mkdirSync(output, { recursive: true });
    const began = performance.now();
    const until = began + minutes * 60_000;
    const sample = async () => {
      const seconds = (performance.now() - began) / 1000;
      samples.push({ seconds, ...await measureServer(server, relay, metricsPort), ...await measureTab(watched) });
      // Each time, for those who look at a run of hours before its end.
      writeFileSync(join(output, 'soak.json'), `${JSON.stringify(samples)}\n`);
    };
    const [editCount, reopenCount, cutCount, failureCount] = await Promise.all([
      every(EDIT, until, (turn) => edit(edits(services, turn))),
      every(REOPEN, until, reopen),
      every(CUT, until, (turn) => relay.cut(turn)),
      every(FAILURE, until, (turn) => services.fail(turn)),
      every(Math.max(SAMPLE, (minutes * 60) / SAMPLES), until, sample),
    ]);
    writeFileSync(join(output, 'soak.svg'), curves(samples, minutes));
    if (process.env.UPDATE_DOCS) writeFileSync(resolve(import.meta.dirname, '../../docs/soak.svg'), curves(samples, minutes));
    for (const [measure, count] of [['edits', editCount], ['tabs that were opened again', reopenCount], ['streams that were cut', cutCount],
      ['failures of services', failureCount], ['requests to services', services.requests]]) report.add('soak', measure, 'count', count);
    compare(report, samples, minutes);
    await services.recover();
    await edit(['PUT', 'conf.yml/pageInfo', { title: 'Soak', description: 'The last edit' }]);
    report.require('soak', 'the tab that stayed open shows everything at the end', await problemOf(watched, 'The last edit'));
  } finally {
    await Promise.all(tabs.map(({ context }) => context.close()));
    relay.stop();
    await services.recover();
    services.stop();
    await server.stop();
  }
}
