// Services that are found by the labels of containers, with a real Podman in a folder of its own.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createServer, get, request } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { command, eventually, Portico, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { program, Service } from './services.mjs';

const run = promisify(execFile);

/** Milliseconds until the page shows what has happened in the engine. */
const SOON = 2000;
/** Milliseconds until Portico tries again after the engine was away for a few seconds, and some room. */
const RETRY = 20_000;
const COMMAND_TIMEOUT = 60_000;
const IMAGE = 'localhost/idle';

/** Podman, which shares nothing with another one on this machine. Its containers are removed by `end`. */
class Podman {
  constructor() {
    const [podman, runtime] = [program('podman'), program('runc', 'crun')];
    const folder = temporaryDirectory();
    const below = (name) => join(folder, name);
    const text = (settings) => Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    writeFiles(folder, {
      'containers.conf': [
        // The default limits are higher than some machines allow. Without networks, the firewall stays as it is.
        ...['[containers]', ...text({ default_ulimits: ['nofile=1000:1000', 'nproc=1000:1000'], netns: 'none' })],
        ...['[engine]', ...text({
          cgroup_manager: 'cgroupfs',
          events_logger: 'file',
          lock_type: 'file',
          runtime,
          tmp_dir: below('tmp'),
          volume_path: below('volumes'),
        })],
        ...['[network]', ...text({ network_config_dir: below('networks') })],
      ].join('\n'),
      'storage.conf': ['[storage]', ...text({ driver: 'vfs', graphroot: below('storage'), runroot: below('run') })].join('\n'),
      '.config/containers/policy.json': '{ "default": [{ "type": "insecureAcceptAnything" }] }',
    });
    this.folder = folder;
    this.socket = below('podman.sock');
    this.program = podman;
    this.environment = {
      CONTAINERS_CONF: below('containers.conf'),
      CONTAINERS_STORAGE_CONF: below('storage.conf'),
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
    };
  }

  /** Runs a command to its end; returns what it prints. It needs no service. */
  async call(...parameters) {
    const env = { PATH: process.env.PATH, ...this.environment };
    return (await run(this.program, parameters, { env, timeout: COMMAND_TIMEOUT })).stdout.trim();
  }

  /** An image of one program, `sleep`, and its libraries. */
  async makeImage() {
    const archive = join(this.folder, 'image.tar');
    const libraries = execFileSync('ldd', ['/bin/sleep'], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
    execFileSync('tar', ['--create', '--dereference', '--file', archive, '--directory=/', ...['/bin/sleep', ...libraries].map((path) => path.slice(1))]);
    await this.call('import', '--quiet', archive, IMAGE);
  }

  /** Starts the service with the API. */
  async listen() {
    this.service = new Service(this.program, ['system', 'service', '--time=0', `unix://${this.socket}`], this.environment);
    await this.service.ready('Podman', async () => (await this.list()).length >= 0);
  }

  /** The containers, as the API describes them. */
  list() {
    return new Promise((done, failed) => {
      get({ socketPath: this.socket, path: '/containers/json?all=1' }, async (response) => {
        const text = (await response.toArray()).join('');
        response.statusCode === 200 ? done(JSON.parse(text)) : failed(new Error(text));
      }).once('error', failed);
    });
  }

  /** Ends the service without warning. */
  async kill() {
    this.service.child.kill('SIGKILL');
    await this.service.ended;
  }

  /** Creates a container, but does not start it. Labels of ours have no prefix here. */
  create(name, labels, ...options) {
    const written = Object.entries(labels).map(([key, value]) => `--label=${key.includes('.') ? key : `portico.${key}`}=${value}`);
    return this.call('create', `--name=${name}`, ...written, ...options, IMAGE, '/bin/sleep', 'infinity');
  }

  remove(name) {
    return this.call('rm', '--force', '--time=0', name);
  }

  removeAll() {
    return this.call('rm', '--all', '--force', '--time=0');
  }

  async end() {
    await this.removeAll();
    await this.service?.stop();
    // Without root, a process that keeps the namespace would stay.
    if (process.getuid() !== 0) await this.call('system', 'migrate');
  }
}

let podman;
before(async () => {
  podman = new Podman();
  await podman.makeImage();
  await podman.listen();
});
afterEach(() => podman?.removeAll());
after(() => podman?.end());

/** A config with one source, and a section of its own. */
const config = (source) => JSON.stringify({
  appConfig: { discovery: [{ name: 'nas', url: `unix://${podman.socket}`, ...source }] },
  sections: [{ name: 'Media', items: [{ title: 'Own', url: 'https://own.example' }] }],
});

async function serve(t, source = { add: 'live' }) {
  const portico = await Portico.start({ files: { 'conf.yml': config(source) } });
  t.after(() => portico.stop());
  return portico;
}

/** The tiles of the page: their titles, and their places as `0-1`. */
async function tiles(portico) {
  const { text } = await portico.get('/');
  const [, ...parts] = text.split(/ id="i-(?=\d)/);
  return new Map(parts.map((part) => [/class="tile-title"[^>]*>([^<]*)/.exec(part)?.[1], part.slice(0, part.indexOf('"'))]));
}

/** Waits until the page has a tile, or has it no longer; returns how long that took. */
async function until(portico, title, isShown, timeout = SOON) {
  const since = performance.now();
  await eventually(`${title} is ${isShown ? 'on' : 'off'} the page`, async () => (await tiles(portico)).has(title) === isShown, timeout);
  return Math.round(performance.now() - since);
}

/** A tab that watches the page. The states of tiles are known only while somebody looks. */
function look(t, portico) {
  const tab = get({ port: portico.port, host: '127.0.0.1', path: '/events' }, (response) => response.resume());
  tab.on('error', () => {});
  t.after(() => tab.destroy());
}

/** Waits until the tooltip of a tile says something; returns how long that took. */
async function says(portico, title, words) {
  const since = performance.now();
  let tip;
  const isSaid = async () => {
    const place = (await tiles(portico)).get(title);
    tip = (await portico.get(`/events/status?item=${place}`)).text;
    return tip.includes(words);
  };
  await eventually(`the tile says: ${words}`, isSaid, SOON).catch((error) => {
    throw new Error(`${error.message}; it says ${tip}`);
  });
  return Math.round(performance.now() - since);
}

/** What the tooltip says about the usage of a running container. */
async function usage(t) {
  await podman.create('films', { title: 'Cinema', url: 'https://films.example' });
  await podman.call('start', 'films');
  const portico = await serve(t);
  await until(portico, 'Cinema', true);
  const { text } = await portico.get(`/events/usage?item=${(await tiles(portico)).get('Cinema')}`);
  return text.replaceAll('\u00a0', ' ');
}

test('the command lists what containers give, and why one gives nothing', async () => {
  await podman.create('films', { title: 'Cinema', url: 'https://films.example', section: 'Media' });
  await podman.create('disks', { title: 'Disks' }, '--network=bridge', '--publish=8123:80');
  await podman.create('local', { title: 'Local' }, '--network=bridge', '--publish=127.0.0.1:8124:80');
  await podman.create('songs', { 'flame.type': 'other', 'flame.name': 'Songs', 'flame.url': 'https://songs.example' });
  await podman.create('maps', { title: 'Atlas', enable: 'false' });
  await podman.create('plain', {});
  const folder = temporaryDirectory();
  writeFiles(folder, { 'conf.yml': config({ host: 'nas.lan', section: 'Others' }) });
  const { status, stdout } = command(['discover'], { environment: { USER_DATA_DIR: folder, OFFLINE: 'true' } });
  assert.equal(status, 0, stdout);
  const [first, ...lines] = stdout.trimEnd().split('\n');
  assert.equal(first, 'ok: nas: 3 found, 3 dropped', stdout);
  assert.deepEqual(lines.slice(0, 6), [
    '  Media',
    '    Cinema: https://films.example (container films, created, labels of portico)',
    '  Others',
    '    Disks: http://nas.lan:8123 (container disks, created, labels of portico, address from a published port)',
    '    Local: no address (container local, created, labels of portico)',
    "      note: it has no address: its ports are published only on the engine's own machine",
  ]);
  assert.deepEqual(lines.slice(6).sort(), [
    '  dropped songs: `flame.type` is neither `application` nor `app`',
    '  left out maps: `portico.enable` is false',
    '  left out plain: it has no labels for a dashboard',
  ]);
});

test('a container is on the page as soon as it is created, until it is removed', async (t) => {
  await podman.create('films', { title: 'Cinema', url: 'https://films.example', section: 'media' });
  const portico = await serve(t);
  t.diagnostic(`at the start: ${await until(portico, 'Cinema', true)} ms`);
  // Its section is that of the file, after its own item.
  assert.equal((await tiles(portico)).get('Cinema'), '0-1');
  await podman.create('maps', { title: 'Atlas', url: 'https://maps.example', section: 'Travel' });
  t.diagnostic(`created: ${await until(portico, 'Atlas', true)} ms`);
  assert.equal((await tiles(portico)).get('Atlas'), '1-0');
  const { text } = await portico.get('/');
  assert.ok(text.includes('https://maps.example') && text.includes('Travel'), text);
  await podman.remove('maps');
  t.diagnostic(`removed: ${await until(portico, 'Atlas', false)} ms`);
  assert.ok((await tiles(portico)).has('Cinema') && !(await portico.get('/')).text.includes('Travel'), 'the rest stays');
});

test('a tile shows the state of its container', async (t) => {
  await podman.create('films', { title: 'Cinema', url: 'https://films.example' });
  const portico = await serve(t);
  await until(portico, 'Cinema', true);
  look(t, portico);
  await says(portico, 'Cinema', 'the container is stopped');
  // Of a container that ends, also of one that is stopped, Podman may say only that it has died.
  for (const [parameters, words] of [
    [['start', 'films'], 'the container is running'],
    [['pause', 'films'], 'the container is paused'],
    [['unpause', 'films'], 'the container is running'],
    [['stop', '--time=0', 'films'], 'the container is stopped'],
    [['start', 'films'], 'the container is running'],
    [['kill', 'films'], 'the container is stopped'],
  ]) {
    await podman.call(...parameters);
    t.diagnostic(`${parameters[0]}: ${await says(portico, 'Cinema', words)} ms`);
  }
});

test('a tile shows the health of its container', async (t) => {
  const check = ['--health-cmd=CMD /bin/sleep 0', '--health-interval=disable'];
  await podman.create('films', { title: 'Cinema', url: 'https://films.example' }, ...check);
  await podman.call('start', 'films');
  const portico = await serve(t);
  await until(portico, 'Cinema', true);
  look(t, portico);
  await says(portico, 'Cinema', 'the container is starting');
  await podman.call('healthcheck', 'run', 'films');
  await says(portico, 'Cinema', 'the container is healthy');
});

test('the tooltip says what a container uses', async (t) => {
  assert.match(await usage(t), /Memory [\d.]+ [KM]B\nReceived 0 B · Sent 0 B$/);
});

test('the tooltip says how busy a container is', async (t) => {
  assert.match(await usage(t), /^CPU [\d.]+ ?%/);
});

/** A proxy in front of the engine that allows only reading containers and events, as the one in docs/discovery.md. */
async function startProxy(t) {
  const proxy = { passed: [], refused: [] };
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const isAllowed = method === 'GET' && /^\/(containers|events)\b/.test(url);
    (isAllowed ? proxy.passed : proxy.refused).push(`${method} ${url}`);
    if (!isAllowed) return outgoing.writeHead(403).end();
    const onward = request({ socketPath: podman.socket, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers).flushHeaders();
      response.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    onward.end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  proxy.url = `tcp://127.0.0.1:${server.address().port}`;
  return proxy;
}

test('a proxy needs to allow nothing but reading containers and events', async (t) => {
  const proxy = await startProxy(t);
  const portico = await serve(t, { url: proxy.url, add: 'live' });
  look(t, portico);
  await podman.create('films', { title: 'Cinema', url: 'https://films.example' });
  await until(portico, 'Cinema', true);
  await podman.call('start', 'films');
  await says(portico, 'Cinema', 'the container is running');
  await portico.get(`/events/usage?item=${(await tiles(portico)).get('Cinema')}`);
  await podman.remove('films');
  await until(portico, 'Cinema', false);
  assert.deepEqual(proxy.refused, []);
  const asked = new Set(proxy.passed.map((line) => line.split('?')[0]));
  assert.deepEqual([...asked].sort(), ['GET /containers/films/stats', 'GET /containers/json', 'GET /events']);
});

test('while the engine is away, tiles stay; afterwards it is listed again', async (t) => {
  await podman.create('films', { title: 'Cinema', url: 'https://films.example' });
  const portico = await serve(t);
  await until(portico, 'Cinema', true);
  look(t, portico);
  await says(portico, 'Cinema', 'the container is stopped');

  await podman.kill();
  await eventually('Portico has noticed', () => portico.log.includes('next attempt in'));
  await podman.create('maps', { title: 'Atlas', url: 'https://maps.example' });
  assert.deepEqual([...(await tiles(portico)).keys()], ['Own', 'Cinema']);
  await says(portico, 'Cinema', 'the container is stopped');

  await podman.listen();
  t.diagnostic(`listed again: ${await until(portico, 'Atlas', true, RETRY)} ms`);
  assert.ok((await tiles(portico)).has('Cinema'), 'the other tile stays');
  await podman.remove('films');
  t.diagnostic(`removed afterwards: ${await until(portico, 'Cinema', false)} ms`);
});
