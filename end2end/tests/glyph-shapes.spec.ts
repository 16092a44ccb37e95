// The build rounds the coordinates of glyphs (`tools/shorter-path.mjs`). The difference must be invisible.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from '@playwright/test';

// @ts-expect-error It has no types.
import { shorterPath } from '../../tools/shorter-path.mjs';

const packages = resolve(import.meta.dirname, '../../tools/node_modules');
/** The side of a drawing, twice that of the icon in the largest tile. */
const SIDE = 72;
/** How much ink may be elsewhere, in pixels of such a drawing: a hundredth of it, spread along the edges. */
const MAX_MOVED = 50;

test('rounded glyphs look like the original ones', async ({ page }) => {
  const glyphs = ['simple-icons/icons', '@mdi/svg/svg'].flatMap((set) => readdirSync(join(packages, set))
    .filter((file) => file.endsWith('.svg'))
    .map((file) => {
      const path = /\bd="([^"]+)"/.exec(readFileSync(join(packages, set, file), 'utf8'))?.[1] ?? '';
      return [file, path, String(shorterPath(path))] as const;
    }));
  expect(glyphs.length).toBeGreaterThan(10_000);
  const moved = await page.evaluate(({ glyphs, side }) => {
    const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('there is no canvas');
    const drawn = (path: string) => {
      context.reset();
      context.scale(side / 24, side / 24);
      context.fill(new Path2D(path));
      return context.getImageData(0, 0, side, side).data;
    };
    return glyphs.map(([file, original, rounded]) => {
      const [before, after] = [drawn(original), drawn(rounded)];
      let sum = 0;
      for (let alpha = 3; alpha < before.length; alpha += 4) sum += Math.abs((before[alpha] ?? 0) - (after[alpha] ?? 0));
      return { file, pixels: sum / 255 };
    });
  }, { glyphs, side: SIDE });
  expect(moved.filter(({ pixels }) => pixels > MAX_MOVED)).toEqual([]);
});
