// The program itself: shutdown, HTTPS, and other commands (docs/spec/behavior.md 23).

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { expect, open, test } from '../fixtures.ts';
import { BINARY, CONFIGS, environment, freePort, temporaryDirectory } from '../server.ts';
import { Upstream } from '../upstream.ts';

/** Runs a command to its end. */
function portico(command: string[], variables: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(BINARY, command, { env: environment(variables), input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('SIGTERM ends it in peace', async ({ start }) => {
  const server = await start({ config: 'workshop.yml' });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(server.log).toContain('stopping');
});

test('SIGTERM ends the sessions at services, and waits for none that hangs', async ({ start }) => {
  const services = await Promise.all([Upstream.start(), Upstream.start()]);
  const ended: number[] = [];
  for (const [number, service] of services.entries()) {
    service.responses.set('/api/auth', (request, response) => {
      if (request.method === 'DELETE') ended.push(number);
      // The second does not answer a logout request.
      if (request.method === 'DELETE' && number === 1) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ session: { valid: true, sid: `session-${number}`, validity: 1800 } }));
    });
    service.responses.set('/api/history', { history: [] });
  }
  const widgets = services.map(({ url }) => `{ type: dns-sinkhole-traffic-v6, options: { hostname: '${url}', apiKey: password } }`);
  const server = await start({ config: null, text: `sections: [{ name: Panel, widgets: [${widgets.join(', ')}] }]\n` });
  for (const number of services.keys()) {
    const answer = await fetch(`${server.url}/fn/panel?page=home&section=0&widget=${number}&kind=dns-sinkhole-traffic-v6`);
    expect(await answer.json()).toMatchObject({ state: 'content' });
  }
  const begun = Date.now();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(Date.now() - begun).toBeLessThan(6_000);
  expect(ended.sort()).toEqual([0, 1]);
  await Promise.all(services.map((service) => service.stop()));
});

test('SIGTERM lets an answer that has begun finish', async ({ start }) => {
  const server = await start({ config: 'workshop.yml' });
  // More than all buffers can hold, so that the server is still sending.
  const size = 48 * 1024 * 1024;
  server.write('film.bin', new Uint8Array(size));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = 0;
  const closed = new Promise((done) => socket.once('close', done));
  const begun = new Promise<void>((done) => {
    socket.once('data', (data) => {
      received += data.length;
      socket.pause();
      done();
    });
  });
  socket.write(`GET /film.bin HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await begun;
  process.kill(server.pid, 'SIGTERM');
  await expect.poll(() => server.log).toContain('stopping');
  socket.on('data', (data) => (received += data.length));
  socket.resume();
  await closed;
  expect(received).toBeGreaterThan(size);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test('the log tells address and version', async ({ portico: server }) => {
  expect(server.log).toContain(`${server.url}/`);
  expect(server.log).toMatch(/version="?\d+\.\d+\.\d+/);
});

test('problems of the config are in the log, with their place', async ({ start }) => {
  const server = await start({ text: 'appConfig: { colCount: many }\nsections: [{ name: A, items: [5] }]\n' });
  // They may come after the line with the address.
  await expect.poll(() => server.log).toMatch(/WARN .*colCount/);
});

test('a port in use is reported, and is a failure', async ({ portico: server }) => {
  const { status, stdout, stderr } = portico(['serve'], { PORT: new URL(server.url).port, USER_DATA_DIR: server.directory });
  expect(status).toBe(1);
  expect(stdout + stderr).toContain(new URL(server.url).host);
});

test('a setting that makes no sense is named', () => {
  const { status, stderr } = portico(['serve'], { PORT: 'eighty' });
  expect(status).toBe(2);
  expect(stderr).toContain('PORT');
});

test.describe('validate', () => {
  test('is content with a good file', () => {
    const { status, stdout } = portico(['validate', join(CONFIGS, 'workshop.yml')]);
    expect(stdout).toContain('workshop.yml: valid (0 errors, 0 warnings)');
    expect(status).toBe(0);
  });

  test('tells file, line, column and reason of each problem', () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'conf.yml');
    writeFileSync(file, 'pageInfo:\n  title: Odd\nappConfig:\n  colCount: many\n  bogus: true\nsections: []\n');
    const { status, stdout } = portico(['validate', file]);
    expect(stdout).toMatch(new RegExp(`^${file}:4:\\d+: error: .*colCount`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${file}:5:\\d+: error: .*bogus`, 'm'));
    expect(stdout).toContain('invalid (2 errors');
    expect(status).toBe(1);
    rmSync(directory, { recursive: true });
  });

  test('shows the lines around a slip in the YAML', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'conf.yml'), 'pageInfo:\n  title: "Odd\nsections: []\n');
    const { status, stdout } = portico(['validate'], { USER_DATA_DIR: directory });
    expect(stdout).toMatch(/conf\.yml:\d+:\d+: error: /);
    expect(stdout).toContain('title: "Odd');
    expect(status).toBe(1);
    rmSync(directory, { recursive: true });
  });

  test('looks at several files and names one that is missing', () => {
    const { status, stdout } = portico(['validate', join(CONFIGS, 'arrival.yml'), 'no-such-file.yml']);
    expect(stdout).toContain('arrival.yml: valid');
    expect(stdout).toMatch(/no-such-file\.yml: error: /);
    expect(status).toBe(1);
  });

  test('takes old fields as warnings', () => {
    const directory = temporaryDirectory();
    copyFileSync(join(CONFIGS, 'attic.yml'), join(directory, 'conf.yml'));
    const { status, stdout } = portico(['validate'], { USER_DATA_DIR: directory });
    expect(stdout).toMatch(/conf\.yml:\d+:\d+: warning: .*routingMode/);
    expect(stdout).toContain('valid (0 errors');
    expect(status, stdout).toBe(0);
    rmSync(directory, { recursive: true });
  });
});

test.describe('healthcheck', () => {
  test('is content while the server is well', ({ portico: server }) => {
    const { status, stdout } = portico(['healthcheck'], { PORT: new URL(server.url).port });
    expect(stdout).toContain('healthy');
    expect(status).toBe(0);
  });

  test('fails when no server answers', async () => {
    const { status, stdout } = portico(['healthcheck'], { PORT: String(await freePort()) });
    expect(stdout).toContain('not healthy');
    expect(status).toBe(1);
  });
});

test('hash-password prints what the config wants', () => {
  const argon2 = portico(['hash-password'], {}, 'lantern\n');
  expect(argon2.stdout.trim()).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[^$]+\$[^$]+$/);
  expect(argon2.status).toBe(0);
  const { status, stdout } = portico(['hash-password', '--sha256'], {}, 'lantern\n');
  expect(stdout.trim()).toBe('c5220b3c4266890f047190c18dc4243e0dac079d43ca8065899c4f9f3cf124ef');
  expect(status).toBe(0);
  expect(portico(['hash-password'], {}, '\n').status).toBe(1);
});

test('version', () => {
  expect(portico(['version']).stdout).toMatch(/^portico \d+\.\d+\.\d+\n$/);
});

test('a command that does not exist is refused', () => {
  expect(portico(['fly']).status).toBe(2);
});

test.describe('HTTPS', () => {
  test.use({ ignoreHTTPSErrors: true });

  /** A key and a self-signed certificate. */
  function certificate(directory: string): Record<string, string> {
    const [key, chain] = [join(directory, 'key.pem'), join(directory, 'chain.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', [...kind, '-keyout', key, '-out', chain, ...subject], { stdio: 'ignore' });
    return { SSL_PRIV_KEY_PATH: key, SSL_PUB_KEY_PATH: chain };
  }

  async function secure(start: (start: import('../server.ts').Start) => Promise<import('../server.ts').Portico>, more = {}) {
    const directory = temporaryDirectory();
    const port = String(await freePort());
    const variables = { ...certificate(directory), SSL_PORT: port, ...more };
    const server = await start({ config: 'workshop.yml', environment: variables });
    return { server, secureUrl: `https://127.0.0.1:${port}`, variables, directory };
  }

  test('serves, redirects to itself, but not the health check', async ({ browser, playwright, start }) => {
    const { server, secureUrl, variables, directory } = await secure(start);
    const request = await playwright.request.newContext({ ignoreHTTPSErrors: true });

    const health = await request.get(`${server.url}/healthz`, { maxRedirects: 0 });
    expect(health.status()).toBe(200);
    expect((await request.get(`${secureUrl}/healthz`)).status()).toBe(200);
    const redirect = await request.get(`${server.url}/home/main/drawers?x=1`, { maxRedirects: 0 });
    expect(redirect.status()).toBe(308);
    expect(redirect.headers()['location']).toBe(`${secureUrl}/home/main/drawers?x=1`);

    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`${server.url}/`);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${secureUrl}/`);
    await expect(page).toHaveTitle('Workshop');
    await context.close();

    const check = portico(['healthcheck'], { ...variables, PORT: new URL(server.url).port });
    expect(check.stdout).toContain('healthy: https://');
    expect(check.status).toBe(0);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await request.dispose();
    rmSync(directory, { recursive: true });
  });

  test('does not redirect HTTP if the setting says so', async ({ playwright, start }) => {
    const { server, secureUrl, directory } = await secure(start, { REDIRECT_HTTPS: 'false' });
    const request = await playwright.request.newContext({ ignoreHTTPSErrors: true });
    for (const url of [server.url, secureUrl]) {
      const answer = await request.get(`${url}/`, { maxRedirects: 0 });
      expect(answer.status()).toBe(200);
      expect(await answer.text()).toContain('<title>Workshop</title>');
    }
    await request.dispose();
    rmSync(directory, { recursive: true });
  });

  test('an unusable key is reported, and is a failure', async () => {
    const directory = temporaryDirectory();
    const variables = certificate(directory);
    writeFileSync(variables['SSL_PRIV_KEY_PATH']!, 'no key\n');
    const { status, stdout, stderr } = portico(['serve'], { ...variables, PORT: String(await freePort()), USER_DATA_DIR: directory });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('certificate or private key');
    rmSync(directory, { recursive: true });
  });
});

test('it answers soon after its start', async () => {
  const directory = temporaryDirectory();
  const port = await freePort();
  const child = spawn(BINARY, [], { env: environment({ PORT: String(port), USER_DATA_DIR: directory }), stdio: 'ignore' });
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.status, () => 0), { intervals: [20] }).toBe(200);
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  rmSync(directory, { recursive: true });
});

test.describe('a server that is stopping', () => {
  // The open page requests it again; and it may have loaded no script that follows changes yet.
  test.use({ expected: /ERR_CONNECTION_REFUSED|dynamically imported module: .*stream/ });

  test('leaves its page whole, the search too, which nobody has used yet', async ({ page, portico: server }) => {
    await open(page);
    await server.stop();
    await page.getByRole('searchbox').fill('oak');
    await expect(page.locator('.item:visible .tile-title')).toHaveText(['Band saw']);
  });
});
