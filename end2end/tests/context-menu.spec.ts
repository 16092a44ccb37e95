// Menus of items, sections and widgets (docs/spec/behavior.md 5): by mouse, keyboard and touch.

import type { Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, file, heading, save, sections, spoken, tile, titles } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';
import { Finger, middle } from '../touch.ts';

const CONF = `pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
      - title: Ferry
        url: https://ferry.example
      - title: Tools
        subItems:
          - title: Winch
            url: https://winch.example
  - name: Office
    items:
      - title: Ledger
        url: mailto:ledger@harbour.example
    widgets:
      - type: clock
        label: Harbour time
`;
const OPENING = ['Open in this tab', 'Open in a new tab', 'Open in a new window', 'Open in a pop-up', 'Open in the workspace', 'Copy link'];

test.use({ text: CONF });

const menu = (page: Page) => page.getByRole('menu');
const entries = (page: Page): Promise<string[]> => page.getByRole('menuitem').allTextContents();
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true }).click();

async function rightClick(page: Page, title: string): Promise<void> {
  // The middle of a group is one of its parts.
  await tile(page, title).locator(':scope > :is(.tile-title, .group-title)').click({ button: 'right' });
  await expect(page.getByRole('menu', { name: title })).toBeVisible();
}

test.describe('for people who only look', () => {
  test.use({ text: `${CONF}appConfig: { disableConfiguration: true }\n` });

  test('an item opens in each way', async ({ page, context, visits }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page);
    await rightClick(page, 'Crane');
    await expect.poll(() => entries(page)).toEqual(OPENING);
    const [tab] = await Promise.all([context.waitForEvent('page'), choose(page, 'Open in a new tab')]);
    await tab.waitForURL('https://crane.example/');
    await tab.close();
    await rightClick(page, 'Crane');
    await choose(page, 'Open in a pop-up');
    await expect(page.getByRole('dialog', { name: 'Crane' }).locator('iframe')).toBeVisible();
    await page.keyboard.press('Escape');
    await rightClick(page, 'Crane');
    await choose(page, 'Copy link');
    await expect(page.locator('.toast')).toContainText('Copied https://crane.example');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://crane.example');
    // The link itself is unchanged.
    await expect(tile(page, 'Crane')).toHaveAttribute('target', '_blank');
    await expect(tile(page, 'Crane')).not.toHaveAttribute('data-open', /.*/);
    await rightClick(page, 'Crane');
    await choose(page, 'Open in the workspace');
    await expect(page).toHaveURL(/\/workspace\?url=https%3A%2F%2Fcrane\.example/);
    await page.goBack();
    await rightClick(page, 'Ferry');
    await choose(page, 'Open in this tab');
    await page.waitForURL('https://ferry.example/');
    expect(visits).toContain('https://ferry.example/');
  });

  test('a part of a group opens too, and mail has no frame', async ({ page }) => {
    await open(page);
    await page.getByRole('link', { name: 'Winch' }).click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Winch' })).toBeVisible();
    await expect.poll(() => entries(page)).toEqual(OPENING);
    await page.keyboard.press('Escape');
    await rightClick(page, 'Ledger');
    await expect.poll(() => entries(page)).toEqual(OPENING.filter((label) => !/pop-up|workspace/.test(label)));
  });

  test('a section opens alone and collapses', async ({ page }) => {
    await open(page);
    await heading(page, 0).click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Quay' })).toBeVisible();
    await expect.poll(() => entries(page)).toEqual(['Open this section alone', 'Collapse']);
    await choose(page, 'Collapse');
    await expect(tile(page, 'Crane')).toBeHidden();
    await heading(page, 0).click({ button: 'right' });
    await choose(page, 'Expand');
    await expect(tile(page, 'Crane')).toBeVisible();
    await heading(page, 0).click({ button: 'right' });
    await choose(page, 'Open this section alone');
    await expect(page).toHaveURL(/\/home\/main\/quay$/);
  });

  test('everything is reached by keyboard', async ({ page }) => {
    await open(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Shift+F10');
    const entry = (name: string) => page.getByRole('menuitem', { name, exact: true });
    await expect(entry('Open in this tab')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(entry('Copy link')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry('Open in this tab')).toBeFocused();
    await page.keyboard.press('End');
    await expect(entry('Copy link')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(entry('Open in this tab')).toBeFocused();
    await page.keyboard.press('c');
    await expect(entry('Copy link')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu(page)).toHaveCount(0);
    await expect(tile(page, 'Crane')).toBeFocused();
    // Typing did not reach the search.
    await expect(page.locator('#search')).toHaveValue('');
    await page.keyboard.press('ContextMenu');
    await expect(menu(page)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(menu(page)).toHaveCount(0);
    await heading(page, 0).focus();
    await page.keyboard.press('ContextMenu');
    await expect(page.getByRole('menu', { name: 'Quay' })).toBeVisible();
  });

  test('the browser keeps its own menu with Shift, beside items, and over selected text', async ({ page }) => {
    await open(page);
    await page.evaluate(() => {
      addEventListener('contextmenu', (event) => document.documentElement.setAttribute('data-own', String(!event.defaultPrevented)));
    });
    /** Whether the browser shows its own menu for the last click. */
    const own = async () => {
      const html = page.locator('html');
      await expect(html).toHaveAttribute('data-own', /./);
      return html.evaluate((root) => {
        const own = root.getAttribute('data-own');
        root.removeAttribute('data-own');
        return own;
      });
    };
    await tile(page, 'Crane').click({ button: 'right', modifiers: ['Shift'] });
    expect(await own()).toBe('true');
    await page.locator('#search').click({ button: 'right' });
    expect(await own()).toBe('true');
    await tile(page, 'Crane').click({ button: 'right' });
    expect(await own()).toBe('false');
    await expect(menu(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.evaluate(() => getSelection()?.selectAllChildren(document.getElementById('content')!));
    await tile(page, 'Ferry').click({ button: 'right' });
    expect(await own()).toBe('true');
    await expect(menu(page)).toHaveCount(0);
  });

  test('a click elsewhere closes it and does nothing else', async ({ page, visits }) => {
    await open(page);
    await rightClick(page, 'Crane');
    const { x, y } = await middle(tile(page, 'Ledger'));
    await page.mouse.click(x, y);
    await expect(menu(page)).toHaveCount(0);
    expect(visits).toEqual([]);
  });

  test('an ordinary visit loads nothing of it', async ({ page }) => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await open(page);
    await tile(page, 'Crane').hover();
    expect(loaded.filter((path) => /\/menu-/.test(path))).toEqual([]);
    await rightClick(page, 'Crane');
    expect(loaded.filter((path) => /\/menu-/.test(path))).toHaveLength(2);
  });
});

test.describe('turned off', () => {
  test.use({ text: `${CONF}appConfig: { disableContextMenu: true }\n` });

  test('the browser keeps its own menu', async ({ page }) => {
    await open(page);
    const prevented = page.evaluate(() => new Promise((done) => addEventListener('contextmenu', (event) => done(event.defaultPrevented))));
    await tile(page, 'Crane').click({ button: 'right' });
    expect(await prevented).toBe(false);
    await expect(menu(page)).toHaveCount(0);
  });
});

test('Edit begins to edit the page, with the form of the item', async ({ page }) => {
  await open(page);
  await rightClick(page, 'Ferry');
  await choose(page, 'Edit');
  const form = page.getByRole('dialog', { name: 'Edit item' });
  await expect(form.getByLabel('Title')).toHaveValue('Ferry');
});

test('Edit on a part of a group begins with its own form', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Winch' }).click({ button: 'right' });
  await expect.poll(() => entries(page)).toEqual([...OPENING, 'Edit']);
  await choose(page, 'Edit');
  await expect(page.getByRole('dialog', { name: 'Edit sub-item' }).getByLabel('Title')).toHaveValue('Winch');
});

test('in edit mode things are renamed, copied, moved and deleted, step by step', async ({ page, portico }) => {
  await edit(page);
  await rightClick(page, 'Crane');
  await expect.poll(() => entries(page)).toEqual(['Edit', 'Rename', 'Select', 'Duplicate', 'Move up', 'Move down', 'Move to…', 'Copy to…', 'Delete', 'Open…']);
  await choose(page, 'Move to…');
  await expect.poll(() => entries(page)).toEqual(['Office']);
  await choose(page, 'Office');
  await expect.poll(() => entries(page)).toEqual(['At the beginning', 'At the end']);
  await choose(page, 'At the end');
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane']);
  await expect(spoken(page)).toHaveText('Move “Crane” to Office.');
  await rightClick(page, 'Ferry');
  await choose(page, 'Copy to…');
  await choose(page, 'Office');
  await choose(page, 'At the beginning');
  await expect.poll(() => titles(page, 1)).toEqual(['Ferry', 'Ledger', 'Crane']);
  await rightClick(page, 'Tools');
  await choose(page, 'Move up');
  await expect.poll(() => titles(page, 0)).toEqual(['Tools', 'Ferry']);
  await rightClick(page, 'Ledger');
  await choose(page, 'Delete');
  await expect.poll(() => titles(page, 1)).toEqual(['Ferry', 'Crane']);
  await page.locator('.widget-head').click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Harbour time' })).toBeVisible();
  await choose(page, 'Move to…');
  await choose(page, 'Quay');
  await expect(page.locator('#s-0 .widget-base')).toContainText('Harbour time');
  await heading(page, 1).click({ button: 'right' });
  await choose(page, 'Move up');
  await expect.poll(() => sections(page)).toEqual(['Office', 'Quay']);
  await heading(page, 0).click({ button: 'right' });
  await choose(page, 'Delete');
  await page.getByRole('dialog', { name: 'Delete the section?' }).getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => sections(page)).toEqual(['Quay']);
  await expect(page.getByText('7 changes, not saved')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect.poll(() => sections(page)).toEqual(['Office', 'Quay']);
  await save(page);
  expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Office
    items:
      - title: Ferry
        url: https://ferry.example
      - title: Crane
        url: https://crane.example
    widgets: []
  - name: Quay
    items:
      - title: Tools
        subItems:
          - title: Winch
            url: https://winch.example
      - title: Ferry
        url: https://ferry.example
    widgets:
      - type: clock
        label: Harbour time
`);
});

test('in edit mode an item still opens from its menu', async ({ page, context }) => {
  await edit(page);
  await rightClick(page, 'Crane');
  await choose(page, 'Open…');
  const [tab] = await Promise.all([context.waitForEvent('page'), choose(page, 'Open in a new tab')]);
  await tab.waitForURL('https://crane.example/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('a long press opens the menu, which fits the screen', async ({ page }) => {
    await open(page);
    const finger = await Finger.of(page);
    for (const title of ['Crane', 'Ledger']) {
      await finger.down(await middle(tile(page, title)));
      await expect(page.getByRole('menu', { name: title })).toBeVisible();
      await finger.up();
      await expect(menu(page)).toBeVisible();
      const box = await page.getByRole('dialog').boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.y).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(390);
      expect(box!.y + box!.height).toBeLessThanOrEqual(844);
      const height = await page.getByRole('menuitem').first().evaluate((entry) => entry.getBoundingClientRect().height);
      expect(Math.round(height)).toBeGreaterThanOrEqual(44);
      await page.keyboard.press('Escape');
    }
    await finger.down(await middle(heading(page, 0)));
    await expect(page.getByRole('menu', { name: 'Quay' })).toBeVisible();
    await finger.up();
  });

  test('a finger that moves scrolls and opens nothing', async ({ page }) => {
    await page.clock.install();
    await open(page);
    const finger = await Finger.of(page);
    const { x, y } = await middle(tile(page, 'Ledger'));
    await finger.down({ x, y });
    await finger.move({ x, y: y - 100 });
    await page.clock.runFor(2_000);
    await finger.up();
    await expect(menu(page)).toHaveCount(0);
  });

  test('in edit mode a press that does not move opens the menu', async ({ page }) => {
    await edit(page);
    const finger = await Finger.of(page);
    await finger.down(await middle(tile(page, 'Crane')));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.up();
    await expect(page.getByRole('menu', { name: 'Crane' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Duplicate' }).tap();
    await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Crane', 'Ferry', 'Tools']);
  });
});

test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await edit(page);
  await check(page, async () => {
    if (await menu(page).count()) await page.keyboard.press('Escape');
    await rightClick(page, 'Crane');
  });
});
