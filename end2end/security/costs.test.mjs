// The processor time of a request grows no faster than the request. Every route gets every part of a request at its full size, and
// again at a quarter of it where it costs much more than a bare request. What counts is the ratio of two times, so the speed of the
// machine does not matter.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { Portico, sha256 } from './harness.mjs';
import { IdentityProvider } from './identity-provider.mjs';

/** The sizes of a part in bytes: the second is near the limit of a request's head. */
const [SMALL, LARGE] = [15_000, 60_000];

/** The second size costs four times as much as the first if the cost is linear, and 16 times as much if it is quadratic. */
const LIMIT = 8;

/** How often an excess is measured: the first request of its kind costs more, and other work may have disturbed one. */
const REPEATS = 6;

const SECTIONS = [{ name: 'Hall', items: Array.from({ length: 20 }, (_, at) => ({ title: `Service ${at}`, url: `https://s${at}.example` })) }];
const USERS = [{ user: 'admin', hash: sha256('the password of the admin'), type: 'admin' }];

// Only names, passwords and sessions are treated differently with accounts.
const WITH_ACCOUNTS = ['/', '/home/main', '/login', '/logout', '/conf.yml', '/fn/session', '/api/config'];

// The servers run beside each other. Each has its own times.
test('with every kind of sign-in', { concurrency: true }, async (context) => {
  const provider = await IdentityProvider.start();
  await Promise.all([
    context.test('with an identity provider', () => measure({ auth: provider.auth({ enableGuestAccess: true }) })),
    context.test('with accounts', () => measure({ auth: { users: USERS, enableGuestAccess: true } }, (path) => WITH_ACCOUNTS.includes(path))),
    // Everybody is an admin, so more of a body is read.
    context.test('without sign-in', () => measure({}, (path) => !path.startsWith('/icons/'))),
  ]);
  await provider.stop();
});

async function measure(appConfig, isMeasured = () => true) {
  const conf = JSON.stringify({ appConfig, sections: SECTIONS });
  const environment = { ENABLE_API: 'true', ALLOWED_HOSTS: 'dash.example' };
  const portico = await Portico.start({ files: { 'conf.yml': conf, 'other.yml': conf }, environment });
  const file = join(portico.directory, 'conf.yml');
  const attempt = /portico-\w+-attempt-/.exec((await portico.get('/login/provider')).cookie)?.[0] ?? 'portico-000000-attempt-';
  const excesses = [];
  for (const [method, path] of routes().filter(([, path]) => isMeasured(path))) {
    const bare = Math.min(await cost(portico, request(method, path)), await cost(portico, request(method, path)));
    for (const [part, make] of Object.entries(parts(attempt))) {
      const large = make(method, path, LARGE);
      if (!large) continue;
      // A small request costs no less than a bare one.
      let ratio = (await cost(portico, large)) / bare;
      for (let repeat = 0; repeat < REPEATS && ratio > LIMIT; repeat++) {
        const small = await cost(portico, make(method, path, SMALL));
        ratio = Math.min(ratio, (await cost(portico, large)) / small);
      }
      if (ratio > LIMIT) excesses.push(`${method} ${path}, ${part}: ${ratio.toFixed(1)}`);
    }
    // Where everybody is an admin, a request may have saved a config with thousands of sections.
    if (readFileSync(file, 'utf8') !== conf) writeFileSync(file, conf);
  }
  assert.deepEqual(excesses, [], 'times the cost for four times the size');
  assert.ok((await portico.health()) < 1500);
  await portico.stop();
}

/** All routes of the program, with samples for their parameters. */
function routes() {
  const root = join(import.meta.dirname, '../..');
  const source = readFileSync(join(root, 'server/src/routes/mod.rs'), 'utf8');
  const samples = { page: 'main', section: 'hall', widget: '0', script: 'page.js', set: 'si', version: 'x', file: 'list.json', token: 'x', name: 'session' };
  const fill = (path) => path.replace(/\{\*?(\w+)\}/g, (_, name) => samples[name] ?? 'x');
  const own = [...source.matchAll(/\.route\("([^"]+)", (.*)\)\n/g)].flatMap(([, path, handlers]) =>
    ['get', 'post'].filter((method) => handlers.includes(`${method}(`)).map((method) => [method.toUpperCase(), fill(path)]),
  );
  assert.ok(own.length > 35, 'the list of routes was found');
  const backend = join(root, 'app/src');
  const declarations = readdirSync(backend, { recursive: true }).filter((name) => name.endsWith('.rs')).map((name) => readFileSync(join(backend, name), 'utf8'));
  const functions = declarations.flatMap((text) => [...text.matchAll(/endpoint = "([^"]+)"/g)]).flatMap(([, name]) => ['GET', 'POST'].map((method) => [method, `/fn/${name}`]));
  assert.ok(functions.length > 35, 'the server functions were found');
  const description = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
  const api = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).filter((method) => method !== 'parameters').map((method) => {
      const filled = path.replace('{filename}', 'conf.yml').replace('{key}', 'pageInfo').replace(/\{\w+\}/g, '0');
      return [method.toUpperCase(), filled];
    }),
  );
  const files = ['/conf.yml', '/missing', '/widget-gallery'].map((path) => ['GET', path]);
  return [...own, ...functions, ...api, ...files];
}

/** How each part of a request is made as long as a number of bytes; nothing where a request has no such part. */
function parts(attempt) {
  const header = (name, value) => (method, path, size) => request(method, path, { [name]: value(size) });
  const repeated = (text) => (size) => text.repeat(size / text.length);
  const numbered = (make) => (size) => {
    let text = '';
    for (let number = 0; text.length < size; number++) text += make(number);
    return text;
  };
  const query = (value) => (method, path, size) => request(method, `${path}?${value(size)}`);
  const body = (type, value) => (method, path, size) => (method === 'GET' || method === 'DELETE' ? undefined : request(method, path, { 'content-type': type }, value(size)));
  const hex = (number) => number.toString(16).padStart(6, '0');
  const session = attempt.replace('-attempt-', '-session-');
  // Each name is new, because guesses are delayed by account too.
  const basic = (credentials) => `Basic ${Buffer.from(Math.random() + credentials).toString('base64')}`;
  return {
    'a long path': (method, path, size) => request(method, `${path}/${'a'.repeat(size)}`),
    'a path of many pieces': (method, path, size) => request(method, path + '/a'.repeat(size / 2)),
    'an encoded path': (method, path, size) => request(method, path + '/%61'.repeat(size / 4)),
    'a path of dots': (method, path, size) => request(method, path + '/..'.repeat(size / 3)),
    'a long query': query((size) => `q=${'a'.repeat(size)}`),
    'a query of many words': query((size) => `q=${'a+'.repeat(size / 2)}`),
    'a query of many parameters': query(numbered((number) => `&p${number}=a`)),
    'a query of equal parameters': query(repeated('&return_to=/')),
    'a path to return to': query((size) => `return_to=${'/a'.repeat(size / 2)}`),
    'a config in the query': query((size) => `config=${'a'.repeat(size)}`),
    'an answer of a provider': query((size) => `state=${'a'.repeat(size / 2)}&code=${'b'.repeat(size / 2)}`),
    'one long cookie': header('cookie', (size) => `a=${'a'.repeat(size)}`),
    'many cookies': header('cookie', numbered((number) => `c${number}=a; `)),
    'many equal cookies': header('cookie', repeated('portico-language=x; ')),
    'cookies without names': header('cookie', repeated(';=')),
    'sign-ins in progress': header('cookie', numbered((number) => `${attempt}${hex(number)}-0=1~a; `)),
    'long sign-ins in progress': header('cookie', numbered((number) => `${attempt}${hex(number)}-0=8~a; ${attempt}${hex(number)}-1=a; `)),
    'a long session': header('cookie', (size) => Array.from({ length: 8 }, (_, part) => `${session}${part}=${part ? '' : '8~'}${'a'.repeat(size / 8)}`).join('; ')),
    'many sessions': header('cookie', numbered((number) => `${session}${number % 8}=8~a; `)),
    'languages': header('accept-language', numbered((number) => `a${number};q=0.5,`)),
    'media types': header('accept', repeated('text/html;q=0.5,')),
    'encodings': header('accept-encoding', repeated('gzip;q=0.5, ')),
    'entity tags': header('if-none-match', repeated('"a", ')),
    'ranges': header('range', (size) => `bytes=${'0-1,'.repeat(size / 4)}`),
    'forwarded addresses': header('x-forwarded-for', repeated('127.0.0.1, ')),
    'forwarded hosts': header('x-forwarded-host', repeated('dash.example, ')),
    'forwarded schemes': header('x-forwarded-proto', repeated('https, ')),
    'forwarded prefixes': header('x-forwarded-prefix', repeated('/a, ')),
    'a long host': header('host', (size) => 'a.'.repeat(size / 2)),
    'an origin': header('origin', (size) => `https://${'a.'.repeat(size / 2)}`),
    'a page that asks': header('referer', (size) => `https://dash.example/${'a/'.repeat(size / 2)}`),
    'a program': header('user-agent', repeated('Mozilla/5.0 (')),
    'many headers': (method, path, size) => request(method, path, Object.fromEntries(Array.from({ length: 90 }, (_, number) => [`x-${number}`, 'a'.repeat(size / 90)]))),
    'a name': header('authorization', (size) => basic(`${'a'.repeat(size * 0.7)}:a`)),
    'a password': header('authorization', (size) => basic(`:${'a'.repeat(size * 0.7)}`)),
    'a token': header('authorization', (size) => `Bearer ${'a'.repeat(size)}`),
    'a token with dots': header('authorization', (size) => `Bearer ${'a.'.repeat(size / 2)}`),
    'a form of one field': body('application/x-www-form-urlencoded', (size) => `user=${'a'.repeat(size)}`),
    'a form of many fields': body('application/x-www-form-urlencoded', numbered((number) => `f${number}=a&`)),
    'a JSON text': body('application/json', (size) => JSON.stringify({ config: 'a'.repeat(size) })),
    'a JSON list': body('application/json', (size) => `[${'0,'.repeat(size / 2)}0]`),
    'JSON of many fields': body('application/json', (size) => `{${numbered((number) => `"f${number}":0,`)(size)}"f":0}`),
    'nested JSON': body('application/json', (size) => '['.repeat(size)),
    'a config of many entries': body('application/json', (size) => JSON.stringify({ config: 'sections:\n' + '- {name: a}\n'.repeat(size / 12) })),
    'another body': body('text/plain', (size) => 'a'.repeat(size)),
  };
}

/** The bytes of a request. */
function request(method, path, headers = {}, content) {
  const all = { host: 'dash.example', connection: 'close', ...headers, ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content ?? ''}`, 'latin1');
}

let sent = 0;

/** The processor time of such a request, in nanoseconds. */
async function cost(portico, bytes) {
  const before = processorTime(portico.child.pid);
  await answered(portico.port, bytes);
  return processorTime(portico.child.pid) - before;
}

/** The processor time of all threads so far, in nanoseconds. */
function processorTime(pid) {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return sum;
}

/** Sends a request from an address of its own, because guesses are delayed by address; waits for the end of the response, or for the
 *  beginning of one that has no end. */
function answered(port, bytes) {
  const number = sent++;
  const localAddress = `127.${20 + (number % 200)}.${Math.floor(number / 200) % 250}.${1 + (Math.floor(number / 50_000) % 250)}`;
  return new Promise((done, failed) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer to ${bytes.subarray(0, 100).toString('latin1')}`)));
    socket.once('connect', () => socket.write(bytes));
    socket.on('data', (data) => {
      if (/^content-type: text\/event-stream/im.test(data.toString('latin1'))) socket.destroy();
    });
    // A server that refuses a body without reading it resets the connection.
    socket.once('error', (error) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : failed(error)));
    socket.once('close', done);
  });
}
