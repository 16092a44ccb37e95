// Edit mode in browsers whose scroll bars take space: beside its banner and its bar, the space for the scroll bar looks like the page.

import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { VIEWPORTS } from '../accessibility.ts';
import { chromium } from '../browser.ts';
import { QUAY, edit } from '../editing.ts';
import { expect, test } from '../fixtures.ts';

test.use({ text: QUAY, launchOptions: { ...chromium, ignoreDefaultArgs: ['--hide-scrollbars'] } });

/** The rows of the screen in which the color changes where the space for the scroll bar begins. */
async function stripes(page: Page): Promise<number[]> {
  const picture = (await page.screenshot()).toString('base64');
  const edge = await page.evaluate(() => document.documentElement.clientWidth);
  const blank = await page.context().newPage();
  const rows = await blank.evaluate(async ([picture, edge]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })!;
    canvas.drawImage(image, 0, 0);
    const color = (x: number, y: number) => canvas.getImageData(x, y, 1, 1).data;
    return Array.from({ length: image.height }, (_, y) => y).filter((y) => {
      const [left, right] = [color(edge - 1, y), color(edge, y)];
      return left.some((value, at) => Math.abs(value - right[at]!) > 3);
    });
  }, [picture, edge] as const);
  await blank.close();
  return rows;
}

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport });

    test('no stripe shows beside banner and bar', async ({ page }) => {
      await edit(page);
      // Without space for a scroll bar, this would prove nothing.
      expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const directory = process.env['PICTURES'];
        if (directory) await page.screenshot({ path: join(directory, `scroll-bar-${viewport.width}-${colorScheme}.png`) });
        expect(await stripes(page), colorScheme).toEqual([]);
      }
    });
  });
}
