// Signing in with accounts from the config, on the dashboard's login page.

import { createHash } from 'node:crypto';

import type { Page } from '@playwright/test';

import { address, alive, expect, test } from '../fixtures.ts';
import { ask, conf, signOut, titles } from '../sign-in.ts';

const hash = (password: string) => createHash('sha256').update(password).digest('hex');

const USERS = [
  { user: 'ann', hash: hash('open sesame: ü'), type: 'admin' },
  { user: 'Ben', hash: hash('lantern').toUpperCase() },
];

/** Fills the form and sends it. */
async function fill(page: Page, name: string, password: string, remember?: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  if (remember) await page.getByLabel('Stay signed in').selectOption({ label: remember });
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function sessionCookie(page: Page, url: string) {
  return (await page.context().cookies(url)).find(({ name }) => /session/.test(name));
}

test.use({ text: conf({ users: USERS }) });

test('the login page comes first, and leads back to the requested page', async ({ page, portico }) => {
  await page.goto(address('/home/main/kitchen?view=small'));
  await expect(page).toHaveTitle('Sign in | Harbour house');
  await expect(page.getByLabel('Name')).toBeFocused();
  await fill(page, 'ANN', 'open sesame: ü');
  await alive(page);
  expect(page.url()).toBe(`${portico.url}/home/main/kitchen?view=small`);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(await sessionCookie(page, portico.url)).toMatchObject({ httpOnly: true, sameSite: 'Lax', expires: -1 });

  await page.goto(address('/login'));
  await expect(page.getByRole('main')).toContainText('As ann.');
  await page.getByRole('link', { name: 'Proceed' }).click();
  await alive(page);
  await signOut(page);
  await expect(page.getByRole('heading', { name: /Sign in|You are signed out/ })).toBeVisible();
  await page.goto(address('/'));
  await expect(page.getByLabel('Password')).toBeVisible();
});

test.describe('what is wrong', () => {
  test.use({ expected: /status of 401/ });

  test('is explained in one sentence, and the user name stays', async ({ page }) => {
    await page.goto(address('/login'));
    const messages: (string | null)[] = [];
    for (const [name, password] of [['ann', 'wrong'], ['nobody', 'open sesame: ü']] as const) {
      await fill(page, name, password, 'For a week');
      await expect(page.getByLabel('Name')).toHaveValue(name);
      await expect(page.getByLabel('Password')).toHaveValue('');
      await expect(page.getByLabel('Password')).toBeFocused();
      await expect(page.getByLabel('Stay signed in')).toHaveValue('1w');
      messages.push(await page.getByRole('alert').textContent());
    }
    // The message does not reveal whether the name or the password was wrong.
    expect(messages[0]).toBe(messages[1]);
    await fill(page, '', 'open sesame: ü');
    await expect(page.getByRole('alert')).toContainText(/name/i);
    await fill(page, 'ann', '');
    await expect(page.getByRole('alert')).toContainText(/password/i);
    expect(new Set([...messages, await page.getByRole('alert').textContent()]).size).toBe(2);
    await fill(page, 'ann', 'open sesame: ü');
    await alive(page);
  });
});

for (const [label, seconds] of [['For 4 hours', 14_400], ['For a day', 86_400], ['For a week', 604_800], ['For a year', 31_536_000]] as const) {
  test(`"${label}" is kept as long as it says`, async ({ page, portico }) => {
    await page.goto(address('/'));
    await fill(page, 'ben', 'lantern', label);
    await alive(page);
    const { expires } = (await sessionCookie(page, portico.url))!;
    expect(Math.abs(expires - Date.now() / 1000 - seconds)).toBeLessThan(60);
  });
}

test('each person sees the own sections, and only admins save', async ({ page, browser, baseURL }) => {
  const save = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ config: conf({ users: USERS }) }) };
  const other = await browser.newContext({ baseURL: baseURL! });
  for (const [tab, name, password, items, status] of [
    [page, 'ann', 'open sesame: ü', ['Coat rack', 'Letterbox', 'Larder', 'Treasure chest', 'Toy box'], 200],
    [await other.newPage(), 'ben', 'lantern', ['Coat rack', 'Letterbox', 'Larder', 'Toy box'], 403],
  ] as const) {
    await tab.goto(address('/'));
    await fill(tab, name, password);
    await alive(tab);
    expect(await titles(tab)).toEqual(items);
    expect((await ask(tab, '/config-manager/save', save)).status).toBe(status);
    await expect(tab.locator('.account-role')).toHaveCount(status === 200 ? 1 : 0);
  }
  await other.close();
});

test.describe('another password', () => {
  // The open page notices it as well.
  test.use({ expected: /status of 401/ });

  test('ends the sessions that began with the old one', async ({ page, portico }) => {
    await page.goto(address('/'));
    await fill(page, 'ben', 'lantern', 'For a year');
    await alive(page);
    portico.write('conf.yml', conf({ users: [USERS[0], { user: 'Ben', hash: hash('candle') }] }));
    await expect(async () => {
      await page.goto(address('/'));
      await expect(page.getByLabel('Password')).toBeVisible({ timeout: 500 });
    }).toPass();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('signing in and out works too', async ({ page }) => {
    await page.goto(address('/home/main/kitchen'));
    await fill(page, 'ann', 'open sesame: ü');
    await expect(page.getByRole('link', { name: 'Larder' })).toBeVisible();
    await signOut(page);
    await page.goto(address('/'));
    await expect(page.getByLabel('Password')).toBeVisible();
  });
});

test.describe('under a path prefix', () => {
  test.use({ environment: { BASE_URL: '/start' } });

  test('everything stays below it', async ({ page, portico }) => {
    await page.goto(`${portico.url}/home/main/kitchen`);
    await expect(page).toHaveURL(/\/start\/login\?/);
    await fill(page, 'ann', 'open sesame: ü');
    await expect(page).toHaveURL(`${portico.url}/home/main/kitchen`);
  });
});

test.describe('with guest access', () => {
  test.use({ text: conf({ users: USERS, enableGuestAccess: true }) });

  test('the page is the guests’, and signing in is offered', async ({ page }) => {
    await page.goto(address('/'));
    await alive(page);
    expect(await titles(page)).toEqual(['Coat rack', 'Toy box']);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page.getByRole('link', { name: 'Proceed as guest' })).toBeVisible();
    await fill(page, 'ann', 'open sesame: ü');
    await alive(page);
    expect(await titles(page)).toContain('Treasure chest');
    await signOut(page);
    await page.goto(address('/'));
    await alive(page);
    expect(await titles(page)).toEqual(['Coat rack', 'Toy box']);
  });
});

test.describe('an address of another site', () => {
  // One of the targets is not one of our pages, and the cookies disappear while a page is open.
  test.use({ expected: /status of (401|404)/ });

  test('is not followed after signing in', async ({ page, portico }) => {
    for (const target of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/%2Fevil.example', 'javascript:alert(1)']) {
      await page.context().clearCookies();
      await page.goto(address(`/login?return_to=${encodeURIComponent(target)}`));
      await fill(page, 'ann', 'open sesame: ü');
      await page.waitForURL((url) => !url.pathname.startsWith('/login'));
      expect(new URL(page.url()).origin).toBe(portico.url);
    }
  });
});

test('a form on another site cannot sign in', async ({ request }) => {
  const form = { user: 'ann', password: 'open sesame: ü', remember: 'never', return_to: '/' };
  const response = await request.post(address('/login'), { form, headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, maxRedirects: 0 });
  expect(response.status()).toBe(403);
  expect(response.headers()['set-cookie']).toBeUndefined();
});
