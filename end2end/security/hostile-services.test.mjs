// Hostile responses of services to widgets, icons and pages of a program with little memory. The widget shows an error;
// everything else continues to work.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';

import { ANSWERS, compressedBombs, FEEDS, PAGES, PICTURES } from './bombs.mjs';
import { inParallel, Portico, sleep } from './harness.mjs';
import { watch } from './watch.mjs';

/** Limits in MiB: of the address space, most of which is never used, and of memory. */
const ADDRESS_SPACE = 3072;
const MEMORY = 350;
/** Milliseconds until every widget must have a result, even if it is an error. */
const PATIENCE = 40_000;

const HOST = '127.0.0.9';
const bombs = compressedBombs();

/** Services whose response never ends; each function gets the socket after the request. */
const ENDLESS = {
  'a body that never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n["', 'x'.repeat(65_536)),
  'a chunked body that never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n', `8000\r\n${'x'.repeat(0x8000)}\r\n`),
  'chunks of one byte': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'.repeat(5000)),
  'a head that never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(4000)}\r\n`),
  'a status line that never ends': (socket) => flood(socket, 'HTTP/1.1 200 ', 'O'.repeat(65_536)),
  'a chunk size that never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '0'.repeat(65_536)),
  'informational answers for ever': (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100)),
  'a body larger than announced': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'x'.repeat(65_536)),
  'a body smaller than announced': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nx'),
  'a length that is no number': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx'),
  'two lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 5\r\n\r\nxxxxx'),
  'not HTTP': (socket) => flood(socket, '', '\u0000'.repeat(65_536)),
  'a byte a second': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n', '['),
  'a head of a byte a second': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X'),
  silence: () => undefined,
  'the end at once': (socket) => socket.destroy(),
  'redirects in a circle': (socket, path) => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${path}x\r\nContent-Length: 0\r\n\r\n`),
};

function flood(socket, first, more) {
  let sent = first.length;
  socket.write(first, 'latin1');
  const write = () => {
    // Nothing should read more than 64 MB.
    while (!socket.destroyed && sent < 64 * 1024 * 1024) {
      sent += more.length;
      if (!socket.write(more, 'latin1')) return;
    }
    socket.destroy();
  };
  socket.on('drain', write);
  write();
}

function drip(socket, first, more) {
  socket.write(first);
  const timer = setInterval(() => socket.write(more), 1000);
  socket.once('close', () => clearInterval(timer));
}

let documents, endless;
const fetched = new Set();

before(async () => {
  documents = createServer((request, response) => {
    const [, kind, name] = decodeURIComponent(request.url).split('/');
    fetched.add(`${kind}/${name}`);
    const end = (type, body, headers = {}) => {
      response.writeHead(200, { 'content-type': type, ...headers });
      response.end(body);
    };
    switch (kind) {
      case 'feed':
        return end(name.includes('JSON') ? 'application/feed+json' : 'application/rss+xml', FEEDS[name]);
      case 'answer':
        return end('application/json', ANSWERS[name]);
      case 'page':
        return end('text/html', PAGES[name]);
      case 'picture':
        return end(...PICTURES[name]);
      case 'packed': {
        const [encoding, body] = bombs[name];
        return end('application/json', body, { 'content-encoding': encoding });
      }
      default:
        response.writeHead(404);
        response.end();
    }
  });
  await new Promise((done) => documents.listen(0, HOST, done));
  endless = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (data) => {
      if (head.includes('\r\n\r\n')) return;
      head += data;
      if (!head.includes('\r\n\r\n')) return;
      const path = head.split(' ')[1];
      const name = decodeURIComponent(path.split('/')[2] ?? '').replace(/x*$/, '');
      fetched.add(`endless/${name}`);
      (ENDLESS[name] ?? ENDLESS['redirects in a circle'])(socket, path);
    });
  });
  await new Promise((done) => endless.listen(0, HOST, done));
});
after(() => {
  documents.closeAllConnections();
  documents.close();
  endless.close();
});

const at = (server, kind, name) => `http://${HOST}:${server.address().port}/${kind}/${encodeURIComponent(name)}`;

/** Starts a program with these entries, requests all of them at once, and returns the panels and icons. */
async function torment({ widgets = [], items = [], pages = [] }) {
  const conf = { pageInfo: { title: 'Still here' }, appConfig: {}, sections: [{ name: 'S', items, widgets: widgets.map((widget) => ({ timeout: 5000, ...widget })) }], pages };
  const portico = await Portico.start({
    files: { 'conf.yml': JSON.stringify(conf) },
    environment: { OFFLINE: 'false', LOG_LEVEL: 'error' },
    limits: { memory: ADDRESS_SPACE },
  });
  const watching = await watch(portico);
  const page = await portico.get('/');
  const icons = [...new Set(page.text.match(/\/icons\/(?:remote|favicon)\/[\w\-./%]+/g) ?? [])];
  const deadline = Date.now() + PATIENCE;
  const panels = [];
  await Promise.all([
    inParallel([...widgets.entries()], 8, async ([number, { type }]) => {
      do {
        panels[number] = await portico.get(`/fn/panel?page=home&section=0&widget=${number}&kind=${type}`, { timeout: 20_000 });
        if (panels[number].text.includes('"pending"')) await sleep(250);
      } while (panels[number].text.includes('"pending"') && Date.now() < deadline);
    }),
    inParallel(icons, 8, async (icon) => {
      const answer = await portico.get(icon, { timeout: 20_000 });
      assert.ok(answer.status < 500, String(answer.status));
      assert.ok(answer.body.length < 2_000_000, `${answer.body.length} bytes`);
    }),
    ...pages.map((_, number) => portico.get(`/home/p${number}`, { timeout: 20_000 })),
  ]);
  // Lookups still running in the background must do no harm either.
  await sleep(1500);
  await watching.check();
  assert.match((await portico.get('/')).text, /Still here/);
  assert.ok(portico.peakMemory < MEMORY, `${portico.peakMemory.toFixed(0)} MiB`);
  await watching.stop();
  await portico.stop();
  return { panels, icons };
}

const noneIsPending = (panels, widgets) => {
  const pending = panels.flatMap((panel, number) => (panel.text.includes('"pending"') ? [JSON.stringify(widgets[number].options)] : []));
  assert.deepEqual(pending, []);
};

describe('hostile services', () => {
  test('feeds', async () => {
    const names = Object.keys(FEEDS);
    const widgets = names.map((name) => ({ type: 'rss-feed', options: { rssUrl: at(documents, 'feed', name), parseLocally: true, limit: 500 } }));
    const { panels } = await torment({ widgets });
    noneIsPending(panels, widgets);
    for (const panel of panels) {
      assert.doesNotMatch(panel.text, /root:|xxxxxxxxxxxxxxxxxxxx{5000}/);
      assert.ok(panel.body.length < 1_500_000, `${panel.body.length} bytes`);
    }
    for (const name of names) assert.ok(fetched.has(`feed/${name}`), name);
  });

  test('answers in JSON and text', async () => {
    const names = Object.keys(ANSWERS);
    const widgets = names.flatMap((name) => [
      { type: 'api-response', options: { url: at(documents, 'answer', name) } },
      { type: 'api-response', options: { url: `${at(documents, 'answer', name)}?2`, mappings: [{ field: 'a.a.a.a', label: 'L' }] } },
    ]);
    const { panels } = await torment({ widgets });
    noneIsPending(panels, widgets);
  });

  test('pages that are asked for their icon', async () => {
    const items = Object.keys(PAGES).map((name, number) => ({ title: `I${number}`, url: at(documents, 'page', name), icon: 'favicon-local' }));
    const { icons } = await torment({ items });
    assert.equal(icons.length, items.length);
    for (const name of Object.keys(PAGES)) assert.ok(fetched.has(`page/${name}`), name);
  });

  test('pictures', async () => {
    const items = Object.keys(PICTURES).map((name, number) => ({ title: `I${number}`, icon: at(documents, 'picture', name) }));
    await torment({ items });
    for (const name of Object.keys(PICTURES)) assert.ok(fetched.has(`picture/${name}`), name);
  });

  test('compressed bombs', async () => {
    const names = Object.keys(bombs);
    const url = (name) => at(documents, 'packed', name);
    const widgets = names.flatMap((name) => [
      { type: 'api-response', options: { url: url(name) } },
      { type: 'rss-feed', options: { rssUrl: `${url(name)}/feed`, parseLocally: true } },
    ]);
    const items = names.flatMap((name, number) => [
      { title: `I${number}`, icon: `${url(name)}/icon.png` },
      { title: `P${number}`, url: `${url(name)}/page`, icon: 'favicon-local' },
    ]);
    const pages = names.map((name, number) => ({ name: `P${number}`, path: `${url(name)}/page.yml` }));
    const { panels } = await torment({ widgets, items, pages });
    noneIsPending(panels, widgets);
  });

  test('answers that never end', async () => {
    const names = Object.keys(ENDLESS);
    const url = (name, more = '') => at(endless, 'endless', name) + more;
    const widgets = names.map((name) => ({ type: 'api-response', options: { url: url(name) } }));
    const items = names.map((name, number) => ({ title: `I${number}`, icon: url(name, '/icon.png') }));
    const pages = names.slice(0, 6).map((name, number) => ({ name: `P${number}`, path: url(name, '/page.yml') }));
    const { panels } = await torment({ widgets, items, pages });
    noneIsPending(panels, widgets);
    for (const name of names) assert.ok(fetched.has(`endless/${name}`), name);
  });
});
