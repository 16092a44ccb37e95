// The colors of charts and of other drawings in panels, in every theme (docs/spec/widgets.md 9).

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

test.use({ demo: true });

type Color = [red: number, green: number, blue: number];

/** The colors of the palette, and of the columns of a day, as they look on the background of the panel; which comes first. */
function drawn(page: Page): Promise<Record<string, Color>> {
  return page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
    const paint = (color: string) => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    };
    const read = () => [...context.getImageData(0, 0, 1, 1).data].slice(0, 3) as Color;
    const ground = (panel: Element) => {
      paint('#fff');
      const ancestors: Element[] = [];
      for (let node: Element | null = panel; node !== null; node = node.parentElement) ancestors.unshift(node);
      for (const node of ancestors) paint(getComputedStyle(node).backgroundColor);
    };
    type Color = [number, number, number];
    const column = document.querySelector('.weather-day rect.past')!;
    const panel = column.closest('.panel')!;
    ground(panel);
    const colors: Record<string, Color> = { ground: read() };
    const add = (name: string, color: string) => {
      ground(panel);
      paint(color);
      colors[name] = read();
    };
    const probe = panel.appendChild(document.createElement('i'));
    for (let series = 1; series <= 8; series += 1) {
      probe.className = `series-${series}`;
      add(probe.className, getComputedStyle(probe).color);
    }
    probe.remove();
    add('past', getComputedStyle(column).fill);
    add('now', getComputedStyle(document.querySelector('.weather-day rect.now')!).stroke);
    return colors;
  });
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** The contrast of WCAG 2. */
function contrast(one: Color, other: Color): number {
  const [dark, light] = [one, other].map(([red, green, blue]) => 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255)).sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function oklab(color: Color): Color {
  const [red, green, blue] = color.map((part) => linear(part / 255)) as Color;
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** How different two colors look: 0 for the same one, 1 for black and white. */
function difference(one: Color, other: Color): number {
  const [from, to] = [oklab(one), oklab(other)];
  return Math.hypot(...from.map((part, at) => part - to[at]!));
}

test('are seen on the panel, and differ from their neighbors, in every theme', async ({ page }) => {
  await open(page, '/home/main/weather');
  await expect(page.locator('.weather-day')).toBeAttached({ timeout: 30_000 });
  const folder = (await page.locator('html').getAttribute('data-themes'))!;
  const themes = (await (await page.request.get(folder + 'list.json')).json()) as { name: string; scheme: 'light' | 'dark' | null }[];
  expect(themes).toHaveLength(60);
  const wrong: string[] = [];
  for (const { name, scheme } of themes) {
    await page.evaluate(async (href) => {
      document.querySelector('#tested-theme')?.remove();
      const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, id: 'tested-theme' });
      const loaded = new Promise((done, failed) => ((sheet.onload = done), (sheet.onerror = failed)));
      document.head.append(sheet);
      await loaded;
    }, `${folder}${name}.css`);
    for (const colorScheme of scheme === null ? (['light', 'dark'] as const) : [scheme]) {
      await page.emulateMedia({ colorScheme });
      const { ground, ...colors } = await drawn(page);
      const check = (what: string, value: number, least: number) => {
        if (value < least) wrong.push(`${name} ${colorScheme}: ${what} has ${value.toFixed(2)} of ${least}`);
      };
      for (const [color, least] of [['series-1', 3], ['series-2', 3], ['past', 2], ['now', 3]] as const) {
        check(color, contrast(colors[color]!, ground!), least);
      }
      for (let series = 1; series < 8; series += 1) {
        check(`series ${series} beside the next`, difference(colors[`series-${series}`]!, colors[`series-${series + 1}`]!), 0.06);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('follow the accent of widgets, and the text of a colored section', async ({ page }) => {
  await open(page);
  const today = page.locator('.part-month .today .number').first();
  const column = page.locator('.weather-day .now').first();
  const day = page.locator('.states.heat .level-4').first();
  await expect(today).toBeAttached({ timeout: 30_000 });
  await expect(column).toBeAttached({ timeout: 30_000 });
  // A hundred other widgets would take their time to follow.
  await page.locator('.widget-base').evaluateAll((frames) => {
    for (const frame of frames) if (!frame.querySelector('.part-month .today, .weather-day .now, .states.heat .level-4')) frame.remove();
  });
  const background = () => day.evaluate((day) => getComputedStyle(day).backgroundColor);
  const before = await background();
  await page.evaluate(() => document.documentElement.style.setProperty('--widget-accent-color', 'rgb(1, 2, 3)'));
  await expect(today).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  await expect(column).toHaveCSS('fill', 'rgb(1, 2, 3)');
  const accented = await background();
  expect(accented).not.toBe(before);
  await page.locator('.collapsable').evaluateAll((sections) => {
    for (const section of sections) (section as HTMLElement).style.setProperty('--section-color', '#402060');
  });
  const text = await page.locator('.weather-day').first().evaluate((day) => getComputedStyle(day).color);
  await expect(column).toHaveCSS('fill', text);
  await expect(today).toHaveCSS('background-color', text);
  expect(await background()).not.toBe(accented);
});
