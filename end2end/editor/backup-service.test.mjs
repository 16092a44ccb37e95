// Copies of a config at an endpoint of one's own: frontend/edit/backup-service.js against a service that speaks the protocol
// of Dashy's backups.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';

import { load, remove, store } from '../../frontend/edit/backup-service.js';
import { proof } from '../../frontend/edit/encryption.js';

const ID = 'ab12-cd34-ef56-7890';
const records = new Map();
const requested = [];

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { searchParams } = new URL(request.url, 'http://x');
  const { userData, subHash, backupId } = body ? JSON.parse(body) : Object.fromEntries(searchParams);
  requested.push({ method: request.method, userData, subHash, backupId, cookie: request.headers.cookie });
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const known = records.get(backupId);
  if (request.method === 'POST') {
    records.set(ID, { userData, subHash });
    return answer(200, { backupId: ID });
  }
  if (!known) return answer(404, { errorMsg: 'no such backup' });
  if (known.subHash !== subHash) return answer(200, { errorMsg: 'wrong password' });
  if (request.method === 'PUT') records.set(backupId, { userData, subHash });
  if (request.method === 'DELETE') records.delete(backupId);
  return answer(200, request.method === 'GET' ? { userData: known } : { ok: true });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());
const endpoint = `http://127.0.0.1:${server.address().port}/backup?tenant=1`;

test('a copy is stored, replaced, given back and removed', async () => {
  assert.equal(await store(endpoint, 'one', 'correct horse', ''), ID);
  assert.equal(await load(endpoint, 'correct horse', ID), 'one');
  assert.equal(await store(endpoint, 'two', 'correct horse', ` ${ID} `), ID);
  assert.equal(await load(endpoint, 'correct horse', ID), 'two');
  await remove(endpoint, 'correct horse', ID);
  await assert.rejects(load(endpoint, 'correct horse', ID), /says: no such backup/);
  assert.deepEqual(requested.map(({ method }) => method), ['POST', 'GET', 'PUT', 'GET', 'DELETE', 'GET']);
});

test('the endpoint learns neither the password nor a quick hash of it', async () => {
  const sent = await proof('correct horse');
  assert.match(sent, /^[0-9a-f]{64}$/);
  assert.equal(sent, await proof('correct horse'));
  assert.notEqual(sent, await proof('correct house'));
  assert.ok(requested.every(({ subHash, cookie }) => subHash === sent && cookie === undefined));
});

test('what cannot be done is explained in words', async () => {
  await store(endpoint, 'one', 'correct horse', '');
  await assert.rejects(load(endpoint, 'correct house', ID), /says: wrong password/);
  await assert.rejects(load(endpoint, 'correct horse', 'abc'), /xxxx-xxxx-xxxx-xxxx/);
  await assert.rejects(load('http://127.0.0.1:1/', 'correct horse', ID), /cannot be reached/);
});
