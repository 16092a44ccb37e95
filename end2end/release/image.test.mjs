// The image of the release, and what Dashy's image did in its place.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from '../../tools/node_modules/yaml/dist/index.js';
import { Container, IMAGE_FILE, freePort, run, temporaryFolder, unpackImage } from './harness.mjs';

const MAX_BYTES = 18_000_000;
const CONF = 'pageInfo: { title: Harbor }\nsections: [{ name: Boats, items: [{ title: Dinghy, url: "http://dinghy.lan" }] }]\n';
/** How long open requests may take after a signal. */
const GRACE = 10_000;

const image = unpackImage();

function data(owner = 1000, files = { 'conf.yml': CONF }) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    chownSync(join(folder, name), owner, owner);
  }
  chownSync(folder, owner, owner);
  chmodSync(folder, 0o755);
  return folder;
}

const page = async (port, path = '/') => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

test('it is small, and contains the program and nothing else', () => {
  const { layers } = image.manifest;
  assert.ok(layers.reduce((sum, { size }) => sum + size, 0) <= MAX_BYTES);
  const files = run('find', image.folder, '-mindepth', '1', '-printf', '%P %y %U\n').trim().split('\n').sort();
  assert.deepEqual(files, [
    'app d 1000',
    'app/user-data d 1000',
    'usr d 0',
    'usr/local d 0',
    'usr/local/bin d 0',
    'usr/local/bin/node l 0',
    'usr/local/bin/portico f 0',
  ]);
});

test('buildah reads its settings', () => {
  const storage = temporaryFolder();
  const buildah = (...args) => run('buildah', '--storage-driver', 'vfs', '--root', join(storage, 'root'), '--runroot', join(storage, 'run'), ...args);
  const id = buildah('pull', '--quiet', `oci-archive:${IMAGE_FILE}`).trim();
  const { OCIv1: found } = JSON.parse(buildah('inspect', '--type', 'image', id));
  assert.equal(found.config.User, '1000:1000');
  assert.deepEqual(found.config.Entrypoint, ['/usr/local/bin/portico']);
  // buildah knows no health checks in OCI images; Docker does.
  assert.deepEqual(image.config.config.Healthcheck.Test, ['CMD', 'portico', 'healthcheck']);
});

test('a compose file for Dashy works with another image', async () => {
  const folder = data();
  const port = await freePort();
  const compose = parse(`
services:
  dashy:
    image: portico
    container_name: dashy
    volumes:
      - ./user-data:/app/user-data
    ports: ["4000:${port}"]
    environment:
      - NODE_ENV=production
      - UID=1000
      - GID=1000
      - PORT=${port}
      - TZ=Asia/Tokyo
    restart: unless-stopped
    healthcheck:
      test: ['CMD', 'node', '/app/services/healthcheck']
      interval: 1m30s
`).services.dashy;
  const environment = Object.fromEntries(compose.environment.map((pair) => pair.split('=')));
  const [, place] = compose.volumes[0].split(':');
  const container = await Container.start(image, { environment, mounts: { [place]: folder } });
  assert.match(await page(port), /Dinghy/);
  const [, ...check] = compose.healthcheck.test;
  for (const command of [check, ['node', '/app/services/healthcheck.js'], ['portico', 'healthcheck']]) {
    assert.match(container.run(...command), /^healthy/);
  }
  assert.ok(!container.lines.some((line) => line.includes('cannot be written')), container.lines.join('\n'));
  assert.ok(container.lines.some((line) => line.includes('+09:00')), container.lines.join('\n'));
  assert.equal(statSync(join(folder, '.session-key'), { throwIfNoEntry: false })?.uid ?? 1000, 1000);
});

test('the config may be a single file, and in the old place', async () => {
  const file = join(data(), 'conf.yml');
  for (const place of ['/app/user-data/conf.yml', '/app/public/conf.yml']) {
    const port = await freePort();
    const container = await Container.start(image, { environment: { PORT: String(port) }, mounts: { [place]: file } });
    assert.match(await page(port), /Dinghy/, place);
    await container.stop();
  }
});

test('HTTPS starts with certificates, and the health check follows it', async () => {
  const folder = data();
  const keys = temporaryFolder();
  chmodSync(keys, 0o755);
  run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost',
    '-keyout', join(keys, 'key.pem'), '-out', join(keys, 'certificate.pem'));
  chmodSync(join(keys, 'key.pem'), 0o644);
  const [port, secure] = [await freePort(), await freePort()];
  const container = await Container.start(image, {
    environment: {
      PORT: String(port), SSL_PORT: String(secure), SSL_PRIV_KEY_PATH: '/certificates/key.pem', SSL_PUB_KEY_PATH: '/certificates/certificate.pem',
    },
    mounts: { '/app/user-data': folder, '/certificates': keys },
  });
  assert.match(container.run('node', '/app/services/healthcheck'), new RegExp(`^healthy: https://127.0.0.1:${secure}/`));
});

test('a folder that cannot be written is named with the command that mends it, and read', async () => {
  const port = await freePort();
  const container = await Container.start(image, { environment: { PORT: String(port) }, mounts: { '/app/user-data': data(0) } });
  assert.match(await page(port), /Dinghy/);
  const warning = container.lines.find((line) => line.includes('cannot be written'));
  assert.match(warning, /runs as uid 1000, gid 1000; it belongs to uid 0, gid 0\. .*sudo chown -R 1000:1000 PATH/);
});

test('as root, it takes the rights of UID and GID', async () => {
  const port = await freePort();
  const folder = data(1234);
  const container = await Container.start(image, {
    environment: { PORT: String(port), UID: '1234', GID: '1234' }, mounts: { '/app/user-data': folder }, user: '0:0',
  });
  assert.match(await page(port), /Dinghy/);
  assert.ok(!container.lines.some((line) => line.includes('cannot be written')), container.lines.join('\n'));
  const ids = run('ps', '-o', 'uid=,gid=', '--pid', container.main).trim().split(/\s+/);
  assert.deepEqual(ids, ['1234', '1234']);
});

test('secrets are read from files', async () => {
  const port = await freePort();
  const secrets = temporaryFolder();
  chmodSync(secrets, 0o755);
  writeFileSync(join(secrets, 'token'), 't0ken\n');
  await Container.start(image, {
    environment: { PORT: String(port), ENABLE_API: 'true', API_TOKEN_FILE: '/run/secrets/token' },
    mounts: { '/app/user-data': data(), '/run/secrets': secrets },
  });
  const get = (token) => fetch(`http://127.0.0.1:${port}/api/config`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await get('t0ken')).status, 200);
  assert.equal((await get('other')).status, 401);
});

test('process 1 stops at once, also with an open stream', async () => {
  const port = await freePort();
  const container = await Container.start(image, { environment: { PORT: String(port) }, mounts: { '/app/user-data': data() } });
  const stream = await fetch(`http://127.0.0.1:${port}/events?page=home`);
  assert.equal(stream.status, 200);
  const reading = stream.text().catch(() => {});
  assert.ok((await container.stop()) < GRACE / 2);
  await reading;
});

test('a config can be checked inside', async () => {
  const port = await freePort();
  const folder = data(1000, { 'conf.yml': 'sections: []\n' });
  mkdirSync(join(folder, 'item-icons'));
  const container = await Container.start(image, { environment: { PORT: String(port) }, mounts: { '/app/user-data': folder } });
  assert.doesNotMatch(container.run('portico', 'validate', '/app/user-data/conf.yml'), /error:/);
});
