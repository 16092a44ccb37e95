// A browser has copies of the current person only (docs/spec/behavior.md 21).

import { createHash } from 'node:crypto';

import type { Page } from '@playwright/test';

import { alive } from '../fixtures.ts';
import { AWAY, banner, copies, expect, install, isKept, test, visit } from '../offline.ts';

const hash = (password: string) => createHash('sha256').update(password).digest('hex');

const CONF = `pageInfo: { title: Harbour house }
appConfig:
  enableServiceWorker: true
  auth:
    enableGuestAccess: true
    users:
      - { user: ann, hash: ${hash('ann')}, type: admin }
      - { user: ben, hash: ${hash('ben')} }
sections:
  - name: Quay
    items: [ { title: Crane, url: 'https://crane.example' } ]
  - name: Attic
    displayData: { showForUsers: [ ann ] }
    items: [ { title: Chest of Ann, url: 'https://chest.example' } ]
  - name: Shed
    displayData: { showForUsers: [ ben ] }
    items: [ { title: Boat of Ben, url: 'https://boat.example' } ]
`;

// The worker is loaded some time after the page, and several visits follow.
test.describe.configure({ timeout: 90_000 });

test.use({ text: CONF, expected: new RegExp(`${AWAY.source}|status of 401`) });

async function signIn(page: Page, name: string, remember = ''): Promise<void> {
  await page.goto('./login');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(name);
  await page.locator('select[name=remember]').selectOption(remember ? { label: remember } : { index: 0 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alive(page);
}

/** All texts of all copies. */
function kept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    let all = '';
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true });
        if (/html|json/.test(response?.headers.get('content-type') ?? '')) all += await response!.text();
      }
    }
    return all;
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

test('signing out deletes all copies, and empties other tabs', async ({ page, context }) => {
  await signIn(page, 'ann');
  await install(page);
  expect(await kept(page)).toContain('Chest of Ann');
  const other = await visit(context);
  await alive(other);
  await expect(other.getByText('Chest of Ann')).toBeVisible();
  await expect.poll(() => other.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/offline/page-'))), { timeout: 10_000 }).toBe(true);
  await signOut(page);
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await expect(other.getByText('Chest of Ann')).toHaveCount(0);
  await expect(other.getByRole('link', { name: 'Crane' })).toBeVisible();
  expect(await kept(page)).not.toContain('Chest of Ann');
});

test('two people on one browser never see each other’s copies', async ({ page, portico }) => {
  await signIn(page, 'ann');
  await install(page);
  // Ann's session ends without signing out.
  await page.context().clearCookies();
  await signIn(page, 'ben');
  await expect(page.getByText('Boat of Ben')).toBeVisible();
  await expect.poll(() => kept(page)).toContain('Boat of Ben');
  expect(await kept(page)).not.toContain('Chest of Ann');
  await portico.stop();
  await page.goto('./');
  await expect(banner(page)).toBeVisible();
  await expect(page.getByText('Boat of Ben')).toBeVisible();
  await expect(page.getByText('Chest of Ann')).toHaveCount(0);
});

test('a guest never sees the copy of somebody who was signed in', async ({ page, portico }) => {
  await signIn(page, 'ann');
  await install(page);
  await page.context().clearCookies();
  await page.goto('./');
  await alive(page);
  await expect.poll(() => isKept(page, '/')).toBe(true);
  await portico.stop();
  await page.goto('./');
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await expect(page.getByText('Chest of Ann')).toHaveCount(0);
});

test('a sign-in until the browser is closed leaves no copies afterwards', async ({ page, portico }) => {
  await signIn(page, 'ann');
  await install(page);
  await portico.stop();
  await page.goto('./');
  await expect(page.getByText('Chest of Ann')).toBeVisible();
  // The browser deletes this when it is closed.
  await page.context().clearCookies();
  await page.goto('./');
  await expect(page.getByText('has no copy of the page')).toBeVisible();
  expect(Object.keys(await copies(page)).filter((name) => name.includes(' of '))).toEqual([]);
});

test('a sign-in that is remembered may be looked at without the server', async ({ page, portico }) => {
  await signIn(page, 'ann', 'For a day');
  await install(page);
  await portico.stop();
  await page.context().clearCookies();
  await page.goto('./');
  await expect(page.getByText('Chest of Ann')).toBeVisible();
  // The lifetime of the copies has ended.
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((name) => name.endsWith(' meta'))!;
    const cache = await caches.open(name);
    const who = await (await cache.match('/who'))!.json();
    await cache.put('/who', new Response(JSON.stringify({ ...who, until: Date.now() - 1 })));
  });
  const session = await page.context().newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await page.goto('./');
  await expect(page.getByText('has no copy of the page')).toBeVisible();
});
