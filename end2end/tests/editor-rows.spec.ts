// Lists and mappings in forms (docs/editing.md): rows that are added, filled in, moved and removed by mouse, by keyboard alone and by
// touch, on a desk and on a phone, with the expected file on disk. Then the accounts.

import { createHash } from 'node:crypto';

import type { Locator, Page } from '@playwright/test';

import { VIEWPORTS, check } from '../accessibility.ts';
import { violations } from '../axe.ts';
import { bar, edit, ended, file, save, signIn } from '../editing.ts';
import { expect, open, test } from '../fixtures.ts';
import { type Input, Person } from '../person.ts';

const CONF = `pageInfo:
  title: Harbour
  navLinks:
    - title: Tides
      path: https://tides.example
      x-own:
        deep:
          - 1
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
    widgets:
      - type: api-response
        options:
          url: https://port.example/ships.json
          headers:
            X-Key: hush-hush
            Accept: application/json
`;

const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const group = (place: Locator, name: string): Locator => place.getByRole('group', { name, exact: true });
// A star after the label marks required fields.
const field = (place: Locator, label: string): Locator => place.getByLabel(new RegExp(`^${label}( \\*)?$`));
const button = (place: Locator, name: string): Locator => place.getByRole('button', { name, exact: true });

/** Presses a button of the save bar, on a phone perhaps behind “More”. */
async function pressInBar(page: Page, person: Person, name: string): Promise<void> {
  const more = button(bar(page), 'More');
  const wanted = button(bar(page), name);
  await more.or(wanted).first().waitFor();
  if (!(await wanted.isVisible())) await person.press(more);
  await person.press(wanted);
}

test.describe('rows', () => {
  test.use({ text: CONF });

  for (const viewport of VIEWPORTS) {
    for (const input of ['mouse', 'keyboard', 'touch'] satisfies Input[]) {
      test.describe(`${viewport.width}, by ${input}`, () => {
        test.use({ viewport, hasTouch: input === 'touch', isMobile: input === 'touch' && viewport.width < 600 });

        test('are filled in and saved', async ({ page, portico }) => {
          test.setTimeout(120_000);
          const person = new Person(page, input);
          const done = async (): Promise<void> => {
            await expect(dialog(page).locator('[aria-busy=true]')).toHaveCount(0);
            expect.soft(await violations(page)).toEqual([]);
            await person.press(button(dialog(page), 'Done'));
            await expect(page.getByRole('dialog')).toHaveCount(0);
          };
          await open(page);
          await person.press(button(page.locator('body'), 'Edit this page'));

          await test.step('a list of mappings', async () => {
            await pressInBar(page, person, 'Page info');
            await person.press(button(dialog(page), 'Add nav link'));
            const link = group(dialog(page), 'Nav link 2');
            await expect(field(link, 'Title')).toBeFocused();
            await person.write(field(link, 'Title'), 'Ferries');
            await person.press(button(dialog(page), 'Done'));
            await expect(dialog(page).getByRole('alert')).toHaveText('Please fill in the path of each nav link.');
            await person.write(field(link, 'Path'), '/ferries');
            await person.choose(field(link, 'Opens in'), 'Same tab');
            await person.press(button(link, 'Up'));
            const first = group(dialog(page), 'Nav link 1');
            await expect(field(first, 'Title')).toHaveValue('Ferries');
            await expect(button(first, 'Up')).toBeFocused();
            await person.press(button(dialog(page), 'Add nav link'));
            await person.press(button(group(dialog(page), 'Nav link 3'), 'Remove'));
            await expect(button(dialog(page), 'Add nav link')).toBeFocused();
            await done();
          });

          await test.step('a mapping of mappings', async () => {
            await pressInBar(page, person, 'Settings');
            await person.press(button(dialog(page), '+ Colours of themes'));
            await person.press(button(dialog(page), 'Add custom colour'));
            const theme = group(dialog(page), 'Custom colour 1');
            await person.write(field(theme, 'Name').first(), 'nord');
            await person.press(button(theme, 'Add entry'));
            const entry = group(theme, 'Entry 1');
            await person.write(field(entry, 'Name'), 'primary');
            await person.write(field(entry, 'Value'), '#88c0d0');
            await person.press(button(theme, 'Add entry'));
            await person.write(field(group(theme, 'Entry 2'), 'Name'), 'primary');
            await expect(theme.getByText('is there twice')).toBeVisible();
            await person.press(button(dialog(page), 'Done'));
            await expect(dialog(page).getByRole('alert')).toHaveText('Please correct what is marked.');
            await person.press(button(group(theme, 'Entry 2'), 'Remove'));
            await expect(theme.getByText('is there twice')).toHaveCount(0);
            await done();
          });

          await test.step('a mapping of texts', async () => {
            await person.press(page.locator('#i-0-0'));
            await person.press(button(dialog(page), '+ Headers of the check'));
            await person.press(button(dialog(page), 'Add status check header'));
            const header = group(dialog(page), 'Status check header 1');
            await expect(field(header, 'Name')).toBeFocused();
            await person.write(field(header, 'Name'), 'Accept');
            await person.write(field(header, 'Value'), 'text/plain');
            await done();
          });

          await test.step('secrets, and a list with further rows', async () => {
            await person.press(page.getByRole('button', { name: /^Edit widget/ }));
            const key = group(dialog(page), 'Header 1');
            await expect(field(key, 'Value')).toHaveValue('');
            await expect(field(key, 'Value')).toHaveAttribute('type', 'password');
            expect(await dialog(page).evaluate((element) => element.outerHTML)).not.toContain('hush-hush');
            await person.write(field(key, 'Name'), 'X-Token');
            await person.press(button(dialog(page), 'Add mapping'));
            const mapping = group(dialog(page), 'Mapping 1');
            await person.write(field(mapping, 'Field'), 'ships.0.name');
            await person.press(button(mapping, '+ Additional field'));
            await person.write(field(group(mapping, 'Additional field'), 'Field'), 'ships.0.flag');
            await done();
          });

          await pressInBar(page, person, 'Save');
          await ended(page);
          expect(file(portico)).toBe(`pageInfo:
  title: Harbour
  navLinks:
    - title: Ferries
      path: /ferries
      target: sametab
    - title: Tides
      path: https://tides.example
      x-own:
        deep:
          - 1
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
        statusCheckHeaders:
          Accept: text/plain
    widgets:
      - type: api-response
        options:
          url: https://port.example/ships.json
          headers:
            X-Token: hush-hush
            Accept: application/json
          mappings:
            - field: ships.0.name
              additionalField:
                field: ships.0.flag
appConfig:
  customColors:
    nord:
      primary: '#88c0d0'
`);
        });
      });
    }
  }

  test('are accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
    test.setTimeout(60_000);
    await edit(page);
    await page.getByRole('button', { name: /^Edit widget/ }).click();
    await button(dialog(page), 'Add mapping').click();
    await expect(group(dialog(page), 'Mapping 1')).toBeVisible();
    await check(page, async () => {});
  });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const users = (indent: string): string => ['ann', 'ben'].map((name) => `${indent}- user: ${name}\n${indent}  hash: ${sha256(name)}\n${indent}  type: ${name === 'ann' ? 'admin' : 'normal'}\n`).join('');
const HEAD = 'pageInfo:\n  title: Harbour\nsections:\n  - name: Quay\n    items:\n      - title: Crane\nappConfig:\n  auth:\n';

for (const [name, conf] of [['accounts', `${HEAD}    users:\n${users('      ')}`], ['accounts in the old form', `${HEAD}${users('    ')}`]] as const) {
  test.describe(name, () => {
    test.use({ text: conf });

    test('get new passwords, of which only a hash is kept', async ({ page, portico, browser }) => {
      await signIn(page, 'ann');
      await edit(page);
      await button(bar(page), 'Settings').click();
      const account = (number: number): Locator => group(dialog(page), `Account ${number}`);
      const password = (number: number): Locator => account(number).getByLabel('Password', { exact: true });
      await expect(password(1)).toHaveAttribute('placeholder', 'Set. Type to replace it.');
      expect(await dialog(page).evaluate((element) => element.outerHTML)).not.toContain(sha256('ann'));
      await password(2).fill('new winch');
      await button(account(2), 'Show the password').click();
      await expect(password(2)).toHaveAttribute('type', 'text');
      await button(dialog(page), 'Add account').click();
      await field(account(3), 'User').fill('cleo');
      await button(dialog(page), 'Done').click();
      await expect(dialog(page).getByRole('alert')).toHaveText('Please fill in the password of each account.');
      await password(3).fill('cutter');
      await field(account(3), 'Type').selectOption('admin');
      // Enter sends the form while the password is being hashed.
      await password(3).press('Enter');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await save(page);
      const hashes = file(portico).match(/\$argon2id\$v=19\$m=19456,t=2,p=1\$[^'"\s]+/g) ?? [];
      expect(hashes).toHaveLength(2);
      const expected = conf.replace(sha256('ben'), `${hashes[0]}`);
      const indent = /( +)- user: ann/.exec(conf)?.[1] ?? '';
      expect(file(portico).replaceAll(/hash: '(.*)'/g, 'hash: $1')).toBe(`${expected}${indent}- user: cleo\n${indent}  hash: ${hashes[1]}\n${indent}  type: admin\n`);

      for (const [name, secret] of [['ben', 'new winch'], ['cleo', 'cutter']] as const) {
        const context = await browser.newContext({ baseURL: `${portico.url}/` });
        const other = await context.newPage();
        await other.goto('./login');
        await other.getByLabel('Name').fill(name);
        await other.getByLabel('Password').fill(secret);
        await other.getByRole('button', { name: 'Sign in' }).click();
        await expect(other.locator('#i-0-0')).toBeVisible();
        await expect(other.getByRole('button', { name: 'Edit this page' })).toHaveCount(name === 'cleo' ? 1 : 0);
        await context.close();
      }
    });

    test('cannot be lost without a warning', async ({ page, portico }) => {
      await signIn(page, 'ann');
      await edit(page);
      await button(bar(page), 'Settings').click();
      await button(group(dialog(page), 'Account 1'), 'Remove').click();
      await button(dialog(page), 'Done').click();
      await button(bar(page), 'Save').click();
      const question = page.getByRole('dialog', { name: 'Change who may sign in?' });
      await expect(question).toContainText('No account is an admin.');
      await expect(question).toContainText('Your own account ann is gone.');
      expect(await violations(page)).toEqual([]);
      await button(question, 'Keep editing').click();
      expect(file(portico)).toBe(conf);
      // The question is asked again.
      await button(bar(page), 'Save').click();
      await expect(question).toBeVisible();
    });
  });
}
