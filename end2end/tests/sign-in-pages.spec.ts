// Accessibility of the pages for signing in and out, and of the account panel.

import { check } from '../accessibility.ts';
import { address, alive } from '../fixtures.ts';
import { conf, expect, signIn, test } from '../sign-in.ts';

// Checking a page four times is slow on a slow machine.
test.describe.configure({ timeout: 90_000 });

const USERS = [{ user: 'ann', hash: '0'.repeat(64), type: 'admin' }];

test.describe('the login page', () => {
  test.use({ text: conf({ users: USERS, enableGuestAccess: true }), expected: /status of 401/ });

  test.use({ portico: async ({ start, text }, use) => use(await start({ text })) });

  test('has nothing against it, with and without a message', async ({ page }) => {
    await check(page, async () => {
      await page.goto(address('/login?return_to=/home'));
      await expect(page.getByLabel('Name')).toBeFocused();
    });
    await check(page, async () => {
      await page.goto(address('/login'));
      await page.getByLabel('Name').fill('ann');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    });
  });

  test('fits a phone without scrolling sideways', async ({ page }) => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(address('/login'));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

test.describe('the login page of a provider', () => {
  test.use({ oidc: { showLoginPage: true }, auth: { enableGuestAccess: true } });

  test('has nothing against it', async ({ page }) => {
    await check(page, async () => {
      await page.goto(address('/login'));
      await expect(page.getByRole('link', { name: 'Proceed as guest' })).toBeVisible();
    });
  });
});

test.describe('a failure', () => {
  test.use({ expected: /status of (400|401|403|50\d)/ });

  test('shows the provider’s message and what to check; axe finds nothing', async ({ page, provider }) => {
    await page.goto(address('/'));
    await page.getByRole('link', { name: /Cancel/ }).click();
    await expect(page.getByRole('alert')).toContainText('Access was denied at the identity provider');
    await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
    await expect(page).toHaveTitle(/Harbour house/);
    await provider.stop();
    await check(page, async () => {
      await page.goto(address('/?error=invalid_scope&error_description=nothing+of+the+kind&state=made-up'));
      await expect(page.getByRole('alert')).toBeVisible();
      // Text from the address is not shown as a message of the provider.
      await expect(page.getByRole('main')).not.toContainText('nothing of the kind');
    });
  });
});

test.describe('the signed-out page', () => {
  test('has nothing against it', async ({ page }) => {
    await check(page, async () => {
      await page.goto(address('/signed-out'));
      await expect(page.getByRole('link', { name: 'Sign in again' })).toBeVisible();
    });
  });
});

test('the account panel has nothing against it, nor has the message at the end of a session', async ({ page }) => {
  await signIn(page, 'ann');
  await check(page, async () => {
    await page.goto(address('/'));
    await alive(page);
    await page.getByRole('button', { name: 'Account of ann' }).click();
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await page.locator('#session-ended').evaluate((message: HTMLElement) => (message.hidden = false));
  });
});

test('the account panel opens and closes by keyboard', async ({ page }) => {
  await signIn(page, 'ann');
  await page.getByRole('button', { name: 'Account of ann' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Account of ann' })).toBeFocused();
});
