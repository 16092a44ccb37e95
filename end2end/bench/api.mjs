// The REST API: the cost of reading an item, and the time for changing one.

import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { load, record } from './load.mjs';
import { startBare, startPortico } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';

const ITEMS_PER_SECTION = 12;
const ITEM = '/api/config/conf.yml/sections/0/items/0';

// On two cores, in a release build: ratios to the bare handler.
const LEAST_RATIO = 0.5;
const MAX_WRITE_RATIO = 1;

const WRITERS = 50;

// Items with few fields: 2,000 of them stay below the limit of 256 KB for writes.
export function small(items) {
  const lines = ['pageInfo:', '  title: Home', 'sections:'];
  for (let number = 0; number < items; number += 1) {
    if (number % ITEMS_PER_SECTION === 0) {
      lines.push(`  - name: Section ${number / ITEMS_PER_SECTION}`, '    items:');
    }
    lines.push(`      - title: Service ${number}`, `        url: https://service-${number}.home.example/`, '        icon: si-jellyfin');
  }
  return `${lines.join('\n')}\n`;
}

// One request over a persistent connection.
function send(agent, url, method, value) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(value);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request(url, { method, agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode >= 300) reject(new Error(`${method} ${url} answers ${response.statusCode}: ${text}`));
        else resolve(JSON.parse(text));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

// Reads one item, alternating with the bare handler, which returns the same bytes.
async function measureReads(report, program, portico, bare, items, { loads, connections, warmUp, duration }) {
  const settings = { path: ITEM, connections, warmUp, duration };
  const runs = await repeat(loads, async () => ({
    bare: await load(program, bare, settings),
    own: await load(program, portico, settings),
  }));
  report.add(items, 'API: GET of an item, requests per second', 'count', medianOf(runs, (run) => run.own.requestsPerSecond), {
    reference: medianOf(runs, (run) => run.bare.requestsPerSecond),
  });
  report.add(items, 'API: GET of an item, ratio to the bare handler', 'ratio',
    medianOf(runs, ({ own, bare: reference }) => own.requestsPerSecond / reference.requestsPerSecond), { min: LEAST_RATIO });
}

// Changes one item, with a backup and a sync to disk before the response; alternating with a program that reads and writes the
// same file with a YAML library, without checks.
async function measureWrites(report, portico, bare, items, writes) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const times = await repeat(writes, async (number) => {
    const change = { description: `Change ${number}` };
    const begin = performance.now();
    await send(agent, `http://${bare.address}/item`, 'PATCH', change);
    const before = performance.now();
    await send(agent, `http://${portico.address}${ITEM}`, 'PATCH', change);
    return { own: performance.now() - before, plain: before - begin };
  });
  agent.destroy();
  report.add(items, 'API: PATCH of an item with backup, p50 (reference: serde_yaml and two safe writes)', 'ms', medianOf(times, (run) => run.own), {
    reference: medianOf(times, (run) => run.plain),
    ...(items === 2000 ? { maxRatio: MAX_WRITE_RATIO } : {}),
  });
}

// Many clients add a section at the same time: none may be lost.
async function manyWriters(report, portico, items, folder) {
  const url = `http://${portico.address}/api/config/conf.yml/sections`;
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  const before = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => send(agent, url, 'POST', { name: `Writer ${number}` })));
  const spent = performance.now() - before;
  agent.destroy();
  const sections = await (await fetch(url)).json();
  const names = new Set(sections.map((section) => section.name));
  const lost = Array.from({ length: WRITERS }, (_, number) => `Writer ${number}`).filter((name) => !names.has(name));
  const backups = readdirSync(join(folder, 'config-backups')).length;
  const problem = lost.length > 0 ? `lost: ${lost.join(', ')}` : backups < WRITERS ? `only ${backups} backups` : undefined;
  report.require(items, `API: ${WRITERS} writers at once lose nothing`, problem);
  report.add(items, `API: ${WRITERS} writers at once, for each`, 'ms', spent / WRITERS);
}

// All figures of the API for one size.
export async function measureApi(report, programs, folder, items, settings) {
  const data = join(folder, `api-${items}`);
  const { server: portico } = await startPortico(programs.portico, data, small(items), { ENABLE_API: 'true' });
  let bare;
  try {
    const response = await record(`${portico.url.slice(0, -1)}${ITEM}`);
    if (response.status !== 200) throw new Error(`${ITEM} answers ${response.status}`);
    const root = { path: '/', headers: [['content-type', 'text/plain']], body: 'ready' };
    const plain = mkdtempSync(join(folder, 'plain-'));
    writeFileSync(join(plain, 'conf.yml'), small(items));
    ({ server: bare } = await startBare(programs.bare, join(folder, `api-bare-${items}`), [root, response], [plain]));
    await measureReads(report, programs.load, portico, bare, items, settings);
    await measureWrites(report, portico, bare, items, settings.writes);
    await manyWriters(report, portico, items, data);
  } finally {
    await Promise.all([portico.stop(), bare?.stop()]);
  }
}
