// Requests that a foreign page makes a browser send: none of them changes anything, with any kind of sign-in.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { basic, Portico, sha256 } from './harness.mjs';

const FILE = '/api/config/conf.yml';
const USERS = [{ user: 'admin', hash: sha256('the password of the admin'), type: 'admin' }];
const conf = (auth) => JSON.stringify({ appConfig: { auth }, sections: [{ name: 'Kitchen' }] });

/** Everything that changes something, with a body that would do so. */
const ACTS = [
  ['POST', '/config-manager/save', '{"config":"sections: []"}'],
  ['POST', '/logout', ''],
  ['POST', '/login', 'user=admin&password=the+password+of+the+admin'],
  ['POST', '/fn/sign-out', '{}'],
  ['POST', '/fn/sign-in', '{"return_to":"/"}'],
  ['POST', '/fn/session', '{}'],
  ['POST', '/fn/renew', '{}'],
  ['POST', '/fn/panel-action', '{"page":"home","section":0,"widget":0,"kind":"","action":"x","target":""}'],
  ['POST', '/fn/editor-upload', '{"name":"evil.svg","data":"PHN2Zy8+"}'],
  ['PUT', FILE, '{"sections":[]}'],
  ['PUT', `${FILE}/sections`, '[]'],
  ['POST', `${FILE}/sections`, '{"name":"Evil"}'],
  ['PATCH', `${FILE}/sections/0`, '{"name":"Evil"}'],
  ['DELETE', `${FILE}/sections/0`, ''],
  ['POST', `${FILE}/sections/0/items`, '{"title":"Evil"}'],
];

/** What browsers say of requests that other pages made them send. */
const ORIGINS = {
  'another site': { origin: 'https://evil.example' },
  'another site, told twice': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'told by the browser alone': { 'sec-fetch-site': 'cross-site' },
  'a frame without an origin': { origin: 'null' },
  'a local file': { origin: 'file://' },
  'another port of this host': { origin: 'http://127.0.0.1:1' },
  'our address as a beginning': (port) => ({ origin: `http://127.0.0.1:${port}.evil.example` }),
  'our address as a user': (port) => ({ origin: `http://127.0.0.1:${port}@evil.example` }),
  'our address as an end': (port) => ({ origin: `http://evil127.0.0.1:${port}` }),
  'another site that forwards our name': (port) => ({ origin: 'https://evil.example', referer: `http://127.0.0.1:${port}/` }),
  'an extension': { origin: 'moz-extension://00000000-0000-4000-8000-000000000000' },
  nonsense: { origin: 'x' },
};

/** What forms and `fetch` without permission can send. */
const TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'text/plain; application/json', 'application/json', ''];

/** Ways of calling a POST something else. */
const OVERRIDES = [
  { 'x-http-method-override': 'PUT' },
  { 'x-method-override': 'DELETE' },
  { 'x-http-method': 'PATCH' },
];

const SIGN_INS = {
  'a session cookie': {
    files: { 'conf.yml': conf({ users: USERS }) },
    credential: async (portico) => ({ cookie: await portico.signIn('admin', 'the password of the admin') }),
  },
  'no sign-in at all': { files: { 'conf.yml': conf({}) }, credential: () => ({}) },
  'the header of a proxy': {
    files: { 'conf.yml': conf({ enableHeaderAuth: true, headerAuth: { userHeader: 'Remote-User', proxyWhitelist: ['127.0.0.1'] }, users: USERS }) },
    credential: () => ({ 'remote-user': 'admin' }),
  },
  "the browser's own HTTP Basic": {
    files: { 'conf.yml': conf({ users: USERS }) },
    environment: { ENABLE_HTTP_AUTH: 'true' },
    credential: () => ({ authorization: basic('admin', 'the password of the admin') }),
    // The contract lets a request with `Authorization` pass at the API (docs/spec/api.md 10); browsers ask other sites first.
    acts: ACTS.filter(([, path]) => !path.startsWith('/api/')),
  },
};

for (const [kind, { files, environment, credential, acts = ACTS }] of Object.entries(SIGN_INS)) {
  describe(`other sites change nothing: ${kind}`, () => {
    let portico, headers;
    before(async () => {
      portico = await Portico.start({ files, environment: { ENABLE_API: 'true', ...environment } });
      headers = await credential(portico);
    });
    after(() => portico.stop());

    const unchanged = () => assert.equal(portico.read('conf.yml'), files['conf.yml']);

    for (const [what, of] of Object.entries(ORIGINS)) {
      test(`from ${what}`, async () => {
        const origin = typeof of === 'function' ? of(portico.port) : of;
        for (const [method, path, body] of acts) {
          const type = path === '/login' ? 'application/x-www-form-urlencoded' : 'application/json';
          const response = await portico.ask(method, path, { headers: { ...headers, ...origin, 'content-type': type }, body });
          // 401 where the credential of this kind says nothing to the API.
          assert.ok([401, 403].includes(response.status), `${method} ${path}: ${response.status} ${response.text}`);
          assert.equal(response.header('set-cookie'), '', `${method} ${path}`);
          assert.equal(response.header('access-control-allow-origin'), '');
        }
        unchanged();
      });
    }

    test('from a form that tells no origin', async () => {
      for (const type of TYPES.filter((type) => !/^(application\/json)?$/.test(type))) {
        for (const [method, path, body] of acts.filter(([method, path]) => method === 'POST' && !/^\/log/.test(path))) {
          const response = await portico.ask(method, path, { headers: { ...headers, 'content-type': type }, body });
          assert.ok([401, 403, 415].includes(response.status), `${type} to ${path}: ${response.status} ${response.text}`);
        }
      }
      unchanged();
    });

    test('with every content type', async () => {
      for (const type of TYPES) {
        const sent = { ...headers, origin: 'https://evil.example', ...(type && { 'content-type': type }) };
        for (const [method, path, body] of acts) {
          const response = await portico.ask(method, path, { headers: sent, body });
          assert.ok([401, 403, 415].includes(response.status), `${type} to ${method} ${path}: ${response.status}`);
        }
      }
      unchanged();
    });

    test('with a method in disguise', async () => {
      for (const override of OVERRIDES) {
        for (const path of [FILE, `${FILE}/sections/0`, '/conf.yml', '/']) {
          for (const method of ['GET', 'POST']) {
            const sent = { ...headers, ...override, origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
            await portico.ask(method, `${path}?_method=DELETE`, { headers: sent, body: '_method=DELETE' });
          }
        }
      }
      unchanged();
    });

    test('with GET, as pictures and links do', async () => {
      for (const [, path] of acts.filter(([, path]) => !path.startsWith('/api/') && path !== '/login')) {
        const response = await portico.get(path, { headers });
        assert.ok(response.status >= 400, `${path}: ${response.status}`);
        assert.equal(response.header('set-cookie'), '', path);
      }
      unchanged();
    });

    test('no answer may be read by another site, none is shown in its frames', async () => {
      const origin = { ...headers, origin: 'https://evil.example' };
      for (const path of ['/', '/conf.yml', '/login', '/healthz', FILE, '/fn/items-elsewhere?slug=home']) {
        const response = await portico.get(path, { headers: origin });
        assert.equal(response.headers.filter(([name]) => name.startsWith('access-control-')).length, 0, path);
      }
      const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' };
      const response = await portico.ask('OPTIONS', FILE, { headers: preflight });
      assert.equal(response.headers.filter(([name]) => name.startsWith('access-control-')).length, 0);
    });

    test('our own page may', async () => {
      const own = { ...headers, origin: `http://127.0.0.1:${portico.port}` };
      const saved = await portico.json('POST', '/config-manager/save', { config: files['conf.yml'] }, { headers: own });
      assert.equal(saved.status, 200, saved.text);
    });
  });
}
