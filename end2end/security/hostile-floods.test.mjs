// Visitors who request the same thing as fast as they can, at every path of the program: the health check responds all the same.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { Portico, sha256 } from './harness.mjs';
import { EXCESS, watch } from './watch.mjs';

/** How many connections send requests, for how many milliseconds. */
const [CONNECTIONS, TIME] = [32, 1500];

/** How often an excess is measured again: other work may have disturbed it. */
const REPEATS = 4;

const ITEMS = Array.from({ length: 2000 }, (_, number) => ({ title: `Item ${number}`, url: `https://host-${number}.example/`, description: `About item ${number}` }));
const AUTH = { enableGuestAccess: true, users: [{ user: 'anna', hash: sha256('anna'), type: 'admin' }] };
const CONF = { appConfig: { auth: AUTH, statusCheck: false }, sections: Array.from({ length: 20 }, (_, number) => ({ name: `Section ${number}`, items: ITEMS.slice(100 * number, 100 * number + 100) })) };

const cookies = (name) => Array.from({ length: 900 }, (_, number) => `portico-${name}-attempt-${number.toString(16).padStart(6, '0')}-0=8~made-up`).join('; ');

/** Every path, and the requests that are expensive somewhere. `#` stands for a number that is new each time. */
function targets() {
  const source = readFileSync(join(import.meta.dirname, '../../server/src/routes/mod.rs'), 'utf8');
  const samples = { page: 'main', section: 'section-1', widget: '0', script: 'page.js', set: 'si', version: 'x', file: 'list.json', token: 'x', name: 'session' };
  const paths = [...source.matchAll(/\.route\("([^"]+)", get/g)].map(([, path]) => path.replace(/\{\*?(\w+)\}/g, (_, name) => samples[name] ?? 'x'));
  assert.ok(paths.length > 30, 'the list of routes was found');
  const more = {
    'a file of the config': { path: '/conf.yml' },
    'a list in another encoding': { path: '/themes/x/list.json', headers: { 'accept-encoding': 'br' } },
    'a page in another encoding': { path: '/', headers: { 'accept-encoding': 'zstd' } },
    'missing pages': { path: '/missing-#' },
    'searches': { path: '/?q=item+#' },
    'addresses in frames': { path: `/framed?url=${encodeURIComponent(ITEMS[1999].url)}` },
    'other addresses in frames': { path: '/framed?url=https%3A%2F%2Fmade-up-#.example' },
    'checks of services': { path: `/status-check?url=${encodeURIComponent(ITEMS[1999].url)}` },
    'checks of other addresses': { path: '/status-check?url=https%3A%2F%2Fmade-up-#.example' },
    'pings': { path: '/ping-check?host=made-up-#.example' },
    'other configs': { path: '/?config=https%3A%2F%2Fmade-up-#.example%2Fconf.yml' },
    'items of other pages': { path: '/fn/items-elsewhere?slug=main' },
    'made-up sign-ins in progress': { path: '/login/provider', headers: { cookie: cookies('000000').slice(0, 14_000) } },
    'passwords': { method: 'POST', path: '/login', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'user=anna&password=made-up-#' },
    'large bodies': { method: 'POST', path: '/fn/panel-by-browser', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ page: 'main', responses: ['x'.repeat(100_000)] }) },
  };
  return [...paths.map((path) => [path, { path }]), ...Object.entries(more)];
}

/** Sends requests until the time is over. */
async function flood(portico, { method = 'GET', path, headers, body }) {
  const deadline = Date.now() + TIME;
  let number = 0;
  let answers = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (Date.now() < deadline) {
        const own = String(number++);
        const options = { agent, method, path: path.replace('#', own), headers, port: portico.port, host: '127.0.0.1', localAddress: `127.11.${connection % 8}.1`, timeout: 5000 };
        const answered = await new Promise((done) => {
          const sent = request(options, (response) => {
            // Event streams have no end.
            if (/event-stream/.test(response.headers['content-type'])) sent.destroy();
            response.resume();
            response.once('close', () => done(true));
          });
          sent.once('timeout', () => sent.destroy());
          sent.once('error', () => done(false));
          sent.end(body?.replace('#', own));
        });
        if (answered) answers++;
      }
      agent.destroy();
    }),
  );
  return answers;
}

describe('while guests send the same request all the time', () => {
  let portico, watching;
  before(async () => {
    portico = await Portico.start({ files: { 'conf.yml': JSON.stringify(CONF) }, environment: { ENABLE_API: 'true', LOG_LEVEL: 'error' } });
    watching = await watch(portico, Infinity);
  });
  after(async () => {
    await watching.stop();
    await portico.stop();
  });

  for (const [what, target] of targets()) {
    test(what, async (context) => {
      for (let repeat = 1; ; repeat++) {
        watching.begin();
        const answers = await flood(portico, target);
        const { usual, reference } = await watching.check(repeat < REPEATS ? Infinity : undefined);
        context.diagnostic(`${answers} responses; /healthz ${usual.toFixed(0)} ms, ${reference.toFixed(0)} ms when quiet`);
        if (repeat === REPEATS || usual - reference <= EXCESS) break;
      }
    });
  }
});
