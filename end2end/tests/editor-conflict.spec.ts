// Two people edit the same file (docs/editing.md, "When another user saves"): each in their own browser.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, edit, ended, file, harbour, newestBackup, remove, save, textOf, tile, toPage, tool } from '../editing.ts';
import { expect, open, rewrite, test } from '../fixtures.ts';
import type { Portico } from '../server.ts';

const CONF = harbour();

test.use({ text: CONF, expected: /409/ });

const conflict = (page: Page): Locator => page.getByRole('dialog', { name: 'The file has changed' });
const entry = (page: Page, name: RegExp): Locator => conflict(page).getByRole('group', { name });
const saveButton = (page: Page): Locator => bar(page).getByRole('button', { name: 'Save', exact: true });

/** Another person's page. */
async function other(browser: Browser, portico: Portico): Promise<Page> {
  const context = await browser.newContext({ baseURL: `${portico.url}/` });
  return context.newPage();
}

async function describe(page: Page, title: string, description: string): Promise<void> {
  await tile(page, title).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Description').fill(description);
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(form).toHaveCount(0);
  // The focus comes back, and keys that follow go there.
  await expect(tile(page, title)).toBeFocused();
}

test('changes of two people in different places are merged', async ({ page, browser, portico }) => {
  const their = await other(browser, portico);
  await edit(page);
  await edit(their);
  await describe(page, 'Crane', 'Mine');
  await describe(their, 'Ledger', 'Theirs');
  await save(their);
  // The tab reports it at once.
  await expect(page.getByRole('alert')).toContainText('changed by somebody else');
  await saveButton(page).click();
  await expect(entry(page, /^Quay › Crane changed by you/).getByLabel('Mine')).toBeChecked();
  await expect(entry(page, /^Office › Ledger changed by somebody else/).getByLabel('Theirs')).toBeChecked();
  await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico)).toContain('description: Mine');
  expect(file(portico)).toContain('description: Theirs');
  expect(newestBackup(portico)).not.toContain('description: Mine');
  await their.context().close();
});

test('conflicting changes are chosen entry by entry, and nothing is saved before', async ({ page, browser, portico }) => {
  const their = await other(browser, portico);
  await edit(page);
  await edit(their);
  await describe(page, 'Crane', 'Mine');
  await describe(page, 'Ferry', 'Mine too');
  await describe(their, 'Crane', 'Theirs');
  await remove(their, 'Ferry');
  await save(their);
  const theirs = file(portico);
  await page.getByRole('alert').getByRole('button', { name: 'Compare' }).click();
  const keep = conflict(page).getByRole('button', { name: 'Save', exact: true });
  await expect(keep).toBeDisabled();
  await expect(conflict(page).getByRole('status')).toContainText('2 entries were changed by both');
  const crane = entry(page, /^Quay › Crane changed by both/);
  await expect(crane).toContainText('description: Mine');
  await expect(crane).toContainText('description: Theirs');
  await crane.getByText('Before').click();
  await expect(crane.locator('details pre')).toHaveText('title: Crane\nurl: https://crane.example');
  await crane.getByLabel('Theirs').check();
  const ferry = entry(page, /^Quay › Ferry changed by both/);
  await expect(ferry).toContainText('Not there.');
  expect(file(portico)).toBe(theirs);
  await ferry.getByLabel('Mine').check();
  await keep.click();
  await ended(page);
  expect(file(portico)).toContain('description: Theirs');
  expect(file(portico)).toContain('description: Mine too');
  expect(file(portico)).not.toContain('description: Mine\n');
  expect(newestBackup(portico)).toBe(theirs);
  await their.context().close();
});

test('a moved item is one entry, and is merged once', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').click();
  await page.getByRole('dialog').getByLabel('Move or copy to section').selectOption('Office');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.locator('#s-1')).toContainText('Crane');
  const theirs = CONF.replace('crane.example', 'other.example');
  await rewrite(page, portico, theirs);
  await saveButton(page).click();
  const crane = entry(page, /^Quay › Crane moved to Office by you, changed by somebody else/);
  await expect(crane).toContainText('https://crane.example');
  await expect(crane).toContainText('https://other.example');
  await expect(conflict(page).getByRole('group', { name: '›' })).toHaveCount(1);
  await expect(conflict(page).getByRole('status')).toContainText('One entry was changed by both');
  await crane.getByLabel('Mine').check();
  await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico).match(/title: Crane/g)).toHaveLength(1);
  expect(file(portico)).toMatch(/name: Office[^]*title: Crane\n\s+url: https:\/\/crane\.example/);
});

test('one side can be taken as a whole', async ({ page, portico }) => {
  await edit(page);
  await describe(page, 'Crane', 'Mine');
  const theirs = CONF.replace('title: Crane', 'title: Winch');
  await rewrite(page, portico, theirs);
  await saveButton(page).click();
  await conflict(page).getByRole('button', { name: 'All theirs' }).click();
  await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(conflict(page)).toHaveCount(0);
  await expect(tile(page, 'Winch')).toHaveCount(1);
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  expect(file(portico)).toBe(theirs);
});

test('a change that is saved during the choice is included', async ({ page, portico }) => {
  await edit(page);
  await describe(page, 'Crane', 'Mine');
  await rewrite(page, portico, CONF.replace('Ledger', 'Books'));
  await saveButton(page).click();
  await expect(entry(page, /Books/)).toBeVisible();
  const latest = CONF.replace('Harbour', 'Port');
  await rewrite(page, portico, latest);
  await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(entry(page, /^Page info › title/)).toBeVisible();
  expect(file(portico)).toBe(latest);
});

test('a person without changes gets the new file at once', async ({ page, portico }) => {
  await edit(page);
  await rewrite(page, portico, CONF.replace('Crane', 'Winch'));
  await expect(tile(page, 'Winch')).toHaveCount(1);
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  await remove(page, 'Ferry');
  await save(page);
  expect(file(portico)).toContain('Winch');
});

for (const [what, path] of [
  // The tab has just learned of the change, and fetches the page.
  ['fetches the changed page', '/'],
  // The editor fetches the schema last, after the file.
  ['has loaded the file', '/schema.json'],
] as const) {
  test(`an editor that starts while the tab ${what} stays, and gets the new file`, async ({ page, portico }) => {
    const winch = CONF.replace('Crane', 'Winch');
    await open(page);
    let release = (): void => {};
    const held = new Promise<void>((done) => { release = done; });
    await page.route((url) => url.pathname === path, async (route) => {
      if (route.request().resourceType() === 'fetch') await held;
      await route.continue();
    });
    const requested = page.waitForRequest((request) => new URL(request.url()).pathname === path && request.resourceType() === 'fetch');
    const start = () => page.getByRole('button', { name: 'Edit this page' }).click();
    if (path === '/') {
      portico.replace('conf.yml', winch);
      await requested;
      await start();
      await expect(bar(page)).toBeVisible();
      release();
    } else {
      await start();
      await requested;
      const patched = page.waitForResponse((response) => new URL(response.url()).pathname === '/' && response.request().resourceType() === 'fetch');
      portico.replace('conf.yml', winch);
      await (await patched).finished();
      release();
    }
    await expect(tile(page, 'Winch')).toHaveCount(1);
    await expect(bar(page)).toBeVisible();
    await remove(page, 'Ferry');
    await save(page);
    expect(file(portico)).toContain('Winch');
  });
}

test('a draft of an earlier visit is compared with the file that it began with', async ({ page, portico }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await edit(page);
  await remove(page, 'Crane');
  await page.goto('about:blank');
  portico.replace('conf.yml', CONF.replace('Ledger', 'Books'));
  await edit(page);
  await page.getByRole('dialog', { name: 'Continue with your draft?' }).getByRole('button', { name: 'Continue' }).click();
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await saveButton(page).click();
  await expect(entry(page, /^Quay › Crane changed by you/).getByLabel('Mine')).toBeChecked();
  await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico)).toContain('Books');
  expect(file(portico)).not.toContain('Crane');
});

test.describe('with a file that cannot be read', () => {
  test.use({ expected: /409|400/ });

  test('it can be written over', async ({ page, portico }) => {
    await edit(page);
    await remove(page, 'Crane');
    writeFileSync(join(portico.directory, 'conf.yml'), 'sections: [\n');
    await saveButton(page).click();
    const question = page.getByRole('dialog', { name: 'cannot be read' });
    await question.getByRole('button', { name: 'Overwrite it' }).click();
    await ended(page);
    expect(file(portico)).toContain('Ferry');
    expect(newestBackup(portico)).toBe('sections: [\n');
  });
});

test.describe('with another page', () => {
  const conf = `${CONF}pages:\n  - name: Boats\n    path: boats.yml\n`;
  const boats = 'pageInfo:\n  title: Boats\nsections:\n  - name: Pier\n';
  test.use({ text: conf });

  test('what is to be copied there is copied all the same', async ({ page, portico }) => {
    portico.write('boats.yml', boats);
    await edit(page);
    await toPage(page, 'Copy to page…', 'Boats');
    await expect(page.getByRole('button', { name: 'Undo: Copy section “Quay” to page “Boats”' })).toBeVisible();
    const theirs = conf.replace('Ledger', 'Books');
    await rewrite(page, portico, theirs);
    await saveButton(page).click();
    await expect(entry(page, /Books/)).toBeVisible();
    await conflict(page).getByRole('button', { name: 'Save', exact: true }).click();
    await ended(page);
    expect(file(portico)).toBe(theirs);
    expect(textOf(portico, 'boats.yml')).toMatch(/name: Pier\n {2}- name: Quay\n[^]*title: Ferry/);
  });
});

test.describe('where no backups are kept', () => {
  test.use({ environment: { DISABLE_CONFIG_BACKUPS: 'true' }, expected: /409|400/ });

  test('none is promised', async ({ page, portico }) => {
    await edit(page);
    await (await tool(page, 'Backups')).click();
    await expect(page.getByRole('dialog', { name: 'Backups' })).toContainText('There are no backups. No backup is kept, because DISABLE_CONFIG_BACKUPS is set.');
    await page.keyboard.press('Escape');
    await describe(page, 'Crane', 'Mine');
    await rewrite(page, portico, CONF.replace('Ledger', 'Books'));
    await saveButton(page).click();
    await expect(conflict(page)).toContainText('the file as it is now is lost. No backup is kept');
    await conflict(page).getByRole('button', { name: 'Keep editing' }).click();
    writeFileSync(join(portico.directory, 'conf.yml'), 'sections: [\n');
    await saveButton(page).click();
    await expect(page.getByRole('dialog', { name: 'cannot be read' })).toContainText('Overwriting it loses the other version.');
  });
});

test('is accessible, by day and by night, on a desk and on a phone', async ({ page, portico }) => {
  test.setTimeout(60_000);
  await edit(page);
  await describe(page, 'Crane', 'Mine');
  await rewrite(page, portico, CONF.replace('https://crane.example', 'https://other.example'));
  await saveButton(page).click();
  await expect(entry(page, /Crane/)).toBeVisible();
  await check(page, async () => {
    const tooWide = await conflict(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
    expect(tooWide).toBe(false);
  });
});
