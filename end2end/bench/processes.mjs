// The measured servers, Portico and the bare reference: starting, watching through /proc, stopping.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const START_TIMEOUT = 20_000;
const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n';

export class Server {
  constructor(child, port) {
    this.child = child;
    this.port = port;
    this.address = `127.0.0.1:${port}`;
    this.url = `http://${this.address}/`;
    this.ended = new Promise((resolve) => child.once('exit', resolve));
  }

  async stop() {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  // Resident bytes: total, anonymous, and mapped from files.
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    const kibibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
    return { rss: kibibytes('VmRSS') * 1024, own: kibibytes('RssAnon') * 1024, files: kibibytes('RssFile') * 1024 };
  }

  // Processor time so far, in seconds.
  processorTime() {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }
}

// Below the range that systems use for outgoing connections, so that none takes the port between check and use.
export async function freePort(first = 31_000) {
  for (let port = first + (process.pid % 1000); ; port += 1) {
    const probe = createServer();
    const isFree = await new Promise((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, () => resolve(true));
    });
    if (isFree) {
      await new Promise((resolve) => probe.close(resolve));
      return port;
    }
  }
}

// One request for `/`; returns whether the status is 200.
const responds = (port) => new Promise((resolve) => {
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(REQUEST));
  socket.once('data', (data) => {
    resolve(data.toString('latin1').startsWith('HTTP/1.1 200 '));
    socket.destroy();
  });
  socket.once('error', () => resolve(false));
  socket.once('close', () => resolve(false));
});

// Starts a program and sends requests without pause until it responds. Returns the server, and the milliseconds from the start
// to the first 200.
async function start(program, parameters, environment) {
  const port = await freePort();
  const before = performance.now();
  const child = spawn(program, parameters(port), {
    env: { PATH: process.env.PATH, ...environment(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => { said = (said + data).slice(-4000); });
  const server = new Server(child, port);
  const failure = new Promise((resolve) => child.once('error', resolve));
  let problem;
  failure.then((error) => { problem = error; });
  while (!(await responds(port))) {
    if (problem || child.exitCode !== null || performance.now() - before > START_TIMEOUT) {
      if (!problem) await server.stop();
      throw new Error(`${program} does not answer: ${problem?.message ?? said}`);
    }
  }
  return { server, milliseconds: performance.now() - before };
}

// Portico with a config, in its own folder; `more` holds additional environment variables.
export function startPortico(program, folder, config, more = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'conf.yml'), config);
  return start(program, () => ['serve'], (port) => ({
    HOST: '127.0.0.1', PORT: String(port), USER_DATA_DIR: folder, LOG_LEVEL: 'warn', OFFLINE: 'true',
    ...more,
  }));
}

// A page with a line of text. Its first paint is the reference for times in the browser.
export const EMPTY = {
  path: '/empty',
  headers: [['content-type', 'text/html; charset=utf-8']],
  body: '<!DOCTYPE html><title>Empty</title><p>One line of text.',
};

// Portico with its gallery of widgets.
export function startDemo(program) {
  return start(program, () => ['serve', '--demo'], (port) => ({
    HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error',
  }));
}

// The reference with recorded responses: `[{ path, headers, body }]`.
export function startBare(program, folder, responses, changes = []) {
  mkdirSync(folder, { recursive: true });
  const list = responses.map(({ path, headers, body }, number) => {
    const file = join(folder, `${number}.body`);
    writeFileSync(file, body);
    return { path, headers, file };
  });
  const manifest = join(folder, 'answers.json');
  writeFileSync(manifest, JSON.stringify(list));
  return start(program, (port) => [`127.0.0.1:${port}`, manifest, ...changes], () => ({}));
}
