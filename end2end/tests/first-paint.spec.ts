// What keeps the first paint early: fonts that wait for it, and tiles of few elements.

import { readFileSync } from 'node:fs';

import { alive, expect, open, test } from '../fixtures.ts';
import type { Page } from '@playwright/test';

test.use({
  text: `sections: [ { name: Shelf, items: [ { title: Vault, description: Shut, icon: fas fa-lock, url: 'https://vault.example' } ] } ]\n`,
});

/** Milliseconds from the first paint to the request for the font of most text; negative if the request came first. */
const fontAfterPaint = (page: Page) => page.evaluate(() => {
  const [font] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/figtree-latin.woff2'));
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return font && paint ? font.startTime - paint.startTime : undefined;
});

test('a first visit requests the font after the first paint, a later one before it', async ({ page }) => {
  await open(page);
  await expect.poll(() => fontAfterPaint(page)).toBeGreaterThanOrEqual(0);
  await expect(page.locator('html')).not.toHaveClass(/local-font/);
  await expect(page.getByRole('link', { name: 'Vault' })).toHaveCSS('font-family', /^Figtree,/);
  await page.reload();
  await alive(page);
  await expect.poll(() => fontAfterPaint(page)).toBeLessThan(0);
});

test.describe('a long description', () => {
  const description = 'Shut for the night and opened at seven in the morning of the next working day';
  const css = '.tile-description { display: block !important }';
  test.use({ text: `appConfig: { customCss: '${css}' }\nsections: [ { name: Shelf, items: [ { title: Vault, description: ${description}, icon: fas fa-lock, url: 'https://vault.example' } ] } ]\n` });

  test('a first visit keeps the local font if the other one would move something', async ({ page }) => {
    // In this font, the description needs more lines.
    const wide = readFileSync(new URL('../../public/fonts/orbitron-latin.woff2', import.meta.url));
    await page.route('**/figtree-latin.woff2', (route) => route.fulfill({ body: wide, contentType: 'font/woff2' }));
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    await page.evaluate(async () => {
      await (window as unknown as { porticoPainted: Promise<void> }).porticoPainted;
      await document.fonts.load('1em Figtree');
    });
    const tile = page.getByRole('link', { name: 'Vault' });
    await expect(tile).toHaveCSS('font-family', /^"Figtree Fallback",/);
    await page.reload();
    await alive(page);
    await expect(tile).toHaveCSS('font-family', /^Figtree,/);
  });
});

test('an icon is one element with the shape of its glyph', async ({ page }) => {
  await open(page);
  const tile = page.getByRole('link', { name: 'Vault' });
  // Icon, title, description.
  await expect(tile.locator('*')).toHaveCount(3);
  const isShape = (across: number) => tile.evaluate((link, across) => {
    const { left, top, width, height } = link.querySelector('.icon')!.getBoundingClientRect();
    return document.elementFromPoint(left + width * across, top + height * 0.75)?.classList.contains('icon');
  }, across);
  // A lock is narrower than its box, and stands in the middle.
  for (const across of [0.06, 0.94]) expect(await isShape(across)).toBe(false);
  for (const across of [0.2, 0.8]) expect(await isShape(across)).toBe(true);
});

test.describe('a page of several screens', () => {
  const items = (section: number) => Array.from({ length: 12 }, (_, number) => `{ title: Service ${section}-${number}, description: In section ${section}, url: 'https://s${section}-${number}.example' }`);
  const sections = Array.from({ length: 16 }, (_, number) => `{ name: Section ${number}, items: [ ${items(number).join(', ')} ] }`);
  test.use({ text: `appConfig: { layout: auto, iconSize: medium }\nsections: [ ${sections.join(', ')} ]\n`, viewport: { width: 1366, height: 768 } });

  test('the first frame has all tiles of a laptop’s screen, so the largest paint is the first one', async ({ page }) => {
    await open(page);
    const waiting = await page.locator('#content > section').evaluateAll((all) => all.map((section) => ({
      isVisible: section.getBoundingClientRect().top < innerHeight,
      waits: section.hasAttribute('data-later'),
    })));
    expect(waiting.filter(({ isVisible }) => isVisible).length).toBeGreaterThan(3);
    expect(waiting.filter(({ isVisible, waits }) => isVisible && waits)).toEqual([]);
    expect(waiting.some(({ waits }) => waits)).toBe(true);
  });
});
