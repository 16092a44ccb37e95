// Live figures on 200 tiles: what they cost a first visit, how often the services are asked while 1, 10 and 100 pages are open,
// and the server's memory.

import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';
import { paints, visit } from './visit.mjs';

const ITEMS = 200;
const MEBIBYTE = 2 ** 20;
const PAGES = [1, 10, 100];
// Half of the services is asked every 10 seconds, the other half every minute.
const WINDOW = 60_000;
// How long the server has to ask all of them once.
const LOOKUPS = 8000;

const ANSWERS = [
  [/mode=queue/, { queue: { noofslots: 3, kbpersec: '1234.5', timeleft: '0:12:30', speed: '1.2 M', slots: [] } }],
  [/\/message/, { messages: [], paging: { size: 0 } }],
  [/./, [{ id: 1 }, { id: 2 }]],
];

async function startServices() {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const [, answer] = ANSWERS.find(([pattern]) => pattern.test(request.url));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, count: () => asked, stop: () => server.close() };
}

// The same dashboard, with figures on every tile.
function withFigures(services) {
  let number = 0;
  return dashboard(ITEMS).replaceAll(/^ {8}tags: .*$/gm, (line) => {
    number += 1;
    const type = number % 2 ? 'sabnzbd' : 'gotify';
    return `${line}\n        figures: [{ type: ${type}, url: "${services}/${number}", key: "0123456789abcdef" }]`;
  });
}

// An open page, as far as the server sees it: its stream of events.
async function openPage(url) {
  const version = /data-version="(\w+)"/.exec(await (await fetch(url)).text())[1];
  return new Promise((resolve, reject) => {
    const request = get(`${url}events?version=${version}&age=0`, { agent: false }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve(() => request.destroy());
      else reject(new Error(`the stream answers ${response.statusCode}`));
    });
    request.on('error', () => {});
    request.on('error', reject);
  });
}

export async function measureFigures(report, programs, browser, folder, runs) {
  const services = await startServices();
  const { server: plain } = await startPortico(programs.portico, join(folder, 'portico-plain'), dashboard(ITEMS));
  const { server: portico } = await startPortico(programs.portico, join(folder, 'portico-figures'), withFigures(services.url));
  const about = '200 tiles with figures';
  try {
    const perMinute = [];
    for (const count of PAGES) {
      const pages = await Promise.all(Array.from({ length: count }, () => openPage(portico.url)));
      await sleep(LOOKUPS);
      const before = services.count();
      await sleep(WINDOW);
      perMinute.push(services.count() - before);
      report.add(about, `requests to the services per minute with ${count} open pages`, 'count', perMinute.at(-1), {
        reference: perMinute[0], maxRatio: 1.05,
      });
      for (const close of pages) close();
    }
    report.require(about, 'services are asked', perMinute[0] > ITEMS ? undefined : `${perMinute[0]} requests`);
    report.add(about, 'memory', 'MiB', portico.memory().rss, { max: 60 * MEBIBYTE });

    // The figures are there now, as after any visit of the last minutes.
    await visit(browser, portico.url);
    const visits = await repeat(runs.visits, async () => ({ own: await visit(browser, portico.url), plain: await visit(browser, plain.url) }));
    report.add(about, 'first visit, beyond one without figures', 'KB', medianOf(visits, ({ own, plain: other }) => own.bytes - other.bytes), { max: 6000 });
    const painted = await repeat(runs.paints, async () => ({ own: await paints(browser, portico.url), plain: await paints(browser, plain.url) }));
    report.add(about, 'first contentful paint (reference: without figures)', 'ms', medianOf(painted, ({ own }) => own.first), {
      reference: medianOf(painted, (run) => run.plain.first), maxRatio: 1.1,
    });
  } finally {
    await Promise.all([plain.stop(), portico.stop()]);
    services.stop();
  }
}
