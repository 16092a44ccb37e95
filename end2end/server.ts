// A Portico server for one test, with its own port and user-data directory.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The program under test. */
export const BINARY = resolve(process.env['PORTICO'] || join(import.meta.dirname, '../target/release/portico'));

/** The folder of the tests' config files. */
export const CONFIGS = join(import.meta.dirname, 'configs');

/** The bundle of development builds. */
const DEV_DIST = join(import.meta.dirname, '../dev/dist');

/** A user without rights on all common systems. */
const NOBODY = 65_534;

/** Runs a script of the shell as its own world of mounts. */
const MOUNTED = ['unshare', '--map-root-user', '--mount', 'sh', '-c'];

/** Whether this system lets tests mount files. */
const canMount = (): boolean => spawnSync(MOUNTED[0]!, [...MOUNTED.slice(1), 'true']).status === 0;

const START_LIMIT = 10_000;
const STOP_LIMIT = 15_000;

export interface Start {
  /** A config below `configs/`, or an absolute path: a file becomes `conf.yml`, of a directory all files are copied. */
  config?: string | null;
  /** Text of `conf.yml` instead. */
  text?: string | undefined;
  /** Whether the directory is read-only for the program. */
  readOnly?: boolean;
  /** Whether `conf.yml` is mounted on its own, so that no other file can take its place; where the system forbids mounts, its
   *  folder refuses other files instead. */
  mounted?: boolean;
  /** Additional environment variables. */
  environment?: Record<string, string>;
  /** Whether it shows the demo instead of a config. */
  demo?: boolean;
}

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

// Below the range that systems use for outgoing connections, so that no connection takes a port between check and use. Each
// worker has its own range.
const FIRST_PORT = 11_000;
const PORTS_OF_A_WORKER = 2_000;
const WORKERS = 10;
let portsTaken = 0;

/** A free port that no other worker uses. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % WORKERS;
  for (;;) {
    // Each run starts somewhere else.
    const port = FIRST_PORT + worker * PORTS_OF_A_WORKER + ((process.pid * 61 + portsTaken++) % PORTS_OF_A_WORKER);
    const probe = createServer();
    const isFree = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false));
      probe.listen(port, () => done(true));
    });
    if (isFree) {
      await new Promise((done) => probe.close(done));
      return port;
    }
  }
}

/** An empty directory that the caller removes. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'portico-test-'));
}

/** The environment of the program, without the machine's own settings. */
export function environment(more: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', OFFLINE: 'true', LOG_LEVEL: 'info', ...more };
}

export class Portico {
  /** Whether a test has changed its files, or could have. */
  private isTouched = false;
  /** How much it had put out when the first test got it, and when this one did. */
  private startLines: number | undefined;
  private firstLine = 0;

  private constructor(
    private readonly process: ChildProcess,
    /** Address of the dashboard, with its path prefix and without a trailing slash. */
    readonly url: string,
    private readonly folder: string,
    private readonly lines: string[],
    private readonly end: Promise<End>,
  ) {}

  /** The user-data directory. */
  get directory(): string {
    this.isTouched = true;
    return this.folder;
  }

  /** Lets another test use this server: `log` leaves out what it has put out for earlier ones. Returns a function that tells
   *  whether the server is still as it was. */
  lend(): () => boolean {
    this.startLines ??= this.lines.length;
    this.firstLine = this.lines.length;
    this.isTouched = false;
    const before = contents(this.folder);
    return () => !this.isTouched && this.process.exitCode === null && contents(this.folder) === before;
  }

  /** Starts a server and waits until it is healthy. */
  static async start({ config, text, readOnly = false, mounted = false, environment: more = {}, demo = false }: Start = {}): Promise<Portico> {
    const directory = more['USER_DATA_DIR'] ?? temporaryDirectory();
    if (config) copyConfig(config, directory);
    if (text !== undefined) writeFileSync(join(directory, 'conf.yml'), text);

    const port = more['PORT'] ?? String(await freePort());
    const env = environment({ USER_DATA_DIR: directory, PORT: port, ...more });
    const isMount = mounted && canMount();
    const program: Program = readOnly ? lock(directory) : mounted && !isMount ? pin(directory) : { path: BINARY };
    const command = [program.path, 'serve', ...(demo ? ['--demo'] : [])];
    if (isMount) command.unshift(...MOUNTED, 'mount --bind "$0" "$0" && exec "$@"', join(directory, 'conf.yml'));
    const [first = '', ...others] = command;
    const child = spawn(first, others, { env, stdio: ['ignore', 'pipe', 'pipe'], cwd: program.place, ...program.person });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => lines.push(String(data)));
    const end = new Promise<End>((done, failed) => {
      child.once('error', failed);
      child.once('exit', (code, signal) => done({ code, signal }));
    });
    const origin = `http://127.0.0.1:${port}`;
    const portico = new Portico(child, origin + (more['BASE_URL'] ?? ''), directory, lines, end);
    await portico.wait(`${origin}/healthz`);
    // A running program no longer needs its file.
    if (program.place) rmSync(program.place, { recursive: true });
    return portico;
  }

  /** The program's output at its start and in this test. */
  get log(): string {
    return [...this.lines.slice(0, this.startLines ?? 0), ...this.lines.slice(this.firstLine)].join('');
  }

  /** Id of the process, for signals. */
  get pid(): number {
    this.isTouched = true;
    return this.process.pid ?? 0;
  }

  /** Writes a file of the user-data directory in place, as some editors do. */
  write(name: string, text: string | Uint8Array): void {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Replaces a file of the user-data directory atomically. */
  replace(name: string, text: string): void {
    const path = join(this.directory, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }

  /** Sends SIGTERM and waits until the program has ended. */
  async stop(): Promise<End> {
    this.isTouched = true;
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_LIMIT);
    const end = await this.end;
    clearTimeout(timer);
    return end;
  }

  /** Stops, and removes the user-data directory. */
  async remove(): Promise<void> {
    await this.stop();
    // A second server with the same directory may have removed it.
    if (!existsSync(this.folder)) return;
    for (const folder of [this.folder, join(this.folder, PINNED)]) if (existsSync(folder)) chmodSync(folder, 0o700);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async wait(health: string): Promise<void> {
    const deadline = Date.now() + START_LIMIT;
    const ended = this.end.then((end) => Promise.reject(new Error(`portico ended: ${JSON.stringify(end)}\n${this.log}`)));
    ended.catch(() => undefined);
    for (;;) {
      const response = await Promise.race([fetch(health).catch(() => undefined), ended]);
      if (response?.ok) return;
      if (Date.now() > deadline) {
        this.process.kill('SIGKILL');
        throw new Error(`portico does not answer at ${health}\n${this.log}`);
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** The names, sizes and times of all files below a folder, as one text. */
function contents(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      return `${name} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** The program to start, and as whom. */
interface Program {
  path: string;
  person?: { uid: number; gid: number };
  /** The folder of a copy of the program. */
  place?: string;
}

/** Removes write permission. */
function lock(directory: string): Program {
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444);
  chmodSync(directory, 0o555);
  return withoutRights();
}

/** The folder of a config whose place no other file can take. */
const PINNED = 'pinned';

/** Puts `conf.yml` into a folder that takes no new files; a link leads to it. */
function pin(directory: string): Program {
  const folder = join(directory, PINNED);
  mkdirSync(folder);
  renameSync(join(directory, 'conf.yml'), join(folder, 'conf.yml'));
  symlinkSync(join(PINNED, 'conf.yml'), join(directory, 'conf.yml'));
  for (const [path, mode] of [[directory, 0o777], [join(folder, 'conf.yml'), 0o666], [folder, 0o555]] as const) chmodSync(path, mode);
  return withoutRights();
}

/** Root ignores permissions, so root runs the program as another user, from a place that everybody can read. */
function withoutRights(): Program {
  if (process.getuid?.() !== 0) return { path: BINARY };
  const place = temporaryDirectory();
  const path = join(place, 'portico');
  copyFileSync(BINARY, path);
  for (const each of [place, path]) chmodSync(each, 0o755);
  // A development build reads its bundle from here, since that user may not read the sources.
  if (existsSync(DEV_DIST)) cpSync(DEV_DIST, join(place, 'dist'), { recursive: true });
  return { path, person: { uid: NOBODY, gid: NOBODY }, place };
}

function copyConfig(config: string, directory: string): void {
  const source = resolve(CONFIGS, config);
  if (statSync(source).isDirectory()) cpSync(source, directory, { recursive: true });
  else cpSync(source, join(directory, 'conf.yml'));
}

/** Whether a config, a file or a directory of files, has accounts. Without accounts, `ENABLE_HTTP_AUTH` would lock everybody
 *  out. */
export function hasUsers(config: string): boolean {
  const files = statSync(config).isDirectory()
    ? readdirSync(config).map((name) => join(config, name))
    : [config];
  return files.some((file) => /^\s+- user:/m.test(readFileSync(file, 'utf8')));
}
