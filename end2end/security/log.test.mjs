// Nobody fills the disk by way of the log: what visitors cause again and again is written a few times a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inParallel, Portico, sha256 } from './harness.mjs';
import { IdentityProvider } from './identity-provider.mjs';

const USERS = [{ user: 'admin', hash: sha256('the password of the admin'), type: 'admin' }];

/** How many requests of each kind are sent, for how many milliseconds at most: guesses are delayed. */
const [REQUESTS, TIME] = [600, 4000];

/** Lines that such requests of one address may cause: 60 a minute where people did something, fewer of everything else. */
const MAX_LINES = 100;

/** The kinds of requests that are worth a line in the log, or were. */
const KINDS = {
  'responses of a provider that nobody asked for': (number) => ({ path: `/?state=made-up-${number}&code=made-up` }),
  'failures of a provider that nobody asked for': (number) => ({ path: `/?state=made-up-${number}&error=access_denied` }),
  'forwarded addresses': (number) => ({ headers: { 'x-forwarded-for': `203.0.113.${number % 250}`, 'x-forwarded-proto': 'https' } }),
  'forwarded path prefixes': (number) => ({ headers: { 'x-forwarded-prefix': `/made-up-${number}` } }),
  'names of users': (number) => ({ headers: { 'remote-user': `user${number}`, 'x-forwarded-user': `user${number}` } }),
  'unknown hosts': (number) => ({ headers: { host: `host-${number}.example` } }),
  'missing files': (number) => ({ path: `/made-up-${number}.yml` }),
  'broken cookies': (number) => ({ headers: { cookie: `portico-000000-session-0=8~made-up-${number}` } }),
  'requests of other sites': (number) => ({ method: 'POST', path: '/config-manager/save', headers: { origin: `https://site-${number}.example`, 'content-type': 'application/json' }, body: '{}' }),
  'broken bodies': (number) => ({ method: 'POST', path: '/fn/sign-in', headers: { 'content-type': 'application/json' }, body: `{"made-up-${number}` }),
  'passwords': (number) => ({ method: 'POST', path: '/login', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `user=user${number}&password=made-up` }),
  'tokens': (number) => ({ path: '/api/config', headers: { authorization: `Bearer made-up-${number}` } }),
};

test('with an identity provider', async () => {
  const provider = await IdentityProvider.start();
  await measure({ auth: provider.auth() });
  await provider.stop();
});

test('with accounts', () => measure({ auth: { users: USERS } }));

test('without sign-in', () => measure({}));

async function measure(appConfig) {
  const portico = await Portico.start({ files: { 'conf.yml': JSON.stringify({ appConfig, sections: [] }) }, environment: { ENABLE_API: 'true' } });
  const lines = () => portico.log.split('\n').length;
  for (const [what, make] of Object.entries(KINDS)) {
    const before = lines();
    const deadline = Date.now() + TIME;
    await inParallel([...Array(REQUESTS).keys()], 30, async (number) => {
      if (Date.now() > deadline) return;
      const { method = 'GET', path = '/', ...rest } = make(number);
      await portico.ask(method, path, { from: '127.10.0.1', ...rest });
    });
    const caused = lines() - before;
    assert.ok(caused <= MAX_LINES, `${what}: ${caused} lines for ${REQUESTS} requests\n${portico.log.slice(-500)}`);
  }
  assert.ok(portico.isAlive);
  await portico.stop();
}
