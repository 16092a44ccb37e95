// Alerts and figures with a real Gotify, and alerts by e-mail with a real mail server.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { basic, eventually, freePort, Portico, temporaryDirectory } from '../security/harness.mjs';
import { all, confirm, numbers, program, Service } from './services.mjs';

/** Seconds between checks: the shortest. */
const INTERVAL = 5;
const FAILURES = 2;
/** Seconds from the failure that counts to the message, for one check and for sending. */
const DELAY = 2;
/** Milliseconds for a message that is due. */
const PATIENCE = 30_000;

/** A service that is up until it is stopped, and can come back. */
class Watched {
  static async start() {
    const watched = new Watched();
    watched.port = await freePort();
    await watched.listen();
    return watched;
  }

  listen() {
    this.server = createServer((_, response) => response.end('up'));
    return new Promise((done) => this.server.listen(this.port, '127.0.0.1', done));
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}

/** Starts Gotify; returns its address, and a function that calls its API as the admin. */
async function startGotify() {
  const port = await freePort();
  const folder = temporaryDirectory();
  const service = new Service(program('gotify'), [], {
    GOTIFY_SERVER_LISTENADDR: '127.0.0.1',
    GOTIFY_SERVER_PORT: String(port),
    GOTIFY_DATABASE_CONNECTION: join(folder, 'gotify.db'),
    GOTIFY_UPLOADEDIMAGESDIR: join(folder, 'images'),
    GOTIFY_PLUGINSDIR: join(folder, 'plugins'),
    GOTIFY_DEFAULTUSER_NAME: 'anna',
    GOTIFY_DEFAULTUSER_PASS: 'for-the-tests',
  });
  const url = `http://127.0.0.1:${port}`;
  const call = async (path, body) => {
    const headers = { authorization: basic('anna', 'for-the-tests'), 'content-type': 'application/json' };
    const response = await fetch(`${url}/${path}`, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  await service.ready('Gotify', async () => (await call('health')).health === 'green');
  return { service, url, call };
}

/** Starts a mail server that writes what it gets into a folder. */
async function startMail() {
  const port = await freePort();
  const folder = join(temporaryDirectory(), 'mail');
  const parameters = ['-m', 'aiosmtpd', '-n', '-l', `127.0.0.1:${port}`, '-c', 'aiosmtpd.handlers.Mailbox', folder];
  const service = new Service(program('aiosmtpd/bin/python'), parameters);
  const read = () => {
    const kept = join(folder, 'new');
    return existsSync(kept) ? readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8')) : [];
  };
  await service.ready('the mail server', () => new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end('QUIT\r\n');
      done(true);
    });
    socket.once('error', failed);
  }));
  return { service, url: `smtp://127.0.0.1:${port}`, read };
}

test('an outage and its end reach Gotify and a mailbox, once', async (t) => {
  const [gotify, mail, watched] = [await startGotify(), await startMail(), await Watched.start()];
  after(() => watched.stop().catch(() => {}));
  const application = await gotify.call('application', { name: 'Dashboard' });
  const metricsPort = await freePort();
  const portico = await Portico.start({
    files: {
      'conf.yml': JSON.stringify({
        appConfig: {
          statusCheck: true,
          statusCheckInterval: INTERVAL,
          alerts: [
            { type: 'gotify', url: gotify.url, token: application.token, failures: FAILURES },
            { type: 'email', url: mail.url, from: 'portico@example.com', to: ['anna@example.com'], failures: FAILURES },
          ],
        },
        sections: [{ name: 'Media', items: [{ title: 'Films', url: `http://127.0.0.1:${watched.port}` }] }],
      }),
    },
    environment: { OFFLINE: 'false', APP_URL: 'http://localhost', METRICS_ADDR: `127.0.0.1:${metricsPort}` },
  });
  const pause = (intervals) => new Promise((done) => setTimeout(done, 1000 * intervals * INTERVAL));
  const inGotify = async () => (await gotify.call('message')).messages.reverse().map(({ title, message }) => `${title}\n${message}`);

  await t.test('nothing is sent while it is up', async () => {
    await pause(1.5);
    assert.deepEqual(await inGotify(), []);
    assert.deepEqual(mail.read(), []);
  });

  await t.test('the outage is announced within one interval of the failure that counts', async () => {
    await watched.stop();
    const began = performance.now();
    await eventually('Gotify has a message', async () => (await inGotify()).length === 1, PATIENCE);
    const seconds = (performance.now() - began) / 1000;
    assert.match((await inGotify())[0], /Films/);
    // The first failure comes up to one interval after the stop.
    const limit = FAILURES * INTERVAL + DELAY;
    assert.ok(seconds <= limit, `the message took ${seconds.toFixed(1)} s, at most ${limit} s are allowed`);
    await eventually('the mailbox has a message', async () => mail.read().length === 1, PATIENCE);
    assert.match(mail.read()[0], /^To: anna@example\.com$/m);
    assert.match(mail.read()[0], /^Subject: .*Films.*down/m);
  });

  await t.test('and not again', async () => {
    await pause(2.5);
    assert.equal((await inGotify()).length, 1);
    assert.equal(mail.read().length, 1);
  });

  await t.test('its end says how long it lasted', async () => {
    await watched.listen();
    await eventually('Gotify has the second message', async () => (await inGotify()).length === 2, PATIENCE);
    assert.match((await inGotify())[1], /Films is up[^]*\d+ s/);
    await eventually('the mailbox has it too', async () => mail.read().length === 2, PATIENCE);
  });

  await t.test('the figures of Gotify count what it has', async () => {
    const client = await gotify.call('client', { name: 'Portico' });
    const read = async () => [(await gotify.call('application')).length, (await gotify.call('client')).length, (await gotify.call('message')).messages.length];
    await confirm('service-figures', { service: 'gotify', url: gotify.url, key: client.token }, read, (panel, before) => {
      assert.deepEqual(all(panel, 'label'), ['Apps', 'Clients', 'Messages']);
      assert.deepEqual(numbers(panel), before);
    });
  });

  await t.test('a refused token is named', async () => {
    portico.write({
      'conf.yml': portico.read('conf.yml').replace(application.token, 'of-nobody'),
    });
    await watched.stop();
    await eventually('the log says so', async () => /rejects the token/.test(portico.log), PATIENCE);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const count = (result) => Number(new RegExp(`^portico_alerts_total{result="${result}"} (\\d+)`, 'm').exec(metrics)?.[1]);
    assert.ok(count('success') >= 4);
    assert.ok(count('failure') >= 1);
  });
  await portico.stop();
  await gotify.service.stop();
  await mail.service.stop();
});
