// Every form of the editor (docs/editing.md), opened, filled in and saved by mouse, by keyboard alone and by touch, on a desk and on
// a phone, with the expected file on disk. Axe checks each dialog on the way.

import type { Locator, Page } from '@playwright/test';

import { VIEWPORTS } from '../accessibility.ts';
import { violations } from '../axe.ts';
import { QUAY, ended, file } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';
import { type Input, Person } from '../person.ts';

test.use({ text: QUAY });

const dialog = (page: Page): Locator => page.getByRole('dialog').last();
// A star after the label marks required fields.
const field = (page: Page, label: string): Locator => dialog(page).getByLabel(new RegExp(`^${label}( \\*)?$`));
const button = (page: Page, name: string): Locator => dialog(page).getByRole('button', { name, exact: true });

/** Presses a button of the save bar, on a phone perhaps behind “More”. */
async function pressInBar(page: Page, person: Person, name: string): Promise<void> {
  const bar = page.getByRole('region', { name: 'Save bar' });
  const more = bar.getByRole('button', { name: 'More', exact: true });
  const wanted = bar.getByRole('button', { name, exact: true });
  await more.or(wanted).first().waitFor();
  if (!(await wanted.isVisible())) await person.press(more);
  await person.press(wanted);
}

async function isClean(page: Page, title: string | RegExp): Promise<void> {
  await expect(page.getByRole('dialog', { name: title })).toBeVisible();
  // Lines beyond the edge of a text cannot be checked. raw-editor.spec checks the same colors in a short one.
  const found = (await violations(page)).filter((line) => !/class="(cm-line|ͼ.)".*partially obscured/.test(line));
  expect.soft(found, String(title)).toEqual([]);
}

const EXPECTED = `pageInfo:
  title: Old harbour
sections:
  - name: West quay
    items:
      - title: Crane
        url: https://crane.example
        description: Lifts things
        icon: mdi-anchor
        color: '#0d9488'
    displayData:
      sortBy: alphabetical
      rows: 2
    widgets:
      - type: clock
        label: Harbour time
        options:
          timeZone: Europe/Lisbon
  - name: Apps
    items:
      - title: Pump
        url: http://pump.example
        target: sametab
appConfig:
  iconSize: large
  disableSmartSort: true
  customCss: '.item { letter-spacing: 1px }'
  customColors:
    default:
      primary: '#1d4ed8'
pages:
  - name: Work
    path: work.yml
# By hand
`;

for (const viewport of VIEWPORTS) {
  for (const input of ['mouse', 'keyboard', 'touch'] satisfies Input[]) {
    test.describe(`${viewport.width}, by ${input}`, () => {
      test.use({ viewport, hasTouch: input === 'touch', isMobile: input === 'touch' && viewport.width < 600 });

      test('every form can be filled in and saved', async ({ page, portico }) => {
        test.setTimeout(120_000);
        const person = new Person(page, input);
        const done = async (name = 'Done'): Promise<void> => {
          await person.press(button(page, name));
          await expect(page.getByRole('dialog')).toHaveCount(0);
        };
        await open(page);

        await test.step('config menu', async () => {
          await person.press(page.getByRole('button', { name: 'Options' }));
          await person.press(page.getByRole('button', { name: 'Config menu' }));
          await isClean(page, 'Config');
          await person.press(dialog(page).getByRole('button', { name: /^Page info/ }));
        });

        await test.step('page info', async () => {
          await isClean(page, 'Page info');
          await person.write(field(page, 'Title'), 'Old harbour');
          await done();
          await expect(page.getByRole('heading', { level: 1 })).toHaveText('Old harbour');
        });

        await test.step('settings', async () => {
          await pressInBar(page, person, 'Settings');
          await person.choose(field(page, 'Tile size'), 'Large');
          await person.write(field(page, 'Find a setting'), 'smart sort');
          await person.press(button(page, '+ Do not count what is opened'));
          await person.turnOn(field(page, 'Do not count what is opened'));
          await isClean(page, 'Settings');
          await done();
        });

        await test.step('section', async () => {
          await person.press(page.getByRole('button', { name: 'Edit section Quay', exact: true }));
          await person.write(field(page, 'Name'), 'West quay');
          await person.press(button(page, '+ Display and visibility'));
          await person.choose(field(page, 'Order'), 'Alphabetical');
          await person.write(field(page, 'Height in rows'), '2');
          await isClean(page, 'Edit section');
          await done();
          await expect(page.locator('#content h2').first()).toHaveText('West quay');
        });

        await test.step('item, icons and colors', async () => {
          await person.press(page.locator('#i-0-0'));
          await person.write(field(page, 'Description'), 'Lifts things');
          await person.press(button(page, 'Choose icon'));
          await person.write(dialog(page).getByRole('searchbox', { name: 'Search' }), 'anchor');
          const anchor = dialog(page).getByRole('option', { name: 'anchor, Symbols', exact: true });
          await expect(anchor).toBeVisible();
          await isClean(page, 'Choose an icon');
          if (input === 'keyboard') {
            // The arrow keys lead through the icons.
            for (let step = 0; step < 60 && !(await anchor.evaluate((one) => one === document.activeElement)); step++) {
              await page.keyboard.press(step === 0 ? 'ArrowDown' : 'ArrowRight');
            }
            await page.keyboard.press('Enter');
          } else await person.press(anchor);
          await expect(field(page, 'Icon')).toHaveValue('mdi-anchor');
          await person.press(button(page, '+ Colour'));
          await person.press(button(page, 'Choose colour'));
          await person.check(dialog(page).getByRole('radio', { name: 'Teal', exact: true }));
          await isClean(page, 'Choose a colour');
          await person.press(button(page, 'Done'));
          await expect(field(page, 'Colour')).toHaveValue('#0d9488');
          await isClean(page, 'Edit item');
          await done();
        });

        await test.step('widget', async () => {
          await person.press(page.getByRole('button', { name: 'Add widget to West quay' }));
          await person.write(dialog(page).getByRole('searchbox'), 'time date');
          await expect(button(page, 'Cancel')).toBeVisible();
          await isClean(page, 'Add widget');
          await person.press(dialog(page).getByRole('button', { name: /^Clock/ }));
          await person.write(field(page, 'Label'), 'Harbour time');
          await person.write(field(page, 'Time zone'), 'Europe/Lisbon');
          const preview = dialog(page).getByRole('region', { name: 'Preview' });
          await expect(preview.locator('.part-clock')).toContainText('Lisbon');
          await expect(preview.locator('[aria-busy=true]')).toHaveCount(0);
          await isClean(page, 'Add widget “clock”');
          await done();
          await expect(page.locator('#s-0 .widget-base')).toContainText('Harbour time');
        });

        await test.step('pages', async () => {
          await pressInBar(page, person, 'Pages');
          await isClean(page, 'Pages');
          await person.press(button(page, 'Add page'));
          await person.write(field(page, 'Name'), 'Work');
          await person.write(field(page, 'Path'), 'work.yml');
          await isClean(page, 'Add page');
          await done();
        });

        await test.step('styles and colors of the theme', async () => {
          await pressInBar(page, person, 'Styles');
          await person.write(dialog(page).getByLabel('CSS', { exact: true }), '.item { letter-spacing: 1px }');
          await expect(page.locator('#i-0-0')).toHaveCSS('letter-spacing', '1px');
          await isClean(page, 'Custom CSS');
          await done('Apply');
          await pressInBar(page, person, 'Styles');
          await person.press(button(page, 'Colours of the theme'));
          await person.write(dialog(page).getByLabel('primary', { exact: true }), '#1d4ed8');
          await isClean(page, /^Colours: /);
          await done('Apply');
        });

        await test.step('import', async () => {
          await pressInBar(page, person, 'Import');
          await person.choose(dialog(page).getByRole('combobox'), 'Homer');
          await person.write(dialog(page).getByLabel('Or paste the text of a file'), 'services:\n- name: Apps\n  items:\n  - name: Pump\n    url: http://pump.example\n');
          await isClean(page, 'Import');
          await person.press(button(page, 'Show what arrives'));
          await expect(dialog(page).getByRole('status')).toHaveText('Imported from Homer: 1 section, 1 item, 0 widgets.');
          await isClean(page, 'Import');
          await done('Add to the page');
          // The focus goes to what has arrived, which closes “More”.
          await expect(page.getByRole('region', { name: 'Save bar' }).getByRole('button', { name: 'Import', exact: true })).toBeHidden();
        });

        await test.step('text', async () => {
          await pressInBar(page, person, 'Edit as YAML');
          const text = dialog(page).getByRole('textbox', { name: /^YAML of conf\.yml/ });
          if (input === 'keyboard') await person.reach(text);
          else await person.press(dialog(page).locator('.cm-line').last());
          await page.keyboard.press('Control+End');
          await page.keyboard.insertText('# By hand\n');
          await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'false');
          await isClean(page, /^Edit as YAML/);
          await person.press(button(page, 'Save'));
          await ended(page);
          expect(file(portico)).toBe(EXPECTED);
        });

        await test.step('backups', async () => {
          // The page may be loading anew, because it has widgets now.
          await expect(() => open(page)).toPass();
          await person.press(page.getByRole('button', { name: 'Edit this page' }));
          await pressInBar(page, person, 'Backups');
          await isClean(page, 'Backups');
          await person.press(dialog(page).getByRole('button', { name: /^Differences/ }));
          await expect(dialog(page).locator('ins')).toContainText(['title: Harbour']);
          await isClean(page, 'Restoring changes these lines');
          await person.press(button(page, 'Back'));
          await person.press(dialog(page).getByRole('button', { name: /^Restore the backup/ }));
          await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour');
          await pressInBar(page, person, 'Save');
          await ended(page);
          expect(file(portico)).toBe(QUAY);
        });
      });
    });
  }
}
