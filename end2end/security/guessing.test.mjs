// Guesses are slowed down: a password list is useless, and the real owner can still sign in.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { basic, command, guessUntilStopped, inParallel, Portico, sha256, sleep } from './harness.mjs';

const RIGHT = 'the password of the admin';
const USERS = [
  { user: 'admin', hash: sha256(RIGHT), type: 'admin' },
  { user: 'second', hash: sha256('the password of the second') },
];
const CONF = JSON.stringify({ appConfig: { auth: { users: USERS } }, sections: [] });
const SECONDS = 3;

/** Guesses over 150 connections for some seconds; returns how often each status occurred. */
async function guess(ask) {
  const counts = {};
  const deadline = Date.now() + SECONDS * 1000;
  let number = 0;
  await inParallel(Array.from({ length: 150 }), 150, async () => {
    while (Date.now() < deadline) {
      const response = await ask(number++).catch(() => undefined);
      const status = response?.status ?? 'none';
      counts[status] = (counts[status] ?? 0) + 1;
      // Ignoring `Retry-After` would only slow down the test.
      if (status === 429) await sleep(20);
    }
  });
  return counts;
}

const LOGINS = {
  'the login form': (portico, from, number, user = 'admin') => portico.form('/login', { user, password: `guess ${number}` }, { from }),
  'HTTP Basic at the REST API': (portico, from, number, user = 'admin') => portico.get('/api/config', { from, headers: { authorization: basic(user, `guess ${number}`) } }),
  'HTTP Basic at a page': (portico, from, number, user = 'admin') => portico.get('/', { from, headers: { authorization: basic(user, `guess ${number}`) } }),
  'HTTP Basic at a file': (portico, from, number, user = 'admin') => portico.get('/conf.yml', { from, headers: { authorization: basic(user, `guess ${number}`) } }),
};

/** Maximum number of guesses checked in that time: the first ones of a minute are free, later ones are delayed. */
const MAX_CHECKED = 40;

describe('guesses are few', { concurrency: true }, () => {
  for (const [login, ask] of Object.entries(LOGINS)) {
    test(`from one address, at ${login}`, async () => {
      const portico = await start();
      const counts = await guess((number) => ask(portico, '127.5.0.1', number));
      assert.ok((counts[401] ?? 0) <= MAX_CHECKED, `checked: ${JSON.stringify(counts)}`);
      assert.ok(counts[429] > 0, `a guess that was not checked is told so: ${JSON.stringify(counts)}`);
      await portico.stop();
    });

    test(`for one account from many addresses, at ${login}`, async () => {
      const portico = await start();
      const counts = await guess((number) => ask(portico, `127.5.${1 + (number % 200)}.${1 + (number % 250)}`, number));
      assert.ok((counts[401] ?? 0) <= 2 * MAX_CHECKED, `checked: ${JSON.stringify(counts)}`);
      await portico.stop();
    });
  }

  test('from one address for accounts that change, made-up ones among them', async () => {
    const portico = await start();
    const counts = await guess((number) => LOGINS['the login form'](portico, '127.5.0.1', number, `user${number % 500}`));
    assert.ok((counts[401] ?? 0) <= MAX_CHECKED, `checked: ${JSON.stringify(counts)}`);
    await portico.stop();
  });

  test('at the API token', async () => {
    const portico = await start({ API_TOKEN: 'the token of the API' });
    const counts = await guess((number) => portico.get('/api/config', { from: '127.5.0.1', headers: { authorization: `Bearer guess${number}` } }));
    assert.ok((counts[401] ?? 0) <= MAX_CHECKED, `checked: ${JSON.stringify(counts)}`);
    const right = await portico.get('/api/config', { from: '127.5.0.2', headers: { authorization: 'Bearer the token of the API' } });
    assert.equal(right.status, 200);
    await portico.stop();
  });

  test('an address that is made up by a header is no other one', async () => {
    const portico = await start();
    const counts = await guess((number) =>
      portico.form('/login', { user: `user${number}`, password: 'guess' }, { from: '127.5.0.1', headers: { 'x-forwarded-for': `203.0.113.${number % 250}`, 'x-real-ip': `203.0.113.${number % 250}`, forwarded: `for=203.0.113.${number % 250}` } }),
    );
    assert.ok((counts[401] ?? 0) <= MAX_CHECKED, `checked: ${JSON.stringify(counts)}`);
    await portico.stop();
  });
});

describe('while somebody guesses', () => {
  let portico, session, guessing;
  before(async () => {
    portico = await start();
    session = await portico.signIn('admin', RIGHT, { from: '127.6.0.9' });
    // Four clients guess from one address until the test stops them.
    guessing = guessUntilStopped(4, async (number) => {
      await LOGINS['the login form'](portico, '127.6.0.1', number).catch(() => undefined);
      await sleep(20);
    });
    await sleep(1000);
  });
  after(async () => {
    await guessing?.stop();
    await portico?.stop();
  });

  test('a session goes on, from that address too', async () => {
    for (const from of ['127.6.0.1', '127.6.0.9']) {
      assert.equal((await portico.get('/', { from, headers: { cookie: session } })).status, 200, from);
    }
  });

  test('another account signs in from another address at once', async () => {
    const before = Date.now();
    await portico.signIn('second', 'the password of the second', { from: '127.6.0.2' });
    assert.ok(Date.now() - before < 3000);
  });

  test('the owner of the account signs in from another address', async () => {
    const deadline = Date.now() + 15_000;
    let response;
    do {
      response = await portico.form('/login', { user: 'admin', password: RIGHT }, { from: '127.6.0.3' });
      if (response.status !== 303) await sleep(500);
    } while (response.status !== 303 && Date.now() < deadline);
    assert.equal(response.status, 303, response.text);
  });

  test('pages and the health check do not wait', async () => {
    for (let time = 0; time < 10; time++) assert.ok((await portico.health()) < 1000);
  });
});

describe('the time of a refusal tells nothing about names', () => {
  // Made by `portico hash-password`, so that a check takes its time.
  test('known and unknown names, with an Argon2 hash', async () => {
    const { stdout } = command(['hash-password'], { input: `${RIGHT}\n` });
    const hash = /\$argon2id?\$\S+/.exec(stdout)?.[0];
    assert.ok(hash, stdout);
    const conf = JSON.stringify({ appConfig: { auth: { users: [{ user: 'admin', hash, type: 'admin' }] } }, sections: [] });
    const portico = await Portico.start({ files: { 'conf.yml': conf } });
    await portico.signIn('admin', RIGHT, { from: '127.7.9.9' });
    const times = { admin: [], nobody: [] };
    for (let round = 0; round < 9; round++) {
      for (const user of Object.keys(times)) {
        const from = `127.7.${round}.${user.length}`;
        const before = performance.now();
        const response = await portico.form('/login', { user, password: `wrong ${round}` }, { from });
        // From the first delayed guess on, the time is that of the delay.
        if (response.status === 401 && round < 4) times[user].push(performance.now() - before);
      }
    }
    const best = (list) => Math.min(...list);
    const ratio = best(times.admin) / best(times.nobody);
    assert.ok(ratio > 0.5 && ratio < 2, `known ${best(times.admin)} ms, unknown ${best(times.nobody)} ms`);
    await portico.stop();
  });
});

function start(more = {}) {
  return Portico.start({ files: { 'conf.yml': CONF }, environment: { ENABLE_API: 'true', ...more } });
}
