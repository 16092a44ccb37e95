// Several servers with one PostgreSQL behind nginx: what a request costs compared with a server that has a folder, how soon a change
// is in open tabs, and how many queries the servers make.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'yaml';

import { dashboard } from './dashboard.mjs';
import { load } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { freePort, startPortico } from './processes.mjs';
import { median, medianOf, repeat } from './statistics.mjs';

const ITEMS = 200;
const WIDGETS = 100;
const REPLICAS = [1, 2, 3];
const CONNECTIONS = 32;
const WRITES = 20;
// Throughput of a processor, compared with that of a server with a folder.
const LEAST_RATIO = 0.95;
const MAX_UNTIL_TAB_MS = 300;
// How long queries are counted, and how long a server rests before.
const COUNTED = 60_000;
const REST = 10_000;
// Time between two requests for all panels.
const SHOWN = 2000;
const WIDGET_INTERVAL = 20;
const DATABASE_PORT = 33_000;
const METRICS_PORT = 34_000;
const NGINX_PORT = 35_000;

/** A service that widgets ask. */
async function startService() {
  const service = createServer((request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"state":"well"}'));
  await new Promise((done) => service.listen(0, '127.0.0.1', done));
  return service;
}

function withWidgets(service) {
  const url = (number) => `http://127.0.0.1:${service.address().port}/${number}`;
  const widget = (number) => ({ type: 'api-response', updateInterval: WIDGET_INTERVAL, options: { url: url(number), mappings: [{ field: 'state', label: 'State' }] } });
  return JSON.stringify({ pageInfo: { title: 'Widgets' }, sections: [{ name: 'All', widgets: Array.from({ length: WIDGETS }, (_, number) => widget(number)) }] });
}

/** Starts nginx in front of servers, with connections that stay open. */
async function startNginx(folder, servers) {
  const port = await freePort(NGINX_PORT);
  mkdirSync(join(folder, 'temp'), { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`).join(' ');
  const upstream = servers.map(({ address }) => `server ${address};`).join(' ');
  writeFileSync(join(folder, 'nginx.conf'), `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${paths} keepalive_requests 1000000; upstream portico { ${upstream} keepalive ${CONNECTIONS}; keepalive_requests 1000000; }
    server { listen 127.0.0.1:${port}; location / { proxy_pass http://portico; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost; proxy_buffers 16 64k; } } }`);
  const PATH = `${process.env.PATH}:/usr/sbin:${resolve(import.meta.dirname, '../output/nginx/usr/sbin')}`;
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], { stdio: 'ignore', env: { ...process.env, PATH } });
  const ended = new Promise((done) => child.once('exit', done));
  for (;;) {
    const answers = await fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false);
    if (answers) break;
    await sleep(50);
  }
  return { address: `127.0.0.1:${port}`, stop: () => { child.kill('SIGKILL'); return ended; } };
}

/** A tab of a server: `next()` completes with the next event of the page. */
async function openTab(server) {
  const text = await (await fetch(server.url)).text();
  const version = /data-version="([^"]+)"/.exec(text)?.[1];
  const waiting = [];
  const request = get(`${server.url}events?version=${version}`, (response) => {
    response.setEncoding('utf8');
    response.on('data', (piece) => {
      if (piece.includes('event: page')) waiting.splice(0).forEach((done) => done(performance.now()));
    });
    response.once('error', () => undefined);
  });
  request.once('error', () => undefined);
  return { next: () => new Promise((done) => waiting.push(done)), close: () => request.destroy() };
}

async function queries(ports) {
  let sum = 0;
  for (const port of ports) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    sum += Number(/^portico_database_queries_total (\d+)/m.exec(text)?.[1] ?? Number.NaN);
  }
  return sum;
}

/** Requests the panels of all widgets, as a page does that shows them. */
async function showWidgets(server) {
  for (let widget = 0; widget < WIDGETS; widget += 1) {
    const answer = await fetch(`${server.url}fn/panel?page=home&section=0&widget=${widget}&kind=api-response`);
    if (!answer.ok) throw new Error(`a panel fails with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

/** Queries a minute of servers with an open tab each, which shows the widgets again and again if there are some. */
async function queriesPerMinute(servers, ports, hasWidgets = false) {
  const tabs = await Promise.all(servers.map(openTab));
  const show = () => (hasWidgets ? Promise.all(servers.map(showWidgets)) : undefined);
  for (let waited = 0; waited < REST; waited += SHOWN) {
    await show();
    await sleep(SHOWN);
  }
  const [before, began] = [await queries(ports), performance.now()];
  while (performance.now() - began < COUNTED) {
    await show();
    await sleep(SHOWN);
  }
  const count = await queries(ports) - before;
  const minutes = (performance.now() - began) / 60_000;
  tabs.forEach((tab) => tab.close());
  return count / minutes;
}

export async function measureReplicas(report, programs, folder, { loads, warmUp, duration }) {
  const postgres = await Postgres.start(join(folder, 'postgres'), await freePort(DATABASE_PORT));
  const service = await startService();
  const environment = { DATABASE_URL: postgres.address, SESSION_SECRET: 'a secret of thirty-two characters', ENABLE_API: 'true', OFFLINE: 'false', OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  const running = [];
  try {
    // As many servers with a folder each, because a server that has less to do needs more time for each request.
    const folders = [];
    const servers = [];
    const ports = [];
    const put = async (body) => {
      const answer = await fetch(`${servers[0].url}api/config/conf.yml`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
      if (!answer.ok) throw new Error(`a write fails with ${answer.status}: ${await answer.text()}`);
    };
    for (const count of REPLICAS) {
      const port = await freePort(METRICS_PORT + count * 100);
      const { server } = await startPortico(programs.portico, join(folder, `replica-${count}`), dashboard(ITEMS), { ...environment, METRICS_ADDR: `127.0.0.1:${port}` });
      servers.push(server);
      ports.push(port);
      running.push(server);
      if (count === 1) await put(JSON.stringify(parse(dashboard(ITEMS))));
      const { server: reference } = await startPortico(programs.portico, join(folder, `folder-${count}`), dashboard(ITEMS), { OFFLINE: 'false' });
      folders.push(reference);
      running.push(reference);
      const nginx = await startNginx(join(folder, `nginx-${count}`), servers);
      const before = await startNginx(join(folder, `nginx-folder-${count}`), folders);
      running.push(nginx, before);
      // All servers together: what is compared is the processor time of a request.
      const together = ({ address }, list) => ({ address, processorTime: () => list.reduce((sum, one) => sum + one.processorTime(), 0) });
      const runs = await repeat(loads, async () => ({
        folder: await load(programs.load, together(before, folders), { connections: CONNECTIONS, warmUp, duration }),
        database: await load(programs.load, together(nginx, servers), { connections: CONNECTIONS, warmUp, duration }),
      }));
      report.add('replicas', `${count} behind nginx: processor time per request (reference: as many with folders)`, 'µs', medianOf(runs, (run) => run.database.processorMicroseconds), {
        reference: medianOf(runs, (run) => run.folder.processorMicroseconds), maxRatio: 1 / LEAST_RATIO,
      });
      report.add('replicas', `${count}: memory of the last one, idle (reference: a folder)`, 'MiB', server.memory().rss, { reference: reference.memory().rss });
    }
    const times = await repeat(WRITES, async () => {
      const tabs = await Promise.all(servers.map(openTab));
      const seen = Promise.all(tabs.map((tab) => tab.next()));
      await sleep(100);
      const began = performance.now();
      await put(JSON.stringify({ pageInfo: { title: `Title ${began}` }, sections: [] }));
      const last = Math.max(...await seen);
      tabs.forEach((tab) => tab.close());
      return last - began;
    });
    report.add('replicas', 'from write to the last open tab', 'ms', median(times), { max: MAX_UNTIL_TAB_MS });
    report.add('replicas', 'queries a minute of 3 servers at rest', 'count', await queriesPerMinute(servers, ports));
    await put(withWidgets(service));
    await sleep(REST);
    const one = await queriesPerMinute(servers.slice(0, 1), ports, true);
    const three = await queriesPerMinute(servers, ports, true);
    report.add('replicas', `queries a minute with ${WIDGETS} widgets: tabs of 3 servers (reference: of one)`, 'count', three, { reference: one });
  } finally {
    service.close();
    service.closeAllConnections();
    await Promise.all(running.map((server) => server.stop()));
    await postgres.stop();
  }
}
