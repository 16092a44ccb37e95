// Columns of a page, narrow and full (docs/spec/behavior.md 3.2), and the edges of content that scrolls sideways.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

const section = (name: string, column: number | undefined, count: number) => {
  const items = Array.from({ length: count }, (_, at) => `{ title: ${name} ${at}, url: 'https://${name.toLowerCase()}${at}.example' }`);
  const display = column === undefined ? '' : `displayData: { column: ${column} }, `;
  return `  - { name: ${name}, ${display}items: [${items.join(', ')}] }\n`;
};
const text = `appConfig: { columns: narrow-full-narrow, layout: masonry }\nsections:\n${
  [section('Right', 3, 2), section('Main', undefined, 30), section('Left', 1, 3), section('More', 2, 4), section('Under', 1, 2)].join('')
}`;

/** The sections by their position on the screen: columns from left to right, each from top to bottom. */
function order(page: Page): Promise<string[]> {
  return page.locator('#content section').evaluateAll((sections) => {
    const boxes = sections.map((section) => ({ name: section.querySelector('h2')!.textContent!, box: section.getBoundingClientRect() }));
    return boxes.sort((a, b) => Math.round(a.box.left - b.box.left) || a.box.top - b.box.top).map(({ name }) => name);
  });
}

const widths = (page: Page) => page.locator('.page-column').evaluateAll((columns) => columns.map((column) => Math.round(column.getBoundingClientRect().width)));

test.describe('columns of a page', () => {
  test.use({ text });

  test('are side by side on a monitor, and do not move when the script loads', async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 900 });
    await page.route('**/*.wasm', () => {});
    await page.goto('./');
    const before = await order(page);
    expect(before).toEqual(['Left', 'Under', 'Main', 'More', 'Right']);
    const [left, main, right] = await widths(page);
    expect(left).toBe(304);
    expect(right).toBe(304);
    expect(main).toBeGreaterThan(500);
    await page.unroute('**/*.wasm');
    await open(page);
    expect(await order(page)).toEqual(before);
    // The search finds their items.
    await page.getByRole('searchbox').fill('left 2');
    await expect(page.getByRole('link', { name: 'Left 2' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Main 2', exact: true })).toBeHidden();
  });

  test('are one column on a phone, the full one first', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    expect(await order(page)).toEqual(['Main', 'More', 'Left', 'Under', 'Right']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test('narrow ones are beside each other on a tablet, below the full one', async ({ page }) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await open(page);
    const [left, main, right] = await page.locator('.page-column').evaluateAll((columns) => columns.map((column) => column.getBoundingClientRect().toJSON() as DOMRect));
    expect(left!.top).toBe(right!.top);
    expect(left!.top).toBeGreaterThan(main!.bottom);
    expect(main!.width).toBeGreaterThan(left!.width * 2);
  });
});

test.describe('edges', () => {
  test.use({ config: 'crowd.yml', viewport: { width: 390, height: 844 } });

  test('fade where there is more to scroll', async ({ page }) => {
    await page.goto('minimal');
    const strip = page.locator('.section-tabs ul');
    const mask = () => strip.evaluate((list) => getComputedStyle(list).maskImage);
    await expect.poll(mask).toContain('gradient');
    await page.setViewportSize({ width: 2560, height: 844 });
    await expect.poll(async () => (await strip.evaluate((list) => list.scrollWidth > list.clientWidth)) || (await mask())).toBe('none');
  });

  test('have a shade in browsers without scroll timelines', async ({ page }) => {
    await page.route(/\/views-[^/]*\.css/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('@supports not (animation-timeline', '@supports (animation-timeline').replace('animation-timeline:scroll(self x)', '');
      await route.fulfill({ response, body });
    });
    await page.goto('minimal');
    const strip = page.locator('.section-tabs ul');
    const attachment = () => strip.evaluate((list) => getComputedStyle(list).backgroundAttachment);
    // The covers scroll with the content, the shadows do not.
    await expect.poll(attachment).toBe('local, local, scroll, scroll');
    await expect(strip).toHaveCSS('background-image', /gradient.*gradient.*gradient.*gradient/);
  });
});

test.describe('a title of one long word', () => {
  const long = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunter';
  test.use({ text: `pageInfo: { title: ${long} }\nappConfig: { contentMaxWidth: 3000px }\nsections: [{ name: ${long} }]\n`, viewport: { width: 390, height: 844 } });

  test('makes no page wider than a phone', async ({ page }) => {
    await open(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
