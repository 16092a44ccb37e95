// Custom CSS in edit mode (docs/editing.md, "Styles"): visible on the page while typing, with descriptions of its mistakes.

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, ended, file, tile, tool } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const CONF = `appConfig:
  customCss: '.item { letter-spacing: 1px }'
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
`;

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Custom CSS' });
const field = (page: Page): Locator => dialog(page).getByLabel('CSS', { exact: true });

async function show(page: Page): Promise<void> {
  await edit(page);
  await (await tool(page, 'Styles')).click();
  await expect(field(page)).toBeFocused();
}

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('all mistakes can be read, and the buttons are in one row', async ({ page }) => {
    await edit(page);
    await page.getByRole('button', { name: 'More' }).click();
    await (await tool(page, 'Styles')).click();
    await field(page).fill('.item {\n  colr: red;\n}\n@import "https://fonts.example/x.css";');
    const list = dialog(page).getByRole('list', { name: 'Problems' });
    await expect(list.getByRole('button')).toHaveCount(2);
    expect(await list.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
    const tops = await dialog(page).locator('.edit-buttons:visible .button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });
});

test('is on the page while it is typed, and in the file when it is saved', async ({ page, portico }) => {
  await show(page);
  await expect(field(page)).toHaveValue('.item { letter-spacing: 1px }');
  await field(page).fill('.item { letter-spacing: 4px }');
  await expect(tile(page, 'Crane')).toHaveCSS('letter-spacing', '4px');
  await dialog(page).getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('button', { name: 'Undo: Edit custom CSS' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico)).toBe(CONF.replace('1px', '4px'));
});

test('is as before after a discard, which needs a confirmation', async ({ page }) => {
  await show(page);
  await field(page).fill('.item { letter-spacing: 4px }');
  await expect(tile(page, 'Crane')).toHaveCSS('letter-spacing', '4px');
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Keep typing' }).click();
  await expect(field(page)).toHaveValue('.item { letter-spacing: 4px }');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).getByRole('button', { name: 'Discard' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(tile(page, 'Crane')).toHaveCSS('letter-spacing', '1px');
  await expect(page.getByText('nothing changed yet')).toBeVisible();
});

test('Escape, however often, does not close it over what is typed', async ({ page }) => {
  await show(page);
  await field(page).fill('.item { letter-spacing: 4px }');
  for (let time = 0; time < 4; time++) {
    await page.keyboard.press('Escape');
    await expect(dialog(page).getByRole('alert')).toContainText('not in the draft yet');
    await expect(dialog(page).getByRole('button', { name: 'Keep typing' })).toBeFocused();
  }
  await dialog(page).getByRole('button', { name: 'Keep typing' }).click();
  await expect(field(page)).toHaveValue('.item { letter-spacing: 4px }');
  await expect(field(page)).toBeFocused();
});

test('rules that the browser ignores are listed with their lines', async ({ page }) => {
  await show(page);
  await field(page).fill('.item {\n  colr: red;\n  letter-spacing: 4px;\n}\n..x { color: red }\n');
  const problems = dialog(page).getByRole('list', { name: 'Problems' }).getByRole('button');
  await expect(problems).toHaveText(['Line 2: There is no property colr.', 'Line 5: ..x is no selector.']);
  await expect(tile(page, 'Crane')).toHaveCSS('letter-spacing', '4px');
  await problems.first().click();
  expect(await field(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe('  colr: red;');
  await check(page, () => expect(dialog(page)).toBeVisible());
});

test('the dialog says that files on other hosts come through the server', async ({ page }) => {
  await show(page);
  await field(page).fill('.item { letter-spacing: 1px }\n.no-such-thing { background: url(https://pictures.example/a.png) }\n@import "https://fonts.example/a.css";\n');
  const problems = dialog(page).getByRole('list', { name: 'Problems' }).getByRole('button');
  await expect(problems).toHaveText([/^Line 2: pictures\.example is another host\./, /^Line 3: This @import is left out/]);
});

test('an empty field removes it from the file', async ({ page, portico }) => {
  await show(page);
  await field(page).fill('');
  await dialog(page).getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
  expect(file(portico)).not.toContain('customCss');
});
