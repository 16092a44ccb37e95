// A real PostgreSQL for the benchmark, in a folder of its own.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// PostgreSQL refuses to run as root, so root runs it as this user.
const NOBODY = 65534;
const START_TIMEOUT = 60_000;

function programs() {
  const roots = ['/', join(homedir(), '.cache/portico/tools/postgresql')];
  const found = roots.map((root) => join(root, 'usr/lib/postgresql')).filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place).sort().reverse().map((version) => join(place, version, 'bin')));
  const place = found.find((bin) => existsSync(join(bin, 'initdb')));
  if (!place) throw new Error('PostgreSQL is missing; run `make setup-postgres`');
  return place;
}

export class Postgres {
  static async start(folder, port) {
    const postgres = new Postgres();
    const bin = programs();
    mkdirSync(folder, { recursive: true });
    const isRoot = process.getuid() === 0;
    if (isRoot) {
      chmodSync(join(folder, '..'), 0o755);
      chownSync(folder, NOBODY, NOBODY);
    }
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const data = join(folder, 'data');
    execFileSync(join(bin, 'initdb'), ['--pgdata', data, '--username', 'portico', '--auth', 'trust', '--no-sync'], { ...user, stdio: 'ignore', cwd: folder });
    const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    postgres.child = spawn(join(bin, 'postgres'), ['-D', data, ...options], { ...user, stdio: 'ignore', cwd: folder });
    postgres.ended = new Promise((done) => postgres.child.once('exit', done));
    const before = performance.now();
    const client = join(bin, 'psql');
    const run = (statement) => execFileSync(client, ['--host', '127.0.0.1', '--port', String(port), '--username', 'portico', 'postgres', '--command', statement], { stdio: 'ignore' });
    for (;;) {
      try {
        run('create database portico');
        break;
      } catch (error) {
        if (performance.now() - before > START_TIMEOUT) throw new Error(`PostgreSQL does not start: ${error.message}`);
        await sleep(100);
      }
    }
    postgres.address = `postgres://portico@127.0.0.1:${port}/portico?sslmode=disable`;
    return postgres;
  }

  async stop() {
    // An immediate shutdown: the folder is deleted anyway.
    this.child.kill('SIGQUIT');
    await this.ended;
  }
}
