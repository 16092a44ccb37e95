// Drafts in the browser (docs/editing.md): for how long they are kept, and for whom.

import { createHash } from 'node:crypto';

import type { Locator, Page } from '@playwright/test';

import { edit, ended, file, harbour, remove, save, signIn, tile } from '../editing.ts';
import { alive, expect, open, test } from '../fixtures.ts';

const CONF = harbour({});

test.use({ text: CONF });

/** The keys of the drafts that the browser keeps. */
const drafts = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('porticoDraft')));
/** The question about the draft of an earlier visit. */
const question = (page: Page): Locator => page.getByRole('dialog', { name: 'Continue with your draft?' });

async function discard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click();
  await ended(page);
}

test('a draft survives a closed tab', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Crane')).toHaveCount(0);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await question(page).getByRole('button', { name: 'Continue' }).click();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await save(page);
  expect(file(portico)).not.toContain('Crane');
});

test('leaving a page asks first while there are changes, and only then', async ({ page }) => {
  const requested: string[] = [];
  page.on('dialog', (dialog) => {
    requested.push(dialog.type());
    void dialog.accept();
  });
  await edit(page);
  await page.reload();
  expect(requested).toEqual([]);
  await edit(page);
  await remove(page, 'Crane');
  await page.reload();
  expect(requested).toEqual(['beforeunload']);
});

test('leaving a page asks first while a form is filled in', async ({ page }) => {
  const requested: string[] = [];
  page.on('dialog', (dialog) => {
    requested.push(dialog.type());
    void dialog.accept();
  });
  await edit(page);
  await tile(page, 'Crane').click();
  await page.getByRole('dialog').getByLabel('Description').fill('Lifts');
  await page.reload();
  expect(requested).toEqual(['beforeunload']);
});

for (const [how, close] of [
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ['its cross', (page: Page) => question(page).getByRole('button', { name: 'Close' }).click()],
] as const) {
  test(`closing the question about a draft with ${how} leaves edit mode and keeps the draft`, async ({ page, portico }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await edit(page);
    await remove(page, 'Crane');
    await edit(page);
    await expect(question(page)).toBeVisible();
    await close(page);
    await ended(page);
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await question(page).getByRole('button', { name: 'Continue' }).click();
    await save(page);
    expect(file(portico)).not.toContain('Crane');
    await expect.poll(() => drafts(page)).toEqual([]);
  });
}

test.describe('in two tabs', () => {
  test('each keeps its own', async ({ page, context, portico }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await edit(page);
    const other = await context.newPage();
    await edit(other);
    await remove(page, 'Crane');
    await remove(other, 'Ferry');
    await expect.poll(() => drafts(page)).toHaveLength(2);
    await discard(other);
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await edit(other);
    await question(other).getByRole('button', { name: 'Discard it' }).click();
    await expect.poll(() => drafts(page)).toEqual([]);
    // The tab whose draft is gone stores it again.
    await remove(page, 'Ledger');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await edit(page);
    await question(page).getByRole('button', { name: 'Continue' }).click();
    await expect(page.locator('#content .items > *')).toHaveText([/^Ferry/]);
    await save(page);
    expect(file(portico)).toContain('Ferry');
    expect(file(portico)).not.toMatch(/Crane|Ledger/);
  });

  test('none replaces the draft that another one has continued', async ({ page, context }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await edit(page);
    await remove(page, 'Crane');
    const other = await context.newPage();
    other.on('dialog', (dialog) => void dialog.accept());
    await edit(other);
    await question(other).getByRole('button', { name: 'Continue' }).click();
    await expect(tile(other, 'Crane')).toHaveCount(0);
    await remove(other, 'Ferry');
    await remove(page, 'Ledger');
    await expect.poll(() => drafts(page)).toHaveLength(2);
    await page.goto('about:blank');
    await other.close();
    // The newest comes first, then the other one.
    await edit(page);
    await question(page).getByRole('button', { name: 'Discard it' }).click();
    await expect(question(page)).toBeVisible();
    await question(page).getByRole('button', { name: 'Continue' }).click();
    await expect(page.locator('#content .items > *')).toHaveText([/^Ledger/]);
    await expect.poll(() => drafts(page)).toHaveLength(1);
  });
});

const hash = (password: string) => createHash('sha256').update(password).digest('hex');

test.describe('with people', () => {
  const users = `[{ user: ann, hash: '${hash('ann')}', type: admin }, { user: ben, hash: '${hash('ben')}' }]`;
  test.use({ text: `${CONF}appConfig: { auth: { users: ${users} } }\n`, expected: /401/ });

  async function draft(page: Page): Promise<void> {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await expect.poll(() => drafts(page)).toHaveLength(1);
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
  }

  test('a draft is deleted at sign-out, in other tabs too', async ({ page, context }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, 'ann');
    await draft(page);
    const other = await context.newPage();
    await open(other);
    await signOut(other);
    await expect.poll(() => drafts(other)).toEqual([]);
    // The tab in edit mode continues, and stores nothing.
    await tile(page, 'Ferry').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('alert')).toContainText('in this tab alone');
    await expect(page.getByText('2 changes, not saved')).toBeVisible();
    await expect.poll(() => drafts(page)).toEqual([]);
    await signIn(other, 'ann');
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
  });

  test('a draft outlives the session, and is not there for another person', async ({ page, context }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, 'ann');
    await draft(page);
    await context.clearCookies();
    await signIn(page, 'ann');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await context.clearCookies();
    await signIn(page, 'ben');
    await expect.poll(() => drafts(page)).toEqual([]);
    await expect(page.getByRole('button', { name: 'Edit this page' })).toHaveCount(0);
  });
});

test.describe('where guests may look', () => {
  const users = `appConfig:
  auth:
    enableGuestAccess: true
    users:
      - user: ann
        hash: '${hash('ann')}'
        type: admin
      - user: ben
        hash: '${hash('ben')}'
`;
  const conf = CONF + users;
  test.use({ text: conf, expected: /40[13]/ });

  /** Fills in the sign-in form. */
  async function fill(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alive(page);
  }

  test('a draft outlives the session', async ({ page, context, portico }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, 'ann');
    await edit(page);
    await remove(page, 'Crane');
    await context.clearCookies();
    await tile(page, 'Ledger').focus();
    await page.keyboard.press('Alt+Shift+ArrowUp');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Your draft is kept in this browser and offered again afterwards.');
    // Nor does a page for guests delete it.
    const other = await context.newPage();
    await open(other);
    await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect.poll(() => drafts(other)).toHaveLength(1);
    expect(file(portico)).toBe(conf);
    await alert.getByRole('link', { name: 'Sign in again' }).click();
    await fill(page, 'ann');
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await question(page).getByRole('button', { name: 'Continue' }).click();
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await save(page);
    const crane = '      - title: Crane\n        url: https://crane.example\n';
    const ledger = '      - title: Ledger\n        url: https://ledger.example\n';
    const moved = conf.replace(crane, '').replace(`  - name: Office\n    items:\n${ledger}`, `${ledger}  - name: Office\n    items: []\n`);
    expect(file(portico)).toBe(moved);
    await expect.poll(() => drafts(page)).toEqual([]);
  });

  test('a draft is gone after a sign-out, and for another person', async ({ page, context }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, 'ann');
    await edit(page);
    await remove(page, 'Crane');
    await context.clearCookies();
    const other = await context.newPage();
    await open(other);
    await expect.poll(() => drafts(other)).toHaveLength(1);
    await signIn(other, 'ben');
    await expect.poll(() => drafts(other)).toEqual([]);
    // The open tab of the first person stores nothing for the second one to find.
    await tile(page, 'Ferry').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('alert')).toContainText('Only admins can edit this dashboard.');
    await expect.poll(() => drafts(other)).toEqual([]);

    await context.clearCookies();
    await signIn(other, 'ann');
    await edit(other);
    await remove(other, 'Ferry');
    const third = await context.newPage();
    await open(third);
    await expect.poll(() => drafts(third)).toHaveLength(1);
    await third.getByRole('button', { name: /^Account of/ }).click();
    await third.getByRole('button', { name: 'Sign out' }).click();
    await expect(third.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect.poll(() => drafts(third)).toEqual([]);
    await tile(other, 'Crane').focus();
    await other.keyboard.press('Delete');
    await expect(other.getByRole('alert')).toContainText('in this tab alone');
    await expect.poll(() => drafts(third)).toEqual([]);
  });
});
