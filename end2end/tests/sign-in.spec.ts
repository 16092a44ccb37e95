// Signing in at a real provider, and what each person then sees.

import { address, alive } from '../fixtures.ts';
import { signInAtProvider } from '../provider.ts';
import { ask, bearer, conf, expect, session, signIn, test, titles } from '../sign-in.ts';

/** The browser logs rejected requests of scripts. */
const REFUSALS = /status of 40[13]/;

/** Items for everybody, and items for signed-in people only. */
const HALL = ['Coat rack', 'Letterbox'];

test('signed-out viewers go to the provider, and come back to the requested page', async ({ page, portico, provider }) => {
  await signIn(page, 'ann', '/home/main/kitchen?view=small');
  // The address no longer contains the code.
  expect(page.url()).toBe(`${portico.url}/home/main/kitchen?view=small`);
  expect(await titles(page)).toEqual(['Larder']);
  expect(provider.authorizations[0]!.values).toMatchObject({
    client_id: 'dashboard',
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: portico.url,
  });
  expect(provider.authorizations[0]!.values['prompt']).toBeUndefined();
  await page.getByRole('button', { name: 'Account of ann' }).click();
  await expect(page.locator('.account-panel')).toContainText('ann');
  await expect(page.locator('.account-panel')).toContainText('Admin');
});

test('the session is kept from scripts, and lasts over further visits', async ({ page, portico, provider }) => {
  await signIn(page, 'ben');
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const cookies = await page.context().cookies(portico.url);
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies.filter(({ name }) => !name.startsWith('_'))) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  }
  await page.goto(address('/home/main/hall'));
  await page.reload();
  await alive(page);
  expect(provider.authorizations).toHaveLength(1);
});

for (const algorithm of ['PS256', 'ES256', 'EdDSA'] as const) {
  test.describe(() => {
    test.use({ idp: { algorithm } });

    test(`tokens signed with ${algorithm} are known`, async ({ page }) => {
      await signIn(page, 'ben');
      expect(await titles(page)).toContain('Larder');
    });
  });
}

test.describe('under a path prefix', () => {
  test.use({ prefix: '/start' });

  test('everything stays below it', async ({ page, portico, provider }) => {
    await signIn(page, 'ann', '/home/main/hall');
    expect(page.url()).toBe(`${portico.url}/home/main/hall`);
    expect(provider.authorizations[0]!.values['redirect_uri']).toBe(portico.url);
    for (const cookie of await page.context().cookies(`${portico.url}/`)) {
      if (!cookie.name.startsWith('_')) expect(cookie.path).toBe('/start');
    }
    await page.goto(address('/'));
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('signing in and out works too', async ({ page, portico }) => {
    await page.goto(address('/home/main/kitchen'));
    await signInAtProvider(page, 'ann');
    await expect(page).toHaveURL(`${portico.url}/home/main/kitchen`);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.goto(address('/'));
    await page.waitForURL(/\/interaction\//);
  });
});

test.describe('what each person sees', () => {
  test.use({ oidc: { adminRole: 'dashboard-admin' } });

  for (const [name, items, isAdmin] of [
    ['ann', [...HALL, 'Larder', 'Treasure chest', 'Fuse box'], true],
    ['rolf', [...HALL, 'Larder', 'Toy box'], true],
    ['ben', [...HALL, 'Larder', 'Toy box'], false],
  ] as const) {
    test(`${name} sees the own sections and nothing of the others, in no answer`, async ({ page }) => {
      await signIn(page, name);
      expect(await titles(page)).toEqual(items);
      const hidden = ['chest-for-ann', 'fuses-for-admins', 'toys-for-no-admin', 'letters-for-members', 'larder-for-members'];
      const shown = await page.locator('a.item').evaluateAll((links) => links.map((link) => link.getAttribute('href')).join(' '));
      for (const path of ['/', '/home', '/home/main/hall', '/home/main/attic', '/home/main/cellar', '/home/main/nursery', '/fn/items-elsewhere?slug=other']) {
        const { body } = await ask(page, path, { headers: { accept: 'text/html' } });
        for (const word of hidden.filter((word) => !shown.includes(word))) expect(body, `${path}: ${word}`).not.toContain(word);
      }
      expect((await session(page))['isAdmin']).toBe(isAdmin);
      await expect(page.locator('.account-role')).toHaveCount(isAdmin ? 1 : 0);
    });
  }

  test.use({ expected: /status of 404/ });
});

test.describe('saving', () => {
  test.use({ oidc: { adminRole: 'dashboard-admin' }, expected: REFUSALS });

  const save = { method: 'POST', headers: { 'content-type': 'application/json' } };

  for (const [name, status] of [['ann', 200], ['rolf', 200], ['ben', 403]] as const) {
    test(`${name} gets ${status}, from the page and from the API`, async ({ page, portico, request, provider }) => {
      await signIn(page, name);
      const text = conf({ enableOidc: true, oidc: { clientId: 'dashboard', endpoint: provider.issuer, adminGroup: 'admins' } });
      const response = await ask(page, '/config-manager/save', { ...save, body: JSON.stringify({ config: `${text}\n` }) });
      expect(response.status, response.body).toBe(status);

      const { idToken } = await session(page);
      expect((await bearer(request, '/api/config/conf.yml', idToken)).status()).toBe(200);
      const change = { method: 'PATCH', data: { icon: 'mdi-home' } };
      expect((await bearer(request, '/api/config/conf.yml/sections/0', idToken, change)).status()).toBe(status);
      // The API ignores cookies.
      expect((await ask(page, '/api/config/conf.yml')).status).toBe(401);
      expect(portico.log).not.toContain(String(idToken));
    });
  }

  test('an access token is no ID token', async ({ page, request }) => {
    await signIn(page, 'ann');
    const { idToken } = await session(page);
    const forged = `${String(idToken).split('.').slice(0, 2).join('.')}.AAAA`;
    for (const token of [forged, 'none', '']) {
      const response = await bearer(request, '/api/config', token);
      expect(response.status()).toBe(401);
    }
  });

  test.describe(() => {
    test.use({ expected: /ERR_BLOCKED_BY_RESPONSE/ });

    test('a page of another site cannot save with the cookies of somebody', async ({ page, portico, provider }) => {
      await signIn(page, 'ann');
      await page.goto(`${provider.issuer}/.well-known/openid-configuration`);
      await page.evaluate(async (url) => {
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"config":"a: b"}' }).catch(() => undefined);
      }, `${portico.url}/config-manager/save`);
      await page.goto(address('/'));
      await expect(page).toHaveTitle('Harbour house');
    });
  });
});

test.describe('with claims at the UserInfo endpoint only', () => {
  test.use({ idp: { claimsInToken: false }, oidc: { adminRole: 'dashboard-admin' }, expected: REFUSALS });

  test('a missing claim in the ID token makes no one an admin', async ({ page }) => {
    await signIn(page, 'ann');
    const { isAdmin, kind } = await session(page);
    expect({ isAdmin, kind }).toEqual({ isAdmin: false, kind: 'oidc' });
    expect(await titles(page)).not.toContain('Fuse box');
  });
});

test.describe('guests', () => {
  test.use({ auth: { enableGuestAccess: true }, expected: REFUSALS });

  test('see what is not hidden from them, change nothing, and may sign in', async ({ page, request, portico, provider }) => {
    await page.goto(address('/home/main/hall'));
    await alive(page);
    expect(await titles(page)).toEqual(['Coat rack']);
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0);
    for (const path of ['/', '/home/main/hall', '/home/main/kitchen', '/home/main/attic', '/conf.yml', '/fn/items-elsewhere?slug=other']) {
      const { body } = await ask(page, path, { headers: { accept: 'text/html' } });
      expect(body, path).not.toMatch(/-for-(members|ann|admins)/);
    }
    expect((await request.post(address('/config-manager/save'), { data: { config: 'a: b' } })).status()).toBeGreaterThanOrEqual(401);
    expect((await request.get(address('/api/config'))).status()).toBe(401);
    expect(provider.authorizations).toHaveLength(0);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAtProvider(page, 'ben');
    await expect(page).toHaveURL(`${portico.url}/home/main/hall`);
    expect(await titles(page)).toEqual(HALL);
  });

  test.use({ expected: /status of 40[134]/ });
});

test.describe('with the own login page first', () => {
  test.use({ oidc: { showLoginPage: true } });

  test('it stands before the provider on every load', async ({ page, portico, provider }) => {
    for (let visit = 0; visit < 3; visit++) {
      await page.goto(address('/home/main/kitchen'));
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expect(page.getByText('Proceed as guest')).toHaveCount(0);
    }
    expect(provider.authorizations).toHaveLength(0);
    await page.getByRole('link', { name: /^Sign in/ }).click();
    await signInAtProvider(page, 'ben');
    await expect(page).toHaveURL(`${portico.url}/home/main/kitchen`);

    await page.goto(address('/login'));
    await expect(page.getByRole('main')).toContainText('You are signed in');
    await page.getByRole('link', { name: 'Proceed' }).click();
    await expect(page).toHaveURL(`${portico.url}/`);
  });

  test.describe(() => {
    test.use({ auth: { enableGuestAccess: true } });

    test('guests proceed from it each time anew', async ({ page }) => {
      for (let visit = 0; visit < 2; visit++) {
        await page.goto(address('/home/main/hall'));
        await page.getByRole('link', { name: 'Proceed as guest' }).click();
        await alive(page);
        expect(new URL(page.url()).pathname).toBe('/home/main/hall');
        expect(await titles(page)).toEqual(['Coat rack']);
      }
    });
  });
});

test('signed-out viewers get no documents', async ({ request, portico }) => {
  const plain = { maxRedirects: 0 };
  const ways: Record<string, string>[] = [
    {},
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-mode': 'cors' },
  ];
  for (const path of ['/', '/home', '/home/main/kitchen', '/conf.yml', '/fn/items-elsewhere?slug=x', '/download', '/icons/file/a.png']) {
    for (const headers of ways) {
      const response = await request.get(address(path), { ...plain, headers });
      expect(await response.text(), path).not.toMatch(/Coat rack|-for-|coats\.example/);
    }
  }
  const stripped = await request.get(`${portico.url}/conf.yml`);
  expect(stripped.status()).toBe(200);
  expect(await stripped.text()).toMatch(/authenticated: false/);
});

test.describe('with the check turned off', () => {
  test.use({ oidc: { disableServerSideCheck: true } });

  test('the log is loud about it', async ({ portico, request }) => {
    expect(portico.log).toMatch(/(WARN|ERROR).*disableServerSideCheck/);
    expect((await request.get(address('/api/config'))).status()).toBe(200);
  });
});
