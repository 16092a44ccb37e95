// A search for the bytes of secrets, in every header and body that each class of viewer can get. The config is full of
// marker secrets; the crawl requests every route of the program and follows all links in the responses.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { basic, eventually, inParallel, Portico, send } from './harness.mjs';
import { CONF, EVERYBODY, FILES, GUESTS, IN_BACKUPS, marker, markers, NOBODY, PASSWORDS, USERS } from './marked-config.mjs';

/** A service that echoes everything. */
const upstream = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const said = { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() };
  response.writeHead(request.url.includes('hidden') ? 500 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...said, error: JSON.stringify(said), message: request.url }));
});

const HOME = ['home', 'boats', 'quay', 'tower', 'nonsense', '../tower', 'Tower', 'tower.yml'];
/** The items of each page. */
const ITEMS = ['home', 'boats', 'quay', 'tower'].flatMap((page) => [0, 1, 2].flatMap((section) => [0, 1, 2, 3].map((item) => `?page=${page}&item=${section}-${item}`)));

/** The paths for each route of the router; for routes with a name, all names worth trying. */
const ROUTES = {
  '/': ['/', '/?guest', '/?x=1', '/?config=https%3A%2F%2Fmole.example&preview'],
  '/home': ['/home', '/home/'],
  '/home/{page}': HOME.map((page) => `/home/${page}`),
  '/home/{page}/{section}': HOME.flatMap((page) => ['mole', '0', '1', '2', '3', 'harbour'].map((section) => `/home/${page}/${section}`)),
  '/home/{page}/{section}/{widget}': [0, 1, 2, 3].flatMap((section) => [0, 1, 2, 3, 4, 5, 6].map((widget) => `/home/home/${section}/${widget}`)).concat('/home/mole/mole/0', '/home/home/mole/0', '/home/tower/0/0'),
  '/minimal': ['/minimal', '/minimal/'],
  '/minimal/{page}': HOME.map((page) => `/minimal/${page}`),
  '/minimal/{page}/{section}': HOME.flatMap((page) => ['mole', '0', '1', '2', '3', 'harbour'].map((section) => `/minimal/${page}/${section}`)),
  '/minimal/{page}/{section}/{widget}': [0, 1, 2, 3].flatMap((section) => [0, 1, 2, 3, 4, 5, 6].map((widget) => `/minimal/home/${section}/${widget}`)).concat('/minimal/mole/mole/0', '/minimal/home/mole/0', '/minimal/tower/0/0'),
  '/workspace': ['/workspace', '/workspace?url=https://mole.example', '/workspace?url=nonsense'],
  '/workspace/{page}': HOME.map((page) => `/workspace/${page}`),
  '/healthz': ['/healthz'],
  '/metrics': ['/metrics'],
  '/readyz': ['/readyz', '/readyz?verbose'],
  '/service-worker.js': ['/service-worker.js'],
  '/sw.js': ['/sw.js'],
  '/offline/{script}': ['/offline/nonsense.js'],
  '/events': ['/events', '/events?page=home&version=x', '/events?page=boats', '/events?page=quay', '/events?page=tower', '/events?page=nonsense'],
  '/events/status': ITEMS.map((query) => `/events/status${query}`),
  '/events/usage': ITEMS.map((query) => `/events/usage${query}`),
  '/download': ['/download'],
  '/manage/{tool}': ['alerts', 'history', 'tokens', 'widgets', 'nonsense'].map((tool) => `/manage/${tool}`),
  '/new-version': ['/new-version'],
  '/schema.json': ['/schema.json'],
  '/icons/{set}/{*name}': ['/icons/mdi/home.svg', '/icons/file/x.svg', '/icons/favicon/0000000000000000', '/icons/remote/0000000000000000', '/icons/hl/x', '/icons/sh/x', '/icons/generative/0000000000000000.svg', '/icons/nonsense/x'],
  '/framed': ['https://mole.example', 'https://mole.example/', 'https://guests-not.example', 'https://admins.example', 'http://127.0.0.1:1', 'nonsense', ''].map((url) => `/framed?url=${encodeURIComponent(url)}`),
  '/icons/broken.svg': ['/icons/broken.svg'],
  '/fn/{*name}': ['/fn/nonsense'],
  '/config-manager/save': ['/config-manager/save'],
  '/get-user': ['/get-user'],
  '/login': ['/login', '/login?return_to=/home/tower'],
  '/login/provider': ['/login/provider'],
  '/language': ['/language', '/language?of=de'],
  '/logout': ['/logout'],
  '/signed-out': ['/signed-out'],
  '/status-check': ['https://mole.example', 'https://guests-not.example', 'https://admins.example', 'http://127.0.0.1:1', 'nonsense', ''].map((url) => `/status-check?url=${encodeURIComponent(url)}`),
  '/ping-check': ['mole.example', 'guests-not.example', '127.0.0.1', 'nonsense', ''].map((host) => `/ping-check?host=${encodeURIComponent(host)}`),
  '/system-info': ['/system-info'],
  '/themes/{version}/{file}': ['/themes/x/nord.css', '/themes/x/list.json', '/themes/x/mole.css', '/themes/x/y'],
  '/widget-draft/{token}': ['/widget-draft/x', '/widget-draft/00000000000000000000000000000000'],
  '/widget-frame/{page}/{section}/{widget}': ['home', 'boats', 'tower', 'nonsense'].flatMap((page) => [0, 1, 2, 3].flatMap((section) => [0, 1].map((widget) => `/widget-frame/${page}/${section}/${widget}`))).concat('/widget-frame/home/x/y'),
  '/widget-picture/{token}': ['/widget-picture/x', '/widget-picture/AAAAAAAAAAAAAAAAAAAAAA'],
};
const OTHERS = ['/conf.yml', '/CONF.YML', '/conf.yaml', ...Object.keys(FILES).map((name) => `/${name}`), '/.session-key', '/nonsense', '/nonsense.yml', '/robots.txt', '/manifest.json', '/favicon.ico', '/index.html', '/cors-proxy', '/status-check?url=http://127.0.0.1/', '/status-ping', '/api', '/api/', '/api/nonsense', '/metrics', '/debug', '/.well-known/security.txt'];

const slots = (page) => [0, 1, 2, 3].flatMap((section) => [0, 1, 2, 3, 4, 5].map((widget) => ({ page, section, widget })));
const KINDS = ['api-response', 'api-response', 'dns-sinkhole-stats-v6', 'api-response', 'something-of-mine', 'rss-feed'];

/** The server functions, and the arguments for each. */
const FUNCTIONS = {
  'items-elsewhere': ['home', 'boats', 'tower', ''].map((slug) => ({ query: `slug=${slug}` })),
  panel: ['home', 'boats', 'tower'].flatMap((page) => slots(page).map(({ section, widget }) => ({ query: `page=${page}&section=${section}&widget=${widget}&kind=${KINDS[widget]}&force=true` }))),
  'panel-by-browser': slots('home').map((slot) => ({ body: { ...slot, kind: KINDS[slot.widget], responses: [] } })),
  'panel-action': slots('home').map((slot) => ({ body: { ...slot, kind: KINDS[slot.widget], action: 'x', target: '' } })),
  session: [{ body: {} }],
  renew: [{ body: {} }],
  'sign-in': [{ body: { return_to: '/' } }],
  'sign-out': [],
  // Admins may see everything, nobody else anything.
  'editor-load': [],
  'editor-preview': [{ body: { text: 'sections: []' } }, { body: { page: 'tower', text: 'sections: []' } }, { body: { text: 'sections: []', shown: '' } }],
  'editor-panel': [{ body: { entry: '{"type":"clock"}' } }, { body: { page: 'tower', entry: '{"type":"clock"}' } }],
  'editor-values': [{ body: { entry: '{"type":"api-response","options":{"url":"http://127.0.0.1:1/"}}' } }, { body: { page: 'tower', entry: '{"type":"api-response","options":{"url":"http://127.0.0.1:1/"}}' } }],
  'editor-service-file': [{ body: { entry: '{"type":"api-response","options":{"url":"http://127.0.0.1:1/","mappings":[{"field":"a"}]}}' } }, { body: { page: 'tower', entry: '{"type":"api-response","options":{"url":"http://127.0.0.1:1/","mappings":[{"field":"a"}]}}' } }],
  'editor-check': [{ body: { text: 'sections: []' } }, { body: { page: 'tower', text: 'sections: []' } }],
  'editor-save': [],
  'editor-backups': [],
  'editor-backup': [{ body: { name: '../conf.yml' } }],
  'editor-icons': [{ body: { words: '', group: 'files', skip: 0 } }],
  'editor-widgets': [{ body: {} }],
  'editor-upload': [{ body: { name: '../conf.yml', data: 'aGVsbG8=' } }],
  'editor-files': [{ body: {} }],
  'editor-hash-password': [{ body: { password: 'correct horse battery' } }],
  'editor-protect': [{ body: { name: '', password: '' } }],
  'editor-import': [{ body: { files: [{ name: 'config.yml', text: 'services: []' }] } }],
};

const MAX_REQUESTS = 1500;

/**
 * Requests everything and returns the responses. `headers` may be a function of the request's number. `shallow` does not follow
 * links, and `only` skips paths that do not match.
 */
async function crawl(portico, headers, { shallow = false, only = /^/ } = {}) {
  const asked = new Set();
  const responses = [];
  const queue = [...Object.values(ROUTES).flat(), ...OTHERS].map((path) => ({ method: 'GET', path }));
  for (const [name, calls] of Object.entries(FUNCTIONS)) {
    for (const { query, body } of calls) {
      if (body) queue.push({ method: 'POST', path: `/fn/${name}`, body: JSON.stringify(body) });
      else queue.push({ method: 'GET', path: `/fn/${name}?${query}` });
    }
    queue.push({ method: 'POST', path: `/fn/${name}`, body: '{"nonsense":' });
  }
  for (const file of ['conf.yml', 'boats.yml', 'tower.yml', 'unlisted.yml', 'nonsense.yml', 'conf-1700000000000.backup.yml']) {
    for (const rest of ['', '/appConfig', '/pages', '/sections', '/sections/0', '/sections/2', '/sections/0/items', '/sections/0/items/3', '/sections/x', '/nonsense']) {
      queue.push({ method: 'GET', path: `/api/config/${file}${rest}` });
    }
    queue.push({ method: 'PUT', path: `/api/config/${file}`, body: '{' }, { method: 'PUT', path: `/api/config/${file}/appConfig`, body: '7' });
  }
  queue.push({ method: 'GET', path: '/api/config' }, { method: 'GET', path: '/api/openapi.json' });
  queue.push({ method: 'POST', path: '/config-manager/save', body: '{"config":"a: [","filename":"x.yml"}' }, { method: 'POST', path: '/config-manager/save', body: '{' });
  for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'PROPFIND']) queue.push({ method, path: '/conf.yml' }, { method, path: '/' });
  for (const accept of ['application/json', 'text/html', 'text/yaml', '*/*']) {
    for (const path of ['/', '/conf.yml', '/nonsense', '/home/tower']) queue.push({ method: 'GET', path, headers: { accept } });
  }
  for (const encoding of ['gzip', 'br', 'gzip, deflate, br, zstd']) {
    for (const path of ['/', '/conf.yml', '/boats.yml', '/data.json', '/home/boats']) queue.push({ method: 'GET', path, headers: { 'accept-encoding': encoding.replace(', zstd', '') } });
  }
  const ask = async (one) => {
    const key = JSON.stringify(one);
    if (asked.has(key) || asked.size >= MAX_REQUESTS || !only.test(one.path)) return;
    asked.add(key);
    const type = one.body ? { 'content-type': 'application/json' } : {};
    const own = typeof headers === 'function' ? headers(asked.size) : headers;
    // From many addresses, because repeated wrong credentials are slowed down.
    const from = `127.8.${asked.size >> 7}.${(asked.size & 127) + 1}`;
    const answer = await portico.ask(one.method, one.path, { headers: { ...type, ...own, ...one.headers }, body: one.body, from });
    responses.push({ ...one, answer });
    if (shallow) return;
    for (const path of named(answer)) later.push({ method: 'GET', path });
  };
  let later = [];
  await inParallel(queue, 8, ask);
  for (let round = 0; round < 3 && later.length > 0; round++) {
    const next = later;
    later = [];
    await inParallel(next, 8, ask);
  }
  return responses;
}

/** The paths of this server in a response. */
function named(answer) {
  if (!/html|json|css|yaml/.test(answer.header('content-type'))) return [];
  const paths = answer.text.match(/(?<=["'(\s=])\/[a-z][\w\-./%?=&;]*/gi) ?? [];
  // The bundle is large and contains no data.
  return paths.map((path) => path.replaceAll('&amp;', '&')).filter((path) => !/\.(wasm|js)$|^\/(logout|fn|api)/.test(path));
}

/** The secrets in the responses, except those in `allowed`, and their places. */
function leaks(responses, allowed) {
  const found = new Map();
  for (const { method, path, answer } of responses) {
    for (const what of markers.in(answer.everything, allowed)) found.set(what, [...(found.get(what) ?? []), `${method} ${path}`]);
  }
  return [...found].map(([what, places]) => `${what}: ${[...new Set(places)].slice(0, 4).join(', ')}`);
}

const holdNothingBut = (responses, allowed) => assert.equal(leaks(responses, allowed).join('\n'), '');

const holdsSomewhere = (responses, what) => responses.some(({ answer }) => answer.text.includes(markers.get(what)));

/** The paths whose responses mention the editor, or contain its controls. */
const namesEditor = (responses) => responses.filter(({ answer }) => /edit(or)?-[0-9a-f]{10,16}[._]|data-edit=|Edit this page/.test(answer.text)).map(({ path }) => path);

/** Secrets that admins may see: everything in config files. */
const ADMINS = markers.all.filter((what) => !(what in NOBODY) && !IN_BACKUPS.includes(what));

let servers = {};
const environment = {
  ENABLE_API: 'true',
  API_TOKEN: NOBODY['the API token'],
  OIDC_CLIENT_SECRET: NOBODY['the secret of the client'],
  SESSION_SECRET: NOBODY['the key of sessions'],
  VITE_APP_MARKER: NOBODY['a variable named in an option'],
};
const text = (guests) => CONF.replaceAll('UPSTREAM', `http://127.0.0.1:${upstream.address().port}`).replace('AUTH', `enableGuestAccess: ${guests}`);

before(async () => {
  await new Promise((done) => upstream.listen(0, '127.0.0.1', done));
  const start = (guests) => Portico.start({ files: { 'conf.yml': text(guests), ...FILES }, environment });
  servers = { closed: await start(false), open: await start(true) };
});
after(async () => {
  await Promise.all(Object.values(servers).map((portico) => portico.stop()));
  upstream.closeAllConnections();
  upstream.close();
});

test('the crawl knows every route and every server function of the program', () => {
  const source = join(import.meta.dirname, '../..');
  const texts = (folder) => readdirSync(join(source, folder), { recursive: true }).filter((name) => name.endsWith('.rs') && !name.endsWith('tests.rs')).map((name) => readFileSync(join(source, folder, name), 'utf8')).join('\n');
  const routes = [...texts('server/src').matchAll(/\.route\("([^"]+)"/g)].map(([, route]) => route);
  assert.ok(routes.length > 10);
  assert.deepEqual(routes.filter((route) => !(route in ROUTES)), [], 'add paths for these routes to ROUTES');
  const functions = [...texts('app/src').matchAll(/endpoint = "([^"]+)"/g)].map(([, name]) => name);
  assert.ok(functions.length > 5);
  assert.deepEqual(functions.filter((name) => !(name in FUNCTIONS)), [], 'add calls of these server functions to FUNCTIONS');
});

describe('each class of viewer gets what it may see, and not a byte more', () => {
  test('visitors where everybody has to sign in', async () => {
    holdNothingBut(await crawl(servers.closed, {}), []);
  });

  test('visitors with wrong credentials', async () => {
    holdNothingBut(await crawl(servers.closed, (number) => ({ authorization: basic(`nobody${number}`, 'made up') }), { shallow: true }), []);
  });

  test('guests', async () => {
    const responses = await crawl(servers.open, {});
    holdNothingBut(responses, GUESTS);
    for (const what of GUESTS) assert.ok(holdsSomewhere(responses, what), what);
    assert.deepEqual(namesEditor(responses), []);
  });

  test('users', async () => {
    const cookie = await servers.closed.signIn('reader', PASSWORDS.reader);
    const responses = await crawl(servers.closed, { cookie });
    holdNothingBut(responses, USERS);
    for (const what of USERS) assert.ok(holdsSomewhere(responses, what), what);
    assert.deepEqual(namesEditor(responses), []);
  });

  test('users at the REST API, which promises the config without hashes and passwords', async () => {
    const responses = await crawl(servers.closed, { authorization: basic('reader', PASSWORDS.reader) }, { shallow: true });
    const atApi = responses.filter(({ path }) => path.startsWith('/api'));
    const allowed = ADMINS.filter((what) => !['a hash', 'a password', 'a hash in a file that no page names'].includes(what));
    holdNothingBut(atApi, allowed);
    assert.ok(holdsSomewhere(atApi, 'a section for admins'));
    holdNothingBut(responses.filter(({ path }) => !path.startsWith('/api')), USERS);
  });

  test('admins, who get neither the secrets of the environment nor backups and hidden files', async () => {
    const cookie = await servers.closed.signIn('admin', PASSWORDS.admin);
    const responses = await crawl(servers.closed, { cookie });
    holdNothingBut(responses, ADMINS);
    for (const what of ['a hash', 'a section for admins', 'a page for admins', 'a comment', 'the markup of a hidden frame']) assert.ok(holdsSomewhere(responses, what), what);
    assert.ok(namesEditor(responses).includes('/'));
  });

  test('whoever has the API token', async () => {
    const responses = await crawl(servers.closed, { authorization: `Bearer ${NOBODY['the API token']}` }, { shallow: true, only: /^\/api/ });
    holdNothingBut(responses, ADMINS);
  });

  test('the log holds no secrets', () => {
    for (const portico of Object.values(servers)) {
      assert.deepEqual(markers.in(portico.log, EVERYBODY), []);
    }
  });
});

/** Ways to break a config near a secret; `SECRET` is on the line of the error or next to it. */
const FAULTS = {
  'a quote that is never closed': 'appConfig: { auth: { users: [ { user: a, hash: "SECRET } ] } }\n',
  'a tab as indentation': 'appConfig:\n\tauth:\n\t\tusers: [ { user: a, hash: SECRET } ]\n',
  'indentation that does not fit': 'appConfig:\n  auth:\n    users:\n      - user: a\n        hash: SECRET\n     type: admin\n',
  'a colon too many': 'appConfig:\n  auth:\n    users:\n      - user: a\n        hash: SECRET: x: y\n',
  'an alias that is not there': 'appConfig: { auth: { users: [ { user: a, hash: *SECRET } ] } }\n',
  'a key that stands twice': 'appConfig: { SECRET: 1, SECRET: 2 }\n',
  'an escape that is none': 'appConfig: { auth: { users: [ { user: a, hash: "\\qSECRET" } ] } }\n',
  'a tag that is none': 'appConfig: { auth: { users: [ { user: a, hash: !SECRET<> x } ] } }\n',
  'a bracket that is never closed': 'appConfig: { auth: { users: [ { user: a, hash: SECRET\n',
  'no mapping at all': 'SECRET\n',
  'a list': '- SECRET\n',
  'two documents': 'appConfig: {}\n---\nhash: SECRET\n...\nx: [\n',
  'letters that are not UTF-8': Buffer.concat([Buffer.from('appConfig: { hash: SECRET, name: '), Buffer.from([0xff, 0xfe]), Buffer.from(' }\n')]),
  'a zero byte': 'appConfig: { hash: SECRET }\nx: "\u0000"\n',
  'an anchor in itself': 'x: &SECRET [ *SECRET ]\ny: [\n',
};
const faulty = (content, what) => {
  const secret = marker(what);
  return Buffer.isBuffer(content) ? Buffer.from(content.toString('latin1').replaceAll('SECRET', secret), 'latin1') : content.replaceAll('SECRET', secret);
};

describe('an error in a file shows nothing of the file', () => {
  test('a config that breaks while the program runs, to visitors, guests and users', async () => {
    const { open, closed } = servers;
    const admin = await closed.signIn('admin', PASSWORDS.admin);
    const length = async () => (await closed.get('/', { headers: { cookie: admin } })).text.length;
    const good = await length();
    const found = [];
    for (const [what, content] of Object.entries(FAULTS)) {
      const broken = faulty(content, `the running config with ${what}`);
      for (const portico of [open, closed]) portico.write({ 'conf.yml': broken });
      await eventually(`${what} is noticed`, async () => (await length()) !== good);
      found.push(...(await leaksOfFault()));
      for (const portico of [open, closed]) portico.write({ 'conf.yml': text(portico === open) });
      await eventually('the good config is back', async () => (await length()) === good);
    }
    assert.equal(found.join('\n'), '');
  });

  test('a page that breaks', async () => {
    const { open, closed } = servers;
    const admin = await closed.signIn('admin', PASSWORDS.admin);
    const boats = async () => (await closed.get('/boats.yml', { headers: { cookie: admin } })).text;
    const found = [];
    for (const [what, content] of Object.entries(FAULTS)) {
      const broken = faulty(content, `a page with ${what}`);
      for (const portico of [open, closed]) portico.write({ 'boats.yml': broken });
      await eventually(`${what} is noticed`, async () => (await boats()).includes(markers.get(`a page with ${what}`)));
      found.push(...(await leaksOfFault()));
    }
    for (const portico of [open, closed]) portico.write({ 'boats.yml': FILES['boats.yml'] });
    await eventually('the good page is back', async () => (await boats()).includes('Boat'));
    assert.equal(found.join('\n'), '');
  });

  test('a config that is broken at start, when nobody can be told to be an admin', async () => {
    const found = [];
    await inParallel(Object.entries(FAULTS), 3, async ([what, content]) => {
      const portico = await Portico.start({ files: { ...FILES, 'conf.yml': faulty(content, `the first config with ${what}`) }, environment });
      found.push(...leaks(await asked(portico, {}), []));
      // A config that cannot be read leaves nothing open.
      const write = await portico.json('PUT', '/api/config/conf.yml', { sections: [] });
      if (![401, 403, 503].includes(write.status)) found.push(`${what}: a write gets ${write.status}`);
      await portico.stop();
    });
    assert.equal(found.join('\n'), '');
  });

  /** Secrets that visitors, guests and users can see now but should not. */
  async function leaksOfFault() {
    const { open, closed } = servers;
    const reader = await closed.signIn('reader', PASSWORDS.reader);
    return [
      ...leaks(await asked(closed, {}), []),
      ...leaks(await asked(open, {}), GUESTS),
      ...leaks(await asked(closed, { cookie: reader }), USERS),
    ];
  }

  /** The paths at which a broken file can be seen. */
  async function asked(portico, headers) {
    const paths = ['/', '/home', '/home/boats', '/home/boats/0', '/home/tower', '/home/nonsense', '/conf.yml', '/boats.yml', '/download', '/login', '/signed-out', '/system-info', '/fn/items-elsewhere?slug=home', '/fn/panel?page=boats&section=0&widget=0&kind=x', '/api/config', '/api/config/conf.yml', '/api/config/boats.yml', '/api/config/boats.yml/sections', '/healthz', '/nonsense'];
    const responses = [];
    await inParallel(paths, 6, async (path) => {
      for (const accept of ['text/html', 'application/json']) {
        responses.push({ method: 'GET', path, answer: await portico.get(path, { headers: { accept, ...headers } }) });
      }
    });
    const save = { config: 'a: [', filename: 'boats.yml' };
    responses.push({ method: 'POST', path: '/config-manager/save', answer: await portico.json('POST', '/config-manager/save', save, { headers }) });
    return responses;
  }
});

test('the password of the environment stays there', async () => {
  const account = { BASIC_AUTH_USERNAME: 'boss', BASIC_AUTH_PASSWORD: NOBODY['the password of the environment'] };
  const portico = await Portico.start({ files: { 'conf.yml': 'sections: []\n' }, environment: { ...environment, ...account } });
  holdNothingBut(await crawl(portico, {}, { shallow: true }), []);
  const headers = { authorization: basic('boss', account.BASIC_AUTH_PASSWORD) };
  holdNothingBut(await crawl(portico, headers, { shallow: true }), []);
  assert.deepEqual(markers.in(portico.log), []);
  await portico.stop();
});

test('the search itself finds secrets in all their forms', async () => {
  const secret = markers.get('a hash');
  for (const form of [secret, secret.toUpperCase(), `"${secret}"`, Buffer.from(`a${secret}b`).toString('base64'), Buffer.from(`ab${secret}c`).toString('base64')]) {
    assert.deepEqual(markers.in(`x ${form} y`), ['a hash'], form);
  }
  const admin = await servers.closed.signIn('admin', PASSWORDS.admin);
  for (const encoding of ['gzip', 'br']) {
    const answer = await send(servers.closed.port, { path: '/conf.yml', headers: { cookie: admin, 'accept-encoding': encoding } });
    assert.equal(answer.header('content-encoding'), encoding);
    assert.ok(answer.text.includes(secret), encoding);
  }
});
