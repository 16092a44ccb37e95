// A Portico of one's own: on a free port, with a user-data directory that nobody else has.

import { type ChildProcess, spawn } from 'node:child_process';
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
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The program under test. */
export const BINARY = resolve(process.env['PORTICO'] || join(import.meta.dirname, '../target/release/portico'));

/** Where the tests' own config files are. */
export const CONFIGS = join(import.meta.dirname, 'configs');

/** A user without any rights, on all systems that we know. */
const NOBODY = 65_534;

const START_LIMIT = 10_000;
const STOP_LIMIT = 15_000;

export interface Start {
  /** A config below `configs/`, or an absolute path: a file becomes `conf.yml`, of a directory all files are taken. */
  config?: string | null;
  /** Text of `conf.yml` instead. */
  text?: string | undefined;
  /** Whether the program may only read the directory. */
  readOnly?: boolean;
  /** Further environment variables. */
  environment?: Record<string, string>;
  /** Whether it shows its widgets in place of a config. */
  demo?: boolean;
}

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

// Below the ports that systems give to connections by themselves, so that none takes one between the look and the use;
// and each of the workers has its own.
const FIRST_PORT = 11_000;
const PORTS_OF_A_WORKER = 2_000;
const WORKERS = 10;
let portsTaken = 0;

/** A port that nobody listens on, and that nobody else takes. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % WORKERS;
  for (;;) {
    // Where the last run of the tests began is somewhere else.
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

/** The environment of a run: nothing of the machine's own settings reaches the program. */
export function environment(more: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', OFFLINE: 'true', LOG_LEVEL: 'info', ...more };
}

export class Portico {
  private constructor(
    private readonly process: ChildProcess,
    /** Address of the dashboard, with its path prefix and without a trailing slash. */
    readonly url: string,
    readonly directory: string,
    private readonly lines: string[],
    private readonly end: Promise<End>,
  ) {}

  /** Starts a server and waits until it says that it is well. */
  static async start({ config, text, readOnly = false, environment: more = {}, demo = false }: Start = {}): Promise<Portico> {
    const directory = more['USER_DATA_DIR'] ?? temporaryDirectory();
    if (config) copyConfig(config, directory);
    if (text !== undefined) writeFileSync(join(directory, 'conf.yml'), text);

    const port = more['PORT'] ?? String(await freePort());
    const env = environment({ USER_DATA_DIR: directory, PORT: port, ...more });
    const program: ReturnType<typeof lock> = readOnly ? lock(directory) : { path: BINARY };
    const child = spawn(program.path, ['serve', ...(demo ? ['--demo'] : [])], { env, stdio: ['ignore', 'pipe', 'pipe'], ...program.person });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => lines.push(String(data)));
    const end = new Promise<End>((done, failed) => {
      child.once('error', failed);
      child.once('exit', (code, signal) => done({ code, signal }));
    });
    const origin = `http://127.0.0.1:${port}`;
    const portico = new Portico(child, origin + (more['BASE_URL'] ?? ''), directory, lines, end);
    await portico.wait(`${origin}/healthz`);
    // A running program needs its file no longer.
    if (program.place) rmSync(program.place, { recursive: true });
    return portico;
  }

  /** What the program has written so far. */
  get log(): string {
    return this.lines.join('');
  }

  /** Id of the process, for signals. */
  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Writes a file of the user-data directory, as an editor would from outside. */
  write(name: string, text: string | Uint8Array): void {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Puts a file of the user-data directory in the place of another at once, so that nobody ever sees half of it. */
  replace(name: string, text: string): void {
    const path = join(this.directory, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }

  /** Sends SIGTERM and waits for the end. */
  async stop(): Promise<End> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_LIMIT);
    const end = await this.end;
    clearTimeout(timer);
    return end;
  }

  /** Stops, and removes the user-data directory. */
  async remove(): Promise<void> {
    await this.stop();
    // A second server on the same directory has removed it.
    if (!existsSync(this.directory)) return;
    chmodSync(this.directory, 0o700);
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async wait(health: string): Promise<void> {
    const deadline = Date.now() + START_LIMIT;
    const ended = this.end.then((end) => Promise.reject(new Error(`portico ended: ${JSON.stringify(end)}\n${this.log}`)));
    ended.catch(() => undefined);
    for (;;) {
      const answer = await Promise.race([fetch(health).catch(() => undefined), ended]);
      if (answer?.ok) return;
      if (Date.now() > deadline) {
        this.process.kill('SIGKILL');
        throw new Error(`portico does not answer at ${health}\n${this.log}`);
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/**
 * Takes the right to write away. Nothing can be taken from root, so root runs the program as somebody else, from a
 * place that everybody can reach.
 */
function lock(directory: string): { path: string; person?: { uid: number; gid: number }; place?: string } {
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444);
  chmodSync(directory, 0o555);
  if (process.getuid?.() !== 0) return { path: BINARY };
  const place = temporaryDirectory();
  const path = join(place, 'portico');
  copyFileSync(BINARY, path);
  for (const each of [place, path]) chmodSync(each, 0o755);
  return { path, person: { uid: NOBODY, gid: NOBODY }, place };
}

function copyConfig(config: string, directory: string): void {
  const source = resolve(CONFIGS, config);
  if (statSync(source).isDirectory()) cpSync(source, directory, { recursive: true });
  else cpSync(source, join(directory, 'conf.yml'));
}

/** Whether a config, a file or a directory of files, has accounts. Without any, asking for HTTP Basic keeps the
 *  dashboard closed. */
export function hasUsers(config: string): boolean {
  const files = statSync(config).isDirectory()
    ? readdirSync(config).map((name) => join(config, name))
    : [config];
  return files.some((file) => /^\s+- user:/m.test(readFileSync(file, 'utf8')));
}
