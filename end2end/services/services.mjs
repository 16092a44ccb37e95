// Helpers for tests with real services: starting a service on loopback, querying it, and running the widget.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { BINARY, eventually, Portico, sleep, temporaryDirectory } from '../security/harness.mjs';

/** The folder in which tools/setup-services.sh has installed the services. */
export const SERVICES = process.env.SERVICES ?? '';

/** Maximum milliseconds until a service responds. Python programs are slow on a busy machine. */
const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 10_000;
const ANSWER_TIMEOUT = 30_000;
/** How often a changing number is compared again before it counts as wrong. */
const ATTEMPTS = 8;

/** The path of a program: below the folder of the services, or on the PATH. */
export function program(...names) {
  const found = names
    .flatMap((name) => [
      join(SERVICES, name),
      join(SERVICES, 'debian/usr/bin', name),
      join(SERVICES, 'debian/usr/sbin', name),
      ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
    ])
    .find(isExecutable);
  if (!found) throw new Error(`${names[0]} is missing: run \`make setup-services\``);
  return found;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// A failed test leaves its service running, which would keep this process alive.
const running = new Set();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program that runs until it is stopped. */
export class Service {
  /**
   * @param {string} path
   * @param {string[]} parameters
   * @param {Record<string, string>} [environment]
   */
  constructor(path, parameters, environment = {}) {
    this.output = [];
    const child = spawn(path, parameters, {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => this.output.push(data));
    this.ended = new Promise((done) => {
      child.once('error', (error) => {
        this.output.push(Buffer.from(String(error)));
        done();
      });
      child.once('exit', done);
    });
    this.ended.then(() => running.delete(child));
  }

  /** Waits until the condition is true. */
  async ready(what, question) {
    const isReady = async () => {
      if (!running.has(this.child)) throw new Error(`${what} has ended\n${Buffer.concat(this.output)}`);
      return question().catch(() => false);
    };
    await eventually(`${what} answers`, isReady, START_TIMEOUT);
    return this;
  }

  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT);
    await this.ended;
    clearTimeout(timer);
  }
}

/** The config of Netdata: its folders, what it measures (only the load of this machine), and its alarms. */
export function netdataSettings(folder, port, health = { enabled: 'no' }) {
  const below = (name) => join(folder, name);
  const sections = {
    global: { 'run as user': userInfo().username, 'process scheduling policy': 'keep', 'OOM score': 'keep' },
    directories: {
      config: folder,
      'stock config': join(SERVICES, 'debian/usr/lib/netdata/conf.d'),
      log: below('log'),
      web: below('web'),
      cache: below('cache'),
      lib: below('lib'),
      plugins: below('plugins'),
    },
    db: { mode: 'ram', retention: 900 },
    web: { 'bind to': `127.0.0.1:${port}` },
    plugins: { proc: 'yes', timex: 'no', cgroups: 'no', tc: 'no', statsd: 'no', idlejitter: 'no', diskspace: 'no' },
    health,
    ml: { enabled: 'no' },
  };
  const written = Object.entries(sections).map(([name, values]) => {
    const lines = Object.entries(values).map(([key, value]) => `    ${key} = ${value}`);
    return [`[${name}]`, ...lines, ''].join('\n');
  });
  return written.join('\n');
}

/** Queries a service directly. */
export async function ask(url, [user, password] = []) {
  const headers = user === undefined ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.json();
}

/** Runs one lookup with the program; returns the panel as data. */
export async function look(kind, options) {
  const file = join(temporaryDirectory(), 'options.json');
  writeFileSync(file, JSON.stringify({ options, timeout: ANSWER_TIMEOUT }));
  const environment = { env: { PATH: process.env.PATH, OFFLINE: 'true' }, timeout: 2 * ANSWER_TIMEOUT };
  const { stdout, stderr } = await new Promise((done) => {
    execFile(BINARY, ['widget', 'try', kind, '--options', file], environment, (_, stdout, stderr) => done({ stdout, stderr }));
  });
  const response = stdout.startsWith('{') ? JSON.parse(stdout) : { error: stderr };
  assert.equal(response.error, null, `${kind} gives a panel`);
  return response.panel;
}

/**
 * Runs a lookup, queries the service directly before and after it, and compares. Values change, so it makes a few attempts.
 *
 * @param {string} kind
 * @param {object} options
 * @param {() => Promise<any>} read queries the service
 * @param {(panel: object, before: any, after: any) => void} compare throws if they do not match
 */
export async function confirm(kind, options, read, compare) {
  for (let attempt = 1; ; attempt += 1) {
    const before = await read();
    const panel = await look(kind, options);
    const after = await read();
    try {
      return compare(panel, before, after);
    } catch (error) {
      if (attempt === ATTEMPTS) {
        error.message += `\n${kind}: ${JSON.stringify(panel)}\nbefore: ${JSON.stringify(before)}\nafter: ${JSON.stringify(after)}`;
        throw error;
      }
      await sleep(1000);
    }
  }
}

/** All members with this name in a panel, in order. */
export function all(value, name) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => [...(key === name ? [member] : []), ...all(member, name)]);
}

/** All numbers in a panel. */
export const numbers = (panel) => all(panel, 'number').map((number) => number.value).filter((value) => typeof value === 'number');

/** All texts from the service in a panel. */
export const texts = (panel) => [...all(panel, 'text'), ...all(panel, 'foreign')].filter((text) => typeof text === 'string');

/** Throws unless one of the values is between two others, with some tolerance. */
export function hasBetween(values, one, other, room, what) {
  const [low, high] = [Math.min(one, other) - room, Math.max(one, other) + room];
  const fits = values.some((value) => value >= low && value <= high);
  assert.ok(fits, `${what}: none of ${JSON.stringify(values)} is between ${low} and ${high}`);
}

/**
 * Shows widgets in a running program: all have a panel; a wrong password is reported as such; after the service has stopped, the
 * panels remain, with the time of their lookup.
 *
 * @param {{ type: string, options: object }[]} widgets
 * @param {{ type: string, options: object }} wrong a widget with a password that the service refuses
 * @param {() => Promise<void>} stop ends the service
 */
export async function showThrough(widgets, wrong, stop) {
  const entries = [...widgets, wrong].map((entry) => ({ updateInterval: 2, timeout: ANSWER_TIMEOUT, ...entry }));
  const config = { pageInfo: { title: 'Services' }, sections: [{ name: 'Services', widgets: entries }] };
  const portico = await Portico.start({ files: { 'conf.yml': JSON.stringify(config) } });
  const panel = async (number) => {
    const path = `/fn/panel?page=home&section=0&widget=${number}&kind=${entries[number].type}`;
    return (await portico.get(path, { timeout: 2 * ANSWER_TIMEOUT })).json;
  };
  const until = async (number, state) => {
    let response;
    const isThere = async () => {
      response = await panel(number);
      return response.state === state;
    };
    await eventually(`the state is ${state}`, isThere, 2 * ANSWER_TIMEOUT).catch((error) => {
      throw new Error(`${entries[number].type}: ${error.message}; it says ${JSON.stringify(response)}`);
    });
    return response;
  };
  const fresh = await Promise.all(widgets.map((_, number) => until(number, 'content')));
  for (const [number, response] of fresh.entries()) {
    assert.ok(response.html.length > 0 && response.at > 0, `${widgets[number].type} has a panel and its time`);
  }
  const refused = await until(widgets.length, 'error');
  assert.match(refused.note, /password|key|login/i, 'a refused password is told as such');
  assert.equal(refused.html, undefined, 'nothing is shown with a wrong password');

  await stop();
  const stopped = Date.now();
  for (const [number, widget] of widgets.entries()) {
    const old = await until(number, 'stale');
    assert.ok(old.html.length > 0, `${widget.type} keeps its panel`);
    assert.ok(old.at >= fresh[number].at && old.at <= stopped, `${widget.type} tells the age of its panel`);
    assert.match(old.note, /127\.0\.0\.1/, `${widget.type} says who does not answer`);
  }
  await portico.stop();
}
