// HTTP/2 streams that take nothing, on connections that answer every ping: they end, and never keep others out. Large files that
// nobody takes leave descriptors for others.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { describe, test } from 'node:test';

import { eventually, Portico, sleep } from './harness.mjs';

const CONF = 'pageInfo: { title: Streams }\nsections: [ { name: S } ]\n';

/** An HTTP/2 connection with streams that take nothing. */
function stuck(portico, from, count, path = '/', window = 0) {
  const session = connectHttp2(`http://127.0.0.1:${portico.port}`, { settings: { initialWindowSize: window }, localAddress: from });
  session.on('error', () => undefined);
  for (let stream = 0; stream < count; stream++) session.request({ ':path': path }).on('error', () => undefined);
  return session;
}

describe('streams that take nothing', { concurrency: true }, () => {
  test('end after half a minute, although pings are answered', { timeout: 60_000 }, async () => {
    const portico = await Portico.start({ files: { 'conf.yml': CONF } });
    const began = Date.now();
    const session = stuck(portico, '127.8.0.1', 10);
    await eventually('the connection ends', () => session.destroyed || session.closed, 45_000);
    assert.ok(Date.now() - began > 25_000, `${Date.now() - began} ms`);
    await portico.stop();
  });

  test('of two addresses keep nobody else out', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': CONF }, limits: { descriptors: 256 } });
    const sessions = Array.from({ length: 200 }, (_, number) => stuck(portico, `127.8.1.${(number % 2) + 1}`, 2));
    await sleep(1500);
    for (let time = 0; time < 10; time++) {
      const answer = await portico.get('/', { from: '127.8.2.1', timeout: 5000 });
      assert.equal(answer.status, 200);
    }
    for (const session of sessions) session.destroy();
    await portico.stop();
  });

  test('of large files leave descriptors for others', async () => {
    const film = new Uint8Array(8 * 1024 * 1024);
    const portico = await Portico.start({ files: { 'conf.yml': CONF, 'film.mp4': film }, environment: { ENABLE_API: 'true' }, limits: { descriptors: 256 } });
    const idle = readdirSync(`/proc/${portico.child.pid}/fd`).length;
    const sessions = Array.from({ length: 3 }, (_, number) => stuck(portico, `127.8.3.${number + 1}`, 100, '/film.mp4', 1000));
    await sleep(2000);
    const open = readdirSync(`/proc/${portico.child.pid}/fd`).length;
    const write = await portico.json('PUT', '/api/config/conf.yml', { sections: [{ name: 'N' }] }, { from: '127.8.3.9', timeout: 5000 });
    assert.equal(write.status, 200, write.text);
    assert.ok(open < idle + 30, `${open} descriptors, ${idle} when idle`);
    assert.doesNotMatch(portico.log, /too many open files|os error 24/i);
    // Those who take it get all of it.
    const whole = await portico.get('/film.mp4', { timeout: 10_000 });
    assert.equal(whole.body.length, film.length);
    for (const session of sessions) session.destroy();
    await portico.stop();
  });
});
