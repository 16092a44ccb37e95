// Request forgery: addresses from outside documents, redirects or visitors are never requested in the private network. Here,
// loopback is private: the config names only 127.0.0.9, so no other address of this machine may be requested.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { lookup } from 'node:dns/promises';
import { after, before, describe, test } from 'node:test';

import { eventually, inParallel, Portico, sha256 } from './harness.mjs';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Obfuscated spellings of 127.0.0.2 and other addresses of this machine. */
const SPELLINGS = [
  '127.0.0.2', '2130706434', '0x7f000002', '0x7F000002', '017700000002', '0x7f.0.0.2', '0x7f.0x0.0x0.0x2', '0177.0.0.2', '0177.0.0.02', '0177.0x0.0.2',
  '127.2', '127.0.2', '0x7f.2', '127.000.000.002', '127.0.0.2.', '127。0。0。2', '127．0．0．2', '１２７.０.０.２', '①②⑦.⓪.⓪.②', '%31%32%37.0.0.2', '127.0.0%2e2',
  '[::ffff:127.0.0.2]', '[::ffff:7f00:2]', '[0:0:0:0:0:ffff:7f00:2]', '[::127.0.0.2]', '[::7f00:2]', '[64:ff9b::7f00:2]', '[64:ff9b::127.0.0.2]', '[2002:7f00:2::]', '[::ffff:0:127.0.0.2]',
  'user@127.0.0.2', 'user:password@127.0.0.2', '127.0.0.9@127.0.0.2', '127.0.0.9%40127.0.0.2', 'public.example@127.0.0.2',
  '127.0.0.1', '127.1', '2130706433', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::1]', '[::ffff:127.0.0.1]',
  'localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'ｌocalhost', 'loc%61lhost', 'a.localhost',
  '0.0.0.0', '0', '[::]', '[::ffff:0.0.0.0]', '0x0', '00000000000', '127.0.0.9.', hostname(), `${hostname()}.`,
].filter((host) => host !== '127.0.0.9.');

let outside, inside, port, url;
const seen = { outside: [], inside: [] };

/** Starts a service on several addresses with one port. */
async function service(addresses, answer) {
  let chosen = 0;
  const servers = [];
  for (const address of addresses) {
    const server = createServer(answer);
    const listening = await new Promise((done) => {
      server.once('error', () => done(false));
      server.listen(chosen, address, () => done(true));
    });
    if (!listening) continue;
    chosen = server.address().port;
    servers.push(server);
  }
  return { port: chosen, stop: () => Promise.all(servers.map((server) => (server.closeAllConnections(), new Promise((done) => server.close(done))))) };
}

const target = (host, path) => `http://${host}:${inside.port}${path}`;

before(async () => {
  // The forbidden service, on every address of the machine except the configured one.
  const own = await lookup(hostname(), { all: true }).catch(() => []);
  const addresses = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', ...own.map(({ address }) => address)];
  inside = await service([...new Set(addresses)], (request, response) => {
    seen.inside.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(PNG);
  });
  // The configured service, which is hostile.
  outside = await service(['127.0.0.9'], (request, response) => {
    seen.outside.push(`${request.method} ${request.url}`);
    const { pathname } = new URL(request.url, 'http://x');
    const [, kind, number] = /^\/(\w+)\/?(\d*)/.exec(pathname) ?? [];
    const host = SPELLINGS[Number(number)];
    const send = (type, body, status = 200, headers = {}) => {
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(body);
    };
    switch (kind) {
      case 'picture':
        return send('image/png', PNG);
      case 'redirect':
        // Bytes, because Node rejects text that is not ASCII.
        return send('text/plain', '', Number(new URL(request.url, 'http://x').searchParams.get('status') ?? 302), { location: Buffer.from(target(host, `/redirected/${number}`)).toString('latin1') });
      case 'relative':
        return send('text/plain', '', 302, { location: `//${Buffer.from(host).toString('latin1')}:${inside.port}/relative/${number}` });
      case 'refresh':
        return send('text/html', `<meta http-equiv=refresh content="0;url=${target(host, '/refresh')}">`, 200, { refresh: `0;url=${target('127.0.0.2', '/refresh')}` });
      case 'hops':
        return send('text/plain', '', 307, { location: Number(number) > 0 ? `/hops/${Number(number) - 1}` : target('127.0.0.2', '/hops') });
      case 'page':
        return send('text/html', `<!doctype html><link rel=icon href="${target(host, `/linked/${number}.png`)}"><link rel="apple-touch-icon" href="${target(host, `/linked/a${number}.png`)}">`);
      case 'based':
        return send('text/html', `<!doctype html><base href="${target(host, '/')}"><link rel=icon href="based/${number}.png">`);
      case 'feed':
        return send('application/rss+xml', feed());
      case 'remote':
        return send('text/yaml', remotePage());
      case 'json':
        return send('application/json', '{"answer":"from outside"}');
      case 'style':
        return send('text/css', SPELLINGS.map((each) => `@import url("${target(each, '/imported.css')}"); b { background: url("${target(each, '/background.png')}") }`).join('\n'));
      default:
        return send('text/plain', 'no such thing', 404);
    }
  });
  port = outside.port;
  url = `http://127.0.0.9:${port}`;
});
after(() => Promise.all([outside.stop(), inside.stop()]));

const feed = () => `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>F</title><image><url>${target('127.0.0.2', '/feed-picture.png')}</url></image>${SPELLINGS.map(
  (host, number) => `<item><title>Post ${number}</title><link>${target('127.0.0.2', '/post')}</link><media:thumbnail url="${escape(target(host, `/thumbnail/${number}.png`))}"/><description>&lt;img src="${escape(target(host, `/image/${number}.png`))}"&gt;</description></item>`,
).join('')}</channel></rss>`;
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const remotePage = () => JSON.stringify({
  sections: [
    {
      name: 'From outside',
      icon: target('127.0.0.2', '/section-icon.png'),
      items: SPELLINGS.map((host, number) => ({ title: `Item ${number}`, url: target(host, '/item'), localUrl: target(host, `/local-address/${number}`), icon: number % 2 ? 'favicon-local' : target(host, `/icon/${number}.png`) })),
      widgets: [
        ...SPELLINGS.map((host, number) => ({ type: 'api-response', options: { url: target(host, `/widget/${number}`) } })),
        ...['POST', 'PUT', 'PATCH'].map((method) => ({ type: 'api-response', options: { url: `${url}/json/${method}`, method, headers: { 'x-evil': '1' }, requestBody: 'evil' } })),
        { type: 'dns-sinkhole-stats-v6', options: { hostname: url, apiKey: 'evil' } },
        { type: 'api-response', options: { url: `${url}/json/get`, headers: { authorization: 'evil', 'x-evil': '1' } } },
        { type: 'api-response', options: { url: `${url}/redirect/0` } },
        { type: 'api-response', options: { url: `${url}/json/plain` } },
        { type: 'custom-list', options: { url: '/own-data.json' } },
        { type: 'iframe', options: { url: target('127.0.0.2', '/frame') } },
        { type: 'iframe', options: { url: '/own-data.json' } },
      ],
    },
  ],
});

const conf = (sections, more = {}) => JSON.stringify({ pageInfo: { title: 'T' }, sections, ...more });

/** Opens a page, requests each of its icons and panels, and waits until nothing is pending. */
async function look(portico, page = 'home', kinds = []) {
  const path = page === 'home' ? '/' : `/home/${page}`;
  const { text, status } = await portico.get(path);
  assert.equal(status, 200);
  const icons = [...new Set(text.match(/\/(?:icons\/(?:remote|favicon)|widget-picture)\/[\w\-./%]+/g) ?? [])];
  await inParallel(icons, 8, (icon) => portico.get(icon));
  const answers = [];
  await inParallel([...kinds.entries()], 4, async ([widget, kind]) => {
    const ask = () => portico.get(`/fn/panel?page=${page}&section=0&widget=${widget}&kind=${kind}`);
    let answer = await ask();
    for (let tries = 0; tries < 20 && answer.text.includes('"pending"'); tries++) answer = await ask();
    answers[widget] = answer.text;
  });
  return { icons, answers };
}

const insideIsUntouched = () => assert.equal(seen.inside.splice(0).join('\n'), '');

describe('nothing is asked for in the private network but what the config names', { concurrency: false }, () => {
  const online = { OFFLINE: 'false' };

  test('there are enough spellings', () => assert.ok(SPELLINGS.length >= 54, String(SPELLINGS.length)));

  test('what the config names is asked for, also here', async () => {
    const portico = await Portico.start({
      files: { 'conf.yml': conf([{ name: 'S', items: [{ title: 'I', icon: `${url}/picture/0.png` }], widgets: [{ type: 'api-response', options: { url: target('127.0.0.2', '/named') } }] }]) },
      environment: online,
    });
    await look(portico, 'home', ['api-response']);
    await portico.stop();
    assert.ok(seen.outside.includes('GET /picture/0.png'));
    assert.deepEqual(seen.inside.splice(0), [`GET 127.0.0.2:${inside.port} /named`]);
  });

  for (const kind of ['redirect', 'relative']) {
    test(`redirects of icons (${kind})`, async () => {
      const items = SPELLINGS.map((_, number) => ({ title: `I${number}`, icon: `${url}/${kind}/${number}?status=${[301, 302, 303, 307, 308][number % 5]}` }));
      const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', items }]) }, environment: online });
      const { icons } = await look(portico);
      assert.ok(icons.length >= SPELLINGS.length, String(icons.length));
      await portico.stop();
      insideIsUntouched();
      for (const number of SPELLINGS.keys()) assert.ok(seen.outside.some((line) => line.startsWith(`GET /${kind}/${number}?`)), `icon ${number} was not asked for`);
    });
  }

  test('redirects of widgets', async () => {
    const widgets = SPELLINGS.flatMap((_, number) => ({ type: 'api-response', options: { url: `${url}/redirect/${number}?status=${number % 2 ? 302 : 307}`, headers: { 'x-key': 'k' } } }));
    widgets.push({ type: 'api-response', options: { url: `${url}/hops/2` } }, { type: 'api-response', options: { url: `${url}/refresh/0` } });
    const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', widgets }]) }, environment: online });
    const { answers } = await look(portico, 'home', widgets.map(({ type }) => type));
    await portico.stop();
    insideIsUntouched();
    assert.ok(answers.slice(0, SPELLINGS.length).every((answer) => answer.includes('"error"')), 'every one is told to be an error');
  });

  for (const kind of ['page', 'based']) {
    test(`icons that a foreign page names (${kind})`, async () => {
      const items = SPELLINGS.map((_, number) => ({ title: `I${number}`, url: `${url}/${kind}/${number}`, icon: 'favicon-local' }));
      const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', items }]) }, environment: online });
      await look(portico);
      await portico.stop();
      insideIsUntouched();
      assert.ok(seen.outside.includes(`GET /${kind}/0`));
    });
  }

  test('pictures that a feed names', async () => {
    const widgets = [{ type: 'rss-feed', options: { rssUrl: `${url}/feed`, parseLocally: true, limit: 100 } }];
    const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', widgets }]) }, environment: online });
    const { answers } = await look(portico, 'home', ['rss-feed']);
    assert.match(answers[0], /Post 1/);
    const pictures = [...new Set(answers[0].match(/\/widget-picture\/[\w\-./%]+/g) ?? [])];
    await inParallel(pictures, 8, (picture) => portico.get(picture));
    await portico.stop();
    insideIsUntouched();
  });

  test('style sheets that name more', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf([], { appConfig: { externalStyleSheet: `${url}/style` } }) }, environment: online });
    const page = await portico.get('/');
    const sheets = page.text.match(/\/icons\/remote\/[\w\-./%]+/g) ?? [];
    assert.ok(sheets.length > 0, 'the style sheet comes through the server');
    const named = [];
    for (const sheet of sheets) {
      const { text } = await portico.get(sheet);
      assert.match(text, /@import/);
      named.push(...(text.match(/\/icons\/remote\/[\w\-./%]+/g) ?? []));
    }
    // Addresses in it are fetched by the server too, if they are public.
    assert.ok(named.length > 50, `${named.length} addresses`);
    await inParallel(named, 8, async (address) => {
      const { status, text } = await portico.get(address);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /PNG/);
    });
    // The browser does not request them either: the page's policy blocks other hosts in style sheets.
    const rules = page.header('content-security-policy').split(';').map((rule) => rule.trim().split(' '));
    const policy = Object.fromEntries(rules.map(([name, ...sources]) => [name, sources]));
    assert.deepEqual(policy['default-src'], ["'none'"]);
    for (const rule of ['style-src', 'img-src', 'font-src', 'media-src']) {
      for (const source of policy[rule]) assert.match(source, /^('self'|data:|'sha256-[\w+/=]+')$/, rule);
    }
    await portico.stop();
    insideIsUntouched();
  });

  test('styles that name pictures on other hosts', async () => {
    const seaside = `${url}/picture/sea.png`;
    const appConfig = { customCss: `b { background: url(${seaside}) }`, customColors: { default: { sea: `url("${url}/picture/0")` } }, backgroundImg: `${url}/picture/1` };
    const footer = `<img src="${url}/picture/2">`;
    const portico = await Portico.start({ files: { 'conf.yml': conf([], { appConfig, pageInfo: { footer } }) }, environment: online });
    const page = await portico.get('/');
    assert.ok(!page.text.includes(`${url}/picture`), 'a browser is sent to none of them');
    const addresses = [...new Set(page.text.match(/\/icons\/remote\/\w+/g))];
    assert.equal(addresses.length, 4);
    for (const address of addresses) assert.equal((await portico.get(address)).header('content-type'), 'image/png');
    // And to no other address.
    assert.doesNotMatch(page.header('content-security-policy').replace(/frame-src[^;]*/, ''), /https?:/);
    await portico.stop();
    insideIsUntouched();
  });

  test('icons and widgets of a page that lies on another host', async () => {
    const pages = [{ name: 'Far', path: `${url}/remote` }];
    // The first visit already starts the lookups.
    seen.outside.length = 0;
    const files = { 'conf.yml': conf([], { pages }), 'own-data.json': '[{"link":{"text":"our own data","url":"https://example.com/","title":""},"value":{"text":"1","title":""},"date":""}]' };
    const portico = await Portico.start({ files, environment: online });
    await eventually('the remote page is there', async () => (await portico.get('/home/far')).text.includes('From outside'));
    const count = SPELLINGS.length;
    const kinds = [...SPELLINGS, 1, 2, 3].map(() => 'api-response').concat('dns-sinkhole-stats-v6', 'api-response', 'api-response', 'api-response', 'custom-list', 'iframe', 'iframe');
    const { answers } = await look(portico, 'far', kinds);
    // Nor are browsers sent there, and none of our own data is shown.
    const far = await portico.get('/home/far');
    assert.doesNotMatch(`${far.text}${(await portico.get('/fn/items-elsewhere?slug=home')).text}${far.header('content-security-policy')}`, /local-address/);
    assert.doesNotMatch(answers.join('\n'), /our own data|<iframe/);
    await portico.stop();
    insideIsUntouched();
    const changing = seen.outside.filter((line) => !/^(GET|HEAD) /.test(line));
    assert.deepEqual(changing, [], 'a remote page only looks');
    assert.ok(!seen.outside.includes('GET /json/get'), 'it sends no headers of its own');
    assert.match(answers[count + 4], /may not send passwords, keys or headers/);
    assert.ok(seen.outside.includes('GET /json/plain'), `its own host may be asked: ${answers[count + 6]}`);
  });

  test('visitors name no address at all', async () => {
    const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', widgets: [{ type: 'api-response', options: { url: `${url}/json` } }] }]) }, environment: online });
    const evil = encodeURIComponent(target('127.0.0.2', '/visitor'));
    const paths = ['/cors-proxy', `/cors-proxy?url=${evil}`, `/icons/remote/${evil}`, `/icons/favicon/${evil}`, `/icons/hl/${evil}`, `/widget-picture/${evil}`, `/fn/panel?page=home&section=0&widget=0&kind=api-response&url=${evil}&options%5Burl%5D=${evil}`, `/home/${evil}`, `/?url=${evil}`, `/login/provider?return_to=${evil}`, `/status-check?url=${evil}`, `/status-check/?&url=${evil}&headers=%7B%22X-Evil%22%3A%221%22%7D`, `/framed?url=${evil}`, `/?config=${evil}`, `/home?config=${evil}&preview`, `/minimal?config=${evil}&preview&proof=${'A'.repeat(43)}`];
    const headers = { 'target-url': target('127.0.0.2', '/visitor'), referer: target('127.0.0.2', '/visitor'), origin: target('127.0.0.2', ''), 'x-forwarded-host': `127.0.0.2:${inside.port}` };
    for (const path of paths) for (const method of ['GET', 'POST']) await portico.ask(method, path, { headers, body: method === 'POST' ? '{}' : undefined });
    const responses = [{ id: '0', status: 302, headers: [['location', target('127.0.0.2', '/visitor')]], body: '' }];
    await portico.json('POST', '/fn/panel-by-browser', { page: 'home', section: 0, widget: 0, kind: 'api-response', responses });
    await portico.ask('GET', '', { path: target('127.0.0.2', '/visitor') });
    await portico.ask('CONNECT', '', { path: `127.0.0.2:${inside.port}` });
    await portico.stop();
    insideIsUntouched();
  });

  test('schemes that are none for a service', async () => {
    const evil = ['file:///etc/passwd', 'gopher://127.0.0.2/', 'ftp://127.0.0.2/', 'data:application/json,{"read":1}', 'unix:///var/run/docker.sock', 'http://', 'http://:80/', 'http://127.0.0.2:0/', 'dict://127.0.0.2:11211/stat', 'javascript:1', 'vbscript:1', 'http:127.0.0.2', '//127.0.0.2/'];
    const widgets = evil.map((address) => ({ type: 'api-response', options: { url: address } }));
    const items = evil.map((address, number) => ({ title: `I${number}`, icon: address, url: address }));
    const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', items, widgets }]) }, environment: online });
    const { answers } = await look(portico, 'home', widgets.map(({ type }) => type));
    assert.ok(answers.every((answer) => /"(error|broken)"/.test(answer) && !/root:|"read"/.test(answer)));
    assert.doesNotMatch((await portico.get('/')).text, /href="\s*(javascript|vbscript|data):/i);
    await portico.stop();
    insideIsUntouched();
  });
});

// Over plain HTTP a browser does not say which page made it send a GET: these are the requests of a picture, a frame or a link
// on any other page, with the cookies of the person who looks at it.
describe('other sites do not make the server send requests', { concurrency: false }, () => {
  const item = () => ({ title: 'I', url: `${url}/named`, statusCheckHeaders: { 'X-Key': 'of-the-config' } });
  const evil = () => encodeURIComponent(target('127.0.0.2', '/made-up'));
  const headers = encodeURIComponent(JSON.stringify({ 'X-Evil': 'made-up', Authorization: 'made-up' }));
  const browsers = {
    'over plain HTTP': {},
    'from the same site': { 'sec-fetch-site': 'same-site' },
    'from another site': { 'sec-fetch-site': 'cross-site' },
    'with a referrer': { referer: 'http://evil.example/' },
  };
  const tricks = () => [
    `/status-check?url=${evil()}`,
    `/status-check?url=${evil()}&headers=${headers}`,
    `/status-check?url=${encodeURIComponent(`${url}/named`)}&headers=${headers}`,
    `/framed?url=${encodeURIComponent(`${url}/named`)}`,
    `/?config=${evil()}`,
    `/?config=${evil()}&preview`,
    `/home?config=${encodeURIComponent(`${url}/remote`)}&preview`,
  ];

  for (const [kind, users] of Object.entries({ 'no sign-in': undefined, 'the session of an admin': [{ user: 'admin', hash: sha256('right'), type: 'admin' }] })) {
    test(`with ${kind}`, async () => {
      const portico = await Portico.start({ files: { 'conf.yml': conf([{ name: 'S', items: [item()] }], { appConfig: { auth: { users } } }) }, environment: { OFFLINE: 'false' } });
      const cookie = users ? await portico.signIn('admin', 'right') : '';
      seen.outside.length = 0;
      for (const [from, sent] of Object.entries(browsers)) {
        for (const path of tricks()) {
          const response = await portico.get(path, { headers: { cookie, ...sent } });
          assert.doesNotMatch(response.text, /"successStatus":\s*true|From outside/, `${path} ${from}`);
        }
      }
      assert.deepEqual(seen.outside, []);
      insideIsUntouched();
      // With the proof that the server gives to the person, it does; a proof for one address is none for another.
      const [, agreed] = /<a href="([^"]+)" class="button primary"/.exec((await portico.get(`/?config=${encodeURIComponent(`${url}/remote`)}`, { headers: { cookie } })).text);
      const proof = new URLSearchParams(agreed.replaceAll('&amp;', '&')).get('proof');
      await portico.get(`/?config=${evil()}&preview&proof=${proof}`, { headers: { cookie } });
      await portico.get(`/status-check?url=${evil()}&proof=${proof}`, { headers: { cookie } });
      insideIsUntouched();
      assert.match((await portico.get(`/${agreed.replaceAll('&amp;', '&')}&preview`, { headers: { cookie } })).text, /From outside/);
      const named = `/status-check?url=${encodeURIComponent(`${url}/picture/1`)}&headers=${headers}`;
      const asked = await portico.get(named, { headers: { cookie } });
      assert.equal((await portico.get(`${named}&proof=${asked.json.proof}`, { headers: { cookie } })).json.successStatus, true);
      await portico.stop();
    });
  }
});
