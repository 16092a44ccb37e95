// Filling in every form of the editor (docs/editing.md), with the expected file on disk. The same below a path prefix, on a
// sub-page, in a file that is mounted on its own, and by touch.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { bar, edit, file, harbour, heading, newestBackup, remove, save, sections, tile, titles, tool } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';
import { Finger, middle } from '../touch.ts';

const CONF = harbour();

test.use({ text: CONF });

const form = (page: Page): Locator => page.getByRole('dialog');
// A star after the label marks required fields.
const field = (page: Page, label: string): Locator => form(page).getByLabel(new RegExp(`^${label}( \\*)?$`));
const more = (page: Page, label: string): Promise<void> => form(page).getByRole('button', { name: `+ ${label}`, exact: true }).click();
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

async function done(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Done', exact: true }).click();
  await expect(form(page)).toHaveCount(0);
}

test('each form writes what was filled in, and nothing else', async ({ page, portico }) => {
  test.setTimeout(60_000);
  await edit(page);

  await test.step('page info', async () => {
    await (await tool(page, 'Page info')).click();
    await field(page, 'Title').fill('Old harbour');
    await field(page, 'Description').fill('Ships and more');
    await field(page, 'Footer').fill('By <b>Ann</b>');
    await done(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Old harbour');
  });

  await test.step('settings', async () => {
    await button(page, 'Settings').click();
    await field(page, 'Layout').selectOption('masonry');
    await more(page, 'Number of columns');
    await field(page, 'Number of columns').fill('2');
    await more(page, 'Do not count what is opened');
    await field(page, 'Do not count what is opened').check();
    // Defaults are not written: a number, a word, and yes or no.
    await more(page, 'Seconds between checks');
    await field(page, 'Seconds between checks').fill('0');
    await more(page, 'First view');
    await field(page, 'First view').selectOption('home');
    await more(page, 'Loading screen');
    await field(page, 'Loading screen').uncheck();
    await done(page);
  });

  await test.step('a section with how it is shown', async () => {
    await button(page, 'Edit section Quay').click();
    await field(page, 'Name').fill('West quay');
    await more(page, 'Display and visibility');
    await field(page, 'Order').selectOption('alphabetical');
    await field(page, 'Tile size').selectOption('large');
    await field(page, 'Height in rows').fill('2');
    await field(page, 'Hide from users').fill('ben, eve');
    await field(page, 'Width in columns').fill('1');
    await done(page);
    await expect.poll(() => sections(page)).toEqual(['West quay', 'Office']);
  });

  await test.step('an item', async () => {
    await tile(page, 'Ferry').click();
    await field(page, 'Title').fill('Fast ferry');
    await field(page, 'Description').fill('To the island');
    await field(page, 'Address').fill('https://fast.example');
    await field(page, 'Opens in').selectOption('newtab');
    await more(page, 'Tags');
    await field(page, 'Tags').fill('sea, trip');
    await more(page, 'Number key');
    await field(page, 'Number key').fill('3');
    await more(page, 'Status dot');
    await field(page, 'Status dot').selectOption('No');
    await done(page);
    await expect(tile(page, 'Fast ferry')).toHaveAttribute('href', 'https://fast.example');
  });

  await test.step('a widget', async () => {
    await button(page, 'Add widget to Office').click();
    await form(page).getByRole('searchbox').fill('time date');
    await form(page).getByRole('button', { name: /^Clock/ }).click();
    await field(page, 'Label').fill('Island time');
    await field(page, 'Time zone').fill('Europe/Lisbon');
    await field(page, 'Hide seconds').check();
    await more(page, 'Hide the reload button');
    await field(page, 'Hide the reload button').check();
    await done(page);
    await expect(page.locator('#s-1 .widget-base')).toContainText('Island time');
  });

  await test.step('a page', async () => {
    await (await tool(page, 'Pages')).click();
    await button(page, 'Add page').click();
    await field(page, 'Name').fill('Work');
    await field(page, 'Path').fill('work.yml');
    await done(page);
  });

  await save(page);
  expect(file(portico)).toBe(`pageInfo:
  title: Old harbour
  description: Ships and more
  footer: By <b>Ann</b>
sections:
  - name: West quay
    items:
      - title: Crane
        url: https://crane.example
      - title: Fast ferry
        url: https://fast.example
        description: To the island
        target: newtab
        tags:
          - sea
          - trip
        hotkey: 3
        statusCheck: false
    displayData:
      sortBy: alphabetical
      itemSize: large
      rows: 2
      hideForUsers:
        - ben
        - eve
      cols: 1
  - name: Office
    items:
      - title: Ledger
        url: https://ledger.example
    widgets:
      - type: clock
        label: Island time
        options:
          timeZone: Europe/Lisbon
          hideSeconds: true
        hideControls: true
appConfig:
  layout: masonry
  colCount: 2
  disableSmartSort: true
pages:
  - name: Work
    path: work.yml
`);
});

test('the buttons at the foot of a form wait for what is missing or wrong, as Done does', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').click();
  await field(page, 'Description').fill('Lifts things');
  await field(page, 'Title').fill('');
  const foot = ['Move down', 'Duplicate', 'Move', 'Copy'];
  await form(page).getByLabel('Move or copy to section').selectOption('Office');
  for (const name of foot) {
    await form(page).getByRole('button', { name, exact: true }).click();
    await expect(form(page).getByRole('alert')).toHaveText('Please fill in the title.');
  }
  await expect(field(page, 'Description')).toHaveValue('Lifts things');
  await field(page, 'Title').fill('Crane');
  await more(page, 'Sub-items');
  await form(page).getByRole('button', { name: 'Add sub-item' }).click();
  await form(page).getByRole('button', { name: 'Move down' }).click();
  await expect(form(page).getByRole('alert')).toHaveText('Please fill in the title of each sub-item.');
  await form(page).getByRole('group', { name: 'Sub-item 1' }).getByRole('button', { name: 'Remove' }).click();
  await more(page, 'Headers of the check');
  await form(page).getByRole('button', { name: 'Add status check header' }).click();
  await form(page).getByRole('group', { name: 'Status check header 1' }).getByLabel('Value').fill('no name');
  await form(page).getByRole('button', { name: 'Move down' }).click();
  await expect(form(page).getByRole('alert')).toHaveText('Please correct what is marked.');
  await form(page).getByRole('group', { name: 'Status check header 1' }).getByRole('button', { name: 'Remove' }).click();
  await form(page).getByRole('button', { name: 'Move down' }).click();
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => titles(page, 0)).toEqual(['Ferry', 'Crane']);
  await save(page);
  expect(file(portico)).toContain('      - title: Ferry\n        url: https://ferry.example\n      - url: https://crane.example\n        description: Lifts things\n        title: Crane\n');
});

test.describe('a widget with options', () => {
  test.use({ text: 'sections:\n  - name: Now\n    widgets:\n      - type: public-holidays\n        label: Holidays\n        options: { country: GB }\n' });

  test('has the problem of an option at its field, and nowhere else', async ({ page }) => {
    await edit(page);
    await button(page, 'Edit widget Holidays').click();
    const months = field(page, 'Months to show');
    await months.fill('99');
    const problem = form(page).getByText(/^monthsToShow must be between/);
    await expect(problem).toHaveCount(1);
    await expect(months).toHaveAccessibleDescription(/monthsToShow must be between/);
    await months.fill('6');
    await expect(problem).toHaveCount(0);
  });
});

test.describe('without its styles', () => {
  test.use({ expected: /Failed to load resource/ });

  test('edit mode does not begin, and the next attempt loads them', async ({ page }) => {
    await page.route(/\/editor-[^/]*\.css$/, (route) => route.abort(), { times: 1 });
    await open(page);
    await button(page, 'Edit this page').click();
    await expect(page.getByText('The editor cannot be loaded.')).toBeVisible();
    await expect(page.locator('#editor-style')).toHaveCount(0);
    await button(page, 'Edit this page').click();
    await expect(bar(page)).toBeVisible();
    await expect(page.locator('#editor-style')).toHaveCount(1);
  });
});

test.describe('below a path prefix', () => {
  test.use({ environment: { BASE_URL: '/portal' } });

  test('forms, the text, backups and saving work', async ({ page, portico }) => {
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/portal')) elsewhere.push(pathname);
    });
    await edit(page);
    await button(page, 'Add item to Office').click();
    await field(page, 'Title').fill('Stamp');
    await done(page);
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Stamp']);
    await button(page, 'Add widget to Office').click();
    await form(page).getByRole('searchbox').fill('time date');
    await form(page).getByRole('button', { name: /^Clock/ }).click();
    await expect(form(page).getByRole('region', { name: 'Preview' }).locator('.part-clock')).toBeVisible();
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await (await tool(page, 'Edit as YAML')).click();
    await expect(page.getByRole('textbox', { name: /^YAML of conf\.yml/ })).toBeFocused();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('x-mine: kept\n');
    await page.getByRole('dialog').getByRole('button', { name: 'Preview', exact: true }).click();
    await expect(form(page)).toHaveCount(0);
    await save(page);
    expect(file(portico)).toBe(`${CONF}      - title: Stamp\nx-mine: kept\n`);
    await edit(page);
    await (await tool(page, 'Backups')).click();
    await form(page).getByRole('button', { name: /^Differences/ }).click();
    await expect(form(page).locator('del')).toContainText(['title: Stamp', 'x-mine: kept']);
    expect(elsewhere).toEqual([]);
  });
});

test.describe('a sub-page', () => {
  const boats = 'pageInfo:\n  title: Boats\nsections:\n  - name: Pier\n';
  const main = `${CONF}pages:\n  - name: Boats\n    path: boats.yml\n`;
  test.use({ text: main });

  test('is edited in its own file', async ({ page, portico }) => {
    portico.write('boats.yml', boats);
    await expect.poll(async () => (await page.request.get('./home/boats')).text()).toContain('Pier');
    await open(page, '/home/boats');
    await button(page, 'Edit this page').click();
    await expect(bar(page).getByRole('button', { name: 'Pages' })).toHaveCount(0);
    await (await tool(page, 'Page info')).click();
    await field(page, 'Title').fill('Ships');
    await done(page);
    await button(page, 'Add item to Pier').click();
    await field(page, 'Title').fill('Cutter');
    await done(page);
    await save(page);
    expect(readFileSync(join(portico.directory, 'boats.yml'), 'utf8')).toBe(`${boats.replace('Boats', 'Ships')}    items:\n      - title: Cutter\n`);
    expect(file(portico)).toBe(main);
  });
});

test.describe('a file that is mounted on its own', () => {
  test.use({ mounted: true });

  test('is saved in place', async ({ page, portico }) => {
    const inode = (): number => statSync(join(portico.directory, 'conf.yml')).ino;
    const before = inode();
    await edit(page);
    await remove(page, 'Crane');
    await save(page);
    expect(file(portico)).toBe(CONF.replace('      - title: Crane\n        url: https://crane.example\n', ''));
    expect(inode()).toBe(before);
    expect(newestBackup(portico)).toBe(CONF);
  });
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 1400 } });

  /** Presses long, and taps an entry of the menu. */
  async function choose(page: Page, thing: Locator, ...entries: string[]): Promise<void> {
    const finger = await Finger.of(page);
    await finger.down(await middle(thing));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.up();
    for (const name of entries) await page.getByRole('menuitem', { name, exact: true }).tap();
    await expect(page.getByRole('menu')).toHaveCount(0);
  }

  test('taps add and edit', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').tap();
    await field(page, 'Description').fill('Lifts things');
    await button(page, 'Done').tap();
    await button(page, 'Add item to Office').tap();
    await field(page, 'Title').fill('Stamp');
    await button(page, 'Done').tap();
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Stamp']);
    await button(page, 'Add section').tap();
    await field(page, 'Name').fill('Shed');
    await button(page, 'Done').tap();
    await button(page, 'Add widget to Shed').tap();
    await form(page).getByRole('button', { name: /^Clock/ }).tap();
    await field(page, 'Label').fill('Time');
    await button(page, 'Done').tap();
    await button(page, 'Edit widget Time').tap();
    await field(page, 'Label').fill('Harbour time');
    await button(page, 'Done').tap();
    await expect(page.locator('#s-2 .widget-base')).toContainText('Harbour time');
    await button(page, 'Edit section Shed').tap();
    await field(page, 'Name').fill('Boat shed');
    await button(page, 'Done').tap();
    await expect.poll(() => sections(page)).toEqual(['Quay', 'Office', 'Boat shed']);
    await page.getByRole('button', { name: /^Undo: / }).tap();
    await expect.poll(() => sections(page)).toEqual(['Quay', 'Office', 'Shed']);
    await page.getByRole('button', { name: /^Redo: / }).tap();
    await expect.poll(() => sections(page)).toEqual(['Quay', 'Office', 'Boat shed']);
    await button(page, 'Save').tap();
    await expect(bar(page)).toHaveCount(0);
    expect(file(portico)).toBe(`${CONF.replace('crane.example\n', 'crane.example\n        description: Lifts things\n')}      - title: Stamp
  - name: Boat shed
    widgets:
      - type: clock
        label: Harbour time
`);
  });

  test('a long press opens the menu of an item, with all that can be done', async ({ page }) => {
    await edit(page);
    await choose(page, tile(page, 'Crane'), 'Duplicate');
    await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Crane', 'Ferry']);
    await choose(page, tile(page, 'Ferry'), 'Move up');
    await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry', 'Crane']);
    await choose(page, tile(page, 'Ferry'), 'Move to…', 'Office', 'At the end');
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Ferry']);
    await choose(page, tile(page, 'Ledger'), 'Copy to…', 'Quay', 'At the end');
    await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Crane', 'Ledger']);
    await choose(page, tile(page, 'Ferry'), 'Rename');
    await page.getByLabel('Title of Ferry').fill('Boat');
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Boat']);
    await choose(page, tile(page, 'Boat'), 'Delete');
    await expect.poll(() => titles(page, 1)).toEqual(['Ledger']);
    await choose(page, tile(page, 'Ledger').last(), 'Edit');
    await expect(page.getByRole('dialog', { name: 'Edit item' })).toBeVisible();
  });

  test('a long press opens the menu of a section', async ({ page }) => {
    await edit(page);
    await choose(page, heading(page, 1), 'Move up');
    await expect.poll(() => sections(page)).toEqual(['Office', 'Quay']);
    await choose(page, heading(page, 0), 'Duplicate');
    await expect.poll(() => sections(page)).toEqual(['Office', 'Office (copy)', 'Quay']);
    await choose(page, heading(page, 2), 'Rename');
    await page.getByLabel('Name of Quay').fill('Pier');
    await page.keyboard.press('Enter');
    await expect.poll(() => sections(page)).toEqual(['Office', 'Office (copy)', 'Pier']);
    await choose(page, heading(page, 2), 'Delete');
    await page.getByRole('dialog', { name: 'Delete the section?' }).getByRole('button', { name: 'Delete' }).tap();
    await expect.poll(() => sections(page)).toEqual(['Office', 'Office (copy)']);
  });
});
