// Encrypted copies of a config: frontend/edit/encryption.js without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decrypt, encrypt, parse } from '../../frontend/edit/encryption.js';

const TEXT = 'pageInfo:\n  title: Größe 🚀 # kept\n';
const copy = await encrypt('conf.yml', TEXT, 'correct horse');

test('a backup is decrypted with its password', async () => {
  assert.equal(await decrypt(parse(copy), 'correct horse'), TEXT);
  const { format, version, file, iterations, salt, iv, data } = JSON.parse(copy);
  assert.deepEqual([format, version, file], ['portico-config', 1, 'conf.yml']);
  assert.ok(iterations >= 600_000);
  assert.deepEqual([salt, iv].map((part) => Buffer.from(part, 'base64').length), [16, 12]);
  assert.ok(!Buffer.from(data, 'base64').toString('latin1').includes('title'));
});

test('two copies have nothing in common', async () => {
  const [one, other] = [copy, await encrypt('conf.yml', TEXT, 'correct horse')].map((text) => JSON.parse(text));
  for (const part of ['salt', 'iv', 'data']) assert.notEqual(one[part], other[part]);
});

test('the same password typed on another keyboard fits', async () => {
  const umlaut = await encrypt('conf.yml', TEXT, 'K\u00f6nigsberg');
  assert.equal(await decrypt(parse(umlaut), 'Ko\u0308nigsberg'), TEXT);
});

test('a wrong password and changed files are refused in words', async () => {
  const content = parse(copy);
  await assert.rejects(decrypt(content, 'correct house'), /password is wrong/);
  for (const change of [{ file: 'work.yml' }, { iterations: 600_001 }, { iv: content.salt }, { data: `AAAA${content.data.slice(4)}` }]) {
    await assert.rejects(decrypt({ ...content, ...change }, 'correct horse'), /wrong, or the file is damaged/);
  }
  for (const change of [{ iterations: 1 }, { iterations: 1e12 }, { iterations: '600000' }, { salt: undefined }]) {
    await assert.rejects(decrypt({ ...content, ...change }, 'correct horse'), /is damaged/);
  }
  await assert.rejects(decrypt({ ...content, version: 2 }, 'correct horse'), /newer/);
});

test('other files are not taken for encrypted ones', () => {
  for (const text of ['', TEXT, '{', '{}', '[]', '{"format":"other"}', 'null']) assert.equal(parse(text), undefined);
});
