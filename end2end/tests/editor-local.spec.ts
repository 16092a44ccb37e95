// The local config (docs/editing.md, "Saving locally"): a draft that one browser shows instead of the file.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, edit, ended, file, newestBackup, remove, signIn, tile, tool } from '../editing.ts';
import { alive, expect, open, rewrite, test } from '../fixtures.ts';
import { Upstream } from '../upstream.ts';

const CONF = `pageInfo:
  title: Harbour # kept
pages:
  - { name: Shed, path: shed.yml }
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
      - title: Ferry
        url: https://ferry.example
`;

test.use({ text: CONF });

const badge = (page: Page): Locator => page.getByRole('button', { name: 'Local config', exact: true });
const panel = (page: Page): Locator => page.locator('#local-panel');
const button = (page: Page, name: string): Locator => panel(page).getByRole('button', { name, exact: true });

async function saveLocally(page: Page): Promise<void> {
  await (await tool(page, 'Save locally')).click();
  await page.getByRole('dialog', { name: 'Save in this browser only?' }).getByRole('button', { name: 'Save locally' }).click();
  await ended(page);
}

/** Removes a tile, in this browser only. */
async function local(page: Page, title: string): Promise<void> {
  await edit(page);
  await remove(page, title);
  await saveLocally(page);
  await expect(badge(page)).toBeVisible();
}

/** The storage keys of local configs. */
const kept = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('porticoDraft')));

test('is what this browser shows, and no other one', async ({ page, browser, portico }) => {
  await local(page, 'Crane');
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await expect(tile(page, 'Ferry')).toHaveCount(1);
  expect(file(portico)).toBe(CONF);
  await open(page);
  await expect(badge(page)).toBeVisible();
  await expect(page.locator('#content')).toBeVisible();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await badge(page).click();
  await expect(panel(page)).toContainText('stored only in this browser');
  await open(page, '/minimal');
  await expect(badge(page)).toBeVisible();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  const other = await browser.newPage({ baseURL: portico.url });
  await open(other);
  await expect(tile(other, 'Crane')).toHaveCount(1);
  await expect(badge(other)).toHaveCount(0);
  await other.close();
});

test('nothing of it is loaded without one', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await open(page);
  expect(requested.filter((path) => /edit/.test(path))).toEqual([]);
});

test('is asked about, and can be used by everybody', async ({ page }) => {
  await edit(page);
  await expect(await tool(page, 'Save locally')).toBeDisabled();
  await remove(page, 'Crane');
  await (await tool(page, 'Save locally')).click();
  const question = page.getByRole('dialog', { name: 'Save in this browser only?' });
  await check(page, () => expect(question).toBeVisible());
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(bar(page)).toBeVisible();
  await saveLocally(page);
  await badge(page).click();
  await check(page, () => expect(panel(page)).toBeVisible());
});

test('is downloaded, saved to disk, and then gone', async ({ page, portico }) => {
  await local(page, 'Crane');
  await badge(page).click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).not.toContain('Crane');
  await button(page, 'Save to disk').click();
  await expect(panel(page)).toContainText('Write the local config to conf.yml?');
  await button(page, 'Cancel').click();
  await button(page, 'Save to disk').click();
  await button(page, 'Save').click();
  await expect(badge(page)).toHaveCount(0);
  expect(file(portico)).toBe(text);
  expect(newestBackup(portico)).toBe(CONF);
  expect(await kept(page)).toEqual([]);
  await expect(tile(page, 'Crane')).toHaveCount(0);
});

test('is reset after a question', async ({ page }) => {
  await local(page, 'Crane');
  await badge(page).click();
  await button(page, 'Reset').click();
  const loaded = page.waitForEvent('load');
  await button(page, 'Reset').click();
  await loaded;
  await alive(page);
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await expect(badge(page)).toHaveCount(0);
});

test('is what is edited, and a save to disk ends it', async ({ page, portico }) => {
  await local(page, 'Crane');
  await badge(page).click();
  await button(page, 'Edit').click();
  await expect(bar(page)).toBeVisible();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await expect(badge(page)).toBeHidden();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click();
  await ended(page);
  await expect(badge(page)).toBeVisible();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await expect(page.getByRole('button', { name: 'Undo: Your local config' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The comments of the file are not in the local config, which a form has changed.
  const question = page.getByRole('dialog', { name: 'Save without comments?' });
  await expect(question).toContainText('There are comments in conf.yml.');
  expect(file(portico)).toBe(CONF);
  await question.getByRole('button', { name: 'Save' }).click();
  await ended(page);
  await expect(badge(page)).toHaveCount(0);
  expect(file(portico)).not.toContain('Crane');
});

test.describe('where no backups are kept', () => {
  test.use({ environment: { DISABLE_CONFIG_BACKUPS: 'true' } });

  test('the question before it is saved to disk promises none', async ({ page }) => {
    await local(page, 'Crane');
    await badge(page).click();
    await button(page, 'Save to disk').click();
    await expect(panel(page).getByRole('status')).toHaveText(/without comments that only the file has\. What is in the file now is lost, because this server keeps no backups\.$/);
  });
});

test.describe('when the file changes', () => {
  test.use({ expected: /409/ });

  test('nothing is overwritten unseen', async ({ page, portico }) => {
    await local(page, 'Crane');
    const theirs = CONF.replace('Harbour', 'Theirs');
    await rewrite(page, portico, theirs);
    await open(page);
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await badge(page).click();
    await expect(panel(page)).toContainText('conf.yml has changed since');
    await button(page, 'Save to disk').click();
    await button(page, 'Save').click();
    await expect(panel(page).getByRole('status')).toContainText('you see both versions first');
    expect(file(portico)).toBe(theirs);
    await button(page, 'Edit').click();
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: 'Save without comments?' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog', { name: 'The file has changed' })).toBeVisible();
  });
});

test.describe('where nothing may be written', () => {
  test.use({ text: `${CONF}appConfig: { preventWriteToDisk: true }\n` });

  test('it is still saved locally', async ({ page }) => {
    await local(page, 'Crane');
    await badge(page).click();
    await expect(button(page, 'Save to disk')).toBeDisabled();
    await expect(button(page, 'Save to disk')).toHaveAttribute('title', /preventWriteToDisk/);
  });
});

test.describe('where it is forbidden', () => {
  test.use({ expected: /403/ });

  test('the button says why, and the local config is not shown', async ({ page, portico }) => {
    await local(page, 'Crane');
    portico.replace('conf.yml', `${CONF}appConfig: { preventLocalSave: true }\n`);
    await expect.poll(async () => (await page.request.get('./conf.yml')).text()).toContain('preventLocalSave');
    await open(page);
    await expect(tile(page, 'Crane')).toHaveCount(1);
    const refused = page.getByRole('button', { name: 'Local config not shown' });
    await refused.click();
    await expect(panel(page)).toContainText('Remove preventLocalSave');
    await expect(button(page, 'Save to disk')).toBeDisabled();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await expect(await tool(page, 'Save locally')).toBeDisabled();
    await expect(await tool(page, 'Save locally')).toHaveAttribute('title', /preventLocalSave/);
  });
});

test('belongs to its page', async ({ page, portico }) => {
  portico.write('shed.yml', 'sections: [{ name: Tools, items: [{ title: Saw, url: https://saw.example }, { title: Axe, url: https://axe.example }] }]\n');
  await expect.poll(async () => (await page.request.get('./home/shed')).status()).toBe(200);
  await open(page, '/home/shed');
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await expect(page.getByRole('button', { name: 'Add section' })).toBeVisible();
  await remove(page, 'Saw');
  await saveLocally(page);
  await expect(badge(page)).toBeVisible();
  await open(page);
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await expect(badge(page)).toHaveCount(0);
  await open(page, '/home/shed');
  await expect(badge(page)).toBeVisible();
  await expect(tile(page, 'Saw')).toHaveCount(0);
});

test.describe('with another theme and other widgets', () => {
  test.use({ text: 'appConfig: { theme: nord }\nsections: [{ name: A, widgets: [{ type: clock, label: Here }, { type: clock, label: Mine }] }]\n' });

  test('looks as it will look, and asks for no panel of another widget', async ({ page }) => {
    const upstream = await Upstream.start();
    upstream.responses.set('/state', { state: 'all is well' });
    await open(page);
    const widget = `{ type: api-response, label: Other, options: { url: '${upstream.url}/state', mappings: [{ field: state, label: State }] } }`;
    const text = `appConfig: { theme: dracula, customCss: ".widget-label { letter-spacing: 3px }" }\nsections: [{ name: A, widgets: [{ type: clock, label: Here }, ${widget}] }]\n`;
    await page.evaluate((text) => {
      const key = `porticoDraft-${document.documentElement.dataset['drafts']}-/`;
      localStorage.setItem(key, JSON.stringify({ text, version: '', base: '', at: 0 }));
    }, text);
    await open(page);
    await expect(badge(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dracula');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--background'))).toBe('#44475a');
    await expect(page.locator('.widget-label').first()).toHaveCSS('letter-spacing', '3px');
    await expect(page.locator('.widget-base').first()).toContainText('Here');
    await expect(page.locator('.widget-base').last()).toContainText('all is well');
    await expect(page.locator('.widget-base').last()).not.toHaveAttribute('data-place', /./);
    await upstream.stop();
  });
});

test.describe('with people', () => {
  const hash = (password: string) => createHash('sha256').update(password).digest('hex');
  const users = `[{ user: ann, hash: ${hash('ann')}, type: admin }, { user: ben, hash: ${hash('ben')} }]`;
  test.use({ text: `${CONF}appConfig: { auth: { users: ${users} } }\n` });

  test('it outlives the session, and is deleted at sign-out', async ({ page, context }) => {
    await signIn(page, 'ann');
    await local(page, 'Crane');
    await context.clearCookies();
    await signIn(page, 'ann');
    await expect(badge(page)).toBeVisible();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
    expect(await kept(page)).toEqual([]);
  });

  test('it is not there for another person', async ({ page, context }) => {
    await signIn(page, 'ann');
    await local(page, 'Crane');
    await context.clearCookies();
    await signIn(page, 'ben');
    await expect(tile(page, 'Crane')).toHaveCount(1);
    await expect(badge(page)).toHaveCount(0);
    expect(await kept(page)).toEqual([]);
  });
});

test.describe('where guests may look', () => {
  const hash = createHash('sha256').update('ann').digest('hex');
  test.use({ text: `${CONF}appConfig: { auth: { enableGuestAccess: true, users: [{ user: ann, hash: ${hash}, type: admin }] } }\n`, expected: /401/ });

  test('it stays on the open page when the session has ended, and comes back after signing in', async ({ page, context }) => {
    await signIn(page, 'ann');
    await local(page, 'Crane');
    await context.clearCookies();
    const drawn = page.waitForResponse((response) => response.url().endsWith('/fn/editor-preview'));
    await page.evaluate(() => document.dispatchEvent(new Event('portico:status')));
    expect((await drawn).status()).toBe(401);
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await open(page);
    await expect(tile(page, 'Crane')).toHaveCount(1);
    await signIn(page, 'ann');
    await expect(badge(page)).toBeVisible();
    await expect(tile(page, 'Crane')).toHaveCount(0);
  });
});
