// Widgets on a page: when they look, what they show, and what stays as it was.

import type { Locator, Page } from '@playwright/test';

import { expect, open, test as base } from '../fixtures.ts';
import { silence, status, Upstream } from '../upstream.ts';

interface Widgets {
  upstream: Upstream;
  /** The widgets of the first section, as lines of YAML with `UPSTREAM` for the service's address. */
  widgets: string;
  /** More of the section, as lines of YAML. */
  section: string;
}

const test = base.extend<Widgets>({
  widgets: ['', { option: true }],
  section: ['', { option: true }],
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    let count = 0;
    upstream.answers.set('/count', (_, response) => {
      count += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count, words: `seen ${count}` }));
    });
    await use(upstream);
    await upstream.stop();
  },
  text: async ({ upstream, widgets, section }, use) => {
    const lines = widgets.replaceAll('UPSTREAM', upstream.url).trim().split('\n');
    await use(`pageInfo: { title: Instruments }
sections:
  - name: Panel
${section}
    widgets:
${lines.map((line) => `      ${line}`).join('\n')}
`);
  },
});

/** A widget that shows how often its service was asked. */
const COUNTER = `
- type: api-response
  label: Counter
  updateInterval: INTERVAL
  options: { url: UPSTREAM/count, mappings: [{ field: words, label: State }] }
`;

function frame(page: Page, label = 'Counter'): Locator {
  return page.getByRole('article', { name: label });
}

function body(page: Page, label = 'Counter'): Locator {
  return frame(page, label).locator('.widget-body');
}

/** Counts what the page asks the server for. */
function questions(page: Page): { count: number } {
  const counter = { count: 0 };
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/fn/panel') counter.count += 1;
  });
  return counter;
}

/** Clicks on the button until the server, which asks a service at most once a second, has the new answer. */
async function reload(page: Page, outcome: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Reload Counter' }).click();
    await outcome();
  }).toPass();
}

const seen = (page: Page, count: number) => () => expect(body(page)).toContainText(`seen ${count}`, { timeout: 1_000 });

/** Makes the page believe that its tab went to the back, or came to the front. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test.describe('every two seconds', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', '2') });

  test('a widget looks again by itself, without a sign of loading', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.evaluate(() => {
      const frame = document.querySelector('article')!;
      new MutationObserver(() => {
        if (frame.querySelector('[aria-busy]')) document.title = 'was busy';
      }).observe(frame, { attributes: true, subtree: true });
    });
    await expect(body(page)).toContainText('seen 3', { timeout: 10_000 });
    await expect(page).toHaveTitle('Instruments');
    await expect(body(page)).toHaveAttribute('data-state', 'content');
  });

  test('not in a tab that nobody looks at, and at once when it comes back', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await setHidden(page, true);
    const asked = questions(page);
    await page.clock.runFor(10_000);
    expect(asked.count).toBe(0);
    await setHidden(page, false);
    await expect.poll(() => asked.count, { timeout: 1_500 }).toBeGreaterThan(0);
    // Only the browser's clock ran on: for the server the first answer may be less than two seconds old.
    await expect(body(page)).toContainText('seen 2');
  });

  test('not in a section that is closed', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await page.locator('summary', { hasText: 'Panel' }).click();
    const asked = questions(page);
    await page.clock.runFor(10_000);
    expect(asked.count).toBe(0);
    await page.locator('summary', { hasText: 'Panel' }).click();
    await expect.poll(() => asked.count, { timeout: 1_500 }).toBeGreaterThan(0);
  });
});

test.describe('in a section that a search has hidden', () => {
  test.use({
    widgets: COUNTER.replace('INTERVAL', '2'),
    section: '    items: [{ title: Lathe, url: https://lathe.example }]',
  });

  test('nothing is asked until the search is over', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await page.getByRole('searchbox').fill('submarine');
    await expect(frame(page)).toBeHidden();
    const asked = questions(page);
    await page.clock.runFor(10_000);
    expect(asked.count).toBe(0);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => asked.count, { timeout: 1_500 }).toBeGreaterThan(0);
  });
});

test.describe('in a section that is closed from the start', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', '2'), section: '    displayData: { collapsed: true }' });

  test('nothing is asked until somebody opens it', async ({ page }) => {
    await page.clock.install();
    const asked = questions(page);
    await open(page);
    await page.clock.runFor(10_000);
    expect(asked.count).toBe(0);
    await page.locator('summary', { hasText: 'Panel' }).click();
    await expect(body(page)).toContainText('seen');
  });
});

test.describe('only once', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false') });

  test('the button looks again, at most once a second', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await reload(page, seen(page, 2));
    const asked = questions(page);
    await page.getByRole('button', { name: 'Reload Counter' }).click({ clickCount: 5 });
    expect(asked.count).toBeLessThan(2);
    await reload(page, seen(page, 3));
  });

  test('what the server knows already comes with the page, and is not asked for', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('seen 1');
    const asked = questions(page);
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.clock.runFor(9_000);
    expect(asked.count).toBe(0);
  });

  test('what was looked up for an earlier visit is looked up again', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.clock.install({ time: Date.now() + 11_000 });
    const asked = questions(page);
    await open(page);
    await expect.poll(() => asked.count).toBe(1);
    await page.clock.runFor(9_000);
    expect(asked.count).toBe(1);
  });

  test('what is old stays, with its age and the reason', async ({ page, upstream }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    upstream.answers.set('/count', status(503));
    await reload(page, () => expect(body(page)).toHaveAttribute('data-state', 'stale', { timeout: 1_000 }));
    await expect(body(page)).toContainText('seen 1');
    await expect(frame(page).locator('.widget-note')).toHaveText(/Last update .*(now|ago|seconds).*503/);
    // What changes each minute is not read aloud.
    await expect(frame(page).getByRole('status')).toHaveText(/^[^,]*503[^,]*$/);
    await expect(frame(page).getByRole('status')).not.toContainText('Last update');
    await expect(frame(page).getByRole('alert')).toHaveCount(0);
  });

  test('the reload button shows that something happens, and the content stays', async ({ page, upstream }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    upstream.answers.set('/count', silence);
    // A request that was already on its way when the service fell silent may still be answered.
    await reload(page, async () => {
      await expect(body(page)).toHaveAttribute('aria-busy', 'true', { timeout: 1_000 });
      await expect(frame(page)).toHaveAttribute('data-busy', '', { timeout: 1_000 });
    });
    await expect(body(page)).toContainText('seen 1');
  });

  test('one notice for the whole page when its server is gone, and none when it is back', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.route('**/fn/panel?**', (route) => route.abort());
    await page.getByRole('button', { name: 'Reload Counter' }).click();
    await expect(page.locator('.toast')).toContainText('cannot be reached');
    await expect(body(page)).toContainText('seen 1');
    await page.unroute('**/fn/panel?**');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.locator('.toast')).toHaveCount(0);
  });
  test.use({ expected: /ERR_FAILED/ });
});

test.describe('a picture of your own', () => {
  test.use({
    widgets: `
- type: image
  label: Chart
  updateInterval: 2
  options: { imagePath: '/chart.svg?unit=c' }
`,
  });

  test('is loaded again, with all that its address says', async ({ page }) => {
    const queries: string[] = [];
    await page.route('**/chart.svg**', (route) => {
      queries.push(new URL(route.request().url()).search);
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
    });
    await open(page);
    await expect.poll(() => queries.length, { timeout: 8_000 }).toBeGreaterThan(2);
    expect(queries[0]).toBe('?unit=c');
    for (const query of queries.slice(1)) expect(query).toMatch(/^\?unit=c&again=\d+$/);
    const { length } = queries;
    await page.getByRole('button', { name: 'Reload Chart' }).click();
    await expect.poll(() => queries.length).toBeGreaterThan(length);
  });
});

test.describe('a service that fails', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false') });

  test('a box says so, and the way out of it keeps the focus', async ({ page, upstream }) => {
    const counter = upstream.answers.get('/count')!;
    upstream.answers.set('/count', status(500));
    await open(page);
    const alert = frame(page).getByRole('alert');
    await expect(alert).toContainText('500');
    await expect(alert.locator('code')).toHaveText('api-response · 127.0.0.1 · 500');
    await expect(body(page)).toHaveAttribute('data-state', 'error');
    upstream.answers.set('/count', counter);
    // The server does not ask again before five seconds have passed.
    await expect(async () => {
      const retry = alert.getByRole('button', { name: 'Retry' });
      if (await retry.isVisible()) await retry.press('Enter');
      await expect(body(page)).toContainText('seen 1', { timeout: 1_000 });
    }).toPass({ timeout: 15_000 });
    await expect(frame(page).getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Reload Counter' })).toBeFocused();
  });

  test('it does not hold up the page, nor its neighbours', async ({ page, upstream }) => {
    upstream.answers.set('/count', silence);
    // It never answers, so a page that waited for it would not come before the test ends.
    await open(page);
    await expect(body(page)).toHaveAttribute('aria-busy', 'true');
    await expect(body(page).locator('.widget-skeleton')).toBeVisible();
  });
});

test.describe('errors that nobody wants to see', () => {
  test.use({ widgets: `${COUNTER.replace('INTERVAL', 'false').trim()}\n  ignoreErrors: true` });

  test('are not shown', async ({ page, upstream }) => {
    upstream.answers.set('/count', status(500));
    await open(page);
    // Nothing of it takes room, so it has no role either.
    const quiet = page.locator('.widget-base');
    await expect(quiet.locator('.widget-body')).toHaveAttribute('data-state', 'content');
    await expect(quiet.locator('.widget-body')).toBeEmpty();
    await expect(quiet.locator('[role=alert]')).toHaveCount(0);
    await expect(quiet).toBeHidden();
  });
});

test.describe('options that are wrong', () => {
  test.use({
    widgets: `
- type: api-response
  label: Counter
  options: {}
- type: thermometer
  label: Unknown
`,
  });

  test('a box names them, without a way to try again', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('Set the option url.');
    await expect(body(page, 'Unknown')).toContainText('thermometer');
    await expect(page.getByRole('button', { name: /Retry|Reload/ })).toHaveCount(0);
  });
});

test.describe('without JavaScript', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false'), javaScriptEnabled: false });

  test('a sentence stands there, and at the next visit the content', async ({ page }) => {
    await page.goto('./');
    await expect(page.getByText('Reload the page in a moment.')).toBeVisible();
    await expect(page.locator('.widget-skeleton, .widget-reload')).toHaveCount(2);
    for (const hidden of await page.locator('.widget-skeleton, .widget-reload').all()) await expect(hidden).toBeHidden();
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('seen 1');
    await page.goto('./');
    await expect(body(page)).toContainText('seen 1');
  });
});

/** A list that is long enough to be folded, with another order each time. */
const LIST = `
- type: api-response
  label: Counter
  updateInterval: false
  options: { url: UPSTREAM/list, display: dynamic-list, mappings: { items: items, name: name, label: size } }
`;

test.describe('what somebody did to a panel', () => {
  test.use({ widgets: LIST });

  test('"show more" outlives a reload of the widget and of the page', async ({ page, upstream }) => {
    const items = Array.from({ length: 25 }, (_, index) => ({ name: `Row ${index}`, size: index }));
    upstream.answers.set('/list', { items });
    await open(page);
    const rows = body(page).locator('tbody tr');
    await expect(rows).toHaveCount(25);
    await expect(rows.nth(24)).toBeHidden();
    await body(page).getByRole('button', { name: /Show \d+ more/ }).click();
    await expect(rows.nth(24)).toBeVisible();
    upstream.answers.set('/list', { items: [...items, { name: 'Row 25', size: 25 }] });
    await reload(page, () => expect(rows).toHaveCount(26, { timeout: 1_000 }));
    await expect(rows.nth(25)).toBeVisible();
    await open(page);
    await expect(rows.nth(24)).toBeVisible();
    await body(page).getByRole('button', { name: 'Show less' }).click();
    await open(page);
    await expect(rows.nth(24)).toBeHidden();
  });
});

test.describe('a chart', () => {
  test.use({
    widgets: `
- type: metrics-cpu-history
  label: Counter
  updateInterval: false
  options: { host: UPSTREAM }
`,
  });

  test('tells its values to the pointer and to the keys', async ({ page, upstream }) => {
    const start = 1_795_251_000;
    const data = Array.from({ length: 30 }, (_, index) => [start + index * 20, index, 5]);
    upstream.answers.set('/api/v1/data', { labels: ['time', 'user', 'system'], data: data.reverse() });
    await open(page);
    const plot = body(page).locator('.plot');
    await plot.hover();
    const tooltip = page.getByRole('tooltip');
    await expect(tooltip).toContainText('user');
    await expect(tooltip).toContainText('5%');
    await page.mouse.move(0, 0);
    await expect(tooltip).toBeHidden();
    await plot.focus();
    await page.keyboard.press('End');
    await expect(tooltip).toContainText('29%');
    await page.keyboard.press('ArrowLeft');
    await expect(tooltip).toContainText('28%');
    // The kinds of work stand on one another; shares of percentages would be one number too many.
    await expect(tooltip).toContainText('Total33%');
    await expect(tooltip.locator('small')).toHaveCount(0);
  });

  test('has the colour that a theme gives to the words of widgets, and its frame the shadow', async ({ page, upstream }) => {
    upstream.answers.set('/api/v1/data', { labels: ['time', 'user'], data: [[1_795_251_000, 5], [1_795_251_020, 6]] });
    await open(page);
    const group = body(page).locator('.plot g');
    const style = (what: Locator, name: string) => what.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), name);
    const words = await style(body(page), 'color');
    expect(await style(group, 'color')).not.toBe(words);
    expect(await style(frame(page), 'box-shadow')).toBe('none');
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--widget-text-color', 'rgb(1, 2, 3)');
      document.documentElement.style.setProperty('--widget-base-shadow', '1px 2px 3px rgb(4, 5, 6)');
    });
    await expect(group).toHaveCSS('color', 'rgb(1, 2, 3)');
    await expect(body(page)).toHaveCSS('color', 'rgb(1, 2, 3)');
    await expect(frame(page)).toHaveCSS('box-shadow', 'rgb(4, 5, 6) 1px 2px 3px 0px');
  });

  test('lets the rest of a stack fall when a series leaves it, and knows by its name which one left', async ({ page, upstream }) => {
    const start = 1_795_251_000;
    const rows = (values: number[]) => Array.from({ length: 5 }, (_, index) => [start + index * 20, ...values]);
    upstream.answers.set('/api/v1/data', { labels: ['time', 'guest', 'user', 'system'], data: rows([0, 20, 10]) });
    await open(page);
    const button = (name: string) => body(page).getByRole('button', { name });
    const shapes = () => body(page).locator('.plot g').evaluateAll((groups) =>
      groups.map((group) => (getComputedStyle(group).display !== 'none' ? group.querySelector('.area')!.getAttribute('d') : null)));
    // From the front to the back; one percent is ten lines of a thousand.
    const area = (base: number, top: number) =>
      `M0 ${top}L1000 ${top}L2000 ${top}L3000 ${top}L4000 ${top}L4000 ${base}L3000 ${base}L2000 ${base}L1000 ${base}L0 ${base}Z`;
    const both = [area(800, 700), area(1000, 800)];
    await expect.poll(shapes).toEqual(both);
    await button('user').click();
    expect(await shapes()).toEqual([area(1000, 900), null]);
    const ink = () => button('system').locator('svg').getAttribute('class');
    const before = await ink();
    upstream.answers.set('/api/v1/data', { labels: ['time', 'guest', 'user', 'system'], data: rows([5, 20, 10]) });
    await reload(page, () => expect(button('guest')).toHaveAttribute('aria-pressed', 'true', { timeout: 1_000 }));
    await expect(button('user')).toHaveAttribute('aria-pressed', 'false');
    expect(await shapes()).toEqual([area(950, 850), null, area(1000, 950)]);
    expect(await ink()).toBe(before);
    await body(page).locator('.plot').hover();
    const bubble = page.getByRole('tooltip');
    await expect(bubble).toContainText('guest');
    await expect(bubble).not.toContainText('user');
    await button('user').click();
    expect(await shapes()).toEqual([area(750, 650), area(950, 750), area(1000, 950)]);
  });
});

test.describe('what explains itself', () => {
  test.use({
    widgets: `
- type: custom-list
  label: Counter
  updateInterval: false
  options: { url: 'UPSTREAM/list', title: Releases }
- type: dns-sinkhole-stats-v6
  label: Ring
  updateInterval: false
  options: { hostname: UPSTREAM, apiKey: lantern }
- type: metrics-cpu-history
  label: Chart
  updateInterval: false
  options: { host: UPSTREAM }
`,
    hasTouch: true,
  });

  test.beforeEach(async ({ page, upstream }) => {
    const entry = (text: string) => ({ link: { text, url: '/docs', title: '' }, value: { text: 'v1', title: `of ${text}` }, date: '2026-05-31' });
    upstream.answers.set('/list', ['spade', 'rake'].map(entry) as object);
    upstream.answers.set('/api/auth', { session: { valid: true, sid: null, validity: -1 } });
    upstream.answers.set('/api/dns/blocking', { blocking: 'enabled', timer: null });
    upstream.answers.set('/api/stats/summary', { queries: { total: 200, blocked: 50, percent_blocked: 25 } });
    upstream.answers.set('/api/v1/data', { labels: ['time', 'user'], data: [[1_795_251_000, 5], [1_795_251_020, 7]] });
    await open(page);
    await expect(body(page, 'Ring').locator('.slice')).toHaveCount(2);
    await expect(body(page).locator('[data-hinted]')).toHaveCount(2);
    await expect(body(page, 'Chart').locator('.plot')).toBeVisible();
  });

  /** Sees that the bubble says something, and says it still a moment later. */
  async function expectBubble(page: Page, text: string): Promise<void> {
    await expect(page.getByRole('tooltip')).toContainText(text);
    // Nothing that is still to come in this frame or the next takes it away.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
    await expect(page.getByRole('tooltip')).toContainText(text);
    await expect(page.getByRole('tooltip')).toBeInViewport();
  }

  test('does so to the pointer, while it is there', async ({ page }) => {
    for (const [hinted, text] of [
      [body(page).locator('[data-hinted]').first(), 'of spade'],
      [body(page, 'Ring').locator('.ring > svg'), 'Allowed'],
    ] as const) {
      await hinted.scrollIntoViewIfNeeded();
      const box = (await hinted.boundingBox())!;
      // A ring has nothing in its middle.
      const x = text === 'Allowed' ? box.x + box.width - 8 : box.x + box.width / 2;
      await hinted.hover({ position: { x: x - box.x, y: box.height / 2 } });
      await expectBubble(page, text);
      await page.mouse.move(0, 0);
      await expect(page.getByRole('tooltip')).toBeHidden();
    }
  });

  test('does so to the keys, also when a step of the Tab key scrolls', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 260 });
    await page.evaluate(() => scrollTo(0, 0));
    const hints = body(page).locator('[data-hinted]');
    for (let steps = 0; steps < 40 && !(await hints.first().evaluate((hint) => hint === document.activeElement)); steps += 1) {
      await page.keyboard.press('Tab');
    }
    await expectBubble(page, 'of spade');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tooltip')).toBeHidden();
    while (!(await hints.last().evaluate((hint) => hint === document.activeElement))) await page.keyboard.press('Tab');
    await expectBubble(page, 'of rake');
  });

  test('does so to a finger, until it touches something else', async ({ page }) => {
    const tooltip = page.getByRole('tooltip');
    await body(page).locator('[data-hinted]').first().tap();
    await expectBubble(page, 'of spade');
    await body(page).locator('[data-hinted]').last().tap();
    await expectBubble(page, 'of rake');
    const ring = body(page, 'Ring').locator('.ring > svg');
    const { width, height } = (await ring.boundingBox())!;
    await ring.tap({ position: { x: width - 8, y: height / 2 } });
    await expectBubble(page, 'Allowed');
    const plot = body(page, 'Chart').locator('.plot');
    await plot.tap({ position: { x: 8, y: 20 } });
    await expectBubble(page, '5%');
    await expect(plot.locator('.cursor')).toHaveCount(1);
    await page.getByRole('heading', { name: 'Instruments' }).tap();
    await expect(tooltip).toBeHidden();
    await expect(plot.locator('.cursor')).toHaveCount(0);
  });
});

test.describe('a chart of counts', () => {
  test.use({
    widgets: `
- type: dns-sinkhole-traffic-v6
  label: Counter
  updateInterval: false
  options: { hostname: UPSTREAM, apiKey: lantern }
`,
  });

  test('says the sum and the shares, and has fewer bars where there is little room', async ({ page, upstream }) => {
    const start = 1_795_165_200;
    const history = Array.from({ length: 145 }, (_, index) => ({ timestamp: start + index * 600, total: 8, blocked: 2 }));
    upstream.answers.set('/api/auth', { session: { valid: true, sid: null, validity: -1 } });
    upstream.answers.set('/api/history', { history });
    await open(page);
    const bars = body(page).locator('.bars').filter({ visible: true });
    const count = async () => (await bars.first().getAttribute('d'))!.split('M').length - 1;
    const plot = body(page).locator('.plot').filter({ visible: true });
    const tooltip = page.getByRole('tooltip');
    await page.setViewportSize({ width: 1366, height: 900 });
    await expect.poll(count).toBe(145);
    await plot.focus();
    await page.keyboard.press('End');
    await expect(tooltip).toContainText('Allowed675.0%');
    await expect(tooltip).toContainText('Blocked225.0%');
    await expect(tooltip).toContainText('Total8');
    await page.setViewportSize({ width: 330, height: 700 });
    expect(await count()).toBe(8);
    await plot.focus();
    await page.keyboard.press('End');
    await expect(tooltip).toContainText('Total144');
  });
});

test.describe('a page that is older than its config', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false') });

  test('says so instead of showing something else', async ({ page, portico, upstream }) => {
    // Nobody tells the page of the change.
    await page.route('**/events?*', () => {});
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    portico.write('conf.yml', `sections: [{ name: Panel, widgets: [{ type: clock }] }]\n`);
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('widget-clock');
    await page.getByRole('button', { name: 'Reload Counter' }).click();
    await expect(body(page)).toContainText('Reload');
    expect(upstream.count('/count')).toBe(1);
  });
});
