// Starting a new dashboard (docs/editing.md, "The first time"): with a first service, a template, or an import.

import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { bar, file, save, sections, tile, titles } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';

const way = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const TEMPLATES = ['Homelab', 'Media', 'Family', 'Minimal'];

test.describe('a config without sections', () => {
  test.use({ text: 'x-mine: kept\nappConfig:\n  theme: nord\nsections: []\n' });

  test('begins with a first service', async ({ page, portico }) => {
    await open(page);
    await way(page, 'Add your first service').click();
    const form = page.getByRole('dialog', { name: 'Add item' });
    await form.getByLabel('Title').fill('Router');
    await form.getByLabel('Address', { exact: true }).fill('http://192.168.1.1');
    await form.getByRole('button', { name: 'Done' }).click();
    await expect(tile(page, 'Router')).toHaveCount(1);
    await save(page);
    expect(file(portico)).toBe(
      'x-mine: kept\nappConfig:\n  theme: nord\nsections:\n  - name: Services\n    items:\n      - title: Router\n        url: http://192.168.1.1\n',
    );
    await expect(way(page, 'Add your first service')).toHaveCount(0);
  });

  test('begins with a template, which is one step and keeps the rest', async ({ page, portico }) => {
    await open(page);
    await way(page, 'Homelab').click();
    await expect.poll(() => sections(page)).toEqual(['Machines', 'Services', 'Network', 'Now']);
    expect(file(portico)).toContain('sections: []');
    await page.getByRole('button', { name: 'Undo: Start with the template' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Redo: Start with the template' }).click();
    await expect(tile(page, 'Proxmox')).toHaveCount(1);
    await save(page);
    expect(file(portico)).toContain('theme: nord');
    expect(file(portico)).toContain('title: Home Assistant');
  });

  test('begins with a widget', async ({ page }) => {
    await open(page);
    await way(page, 'See all widgets').click();
    await expect(page.getByRole('dialog', { name: 'Add widget' })).toContainText(/\d+ types of widgets/);
  });

  test('begins with an import', async ({ page }) => {
    await open(page);
    await way(page, 'Import from another dashboard').click();
    await expect(page.getByRole('dialog', { name: 'Import' })).toBeVisible();
  });

  test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
    test.setTimeout(60_000);
    await open(page);
    await expect(way(page, 'Minimal')).toBeVisible();
    await check(page, async () => {});
  });
});

test.describe('an empty folder', () => {
  test.use({ config: null });

  for (const name of TEMPLATES) {
    test(`has an example, in the place of which a template comes: ${name}`, async ({ page, portico }) => {
      await open(page);
      await expect(page.getByRole('region', { name: 'Begin' })).toContainText('This is an example');
      await way(page, name).click();
      await expect(tile(page, 'Edit it here')).toHaveCount(0);
      // No entry has a problem, and every icon exists.
      await expect(bar(page)).toBeVisible();
      await expect(bar(page).getByRole('button', { name: /problem/ })).toHaveCount(0);
      await expect(page.locator('#content .items .broken')).toHaveCount(0);
      expect((await titles(page, name === 'Family' ? 1 : 0)).length).toBeGreaterThan(2);
      // The comments of the untouched example need no warning.
      await save(page);
      expect(file(portico)).not.toContain('Edit it here');
      // The page may reload, because a template may have widgets.
      await expect(() => open(page)).toPass();
      await expect(page.getByRole('region', { name: 'Begin' })).toHaveCount(0);
    });
  }

  for (const [width, height] of [[390, 844], [1366, 900], [2560, 1440]] as const) {
    test(`shows the ways to begin first, and tiles on the same screen, of which none is cut, at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await open(page);
      expect((await page.getByRole('region', { name: 'Begin' }).boundingBox())!.y).toBeLessThan(140);
      const tile = (await page.locator('main .item').first().boundingBox())!;
      expect(tile.y + tile.height).toBeLessThan(height);
      const cut = await page.locator('main .item :is(.tile-title, .tile-description)').evaluateAll((texts) =>
        texts.filter((text) => text.scrollHeight > text.clientHeight + 1 || text.scrollWidth > text.clientWidth).map(({ textContent }) => textContent));
      expect(cut).toEqual([]);
    });
  }

  test('has an example whose tiles all lead somewhere', async ({ page }) => {
    await open(page);
    expect(await page.locator('main span.item').count(), 'tiles without a link').toBe(0);
    await tile(page, 'Find things').click();
    await expect(page.getByRole('searchbox')).toBeFocused();
    await tile(page, 'Make it yours').click();
    await expect(page.locator('#options-panel')).toBeVisible();
  });

  test('has an example to which a widget can be added from the list of all', async ({ page }) => {
    await open(page);
    await way(page, 'See all widgets').click();
    await expect(page.getByRole('dialog', { name: 'Add widget' })).toContainText(/\d+ types of widgets/);
    await expect(tile(page, 'Edit it here')).toHaveCount(1);
  });

  test('has an example that gives way to a search', async ({ page }) => {
    await open(page);
    await page.getByRole('searchbox').fill('submarine');
    await expect(page.getByText('No results on this page')).toBeInViewport();
    await expect(page.getByText('This is an example')).toBeHidden();
    // The way to the web is there once, for the eye.
    await expect(page.getByText('Search the web with')).toBeInViewport();
    await expect(page.locator('#search-note')).toHaveClass(/visually-hidden/);
    await expect(page.getByText('Press Enter to search the web')).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await expect(page.getByText('This is an example')).toBeVisible();
  });

  test('has an example that is protected at once', async ({ page, portico }) => {
    await open(page);
    await expect(page.getByRole('region', { name: 'Begin' })).toContainText('Everybody on the network can change this page');
    await way(page, 'Protect this dashboard').click();
    const dialog = page.getByRole('dialog', { name: 'Protect this dashboard' });
    await dialog.getByLabel('Name *').fill('ann');
    await dialog.getByLabel('Password *').fill('long enough');
    await dialog.getByRole('button', { name: 'Protect', exact: true }).click();
    await expect(page.locator('.account')).toContainText('ann');
    expect(file(portico)).toContain('type: admin');
    await expect(way(page, 'Protect this dashboard')).toHaveCount(0);
  });

  test('has an example that opens the editor', async ({ page }) => {
    await open(page);
    await tile(page, 'Edit it here').click();
    await expect(bar(page)).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
  });

  test('has an example that shows the gallery of widgets', async ({ page }) => {
    await open(page);
    await tile(page, 'Widget gallery').click();
    await expect(page.getByRole('heading', { name: 'Widgets', level: 1 })).toBeVisible();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await expect(page.locator('.broken')).toHaveCount(0);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(tile(page, 'Widget gallery')).toBeVisible();
  });

  test('has an example that copies the path of its file', async ({ page, portico }) => {
    await open(page);
    await expect(tile(page, 'Or in its file')).toContainText(join(portico.directory, 'conf.yml'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tile(page, 'Or in its file').click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(join(portico.directory, 'conf.yml'));
  });

  test('has an example that is edited as it is', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await expect(bar(page)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Begin' })).toHaveCount(0);
    await expect(tile(page, 'Edit it here')).toHaveCount(1);
  });
});

test.describe('for those who may not edit', () => {
  const hash = createHash('sha256').update('ben').digest('hex');
  test.use({ text: `appConfig: { auth: { enableGuestAccess: true, users: [{ user: ben, hash: ${hash} }] } }\nsections: []\n` });

  test('nothing is offered', async ({ page }) => {
    await open(page);
    await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
    await expect(way(page, 'Add your first service')).toHaveCount(0);
  });
});
