// Dragging and renaming in place, in edit mode (docs/editing.md).

import type { Page } from '@playwright/test';

import { violations } from '../axe.ts';
import { bar, edit, file, harbour, heading, save, sections, spoken, tile, titles } from '../editing.ts';
import { expect, test } from '../fixtures.ts';
import { Finger, middle } from '../touch.ts';

const CONF = harbour({
  'ferry.example': '      - title: Buoy\n        url: https://buoy.example\n    widgets:\n      - type: clock\n        label: Harbour time\n',
  'ledger.example': '  - name: Shed\n',
});

test.use({ text: CONF });

const widget = (page: Page) => page.locator('.widget-base', { hasText: 'Harbour time' });
const line = (page: Page) => page.locator('.drop-line');
const undo = (page: Page, words: string) => page.getByRole('button', { name: `Undo: ${words}` });

test('items, widgets and sections are dragged by mouse, each in one step', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Buoy').dragTo(tile(page, 'Crane'));
  await expect.poll(() => titles(page, 0)).toEqual(['Buoy', 'Crane', 'Ferry']);
  await expect(spoken(page)).toHaveText('Move “Buoy” to Quay.');
  await tile(page, 'Crane').dragTo(tile(page, 'Ledger'), { targetPosition: { x: 4, y: 4 } });
  await expect.poll(() => titles(page, 1)).toEqual(['Crane', 'Ledger']);
  await widget(page).locator('.widget-label').dragTo(heading(page, 2));
  await expect(page.locator('#s-2 .widget-base')).toContainText('Harbour time');
  await expect(undo(page, 'Move “Harbour time” to Shed')).toBeEnabled();
  // Items can be dropped into an empty section.
  await tile(page, 'Ledger').dragTo(heading(page, 2));
  await expect.poll(() => titles(page, 2)).toEqual(['Ledger']);
  await heading(page, 2).dragTo(page.locator('#s-0'), { targetPosition: { x: 8, y: 8 } });
  await expect.poll(() => sections(page)).toEqual(['Shed', 'Quay', 'Office']);
  await expect(undo(page, 'Move section “Shed” before “Quay”')).toBeEnabled();
  await expect(page.getByText('5 changes, not saved')).toBeVisible();
  await expect(line(page)).toHaveCount(0);
  // Dragging is not a click.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await save(page);
  expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Shed
    widgets:
      - type: clock
        label: Harbour time
    items:
      - title: Ledger
        url: https://ledger.example
  - name: Quay
    items:
      - title: Buoy
        url: https://buoy.example
      - title: Ferry
        url: https://ferry.example
    widgets: []
  - name: Office
    items:
      - title: Crane
        url: https://crane.example
`);
});

test('the place is shown while something is dragged, and Escape cancels', async ({ page, portico }) => {
  await edit(page);
  const from = await middle(tile(page, 'Crane'));
  const to = await middle(tile(page, 'Ledger'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y, { steps: 5 });
  await expect(line(page)).toBeVisible();
  await expect(page.locator('.drag-label')).toHaveText('Crane');
  await expect(page.locator('#editor > [role=status]')).toHaveText('Moving Crane. Escape cancels.');
  await page.keyboard.press('Escape');
  await expect(line(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(page.locator('#editor > [role=status]')).toHaveText('Not moved.');
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await titles(page, 0)).toEqual(['Crane', 'Ferry', 'Buoy']);
  expect(file(portico)).toBe(CONF);
});

test('dropping an item where it was is no change', async ({ page }) => {
  await edit(page);
  const { x, y } = await middle(tile(page, 'Crane'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 15, y, { steps: 3 });
  await page.mouse.up();
  await expect(spoken(page)).toContainText('already there');
  await expect(page.getByText('nothing changed yet')).toBeVisible();
});

test.describe('columns of the page', () => {
  test.use({
    text: harbour({ 'ledger.example': '  - name: Shed\nappConfig: { columns: narrow-full-narrow }\n' }),
    viewport: { width: 1366, height: 900 },
  });
  const inColumns = (page: Page): Promise<string[]> =>
    page.locator('.page-column').evaluateAll((columns) => columns.map((column) => [...column.querySelectorAll('h2')].map(({ textContent }) => textContent).join(', ')));
  const choose = async (page: Page, name: string, ...entries: string[]): Promise<void> => {
    await page.getByRole('button', { name: `Menu of section ${name}` }).click();
    for (const entry of entries) await page.getByRole('menuitem', { name: entry }).click();
  };

  test('take sections that are dragged into them, also where there is none yet', async ({ page, portico }) => {
    await edit(page);
    expect(await inColumns(page)).toEqual(['', 'Quay, Office, Shed', '']);
    await heading(page, 1).dragTo(page.locator('.page-column').nth(2));
    await expect.poll(() => inColumns(page)).toEqual(['', 'Quay, Shed', 'Office']);
    await expect(undo(page, 'Move section “Office” to column 3')).toBeEnabled();
    await heading(page, 0).dragTo(heading(page, 2), { targetPosition: { x: 20, y: 4 } });
    await expect.poll(() => inColumns(page)).toEqual(['', 'Shed', 'Quay, Office']);
    await save(page);
    expect(file(portico)).toContain('    displayData:\n      column: 3\n');
    // When the page is not edited, empty columns are hidden.
    await expect(page.locator('.page-column')).toHaveCount(2);
  });

  test('are in the menu of a section, and up and down stay within one', async ({ page }) => {
    await edit(page);
    await choose(page, 'Office', 'Move to column…', 'Column 1');
    await expect.poll(() => inColumns(page)).toEqual(['Office', 'Quay, Shed', '']);
    await choose(page, 'Shed', 'Move up');
    await expect.poll(() => inColumns(page)).toEqual(['Office', 'Shed, Quay', '']);
    await page.getByRole('button', { name: 'Edit section Shed' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => inColumns(page)).toEqual(['Office', 'Quay, Shed', '']);
    await choose(page, 'Office', 'Move down');
    await expect(spoken(page)).toContainText('already there');
  });

  test.describe('on a phone', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test('are below each other, with the names that the menu has for them', async ({ page }) => {
      await edit(page);
      const columns = page.locator('.page-column');
      const tops = await columns.evaluateAll((all) => all.map((column) => column.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(3);
      const named = columns.evaluateAll((all) => all.map((column) => getComputedStyle(column, '::before').content));
      expect(await named).toEqual(Array(3).fill('"Column " counter(column)'));
      const finger = await Finger.of(page);
      await finger.down(await middle(heading(page, 1)));
      await expect(page.locator('[data-lifted]')).toHaveCount(1);
      await finger.up();
      await page.getByRole('menuitem', { name: 'Move to column…' }).tap();
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Column 1', 'Column 3']);
      await page.getByRole('menuitem', { name: 'Column 3' }).tap();
      await expect.poll(() => inColumns(page)).toEqual(['', 'Quay, Shed', 'Office']);
      // A finger takes it back.
      await finger.down(await middle(heading(page, 2)));
      await expect(page.locator('[data-lifted]')).toHaveCount(1);
      const { x, y } = await middle(columns.nth(0));
      await finger.move({ x, y });
      await expect(line(page)).toBeVisible();
      await finger.up();
      await expect.poll(() => inColumns(page)).toEqual(['Office', 'Quay, Shed', '']);
    });
  });
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 1400 } });

  test('a long press lifts an item, which follows the finger to another section', async ({ page, portico }) => {
    await edit(page);
    const finger = await Finger.of(page);
    const to = await middle(tile(page, 'Ledger'));
    await finger.down(await middle(tile(page, 'Crane')));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.move({ x: to.x, y: to.y - 8 });
    await expect(line(page)).toBeVisible();
    await finger.up();
    await expect.poll(() => titles(page, 1)).toEqual(['Crane', 'Ledger']);
    await expect(page.getByRole('menu')).toHaveCount(0);
    await save(page);
    expect(file(portico)).toContain('  - name: Office\n    items:\n      - title: Crane\n        url: https://crane.example\n      - title: Ledger\n');
  });

  test('widgets are dragged by their names', async ({ page }) => {
    await edit(page);
    const finger = await Finger.of(page);
    const to = await middle(heading(page, 2));
    await finger.down(await middle(widget(page).locator('.widget-label')));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.move(to);
    await finger.up();
    await expect(page.locator('#s-2 .widget-base')).toContainText('Harbour time');
    await expect(undo(page, 'Move “Harbour time” to Shed')).toBeEnabled();
  });

  test('sections are dragged by their headings', async ({ page }) => {
    await edit(page);
    const finger = await Finger.of(page);
    const to = await middle(heading(page, 0));
    await finger.down(await middle(heading(page, 1)));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.move({ x: to.x, y: to.y - 10 });
    await finger.up();
    await expect.poll(() => sections(page)).toEqual(['Office', 'Quay', 'Shed']);
  });

  test('the page scrolls at its edges', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 500 });
    await edit(page);
    await page.evaluate(() => scrollTo(0, 0));
    const finger = await Finger.of(page);
    const from = await middle(tile(page, 'Crane'));
    await finger.down(from);
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    const edge = (await bar(page).boundingBox())!.y;
    await finger.move({ x: from.x, y: edge - 5 });
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60);
    await finger.move({ x: from.x, y: 5 });
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await finger.up();
  });

  test('a finger that moves at once scrolls and drags nothing', async ({ page }) => {
    await edit(page);
    const finger = await Finger.of(page);
    const { x, y } = await middle(tile(page, 'Crane'));
    await finger.down({ x, y });
    await finger.move({ x, y: y - 60 });
    await expect(page.locator('[data-dragged], [data-lifted]')).toHaveCount(0);
    await finger.up();
    await expect(page.getByText('nothing changed yet')).toBeVisible();
  });
});

test.describe('names', () => {
  test('a double click changes a title where it stands', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').locator('.tile-title').dblclick();
    const field = page.getByLabel('Title of Crane');
    await expect(field).toBeFocused();
    await field.fill(' ');
    await page.keyboard.press('Enter');
    await expect(page.getByText('An item needs a title.')).toBeVisible();
    await field.fill('Big crane');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(tile(page, 'Big crane')).toBeFocused();
    await expect(undo(page, 'Rename item “Crane” to “Big crane”')).toBeEnabled();
    await heading(page, 1).locator('h2').dblclick();
    await page.getByLabel('Name of Office').fill('Back office');
    await page.keyboard.press('Enter');
    await expect.poll(() => sections(page)).toEqual(['Quay', 'Back office', 'Shed']);
    await expect(heading(page, 1)).toBeFocused();
    // The clicks did not collapse it.
    await expect(tile(page, 'Ledger')).toBeVisible();
    await save(page);
    expect(file(portico)).toBe(CONF.replace('title: Crane', 'title: Big crane').replace('Office', 'Back office'));
  });

  test('F2 begins, Escape leaves everything as it was', async ({ page }) => {
    await edit(page);
    await tile(page, 'Ferry').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Boat');
    await page.keyboard.press('Escape');
    await expect(tile(page, 'Ferry')).toBeFocused();
    await page.getByRole('button', { name: 'Edit section Shed' }).focus();
    await page.keyboard.press('F2');
    await expect(page.getByLabel('Name of Shed')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByText('nothing changed yet')).toBeVisible();
  });

  test('widgets get labels in the same ways', async ({ page, portico }) => {
    await edit(page);
    await page.locator('.widget-label').first().dblclick();
    await page.getByLabel('Label of Harbour time').fill('Island time');
    await page.keyboard.press('Enter');
    await expect(page.locator('.widget-label').first()).toHaveText('Island time');
    await expect(undo(page, 'Rename widget “Harbour time” to “Island time”')).toBeEnabled();
    await page.getByRole('button', { name: 'Edit widget Island time' }).focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Time');
    await page.keyboard.press('Enter');
    await expect(page.locator('.widget-label').first()).toHaveText('Time');
    await expect(page.getByRole('button', { name: 'Edit widget Time' })).toBeFocused();
    await page.getByRole('button', { name: 'Menu of widget Time' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Label of Time').fill(' ');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Type a label.')).toBeVisible();
    await page.keyboard.type('Clock');
    await page.keyboard.press('Enter');
    await save(page);
    expect(file(portico)).toBe(CONF.replace('Harbour time', 'Clock'));
  });

  test('the page gets a title in the same ways, and a click on it opens its form', async ({ page, portico }) => {
    await edit(page);
    const title = page.locator('.page-title h1');
    await title.dblclick();
    await page.getByLabel('Title of Harbour').fill('');
    await page.keyboard.press('Enter');
    await expect(page.getByText('A page needs a title.')).toBeVisible();
    await page.keyboard.type('Island');
    await page.keyboard.press('Enter');
    await expect(title).toHaveText('Island');
    await expect(page.locator('.page-title')).toBeFocused();
    await expect(undo(page, 'Rename the page to “Island”')).toBeEnabled();
    await page.keyboard.press('F2');
    await page.keyboard.type('Port');
    await page.keyboard.press('Enter');
    await expect(title).toHaveText('Port');
    await expect(page.locator('.page-title')).toBeFocused();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Page info' });
    await expect(form.getByLabel('Title')).toHaveValue('Port');
    await page.keyboard.press('Escape');
    await expect(form).toHaveCount(0);
    await title.click();
    await expect(form.getByLabel('Title')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(form).toHaveCount(0);
    await save(page);
    expect(file(portico)).toBe(CONF.replace('title: Harbour', 'title: Port'));
  });

  test('a click elsewhere accepts the name, and a single click opens the form', async ({ page }) => {
    await edit(page);
    await tile(page, 'Ferry').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Boat');
    await page.getByText('Editing conf.yml', { exact: true }).click();
    await expect(tile(page, 'Boat')).toHaveCount(1);
    await tile(page, 'Boat').locator('.tile-title').click();
    await expect(page.getByRole('dialog', { name: 'Edit item' })).toBeVisible();
  });
});
