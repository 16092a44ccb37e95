// Clients that send much, or take nothing of what they get, as many as there may be connections: the program's memory stays small
// whatever visitors do who have not signed in, and its health check responds.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';

import { eventually, Portico, sha256, sleep } from './harness.mjs';
import { watch } from './watch.mjs';

/** The resident memory that the program may have, in MiB, and that of an idle one that has its files in the binary. */
const MEMORY = 120;
const IDLE = 20;
const CONNECTIONS = 2000;

const ITEMS = Array.from({ length: 300 }, (_, number) => `{ title: Item ${number}, url: "https://host-${number}.example/", description: About item ${number} }`);
const ACCOUNTS = `auth: { enableGuestAccess: true, users: [ { user: anna, hash: ${sha256('anna')}, type: admin } ] }`;
const conf = (accounts) => `appConfig: { ${accounts} }\nsections: [ { name: S, items: [ ${ITEMS.join(', ')} ] } ]\n`;

/** Resident memory of a program now, in MiB. */
const memory = (portico) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${portico.child.pid}/status`, 'utf8'))[1]) / 1024;

/** How many files and connections a program has open. */
const descriptors = (portico) => readdirSync(`/proc/${portico.child.pid}/fd`).length;

/** Many connections, from many addresses, which send something at once and read nothing. */
function crowd(portico, first) {
  return Array.from({ length: CONNECTIONS }, (_, number) => {
    const from = `127.6.${Math.floor(number / 60) % 250}.${(number % 250) + 1}`;
    const socket = connect({ port: portico.port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    socket.once('connect', () => socket.write(first));
    socket.pause();
    return socket;
  });
}

/** A frame of HTTP/2. */
function frame(type, flags, stream, payload) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The bytes of an HTTP/2 connection with a hundred requests, each as small as it can be. The client has no room for responses. */
function manyRequests({ method = 0x82, path = '/', flags = 0x05, after = () => [] } = {}) {
  // SETTINGS_INITIAL_WINDOW_SIZE is 0.
  const settings = frame(4, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
  // Method and scheme from the static table, the path, and the authority `x`.
  const head = Buffer.concat([Buffer.from([method, 0x86, 0x04, path.length]), Buffer.from(path), Buffer.from([0x01, 1]), Buffer.from('x')]);
  const requests = Array.from({ length: 100 }, (_, number) => [frame(1, flags, 2 * number + 1, head), ...after(2 * number + 1)]).flat();
  return Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings, ...requests]);
}

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

const head = (length) => `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(length)}`;
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
      // The longest response depends on how busy this process keeps the machine.
      watching = await watch(portico, Infinity);
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
      'missing pages that nobody takes': () => streams(portico, 60, { settings: { initialWindowSize: 0 }, headers: { ':path': `/${'x'.repeat(5000)}` } }),
      'style sheets that nobody takes': () => streams(portico, 8, { settings: { initialWindowSize: 0 }, headers: { ':path': '/large.css' } }),
      'films that nobody takes': () => streams(portico, 8, { settings: { initialWindowSize: 1000 }, headers: { ':path': '/film.mp4' } }),
      'long heads on 2,000 connections': () => crowd(portico, head(60_000)),
      'searches on 2,000 connections that nobody takes': () => crowd(portico, 'GET /?q=item HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)),
      'films on 2,000 connections that nobody takes': () => crowd(portico, 'GET /film.mp4 HTTP/1.1\r\nHost: x\r\n\r\n'),
      '200,000 requests on 2,000 connections': () => crowd(portico, manyRequests()),
      // POST, and bodies in pieces of one byte that do not end.
      'bodies in tiny pieces on 2,000 connections': () => crowd(portico, manyRequests({ method: 0x83, path: '/login', flags: 0x04, after: (stream) => Array.from({ length: 50 }, () => frame(0, 0, stream, Buffer.from('x'))) })),
    };
    for (const [what, attack] of Object.entries(attacks)) {
      test(what, { timeout: 120_000 }, async (context) => {
        watching.begin();
        const attackers = attack();
        try {
          let most = 0;
          for (let time = 0; time < 40; time++) {
            most = Math.max(most, memory(portico));
            await sleep(100);
          }
          const { usual, reference } = await watching.check();
          context.diagnostic(`${most.toFixed(0)} MiB, ${idle.toFixed(0)} MiB when idle; /healthz ${usual.toFixed(0)} ms, ${reference.toFixed(0)} ms when quiet`);
          assert.ok(most < tooMuch, `${most.toFixed(0)} MiB, ${idle.toFixed(0)} MiB when idle`);
        } finally {
          for (const attacker of attackers) attacker.destroy();
        }
        await eventually('they are gone', () => descriptors(portico) < 100, 45_000);
      });
    }
  });
}
