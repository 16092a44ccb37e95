// What a browser has chosen for itself is put aside in edit mode: the page shows what will be saved (docs/spec/behavior.md 14).

import type { Page } from '@playwright/test';

import { bar, edit, ended, file, harbour, save, tile } from '../editing.ts';
import { alive, expect, open, test } from '../fixtures.ts';

const CONF = `appConfig:
  theme: nord
  layout: vertical
  iconSize: small
${harbour()}`;

test.use({ text: CONF });

interface Look {
  theme: string | undefined;
  primary: string;
  layout: string;
  size: string;
}

const look = (page: Page): Promise<Look> => page.evaluate(() => {
  const { className } = document.getElementById('page')!;
  const word = (kind: string) => new RegExp(`${kind}-(\\w+)`).exec(className)?.[1] ?? '';
  const primary = getComputedStyle(document.documentElement).getPropertyValue('--primary').trim();
  return { theme: document.documentElement.dataset['theme'], primary, layout: word('orientation'), size: word('item-size') };
});

async function choose(page: Page, choices: Record<string, string>): Promise<void> {
  await page.addInitScript((choices) => {
    if (sessionStorage['chosen']) return;
    sessionStorage['chosen'] = '1';
    Object.assign(localStorage, choices);
  }, choices);
}

const OWN = { theme: 'dracula', layoutOrientation: 'horizontal', iconSize: 'large', customColors: '{"dracula":{"primary":"#ff8800"},"nord":{"primary":"#00aa55"}}' };

test('in edit mode the page is as in the file, and afterwards as chosen here', async ({ page, portico }) => {
  await open(page);
  const ofFile = await look(page);
  expect(ofFile).toMatchObject({ theme: 'nord', layout: 'vertical', size: 'small' });
  await choose(page, OWN);
  await open(page);
  const own: Look = { theme: 'dracula', primary: '#ff8800', layout: 'horizontal', size: 'large' };
  await expect.poll(() => look(page)).toEqual(own);

  await edit(page);
  expect(await look(page)).toEqual(ofFile);
  await tile(page, 'Ferry').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Ferry')).toHaveCount(0);
  expect(await look(page)).toEqual(ofFile);
  await bar(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await ended(page);
  await expect(tile(page, 'Ferry')).toHaveCount(1);
  expect(await look(page)).toEqual(own);

  // The same after saving, and nothing of it gets into the file.
  await edit(page);
  await tile(page, 'Ferry').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Ferry')).toHaveCount(0);
  await save(page);
  expect(file(portico)).toBe(CONF.replace('      - title: Ferry\n        url: https://ferry.example\n', ''));
  expect(await look(page)).toEqual(own);
  await page.reload();
  await expect.poll(() => look(page)).toEqual(own);
});

test('the settings of the draft are seen at once, whatever is chosen here', async ({ page }) => {
  await choose(page, OWN);
  await edit(page);
  await page.getByRole('button', { name: 'Settings' }).click();
  const form = page.getByRole('dialog', { name: 'Settings' });
  await form.getByLabel('Layout', { exact: true }).selectOption('auto');
  await form.getByLabel('Tile size', { exact: true }).selectOption('medium');
  await form.getByLabel('Theme', { exact: true }).fill('solarized-dark');
  await expect.poll(() => look(page)).toMatchObject({ theme: 'solarized-dark', layout: 'auto', size: 'medium' });
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => look(page)).toMatchObject({ theme: 'nord', layout: 'vertical', size: 'small' });
});

test('a saved layout applies where nothing else is chosen', async ({ page }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Settings' }).click();
  const form = page.getByRole('dialog', { name: 'Settings' });
  await form.getByLabel('Layout', { exact: true }).selectOption('auto');
  await expect.poll(() => look(page)).toMatchObject({ layout: 'auto' });
  await form.getByRole('button', { name: 'Done' }).click();
  await save(page);
  // The page is loaded again.
  await expect(page.locator('#page[class*=orientation-auto][class*=item-size-small]')).toBeVisible();
  await expect(async () => {
    await alive(page);
    expect(await look(page)).toMatchObject({ theme: 'nord', layout: 'auto', size: 'small' });
  }).toPass();
});

test('a theme for the time of day is chosen again with the browser’s own afterwards', async ({ page, portico }) => {
  portico.write('conf.yml', CONF.replace('theme: nord', 'dayTheme: lissy\n  nightTheme: nord'));
  await choose(page, { theme: 'default' });
  await expect.poll(async () => (await page.request.get('./')).text()).toContain('data-night');
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  expect((await look(page)).theme).toBeUndefined();
  await edit(page);
  await expect.poll(() => look(page)).toMatchObject({ theme: 'nord' });
  await bar(page).getByRole('button', { name: 'Cancel' }).click();
  await ended(page);
  expect((await look(page)).theme).toBeUndefined();
});
