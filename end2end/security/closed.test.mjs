// What is meant to be closed is closed: without a config that can be read, with switches that cannot be understood, and
// after signing out.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { basic, command, eventually, exchange, freePort, Portico, sha256, sleep, temporaryDirectory } from './harness.mjs';
import { IdentityProvider } from './identity-provider.mjs';

const RIGHT = 'the password of the admin';
const USERS = [{ user: 'admin', hash: sha256(RIGHT), type: 'admin' }];
const conf = (auth, more = {}) => JSON.stringify({ appConfig: { auth }, sections: [{ name: 'Cellar' }], ...more });

const API = { ENABLE_API: 'true' };

/** Whether a stranger can read or change anything. */
async function assertClosed(portico) {
  for (const [method, path, body] of [
    ['PUT', '/api/config/conf.yml', '{"sections":[]}'],
    ['PUT', '/api/config/new.yml', '{}'],
    ['POST', '/config-manager/save', '{"config":"sections: []","filename":"new.yml"}'],
    ['GET', '/api/config'],
    ['GET', '/api/config/other.yml'],
    ['GET', '/other.yml'],
  ]) {
    const response = await portico.json(method, path, body ?? '');
    assert.ok([401, 403, 404, 503].includes(response.status), `${method} ${path}: ${response.status} ${response.text}`);
    assert.doesNotMatch(response.text, /Cellar/);
  }
  assert.throws(() => portico.read('new.yml'));
}

describe('a config that is not there closes what was not empty', () => {
  const other = { 'other.yml': conf({}) };
  const states = {
    'missing at start beside other files': { files: other },
    'a directory, as container engines make of a missing file': { files: { ...other, 'conf.yml/.keep': '' } },
    'a directory, and nothing else': { files: { 'conf.yml/.keep': '' } },
    'a link to nowhere': { files: other, prepare: (directory) => symlinkSync('/nowhere/conf.yml', join(directory, 'conf.yml')) },
    'missing beside backups of it': { files: { 'config-backups/conf-1700000000000.backup.yml': conf({ users: USERS }) } },
  };
  for (const [what, { files, prepare }] of Object.entries(states)) {
    test(what, async () => {
      const directory = join(temporaryDirectory(), 'user-data');
      mkdirSync(directory, { recursive: true });
      prepare?.(directory);
      const portico = await Portico.start({ directory, files, environment: API });
      await assertClosed(portico);
      const page = await portico.get('/');
      assert.ok(page.status >= 400 && page.text.includes('main config file'), `the page says why: ${page.status}`);
      assert.match(portico.log, /conf\.yml/, 'and so does the log');
      await portico.stop();
    });
  }

  test('an empty folder gets the starter, and is open', async () => {
    const portico = await Portico.start({ environment: API });
    assert.equal((await portico.get('/')).status, 200);
    assert.equal((await portico.get('/api/config')).status, 200);
    await portico.stop();
  });

  test('a config that is taken away from a running program leaves nothing open', async () => {
    const portico = await Portico.start({ files: { ...other, 'conf.yml': conf({ users: USERS }) }, environment: API });
    rmSync(join(portico.directory, 'conf.yml'));
    await sleep(800);
    await assertClosed(portico);
    await portico.stop();
  });
});

describe('a switch that cannot be read is never silently off', () => {
  const switches = {
    'ENABLE_HTTP_AUTH=enabled': { environment: { ENABLE_HTTP_AUTH: 'enabled' } },
    'ENABLE_HTTP_AUTH=ture': { environment: { ENABLE_HTTP_AUTH: 'ture' } },
    'API_TOKEN= (empty)': { environment: { API_TOKEN: '' } },
    'API_TOKEN= (blanks)': { environment: { API_TOKEN: '  ' } },
    'BASIC_AUTH_USERNAME alone': { environment: { BASIC_AUTH_USERNAME: 'admin' } },
    'BASIC_AUTH_PASSWORD alone': { environment: { BASIC_AUTH_PASSWORD: 'secret' } },
    'BASIC_AUTH_PASSWORD= (empty)': { environment: { BASIC_AUTH_USERNAME: 'admin', BASIC_AUTH_PASSWORD: '' } },
    'a misspelled key in auth': { auth: { enableOICD: true, oidc: { clientId: 'x', endpoint: 'http://127.0.0.1:9' } } },
    'another misspelled key in auth': { auth: { user: USERS } },
    'enableOidc that is no boolean': { auth: { enableOidc: 'sure', oidc: { clientId: 'x', endpoint: 'http://127.0.0.1:9' } } },
    'enableOidc without its block': { auth: { enableOidc: true } },
    'enableHeaderAuth without its block': { auth: { enableHeaderAuth: true } },
    'users that are no list': { auth: { users: 'admin' } },
    'users without a hash': { auth: { users: [{ user: 'admin' }] } },
    'auth that is no mapping': { auth: 'on' },
  };
  for (const [what, { environment = {}, auth = {} }] of Object.entries(switches)) {
    test(what, async () => {
      const directory = join(temporaryDirectory(), 'user-data');
      const files = { 'conf.yml': conf(auth), 'other.yml': conf({}) };
      let portico;
      try {
        portico = await Portico.start({ directory, files, environment: { ...API, ...environment } });
      } catch (error) {
        // Refusing to start is fine, if the reason is said.
        assert.match(error.message, new RegExp(Object.keys(environment)[0] ?? 'auth'));
        return;
      }
      await assertClosed(portico);
      assert.match(portico.log, new RegExp(Object.keys(environment)[0] ?? Object.keys(auth)[0] ?? 'auth', 'i'));
      await portico.stop();
    });
  }
});

describe('signing out ends the session on the server too', () => {
  test('of an account, also for a copied cookie and after a restart', async () => {
    const files = { 'conf.yml': conf({ users: USERS }) };
    const portico = await Portico.start({ files });
    const copied = await portico.signIn('admin', RIGHT);
    const other = await portico.get('/', { headers: { cookie: copied } });
    assert.match(other.text, /Cellar/);
    await portico.form('/logout', {}, { headers: { cookie: copied } });
    assert.doesNotMatch((await portico.get('/', { headers: { cookie: copied } })).text, /Cellar/);
    const after = await portico.signIn('admin', RIGHT);
    assert.match((await portico.get('/', { headers: { cookie: after } })).text, /Cellar/);
    await portico.stop();
    const again = await Portico.start({ directory: portico.directory });
    assert.doesNotMatch((await again.get('/', { headers: { cookie: copied } })).text, /Cellar/);
    assert.match((await again.get('/', { headers: { cookie: after } })).text, /Cellar/);
    await again.stop();
  });

  test('of a provider, with its renewal, and tells the provider', async () => {
    const provider = await IdentityProvider.start();
    provider.description = { revocation_endpoint: `${provider.issuer}/revoke`, scopes_supported: ['openid', 'offline_access'] };
    const auth = provider.auth();
    auth.oidc.enableSilentRenew = true;
    const portico = await Portico.start({ files: { 'conf.yml': conf(auth) } });
    const away = await portico.get('/login/provider?return_to=/');
    const back = provider.consent(away.header('location'));
    const { cookie } = await portico.get(back.pathname + back.search, { headers: { cookie: away.cookie } });
    assert.match((await portico.get('/', { headers: { cookie } })).text, /Cellar/);
    await portico.form('/logout', {}, { headers: { cookie } });
    assert.doesNotMatch((await portico.get('/', { headers: { cookie } })).text, /Cellar/);
    assert.doesNotMatch((await portico.get('/conf.yml', { headers: { cookie } })).text, /Cellar/);
    const renewed = await portico.json('POST', '/fn/renew', {}, { headers: { cookie } });
    assert.equal(renewed.status, 401, renewed.text);
    assert.equal(provider.seen.filter(({ form }) => form.grant_type === 'refresh_token').length, 0);
    await eventually('the refresh token is revoked', () => provider.count('/revoke') > 0);
    await portico.stop();
    await provider.stop();
  });
});

describe('small holes stay closed', () => {
  test('icon addresses of one run say nothing in another', async () => {
    const items = [{ title: 'Hidden', url: 'http://hidden.lan', icon: 'favicon-local', displayData: { hideForGuests: true } }, { title: 'Shown', url: 'http://shown.lan', icon: 'favicon-local' }];
    const files = { 'conf.yml': conf({}, { sections: [{ name: 'S', items }] }) };
    const keys = [];
    for (let run = 0; run < 2; run++) {
      const portico = await Portico.start({ files });
      keys.push([...(await portico.get('/')).text.matchAll(/\/icons\/favicon\/([\w-]+)/g)].map(([, key]) => key));
      await portico.stop();
    }
    assert.ok(keys[0].length >= 2);
    assert.deepEqual(keys[0].filter((key) => keys[1].includes(key)), []);
  });

  test('control characters do not reach the log, nor names that visitors make up', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }), 'x\u001b[31mred.yml': 'a: [' }, environment: { ...API, LOG_LEVEL: 'debug' } });
    const name = 'made-up-by-a-visitor';
    for (const number of [0, 1, 2]) {
      await portico.get(`/icons/file/${name}${number}%1b[31m.png`);
      await portico.get(`/${name}%0d%0aforged%20line`);
      await portico.get(`/home/${name}%1b%5b2J`);
      await portico.form('/login', { user: `${name}\u001b[31m\nforged line`, password: name }, { from: `127.10.0.${number + 1}` });
      await portico.get('/api/config', { headers: { authorization: basic(`${name}\u0007`, name) }, from: `127.10.1.${number + 1}` });
      await portico.get('/', { headers: { 'x-forwarded-prefix': `/${name}`, 'user-agent': `${name}\u009b31m` } });
    }
    const cookie = await portico.signIn('admin', RIGHT, { from: '127.10.2.1' });
    for (const number of [0, 1, 2]) await portico.get(`/icons/file/${name}${number}%1b[31m.png`, { headers: { cookie } });
    await sleep(300);
    // Line ends and tabs are how the log is written.
    assert.doesNotMatch(portico.log, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    assert.doesNotMatch(portico.log, /^forged line/m);
    assert.ok(!portico.log.includes(name), portico.log.split('\n').find((line) => line.includes(name)));
    await portico.stop();
  });

  test('path prefixes that strangers name do not push out real ones', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({}) }, environment: { TRUSTED_PROXIES: '127.0.0.2' } });
    const page = (prefix, from) => portico.get('/', { headers: { 'x-forwarded-prefix': prefix }, from });
    assert.match((await page('/real', '127.0.0.2')).text, /"\/real\//);
    for (let number = 0; number < 50; number++) assert.doesNotMatch((await page(`/stranger${number}`, '127.0.0.3')).text, /stranger/);
    assert.match((await page('/real', '127.0.0.2')).text, /"\/real\//);
    await portico.stop();
  });

  test('prefixes that come through a proxy one after the other do not push out the one in use', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({}) } });
    const page = (prefix) => portico.get('/', { headers: { 'x-forwarded-prefix': prefix } });
    for (let number = 0; number < 50; number++) {
      assert.match((await page('/real')).text, /"\/real\//, String(number));
      await page(`/made-up${number}`);
    }
    await portico.stop();
  });

  test('prefixes that a stranger keeps in use, and requests that hang under them, keep nobody from another prefix', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({}) } });
    const page = (prefix, from, timeout) => portico.get('/', { headers: { 'x-forwarded-prefix': prefix }, from, timeout });
    for (let number = 0; number < 4; number++) await page(`/made-up${number}`, '127.0.0.3');
    const hanging = Array.from({ length: 20 }, (_, number) => {
      // A body that never comes.
      const socket = connect({ port: portico.port, host: '127.0.0.1', localAddress: '127.0.0.3' });
      socket.on('error', () => {});
      socket.write(`POST /fn/session HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-prefix: /hanging${number}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`);
      return socket;
    });
    await sleep(300);
    for (const prefix of ['/real', '/other']) assert.match((await page(prefix, '127.0.0.4', 3000)).text, new RegExp(`"${prefix}/`), prefix);
    for (const socket of hanging) socket.destroy();
    await portico.stop();
  });

  test('hash-password prints Argon2, and such a hash signs in', async () => {
    const { status, stdout, stderr } = command(['hash-password'], { input: `${RIGHT}\n` });
    assert.equal(status, 0);
    const hash = /\$argon2id\$\S+/.exec(stdout)?.[0];
    assert.ok(hash, stdout);
    assert.match(stdout + stderr + command(['hash-password', '--help']).stdout, /sha-?256/i, 'the classic form is mentioned');
    const portico = await Portico.start({ files: { 'conf.yml': conf({ users: [{ user: 'admin', hash, type: 'admin' }] }) } });
    await portico.signIn('admin', RIGHT);
    assert.equal((await portico.form('/login', { user: 'admin', password: 'wrong' })).status, 401);
    await portico.stop();
  });

  test('random addresses that lead nowhere push nothing out of memory', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({}) } });
    const tag = (await portico.get('/')).header('etag');
    const before = portico.peakMemory;
    for (let number = 0; number < 500; number++) await portico.get(`/nowhere-${number}`);
    assert.equal((await portico.get('/')).header('etag'), tag);
    assert.ok(portico.peakMemory - before < 40, `${(portico.peakMemory - before).toFixed(0)} MiB more`);
    await portico.stop();
  });

  test('a config file that we create is not for everybody on the machine', async () => {
    const portico = await Portico.start({ environment: API });
    assert.equal((await portico.json('PUT', '/api/config/new.yml', { pageInfo: { title: 'T' } })).status, 200);
    for (const name of ['conf.yml', 'new.yml']) {
      assert.equal((statSync(join(portico.directory, name)).mode & 0o777).toString(8), '640', name);
    }
    await portico.json('PUT', '/api/config/new.yml', { pageInfo: { title: 'U' } });
    await portico.stop();
  });

  test('a session key is for the program alone', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }) } });
    await portico.signIn('admin', RIGHT);
    assert.equal((statSync(join(portico.directory, '.session-key')).mode & 0o777).toString(8), '600');
    await portico.stop();
  });

  test('a file that is not UTF-8 is refused and keeps its bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('pageInfo: { title: "Caf'), Buffer.from([0xe9]), Buffer.from('" }\nsections: [ { name: S } ]\n')]);
    const portico = await Portico.start({ files: { 'conf.yml': conf({}), 'latin.yml': bytes }, environment: API });
    const read = await portico.get('/api/config/latin.yml');
    assert.equal(read.status, 500, read.text);
    assert.match(read.json.message, /UTF-8/i);
    for (const [method, path, body] of [['PATCH', '/sections/0', { name: 'N' }], ['PUT', '/pageInfo', { title: 'T' }], ['POST', '/sections', { name: 'N' }], ['DELETE', '/sections/0', '']]) {
      const response = await portico.json(method, `/api/config/latin.yml${path}`, body);
      assert.equal(response.status, 500, `${method} ${path}: ${response.text}`);
    }
    assert.deepEqual(readFileSync(join(portico.directory, 'latin.yml')), bytes);
    await portico.stop();
  });
});

describe('with HTTPS', () => {
  let portico, tls;
  before(async () => {
    const directory = temporaryDirectory();
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    tls = await freePort();
    const environment = { SSL_PRIV_KEY_PATH: key, SSL_PUB_KEY_PATH: cert, SSL_PORT: String(tls), HSTS: '31536000', VITE_APP_DOMAIN: 'https://dash.example' };
    portico = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }) }, environment });
  });
  after(() => portico.stop());

  test('redirects lead to known hosts alone', async () => {
    for (const host of [`127.0.0.1:${portico.port}`, 'nas.lan', 'dash.example', 'localhost']) {
      const response = await portico.get('/x', { headers: { host } });
      assert.ok([301, 308].includes(response.status), `${host}: ${response.status}`);
      assert.ok(response.header('location').startsWith(`https://${host.split(':')[0]}`), response.header('location'));
    }
    for (const host of ['evil.example', 'dash.example.evil.example', 'dash.example@evil.example', 'evil.example/x']) {
      const response = await portico.get('/x', { headers: { host } });
      assert.ok(!/evil/.test(response.header('location')), `${host}: ${response.header('location')}`);
    }
  });

  test('browsers are told to use only HTTPS, if the setting says so', async () => {
    const response = await portico.get('/login', { tls: true, headers: { host: `localhost:${tls}` }, from: undefined }).catch(() => undefined);
    assert.equal(response, undefined, 'the plain port speaks no TLS');
    const secure = await exchange(tls, Buffer.from('GET /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'), { tls: true });
    assert.match(secure.header('strict-transport-security'), /^max-age=31536000/);
    assert.equal((await portico.get('/healthz')).header('strict-transport-security'), '');
  });

  test('cookies are for HTTPS and this host alone', async () => {
    const form = 'user=admin&password=the+password+of+the+admin';
    const head = `POST /login HTTP/1.1\r\nHost: localhost:${tls}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`;
    const response = await exchange(tls, Buffer.from(head + form), { tls: true });
    assert.match(response.header('set-cookie'), /^__Host-[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure/);
  });
});

test('validate tells whoever is on the machine what visitors are not told', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'conf.yml'), 'appConfig:\n  auth: [\n');
  const { status, stdout, stderr } = command(['validate', join(directory, 'conf.yml')]);
  assert.equal(status, 1);
  assert.match(stdout + stderr, /line \d+|:\d+/);
});
