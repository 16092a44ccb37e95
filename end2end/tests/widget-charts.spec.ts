// Charts and other parts with details, by mouse, keyboard and touch.

import type { Locator, Page } from '@playwright/test';

import { expect, open } from '../fixtures.ts';
import { body, frame, reload, test } from '../widgets.ts';

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
    upstream.responses.set('/api/v1/data', { labels: ['time', 'user', 'system'], data: data.reverse() });
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
    // The series are stacked; shares of percentages would be confusing.
    await expect(tooltip).toContainText('Total33%');
    await expect(tooltip.locator('small')).toHaveCount(0);
  });

  test('has the color that a theme gives to the words of widgets, and its frame the shadow', async ({ page, upstream }) => {
    upstream.responses.set('/api/v1/data', { labels: ['time', 'user'], data: [[1_795_251_000, 5], [1_795_251_020, 6]] });
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
    upstream.responses.set('/api/v1/data', { labels: ['time', 'guest', 'user', 'system'], data: rows([0, 20, 10]) });
    await open(page);
    const button = (name: string) => body(page).getByRole('button', { name });
    const shapes = () => body(page).locator('.plot g').evaluateAll((groups) =>
      groups.map((group) => (getComputedStyle(group).display !== 'none' ? group.querySelector('.area')!.getAttribute('d') : null)));
    // From front to back; one percent is ten units of a thousand.
    const area = (base: number, top: number) =>
      `M0 ${top}L1000 ${top}L2000 ${top}L3000 ${top}L4000 ${top}L4000 ${base}L3000 ${base}L2000 ${base}L1000 ${base}L0 ${base}Z`;
    const both = [area(800, 700), area(1000, 800)];
    await expect.poll(shapes).toEqual(both);
    await button('user').click();
    expect(await shapes()).toEqual([area(1000, 900), null]);
    const icon = () => button('system').locator('svg').getAttribute('class');
    const before = await icon();
    upstream.responses.set('/api/v1/data', { labels: ['time', 'guest', 'user', 'system'], data: rows([5, 20, 10]) });
    await reload(page, () => expect(button('guest')).toHaveAttribute('aria-pressed', 'true', { timeout: 1_000 }));
    await expect(button('user')).toHaveAttribute('aria-pressed', 'false');
    expect(await shapes()).toEqual([area(950, 850), null, area(1000, 950)]);
    expect(await icon()).toBe(before);
    await body(page).locator('.plot').hover();
    const bubble = page.getByRole('tooltip');
    await expect(bubble).toContainText('guest');
    await expect(bubble).not.toContainText('user');
    await button('user').click();
    expect(await shapes()).toEqual([area(750, 650), area(950, 750), area(1000, 950)]);
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
    upstream.responses.set('/api/auth', { session: { valid: true, sid: null, validity: -1 } });
    upstream.responses.set('/api/history', { history });
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
    upstream.responses.set('/list', ['spade', 'rake'].map(entry) as object);
    upstream.responses.set('/api/auth', { session: { valid: true, sid: null, validity: -1 } });
    upstream.responses.set('/api/dns/blocking', { blocking: 'enabled', timer: null });
    upstream.responses.set('/api/stats/summary', { queries: { total: 200, blocked: 50, percent_blocked: 25 } });
    upstream.responses.set('/api/v1/data', { labels: ['time', 'user'], data: [[1_795_251_000, 5], [1_795_251_020, 7]] });
    await open(page);
    await expect(body(page, 'Ring').locator('.slice')).toHaveCount(2);
    await expect(body(page).locator('[data-hinted]')).toHaveCount(2);
    await expect(body(page, 'Chart').locator('.plot')).toBeVisible();
  });

  /** Expects a text in the tooltip that is still there a moment later. */
  async function expectBubble(page: Page, text: string): Promise<void> {
    await expect(page.getByRole('tooltip')).toContainText(text);
    // Nothing in this frame or the next removes it.
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
      // The middle of a ring is empty.
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
