// Screens of all kinds: nothing overflows, touch targets are large enough, print shows everything, and reduced motion is
// respected.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';
import { choose, overflow, WIDTHS } from '../layout.ts';

for (const config of ['workshop.yml', 'arrival.yml', 'attic.yml', 'drawer-of-everything.yml', 'house', 'showcase.yml']) {
  test.describe(config, () => {
    test.use({ config });

    test('nothing sticks out', async ({ page }) => {
      for (const width of [320, ...WIDTHS]) {
        await page.setViewportSize({ width, height: 900 });
        await open(page);
        expect(await overflow(page), String(width)).toEqual([]);
      }
    });
  });
}

test.describe('a long address in the footer', () => {
  const footer = 'See https://wiki.home.example/household/network/instructions-for-guests.html for help';
  test.use({ text: `pageInfo: { title: F, footer: '${footer}' }\nsections: []\n` });

  test('wraps on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 900 });
    await open(page);
    expect(await overflow(page)).toEqual([]);
  });
});

test.describe('pages that stand in', () => {
  test.use({ expected: /status of (404|500)/ });

  test('nothing sticks out', async ({ page, portico, start }) => {
    const broken = await start({ text: `title: "${'long '.repeat(80)}\nsections: [${'x'.repeat(400)}\n` });
    await page.context().unrouteAll();
    for (const width of [320, ...WIDTHS]) {
      await page.setViewportSize({ width, height: 900 });
      for (const address of [`${portico.url}/${'a-long-address-'.repeat(12)}`, `${broken.url}/`]) {
        await page.goto(address);
        expect(await overflow(page), `${width} ${address.slice(0, 40)}`).toEqual([]);
      }
    }
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, config: 'workshop.yml' });

  /** Links and buttons that are too small for a finger. */
  function small(page: Page): Promise<string[]> {
    return page.evaluate(() => {
      const nodes = [...document.querySelectorAll<HTMLElement>('a, button, summary, input:not([type=radio]), label:has(input[type=radio])')];
      return nodes
        .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('footer, p') && !node.matches('.skip-link, .visually-hidden'))
        .map((node) => ({ node, box: node.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
        .map(({ node, box }) => `${node.id || node.className || node.textContent}: ${box.width} × ${box.height}`);
    });
  }

  for (const size of ['small', 'medium', 'large']) {
    test(`${size} items and all buttons are large enough for a finger`, async ({ page }) => {
      await open(page);
      await choose(page, 'auto', size);
      await page.locator('summary', { hasText: 'Drawers' }).tap();
      expect(await small(page)).toEqual([]);
    });
  }

  test('so are options and dialogs', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: 'Options' }).tap();
    expect(await small(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Window seat' }).tap();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await small(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('searchbox').fill('oak');
    expect(await small(page)).toEqual([]);
  });

  test('search and pages stay on the screen while the page scrolls', async ({ page }) => {
    await open(page);
    await page.locator('main > section').last().scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('searchbox')).toBeInViewport();
    const bar = (await page.locator('#nav-items').boundingBox())!;
    const { height } = page.viewportSize()!;
    expect(bar.y + bar.height).toBeCloseTo(height, 0);
    expect(bar.height).toBeLessThan(60);
    // The end of the page is above the bar.
    const end = (await page.locator('main > section').last().boundingBox())!;
    expect(end.y + end.height).toBeLessThan(bar.y);
  });

  test('the page does not zoom when the search gets the focus', async ({ page }) => {
    await open(page);
    const size = await page.getByRole('searchbox').evaluate((box) => parseFloat(getComputedStyle(box).fontSize));
    expect(size).toBeGreaterThanOrEqual(16);
  });
});

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing takes time', async ({ page }) => {
    await open(page);
    const moving = () =>
      page.evaluate(() => {
        const slow = (text: string) => text.split(',').some((time) => parseFloat(time) > 0.01);
        return [...document.querySelectorAll('*')]
          .filter((node) => {
            const style = getComputedStyle(node);
            return slow(style.transitionDuration) || (style.animationName !== 'none' && slow(style.animationDuration));
          })
          .map((node) => node.className);
      });
    expect(await moving()).toEqual([]);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await moving()).toEqual([]);
  });
});

test('without that wish there is motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open(page);
  const time = await page.locator('.item').first().evaluate((item) => parseFloat(getComputedStyle(item).transitionDuration));
  expect(time).toBeGreaterThan(0.05);
});

test('on paper: all that there is, and no controls', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await open(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Lathe')).toBeVisible();
  for (const part of ['.toolbar', '.nav', '.section-open', '.toasts']) {
    for (const node of await page.locator(part).all()) await expect(node).toBeHidden();
  }
  const [ground, text] = await page.evaluate(() => {
    const lightness = (color: string) => {
      const canvas = document.createElement('canvas').getContext('2d')!;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return (red! + green! + blue!) / 765;
    };
    const title = document.querySelector('.item .tile-title')!;
    return [lightness(getComputedStyle(document.documentElement).backgroundColor), lightness(getComputedStyle(title).color)];
  });
  expect(ground).toBeGreaterThan(0.95);
  expect(text).toBeLessThan(0.45);
  const sheet = await page.pdf({ format: 'A4' });
  expect(sheet.length).toBeGreaterThan(10_000);
});

test.describe('right to left', () => {
  test.use({ text: 'appConfig: { language: ar }\nsections: [{ name: ورشة, items: [{ title: مخرطة, url: "https://x.example", icon: mdi-cog }] }]\n' });

  test('the page is mirrored and nothing sticks out', async ({ page }) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      expect(await overflow(page)).toEqual([]);
      const [search, options] = [await page.locator('.search').boundingBox(), await page.locator('.options').boundingBox()];
      expect(search!.x).toBeGreaterThan(options!.x);
    }
  });
});
