// A dashboard that serves HTTPS itself, without a proxy: signing in and out, with cookies for this host only.

import { rmSync } from 'node:fs';

import { selfSigned } from '../certificate.ts';
import { IdentityProvider } from '../provider.ts';
import { freePort, temporaryDirectory } from '../server.ts';
import { PEOPLE, expect, session, signIn, signOut, test as base } from '../sign-in.ts';

const test = base.extend<{ secure: string; certificate: Record<string, string> }>({
  secure: async ({}, use) => use(`https://127.0.0.1:${await freePort()}`),

  // The provider knows only the secure address of the dashboard.
  provider: async ({ secure }, use) => {
    const provider = await IdentityProvider.reserve({ redirect: secure, people: PEOPLE });
    await provider.listen();
    await use(provider);
    await provider.stop();
  },

  certificate: async ({}, use) => {
    const directory = temporaryDirectory();
    await use(selfSigned(directory));
    rmSync(directory, { recursive: true });
  },

  environment: async ({ secure, certificate }, use) => use({ ...certificate, SSL_PORT: new URL(secure).port }),

  allowed: async ({ secure, provider, port }, use) => use([new URL(provider.issuer).host, `127.0.0.1:${port}`, new URL(secure).host]),
});

test.use({ ignoreHTTPSErrors: true });

test('people are redirected to HTTPS, sign in and out there, and their cookies are sent only there', async ({ page, secure, provider }) => {
  await signIn(page, 'ann', '/home/main/kitchen');
  expect(page.url()).toBe(`${secure}/home/main/kitchen`);
  expect(provider.authorizations[0]!.values['redirect_uri']).toBe(secure);
  const cookies = (await page.context().cookies(secure)).filter(({ name }) => name.includes('portico'));
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/', domain: '127.0.0.1' });
    expect(cookie.name).toMatch(/^__Host-portico-/);
  }
  expect((await session(page))['name']).toBe('ann');
  await signOut(page);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByText('Sign-out Success')).toBeVisible();
  expect((await page.context().cookies(secure)).filter(({ name }) => name.includes('portico'))).toEqual([]);
});
