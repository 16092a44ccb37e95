// Saving a draft (docs/editing.md, "Saving"): what is changed meanwhile, what other files do not get, and which comments are lost.

import type { Locator, Page } from '@playwright/test';

import { bar, edit, ended, file, harbour, newestBackup, remove, save, textOf, tile, toPage, tool } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = harbour();

test.use({ text: CONF });

const saveButton = (page: Page): Locator => bar(page).getByRole('button', { name: 'Save', exact: true });
const question = (page: Page): Locator => page.getByRole('dialog', { name: 'Save without comments?' });

/** Clicks Save. The server saves, but its answer arrives only when the returned function is called. */
async function startSaving(page: Page): Promise<() => Promise<void>> {
  let release = (): void => {};
  const held = new Promise<void>((done) => { release = done; });
  await page.route('**/fn/editor-save', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const requested = page.waitForRequest('**/fn/editor-save');
  await saveButton(page).click();
  const answered = (await requested).response();
  return async () => {
    release();
    await answered;
    await page.unroute('**/fn/editor-save');
  };
}

async function typeYaml(page: Page, text: string): Promise<void> {
  await (await tool(page, 'Edit as YAML')).click();
  await expect(page.getByRole('textbox', { name: /^YAML of conf\.yml/ })).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test.describe('while the draft is being saved', () => {
  test('a change is kept, and saved next', async ({ page, portico }) => {
    await edit(page);
    await remove(page, 'Crane');
    const answer = await startSaving(page);
    await remove(page, 'Ferry');
    await answer();
    await expect(bar(page)).toContainText('What you have changed since then is not saved yet.');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    const saved = file(portico);
    expect(saved).toContain('Ferry');
    expect(saved).not.toContain('Crane');
    await expect(page.getByRole('button', { name: 'Undo: Delete item “Ferry”' })).toBeEnabled();
    await save(page);
    expect(file(portico)).not.toMatch(/Crane|Ferry/);
    expect(newestBackup(portico)).toBe(saved);
  });

  test('an undone step is kept undone', async ({ page, portico }) => {
    await edit(page);
    await remove(page, 'Crane');
    const answer = await startSaving(page);
    await page.getByRole('button', { name: 'Undo: Delete item “Crane”' }).click();
    await expect(tile(page, 'Crane')).toHaveCount(1);
    await answer();
    await expect(page.getByRole('button', { name: 'Undo: Changes during saving' })).toBeEnabled();
    expect(file(portico)).not.toContain('Crane');
    await save(page);
    expect(file(portico)).toBe(CONF);
  });

  test('an open form stays', async ({ page, portico }) => {
    await edit(page);
    await remove(page, 'Crane');
    const answer = await startSaving(page);
    await tile(page, 'Ferry').click();
    const description = page.getByRole('dialog').getByLabel('Description');
    await description.fill('Crosses');
    await answer();
    await expect(bar(page)).toContainText('not saved yet');
    await expect(description).toHaveValue('Crosses');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await save(page);
    expect(file(portico)).toContain('description: Crosses');
    expect(file(portico)).not.toContain('Crane');
  });
});

test.describe('a section for another page', () => {
  test.use({ text: `${CONF}pages:\n  - name: Boats\n    path: boats.yml\n` });

  test('stays in the draft while that page cannot be written', async ({ page, portico }) => {
    const boats = 'sections:\n  - name: Pier\n';
    portico.write('boats.yml', boats);
    await edit(page);
    await remove(page, 'Crane');
    await toPage(page, 'Copy to page…', 'Boats');
    await expect(page.getByText('2 changes, not saved')).toBeVisible();
    portico.write('boats.yml', 'sections: [\n');
    await saveButton(page).click();
    await expect(page.getByRole('alert')).toContainText('“Quay” was not added to boats.yml');
    await expect(page.getByRole('alert')).toContainText('conf.yml is saved.');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    const saved = file(portico);
    expect(saved).not.toContain('Crane');
    portico.write('boats.yml', boats);
    await save(page);
    await expect(page.locator('.toast')).toContainText('“Quay” was added to boats.yml.');
    expect(textOf(portico, 'boats.yml')).toContain('name: Pier\n  - name: Quay\n');
    expect(file(portico)).toBe(saved);
  });
});

test.describe('comments', () => {
  const commented = CONF.replace('title: Harbour', 'title: Harbour # kept');
  test.use({ text: commented });

  test('of the file are asked about when a draft of an earlier visit goes on', async ({ page, portico }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await edit(page);
    await remove(page, 'Crane');
    await edit(page);
    await page.getByRole('dialog', { name: 'Continue with your draft?' }).getByRole('button', { name: 'Continue' }).click();
    await saveButton(page).click();
    await expect(question(page)).toContainText('There are comments in conf.yml.');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(file(portico)).toBe(commented);
  });

  test('that a backup has or lacks are a difference', async ({ page, portico }) => {
    portico.write('config-backups/conf-1600000000000.backup.yml', CONF);
    await edit(page);
    await (await tool(page, 'Backups')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Differences/ }).click();
    await expect(dialog.locator('del')).toHaveText('- ' + '  title: Harbour # kept\n');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await save(page);
    expect(file(portico)).toBe(CONF);
  });
});

test('comments that were typed are asked about when a form changes the text', async ({ page, portico }) => {
  await edit(page);
  await typeYaml(page, '# typed\n');
  await remove(page, 'Crane');
  await saveButton(page).click();
  await expect(question(page)).toContainText('You wrote comments as YAML');
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Undo: Delete item “Crane”' }).click();
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await save(page);
  expect(file(portico)).toBe(`${CONF}# typed\n`);
});

test.describe('what the server refuses', () => {
  test.use({ expected: /400/ });

  test('stays in edit mode: a file that is too large', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').click();
    await page.getByRole('dialog').getByLabel('Description').fill('y'.repeat(262_144));
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    await saveButton(page).click();
    await expect(page.getByRole('alert')).toContainText('256 KB');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    expect(file(portico)).toBe(CONF);
  });

  test('stays in edit mode: what the schema forbids', async ({ page, portico }) => {
    await edit(page);
    await typeYaml(page, '      - title: Stamp\n        hotkey: soon\n');
    await saveButton(page).click();
    await expect(page.getByRole('alert')).toContainText('hotkey');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    await expect(bar(page).getByRole('button', { name: '1 problem' })).toBeVisible();
    expect(file(portico)).toBe(CONF);
    await page.getByRole('button', { name: 'Undo: Edit as YAML' }).click();
    await remove(page, 'Crane');
    await save(page);
    await ended(page);
  });
});
