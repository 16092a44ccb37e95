// DNS rebinding: a foreign page whose host name resolves to this machine must not take over a dashboard without sign-in.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';

import { Portico } from './harness.mjs';

const CONF = 'pageInfo: { title: Open house }\nsections: [ { name: Kitchen, widgets: [ { type: api-response, options: { url: "http://127.0.0.1:9/", headers: { X-Key: kitchen-secret } } } ] } ]\n';
const FILE = '/api/config/conf.yml';

/** Requests that change something or return files of the config. */
const ACTS = [
  ['PUT', FILE, '{"sections":[]}'],
  ['GET', FILE],
  ['GET', '/api/config'],
  ['PATCH', `${FILE}/sections/0`, '{"icon":"x"}'],
  ['POST', `${FILE}/sections`, '{"name":"Evil"}'],
  ['DELETE', `${FILE}/sections/0`],
  ['POST', '/config-manager/save', '{"config":"sections: []"}'],
  ['GET', '/conf.yml'],
  ['GET', '/download'],
];

describe('a dashboard without sign-in belongs to the hosts that it knows', () => {
  let portico;
  before(async () => {
    const environment = { ENABLE_API: 'true', ALLOWED_HOSTS: 'dash.example', VITE_APP_DOMAIN: 'https://own.example' };
    portico = await Portico.start({ files: { 'conf.yml': CONF }, environment });
  });
  after(() => portico.stop());

  const act = ([method, path, body], headers) => portico.json(method, path, body ?? '', { headers });

  const strangers = {
    'a name of somebody else': { host: 'evil.example' },
    'with a port': { host: 'evil.example:8080' },
    'with a dot at the end': { host: 'evil.example.' },
    'in capitals': { host: 'EVIL.EXAMPLE' },
    'an address as a beginning': { host: '127.0.0.1.evil.example' },
    'localhost as a beginning': { host: 'localhost.evil.example' },
    'an allowed name as a beginning': { host: 'dash.example.evil.example' },
    'an allowed name as an end': { host: 'evildash.example' },
    'below an allowed name': { host: 'evil.dash.example' },
    'a special name as a beginning': { host: 'local.evil.example' },
    'a special name as an end': { host: 'evillocal.example' },
    'a service that names addresses': { host: '127-0-0-1.nip.example' },
    'a user in front': { host: 'localhost@evil.example' },
    'an international name': { host: 'xn--evl-7ma.example' },
    'the scheme said by the page': { host: 'evil.example', 'x-forwarded-proto': 'https' },
    'the host said by the page': { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    'scheme and host said by the page': { host: 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    'with its true origin': { host: 'evil.example', origin: 'http://evil.example', 'x-forwarded-proto': 'https' },
    'as a program': { host: 'evil.example', 'user-agent': 'curl/8' },
    'with a wrong credential': { host: 'evil.example', authorization: 'Bearer made-up' },
  };
  for (const [what, headers] of Object.entries(strangers)) {
    test(`refused: ${what}`, async () => {
      for (const each of ACTS) {
        const response = await act(each, headers);
        assert.ok([400, 401, 403, 421].includes(response.status), `${each[0]} ${each[1]}: ${response.status} ${response.text}`);
        assert.doesNotMatch(response.text, /kitchen-secret/);
      }
      assert.equal(portico.read('conf.yml'), CONF);
    });
  }

  test('nothing is sent under a name of somebody else', async (t) => {
    let asked = 0;
    const service = createServer((_, response) => {
      asked++;
      response.end('pageInfo: { title: From the private network }\nsections: []\n');
    });
    await new Promise((done) => service.listen(0, '127.0.0.1', done));
    t.after(() => (service.closeAllConnections(), service.close()));
    const address = `http://127.0.0.1:${service.address().port}`;
    const config = JSON.stringify({
      appConfig: { statusCheck: true },
      sections: [{ name: 'S', items: [{ title: 'I', url: `${address}/item`, icon: 'favicon-local' }], widgets: [{ type: 'api-response', options: { url: `${address}/widget` } }] }],
    });
    const other = await Portico.start({ files: { 'conf.yml': config }, environment: { OFFLINE: 'false' } });
    const named = encodeURIComponent(`${address}/made-up`);
    const item = encodeURIComponent(`${address}/item`);
    const headers = { host: 'evil.example', referer: 'http://evil.example/' };
    const proof = (await other.get(`/status-check?url=${named}`)).json.proof ?? '';
    const [, agreed] = /<a href="\?([^"]+)" class="button primary"/.exec((await other.get(`/?config=${named}`)).text) ?? [, 'preview'];
    asked = 0;
    const icons = (await other.get('/', { headers })).text.match(/\/icons\/favicon\/[\w\-./%]+/g) ?? [];
    assert.ok(icons.length > 0);
    const paths = [
      `/?config=${named}`, `/?config=${named}&preview`, `/?${agreed.replaceAll('&amp;', '&')}`, `/status-check?url=${named}&proof=${proof}`, `/status-check?url=${item}`,
      `/framed?url=${item}`, '/fn/panel?page=home&section=0&widget=0&kind=api-response', '/events', ...icons,
    ];
    for (const path of paths) {
      const response = await other.get(path, { headers });
      assert.doesNotMatch(response.text, /From the private network/, path);
    }
    assert.equal(asked, 0);
    await other.stop();
  });

  test('a refusal says which line of the environment mends it', async () => {
    const response = await act(ACTS[0], { host: 'my-dash.example' });
    assert.match(response.json.message, /ALLOWED_HOSTS=\S*my-dash\.example/);
  });

  test('the page itself is shown, without what only admins need', async () => {
    const response = await portico.get('/', { headers: { host: 'evil.example' } });
    assert.equal(response.status, 200);
    assert.match(response.text, /Open house/);
    assert.doesNotMatch(response.text, /kitchen-secret/);
    assert.equal((await portico.get('/healthz', { headers: { host: 'evil.example' } })).status, 200);
  });

  const known = {
    'an IPv4 address': { host: '192.168.1.5:8080' },
    'an IPv6 address': { host: '[fd00::5]:8080' },
    localhost: { host: 'localhost:8080' },
    'a name without a dot': { host: 'nas' },
    '.local': { host: 'nas.local' },
    '.lan': { host: 'dash.lan' },
    '.home': { host: 'dash.home' },
    '.internal': { host: 'dash.internal' },
    '.home.arpa': { host: 'dash.home.arpa' },
    '.localdomain': { host: 'dash.localdomain' },
    'the address of VITE_APP_DOMAIN': { host: 'own.example' },
    'one of ALLOWED_HOSTS': { host: 'dash.example' },
    'one of ALLOWED_HOSTS with a port, in capitals': { host: 'DASH.example:443' },
    'HTTPS at a proxy, with an origin': { host: 'any.example', 'x-forwarded-proto': 'https', origin: 'https://any.example' },
    'HTTPS at a proxy, told by the browser': { host: 'any.example', 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' },
  };
  for (const [what, headers] of Object.entries(known)) {
    test(`served: ${what}`, async () => {
      for (const each of [ACTS[1], ACTS[2], ['PUT', '/api/config/other.yml', '{}'], ACTS[7]]) {
        const response = await act(each, headers);
        assert.equal(response.status, 200, `${each[0]} ${each[1]}: ${response.text}`);
      }
    });
  }
});

describe('proxies that are named are believed', () => {
  let portico;
  before(async () => {
    const environment = { ENABLE_API: 'true', TRUSTED_PROXIES: '127.0.0.2' };
    portico = await Portico.start({ files: { 'conf.yml': CONF }, environment });
  });
  after(() => portico.stop());

  const headers = { host: 'any.example', 'x-forwarded-proto': 'https' };

  test('the named one passes on any host over HTTPS', async () => {
    assert.equal((await portico.get(FILE, { headers, from: '127.0.0.2' })).status, 200);
  });

  test('another peer is not believed', async () => {
    assert.notEqual((await portico.get(FILE, { headers, from: '127.0.0.3' })).status, 200);
    const withOrigin = { ...headers, origin: 'https://any.example' };
    assert.notEqual((await portico.get(FILE, { headers: withOrigin, from: '127.0.0.3' })).status, 200);
  });
});
