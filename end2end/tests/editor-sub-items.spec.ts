// The parts of a group in the form of its item (docs/editing.md).

import { check } from '../accessibility.ts';
import { edit, file, save, tile } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

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
  await part(3).getByLabel('Url').fill('https://rope.example');
  // The page shows it while typing.
  await expect(page.locator('#content a.sub-item', { hasText: 'Rope' })).toHaveAttribute('href', 'https://rope.example');
  await part(3).getByRole('button', { name: 'Up' }).click();
  await expect(part(2).getByLabel('Title')).toHaveValue('Rope');
  await expect(part(2).getByRole('button', { name: 'Up' })).toBeFocused();
  await part(3).getByText('More fields').click();
  await part(3).getByLabel('Other fields, in YAML').fill('modal');
  await expect(part(3).getByRole('alert')).toContainText('target: modal');
  await part(3).getByLabel('Other fields, in YAML').fill('target: newtab');
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

test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await edit(page);
  await tile(page, 'Tools').locator('.group-title').click();
  await expect(page.getByRole('group', { name: 'Sub-item 1' })).toBeVisible();
  await check(page, async () => {});
});
