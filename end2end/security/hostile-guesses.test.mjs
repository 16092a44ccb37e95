// Whoever has the right password gets in while many addresses guess.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { command, guessUntilStopped, Portico, sleep } from './harness.mjs';

const RIGHT = 'the password of the admin';

describe('a new, quiet address with the right password gets in within five seconds', { concurrency: false }, () => {
  const hash = /\$argon2id?\$\S+/.exec(command(['hash-password'], { input: `${RIGHT}\n` }).stdout)[0];
  const attackers = {
    '45 addresses in 45 networks': (number) => `127.${30 + (number % 45)}.0.1`,
    '45 addresses in the network of the owner': (number) => `127.9.9.${1 + (number % 45)}`,
    '300 addresses': (number) => `127.${30 + (number % 30)}.${number % 10}.${1 + (number % 300)}`,
  };
  for (const [what, address] of Object.entries(attackers)) {
    for (const [whom, user] of [['at the account', () => 'admin'], ['at made-up accounts', (number) => `user${number}`]]) {
      test(`while ${what} guess ${whom}`, async () => {
        const users = [{ user: 'admin', hash, type: 'admin' }];
        const portico = await Portico.start({ files: { 'conf.yml': JSON.stringify({ appConfig: { auth: { users } }, sections: [] }) } });
        const guessing = guessUntilStopped(300, async (number) => {
          const fields = { user: user(number), password: `guess ${number}` };
          const response = await portico.form('/login', fields, { from: address(number) }).catch(() => undefined);
          if (response?.status !== 401) await sleep(100);
        });
        try {
          for (const [round, pause] of [1, 1500, 3000].entries()) {
            await sleep(pause);
            const before = performance.now();
            const signIn = () => portico.form('/login', { user: 'admin', password: RIGHT }, { from: `127.9.9.${200 + round}` });
            let response = await signIn();
            // A crowd in which each address tries for the first time may take the place: then the next attempt gets in.
            for (; response.status === 429 && performance.now() - before < 5000; response = await signIn()) await sleep(500);
            assert.equal(response.status, 303, `round ${round}: ${response.status}`);
            const waited = performance.now() - before;
            assert.ok(waited < 5000, `round ${round}: ${waited} ms`);
          }
        } finally {
          await guessing.stop();
          await portico.stop();
        }
      });
    }
  }
});
