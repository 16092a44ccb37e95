// Spans, as a collector receives them: OTLP over HTTP. The messages are protobuf, whose texts and numbers stand in it as bytes.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { eventually, Portico } from '../security/harness.mjs';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** Listens on a free port; returns the address, and the requests with their bodies. */
async function listen(respond) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    requests.push({ path: request.url, headers: request.headers, body: Buffer.concat(parts) });
    respond(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, requests, stop: () => server.close() };
}

test('a collector gets the spans of a request and of the requests that it causes', async () => {
  const collector = await listen((response) => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  const service = await listen((response) => response.setHeader('content-type', 'application/rss+xml').end('<rss><channel><title>T</title><item><title>One</title></item></channel></rss>'));
  const portico = await Portico.start({
    files: { 'conf.yml': `sections: [{ name: A, widgets: [{ type: rss-feed, options: { rssUrl: '${service.url}/secret-path?key=SECRET' } }] }]` },
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_BSP_SCHEDULE_DELAY: '200', TRUSTED_PROXIES: '127.0.0.1', OTEL_SERVICE_NAME: 'start-page' },
  });
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, accept: 'text/html' };
  await portico.get('/home/none', { headers: { ...headers, traceparent: `00-${TRACE}-${PARENT}-00` } });
  await portico.get('/fn/panel?page=home&section=0&widget=0&kind=rss-feed', { headers });
  const received = () => Buffer.concat(collector.requests.map(({ body }) => body));
  const has = (bytes) => received().includes(bytes);
  await eventually('the spans have arrived', async () => has('GET /fn/{*name}') && has('server.address'), 15_000);
  assert.ok(collector.requests.every(({ path }) => path === '/v1/traces'), 'the path of OTLP');
  assert.ok(has(Buffer.from(TRACE, 'hex')) && has(Buffer.from(PARENT, 'hex')), 'the trace of the proxy goes on');
  assert.ok(has('start-page') && has('http.response.status_code'), 'the name of the service, and the status');
  const [asked] = service.requests;
  const [, trace, span] = asked.headers.traceparent.split('-');
  assert.equal(trace, TRACE);
  assert.ok(has(Buffer.from(span, 'hex')), 'the service continues the span that is sent');
  for (const secret of ['SECRET', 'secret-path', '/home/none']) assert.ok(!has(secret), `${secret} is in no span`);
  await portico.get('/healthz');
  assert.equal((await portico.stop()).code, 0);
  assert.ok(has('GET /healthz'), 'the last spans are sent at the end');
  collector.stop();
  service.stop();
});

test('a collector that is away holds nothing up', async () => {
  const portico = await Portico.start({
    files: { 'conf.yml': 'sections: []' },
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  });
  for (let count = 0; count < 20; count += 1) assert.equal((await portico.get('/home')).status, 200);
  assert.equal((await portico.stop()).code, 0);
});
