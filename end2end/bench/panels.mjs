// Cached panels: a single panel, and the page with one of each widget.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { load, record } from './load.mjs';
import { startBare, startDemo } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';

const CONNECTIONS = 32;
// How long the server is idle before its memory is measured.
const REST = 2000;
const MEBIBYTE = 2 ** 20;

// The first widget of the demo with a list of entries, as an ordinary panel.
const KIND = 'rss-feed';

// The path of a widget's panel, as in the page.
function panelPath(page) {
  const found = [...page.matchAll(/data-widget="(\d+)-(\d+)" data-kind="([a-z0-9-]+)"/g)].find((match) => match[3] === KIND);
  if (!found) throw new Error(`the demo shows no ${KIND}`);
  return `/fn/panel?page=home&section=${found[1]}&widget=${found[2]}&kind=${KIND}`;
}

export async function measurePanels(report, programs, folder, runs) {
  const { server: portico } = await startDemo(programs.portico);
  try {
    const text = async (path) => (await fetch(`${portico.url}${path}`)).text();
    const path = panelPath(await text(''));
    // The first request has started the lookups; now the panels are in the page.
    await sleep(REST);
    const responses = [await record(`${portico.url.slice(0, -1)}${path}`), await record(portico.url)];
    const { server: bare } = await startBare(programs.bare, join(folder, 'bare-panels'), responses);
    try {
      const settings = { connections: CONNECTIONS, warmUp: runs.warmUp, duration: runs.duration };
      for (const [what, at, min] of [['a panel from the cache', path, 0.4], ['the gallery of all widgets', '/', undefined]]) {
        const loads = await repeat(runs.loads, async () => ({
          bare: await load(programs.load, bare, { ...settings, path: at }),
          own: await load(programs.load, portico, { ...settings, path: at }),
        }));
        report.add('widgets', `GET ${what}, requests per second`, 'count', medianOf(loads, ({ own }) => own.requestsPerSecond), {
          reference: medianOf(loads, (run) => run.bare.requestsPerSecond),
        });
        report.add('widgets', `GET ${what}, ratio to the bare handler`, 'ratio',
          medianOf(loads, ({ own, bare: reference }) => own.requestsPerSecond / reference.requestsPerSecond), { min });
        report.add('widgets', `GET ${what}, processor time per request`, 'µs', medianOf(loads, ({ own }) => own.processorMicroseconds), {
          reference: medianOf(loads, (run) => run.bare.processorMicroseconds),
        });
      }
      await sleep(REST);
      // The same as with a hundred widgets of services; 25 have their own budget (catalogue.mjs).
      report.add('widgets', 'memory with the panels of the gallery, after load', 'MiB', portico.memory().rss, {
        reference: bare.memory().rss, max: 60 * MEBIBYTE,
      });
    } finally {
      await bare.stop();
    }
  } finally {
    await portico.stop();
  }
}
