// Sessions: renewal in two tabs, expiry while a page is open, an unreachable provider, new keys, signing out.

import { createServer, request as http } from 'node:http';

import type { Page } from '@playwright/test';

import { address, alive, open } from '../fixtures.ts';
import { signInAtProvider } from '../provider.ts';
import { ask, bearer, conf, expect, session, signIn, signOut, test } from '../sign-in.ts';

// Failures of a provider involve several requests.
test.describe.configure({ timeout: 60_000 });

/** The browser logs rejected and failed requests of scripts. */
const TROUBLE = /status of (401|403|50\d)|ERR_CONNECTION_REFUSED/;

/** Waits until the page has failed to renew the session. */
async function renewalFails(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/fn/renew'));
  expect(answer.status()).not.toBe(200);
}

function ended(page: Page) {
  return page.getByText('Your sign-in has ended.');
}

test.describe('renewal', () => {
  test.use({ oidc: { enableSilentRenew: true }, idp: { lifetimes: { access: 4, id: 4 } } });

  for (const hasLocks of [true, false]) {
    test(`two tabs ${hasLocks ? '' : 'without locks '}stay signed in over several lifetimes, and use no refresh token twice`, async ({ page, context, provider }) => {
      if (!hasLocks) {
        // As over plain HTTP from another machine.
        await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }));
      }
      await signIn(page, 'ann');
      const second = await context.newPage();
      await open(second);
      const first = (await session(page))['idToken'];
      await expect.poll(() => provider.refreshes.length, { timeout: 30_000, intervals: [250] }).toBeGreaterThanOrEqual(4);
      const tokens = provider.refreshes.map(({ values }) => values['refresh_token']);
      expect(new Set(tokens).size).toBe(tokens.length);
      expect(provider.refreshes.map(({ status }) => status)).not.toContain(400);
      for (const tab of [page, second]) {
        await expect(ended(tab)).toBeHidden();
        const { kind, idToken, isAdmin } = await session(tab);
        expect({ kind, isAdmin, isNew: idToken !== first }).toEqual({ kind: 'oidc', isAdmin: true, isNew: true });
      }
      await page.reload();
      await alive(page);
      // A provider that issues refresh tokens only with consent gets one request without it, then one with it.
      const prompts = provider.authorizations.map(({ values }) => values['prompt']);
      expect(prompts.filter((prompt) => prompt === 'consent').length).toBeLessThanOrEqual(1);
      expect(provider.authorizations.every(({ values }) => values['scope']!.includes('offline_access'))).toBe(true);
    });
  }

  test('text in a form stays when renewal fails, and signing in is offered', async ({ page, provider }) => {
    await signIn(page, 'ann');
    await page.getByRole('searchbox').fill('half a word');
    await provider.stop();
    // No message yet: the provider may be back before the session ends.
    await renewalFails(page);
    await expect(page.getByRole('searchbox')).toHaveValue('half a word');
    provider.forgetAll();
    await provider.listen();
    await expect(ended(page)).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('searchbox')).toHaveValue('half a word');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signInAtProvider(page, 'ann');
    await alive(page);
    await expect(ended(page)).toBeHidden();
  });

  test('a provider that is back in time goes unnoticed', async ({ page, provider }) => {
    await signIn(page, 'ann');
    await provider.stop();
    await expect.poll(() => session(page).then(({ kind }) => kind)).toBe('oidc');
    await renewalFails(page);
    await provider.listen();
    const before = provider.refreshes.length;
    await expect.poll(() => provider.refreshes.length, { timeout: 30_000 }).toBeGreaterThan(before);
    await expect(ended(page)).toBeHidden();
    expect(provider.refreshes.at(-1)!.status).toBe(200);
  });

  test('a renewal without an ID token leads to signing in, not into a loop', async ({ page, provider }) => {
    provider.renewsIdToken = false;
    await signIn(page, 'ann');
    await expect(ended(page)).toBeVisible({ timeout: 50_000 });
    expect(provider.refreshes.length).toBeLessThanOrEqual(12);
  });

  test('a page that is opened after the tokens have ended is renewed on the way', async ({ page, provider }) => {
    await signIn(page, 'ann');
    const { idTokenExpires } = await session(page);
    await page.goto('about:blank');
    await expect.poll(() => Date.now() / 1000, { timeout: 20_000 }).toBeGreaterThan(Number(idTokenExpires));
    const signIns = provider.authorizations.length;
    await open(page);
    expect((await session(page))['kind']).toBe('oidc');
    expect(provider.authorizations).toHaveLength(signIns);
  });

  test.use({ expected: TROUBLE });
});

test.describe('without renewal', () => {
  test.use({ idp: { lifetimes: { id: 3 } }, expected: TROUBLE });

  test('the end of a session is shown on the open page, and the next visit signs in again', async ({ page, request, provider }) => {
    await signIn(page, 'ann');
    const { idToken } = await session(page);
    await page.getByRole('searchbox').fill('half a word');
    await expect(ended(page)).toBeVisible({ timeout: 45_000 });
    await expect(page.getByRole('searchbox')).toHaveValue('half a word');
    expect(provider.refreshes).toHaveLength(0);
    // The tolerance for clocks of half a minute has passed too.
    await expect.poll(async () => (await bearer(request, '/api/config', idToken)).status(), { timeout: 40_000, intervals: [1_000] }).toBe(401);
    // The provider still has a session, so there is no form.
    await page.goto(address('/home/main/kitchen'));
    await alive(page);
    expect(new URL(page.url()).pathname).toBe('/home/main/kitchen');
    expect(provider.authorizations).toHaveLength(2);
  });

  test.describe.configure({ timeout: 120_000 });
});

test.describe('a provider that is away', () => {
  test.use({ providerAtBoot: false, expected: TROUBLE });

  test('does not keep the server from starting, is reported, and is used once it is up', async ({ page, provider, portico }) => {
    const answer = await page.goto(address('/home/main/hall'));
    expect(answer?.status()).toBe(503);
    await expect(page.getByRole('main')).toContainText(/cannot be reached|reach/);
    expect(await page.content()).not.toContain('Coat rack');
    await provider.listen();
    await expect(async () => {
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.waitForURL(/\/interaction\//, { timeout: 2_000 });
    }).toPass({ timeout: 45_000, intervals: [1_000] });
    await signInAtProvider(page, 'ben');
    await expect(page).toHaveURL(`${portico.url}/home/main/hall`);
  });
});

test('people who are signed in do not notice when the provider goes away', async ({ page, request, provider }) => {
  await signIn(page, 'ann');
  const { idToken } = await session(page);
  expect((await bearer(request, '/api/config', idToken)).status()).toBe(200);
  await provider.stop();
  await page.reload();
  await alive(page);
  expect((await bearer(request, '/api/config', idToken)).status()).toBe(200);
});

test('two tabs that sign in at once do not disturb each other', async ({ page, context, portico }) => {
  const second = await context.newPage();
  await page.goto(address('/home/main/hall'));
  await second.goto(address('/home/main/kitchen'));
  await signInAtProvider(page, 'ann');
  await expect(page).toHaveURL(`${portico.url}/home/main/hall`);
  await signInAtProvider(second, 'ann');
  await expect(second).toHaveURL(`${portico.url}/home/main/kitchen`);
});

test('new signing keys are learned when they are first used', async ({ page, browser, baseURL, provider }) => {
  await signIn(page, 'ann');
  provider.rotateKey();
  const context = await browser.newContext({ baseURL: baseURL! });
  const other = await context.newPage();
  await signIn(other, 'ben');
  expect((await session(other))['name']).toBe('ben');
  await context.close();
  // A session that started with the old key continues.
  await page.reload();
  await alive(page);
});

test.describe('signing out', () => {
  test('ends the session here and at the provider', async ({ page, portico, provider }) => {
    await signIn(page, 'ann');
    const { idToken } = await session(page);
    await signOut(page);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await expect(page.getByText('Sign-out Success')).toBeVisible();
    const out = provider.seen.find(({ path, values }) => path === '/session/end' && values['id_token_hint'])!;
    expect(out.values).toMatchObject({ id_token_hint: idToken, client_id: 'dashboard' });
    expect(out.values['state']).toBeTruthy();
    expect(out.values['post_logout_redirect_uri']).toBeUndefined();
    expect((await page.context().cookies(portico.url)).filter(({ name, value }) => value && !name.startsWith('_'))).toEqual([]);
    await page.goto(address('/'));
    await expect(page.getByPlaceholder('Enter any login')).toBeVisible();
  });

  test.describe('with an address to return to', () => {
    test.use({ afterSignOut: '/signed-out' });

    test('comes back to it', async ({ page }) => {
      await page.clock.install();
      await signIn(page, 'ann');
      await signOut(page);
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await expect(page).toHaveURL(/\/signed-out/);
      await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await expect(page.getByPlaceholder('Enter any login')).toBeVisible();
    });
  });

  test.describe('at a provider that has no end of session', () => {
    test.use({ idp: { endSession: false } });

    test('ends on our own page, which does not sign in again at once', async ({ page, provider }) => {
      await page.clock.install();
      await signIn(page, 'ann');
      await signOut(page);
      await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
      const before = provider.authorizations.length;
      await page.clock.runFor(60_000);
      expect(provider.authorizations).toHaveLength(before);
      expect((await ask(page, '/fn/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(401);
      await page.getByRole('link', { name: 'Sign in again' }).click();
      // The provider still has a session.
      await alive(page);
    });
  });

  test('is not something that another site can do to somebody', async ({ page, portico, provider }) => {
    await signIn(page, 'ann');
    await page.goto(`${provider.issuer}/.well-known/openid-configuration`);
    await page.evaluate(async (url) => {
      await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
      const form = Object.assign(document.createElement('form'), { method: 'post', action: url });
      document.documentElement.append(form);
      form.submit();
    }, `${portico.url}/logout`);
    await page.waitForURL(`${portico.url}/logout`);
    await open(page);
    expect((await session(page))['name']).toBe('ann');
  });

  test.use({ expected: /ERR_BLOCKED_BY_RESPONSE|status of 40[13]/ });
});

test.describe('a browser that keeps no cookies', () => {
  test.use({ expected: /status of 508|status of 400/ });

  test('is not sent back and forth for ever', async ({ page, start, provider, port }) => {
    // A proxy that drops one cookie, as happens with limits on header size.
    const portico = await start({ text: conf({ enableOidc: true, oidc: { clientId: 'dashboard', endpoint: provider.issuer } }) });
    const proxy = createServer((request, response) => {
      const cookie = (request.headers.cookie ?? '').split('; ').filter((pair) => !/^[^=]*session/i.test(pair)).join('; ');
      const target = http(`${portico.url}${request.url}`, { method: request.method!, headers: { ...request.headers, cookie } }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(target);
    });
    await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
    const url = `http://127.0.0.1:${port}/`;
    await page.clock.install();
    await page.goto(url);
    await signInAtProvider(page, 'ann');
    await expect(page.getByRole('heading', { name: /circles/ })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('cookie');
    expect(provider.authorizations.length).toBeLessThanOrEqual(4);
    // It stays there until the next attempt.
    const before = provider.authorizations.length;
    await page.clock.runFor(60_000);
    expect(provider.authorizations).toHaveLength(before);
    proxy.closeAllConnections();
    proxy.close();
  });

  // No other server responds at the address that the provider knows.
  test.use({ portico: async ({ start }, use) => use(await start({ text: 'pageInfo: { title: Elsewhere }' })), baseURL: 'http://127.0.0.1/' });
});
