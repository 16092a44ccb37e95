// Helpers for the tests of the editor.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { alive, expect, open } from './fixtures.ts';
import type { Portico } from './server.ts';

const HARBOUR = `pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
      - title: Ferry
        url: https://ferry.example
  - name: Office
    items:
      - title: Ledger
        url: https://ledger.example
`;

/** A config with one item. */
export const QUAY = `pageInfo:
  title: Harbour
sections:
  - name: Quay
    items:
      - title: Crane
        url: https://crane.example
`;

/** A config with two sections; each value of `more` is inserted after the line that ends with its key. */
export function harbour(more: Record<string, string> = {}): string {
  return Object.entries(more).reduce((text, [end, lines]) => {
    if (!text.includes(`${end}\n`)) throw new Error(`no line ends with ${end}`);
    return text.replace(`${end}\n`, `${end}\n${lines}`);
  }, HARBOUR);
}

/** The text of the config file. */
export const file = (portico: Portico): string => readFileSync(join(portico.directory, 'conf.yml'), 'utf8');

/** The text of another file beside it. */
export const textOf = (portico: Portico, name: string): string => readFileSync(join(portico.directory, name), 'utf8');

/** The text of the newest backup. */
export function newestBackup(portico: Portico): string {
  const folder = join(portico.directory, 'config-backups');
  const [newest = ''] = readdirSync(folder).sort().reverse();
  return readFileSync(join(folder, newest), 'utf8');
}

/** Signs in with an account whose password is its name. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.goto('./login');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alive(page);
}

/** Opens the page and starts edit mode. */
export async function edit(page: Page): Promise<void> {
  await open(page);
  await page.getByRole('button', { name: 'Edit this page' }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add section' })).toBeVisible();
}

/** Saves, which ends edit mode. */
export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await ended(page);
}

/** Copies or moves the first section to another page, by keyboard. */
export async function toPage(page: Page, what: 'Copy to page…' | 'Move to page…', name: string): Promise<void> {
  await page.getByRole('button', { name: /^Menu of section/ }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: what }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name })).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Expects edit mode to have ended. */
export const ended = (page: Page): Promise<void> => expect(bar(page)).toHaveCount(0);

/** Deletes an item by keyboard. */
export async function remove(page: Page, title: string): Promise<void> {
  await tile(page, title).focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, title)).toHaveCount(0);
}

/** The save bar. */
export const bar = (page: Page): Locator => page.getByRole('region', { name: 'Save bar' });

/** A button of the bar that may be behind “More”, which is opened for it. */
export async function tool(page: Page, name: string): Promise<Locator> {
  const wanted = bar(page).getByRole('button', { name, exact: true });
  const more = bar(page).getByRole('button', { name: 'More', exact: true });
  await more.or(wanted).first().waitFor();
  if (!(await wanted.isVisible())) await more.click();
  return wanted;
}

/** The last announcement for screen readers. */
export const spoken = (page: Page): Locator => bar(page).getByRole('status').last();

/** The tile with a title. */
export const tile = (page: Page, title: string): Locator => page.locator('#content .items > *', { hasText: title });

/** The heading row of a section, by its position. */
export const heading = (page: Page, section: number): Locator => page.locator(`#s-${section} .section-heading`);

/** The titles of a section's items, in order. */
export const titles = (page: Page, section: number): Promise<string[]> => page.locator(`#s-${section} .items > * > :is(.tile-title, .group-title)`).allTextContents();

/** The names of the sections, in order. */
export const sections = (page: Page): Promise<string[]> => page.locator('#content > section h2').allTextContents();
