// What axe has against a page.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Sections lay their color over the page's as a gradient of one color, which axe gives up on, and with it on every
 * text inside. A plain ground of the color that results is the same to the eye. A picture behind the page is the
 * choice of whoever wrote the config.
 */
function flatten(page: Page): Promise<void> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    document.body.style.backgroundImage = 'none';
    // The drawing of a theme: `themes/src/tests.rs` measures text on each of its colors.
    const plain = new CSSStyleSheet();
    plain.replaceSync('body::before, body::after { content: none !important }');
    document.adoptedStyleSheets.push(plain);
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

/** Frames of embedded pages are transparent, but axe takes their ground for white: they get the one that is behind them. */
async function groundFrames(page: Page): Promise<void> {
  for (const frame of await page.locator('iframe[data-embedded]').elementHandles()) {
    const ground = await frame.evaluate((element) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
      const layers = [];
      for (let node: Element | null = element as Element; node; node = node.parentElement) layers.unshift(getComputedStyle(node).backgroundColor);
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return `rgb(${red} ${green} ${blue})`;
    });
    const inside = await frame.contentFrame();
    await inside?.evaluate((ground) => { document.documentElement.style.background = ground; }, ground);
  }
}

/** What axe has against the page, or cannot tell about its colors, in a form that can be read. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    // Those that follow a scroll never finish.
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
    return Promise.all(timed.map((animation) => animation.finished.catch(() => undefined)));
  });
  await flatten(page);
  await groundFrames(page);
  const { violations, incomplete } = await new AxeBuilder({ page }).analyze();
  // What is behind the edge of a table that scrolls cannot be judged until somebody scrolls to it; the same colors stand
  // in its other cells.
  const isScrolledAway = (selector: string): Promise<boolean> =>
    page.evaluate((selector) => {
      const scroller = document.querySelector(selector)?.closest('.scroller');
      return !!scroller && scroller.scrollWidth > scroller.clientWidth;
    }, selector);
  const unsure = [];
  for (const { id, nodes } of incomplete.filter(({ id }) => id === 'color-contrast')) {
    const left = [];
    for (const node of nodes) {
      const isObscured = [...node.any, ...node.all].some(({ message }) => message.includes('partially obscured'));
      if (!isObscured || !(await isScrolledAway(node.target.join(' ')))) left.push(node);
    }
    unsure.push({ id, nodes: left });
  }
  const lines = [...violations, ...unsure].flatMap(({ id, nodes }) => {
    return nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 120)} (${[...any, ...all].map((check) => check.message).join('; ')})`);
  });
  // Arrows and single digits are no text to axe; of what lies above everything else it thinks that something lies above it; and it does
  // not see that the middle of a ring is empty.
  return lines.filter((line) => !/only non-text characters|too short to determine|overlapped by another element|contains an image node/.test(line));
}
