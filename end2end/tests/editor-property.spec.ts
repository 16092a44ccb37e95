// Random edits and undo: the page always matches the draft as the server reads it (docs/editing.md).

import type { Locator, Page } from '@playwright/test';

import { edit, ended, file, harbour, heading, sections, tile, tool } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

const PARTS = `      - title: Tools
        subItems:
          - title: Winch
            url: https://winch.example
            x-own: 7
          - title: Saw
`;
const PAGES = 'pages:\n  - name: Boats\n    path: boats.yml\n  - name: Sheds\n    path: sheds.yml\n';
const CONF = harbour({ 'ferry.example': '      - title: Buoy\n        url: https://buoy.example\n', 'ledger.example': `${PARTS}  - name: Shed\n    items:\n${PARTS.replaceAll('Tools', 'Ropes')}${PAGES}` });
const SEEDS = [1, 7, 42, 1913, 86_420];
const STEPS = 14;

test.use({ text: CONF });

/** Deterministic pseudo-random numbers (mulberry32). */
function randomness(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The names of the sections, each with the titles of its items, in order. */
type Shown = [string, string[]][];

const OUTLINE = `(root) => [...root.querySelectorAll('#content > section')].map((section) => [
  section.querySelector('h2')?.textContent ?? '',
  [...section.querySelectorAll('.items .tile-title, .items .group-title')].map((title) => title.textContent),
])`;

const shown = (page: Page): Promise<Shown> => page.evaluate(`(${OUTLINE})(document)`);

/** The draft, which the browser stores after each step; the text of the file if there are no changes. */
async function draft(page: Page, original: string): Promise<string> {
  const kept = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith('porticoDraft'));
    return key ? localStorage.getItem(key) : null;
  });
  return kept === null ? original : (JSON.parse(kept) as { text: string }).text;
}

/** The content of a text as the server reads it. */
async function read(page: Page, text: string): Promise<Shown> {
  const response = await page.request.post('./fn/editor-preview', { data: { page: null, text } });
  expect(response.status()).toBe(200);
  const { done } = (await response.json()) as { done: { html: string } };
  // The policy of the open page allows only its own styles, in parsed documents too.
  const html = JSON.stringify(done.html.replace(/<style\b[^]*?<\/style>/g, ''));
  return page.evaluate(`(${OUTLINE})(new DOMParser().parseFromString(${html}, 'text/html'))`);
}

/** Chooses a random entry of the menu of an element, with its first target and place there; returns its description. */
async function chooseRandom(page: Page, element: Locator, random: (below: number) => number): Promise<string> {
  const target = await element.evaluate((one) => one.id || one.getAttribute('data-edit'));
  await element.focus();
  await page.keyboard.press('Shift+F10');
  const entries = page.getByRole('menuitem', { name: /^(Duplicate|Move up|Move down|Move to…|Copy to…|Delete)$/ });
  await expect(entries.first()).toBeVisible();
  const entry = entries.nth(random(await entries.count()));
  const name = await entry.textContent();
  await entry.click();
  if (name?.endsWith('…')) await page.getByRole('menuitem').first().click();
  const places = page.getByRole('menuitem', { name: /^At the / });
  if (await places.count()) await places.nth(random(2)).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  const confirm = page.getByRole('dialog', { name: 'Delete the section?' }).getByRole('button', { name: 'Delete' });
  if (await confirm.count()) await confirm.click();
  return `${name} on ${target}`;
}

/** Performs a random action that is possible now; returns its description. */
async function step(page: Page, random: (below: number) => number, number: number): Promise<string> {
  const outline = await shown(page);
  const items = await page.locator('#content .items > *').evaluateAll((all) => all.map((one) => {
    const [, section, index] = one.id.split('-').map(Number);
    return { title: one.querySelector('.tile-title, .group-title')?.textContent ?? '', section: section!, index: index! };
  }));
  const parts = await page.locator('#content .sub-item').evaluateAll((all) => all.map(({ id }) => id));
  const item = items[random(items.length || 1)];
  const spot = item && page.locator(`#i-${item.section}-${item.index}`);
  const section = random(outline.length || 1);
  const keys = ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'];
  const part = parts[random(parts.length || 1)];
  switch (random(14)) {
    case 0:
    case 1: {
      if (!outline.length) break;
      await page.locator(`[data-edit="add-item-${section}"]`).click();
      await page.getByRole('dialog').getByLabel('Title').fill(`New ${number}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      return `add to ${section}`;
    }
    case 2: {
      if (!spot) break;
      await spot.focus();
      await page.keyboard.press('Delete');
      return `delete ${item.title}`;
    }
    case 3:
    case 4: {
      if (!spot) break;
      const key = keys[random(keys.length)]!;
      await spot.focus();
      await page.keyboard.press(key);
      return `${key} on ${item.title}`;
    }
    case 5: {
      if (!spot) break;
      await spot.focus();
      await page.keyboard.press('F2');
      await expect(page.locator('.rename input')).toBeFocused();
      await page.keyboard.type(`Named ${number}`);
      await page.keyboard.press('Enter');
      await expect(page.locator('.rename')).toHaveCount(0);
      return `rename ${item.title}`;
    }
    case 6: {
      if (outline.length < 2) break;
      const key = keys[random(2)]!;
      await page.locator(`[data-edit="section-${section}"]`).focus();
      await page.keyboard.press(key);
      return `${key} on section ${section}`;
    }
    case 7: {
      const target = [item && spot, part && page.locator(`#${part}`), page.locator(`[data-edit="section-${section}"]`)][random(3)];
      if (!target || !outline.length) break;
      return chooseRandom(page, target, random);
    }
    case 8:
    case 9: {
      if (!part) break;
      return chooseRandom(page, page.locator(`#${part}`), random);
    }
    case 10: {
      if (!part) break;
      const key = [...keys, 'Delete'][random(5)]!;
      await page.locator(`#${part}`).focus();
      await page.keyboard.press(key);
      return `${key} on ${part}`;
    }
    case 11: {
      await (await tool(page, 'Pages')).click();
      const buttons = page.getByRole('dialog').getByRole('listitem').getByRole('button', { name: /^(Duplicate|Remove|Move (up|down)) / }).and(page.locator(':enabled'));
      const count = await buttons.count();
      if (count) await buttons.nth(random(count)).click();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      return 'change the pages';
    }
    case 12:
      await page.keyboard.press('Control+z');
      return 'undo';
    default:
      await page.keyboard.press('Control+Shift+z');
      return 'redo';
  }
  return 'nothing';
}

for (const seed of SEEDS) {
  test(`the page shows the draft after each of ${STEPS} steps from seed ${seed}`, async ({ page, portico }) => {
    test.setTimeout(90_000);
    await edit(page);
    const random = randomness(seed);
    const done: string[] = [];
    const agree = async () => {
      const expected = await read(page, await draft(page, CONF));
      await expect.poll(() => shown(page), { message: done.join(', ') }).toEqual(expected);
    };
    for (let number = 0; number < STEPS; number += 1) {
      done.push(await step(page, random, number));
      await agree();
    }
    const last = await draft(page, CONF);
    // Undo everything, then redo everything.
    const undo = page.getByRole('button', { name: /^Undo: / });
    let count = 0;
    for (; (await undo.count()) > 0; count += 1) await undo.click();
    await expect.poll(() => shown(page)).toEqual(await read(page, CONF));
    expect(await draft(page, CONF)).toBe(CONF);
    for (const redo = page.getByRole('button', { name: /^Redo: / }); count > 0; count -= 1) await redo.click();
    await agree();
    expect(await draft(page, CONF)).toBe(last);
    if (last === CONF) return;
    await page.keyboard.press('Control+s');
    await ended(page);
    expect(file(portico)).toBe(last);
  });
}

test('the outline of the tests is that of the page', async ({ page }) => {
  await edit(page);
  await expect(tile(page, 'Buoy')).toHaveCount(1);
  await expect(heading(page, 2)).toBeVisible();
  expect(await shown(page)).toEqual([['Quay', ['Crane', 'Ferry', 'Buoy']], ['Office', ['Ledger', 'Tools', 'Winch', 'Saw']], ['Shed', ['Ropes', 'Winch', 'Saw']]]);
  expect(await sections(page)).toEqual(['Quay', 'Office', 'Shed']);
});
