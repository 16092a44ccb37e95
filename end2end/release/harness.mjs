// Helpers for the tests of a release: its files, and a container made of its image without a container engine.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';

export const ROOT = resolve(import.meta.dirname, '../..');
/** The files of the release. */
export const RELEASE = resolve(process.env.RELEASE ?? join(ROOT, 'dist/release'));
export const VERSION = /^version = "(.+)"/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];

export const IMAGE_FILE = join(RELEASE, `portico-${VERSION}-image.tar`);

const START_TIMEOUT = 30_000;

/** The output of a command; throws with its error output if it fails. */
export function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

const cleanups = [];
after(() => {
  for (const clean of cleanups.reverse()) clean();
});

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-release-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts a program that runs until the tests end; its last output is in `lines`. */
export function startProgram(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const started = { lines: [], ended: false, child };
  cleanups.push(() => child.kill('SIGKILL'));
  child.on('error', (error) => { started.ended = true; started.lines.push(String(error)); });
  child.on('exit', () => { started.ended = true; });
  // The cleanups run when nothing keeps this process alive.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream.unref();
    stream.setEncoding('utf8').on('data', (text) => {
      started.lines.push(...text.split('\n').filter(Boolean));
      started.lines.splice(0, started.lines.length - 1000);
    });
  }
  return started;
}

export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The image of the release for a processor: its config, and its files in a folder. */
export function unpackImage(architecture = 'amd64') {
  const layout = temporaryFolder();
  run('tar', '-xf', IMAGE_FILE, '-C', layout);
  const blob = ({ digest }) => join(layout, 'blobs', digest.replace(':', '/'));
  const json = (descriptor) => JSON.parse(readFileSync(blob(descriptor), 'utf8'));
  const index = json(JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests[0]);
  const manifest = json(index.manifests.find(({ platform }) => platform.architecture === architecture));
  const folder = temporaryFolder();
  for (const layer of manifest.layers) run('tar', '-xzpf', blob(layer), '-C', folder);
  return { folder, layout, index, manifest, config: json(manifest.config) };
}

/**
 * Starts an image as a container engine would: process 1, as its user, on a read-only root, with mounts.
 * @param {{ folder: string, config: any }} image
 * @param {{ environment?: Record<string, string>, mounts?: Record<string, string>, user?: string }} options
 *   `mounts`: folders and files by their place in the container
 */
export class Container {
  static async start({ folder, config }, { environment = {}, mounts = {}, user = config.config.User } = {}) {
    const container = new Container();
    container.root = temporaryFolder();
    chmodSync(container.root, 0o755);
    cpSync(folder, container.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    run('chown', '-R', '--reference', join(folder, 'app'), join(container.root, 'app'));
    for (const name of ['proc', 'etc']) mkdirSync(join(container.root, name), { recursive: true });
    for (const [place, source] of Object.entries(mounts)) {
      const target = join(container.root, place);
      mkdirSync(dirname(target), { recursive: true });
      if (existsSync(target)) continue;
      if (readdirOrNull(source)) mkdirSync(target);
      else writeFileSync(target, '');
    }
    container.environment = { ...Object.fromEntries(config.config.Env.map((pair) => pair.split(/=(.*)/s))), ...environment };
    container.user = user;
    container.directory = config.config.WorkingDir;
    container.lines = [];
    const script = [
      'mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT"',
      'mount -t proc proc "$ROOT/proc"',
      ...Object.entries(mounts).map(([place, source]) => `mount --bind '${source}' "$ROOT/${place}"`),
      container.command([...config.config.Entrypoint, ...config.config.Cmd]),
    ].join(' && ');
    container.process = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
      env: { PATH: process.env.PATH, ROOT: container.root },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    container.ended = new Promise((done) => container.process.once('exit', done));
    cleanups.push(() => container.process.kill('SIGKILL'));
    // The cleanups run when nothing keeps this process alive.
    container.process.unref();
    for (const stream of [container.process.stdout, container.process.stderr]) {
      stream.unref();
      stream.setEncoding('utf8').on('data', (text) => container.lines.push(...text.split('\n').filter(Boolean)));
    }
    const begin = Date.now();
    while (!container.lines.some((line) => line.includes('serving on'))) {
      if (Date.now() - begin > START_TIMEOUT || container.process.exitCode !== null) throw new Error(container.lines.join('\n'));
      await new Promise((done) => setTimeout(done, 50));
    }
    return container;
  }

  /** The shell command that runs something inside, in place of the shell. */
  command(words) {
    const pairs = Object.entries(this.environment).map(([name, value]) => `${name}=${value}`);
    const [uid, gid] = this.user.split(':');
    const place = [`--root=${this.root}`, `--wd=${this.directory}`, `--setgid=${gid}`, `--setuid=${uid}`];
    const inside = ['env', '-i', ...pairs, '/usr/bin/unshare', ...place, '--', ...this.found(words)];
    return `exec ${inside.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
  }

  /** A command by its path: the name is looked up inside, not here. */
  found([name, ...rest]) {
    return [name.startsWith('/') ? name : `/usr/local/bin/${name}`, ...rest];
  }

  /** The process outside that is process 1 inside. */
  get main() {
    return run('pgrep', '-P', String(this.process.pid)).trim();
  }

  /** Runs a command inside, and returns its output. */
  run(...words) {
    return run('nsenter', '--target', this.main, '--mount', '--pid', 'sh', '-c', this.command(words));
  }

  /** Stops it, and returns how many milliseconds that took. */
  async stop() {
    const begin = Date.now();
    this.process.ref();
    process.kill(Number(this.main), 'SIGTERM');
    await this.ended;
    return Date.now() - begin;
  }
}

function readdirOrNull(path) {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}
