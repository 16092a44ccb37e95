// Pages, widgets and menus in the editor (docs/editing.md): the file of a new page, several widgets in a section, the types of
// widgets, and the buttons that open the menus.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { bar, edit, ended, file, save, toPage, tool } from '../editing.ts';
import { expect, test } from '../fixtures.ts';
import type { Portico } from '../server.ts';

const CONF = `pageInfo:
  title: Harbour
pages:
  - name: Boats
    path: boats.yml
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
    widgets:
      - type: clock
        label: Harbour time
`;

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog');
const pages = (page: Page): Locator => page.getByRole('dialog', { name: 'Pages' });
const labels = (page: Page): Promise<string[]> => page.locator('#s-0 .widget-label').allTextContents();
const textOf = (portico: Portico, name: string): string => readFileSync(join(portico.directory, name), 'utf8');

async function openPages(page: Page): Promise<void> {
  await (await tool(page, 'Pages')).click();
  await expect(pages(page)).toBeVisible();
}

async function addPage(page: Page, name: string): Promise<void> {
  await openPages(page);
  await pages(page).getByRole('button', { name: 'Add page' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

test('a new page gets a file, and is there after saving', async ({ page, portico }) => {
  await edit(page);
  await addPage(page, 'Home & Garden');
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  expect(existsSync(join(portico.directory, 'home-garden.yml'))).toBe(false);
  await save(page);
  await expect(page.locator('.toast')).toContainText('home-garden.yml was created and is still empty.');
  expect(textOf(portico, 'home-garden.yml')).toBe('pageInfo:\n  title: Home & Garden\nsections: []\n');
  expect(file(portico)).toContain('  - name: Home & Garden\n    path: home-garden.yml\n');
  await page.getByRole('link', { name: 'Home & Garden' }).click();
  await expect(page).toHaveTitle(/Home & Garden/);
});

test('the file of a page that is there already is used as it is', async ({ page, portico }) => {
  portico.write('lab.yml', 'pageInfo: { title: Laboratory }\n');
  await edit(page);
  await addPage(page, 'Lab');
  await save(page);
  await expect(page.locator('.toast')).toContainText('lab.yml exists already');
  expect(textOf(portico, 'lab.yml')).toBe('pageInfo: { title: Laboratory }\n');
});

test('a draft that is discarded leaves no file behind', async ({ page, portico }) => {
  await edit(page);
  await addPage(page, 'Lab');
  await bar(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).getByRole('button', { name: 'Discard' }).click();
  await ended(page);
  expect(existsSync(join(portico.directory, 'lab.yml'))).toBe(false);
});

test('pages are renamed, put in order and removed, and files stay', async ({ page, portico }) => {
  portico.write('boats.yml', 'pageInfo: { title: Boats }\n');
  await edit(page);
  await addPage(page, 'Lab');
  await openPages(page);
  await pages(page).getByRole('button', { name: 'Move up Lab' }).click();
  await expect(pages(page).getByRole('listitem')).toContainText(['Lab lab.yml', 'Boats boats.yml']);
  await pages(page).getByRole('button', { name: 'Edit Lab' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Workshop');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await openPages(page);
  await pages(page).getByRole('button', { name: 'Remove Boats' }).click();
  await expect(pages(page).getByText('“Boats” is no longer a page. Its file stays.')).toBeVisible();
  await expect(pages(page).getByRole('listitem')).toContainText(['Workshop lab.yml']);
  await page.keyboard.press('Escape');
  await save(page);
  expect(file(portico)).toContain('pages:\n  - name: Workshop\n    path: lab.yml\nsections:');
  expect(existsSync(join(portico.directory, 'boats.yml'))).toBe(true);
});

test('a page is duplicated with its content, and undone', async ({ page, portico }) => {
  const boats = '# Ours\npageInfo: { title: Boats }\nsections: [{ name: Pier, x-own: 7 }]\n';
  portico.write('boats.yml', boats);
  await edit(page);
  await openPages(page);
  await pages(page).getByRole('button', { name: 'Duplicate Boats' }).focus();
  await page.keyboard.press('Enter');
  const copy = pages(page).getByRole('button', { name: 'Duplicate Boats (copy)' });
  await expect(copy).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(pages(page).getByRole('listitem')).toContainText(['Boats boats.yml', 'Boats (copy) boats-copy.yml', 'Boats (copy) (copy) boats-copy-copy.yml']);
  await page.keyboard.press('Escape');
  await expect(bar(page).getByRole('button', { name: 'Undo: Duplicate page “Boats (copy)”' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(bar(page).getByRole('button', { name: 'Undo: Duplicate page “Boats”' })).toBeVisible();
  await save(page);
  await expect(page.locator('.toast')).toContainText('boats-copy.yml was created and is a copy of the other page.');
  expect(textOf(portico, 'boats-copy.yml')).toBe(boats);
  expect(file(portico)).toContain('  - name: Boats\n    path: boats.yml\n  - name: Boats (copy)\n    path: boats-copy.yml\nsections:');
  expect(existsSync(join(portico.directory, 'boats-copy-copy.yml'))).toBe(false);
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('the buttons of a page are in one row, and a tap duplicates it', async ({ page }) => {
    await edit(page);
    await page.getByRole('button', { name: 'More' }).tap();
    await openPages(page);
    const row = pages(page).getByRole('listitem').first();
    const boxes = await row.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes).toHaveLength(5);
    expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(390);
    await pages(page).getByRole('button', { name: 'Duplicate Boats' }).tap();
    await expect(pages(page).getByRole('listitem')).toContainText(['Boats boats.yml', 'Boats (copy) boats-copy.yml']);
  });
});

test.describe('a section', () => {
  const boats = 'x: 1\npageInfo:\n  title: Boats\nsections:\n  - name: Pier\n';
  const quay = CONF.slice(CONF.indexOf('  - name: Quay'));

  const copyTo = (page: Page, name: string) => toPage(page, 'Copy to page…', name);

  test('is copied to another page, and back', async ({ page, portico }) => {
    portico.write('boats.yml', boats);
    await edit(page);
    await copyTo(page, 'Boats');
    const undo = bar(page).getByRole('button', { name: 'Undo: Copy section “Quay” to page “Boats”' });
    await expect(undo).toBeVisible();
    await undo.click();
    await expect(page.getByText('nothing changed yet')).toBeVisible();
    await page.keyboard.press('Control+Shift+z');
    await save(page);
    await expect(page.locator('.toast')).toContainText('“Quay” was added to boats.yml.');
    expect(textOf(portico, 'boats.yml')).toBe(boats + quay);
    // Its own file is not written.
    expect(file(portico)).toBe(CONF);
    await page.goto('./home/boats');
    await expect(page.locator('#content h2')).toHaveText(['Pier', 'Quay']);
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await expect(bar(page)).toBeVisible();
    await copyTo(page, 'Harbour');
    await save(page);
    expect(file(portico)).toBe(`${CONF}  - name: Pier\n`);
  });

  test.describe('with another one beside it', () => {
    const both = `${CONF}  - name: Shed\n`;

    test.use({ text: both, expected: /400/ });

    test('moves to another page when the draft is saved', async ({ page, portico }) => {
      portico.write('boats.yml', boats);
      await edit(page);
      await toPage(page, 'Move to page…', 'Boats');
      const undo = bar(page).getByRole('button', { name: 'Undo: Move section “Quay” to page “Boats”' });
      await expect(undo).toBeVisible();
      await expect(page.locator('#content h2')).toHaveText(['Shed']);
      await undo.click();
      await expect(page.locator('#content h2')).toHaveText(['Quay', 'Shed']);
      await page.keyboard.press('Control+Shift+z');
      await expect(page.locator('#content h2')).toHaveText(['Shed']);
      // Nothing is written before.
      expect([textOf(portico, 'boats.yml'), file(portico)]).toEqual([boats, both]);
      await save(page);
      await expect(page.locator('.toast')).toContainText('“Quay” was added to boats.yml.');
      await expect(page.locator('.toast')).toContainText('conf.yml is saved.');
      expect(textOf(portico, 'boats.yml')).toBe(boats + quay);
      expect(file(portico)).toBe(both.replace(quay, ''));
    });

    test('stays where it is if the other page cannot be written', async ({ page, portico }) => {
      portico.write('boats.yml', boats);
      await edit(page);
      await toPage(page, 'Move to page…', 'Boats');
      await expect(page.locator('#content h2')).toHaveText(['Shed']);
      portico.write('boats.yml', 'sections: [\n');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(bar(page)).toContainText('“Quay” cannot move to boats.yml, so conf.yml is not saved');
      expect(file(portico)).toBe(both);
      // The draft is kept, and can be saved when the other page is well again.
      portico.write('boats.yml', boats);
      await save(page);
      expect(textOf(portico, 'boats.yml')).toBe(boats + quay);
    });

    test('is kept locally, and moves when that config is saved to disk', async ({ page, portico }) => {
      portico.write('boats.yml', boats);
      await edit(page);
      await toPage(page, 'Move to page…', 'Boats');
      await expect(page.locator('#content h2')).toHaveText(['Shed']);
      await (await tool(page, 'Save locally')).click();
      await dialog(page).getByRole('button', { name: 'Save locally' }).click();
      await ended(page);
      expect([textOf(portico, 'boats.yml'), file(portico)]).toEqual([boats, both]);
      await page.getByRole('button', { name: 'Local config' }).click();
      const panel = page.getByRole('region', { name: 'Local config' });
      await panel.getByRole('button', { name: 'Save to disk' }).click();
      await panel.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.locator('.toast')).toContainText('“Quay” was added to boats.yml.');
      expect(textOf(portico, 'boats.yml')).toBe(boats + quay);
      expect(file(portico)).not.toContain('Quay');
    });
  });

  test('moves to a page with comments after a question, and from a draft of an earlier visit', async ({ page, portico }) => {
    portico.write('boats.yml', `# Ours\n${boats}`);
    await edit(page);
    await copyTo(page, 'Boats');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog(page)).toContainText('There are comments in boats.yml.');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await ended(page);
    expect(textOf(portico, 'boats.yml')).toBe(boats + quay);
  });
});

test('a section gets several widgets, which are put in order', async ({ page, portico }) => {
  await edit(page);
  for (const [kind, label] of [['image', 'Chart'], ['blank', 'Gap']] as const) {
    await page.getByRole('button', { name: 'Add widget to Quay' }).click();
    await dialog(page).getByRole('searchbox').fill(kind);
    await dialog(page).getByRole('button', { name: new RegExp(`^${kind}`, 'i') }).click();
    await dialog(page).getByRole('textbox', { name: 'Label' }).fill(label);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await expect(page.locator('#s-0 .widget-label', { hasText: label })).toBeVisible();
  }
  expect(await labels(page)).toEqual(['Harbour time', 'Chart', 'Gap']);
  await page.getByRole('button', { name: 'Menu of widget Gap' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await expect.poll(() => labels(page)).toEqual(['Harbour time', 'Gap', 'Chart']);
  await page.getByRole('button', { name: 'Edit widget Chart' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => labels(page)).toEqual(['Harbour time', 'Chart', 'Gap']);
  await save(page);
  expect(file(portico)).toContain('      - type: clock\n        label: Harbour time\n      - type: image\n        label: Chart\n      - type: blank\n        label: Gap\n');
});

test.describe('widgets without labels', () => {
  test.use({ text: `${CONF}      - type: clock\n      - type: weather\n        ignoreErrors: true\n        options: { city: Hamburg }\n` });

  for (const [place, use] of [
    ['a desk', { viewport: { width: 1366, height: 900 } }],
    ['a phone', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }],
  ] as const) {
    test.describe(`on ${place}`, () => {
      test.use(use);

      test('have a line with name and buttons, which covers nothing', async ({ page }) => {
        await edit(page);
        const frame = (position: number) => page.locator(`[data-widget="0-${position}"]`);
        const name = (position: number) => frame(position).evaluate((element) => getComputedStyle(element, '::before').content);
        expect([await name(1), await name(2)]).toEqual(['"Clock"', '"Weather"']);
        for (const position of [0, 1, 2]) await expect(frame(position).locator('.widget-tools')).toHaveCSS('opacity', '1');
        const tools = (await frame(1).getByRole('button', { name: 'Edit widget Clock' }).boundingBox())!;
        const content = (await frame(1).locator('.clock-line').boundingBox())!;
        // What can be pressed may reach a little further than what is seen.
        expect(tools.y + tools.height / 2 + 8).toBeLessThanOrEqual(content.y);
        // The one that hides its errors has nothing but its line.
        await expect(frame(2).locator('.widget-body')).toBeEmpty();
        if (place === 'a phone') expect((await frame(2).boundingBox())!.height).toBeLessThan(70);
      });
    });
  }
});

test('types of widgets are in categories, each with a picture of itself, and found by name before service', async ({ page }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add widget to Quay' }).focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Add widget' });
  const search = picker.getByRole('searchbox');
  const types = picker.getByRole('listitem').getByRole('button');
  await expect(picker.getByRole('heading', { level: 3 }).first()).toHaveText('Time and weather');
  await expect(types.filter({ hasText: 'Public holidays' })).toBeVisible();
  await expect(types.filter({ hasText: 'Weather forecast' }).locator('.edit-type-picture .panel')).toContainText('°');
  const { top, bottom } = await types.nth(1).evaluate((one) => one.getBoundingClientRect());
  expect((await types.nth(0).boundingBox())!.y).toBe(top);
  expect(bottom).toBeLessThan(900);

  await search.focus();
  await page.keyboard.type('weather');
  await expect(types.locator('strong').nth(0)).toHaveText('Weather');
  await expect(types.locator('strong').nth(1)).toHaveText('Weather forecast');
  await expect(picker.getByRole('status')).toContainText('Enter takes Weather.');
  await search.fill('pi-hole');
  await expect(picker.getByRole('heading', { level: 3 })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(types.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(types.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(types.last()).toBeFocused();
  await search.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Add widget “dns-sinkhole/ })).toBeVisible();
});

test.describe('the menu of a section', () => {
  test('opens by its button, with mouse and keyboard', async ({ page }) => {
    await edit(page);
    const button = page.getByRole('button', { name: 'Menu of section Quay' });
    await button.click();
    await expect(page.getByRole('menu', { name: 'Quay' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(page.locator('#content h2')).toHaveText(['Quay', 'Quay (copy)']);
  });

  test.describe('by touch', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test('its buttons stand at the end of the heading, as high as its words', async ({ page }) => {
      await edit(page);
      const box = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
      const section = page.locator('#s-0');
      const [row, words, dots, pencil] = await Promise.all([
        box(section.locator('.section-heading')), box(section.locator('h2')),
        box(page.getByRole('button', { name: 'Menu of section Quay' })), box(page.getByRole('button', { name: 'Edit section Quay' })),
      ]);
      expect(pencil!.right).toBeCloseTo(row!.right, 0);
      expect(dots!.right).toBeCloseTo(pencil!.left, 0);
      for (const one of [dots!, pencil!]) expect(one.top + one.height / 2).toBeCloseTo(words!.top + words!.height / 2, 0);
    });

    test('opens by a tap', async ({ page }) => {
      await edit(page);
      await page.getByRole('button', { name: 'Menu of section Quay' }).tap();
      await expect(page.getByRole('menu', { name: 'Quay' })).toBeVisible();
      await page.getByRole('menuitem', { name: 'Edit' }).tap();
      await expect(page.getByRole('dialog', { name: 'Edit section' })).toBeVisible();
    });
  });

  test.describe('where menus are turned off', () => {
    test.use({ text: `${CONF}appConfig: { disableContextMenu: true }\n` });

    test('the button still opens it, and a right click opens that of the browser', async ({ page }) => {
      await edit(page);
      await page.getByRole('button', { name: 'Menu of section Quay' }).click();
      await expect(page.getByRole('menuitem', { name: 'Copy to page…' })).toBeVisible();
      await page.keyboard.press('Escape');
      const prevented = page.evaluate(() => new Promise((done) => addEventListener('contextmenu', (event) => done(event.defaultPrevented))));
      await page.locator('#s-0 .section-heading').click({ button: 'right' });
      expect(await prevented).toBe(false);
      await expect(page.getByRole('menu')).toHaveCount(0);
    });
  });
});
