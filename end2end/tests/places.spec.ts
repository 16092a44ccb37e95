// The layout of widgets: on narrow screens, on touch screens, and on right-to-left pages.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

test.describe.configure({ timeout: 60_000 });

/** Waits until no widget is loading. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('[data-state="loading"], [data-busy]')).toHaveCount(0, { timeout: 30_000 });
  await page.evaluate(() => document.fonts.ready);
}

test.describe('the gallery', () => {
  test.use({ demo: true });

  for (const width of [280, 320]) {
    test(`${width}: a detail of several lines is whole, and no line begins with a dot`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await open(page);
      await settled(page);
      const found = await page.evaluate(() => {
        let broken = 0;
        const cut: string[] = [];
        for (const detail of document.querySelectorAll('.entry-details > li')) {
          const list = detail.parentElement!;
          const margin = parseFloat(getComputedStyle(list).getPropertyValue('--before')) * 16;
          const edge = list.getBoundingClientRect().left + margin;
          const text = document.createRange();
          text.selectNodeContents(detail);
          const lines = [...text.getClientRects()].filter((line) => line.width > 1);
          broken += new Set(lines.map((line) => Math.round(line.top))).size > 1 ? 1 : 0;
          if (lines.some((line) => line.left < edge - 1)) cut.push(detail.textContent ?? '');
        }
        return { broken, cut };
      });
      expect(found.cut).toEqual([]);
      expect(found.broken).toBeGreaterThan(0);
    });
  }

  test.describe(() => {
    // Longer days of the week.
    test.use({ locale: 'de-DE' });

    test('no description of the weather is cut off in a narrow tile', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 844 });
      await open(page);
      await settled(page);
      const words = page.locator('.day-description');
      expect(await words.count()).toBeGreaterThan(0);
      expect(await words.evaluateAll((all) => all.filter((word) => word.scrollWidth > word.clientWidth).length)).toBe(0);
    });
  });

  test('numbers of several pieces run from left to right on every page', async ({ page }) => {
    await open(page);
    await settled(page);
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    const clients = page.locator('.widget-dns-sinkhole-stats-v6 .fact', { hasText: 'Active clients' }).locator('data');
    const [used, all] = await Promise.all([clients.first().boundingBox(), clients.last().boundingBox()]);
    expect(used!.x).toBeLessThan(all!.x);
    // A unit in letters follows its number.
    const temperature = page.locator('.stat', { hasText: 'Temperature' }).locator('data');
    const places = await temperature.evaluate((data) => {
      const piece = (start: number, end: number) => {
        const range = document.createRange();
        range.setStart(data.firstChild!, start);
        range.setEnd(data.firstChild!, end);
        return range.getBoundingClientRect().x;
      };
      const { length } = data.textContent!;
      return [piece(0, 1), piece(length - 1, length)];
    });
    expect(places[0]!).toBeLessThan(places[1]!);
    // The mark of a stat is beside the number, at the start of the line.
    const unhealthy = page.locator('.stat', { hasText: 'Unhealthy' }).first().locator('dd');
    const [sign, count] = await Promise.all([unhealthy.locator('.sign').boundingBox(), unhealthy.locator('data').boundingBox()]);
    expect(sign!.x).toBeGreaterThan(count!.x);
    expect(sign!.x - (count!.x + count!.width)).toBeLessThan(16);
  });

  test.describe(() => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test('a finger finds the tools in the corner, and nothing below them', async ({ page }) => {
      await open(page);
      await settled(page);
      expect(await misplaced(page)).toEqual([]);
    });
  });

  // Sections are boxes in one of them.
  for (const theme of ['default', 'basic']) {
    test(`a mouse finds the tools above the content: ${theme}`, async ({ page }) => {
      await open(page);
      await page.evaluate((theme) => localStorage.setItem('theme', theme), theme);
      await open(page);
      await settled(page);
      expect(await misplaced(page)).toEqual([]);
    });
  }
});

/** The widgets whose tools are not in the corner at the top, or cover something. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const meet = (a: DOMRect, b: DOMRect) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    // Empty space has no buttons.
    return [...document.querySelectorAll('article[data-widget]:not(:has(.part-space))')].flatMap((frame) => {
      // A widget that is alone in its section has no link of its own to itself.
      const shown = [...frame.querySelectorAll('.widget-tools .sign')].filter((sign) => sign.checkVisibility());
      const signs = shown.map((sign) => sign.getBoundingClientRect());
      const { top, right } = frame.getBoundingClientRect();
      const isAlone = frame.parentElement!.childElementCount === 1;
      const inPlace = signs.length === 0 ? isAlone : signs.every((sign) => sign.bottom < top + 48) && signs.at(-1)!.right > right - 64;
      const texts = [...frame.querySelectorAll('.panel *')].flatMap((node) => {
        if (!node.checkVisibility() || node.closest('.visually-hidden')) return [];
        if (node.matches('svg, img, input, iframe, button, .stat')) return [node.getBoundingClientRect()];
        return [...node.childNodes]
          .filter((child) => child.nodeType === Node.TEXT_NODE)
          .flatMap((child) => {
            const range = document.createRange();
            range.selectNodeContents(child);
            return [...range.getClientRects()];
          });
      });
      // Tools without a line of their own appear over the content, with a background, under a mouse or at a touch.
      const tools = frame.querySelector('.widget-tools');
      const isOverlay = tools !== null && getComputedStyle(tools).opacity === '0' && frame.querySelector('.widget-body ~ .widget-tools') !== null;
      const covered = !isOverlay && texts.some((text) => signs.some((sign) => meet(text, sign)));
      return inPlace && !covered ? [] : [`${frame.className}: ${inPlace ? 'covered' : 'elsewhere'}`];
    });
  });
}

test.describe('a label from right to left', () => {
  test.use({
    text: `pageInfo: { title: Instruments }
appConfig: { language: ar }
sections:
  - name: Panel
    widgets:
      - { type: clock, label: Clock }
`,
  });

  test('has the buttons at the other end of its line', async ({ page }) => {
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const head = page.getByRole('article', { name: 'Clock' }).locator('.widget-head');
    const [line, tools, label] = await Promise.all([
      head.boundingBox(),
      head.locator('.widget-tools').boundingBox(),
      head.locator('.widget-label').boundingBox(),
    ]);
    expect(tools!.x).toBeLessThan(line!.x + 1);
    expect(label!.x + label!.width).toBeGreaterThan(line!.x + line!.width - 1);
  });
});
