// The gallery of all widgets (`portico serve --demo`), in light and dark, on a desktop and on a phone.

import { readdirSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { violations } from '../axe.ts';
import { expect, open, test } from '../fixtures.ts';

test.use({ demo: true });
test.describe.configure({ timeout: 120_000 });

const VIEWPORTS = [
  { width: 1366, height: 900 },
  { width: 390, height: 844 },
];

/** Waits until no widget is loading. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('[data-state="loading"], [data-busy]')).toHaveCount(0, { timeout: 30_000 });
  await page.evaluate(() => document.fonts.ready);
}

for (const viewport of VIEWPORTS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${viewport.width}, ${colorScheme}: nothing against it, and nothing sticks out`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await open(page);
      await settled(page);
      expect(await violations(page)).toEqual([]);
      const wide = await page.evaluate(() => {
        const { clientWidth } = document.documentElement;
        const scrolls = (node: Element) => node.closest('.scroller, pre, .visually-hidden') !== null;
        return [...document.querySelectorAll('.panel *')]
          .filter((node) => !scrolls(node) && node.checkVisibility())
          .filter((node) => {
            const frame = node.closest('article')!.getBoundingClientRect();
            const { left, right } = node.getBoundingClientRect();
            return right > Math.min(frame.right, clientWidth) + 1 || left < frame.left - 1;
          })
          .map((node) => `${node.closest('article')!.className}: ${node.outerHTML.slice(0, 80)}`);
      });
      expect(wide).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  }
}

for (const viewport of VIEWPORTS) {
  test(`${viewport.width}: text has three sizes, and a panel has one large figure`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await open(page);
    await settled(page);
    const texts = await page.locator('.widget-base').evaluateAll((frames) =>
      frames.flatMap((frame) => {
        const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
        const found: { type: string; text: string; size: number }[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const parent = node.parentElement!;
          if (node.textContent!.trim() === '' || !parent.checkVisibility() || parent.closest('.visually-hidden, .clock .time')) continue;
          found.push({ type: (frame as HTMLElement).dataset['widget']!, text: node.textContent!, size: parseFloat(getComputedStyle(parent).fontSize) });
        }
        return found;
      }),
    );
    const isLarge = ({ size }: { size: number }) => size >= 24 && size <= 28;
    expect(texts.filter((text) => text.size !== 12 && text.size !== 14 && !isLarge(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(500);
    const figures = await page.locator('.widget-base').evaluateAll((frames) =>
      frames.map((frame) => ({
        type: (frame as HTMLElement).dataset['widget'],
        count: frame.querySelectorAll(':is(.headline-value, .weather-temperature, .ring-value, .part-gauge:not(.part-columns *) .dial-value)').length,
      })),
    );
    expect(figures.filter(({ count }) => count > 1)).toEqual([]);
    expect(texts.filter(isLarge).length).toBeGreaterThan(5);
  });
}

test('nothing in a widget is round where the theme has corners', async ({ page }) => {
  await open(page);
  await page.evaluate(() => localStorage.setItem('theme', 'brutalist'));
  await open(page);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'brutalist');
  await settled(page);
  const round = await page.locator('.widget-base, .widget-base *').evaluateAll((nodes) =>
    nodes
      .filter((node) => {
        const { borderTopLeftRadius, rx } = getComputedStyle(node);
        return parseFloat(borderTopLeftRadius) > 0 || (node.matches('rect') && parseFloat(rx) > 0);
      })
      .map((node) => node.outerHTML.slice(0, 80)),
  );
  expect(round).toEqual([]);
});

test('every widget shows its example', async ({ page }) => {
  await open(page);
  await settled(page);
  const frames = page.locator('article[data-widget]');
  expect(await frames.count()).toBeGreaterThanOrEqual(25);
  const wrong = await frames.evaluateAll((frames) => {
    return frames
      .filter((frame) => frame.querySelector('.widget-body')?.getAttribute('data-state') !== 'content')
      .map((frame) => `${frame.className}: ${frame.textContent}`);
  });
  expect(wrong).toEqual([]);
  const heights = await page.locator('.heading-subtitle').evaluateAll((lines) => lines.map((line) => line.clientHeight));
  expect(heights.length).toBeGreaterThan(3);
  expect(Math.min(...heights)).toBeGreaterThan(12);
});

// One page per type: there are too many cases for one page. Framed pages cause errors of their own, so the types with such
// cases are separate.
const TYPES = readdirSync(new URL('../../widgets/cases', import.meta.url)).sort();
const AT_ONCE = 8;
const PLAIN = TYPES.filter((type) => type !== 'iframe');
const GROUPS = PLAIN.filter((_, at) => at % AT_ONCE === 0).map((_, group) => PLAIN.slice(group * AT_ONCE, (group + 1) * AT_ONCE));
for (const types of [...GROUPS, ['iframe']]) {
  test.describe(types.join(', '), () => {
    // The framed pages of the cases do not exist, or may not load the fonts of the dashboard.
    if (types[0] === 'iframe') test.use({ expected: /404|CORS policy|ERR_FAILED|ERR_BLOCKED_BY_RESPONSE/ });

    test('every case comes to an end: content, or a sentence', async ({ page }) => {
      // The sections are in the order of the types.
      const examples = await (await page.request.get('./')).text();
      const sections = [...new Set([...examples.matchAll(/home\/main\/([\w-]+)\/0/g)].map(([, section]) => section))];
      expect(sections).toHaveLength(TYPES.length);
      for (const type of types) {
        await test.step(type, async () => {
          await open(page, `/home/all-cases/${sections[TYPES.indexOf(type)]}`);
          await settled(page);
          const frames = page.locator('article[data-widget]');
          expect(await frames.count(), type).toBeGreaterThan(0);
          expect(await frames.first().getAttribute('data-kind')).toBe(type);
          const blank = await frames.evaluateAll((frames) => {
            return frames
              .filter((frame) => !frame.querySelector('.widget-body > :is(.panel, .widget-problem)')?.childElementCount)
              .map((frame) => frame.id);
          });
          expect(blank, type).toEqual([]);
        });
      }
    });
  });
}

test('with reduced motion, a busy widget is shown by a lighter color', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/home/main/joke');
  await settled(page);
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/fn\/panel/, async (route) => {
    await held;
    await route.continue();
  });
  const reload = page.getByRole('button', { name: 'Reload joke' });
  await reload.click();
  await expect(page.locator('article[data-busy]')).toHaveCount(1);
  const sign = reload.locator('.sign');
  const moves = await sign.evaluate((sign) =>
    sign.getAnimations().map((one) => [(one as CSSAnimation).animationName, one.effect!.getTiming().iterations]),
  );
  expect(moves).toEqual([['breathe', Infinity]]);
  answer();
  await settled(page);
  expect(await sign.evaluate((sign) => sign.getAnimations().length)).toBe(0);
});

test.describe(() => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('the engine that is asked first is seen without the colors of the page', async ({ page }) => {
    await open(page, '/home/main/custom-search');
    const styles = await page.locator('.engine').evaluateAll((engines) => engines.map((engine) => getComputedStyle(engine).borderStyle));
    expect(styles[0]).toBe('double');
    expect(new Set(styles.slice(1))).toEqual(new Set(['solid']));
  });
});

test('a button of a panel asks the service again', async ({ page }) => {
  await open(page, '/home/main/joke');
  await settled(page);
  const joke = page.getByRole('region', { name: 'Joke' });
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/fn/panel-action')),
    joke.getByRole('button', { name: 'Another one' }).click(),
  ]);
  expect(answer.status()).toBe(200);
  await settled(page);
  await expect(joke.locator('.widget-body')).toHaveAttribute('data-state', 'content');
});

test('a button that is clicked during a refresh acts afterwards', async ({ page }) => {
  await page.route(/\/fn\/panel\?/, async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await open(page, '/home/main/joke');
  await settled(page);
  const joke = page.getByRole('region', { name: 'Joke' });
  const called: string[] = [];
  page.on('response', (response) => called.push(new URL(response.url()).pathname));
  await page.getByRole('button', { name: 'Reload joke' }).click();
  await joke.getByRole('button', { name: 'Another one' }).click();
  await expect.poll(() => called).toEqual(['/fn/panel', '/fn/panel-action']);
  await settled(page);
  await expect(joke.locator('.widget-body')).toHaveAttribute('data-state', 'content');
});

test('a click on a currency makes it the one, and a second one takes that back', async ({ page }) => {
  await open(page, '/home/main/exchange-rates');
  await settled(page);
  const rates = page.getByRole('region', { name: 'Exchange rates' }).locator('.part-rates');
  await expect(rates.getByRole('heading')).toHaveText(/^1\sGBP =$/);
  await rates.getByRole('button', { name: 'JPY' }).press('Enter');
  await expect(rates.getByRole('heading')).toHaveText(/^1\sJPY =$/);
  await expect(rates.locator('.rate-code')).toHaveText([/EUR/, /GBP/, /USD/]);
  // It survives refreshes.
  await page.getByRole('button', { name: 'Reload Exchange rates' }).click();
  await settled(page);
  await expect(rates.getByRole('heading')).toHaveText(/^1\sJPY =$/);
  await rates.getByRole('button', { name: 'Reset' }).press('Enter');
  await expect(rates.getByRole('heading')).toHaveText(/^1\sGBP =$/);
  await expect(rates.getByRole('button').first()).toBeFocused();
});

test('a day of the forecast opens by a click', async ({ page }) => {
  await open(page, '/home/main/weather-forecast');
  await settled(page);
  const days = page.getByRole('region', { name: 'Weather forecast' }).locator('.part-forecast > ul > li');
  await expect(days).toHaveCount(5);
  await expect(days.first().getByText('Sunrise')).toBeHidden();
  await days.first().getByText('Today').click();
  await expect(days.first().getByText('Sunrise')).toBeVisible();
});

test('a series leaves the drawing by a click on its name', async ({ page }) => {
  await open(page, '/home/main/system-network-traffic');
  await settled(page);
  const chart = page.getByRole('region', { name: 'System network traffic' }).locator('.part-chart');
  // The first series is drawn last, in front of the others.
  const upload = chart.locator('.plot g').last();
  await expect(upload).toBeVisible();
  await chart.getByRole('button', { name: 'Upload' }).click();
  await expect(upload).toBeHidden();
  await chart.getByRole('button', { name: 'Upload' }).press('Enter');
  await expect(upload).toBeVisible();
});

test.describe(() => {
  test.use({ expected: /ERR_FAILED/ });

  test('a picture that cannot be loaded says which, and can be tried again', async ({ page }) => {
    await page.route('**/widget-picture/**', (route) => route.abort());
    await open(page, '/home/main/image');
    await settled(page);
    const image = page.getByRole('region', { name: 'Image' }).locator('.part-image');
    await image.scrollIntoViewIfNeeded();
    await expect(image.getByRole('status')).toContainText('/pictures/plan.png');
    await page.unroute('**/widget-picture/**');
    await image.getByRole('button', { name: 'Retry' }).click();
    await expect(image.getByRole('img')).toBeVisible();
    await expect(image.getByRole('status')).toBeHidden();
  });
});

test('a table is sorted by a click, and stays so', async ({ page }) => {
  await open(page, '/home/main/crypto-watch-list');
  await settled(page);
  const table = page.getByRole('region', { name: 'Crypto watch list' }).getByRole('table');
  const names = table.locator('tbody tr td:first-child');
  await table.getByRole('button', { name: 'Price' }).click();
  await expect(names).toHaveText([/Bitcoin/, /Ethereum/, /Monero/]);
  await table.getByRole('button', { name: 'Price' }).click();
  await expect(names).toHaveText([/Monero/, /Ethereum/, /Bitcoin/]);
  await expect(table.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending');
});

for (const [width, locale] of [[1366, 'en-GB'], [390, 'pt-BR'], [390, 'ar'], [320, 'de-DE']] as const) {
  test(`labels of axes have room between them at ${width} in ${locale}, also after a change of the window`, async ({ browser, baseURL }) => {
    const page = await browser.newPage({ baseURL: baseURL!, locale, viewport: { width: 800, height: 900 } });
    await open(page);
    await settled(page);
    await page.setViewportSize({ width, height: 900 });
    const axes = () => page.evaluate(() => {
      return [...document.querySelectorAll('.axis-labels')].filter((axis) => axis.checkVisibility()).map((axis) => {
        const bounds = axis.closest('figure')!.getBoundingClientRect();
        const places = [...axis.querySelectorAll(':scope > span > :first-child')]
          .filter((label) => label.checkVisibility({ visibilityProperty: true }))
          .map((label) => label.getBoundingClientRect())
          .sort((a, b) => a.left - b.left);
        const gaps = places.slice(1).map((place, before) => place.left - places[before]!.right);
        const inside = places.every(({ left, right }) => left >= bounds.left - 1 && right <= bounds.right + 1);
        return { count: places.length, gap: Math.min(99, ...gaps), inside };
      });
    });
    await expect.poll(async () => (await axes()).filter(({ gap, inside }) => gap < 8 || !inside)).toEqual([]);
    // Every axis keeps at least two labels, which fit in every language.
    const found = await axes();
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter(({ count }) => count < 2)).toEqual([]);
    await page.close();
  });
}

test('the Tab key stops at a table only where it scrolls', async ({ page }) => {
  await open(page);
  await settled(page);
  for (const width of [1366, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const wrong = () => page.locator('.scroller[role]').evaluateAll((tables) => {
      // Folded content is measured when it opens.
      const visible = tables.filter((table) => table.checkVisibility());
      return visible.filter((table) => (table.scrollWidth > table.clientWidth) !== (table.getAttribute('tabindex') === '0')).length;
    });
    await expect.poll(wrong).toBe(0);
  }
});
