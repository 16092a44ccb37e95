// A real nginx in front of a server, on a free port and without leaving anything behind.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import { freePort, temporaryDirectory } from './server.ts';

export class Nginx {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** A port for `start`: what stands behind nginx may have to know it. */
  static reserve = freePort;

  /** Starts one with these directives in its `server` block, and waits until it answers. */
  static async start(port: number, directives: string): Promise<Nginx> {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'temp'));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`).join(' ');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
       http { access_log off; ${paths} absolute_redirect off; server { listen 127.0.0.1:${port}; ${directives} } }`,
    );
    // Debian keeps it where only root looks for programs; `make test` unpacks it where there is none.
    const PATH = `${process.env['PATH']}:/usr/sbin:${join(import.meta.dirname, 'output/nginx/usr/sbin')}`;
    const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], { stdio: 'ignore', env: { ...process.env, PATH } });
    child.once('error', () => undefined);
    const status = () => fetch(`http://127.0.0.1:${port}/healthz`, { redirect: 'manual' }).then(({ status }) => status, () => 0);
    await expect.poll(status, { message: 'nginx must answer' }).toBeGreaterThan(0);
    return new Nginx(child, folder);
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}
