// Documents made to exhaust the parser, with little memory: as conf.yml, as a page, as a page on another host, as a body of
// the REST API and of the editor. The program survives, and still serves others.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';

import { JSON_BODIES, YAML } from './bombs.mjs';
import { Portico, sleep } from './harness.mjs';
import { watch } from './watch.mjs';

const TOKEN = { authorization: 'Bearer token' };
const GOOD = 'pageInfo: { title: Still here }\npages: [ { name: Page, path: page.yml }, { name: Far, path: "FAR" } ]\nsections: [ { name: S } ]\n';

/** Limits in MiB: of the address space, most of which is never used, and of memory. */
const ADDRESS_SPACE = 3072;
const MEMORY = 300;

const shapes = Object.entries(YAML);

describe('documents that exhaust their reader', () => {
  let portico, far, watching;
  let remote = 'sections: []\n';

  before(async () => {
    far = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/yaml' });
      response.end(remote);
    });
    await new Promise((done) => far.listen(0, '127.0.0.9', done));
    const conf = GOOD.replace('FAR', `http://127.0.0.9:${far.address().port}/page.yml`);
    portico = await Portico.start({
      files: { 'conf.yml': conf, 'page.yml': 'sections: []\n' },
      environment: { ENABLE_API: 'true', API_TOKEN: 'token', OFFLINE: 'false', LOG_LEVEL: 'error', DISABLE_CONFIG_BACKUPS: 'true' },
      limits: { memory: ADDRESS_SPACE },
    });
    portico.good = conf;
    watching = await watch(portico);
  });
  after(async () => {
    await watching.stop();
    await portico.stop();
    far.closeAllConnections();
    far.close();
  });

  test('there are enough shapes', () => assert.ok(shapes.length >= 30, String(shapes.length)));

  for (const [what, text] of shapes) {
    test(`conf.yml: ${what}`, async () => {
      portico.write({ 'conf.yml': text });
      await sleep(600);
      const answer = await portico.get('/', { timeout: 10_000 });
      assert.ok(answer.status < 500 || answer.status === 503, String(answer.status));
      await portico.get('/conf.yml', { timeout: 10_000 });
      await portico.get('/api/config/conf.yml', { headers: TOKEN, timeout: 10_000 });
      await watching.check();
    });
  }

  test('the good config is taken again', async () => {
    portico.write({ 'conf.yml': portico.good });
    await sleep(600);
    assert.match((await portico.get('/')).text, /Still here/);
  });

  test('page.yml: all shapes', async () => {
    for (const [what, text] of shapes) {
      portico.write({ 'page.yml': text, 'unlisted.yml': text });
      await sleep(450);
      for (const path of ['/home/page', '/page.yml', '/api/config/page.yml', '/api/config/unlisted.yml/sections', '/fn/items-elsewhere?slug=home']) {
        const answer = await portico.get(path, { headers: path.startsWith('/api') ? TOKEN : {}, timeout: 10_000 });
        assert.ok(answer.status > 0, `${what} ${path}`);
      }
      await watching.check();
    }
  });

  test('the editor: all shapes', async () => {
    for (const [what, text] of shapes) {
      const answer = await portico.json('POST', '/config-manager/save', { config: text, filename: 'saved.yml' }, { timeout: 10_000 });
      assert.ok([200, 400].includes(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
      await watching.check();
    }
  });

  test('the REST API: bodies of all shapes', async () => {
    for (const [what, text] of Object.entries(JSON_BODIES)) {
      for (const path of ['/api/config/written.yml', '/api/config/conf.yml/sections']) {
        const answer = await portico.json('PUT', path, text, { headers: TOKEN, timeout: 10_000 });
        assert.ok([200, 400, 413].includes(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
      await watching.check();
    }
    portico.write({ 'conf.yml': portico.good });
  });

  test('a page on another host: shapes of every kind', async () => {
    // A broken page is fetched again only after a minute, so each shape has its own address.
    const origin = `http://127.0.0.9:${far.address().port}`;
    for (const [what, text] of shapes.filter((_, number) => number % 3 === 0)) {
      remote = text;
      portico.write({ 'conf.yml': portico.good.replace('/page.yml"', `/${encodeURIComponent(what)}.yml"`).replace('FAR', origin) });
      await sleep(700);
      await portico.get('/home/far', { timeout: 10_000 });
      await watching.check();
    }
  });

  test('the program has lived through all of this with little memory', async () => {
    assert.ok(portico.isAlive);
    portico.write({ 'conf.yml': portico.good });
    await sleep(600);
    assert.match((await portico.get('/')).text, /Still here/);
    assert.ok(portico.peakMemory < MEMORY, `${portico.peakMemory.toFixed(0)} MiB`);
  });
});
