// Collapsed sections stay collapsed (docs/spec/behavior.md 3.3).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { alive, expect, open, test } from '../fixtures.ts';

function body(page: Page, name: string) {
  return page.locator('main > section', { has: page.getByRole('heading', { name, exact: true }) }).locator('details');
}

test('closed and opened sections stay so after a reload', async ({ page }) => {
  await open(page);
  await page.locator('summary', { hasText: 'Machines' }).click();
  await page.locator('summary', { hasText: 'Drawers' }).click();
  await expect(body(page, 'Machines')).not.toHaveAttribute('open');
  await expect(body(page, 'Drawers')).toHaveAttribute('open');

  // The state must be restored before the bundle arrives, or the page would jump.
  await page.route('**/*.wasm', () => {});
  await page.reload({ waitUntil: 'domcontentloaded' });
  await expect(body(page, 'Machines')).not.toHaveAttribute('open');
  await expect(body(page, 'Drawers')).toHaveAttribute('open');
  await page.unroute('**/*.wasm');
  await page.reload();
  await alive(page);
  await expect(body(page, 'Machines')).not.toHaveAttribute('open');
  await expect(body(page, 'Drawers')).toHaveAttribute('open');
});

test('custom styles see it as a class', async ({ page }) => {
  await open(page);
  const section = (name: string) => page.locator('main > section', { has: page.getByRole('heading', { name, exact: true }) });
  await expect(section('Machines')).toHaveClass(/ is-open$/);
  await expect(section('Drawers')).not.toHaveClass(/is-open/);
  await page.locator('summary', { hasText: 'Machines' }).click();
  await page.locator('summary', { hasText: 'Drawers' }).click();
  await expect(section('Machines')).not.toHaveClass(/is-open/);
  await expect(section('Drawers')).toHaveClass(/ is-open$/);
  await page.reload();
  await expect(section('Machines')).not.toHaveClass(/is-open/);
  await expect(section('Drawers')).toHaveClass(/ is-open$/);
});

test('the class stays true when the page changes', async ({ page, portico }) => {
  await open(page);
  const section = page.locator('main > section', { has: page.getByRole('heading', { name: 'Machines', exact: true }) });
  await page.locator('summary', { hasText: 'Machines' }).click();
  await expect(section).not.toHaveClass(/is-open/);
  const path = join(portico.directory, 'conf.yml');
  portico.replace('conf.yml', readFileSync(path, 'utf8').replace('title: Lathe', 'title: Spindle'));
  await expect(section).toContainText('Spindle');
  await expect(section).not.toHaveClass(/is-open/);
});

test('is kept under the key that existing dashboards use', async ({ page }) => {
  await open(page);
  await page.locator('summary', { hasText: 'Drawers' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('collapseState'))).toBe('{"home-drawers":true}');
});

test('works by keyboard', async ({ page }) => {
  await open(page);
  await page.locator('summary', { hasText: 'Doors' }).focus();
  await page.keyboard.press('Enter');
  await expect(body(page, 'Doors')).not.toHaveAttribute('open');
  await page.keyboard.press('Space');
  await expect(body(page, 'Doors')).toHaveAttribute('open');
  await page.keyboard.press('Enter');
  await page.reload();
  await alive(page);
  await expect(body(page, 'Doors')).not.toHaveAttribute('open');
});

test('a section alone is open whatever was left', async ({ page }) => {
  await open(page);
  await page.locator('summary', { hasText: 'Machines' }).click();
  await open(page, '/home/main/machines');
  await expect(body(page, 'Machines')).toHaveAttribute('open');
  await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
  await open(page, '/home/main/drawers');
  await expect(page.getByRole('link', { name: 'Screws' })).toBeVisible();
});

test('a store that holds nonsense does no harm', async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    localStorage.setItem('collapseState', '{"home-machines": "shut", "home-doors": fal');
    localStorage.setItem('layoutOrientation', 'spiral');
    localStorage.setItem('iconSize', '"><b>');
    localStorage.setItem('mostUsed', '[1, 2');
  });
  await page.reload();
  await alive(page);
  await expect(body(page, 'Machines')).toHaveAttribute('open');
  await expect(page.locator('#page')).toHaveClass(/orientation-auto/);
  await expect(page.locator('#page')).toHaveClass(/item-size-medium/);
});

test.describe('with pages', () => {
  test.use({ config: 'house' });

  test('pages do not mix up their states', async ({ page }) => {
    await open(page, '/home/cinema-room');
    await expect(body(page, 'Sound')).not.toHaveAttribute('open');
    await page.locator('summary', { hasText: 'Sound' }).click();
    await page.locator('summary', { hasText: 'Reels' }).click();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('collapseState')))
      .toMatch(/"cinema-room-sound":true/);
    await page.reload();
    await alive(page);
    await expect(body(page, 'Sound')).toHaveAttribute('open');
    await expect(body(page, 'Reels')).not.toHaveAttribute('open');
  });
});
