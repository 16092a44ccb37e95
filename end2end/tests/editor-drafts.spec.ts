// Drafts in the browser (docs/editing.md): for how long they are kept, and for whom.

import { createHash } from 'node:crypto';

import type { Page } from '@playwright/test';

import { edit, file, harbour, remove, save, signIn, tile } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';

const CONF = harbour({});

test.use({ text: CONF });

test('a draft survives a closed tab', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Crane')).toHaveCount(0);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await page.getByRole('dialog', { name: 'Continue with your draft?' }).getByRole('button', { name: 'Continue' }).click();
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

const hash = (password: string) => createHash('sha256').update(password).digest('hex');

test.describe('with people', () => {
  const users = `[{ user: ann, hash: ${hash('ann')}, type: admin }, { user: ben, hash: ${hash('ben')} }]`;
  test.use({ text: `${CONF}appConfig: { auth: { users: ${users} } }\n`, expected: /401/ });

  /** The keys of the drafts that the browser keeps. */
  const drafts = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('porticoDraft')));

  async function draft(page: Page): Promise<void> {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await expect(tile(page, 'Crane')).toHaveCount(0);
    expect(await drafts(page)).toHaveLength(1);
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
  }

  test('a draft goes with a sign-out, in other tabs too', async ({ page, context }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, 'ann');
    await draft(page);
    const other = await context.newPage();
    await open(other);
    await signOut(other);
    expect(await drafts(other)).toEqual([]);
    // The tab in edit mode continues, and stores nothing.
    await tile(page, 'Ferry').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('alert')).toContainText('in this tab alone');
    await expect(page.getByText('2 changes, not saved')).toBeVisible();
    expect(await drafts(page)).toEqual([]);
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
    expect(await drafts(page)).toHaveLength(1);
    await context.clearCookies();
    await signIn(page, 'ben');
    expect(await drafts(page)).toEqual([]);
    await expect(page.getByRole('button', { name: 'Edit this page' })).toHaveCount(0);
  });
});
