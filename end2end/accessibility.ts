// What axe has against a page, by day and by night, on a desk and on a phone.

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const VIEWPORTS = [
  { width: 1366, height: 900 },
  { width: 390, height: 844 },
];

/**
 * Sections lay their colour over the page's as a gradient of one colour, which axe gives up on, and with it on every
 * text inside. A plain ground of the colour that results is the same to the eye. A picture behind the page is the
 * choice of whoever wrote the config.
 */
function flatten(page: Page): Promise<void> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    document.body.style.backgroundImage = 'none';
    for (const node of document.querySelectorAll<HTMLElement>('main > section')) {
      const { backgroundImage, backgroundColor } = getComputedStyle(node);
      const [, color] = /^linear-gradient\((.+) 0px, \1 0px\)$/.exec(backgroundImage) ?? [];
      if (!color) continue;
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of [backgroundColor, color]) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      node.style.background = `rgb(${red} ${green} ${blue} / ${alpha! / 255})`;
    }
  });
}

/** What axe has against the page, or cannot tell about its colours, in a form that can be read. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
  await flatten(page);
  const { violations, incomplete } = await new AxeBuilder({ page }).analyze();
  const lines = [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) => {
    return nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 120)} (${[...any, ...all].map((check) => check.message).join('; ')})`);
  });
  // Arrows are no text to axe; and of what lies above everything else it thinks that something lies above it.
  return lines.filter((line) => !/only non-text characters|overlapped by another element/.test(line));
}

/** Checks the page by day and by night, and at both sizes. `arrange` brings it into the state to be checked. */
export async function check(page: Page, arrange: () => Promise<void>): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await arrange();
      expect.soft(await violations(page), `${viewport.width}, ${colorScheme}`).toEqual([]);
    }
  }
}
