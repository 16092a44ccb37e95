// Status checks of very many items, with many open tabs: how often services are checked, what it costs, and that no page waits
// for them.

import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { meanOf, repeat } from './statistics.mjs';
import { firstPaint } from './visit.mjs';

const ITEMS = Number(process.env.STATUS_ITEMS ?? 2000);
const TABS = Number(process.env.STATUS_TABS ?? 50);
// Seconds between two checks of an item, and how many intervals are measured.
const INTERVAL = Number(process.env.STATUS_INTERVAL ?? 30);
const INTERVALS = 3;
const MEBIBYTE = 2 ** 20;
// More than one address, because concurrent requests to one host are limited.
const HOSTS = 16;

// Services that count their requests. All of 127.0.0.0/8 is this machine.
class Services {
  requested = new Map();

  static async start() {
    const services = new Services();
    services.server = createServer((request, response) => {
      services.requested.set(request.url, (services.requested.get(request.url) ?? 0) + 1);
      response.writeHead(204).end();
    });
    await new Promise((resolve) => services.server.listen(0, '0.0.0.0', resolve));
    return services;
  }

  address(number) {
    return `http://127.0.2.${(number % HOSTS) + 1}:${this.server.address().port}/${number}`;
  }

  total() {
    return [...this.requested.values()].reduce((sum, count) => sum + count, 0);
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

// A config with this many items; with services, each item is checked at one of them.
function config(services) {
  const plain = dashboard(ITEMS);
  if (!services) return plain;
  let number = 0;
  return plain
    .replace('appConfig:\n', `appConfig:\n  statusCheck: true\n  statusCheckInterval: ${INTERVAL}\n`)
    .replaceAll(/^( +)url: .*$/gm, (line, indent) => `${line}\n${indent}statusCheckUrl: ${services.address(number++)}`);
}

// An open tab: what it receives, in bytes and items.
function follow({ url }) {
  const tab = { bytes: 0, items: new Set() };
  let text = '';
  tab.request = get(`${url}events`, (response) => {
    response.setEncoding('utf8');
    response.on('data', (piece) => {
      tab.bytes += piece.length;
      const events = (text + piece).split('\n\n');
      text = events.pop();
      for (const event of events) {
        const data = /^event: status\ndata: (.*)$/m.exec(event)?.[1];
        if (data) for (const place of Object.values(JSON.parse(data)).flat()) tab.items.add(place);
      }
    });
    response.on('error', () => {});
  });
  tab.request.on('error', () => {});
  return tab;
}

// Adds all measurements.
export async function measureStatus(report, programs, browser, folder, runs) {
  const services = await Services.start();
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-status'), config(services));
  const { server: plain } = await startPortico(programs.portico, join(folder, 'portico-unchecked'), config());
  let tabs = [];
  try {
    await sleep(1000);
    report.require('status', 'no checks run while no page is open', services.total() > 0 ? `${services.total()} requests` : undefined);
    for (let tab = 0; tab < TABS; tab += 1) {
      tabs.push(follow(portico));
      await sleep((INTERVAL * 1000) / TABS);
    }
    // The first round, and the time until the checks are spread over the interval.
    await sleep(INTERVAL * 2000);
    const known = Math.min(...tabs.map((tab) => tab.items.size));
    report.require('status', `each of ${TABS} tabs is told of all ${ITEMS} items`, known < ITEMS ? `one knows ${known}` : undefined);
    services.requested.clear();
    const processor = portico.processorTime();
    await sleep(INTERVALS * INTERVAL * 1000);
    const counts = [...services.requested.values()];
    report.add('status', `requests per interval, ${ITEMS} items, ${TABS} tabs (reference: one round)`, 'count', services.total() / INTERVALS, { reference: ITEMS });
    report.add('status', 'the same, ratio', 'ratio', services.total() / INTERVALS / ITEMS, { max: 1.01, min: 0.99 });
    const uneven = counts.filter((count) => count !== INTERVALS).length;
    report.require('status', 'each item is asked once per interval', uneven > ITEMS / 100 || counts.length !== ITEMS ? `${uneven} of ${counts.length} were not` : undefined);
    report.add('status', 'processor time per check', 'ms', ((portico.processorTime() - processor) * 1000) / services.total());
    report.add('status', `memory with ${ITEMS} checked items and ${TABS} tabs`, 'MiB', portico.memory().rss, { max: 60 * MEBIBYTE });
    tabs.forEach((tab) => tab.request.destroy());
    tabs = [];
    await sleep(1000);
    services.requested.clear();
    await sleep(INTERVAL * 1000);
    report.require('status', 'nothing is asked after the last tab was closed', services.total() > 0 ? `${services.total()} requests` : undefined);
    // Alternating, so that a disturbance of the machine affects both; twice as many as elsewhere, and their mean, because paints
    // come in frames.
    const paints = await repeat(2 * runs.paints, async () => ({ own: await firstPaint(browser, portico.url), plain: await firstPaint(browser, plain.url) }));
    report.add('status', `first contentful paint, ${ITEMS} items (reference: without checks)`, 'ms', meanOf(paints, (run) => run.own), {
      reference: meanOf(paints, (run) => run.plain), maxRatio: 1.25,
    });
  } finally {
    tabs.forEach((tab) => tab.request.destroy());
    await Promise.all([portico.stop(), plain.stop()]);
    services.stop();
  }
}
