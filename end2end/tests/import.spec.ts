// Importing in the editor (docs/import.md): files or text of another dashboard, the report, and one step in the draft.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { violations } from '../axe.ts';
import { QUAY, tool } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';
import type { Portico } from '../server.ts';

const CONF = QUAY;

const EXAMPLES = join(import.meta.dirname, '../../import/tests/examples');

test.use({ text: CONF });

/** What is in the file. */
const file = (portico: Portico) => readFileSync(join(portico.directory, 'conf.yml'), 'utf8');

async function openImport(page: Page): Promise<void> {
  await open(page);
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await (await tool(page, 'Import')).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

const SERVICES = `- Media:
    - Jellyfin:
        icon: mdi-play
        href: https://jellyfin.example
        siteMonitor: http://jellyfin.example/health
        widget: { type: unraid, url: 'http://tower.example:8989' }
    - Downloads:
        - Queue:
            href: https://queue.example
            widget: { type: sonarr, url: 'http://sonarr.example:8989', key: '{{HOMEPAGE_VAR_SONARR}}' }
`;
const LINKS = `- Work:
    - Forge:
        - href: https://forge.example
`;

const named = (name: string, text: string) => ({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) });

test('the files of Homepage are reported, added in one step, and saved', async ({ page, portico }) => {
  await openImport(page);
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles([named('services.yaml', SERVICES), named('bookmarks.yaml', LINKS)]);
  await dialog.getByRole('button', { name: 'Show what arrives' }).click();
  const report = dialog.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('status')).toHaveText('Imported from Homepage: 3 sections, 3 items, 0 widgets.');
  const lost = report.getByRole('listitem').filter({ hasText: 'services.yaml, Media / Jellyfin / widget' });
  await expect(lost.first()).toContainText('http://tower.example:8989');
  expect(await violations(page)).toEqual([]);
  expect(file(portico)).toBe(CONF);

  await dialog.getByRole('button', { name: 'Add to the page' }).click();
  await expect(dialog).toHaveCount(0);
  const jellyfin = page.locator('#content .items > *', { hasText: 'Jellyfin' });
  await expect(jellyfin).toHaveCount(1);
  await expect(page.locator('.edit-state')).toHaveText('1 change, not saved');
  await page.getByRole('button', { name: 'Undo: Import 3 sections' }).click();
  await expect(jellyfin).toHaveCount(0);
  await page.getByRole('button', { name: 'Redo: Import 3 sections' }).click();
  await expect(jellyfin).toHaveCount(1);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
  const saved = file(portico);
  expect(saved.startsWith(CONF)).toBe(true);
  expect(saved).toContain('statusCheckUrl: http://jellyfin.example/health');
  expect(saved).toContain('url: http://sonarr.example:8989');
});

test('Back returns to the form as it was left', async ({ page }) => {
  await openImport(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').selectOption('Homepage');
  await dialog.locator('input[type=file]').setInputFiles([named('services.yaml', SERVICES)]);
  await dialog.getByLabel('Or paste the text').fill(LINKS);
  await dialog.getByRole('button', { name: 'Show what arrives' }).click();
  await expect(dialog.getByRole('region', { name: 'Report' })).toBeVisible();
  await expect(dialog.getByLabel('From')).toBeHidden();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByRole('region', { name: 'Report' })).toHaveCount(0);
  await expect(dialog.getByLabel('From')).toHaveValue('homepage');
  await expect(dialog.getByLabel('Or paste the text')).toHaveValue(LINKS);
  expect(await dialog.locator('input[type=file]').evaluate((input: HTMLInputElement) => [...input.files!].map((file) => file.name))).toEqual(['services.yaml']);
});

test('bookmarks are imported from a file', async ({ page }) => {
  await openImport(page);
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(join(EXAMPLES, 'bookmarks', 'bookmarks.html'));
  await dialog.getByRole('button', { name: 'Show what arrives' }).click();
  await expect(dialog.getByRole('status')).toHaveText(/^Imported from browser bookmarks: 3 sections, 6 items/);
  // The picture in the file was not uploaded, but is counted.
  await expect(dialog.getByRole('listitem').filter({ hasText: 'the picture of a bookmark' })).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Add to the page' }).click();
  await expect(page.locator('#content .items > *', { hasText: 'Loose & free' })).toHaveCount(1);
});

test.describe('text that cannot be imported', () => {
  test.use({ expected: /400/ });

  test('is reported, and can be corrected', async ({ page }) => {
    await openImport(page);
    const dialog = page.getByRole('dialog');
    const show = dialog.getByRole('button', { name: 'Show what arrives' });
    await show.click();
    await expect(dialog.getByRole('alert')).toHaveText('Choose a file, or paste the text of one.');
    await dialog.locator('textarea').fill('services: [1');
    await show.click();
    await expect(dialog.getByRole('alert')).toContainText(/^The pasted text cannot be read: /);
    await dialog.locator('textarea').fill('services:\n- name: Apps\n  items:\n  - name: Pump\n    url: http://pump.example\n');
    await dialog.locator('select').selectOption('Glance');
    await show.click();
    await expect(dialog.getByRole('alert')).toContainText('None of the files is a config of Glance');
    await dialog.locator('select').selectOption('Find out from the files');
    await show.click();
    await expect(dialog.getByRole('status')).toHaveText('Imported from Homer: 1 section, 1 item, 0 widgets.');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect(dialog.locator('input[type=file]')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.locator('.edit-state')).toHaveText('nothing changed yet');
  });
});
