// Slow and silent clients: others are still served, and their connections are closed in the end. The longest wait, for bodies
// that trickle in, is tested in Rust, where the clock can be moved.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';

import { eventually, freePort, Portico, sleep, temporaryDirectory } from './harness.mjs';

/** Milliseconds after which a silent client must have been disconnected. */
const PATIENCE = 95_000;
/** The same for clients that send their head too slowly. */
const HEAD_PATIENCE = 30_000;

const CONF = 'pageInfo: { title: Busy }\nsections: [ { name: S } ]\n';

/** A watched connection: when it was closed, and the received bytes. */
function hold(port, { first = '', from, drip, every = 1000, tls = false } = {}) {
  const options = { port, host: '127.0.0.1', localAddress: from, rejectUnauthorized: false };
  const socket = tls ? connectTls(options) : connect(options);
  const held = { socket, opened: Date.now(), closed: undefined, text: '' };
  socket.on('error', () => undefined);
  socket.on('data', (data) => (held.text += data));
  socket.once('close', () => (held.closed ??= Date.now()));
  socket.once('connect', () => {
    if (first) socket.write(first);
    if (!drip) return;
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(drip)), every);
    socket.once('close', () => clearInterval(timer));
  });
  return held;
}

const letGo = async (held, what, patience) => {
  await eventually(`${what} is let go`, () => held.closed !== undefined, patience);
};

describe('with 256 descriptors', { concurrency: true }, () => {
  const crowds = {
    'silent connections of one peer': (port) => hold(port, { from: '127.3.0.1' }),
    'silent connections of many peers': (port, number) => hold(port, { from: `127.3.1.${(number % 250) + 1}` }),
    'half heads': (port, number) => hold(port, { from: `127.3.2.${(number % 250) + 1}`, first: 'GET / HTTP/1.1\r\nHost: x\r\n' }),
    'heads that never end': (port, number) => hold(port, { from: `127.3.3.${(number % 250) + 1}`, first: 'GET / HTTP/1.1\r\nHost: x\r\n', drip: 'X-A: b\r\n' }),
    'bodies that never come': (port, number) => hold(port, { from: `127.3.4.${(number % 250) + 1}`, first: 'POST /config-manager/save HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{' }),
    'answers that nobody reads': (port, number) => {
      const held = hold(port, { from: `127.3.5.${(number % 250) + 1}`, first: 'GET /schema.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60) });
      held.socket.pause();
      return held;
    },
    'connections that are kept alive': (port, number) => hold(port, { from: `127.3.6.${(number % 250) + 1}`, first: 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n' }),
  };
  for (const [what, open] of Object.entries(crowds)) {
    test(`300 ${what}: others are served, and files can be written`, async () => {
      const portico = await Portico.start({ files: { 'conf.yml': CONF }, environment: { ENABLE_API: 'true' }, limits: { descriptors: 256 } });
      const crowd = Array.from({ length: 300 }, (_, number) => open(portico.port, number));
      await sleep(1500);
      // Quickly, and any number of times.
      await eventually('a page', async () => (await portico.get('/', { from: '127.3.9.1', timeout: 3000 }).catch(() => undefined))?.status === 200, 10_000);
      for (let time = 0; time < 3; time++) {
        assert.equal((await portico.get('/healthz', { from: '127.3.9.2', timeout: 5000 })).status, 200);
        const write = await portico.json('PUT', '/api/config/conf.yml', { sections: [{ name: `N${time}` }] }, { from: '127.3.9.3', timeout: 5000 });
        assert.equal(write.status, 200, write.text);
      }
      assert.match(portico.read('conf.yml'), /N2/);
      assert.doesNotMatch(portico.log, /too many open files|os error 24/i);
      for (const { socket } of crowd) socket.destroy();
      await portico.stop();
    });
  }
});

describe('every client that does nothing is let go', { concurrency: true }, () => {
  let portico, tls;
  before(async () => {
    const directory = temporaryDirectory();
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    tls = await freePort();
    const environment = { ENABLE_API: 'true', SSL_PRIV_KEY_PATH: key, SSL_PUB_KEY_PATH: cert, SSL_PORT: String(tls), REDIRECT_HTTPS: 'false' };
    portico = await Portico.start({ files: { 'conf.yml': CONF }, environment });
  });
  after(() => portico.stop());

  const post = 'POST /config-manager/save HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const held = {
    'a silent connection': [() => hold(portico.port, { from: '127.4.0.1' }), HEAD_PATIENCE],
    'a silent connection to HTTPS': [() => hold(tls, { from: '127.4.0.2' }), HEAD_PATIENCE],
    'half a greeting of TLS': [() => hold(tls, { from: '127.4.0.3', first: '\u0016\u0003\u0001' }), HEAD_PATIENCE],
    'half a head': [() => hold(portico.port, { from: '127.4.0.4', first: 'GET / HTTP/1.1\r\nHost: x\r\n' }), HEAD_PATIENCE],
    'a head that drips': [() => hold(portico.port, { from: '127.4.0.5', first: 'GET / HTTP/1.1\r\n', drip: 'X-A: b\r\n' }), HEAD_PATIENCE],
    'a silent connection inside TLS': [() => hold(tls, { from: '127.4.0.6', tls: true }), HEAD_PATIENCE],
    'a body that never comes': [() => hold(portico.port, { from: '127.4.0.7', first: `${post}Content-Length: 500\r\n\r\n` }), PATIENCE],
    'a chunked body that never ends': [() => hold(portico.port, { from: '127.4.0.8', first: `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n \r\n` }), PATIENCE],
    'a body on a path that wants none': [() => hold(portico.port, { from: '127.4.0.9', first: 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n' }), PATIENCE],
    'a connection that was kept alive': [() => hold(portico.port, { from: '127.4.0.11', first: 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n' }), PATIENCE],
  };
  for (const [what, [open, patience]] of Object.entries(held)) {
    test(what, { timeout: patience + 10_000 }, async () => letGo(open(), what, patience));
  }

  const bodies = {
    'a save': post,
    'a call of the API': 'PUT /api/config/conf.yml HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n',
    'a call of a function': 'POST /fn/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n',
    'an upload': 'POST /fn/editor-upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n',
    'a sign-in': 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n',
  };
  for (const [number, [what, head]] of Object.entries(bodies).entries()) {
    test(`the body of ${what} that stops coming: 408`, { timeout: 45_000 }, async () => {
      const client = hold(portico.port, { from: `127.4.1.${number + 1}`, first: `${head}Content-Length: 500\r\n\r\n{` });
      await eventually('there is a response', () => client.text.includes('\r\n\r\n') || client.closed, 40_000);
      assert.match(client.text, /^HTTP\/1\.1 408 /);
      client.socket.destroy();
    });
  }

  test('an idle HTTP/2 connection', { timeout: PATIENCE + 10_000 }, async () => {
    const session = connectHttp2(`https://127.0.0.1:${tls}`, { rejectUnauthorized: false, localAddress: '127.4.0.12' });
    session.on('error', () => undefined);
    let closed = false;
    session.once('close', () => (closed = true));
    await new Promise((done) => session.once('connect', done));
    const status = await new Promise((done) => session.request({ ':path': '/healthz' }).once('response', (headers) => done(headers[':status'])).resume());
    assert.equal(status, 200);
    await eventually('an idle HTTP/2 connection is let go', () => closed, PATIENCE);
  });

  test('HTTP/2 streams that are opened and given up by the thousand (rapid reset)', async () => {
    const session = connectHttp2(`https://127.0.0.1:${tls}`, { rejectUnauthorized: false, localAddress: '127.4.0.13' });
    session.on('error', () => undefined);
    await new Promise((done) => session.once('connect', done));
    const before = portico.processorTime;
    for (let number = 0; number < 3000 && !session.destroyed; number++) {
      const stream = session.request({ ':path': '/' });
      stream.on('error', () => undefined);
      stream.close(8);
      if (number % 100 === 0) await sleep(1);
    }
    for (let time = 0; time < 5; time++) await portico.health();
    assert.ok(portico.processorTime - before < 10, `${portico.processorTime - before} s`);
    session.destroy();
  });

  test('the other clients did not notice', async () => {
    const slowest = [];
    for (let time = 0; time < 20; time++) {
      slowest.push(await portico.health());
      await sleep(100);
    }
    assert.ok(Math.max(...slowest) < 1000, `${Math.max(...slowest)} ms`);
  });
});

test('the soft limit of descriptors is raised at start', async () => {
  const portico = await Portico.start({ files: { 'conf.yml': CONF }, limits: { softDescriptors: 128 } });
  const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync(`/proc/${portico.child.pid}/limits`, 'utf8'));
  assert.ok(Number(soft) > 128 && Number(soft) <= Number(hard), `${soft} of ${hard}`);
  await portico.stop();
});

describe('heads and bodies have limits', () => {
  let portico;
  before(async () => {
    portico = await Portico.start({ files: { 'conf.yml': CONF }, environment: { ENABLE_API: 'true' } });
  });
  after(() => portico.stop());

  const large = {
    'a head of 2 MB in one line': { headers: { 'x-large': 'x'.repeat(2_000_000) } },
    'ten thousand lines in the head': { headers: { 'x-many': Array.from({ length: 10_000 }, () => 'x') } },
    'a path of 1 MB': { path: `/${'x'.repeat(1_000_000)}` },
    'a body of 8 MB': { method: 'PUT', path: '/api/config/conf.yml', headers: { 'content-type': 'application/json' }, body: ' '.repeat(8_000_000) },
    'a form of 8 MB': { method: 'POST', path: '/login', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `user=${'x'.repeat(8_000_000)}` },
  };
  for (const [what, request] of Object.entries(large)) {
    test(what, async () => {
      const response = await portico.ask('GET', request.path ?? '/', request).catch((error) => error);
      // A closed connection is fine too.
      if (!(response instanceof Error)) assert.ok(response.status >= 400 && response.status < 500, String(response.status));
      await portico.health();
    });
  }

  test('none of it took much memory', () => assert.ok(portico.peakMemory < 250, `${portico.peakMemory} MiB`));
});
