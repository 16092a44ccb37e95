// HTTP/2 clients that send much, or take nothing of what they get: the program's memory stays small.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, describe, test } from 'node:test';

import { eventually, Portico, sha256, sleep } from './harness.mjs';
import { watch } from './watch.mjs';

/** The resident memory that the program may have, in MiB, and that of an idle one that has its files in the binary. */
const MEMORY = 120;
const IDLE = 30;

const ITEMS = Array.from({ length: 300 }, (_, number) => `{ title: Item ${number}, url: "https://host-${number}.example/", description: About item ${number} }`);
const ACCOUNTS = `auth: { enableGuestAccess: true, users: [ { user: anna, hash: ${sha256('anna')}, type: admin } ] }`;
const conf = (accounts) => `appConfig: { ${accounts} }\nsections: [ { name: S, items: [ ${ITEMS.join(', ')} ] } ]\n`;

/** Resident memory of a program now, in MiB. */
const memory = (portico) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${portico.child.pid}/status`, 'utf8'))[1]) / 1024;

/** HTTP/2 connections, each with as many streams as it may have. */
function streams(portico, count, { settings = {}, headers, body, from = (number) => `127.7.0.${number + 1}` }) {
  return Array.from({ length: count }, (_, number) => {
    const session = connectHttp2(`http://127.0.0.1:${portico.port}`, { settings, localAddress: from(number) });
    session.on('error', () => undefined);
    for (let stream = 0; stream < 100; stream++) {
      const request = session.request(headers, { endStream: body === undefined });
      request.on('error', () => undefined);
      if (body !== undefined) request.write(body);
    }
    return session;
  });
}

const json = (path) => ({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });

for (const [who, accounts] of [['visitors of a closed dashboard', ACCOUNTS.replace('enableGuestAccess: true, ', '')], ['guests', ACCOUNTS]]) {
  describe(who, () => {
    let portico, watching, idle, tooMuch;
    before(async () => {
      const film = new Uint8Array(3 * 1024 * 1024);
      const files = { 'conf.yml': conf(accounts), 'film.mp4': film, 'large.css': '/* a large style sheet */ '.repeat(100_000) };
      portico = await Portico.start({ files, environment: { ENABLE_API: 'true' } });
      await portico.get('/');
      await sleep(500);
      idle = memory(portico);
      // A development build has its files in memory.
      tooMuch = Math.max(0, idle - IDLE) + MEMORY;
      // Others get their responses. How soon depends on this process too, which is busy itself.
      watching = watch(portico, Infinity);
    });
    after(async () => {
      await watching.stop();
      await portico.stop();
    });

    const attacks = {
      'bodies on HTTP/2': () => streams(portico, 4, { headers: json('/fn/editor-upload'), body: Buffer.alloc(2_000_000, 'x') }),
      'bodies for functions that anybody may call': () => streams(portico, 4, { headers: json('/fn/sign-in'), body: Buffer.alloc(16_000, ' ') }),
      'responses of browsers': () => streams(portico, 8, { headers: json('/fn/panel-by-browser'), body: Buffer.alloc(1_000_000, ' ') }),
      'login forms': () => streams(portico, 20, { headers: { ':method': 'POST', ':path': '/login' }, body: Buffer.alloc(16_000, 'x') }),
      'bodies of the API': () => streams(portico, 8, { headers: { ...json('/api/config/conf.yml'), ':method': 'PUT' }, body: Buffer.alloc(1_000_000, ' ') }),
      'pages that nobody takes': () => streams(portico, 60, { settings: { initialWindowSize: 0 }, headers: { ':path': '/' } }),
      'style sheets that nobody takes': () => streams(portico, 8, { settings: { initialWindowSize: 0 }, headers: { ':path': '/large.css' } }),
      'films that nobody takes': () => streams(portico, 8, { settings: { initialWindowSize: 1000 }, headers: { ':path': '/film.mp4' } }),
    };
    for (const [what, attack] of Object.entries(attacks)) {
      test(what, { timeout: 60_000 }, async () => {
        const attackers = attack();
        let most = 0;
        for (let time = 0; time < 40; time++) {
          most = Math.max(most, memory(portico));
          await sleep(100);
        }
        for (const attacker of attackers) attacker.destroy();
        watching.check();
        assert.ok(most < tooMuch, `${most.toFixed(0)} MiB, ${idle.toFixed(0)} MiB when idle`);
        await eventually('they are gone', async () => (await portico.get('/healthz', { timeout: 3000 })).status === 200);
      });
    }
  });
}
