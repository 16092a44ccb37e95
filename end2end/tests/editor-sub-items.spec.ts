// The parts of a group (docs/editing.md): in the form of its item, in their menus, and by keyboard.

import { check } from '../accessibility.ts';
import type { Page } from '@playwright/test';

import { edit, file, save, spoken, tile } from '../editing.ts';
import { expect, test } from '../fixtures.ts';
import { Finger, middle } from '../touch.ts';

const CONF = `pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Tools
        subItems:
          - title: Winch
            url: https://winch.example
            x-own: 7
          - title: Saw
            url: https://saw.example
            target: modal
`;

test.use({ text: CONF });

test('parts are added, changed, put in order and removed', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Tools').locator('.group-title').click();
  const form = page.getByRole('dialog', { name: 'Edit item' });
  const part = (position: number) => form.getByRole('group', { name: `Sub-item ${position}` });
  await expect(part(2).getByLabel('Title')).toHaveValue('Saw');
  await form.getByRole('button', { name: 'Add sub-item' }).click();
  await expect(part(3).getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Rope');
  await part(3).getByLabel('Address').fill('https://rope.example');
  // The page shows it while typing.
  await expect(page.locator('#content a.sub-item', { hasText: 'Rope' })).toHaveAttribute('href', 'https://rope.example');
  await part(3).getByRole('button', { name: 'Up' }).click();
  await expect(part(2).getByLabel('Title')).toHaveValue('Rope');
  await expect(part(2).getByRole('button', { name: 'Up' })).toBeFocused();
  // Every field of a sub-item has an input: those in use are there, the others can be added.
  await expect(part(3).getByLabel('Opens in')).toHaveValue('modal');
  await part(3).getByLabel('Opens in').selectOption('newtab');
  await part(3).getByRole('button', { name: '+ Link relation' }).click();
  await expect(part(3).getByLabel('Link relation')).toBeFocused();
  await expect(form.locator('textarea')).toHaveCount(0);
  await part(1).getByLabel('Title').fill('Big winch');
  await form.getByRole('button', { name: 'Done' }).click();
  await save(page);
  const expected = `        subItems:
          - title: Big winch
            url: https://winch.example
            x-own: 7
          - title: Rope
            url: https://rope.example
          - title: Saw
            url: https://saw.example
            target: newtab
`;
  expect(file(portico)).toBe(CONF.slice(0, CONF.indexOf('        subItems')) + expected);

  await edit(page);
  await tile(page, 'Tools').locator('.group-title').click();
  for (let left = 3; left > 0; left--) await part(left).getByRole('button', { name: 'Remove' }).click();
  await form.getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).not.toContain('subItems');
});

test('a part needs a title before it is added, in its own form and in that of its group', async ({ page, portico }) => {
  await edit(page);
  const shown = page.locator('#i-0-0 .sub-item');
  await tile(page, 'Tools').locator('.group-title').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add sub-item' }).click();
  const own = page.getByRole('dialog', { name: 'Add sub-item' });
  await own.getByRole('button', { name: 'Done' }).click();
  await expect(own.getByRole('alert')).toHaveText('Please fill in the title.');
  await own.getByLabel('Title').fill('Rope');
  await expect(shown).toHaveCount(3);
  await own.getByLabel('Title').fill(' ');
  await expect(shown).toHaveCount(2);
  await own.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('nothing changed yet')).toBeVisible();

  await tile(page, 'Tools').locator('.group-title').click();
  const form = page.getByRole('dialog', { name: 'Edit item' });
  await form.getByRole('button', { name: 'Add sub-item' }).click();
  const part = form.getByRole('group', { name: 'Sub-item 3' });
  await part.getByLabel('Address').fill('https://rope.example');
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(form.getByRole('alert')).toHaveText('Please fill in the title of each sub-item.');
  await expect(shown).toHaveCount(2);
  await part.getByLabel('Title').fill('Rope');
  await expect(shown).toHaveCount(3);
  await form.getByRole('button', { name: 'Done' }).click();
  await save(page);
  expect(file(portico)).toBe(`${CONF}          - title: Rope\n            url: https://rope.example\n`);
});

const GROUPS = `${CONF}  - name: Office
    items:
      - title: Shelf
        subItems:
          - title: Ledger
      - title: Lamp
`;
/** The titles of a group's parts, in order. */
const parts = (page: Page, group: string): Promise<string[]> => page.locator(`#${group} .sub-item .tile-title`).allTextContents();
const choose = (page: Page, name: string): Promise<void> => page.getByRole('menuitem', { name, exact: true }).click();

test.describe('of several groups', () => {
  test.use({ text: GROUPS });

  test('parts are duplicated, moved, copied and deleted from their menus', async ({ page, portico }) => {
    await edit(page);
    const open = async (name: string) => {
      await page.locator('#content .sub-item', { hasText: name }).first().click({ button: 'right' });
      await expect(page.getByRole('menu', { name })).toBeVisible();
    };
    await open('Winch');
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Edit', 'Rename', 'Duplicate', 'Move up', 'Move down', 'Move to…', 'Copy to…', 'Delete', 'Open…']);
    await choose(page, 'Duplicate');
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Winch', 'Winch', 'Saw']);
    await expect(spoken(page)).toHaveText('Duplicate sub-item “Winch”.');
    await open('Winch');
    await choose(page, 'Move to…');
    await choose(page, 'Shelf');
    await choose(page, 'At the end');
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger', 'Winch']);
    await open('Saw');
    await choose(page, 'Copy to…');
    await choose(page, 'Shelf');
    await choose(page, 'At the end');
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger', 'Winch', 'Saw']);
    await open('Saw');
    await choose(page, 'Move up');
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Saw', 'Winch']);
    // This one leads nowhere, so it is no link.
    await open('Ledger');
    await choose(page, 'Delete');
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Winch', 'Saw']);
    await tile(page, 'Shelf').locator('.group-title').click({ button: 'right' });
    await choose(page, 'Add sub-item');
    await page.getByRole('dialog', { name: 'Add sub-item' }).getByLabel('Title').fill('Rope');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Winch', 'Saw', 'Rope']);
    for (let undone = 0; undone < 6; undone++) await page.keyboard.press('Control+z');
    await expect(page.getByText('nothing changed yet')).toBeVisible();
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger']);
    for (let redone = 0; redone < 6; redone++) await page.keyboard.press('Control+Shift+z');
    await save(page);
    expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Tools
        subItems:
          - title: Saw
            url: https://saw.example
            target: modal
          - title: Winch
            url: https://winch.example
            x-own: 7
  - name: Office
    items:
      - title: Shelf
        subItems:
          - title: Winch
            url: https://winch.example
            x-own: 7
          - title: Saw
            url: https://saw.example
            target: modal
          - title: Rope
      - title: Lamp
`);
  });

  test('parts are edited, moved and deleted by keyboard', async ({ page, portico }) => {
    await edit(page);
    const part = (id: string) => page.locator(`#${id}`);
    await part('i-0-0-0').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Saw', 'Winch']);
    await expect(part('i-0-0-1')).toBeFocused();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger', 'Winch']);
    await expect(part('i-1-0-1')).toBeFocused();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect(spoken(page)).toHaveText('It cannot move further in that direction.');
    await part('i-1-0-0').focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Edit sub-item' });
    await form.getByLabel('Title').fill('Big ledger');
    await form.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Big ledger', 'Winch']);
    // The focus comes back, and keys that follow go there.
    await expect(part('i-1-0-0')).toBeFocused();
    await part('i-0-0-0').focus();
    await page.keyboard.press('Delete');
    // Without parts, it is no group.
    await expect(part('i-0-0')).not.toHaveClass(/sub-items-group/);
    await expect(part('i-0-0')).toBeFocused();
    await part('i-1-0-1').focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu', { name: 'Winch' })).toBeVisible();
    await choose(page, 'Move up');
    await save(page);
    expect(file(portico)).toBe(`pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Tools
  - name: Office
    items:
      - title: Shelf
        subItems:
          - title: Winch
            url: https://winch.example
            x-own: 7
          - title: Big ledger
      - title: Lamp
`);
  });

  test('the form of a part moves and copies it, after what was typed', async ({ page, portico }) => {
    await edit(page);
    const form = page.getByRole('dialog', { name: 'Edit sub-item' });
    await page.locator('#i-0-0-0').click();
    await form.getByLabel('Title').fill('Big winch');
    await form.getByRole('button', { name: 'Move down' }).click();
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Saw', 'Big winch']);
    await page.locator('#i-0-0-0').click();
    await form.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(form.getByRole('alert')).toHaveText('Please choose a group first.');
    await form.getByLabel('Move or copy to group').selectOption('Shelf');
    await form.getByLabel('Position').selectOption('At the beginning');
    await form.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Saw', 'Ledger']);
    await page.locator('#i-0-0-1').click();
    await form.getByLabel('Move or copy to group').selectOption('Shelf');
    await form.getByRole('button', { name: 'Move', exact: true }).click();
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Saw', 'Ledger', 'Big winch']);
    await save(page);
    expect(file(portico)).toContain('          - title: Saw\n            url: https://saw.example\n            target: modal\n          - title: Ledger\n          - title: Big winch\n');
  });

  test('parts are renamed where they stand, not their group', async ({ page, portico }) => {
    await edit(page);
    await page.locator('#i-0-0-0').focus();
    await page.keyboard.press('F2');
    await page.getByLabel('Title of Winch').fill('Big winch');
    await page.keyboard.press('Enter');
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Big winch', 'Saw']);
    await expect(page.locator('#i-0-0-0')).toBeFocused();
    await page.locator('#i-0-0-1 .tile-title').dblclick();
    await page.getByLabel('Title of Saw').fill('Band saw');
    await page.keyboard.press('Enter');
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Big winch', 'Band saw']);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.locator('#i-1-0-0').click({ button: 'right' });
    await choose(page, 'Rename');
    await page.getByLabel('Title of Ledger').fill('Books');
    await page.keyboard.press('Enter');
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Books']);
    await tile(page, 'Tools').locator('.group-title').dblclick();
    await page.getByLabel('Title of Tools').fill('Gear');
    await page.keyboard.press('Enter');
    await expect(page.locator('#i-0-0 .group-title')).toHaveText('Gear');
    // A single click opens the form, as ever.
    await page.locator('#i-0-0-0 .tile-title').click();
    await expect(page.getByRole('dialog', { name: 'Edit sub-item' })).toBeVisible();
    await page.keyboard.press('Escape');
    await save(page);
    expect(file(portico)).toBe(GROUPS.replace('Tools', 'Gear').replace('Winch', 'Big winch').replace('Saw', 'Band saw').replace('Ledger', 'Books'));
  });

  test('parts are dragged by mouse, within their group and to another', async ({ page, portico }) => {
    await edit(page);
    await page.locator('#i-0-0-1').dragTo(page.locator('#i-0-0-0'), { targetPosition: { x: 4, y: 4 } });
    await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Saw', 'Winch']);
    await expect(spoken(page)).toHaveText('Move “Saw” to Tools.');
    await page.locator('#i-0-0-1').dragTo(page.locator('#i-1-0-0'), { targetPosition: { x: 4, y: 4 } });
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Winch', 'Ledger']);
    // Dropping on the title of a group means its end.
    await page.locator('#i-1-0-0').dragTo(page.locator('#i-1-0 .group-title'));
    await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger', 'Winch']);
    await expect(page.getByText('3 changes, not saved')).toBeVisible();
    // A group is dragged by its title.
    await page.locator('#i-0-0 .group-title').dragTo(tile(page, 'Lamp'), { targetPosition: { x: 4, y: 4 } });
    await expect(page.locator('#s-1 .items > *')).toHaveCount(3);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await save(page);
    expect(file(portico)).toContain('          - title: Ledger\n          - title: Winch\n            url: https://winch.example\n            x-own: 7\n');
  });

  test('Escape cancels, which is announced', async ({ page }) => {
    await edit(page);
    const from = await middle(page.locator('#i-0-0-0'));
    const to = await middle(page.locator('#i-1-0-0'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    const said = page.locator('#editor > [role=status]');
    await expect(said).toHaveText('Moving Winch. Escape cancels.');
    await page.keyboard.press('Escape');
    await expect(said).toHaveText('Not moved.');
    await page.mouse.up();
    await expect(page.getByText('nothing changed yet')).toBeVisible();
  });

  test.describe('by touch', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test('a long press lifts a part, which follows the finger to another group', async ({ page }) => {
      await edit(page);
      const finger = await Finger.of(page);
      const to = await middle(page.locator('#i-1-0 .group-title'));
      await finger.down(await middle(page.locator('#i-0-0-0')));
      await expect(page.locator('#i-0-0-0[data-lifted]')).toHaveCount(1);
      await finger.move(to);
      await expect(page.locator('.drop-line')).toBeVisible();
      await finger.up();
      await expect.poll(() => parts(page, 'i-1-0')).toEqual(['Ledger', 'Winch']);
      await expect(page.getByRole('menu')).toHaveCount(0);
    });

    test('a long press on a part opens its menu, and a tap its form', async ({ page }) => {
      await edit(page);
      const finger = await Finger.of(page);
      await finger.down(await middle(page.locator('#i-0-0-1')));
      await expect(page.locator('[data-lifted]')).toHaveCount(1);
      await finger.up();
      await expect(page.getByRole('menu', { name: 'Saw' })).toBeVisible();
      await page.getByRole('menuitem', { name: 'Duplicate' }).tap();
      await expect.poll(() => parts(page, 'i-0-0')).toEqual(['Winch', 'Saw', 'Saw']);
      await page.locator('#i-0-0-0').tap();
      await expect(page.getByRole('dialog', { name: 'Edit sub-item' }).getByLabel('Title')).toHaveValue('Winch');
    });
  });
});

test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await edit(page);
  await tile(page, 'Tools').locator('.group-title').click();
  await expect(page.getByRole('group', { name: 'Sub-item 1' })).toBeVisible();
  await check(page, async () => {});
});
