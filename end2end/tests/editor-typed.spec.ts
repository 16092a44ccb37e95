// What the browser draws by itself while a form is filled in, before the server has drawn the page (docs/editing.md).

import type { Page } from '@playwright/test';

import { edit, file, save, tool } from '../editing.ts';
import { expect, test as base } from '../fixtures.ts';

const CONF = `pageInfo:
  title: Harbour
  description: All ships
sections:
  - name: Quay
    items:
      - title: Crane
        icon: 🏗️
        url: https://crane.example
      - title: Tools
        subItems:
          - title: Rope
            icon: 🪢
            url: https://rope.example
          - title: Anchor
            url: https://anchor.example
`;

const test = base.extend({ text: CONF });

/** Holds back all previews, so that only the browser draws. Returns what lets them go. */
async function holdPreviews(page: Page): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => { release = resolve; });
  await page.route('**/fn/editor-preview', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The markup of an element without what edit mode adds. */
const markup = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).evaluate((element) => {
  const copy = element.cloneNode(true) as Element;
  const all = [copy, ...copy.querySelectorAll('*')];
  // The order of attributes does not count.
  const described = (one: Element): string => {
    const attributes = [...one.attributes].map(({ name, value }) => `${name}=${value}`).sort().join(' ');
    return `<${one.localName} ${attributes}>${one.children.length > 0 ? '' : one.textContent}`;
  };
  return all.map(described).join('\n');
});

test('an item is on the page as it is typed, and as the server draws it', async ({ page, portico }) => {
  await edit(page);
  const release = await holdPreviews(page);
  await page.locator('#i-0-0').click();
  const form = page.getByRole('dialog');
  const tile = page.locator('#i-0-0');
  await form.getByLabel('Title').fill('Big crane');
  await expect(tile.locator('.tile-title')).toHaveText('Big crane');
  await form.getByLabel('Description').fill('Lifts forty tons');
  await expect(tile.locator('.tile-description')).toHaveText('Lifts forty tons');
  await form.getByLabel('Description').fill('');
  await expect(tile.locator('.tile-description')).toHaveAttribute('data-place', 'crane.example');
  await form.getByLabel('Address', { exact: true }).fill('crane.lan:8080/new');
  await expect(tile).toHaveAttribute('href', 'http://crane.lan:8080/new');
  await expect(tile.locator('.tile-description')).toHaveAttribute('data-place', 'crane.lan:8080');
  await form.getByLabel('Opens in').selectOption('modal');
  await expect(tile).toHaveAttribute('data-open', 'modal');
  // An address that would run code opens nothing.
  await form.getByLabel('Address', { exact: true }).fill('javascript:alert(1)');
  await expect(page.locator('span#i-0-0[role=button][tabindex="0"]')).toBeVisible();
  await form.getByLabel('Address', { exact: true }).fill('crane.lan:8080/new');
  await expect(tile.locator('.icon')).toHaveText('🏗️');
  const typed = await markup(page, 'i-0-0');
  release();
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  await save(page);
  await page.reload();
  await edit(page);
  expect(await markup(page, 'i-0-0')).toBe(typed);
  expect(file(portico)).toContain('      - title: Big crane\n        icon: 🏗️\n        url: crane.lan:8080/new\n        target: modal\n');
});

test('a group and its items are, too', async ({ page }) => {
  await edit(page);
  const release = await holdPreviews(page);
  await page.locator('#i-0-1-1').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Title').fill('Two anchors');
  await expect(page.locator('#i-0-1-1 > .tile-title')).toHaveText('Two anchors');
  await form.getByLabel('Address', { exact: true }).fill('anchors.lan');
  await expect(page.locator('#i-0-1-1')).toHaveAttribute('href', 'http://anchors.lan');
  await expect(page.locator('#i-0-1-0 > .icon')).toHaveText('🪢');
  release();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('#i-0-1-1 > .tile-title')).toHaveText('Anchor');

  const second = await holdPreviews(page);
  await page.locator('#i-0-1 > .group-title').click();
  await form.getByLabel('Title').first().fill('Tackle');
  await expect(page.locator('#i-0-1 > .group-title')).toHaveText('Tackle');
  await expect(page.locator('#i-0-1-0 > .icon')).toHaveText('🪢');
  await expect(page.locator('#i-0-1-0')).toHaveAttribute('href', 'https://rope.example');
  second();
});

test('the title and the description of the page are, too', async ({ page }) => {
  await edit(page);
  const release = await holdPreviews(page);
  await (await tool(page, 'Page info')).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Title').first().fill('Port');
  await expect(page.locator('.page-header h1')).toHaveText('Port');
  await form.getByLabel('Description').first().fill('Ships of all kinds');
  await expect(page.locator('.page-header .subtitle')).toHaveText('Ships of all kinds');
  release();
});
