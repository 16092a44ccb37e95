// Helpers for all security tests: the built program, raw requests, sign-in, and marker secrets.
//
// Requests use plain sockets, because ordinary clients correct the paths and headers that are tested here.
// Every address in this folder is on loopback; Linux has all of 127.0.0.0/8, so each test has its own peer addresses.

import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The program under test. */
export const BINARY = resolve(process.env.PORTICO || join(import.meta.dirname, '../../target/release/portico'));

const START_TIMEOUT = 20_000;
const STOP_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 30_000;
// How long to read an event stream.
const STREAM_TIME = 1500;

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Repeats a check until it is true; fails with a message after `timeout` milliseconds. */
export async function eventually(what, question, timeout = 10_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    if (await question()) return;
    if (Date.now() > deadline) throw new Error(`not within ${timeout} ms: ${what}`);
    await sleep(50);
  }
}

/** Runs `work` on every element, `width` of them at a time. */
export async function inParallel(list, width, work) {
  const queue = [...list];
  const worker = async () => {
    while (queue.length > 0) await work(queue.shift());
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Guesses over `width` connections; each guess has its own number. It goes on until it is stopped, so stop it in `finally` or `after`. */
export function guessUntilStopped(width, ask) {
  let goes = true;
  let guesses = 0;
  const ended = inParallel(Array.from({ length: width }), width, async () => {
    while (goes) await ask(guesses++);
  });
  return {
    async stop() {
      goes = false;
      await ended;
    },
  };
}

/**
 * A port that is free on all addresses. The groups run in parallel, so each process searches its own range, below the ports that
 * the system uses for outgoing connections.
 */
let nextPort = 20_000 + (process.pid % 600) * 20;
export async function freePort() {
  for (;;) {
    const port = nextPort++;
    const probe = createServer();
    const isFree = await new Promise((done) => {
      probe.once('error', () => done(false));
      probe.listen(port, () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
}

const directories = [];
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A temporary folder, removed when the test process ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'portico-security-'));
  directories.push(directory);
  return directory;
}

/** Writes `{ 'path/below': text }` into a folder. */
export function writeFiles(directory, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

// A failed test leaves its program running, which would keep this process alive.
const running = new Set();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** One run of the program, with its own port and folder. */
export class Portico {
  /**
   * @param {object} start
   * @param {Record<string, string | Uint8Array>} [start.files] the content of the user-data directory
   * @param {Record<string, string>} [start.environment] additional environment variables
   * @param {string} [start.directory] the user-data directory, if it exists already
   * @param {{ descriptors?: number, softDescriptors?: number, memory?: number }} [start.limits] open files (hard and soft,
   *   or soft alone); MiB of address space
   */
  static async start({ files = {}, environment = {}, directory = join(temporaryDirectory(), 'user-data'), limits = {} } = {}) {
    mkdirSync(directory, { recursive: true });
    writeFiles(directory, files);
    const portico = new Portico();
    portico.directory = directory;
    portico.port = Number(environment.PORT ?? (await freePort()));
    portico.base = environment.BASE_URL ?? '';
    portico.lines = [];
    const shell = [];
    if (limits.descriptors) shell.push(`ulimit -n ${limits.descriptors}`);
    if (limits.softDescriptors) shell.push(`ulimit -S -n ${limits.softDescriptors}`);
    if (limits.memory) shell.push(`ulimit -v ${limits.memory * 1024}`);
    const child = spawn('/bin/sh', ['-c', [...shell, 'exec "$0" serve'].join(' && '), BINARY], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: String(portico.port),
        USER_DATA_DIR: directory,
        OFFLINE: 'true',
        LOG_LEVEL: 'info',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    portico.child = child;
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => portico.lines.push(data));
    portico.ended = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
    portico.ended.then(() => running.delete(child));
    await portico.wait();
    return portico;
  }

  /** The program's output so far. */
  get log() {
    return Buffer.concat(this.lines).toString();
  }

  get isAlive() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Peak memory of the program, in MiB. */
  get peakMemory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)[1]) / 1024;
  }

  /** Processor seconds so far. */
  get processorTime() {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  read(name) {
    return readFileSync(join(this.directory, name), 'utf8');
  }

  write(files) {
    writeFiles(this.directory, files);
  }

  /** Sends a request; see `send`. The path prefix is put in front of the path. */
  ask(method, path, options = {}) {
    return send(this.port, { method, path: this.base + path, ...options });
  }

  get(path, options) {
    return this.ask('GET', path, options);
  }

  /** The milliseconds until `/healthz` responds with 200; fails after a second and a half. */
  async health() {
    const before = performance.now();
    const response = await this.get('/healthz', { timeout: 1500 });
    if (response.status !== 200) throw new Error(`/healthz answers ${response.status}`);
    return performance.now() - before;
  }

  /** Signs in with a name and a password of the config; returns the `Cookie` header. */
  async signIn(user, password, options = {}) {
    const response = await this.form('/login', { user, password }, options);
    if (response.status !== 303) throw new Error(`${user} cannot sign in: ${response.status}\n${response.text}`);
    return response.cookie;
  }

  /** Sends a form, as the page does. */
  form(path, fields, { headers = {}, ...options } = {}) {
    return this.ask('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
      ...options,
    });
  }

  /** Sends JSON, as a script of the page does. */
  json(method, path, value, { headers = {}, ...options } = {}) {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    return this.ask(method, path, { headers: { 'content-type': 'application/json', ...headers }, body, ...options });
  }

  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT);
    const end = await this.ended;
    clearTimeout(timer);
    return end;
  }

  async wait() {
    const deadline = Date.now() + START_TIMEOUT;
    for (;;) {
      const response = await this.get('/healthz', { timeout: 2000 }).catch(() => undefined);
      if (response?.status === 200) return;
      if (!this.isAlive) throw new Error(`portico has ended\n${this.log}`);
      if (Date.now() > deadline) {
        this.child.kill('SIGKILL');
        throw new Error(`portico does not answer\n${this.log}`);
      }
      await sleep(20);
    }
  }
}

/** Runs another command of the program to its end. */
export function command(parameters, { environment = {}, input } = {}) {
  const { status, stdout, stderr } = spawnSync(BINARY, parameters, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...environment },
    input,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

/**
 * Sends one request and reads until the connection ends.
 *
 * @param {number} port
 * @param {object} request
 * @param {string} [request.method]
 * @param {string} [request.path] sent byte by byte
 * @param {Record<string, string | string[]>} [request.headers] they replace `Host` and `Content-Length`
 * @param {string | Uint8Array} [request.body]
 * @param {string} [request.from] the address that the connection comes from, such as `127.0.0.7`
 * @param {boolean} [request.tls]
 * @param {number} [request.timeout] in milliseconds
 */
export function send(port, { method = 'GET', path = '/', headers = {}, body, from, tls = false, timeout = REQUEST_TIMEOUT } = {}) {
  const all = { host: `127.0.0.1:${port}`, connection: 'close', ...headers };
  if (body !== undefined && !('transfer-encoding' in all)) all['content-length'] ??= String(Buffer.byteLength(body));
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return exchange(port, body === undefined ? head : Buffer.concat([head, Buffer.from(body)]), { from, tls, timeout, method });
}

/** Sends bytes and reads the response until the connection ends. */
export function exchange(port, bytes, { from, tls = false, timeout = REQUEST_TIMEOUT, method = 'GET' } = {}) {
  return new Promise((done, failed) => {
    const options = { port, host: '127.0.0.1', localAddress: from, rejectUnauthorized: false };
    const socket = tls ? connectTls(options) : connect(options);
    const chunks = [];
    const timer = setTimeout(() => {
      socket.destroy();
      failed(new Error(`no answer within ${timeout} ms to ${String(bytes.subarray(0, 200))}`));
    }, timeout);
    const end = () => {
      clearTimeout(timer);
      const raw = Buffer.concat(chunks);
      if (raw.length === 0) return failed(new Error(`no answer to ${String(bytes.subarray(0, 200))}`));
      done(new Answer(raw, method));
    };
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(bytes));
    let isStream = false;
    socket.on('data', (data) => {
      chunks.push(data);
      // An event stream never ends: its beginning is enough.
      if (!isStream && /^content-type: text\/event-stream/im.test(chunks[0].subarray(0, 4096).toString('latin1'))) {
        isStream = true;
        setTimeout(() => socket.destroy(), STREAM_TIME);
      }
    });
    // A server that rejects a body without reading it resets the connection after its response.
    socket.once('error', (error) => (chunks.length > 0 ? end() : (clearTimeout(timer), failed(error))));
    socket.once('close', end);
  });
}

/** A response: all of its bytes, and its parsed form. */
export class Answer {
  constructor(raw, method) {
    const split = raw.indexOf('\r\n\r\n');
    this.raw = raw;
    this.head = raw.subarray(0, split < 0 ? raw.length : split).toString('latin1');
    const [first, ...lines] = this.head.split('\r\n');
    this.status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
    this.headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
    let body = split < 0 || method === 'HEAD' ? Buffer.alloc(0) : raw.subarray(split + 4);
    if (/chunked/i.test(this.header('transfer-encoding'))) body = unchunk(body);
    this.body = decompress(body, this.header('content-encoding'));
  }

  header(name) {
    return this.headers.filter(([found]) => found === name).map(([, value]) => value).join(', ');
  }

  get text() {
    return this.body.toString();
  }

  get json() {
    return JSON.parse(this.text);
  }

  /** The `Cookie` header of a browser that got this response and had no cookies before. */
  get cookie() {
    const pairs = this.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';')[0]);
    return pairs.filter((pair) => !pair.endsWith('=')).join('; ');
  }

  /** Everything that a viewer learns from this response. */
  get everything() {
    return `${this.head}\n${this.body.toString('latin1')}`;
  }
}

function unchunk(body) {
  const parts = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, end).toString(), 16);
    if (!(size > 0)) break;
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function decompress(body, encoding) {
  if (body.length === 0) return body;
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'deflate':
      return inflateSync(body);
    default:
      return body;
  }
}

/** The `Authorization` header for a name and a password. */
export const basic = (user, password) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/**
 * Secrets that occur nowhere else, so that a search for their bytes finds leaks. A marker consists of letters and digits, which
 * HTML, JSON, YAML and addresses do not encode; text that looks like Base64 is decoded and searched too.
 */
export class Markers {
  #known = new Map();

  /** A new secret. `what` describes it in reports. */
  make(what) {
    if (this.#known.has(what)) throw new Error(`there is a marker ${what} already`);
    const marker = `zq${randomBytes(9).toString('hex')}`;
    this.#known.set(what, marker);
    return marker;
  }

  get(what) {
    const marker = this.#known.get(what);
    if (!marker) throw new Error(`there is no marker ${what}`);
    return marker;
  }

  /** The descriptions of all secrets. */
  get all() {
    return [...this.#known.keys()];
  }

  /** The secrets that a text contains, except those in `allowed`. */
  in(text, allowed = []) {
    const texts = [text];
    for (const [run] of text.matchAll(/[\w+/-]{24,}/g)) {
      for (const offset of [0, 1, 2, 3]) texts.push(Buffer.from(run.slice(offset), 'base64').toString('latin1'));
    }
    const found = new Set(texts.flatMap((each) => [...each.matchAll(/zq[0-9a-f]{18}/gi)].map(([marker]) => marker.toLowerCase())));
    return [...this.#known].filter(([what, marker]) => found.has(marker) && !allowed.includes(what)).map(([what]) => what);
  }
}
