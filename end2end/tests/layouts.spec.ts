// Positions of sections and items on screens of all sizes (docs/spec/behavior.md 3).

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';
import { choose, columns, overflow, WIDTHS } from '../layout.ts';

/** The screen classes, each with a width and the number of columns of the grid. */
const CLASSES = [
  ['phone', 390, 1],
  ['tablet', 700, 2],
  ['laptop', 1000, 2],
  ['monitor', 1366, 3],
  ['big', 2000, 4],
  ['very big', 3000, 5],
] as const;

const LAYOUTS = ['auto', 'masonry', 'horizontal', 'vertical'] as const;

/** How many columns an element's grid has. */
function tracks(page: Page, selector = 'main'): Promise<number> {
  return page.locator(selector).first().evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length);
}

function boxes(page: Page): Promise<DOMRect[]> {
  return page.locator('main > section').evaluateAll((sections) => sections.map((section) => section.getBoundingClientRect().toJSON() as DOMRect));
}

test.describe('many sections', () => {
  test.use({ config: 'crowd.yml' });

  for (const [name, width, count] of CLASSES) {
    test(`columns on a ${name}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      expect(await tracks(page), 'auto').toBe(count);
      await choose(page, 'masonry');
      await expect.poll(() => tracks(page), 'masonry').toBe(count);
      await choose(page, 'horizontal');
      expect(await columns(page), 'horizontal').toBe(1);
      const place = CLASSES.findIndex(([other]) => other === name);
      expect(await tracks(page, 'main .items'), 'items in a row').toBe([2, 3, 5, 6, 9, 12][place]);
      await choose(page, 'horizontal', 'large');
      expect(await tracks(page, 'main .items'), 'large items in a row').toBe([1, 2, 3, 5, 6, 8][place]);
      await choose(page, 'vertical');
      expect(await columns(page), 'vertical').toBe([1, 3, 4, 5, 7, 10][place]);
      const [first, last] = await Promise.all([0, 9].map((at) => page.locator('main > section').nth(at).boundingBox()));
      expect(last!.x + last!.width, 'all sections are on the screen').toBeLessThanOrEqual(width);
      expect(last!.y > first!.y, 'those that do not fit are below').toBe(name !== 'very big');
    });
  }

  for (const width of WIDTHS) {
    test(`nothing sticks out at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      for (const layout of LAYOUTS) {
        for (const size of ['small', 'medium', 'large']) {
          await choose(page, layout, size);
          expect(await overflow(page), `${layout}, ${size}`).toEqual([]);
        }
      }
    });
  }

  test('sections span what they ask for, but never more than there is', async ({ page }) => {
    for (const [name, width, count] of CLASSES) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      const [main, one, two, five] = await Promise.all(
        ['main', 'main > section:nth-child(1)', 'main > section:nth-child(3)', 'main > section:nth-child(7)'].map(
          async (selector) => (await page.locator(selector).boundingBox())!,
        ),
      );
      const gap = width >= 780 ? 20 : 16;
      const span = (columns: number) => columns * one!.width + (columns - 1) * gap;
      expect(two!.width, `two on a ${name}`).toBeCloseTo(span(Math.min(2, count)), 0);
      expect(five!.width, `five on a ${name}`).toBeCloseTo(span(Math.min(5, count)), 0);
      expect(main!.width, name).toBeCloseTo(span(count), 0);
    }
  });

  test('masonry lets nothing overlap', async ({ page }) => {
    await open(page);
    await choose(page, 'masonry');
    const places = await boxes(page);
    for (const [position, a] of places.entries()) {
      for (const b of places.slice(position + 1)) {
        const apart = a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
        expect(apart, JSON.stringify([a, b])).toBe(true);
      }
    }
  });
});

test.describe('sections of different sizes', () => {
  const items = (count: number) => Array.from({ length: count }, (_, item) => `{ title: Item ${item} }`).join(', ');
  const counts = [12, 6, 30, 8, 4, 4, 20, 3];
  test.use({ text: `sections:\n${counts.map((count) => `  - { name: Section, items: [${items(count)}] }\n`).join('')}` });

  test('tiles are never narrower on a wider screen', async ({ page }) => {
    let narrowest = 0;
    for (const width of [390, 1280, 1366, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      for (const layout of ['auto', 'horizontal']) {
        await choose(page, layout);
        const widths = await page.locator('main .item').evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().width));
        expect(Math.min(...widths), `${layout} at ${width}`).toBeGreaterThanOrEqual(narrowest);
      }
      narrowest = await page.locator('main .items').first().evaluate((list) => {
        const probe = document.createElement('i');
        probe.style.cssText = 'position: absolute; inline-size: var(--tile-min)';
        list.append(probe);
        return probe.getBoundingClientRect().width;
      });
    }
  });

  for (const width of [1366, 1920, 2560]) {
    test(`large ones span several columns by themselves at ${width}, and rows are about equally high`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      const all = await boxes(page);
      expect(all[2]!.width, 'thirty items').toBeGreaterThan(1.9 * Math.min(...all.map((box) => box.width)));
      const places = all.map(({ top, left }) => top * 1e4 + left);
      expect(places, 'the order of the file').toEqual(places.toSorted((a, b) => a - b));
      // How much of the rectangle around all sections they cover.
      const covered = all.reduce((sum, box) => sum + (box.width + 20) * (box.height + 20), 0);
      const [left, right] = [Math.min(...all.map((box) => box.left)), Math.max(...all.map((box) => box.right))];
      const [top, bottom] = [Math.min(...all.map((box) => box.top)), Math.max(...all.map((box) => box.bottom))];
      // Five columns hold these sections in two rows, which leaves more open than three rows of four.
      expect(covered / ((right - left + 20) * (bottom - top + 20))).toBeGreaterThan(width === 2560 ? 0.7 : 0.8);
      // Other layouts have no rows to fill.
      await choose(page, 'masonry');
      const widths = (await boxes(page)).map((box) => Math.round(box.width));
      expect(new Set(widths).size).toBe(1);
    });
  }
});

test.describe('masonry', () => {
  const section = (name: number) => {
    const items = Array.from({ length: 1 + ((name * 5) % 11) }, (_, item) => `{ title: Item ${item} }`);
    return `  - { name: Section ${name}, items: [${items.join(', ')}] }\n`;
  };
  test.use({ text: `appConfig: { layout: masonry }\nsections:\n${Array.from({ length: 12 }, (_, name) => section(name)).join('')}` });

  test('leaves no holes, also after a section has been closed', async ({ page }) => {
    await open(page);
    for (let time = 0; time < 2; time += 1) {
      await expect
        .poll(async () => {
          const places = await boxes(page);
          const gaps = places.map((box) => {
            const below = places.filter((other) => other.left === box.left && other.top > box.top);
            return below.length ? Math.min(...below.map((other) => other.top)) - box.bottom : 0;
          });
          return Math.max(...gaps);
        })
        .toBeLessThan(30);
      expect(await columns(page)).toBe(3);
      await page.locator('summary').nth(1).click();
    }
  });

  for (const [width, most] of [[390, 0.02], [1366, 0.02]] as const) {
    test(`stands still when the script comes at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript(() => {
        Object.assign(window, { moved: 0 });
        const add = (moves: PerformanceEntryList) => {
          for (const { value } of moves as unknown as { value: number }[]) (window as unknown as { moved: number }).moved += value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        Object.assign(window, { settle: () => add(observer.takeRecords()) });
      });
      await open(page);
      await expect(page.locator('#content')).toHaveAttribute('data-packed');
      // After the fonts have loaded and the browser is idle.
      const moved = await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)));
        const { settle } = window as unknown as { settle: () => void };
        settle();
        return (window as unknown as { moved: number }).moved;
      });
      expect(moved).toBeLessThan(most);
    });
  }

  test('without the script it is still in columns', async ({ page }) => {
    await page.route('**/*.wasm', () => {});
    await page.goto('./', { waitUntil: 'domcontentloaded' });
    expect(await columns(page)).toBe(3);
    expect(await overflow(page)).toEqual([]);
  });
});

test.describe('density', () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter';
  const items = `items: [{ title: ${long}, url: 'https://a.example' }, { title: Lamp, description: At the pier, url: 'https://b.example', icon: mdi-lamp }]`;

  for (const [density, height] of [['compact', 36], ['comfortable', 62], ['showcase', 96]] as const) {
    test.describe(density, () => {
      test.use({ text: `appConfig: { density: ${density}, iconSize: large }\nsections: [{ name: A, ${items} }]\n` });

      test('has the height of its tiles, and a long name widens no page', async ({ page }) => {
        await open(page);
        expect(await page.locator('#i-0-1').evaluate((tile) => getComputedStyle(tile).minHeight)).toBe(`${height}px`);
        for (const width of [320, 390, 1366]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await overflow(page), String(width)).toEqual([]);
          const lines = await page.locator('#i-0-0 .tile-title').evaluate((title) => {
            return title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight);
          });
          expect(lines).toBeLessThan(2.1);
        }
      });
    });
  }
});

test.describe('a long title', () => {
  const links = ['Wiki', 'Repository', 'Monitoring', 'Photos'].map((title) => `{ title: ${title}, path: 'https://${title}.example' }`);
  const title = 'The quite remarkably long title of our dashboard in the cellar';
  test.use({ text: `pageInfo: { title: ${title}, navLinks: [${links.join(', ')}] }\nsections: [{ name: A, items: [{ title: Lamp }] }]\n` });

  for (const width of [700, 800, 1366]) {
    test(`makes room for the links at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      expect(await overflow(page)).toEqual([]);
      const tops = await page.locator('.nav-item').evaluateAll((links) => new Set(links.map((link) => link.getBoundingClientRect().top)).size);
      expect(tops, 'rows of links').toBe(1);
      const lines = await page.locator('.page-title h1').evaluate((node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight));
      expect(lines).toBeLessThan(2.1);
      if (width === 1366) expect((await page.locator('main .item').first().boundingBox())!.y).toBeLessThan(120);
    });
  }
});

test.describe('a short title', () => {
  const links = ['Dashboard', 'Home', 'All cases', 'Wiki', 'Photos'].map((title) => `{ title: ${title}, path: 'https://${title.slice(0, 4)}.example' }`);
  test.use({ text: `pageInfo: { title: Quay, navLinks: [${links.join(', ')}] }\nsections: [{ name: A, items: [{ title: Lamp }] }]\n` });

  for (const width of [1366, 1920]) {
    test(`leaves the links in one row at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      const tops = await page.locator('.nav-item').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
      expect(new Set(tops).size, 'rows of links').toBe(1);
      const [title, search] = await Promise.all(['.page-title', '.search'].map((part) => page.locator(part).first().boundingBox()));
      expect(Math.abs(title!.y + title!.height / 2 - search!.y - search!.height / 2), 'one bar').toBeLessThan(8);
    });
  }
});

test.describe('a long word in a title', () => {
  test.use({ text: `sections: [{ name: A, items: [{ title: OpenStreetMapExplorer, icon: mdi-map }, { title: Lamp, icon: mdi-lamp }] }]\n` });

  test('breaks before an inner capital', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    const parts = await page.locator('#i-0-0 .tile-title').evaluate((title) => [...title.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE) return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      return [{ text: node.textContent, tops: [...range.getClientRects()].map(({ top }) => Math.round(top)) }];
    }));
    expect(parts.map(({ text }) => text)).toEqual(['Open', 'Street', 'Map', 'Explorer']);
    expect(parts.every(({ tops }) => tops.length === 1), JSON.stringify(parts)).toBe(true);
    expect(new Set(parts.map(({ tops }) => tops[0])).size, 'lines').toBe(2);
  });
});

test.describe('names of services', () => {
  const names = ['Audiobookshelf', 'Zigbee2MQTT', 'Healthchecks', 'Paperless-ngx', 'Navidrome', 'Home Assistant', 'Infrastructure', 'qBittorrent'];
  const items = names.map((title) => `{ title: ${title}, description: A line that says what it is, url: 'https://a.example', icon: mdi-lamp }`);
  test.use({ text: `sections:\n${['A', 'B', 'C', 'D', 'E'].map((name) => `  - { name: ${name}, items: [${items.join(', ')}] }\n`).join('')}` });

  for (const width of [390, 820, 1366, 1920, 2560]) {
    test(`are not broken inside a word at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      for (const layout of LAYOUTS) {
        await choose(page, layout);
        const broken = await page.locator('.tile-title').evaluateAll((titles) => titles.flatMap((title) => {
          if (title.scrollWidth > title.clientWidth) return [`${title.textContent} is cut`];
          const words = [...title.childNodes].flatMap((node) => [...(node.textContent ?? '').matchAll(/[^\s-]+/g)].map((word) => {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            return { word: word[0], lines: range.getClientRects().length };
          }));
          return words.filter(({ lines }) => lines > 1).map(({ word }) => word);
        }));
        expect(broken, layout).toEqual([]);
      }
    });
  }
});

test.describe('widgets of one section', () => {
  const widgets = [['clock', 1], ['notes', 9], ['notes', 2], ['clock', 1], ['notes', 4], ['notes', 3]] as const;
  const lines = (count: number) => Array.from({ length: count }, (_, line) => `Line ${line}`).join('\\n\\n');
  const widget = ([type, count]: (typeof widgets)[number]) => `{ type: ${type}${type === 'notes' ? `, options: { text: "${lines(count)}" }` : ''} }`;
  test.use({ text: `sections: [{ name: A, widgets: [${widgets.map(widget).join(', ')}] }]\n` });

  for (const width of [390, 820, 1366, 2560]) {
    test(`are as high as their content, in columns in the order of the file, at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      for (const layout of LAYOUTS) {
        await choose(page, layout);
        const cards = await page.locator('.widget-base').evaluateAll((cards) => cards.map((card) => {
          const { left, top, bottom, height } = card.getBoundingClientRect();
          const inside = Math.max(...[...card.children].filter((child) => !child.matches('.widget-tools')).map((child) => child.getBoundingClientRect().bottom));
          return { left: Math.round(left), top, bottom, height, empty: bottom - inside };
        }));
        for (const { empty } of cards) expect(empty, layout).toBeLessThan(24);
        for (const [at, card] of cards.entries()) {
          const next = cards[at + 1];
          if (!next) continue;
          if (next.left === card.left) expect(next.top - card.bottom, `${layout}: the space below`).toBeCloseTo(12, 0);
          else expect(next.left, `${layout}: the next column`).toBeGreaterThan(card.left);
        }
        if (layout === 'auto' || layout === 'horizontal') expect(new Set(cards.map(({ left }) => left)).size > 1, layout).toBe(width > 700);
      }
    });
  }
});

test.describe('many items', () => {
  const many = Array.from({ length: 70 }, (_, item) => `      - { title: Item ${item}, url: 'https://${item}.example' }\n`).join('');
  test.use({ text: `sections:\n  - name: A\n    items:\n${many}` });

  test('are folded until somebody asks, searches or prints', async ({ page }) => {
    await open(page);
    const shown = page.locator('#content .items > *:visible');
    await expect(shown).toHaveCount(60);
    await page.getByRole('searchbox').fill('Item 69');
    await expect(page.getByRole('link', { name: 'Item 69' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(shown).toHaveCount(60);
    await page.emulateMedia({ media: 'print' });
    await expect(shown).toHaveCount(70);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('checkbox', { name: 'Show all 70' }).focus();
    await page.keyboard.press('Space');
    await expect(shown).toHaveCount(70);
  });
});

test.describe('many screens of items', () => {
  const items = (section: number) => Array.from({ length: 12 }, (_, at) => `{ title: Item ${section}-${at}, url: 'https://example.com/' }`).join(', ');
  test.use({
    text: `sections:\n${Array.from({ length: 60 }, (_, section) => `  - { name: Section ${section}, items: [ ${items(section)} ] }\n`).join('')}`,
  });

  test('are laid out when they come near, and are found before', async ({ page }) => {
    await open(page);
    const last = page.getByRole('link', { name: 'Item 59-11' });
    const isLaidOut = () => last.evaluate((link) => link.checkVisibility({ contentVisibilityAuto: true }));
    await expect.poll(isLaidOut).toBe(false);
    await page.getByRole('searchbox').fill('59-11');
    await expect(last).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect.poll(isLaidOut).toBe(false);
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport();
    expect(await isLaidOut()).toBe(true);
  });

  test('are laid out at once in the masonry, which needs all heights', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('layoutOrientation', 'masonry'));
    await open(page);
    const last = page.getByRole('link', { name: 'Item 59-11' });
    await expect.poll(() => last.evaluate((link) => link.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
  });
});

test.describe('sectionLayout: grid', () => {
  const items = Array.from({ length: 7 }, (_, at) => `{ title: Tile ${at} }`).join(', ');
  test.use({
    text: `appConfig: { colCount: 1 }
sections:
  - { name: A, displayData: { sectionLayout: grid }, items: [ ${items} ] }
  - { name: B, displayData: { sectionLayout: grid, itemCountX: 6 }, items: [ ${items} ] }
`,
  });

  test('has as many tiles in a row as the screen has columns', async ({ page }) => {
    const perRow = (at: number) =>
      page.locator('#content .items').nth(at).evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
    for (const [width, count] of [[390, 1], [700, 2], [1000, 2], [1366, 3], [1900, 4]] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      expect(await perRow(0), String(width)).toBe(count);
      expect(await overflow(page)).toEqual([]);
    }
    expect(await perRow(1)).toBe(6);
  });
});

test.describe('a number of tiles in a row', () => {
  test.use({ text: "sections: [{ name: A, displayData: { itemCountX: 3 }, items: [{ title: Everything, url: 'https://a.example', icon: mdi-lamp }] }]\n" });

  test('leaves each its name, below the picture where they are narrow', async ({ page }) => {
    for (const [width, isBelow] of [[390, true], [1366, false]] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      const [title, icon] = await Promise.all(['.tile-title', '.icon'].map(async (part) => (await page.locator(`#i-0-0 ${part}`).boundingBox())!));
      expect(title!.y >= icon!.y + icon!.height, String(width)).toBe(isBelow);
    }
  });
});

test.describe('a forced number of columns', () => {
  test.use({
    text: `appConfig: { colCount: 5, contentMaxWidth: 1200px }
sections: [{ name: A }, { name: B }, { name: C }, { name: D }, { name: E }, { name: F }]
`,
  });

  test('counts from the tablet up', async ({ page }) => {
    for (const [width, count] of [[390, 1], [700, 5], [1366, 5], [2560, 5]] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      expect(await columns(page), String(width)).toBe(count);
      expect(await overflow(page)).toEqual([]);
    }
    expect((await page.locator('main').boundingBox())!.width).toBe(1200);
  });
});
