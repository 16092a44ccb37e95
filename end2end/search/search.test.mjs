// What the search finds and puts first (docs/spec/behaviour.md 6): the functions of frontend/search/matching.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

import { find, findElsewhere, findInSteps, fold, prepare } from '../../frontend/search/matching.js';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const tile = (title, description = '', tags = '', url = '#', opened = 0) => ({ title, url, rest: [description, tags], opened });
const tiles = (entries, text) => [...find(entries, text).tiles];
const first = (entries, text) => {
  const { first } = find(entries, text);
  return first ? [first.tile, first.sub] : undefined;
};
const entriesWith = (last) =>
  prepare([
    [tile('Jellyfin', 'Films and series', 'media tv', 'https://tv.lan:8096/web')],
    [tile('Home Assistant', '', '', 'http://user@www.hass.example')],
    [tile('Documents'), tile('Größe', '', '', 'https://docs.example')],
    [tile(last)],
  ]);

test('letters are compared without their ornaments', () => {
  for (const [written, expected] of [
    ['Größen', 'grossen'],
    ['GRÖẞEN', 'grossen'],
    ['Résumé', 'resume'],
    ['re\u0301sume\u0301', 'resume'],
    ['Ægir', 'aegir'],
    ['ŒUVRE', 'oeuvre'],
    ['Łódź', 'lodz'],
    ['Smørrebrød', 'smorrebrod'],
    ['ﬁle', 'file'],
    ['İstanbul ı', 'istanbul i'],
    ['ΚΑΛΗΜΈΡΑΣ', 'καλημερασ'],
    ['Новости', 'новости'],
    ['日本語 ｶﾅ', '日本語 カナ'],
    ['C++ & C#', 'c++ & c#'],
  ]) {
    assert.equal(fold(written), expected, written);
  }
});

test('tiles are found by every word in any of their texts', () => {
  for (const [text, expected] of [
    ['jelly', [0]],
    ['ASSISTANT home', [1]],
    ['jellyfin media', [0]],
    ['series tv jelly', [0]],
    ['tv media', [0]],
    ['hass', [1]],
    ['www', []],
    ['8096', []],
    ['home-', [1]],
    ['größe', [2]],
    ['grosse', [2]],
    ['documents docs', [2]],
    ['工具', [3]],
    ['jelyfin', [0]],
    ['jellyfon', [0]],
    ['jlelyf', [0]],
    ['asssis', [1]],
    ['jelyfin media', [0]],
    ['tvv', []],
    ['jolyfon', []],
    ['nothing like it', []],
    ['/', [0, 1, 2, 3]],
    ['jellyfin &', [0]],
  ]) {
    assert.deepEqual(tiles(entriesWith('日本語 工具'), text), expected, text);
  }
});

test('punctuation counts where it is typed', () => {
  const entries = prepare(['C', 'C++', 'C#', 'Wi-Fi', 'Fritz!Box', 'a.b (c) [d] \\ $'].map((title) => [tile(title)]));
  for (const [text, expected] of [
    ['c++', [1]],
    ['c#', [2]],
    ['c', [0, 1, 2, 5]],
    ['wifi', [3]],
    ['wi-fi', [3]],
    ['fritzbox', [4]],
    ['(c) a.b', [5]],
    ['[d', [5]],
  ]) {
    assert.deepEqual(tiles(entries, text), expected, text);
  }
});

test('an exact hit keeps near misses away', () => {
  assert.deepEqual(tiles(entriesWith('Jellifin'), 'jellyfin'), [0]);
  assert.deepEqual(tiles(entriesWith('Jellifin'), 'jellifyn'), [3]);
});

test('titles go first, then beginnings, then what is opened often', () => {
  const best = (text, ...all) =>
    first(prepare(all.map(([title, description, opened]) => [tile(title, description, '', '#', opened)])), text);
  assert.deepEqual(best('film', ['Jellyfin', 'film', 9], ['Microfilms', '', 0]), [1, -1]);
  assert.deepEqual(best('box', ['Inbox', '', 9], ['Boxes', '', 0]), [1, -1]);
  assert.deepEqual(best('box', ['Boxes', '', 9], ['Box', '', 0]), [1, -1]);
  assert.deepEqual(best('git', ['GitHub', '', 0], ['GitLab', '', 3]), [1, -1]);
  assert.deepEqual(best('git', ['GitHub', '', 0], ['GitLab', '', 0]), [0, -1]);
  assert.deepEqual(best('news', ['Hacker News', '', 9], ['News', '', 0]), [1, -1]);
  assert.equal(best('zzz', ['Box', '', 0]), undefined);
  assert.equal(best('!', ['Box', '', 0]), undefined);
});

test('the best of a group is one of its items, and what has no address is never the best', () => {
  const group = [tile('Docs'), tile('Go'), tile('Rust')];
  const entries = prepare([group, [tile('Trust')], [{ title: 'Rust' }]]);
  assert.deepEqual(first(entries, 'rust'), [0, 1]);
  assert.deepEqual(first(entries, 'docs'), [0, 0]);
  assert.deepEqual(tiles(entries, 'docs rust'), [0]);
  assert.deepEqual(tiles(entries, 'rust'), [0, 1, 2]);
});

test('items of other pages are ranked, and those of a page stand together', () => {
  const items = [
    ['Big gramophone', 'Attic'],
    ['Records', 'Cellar'],
    ['Gramophone', 'Cellar'],
    ['A gramophone', 'Attic'],
  ].map(([title, page]) => ({ title, page, words: '', url: '', local_url: '', target: '', open: '' }));
  const entries = prepare(items.map(({ title, url }) => [{ title, url }]));
  const found = (text, hasHits) => findElsewhere(entries, items, text, hasHits).map(({ page, title }) => `${page}/${title}`);
  assert.deepEqual(found('gramophone', true), ['Cellar/Gramophone', 'Attic/Big gramophone', 'Attic/A gramophone']);
  // No title is what was typed, so the order is that of the pages.
  assert.deepEqual(found('gramaphone', false), ['Attic/Big gramophone', 'Attic/A gramophone', 'Cellar/Gramophone']);
  assert.deepEqual(found('gramaphone', true), []);
  assert.deepEqual(found(' ', false), []);
});

test('95 % of typical queries have the wanted item first', () => {
  const { sections } = parse(read('page.yml'));
  const titles = [];
  const texts = sections.flatMap(({ name, items }) =>
    items.map((item) => {
      const text = ({ title, provider, description, tags, url }) => ({ title, url, rest: [provider, description, tags?.join(' '), name] });
      const all = [item, ...(item.subItems ?? [])].map(text);
      titles.push(all.map(({ title }) => title));
      return all;
    }),
  );
  const entries = prepare(texts);
  const queries = read('queries.txt').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(' = '));
  assert.ok(queries.length >= 200);
  const misses = queries.filter(([query, wanted]) => {
    assert.ok(titles.flat().includes(wanted), `there is no ${wanted}`);
    const found = first(entries, query);
    return !found || titles[found[0]][found[1] + 1] !== wanted;
  });
  const hits = queries.length - misses.length;
  console.log(`${hits} of ${queries.length}`);
  assert.ok(hits >= queries.length * 0.95, misses.map(([query, wanted]) => `${query}: not ${wanted}`).join('\n'));
});

test('earlier queries do not change later results', () => {
  const entries = entriesWith('ホーム工具 C++ (beta)');
  const earlier = [];
  const compare = (text) => assert.deepEqual(find(entries, text, earlier), find(entries, text), text);
  for (const text of ['jellyfin media', 'home assistent', 'zzzz', 'c++', 'größen docs', 'tv  series', 'ホーム', '- & jelly']) {
    for (let end = 1; end <= text.length; end += 1) compare(text.slice(0, end));
    for (let end = text.length - 1; end >= 0; end -= 1) compare(text.slice(0, end));
    // Words are put before others, and replaced at once.
    compare(`x${text}`);
    compare(`tv ${text}`);
  }
});

test('a search that was abandoned does not change what the next one finds', () => {
  const entries = prepare(Array.from({ length: 500 }, (_, at) => [tile(at % 5 ? `Server ${at}` : `Service ${at}`)]));
  const texts = ['s', 'se', 'ser', 'serv', 'servi', 'servic', 'servicf', 'servi', 'serve', 'server 4'];
  for (const steps of [0, 1, 7, 20]) {
    const earlier = [];
    for (const text of texts) {
      const abandoned = findInSteps(entries, text, earlier);
      for (let step = 0; step < steps; step += 1) abandoned.next();
      assert.deepEqual(find(entries, text, earlier), find(entries, text), `${text} after ${steps} steps`);
    }
  }
});

test('a search of many tiles can be interrupted', () => {
  const entries = prepare(Array.from({ length: 500 }, (_, at) => [tile(`Server ${at}`)]));
  const steps = findInSteps(entries, 'zebra');
  let count = 0;
  while (!steps.next().done) count += 1;
  assert.ok(count >= 20, `${count} steps`);
});
