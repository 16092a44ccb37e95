// Accessibility checks of a page with axe.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

/**
 * Sections put their color over that of the page as a gradient of one color, and so does the page over that of its scroll bar
 * while a dialog is open. Axe cannot compute the contrast of any text inside. A plain background in the resulting color looks the same. A picture behind the page is the choice of the
 * config's author.
 */
function flatten(page: Page): Promise<void> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    document.body.style.backgroundImage = 'none';
    // The backdrop of a theme: `themes/src/tests.rs` measures text on each of its colors.
    const plain = new CSSStyleSheet();
    // What arrives while axe works is not faded in.
    const still = 'animation-delay: 0s !important; animation-duration: 1ms !important; transition-duration: 0s !important';
    plain.replaceSync(`body::before, body::after { content: none !important } *, ::before, ::after { ${still} }`);
    document.adoptedStyleSheets.push(plain);
    for (const node of document.querySelectorAll<HTMLElement>(':root, main > section')) {
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

/** Frames of embedded pages are transparent, but axe assumes a white background, so they get the one behind them. */
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

/**
 * What axe finds on the page and in its frames. Its usual mode collects the results of all frames in a window of its own, which takes
 * longer than most pages themselves; so the page goes without its frames, and only pages with frames use that mode, for them.
 */
async function analyze(page: Page): Promise<Pick<AxeResults, 'violations' | 'incomplete'>> {
  const options: RunOptions = { resultTypes: ['violations', 'incomplete'] };
  const own = await new AxeBuilder({ page }).options({ ...options, iframes: false }).setLegacyMode().analyze();
  if (page.frames().length === 1) return own;
  // Rules about a whole page do not apply to a frame.
  const framed = await new AxeBuilder({ page }).options(options).include('iframe')
    .disableRules(['bypass', 'landmark-one-main', 'page-has-heading-one', 'region']).analyze();
  return { violations: [...own.violations, ...framed.violations], incomplete: [...own.incomplete, ...framed.incomplete] };
}

/** The violations on the page, and texts whose contrast axe cannot compute, in readable form. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    // Animations that follow a scroll position never finish.
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
    return Promise.all(timed.map((animation) => animation.finished.catch(() => undefined)));
  });
  await flatten(page);
  await groundFrames(page);
  const { violations, incomplete } = await analyze(page);
  // Cells beyond the edge of a scrolling table cannot be checked; the visible ones have the same colors.
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
  // Axe does not recognize arrows and single digits as text, believes that something covers elements in the top layer, and does
  // not see that the middle of a ring is empty.
  return lines.filter((line) => !/only non-text characters|too short to determine|overlapped by another element|contains an image node/.test(line));
}
