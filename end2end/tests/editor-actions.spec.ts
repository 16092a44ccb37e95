// Every action of the menus on items, sections, widgets and sub-items (docs/editing.md), by mouse, keyboard and touch, on a desk and
// on a phone.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { edit, harbour, spoken } from '../editing.ts';
import { expect, test } from '../fixtures.ts';
import { Finger, middle } from '../touch.ts';

const CONF = harbour({
  'ferry.example': '      - title: Tools\n        subItems: [{ title: Winch }, { title: Saw }]\n    widgets:\n      - type: clock\n        label: Harbour time\n      - type: blank\n        label: Gap\n',
  'ledger.example': '      - title: Shelf\n        subItems: [{ title: Book }]\n',
}).replace('sections:\n', 'pages: [{ name: Boats, path: boats.yml }]\nsections:\n');

test.use({ text: CONF });

type Way = 'mouse' | 'keyboard' | 'touch';

const DESK = { viewport: { width: 1366, height: 900 } };
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
const WAYS: [Way, string, typeof DESK | typeof PHONE][] = [
  ['mouse', 'a desk', DESK],
  ['keyboard', 'a desk', DESK],
  ['keyboard', 'a phone', PHONE],
  ['touch', 'a phone', PHONE],
];

interface Kind {
  name: string;
  /** What the menu opens on. */
  owner: (page: Page) => Locator;
  /** Whether the owner is a button that opens the menu. */
  button: boolean;
  form: string;
  /** The entries to choose in the menu, and what is announced then. Each is undone before the next. */
  actions: [entries: string[], said: string][];
}

const KINDS: Kind[] = [
  {
    name: 'an item', owner: (page) => page.locator('#i-0-0'), button: false, form: 'Edit item',
    actions: [
      [['Duplicate'], 'Duplicate item “Crane”.'],
      [['Move down'], 'Move “Crane” down.'],
      [['Move to…', 'Office', 'At the end'], 'Move “Crane” to Office.'],
      [['Copy to…', 'Office', 'At the beginning'], 'Copy “Crane” to Office.'],
      [['Delete'], 'Delete item “Crane”.'],
    ],
  },
  {
    name: 'a section', owner: (page) => page.getByRole('button', { name: 'Menu of section Quay', exact: true }), button: true, form: 'Edit section',
    actions: [
      [['Duplicate'], 'Duplicate section “Quay”.'],
      [['Move down'], 'Move “Quay” down.'],
      [['Move to page…', 'Boats'], 'Move section “Quay” to page “Boats”.'],
      [['Copy to page…', 'Boats'], 'Copy section “Quay” to page “Boats”.'],
      [['Delete'], 'Delete section “Quay”.'],
    ],
  },
  {
    name: 'a widget', owner: (page) => page.getByRole('button', { name: 'Menu of widget Harbour time' }), button: true, form: 'Edit widget “clock”',
    actions: [
      [['Duplicate'], 'Duplicate widget “Harbour time”.'],
      [['Move down'], 'Move “Harbour time” down.'],
      [['Move to…', 'Office'], 'Move “Harbour time” to Office.'],
      [['Copy to…', 'Office'], 'Copy “Harbour time” to Office.'],
      [['Delete'], 'Delete widget “Harbour time”.'],
    ],
  },
  {
    name: 'a sub-item', owner: (page) => page.locator('#i-0-2-0'), button: false, form: 'Edit sub-item',
    actions: [
      [['Duplicate'], 'Duplicate sub-item “Winch”.'],
      [['Move down'], 'Move “Winch” down.'],
      [['Move to…', 'Shelf', 'At the beginning'], 'Move “Winch” to Shelf.'],
      [['Copy to…', 'Shelf', 'At the end'], 'Copy “Winch” to Shelf.'],
      [['Delete'], 'Delete sub-item “Winch”.'],
    ],
  },
];

/** The names of everything on the page, in order. */
const names = (page: Page): Promise<string[]> => page.locator('#content :is(h2, .tile-title, .group-title, .widget-label)').allTextContents();

/** Presses a button or an entry of a menu. */
async function press(target: Locator, way: Way): Promise<void> {
  if (way === 'mouse') return target.click();
  if (way === 'touch') return target.tap();
  await target.focus();
  await target.press('Enter');
}

async function openMenu(page: Page, { owner, button }: Kind, way: Way): Promise<void> {
  const target = owner(page);
  if (button) await press(target, way);
  else if (way === 'mouse') await target.click({ button: 'right' });
  else if (way === 'keyboard') {
    await target.focus();
    await page.keyboard.press('Shift+F10');
  } else {
    const finger = await Finger.of(page);
    await finger.down(await middle(target));
    await expect(page.locator('[data-lifted]')).toHaveCount(1);
    await finger.up();
  }
  await expect(page.getByRole('menu')).toBeVisible();
}

for (const [way, place, use] of WAYS) {
  test.describe(`by ${way} on ${place}`, () => {
    test.use(use);

    for (const kind of KINDS) {
      // What an action does is tested by mouse; the other ways only have to reach the menu, its entries and its submenus.
      const actions = way === 'mouse' ? kind.actions : kind.actions.filter((_, index) => index === 0 || index === 2);

      test(`${kind.name} has all actions in its menu`, async ({ page, portico }) => {
        writeFileSync(join(portico.directory, 'boats.yml'), 'sections: []\n');
        await edit(page);
        const begun = await names(page);
        for (const [entries, said] of actions) {
          await openMenu(page, kind, way);
          for (const name of entries) await press(page.getByRole('menuitem', { name, exact: true }), way);
          // What a section contains is deleted after a question.
          if (said.startsWith('Delete section')) await press(page.getByRole('dialog', { name: 'Delete the section?' }).getByRole('button', { name: 'Delete' }), way);
          await expect(spoken(page)).toHaveText(said);
          // The page has shown the step before it is undone.
          if (said.startsWith('Copy section')) await expect(page.getByRole('button', { name: 'Edit section Quay', exact: true })).toBeFocused();
          else await expect.poll(() => names(page)).not.toEqual(begun);
          await page.keyboard.press('Control+z');
          await expect(page.getByText('nothing changed yet')).toBeVisible();
          await expect.poll(() => names(page)).toEqual(begun);
        }
        await openMenu(page, kind, way);
        await press(page.getByRole('menuitem', { name: 'Edit', exact: true }), way);
        await expect(page.getByRole('dialog', { name: kind.form })).toBeVisible();
      });
    }

    test('everything can be added', async ({ page }) => {
      await edit(page);
      const form = page.getByRole('dialog');
      const fill = async (label: string, text: string): Promise<void> => {
        await form.getByRole('textbox', { name: label }).first().fill(text);
        await press(form.getByRole('button', { name: 'Done' }), way);
        await expect(form).toHaveCount(0);
      };
      await press(page.getByRole('button', { name: 'Add item to Quay' }), way);
      await fill('Title', 'Buoy');
      await expect(spoken(page)).toHaveText('Add item “Buoy”.');
      await press(page.getByRole('button', { name: 'Add widget to Quay' }), way);
      await form.getByRole('searchbox').fill('blank');
      await press(form.getByRole('button', { name: /^Blank/ }), way);
      await fill('Label', 'Space');
      await expect(spoken(page)).toHaveText('Add widget “Space”.');
      await press(page.getByRole('button', { name: 'Add section' }), way);
      await fill('Name', 'Shed');
      await expect(spoken(page)).toHaveText('Add section “Shed”.');
      // The page scrolls to what is new, also under a finger.
      await expect(page.getByRole('button', { name: 'Edit section Shed', exact: true })).toBeFocused();
      const group = { ...KINDS[0]!, owner: (page: Page) => page.locator('#i-0-2 > .group-title') };
      await openMenu(page, way === 'keyboard' ? { ...group, owner: (page) => page.locator('#i-0-2') } : group, way);
      await press(page.getByRole('menuitem', { name: 'Add sub-item' }), way);
      await fill('Title', 'Rope');
      await expect(spoken(page)).toHaveText('Add sub-item “Rope”.');
    });
  });
}
