// The cost of the offline worker while the server is reachable: bytes of the first visit, and the first paint of later ones.

import { get } from 'node:http';
import { join } from 'node:path';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { meanOf, medianOf, repeat } from './statistics.mjs';
import { returningVisitor, visit } from './visit.mjs';

const ITEMS = 200;

// The compressed bytes of a response's body.
const sent = (address) => new Promise((resolve, reject) => {
  get(address, { headers: { 'accept-encoding': 'br' } }, (response) => {
    let bytes = 0;
    response.on('data', (data) => { bytes += data.length; });
    response.on('end', () => resolve(bytes));
  }).on('error', reject);
});

export async function measureOffline(report, programs, browser, folder, runs) {
  const config = dashboard(ITEMS);
  const withWorker = config.replace('appConfig:\n', 'appConfig:\n  enableServiceWorker: true\n');
  const { server: own } = await startPortico(programs.portico, join(folder, 'offline-with'), withWorker);
  const { server: plain } = await startPortico(programs.portico, join(folder, 'offline-without'), config);
  const visitors = [];
  try {
    // Alternating, so that a disturbance of the machine affects both.
    const visits = await repeat(runs.visits, async () => ({
      own: await visit(browser, own.url),
      plain: await visit(browser, plain.url),
    }));
    report.add('offline', 'first visit, growth with the worker', 'B', medianOf(visits, (run) => run.own.bytes - run.plain.bytes), { max: 2000 });
    const page = await (await fetch(own.url)).text();
    const script = new URL(/data-companion="([^"]*)"/.exec(page)[1], own.url).href;
    const later = await Promise.all([script, `${own.url}service-worker.js`, `${own.url}manifest.json`].map(sent));
    report.add('offline', 'loaded some seconds after the first visit', 'KB', later.reduce((sum, bytes) => sum + bytes, 0));

    for (const [server, hasWorker] of [[own, true], [plain, false]]) visitors.push(await returningVisitor(browser, server.url, hasWorker));
    const [someone, reference] = visitors;
    // The first one also starts parts of the browser.
    for (const visitor of visitors) await visitor.paint();
    // Twice as many as elsewhere, and their mean: paints come in frames, and the limit is less than a frame.
    const paints = await repeat(2 * runs.paints, async () => ({ own: await someone.paint(), plain: await reference.paint() }));
    report.add('offline', 'second visit, first contentful paint (reference: without the worker)', 'ms', meanOf(paints, (run) => run.own), {
      // Not later, except for the variation between two runs of the same page.
      reference: meanOf(paints, (run) => run.plain), maxRatio: 1.1,
    });
  } finally {
    await Promise.all(visitors.map((visitor) => visitor.close()));
    await Promise.all([own.stop(), plain.stop()]);
  }
}
