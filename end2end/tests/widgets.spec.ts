// Widgets on a page: when they refresh, what they show, and what a refresh keeps.

import type { Page } from '@playwright/test';

import { expect, open } from '../fixtures.ts';
import { silence, status } from '../upstream.ts';
import { body, COUNTER, frame, reload, test } from '../widgets.ts';

/** Counts the page's requests to the server. */
function questions(page: Page): { count: number } {
  const counter = { count: 0 };
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/fn/panel') counter.count += 1;
  });
  return counter;
}

const seen = (page: Page, count: number) => () => expect(body(page)).toContainText(`seen ${count}`, { timeout: 1_000 });

/** Simulates that the tab was hidden, or shown again. */
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

  test('not in a hidden tab, and at once when it is shown again', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await setHidden(page, true);
    const requested = questions(page);
    await page.clock.runFor(10_000);
    expect(requested.count).toBe(0);
    await setHidden(page, false);
    await expect.poll(() => requested.count, { timeout: 1_500 }).toBeGreaterThan(0);
    // Only the browser's clock advanced: on the server, the first response may be less than two seconds old.
    await expect(body(page)).toContainText('seen 2');
  });

  test('not in a section that is closed', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await page.locator('summary', { hasText: 'Panel' }).click();
    const requested = questions(page);
    await page.clock.runFor(10_000);
    expect(requested.count).toBe(0);
    await page.locator('summary', { hasText: 'Panel' }).click();
    await expect.poll(() => requested.count, { timeout: 1_500 }).toBeGreaterThan(0);
  });
});

test.describe('in a section that a search has hidden', () => {
  test.use({
    widgets: COUNTER.replace('INTERVAL', '2'),
    section: '    items: [{ title: Lathe, url: https://lathe.example }]',
  });

  test('nothing is requested until the search is over', async ({ page }) => {
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen');
    await page.getByRole('searchbox').fill('submarine');
    await expect(frame(page)).toBeHidden();
    const requested = questions(page);
    await page.clock.runFor(10_000);
    expect(requested.count).toBe(0);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => requested.count, { timeout: 1_500 }).toBeGreaterThan(0);
  });
});

test.describe('in a section that is closed from the start', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', '2'), section: '    displayData: { collapsed: true }' });

  test('nothing is requested until somebody opens it', async ({ page }) => {
    await page.clock.install();
    const requested = questions(page);
    await open(page);
    await page.clock.runFor(10_000);
    expect(requested.count).toBe(0);
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
    const requested = questions(page);
    await page.getByRole('button', { name: 'Reload Counter' }).click({ clickCount: 5 });
    expect(requested.count).toBeLessThan(2);
    await reload(page, seen(page, 3));
  });

  test('cached panels come with the page, and are not requested', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('seen 1');
    const requested = questions(page);
    await page.clock.install();
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.clock.runFor(9_000);
    expect(requested.count).toBe(0);
  });

  test('panels of an earlier visit are looked up again', async ({ page }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    await page.clock.install({ time: Date.now() + 11_000 });
    const requested = questions(page);
    await open(page);
    await expect.poll(() => requested.count).toBe(1);
    await page.clock.runFor(9_000);
    expect(requested.count).toBe(1);
  });

  test('an old panel stays, with its age in the corner and the reason on focus', async ({ page, upstream }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    const height = (await frame(page).boundingBox())!.height;
    upstream.responses.set('/count', status(503));
    await reload(page, () => expect(body(page)).toHaveAttribute('data-state', 'stale', { timeout: 1_000 }));
    await expect(body(page)).toContainText('seen 1');
    const [mark, why] = [frame(page).locator('.widget-age'), frame(page).locator('.widget-why')];
    await expect(mark).toHaveText(/^as of \d{1,2}:\d\d( [AP]M)?$/u);
    // In the padding: nothing moves, and nothing is covered.
    expect((await frame(page).boundingBox())!.height).toBe(height);
    const content = (await body(page).boundingBox())!;
    expect((await mark.boundingBox())!.y).toBeGreaterThanOrEqual(content.y + content.height - 1);
    await expect(why).toHaveCSS('opacity', '0');
    await mark.focus();
    await expect(why).toHaveCSS('opacity', '1');
    await expect(why).toContainText('503');
    // Text that changes is not announced.
    await expect(frame(page).getByRole('status')).toHaveText(/^[^,]*503[^,]*$/);
    await expect(frame(page).getByRole('status')).not.toContainText(/as of|Next try/);
    await expect(frame(page).getByRole('alert')).toHaveCount(0);
  });

  test('the reload button shows that something happens, and the content stays', async ({ page, upstream }) => {
    await open(page);
    await expect(body(page)).toContainText('seen 1');
    upstream.responses.set('/count', silence);
    // A request that was in progress when the service stopped responding may still succeed.
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
    const counter = upstream.responses.get('/count')!;
    upstream.responses.set('/count', status(500));
    await open(page);
    const alert = frame(page).getByRole('alert');
    await expect(alert).toContainText('500');
    // The sentence says it all.
    await expect(alert.locator('code')).toHaveCount(0);
    await expect(body(page)).toHaveAttribute('data-state', 'error');
    upstream.responses.set('/count', counter);
    // The server does not retry within five seconds.
    await expect(async () => {
      const retry = alert.getByRole('button', { name: 'Retry' });
      if (await retry.isVisible()) await retry.press('Enter');
      await expect(body(page)).toContainText('seen 1', { timeout: 1_000 });
    }).toPass({ timeout: 15_000 });
    await expect(frame(page).getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Reload Counter' })).toBeFocused();
  });

  test('it does not hold up the page, nor its neighbors', async ({ page, upstream }) => {
    upstream.responses.set('/count', silence);
    // It never responds, so a page that waited for it would not load before the test ends.
    await open(page);
    await expect(body(page)).toHaveAttribute('aria-busy', 'true');
    await expect(body(page).locator('.widget-skeleton')).toBeVisible();
  });
});

test.describe('errors that the config hides', () => {
  test.use({ widgets: `${COUNTER.replace('INTERVAL', 'false').trim()}\n  ignoreErrors: true` });

  test('are not shown', async ({ page, upstream }) => {
    upstream.responses.set('/count', status(500));
    await open(page);
    // It takes no space, and has no role either.
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
    await expect(body(page)).toContainText('Set the option url to the full address of the service, for example');
    await expect(body(page, 'Unknown')).toContainText('thermometer');
    await expect(page.getByRole('button', { name: /Retry|Reload/ })).toHaveCount(0);
  });
});

test.describe('without JavaScript', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false'), javaScriptEnabled: false });

  test('a sentence is shown, and at the next visit the content', async ({ page }) => {
    await page.goto('./');
    await expect(page.getByText('Reload the page in a moment.')).toBeVisible();
    await expect(page.locator('.widget-skeleton, .widget-reload')).toHaveCount(2);
    for (const hidden of await page.locator('.widget-skeleton, .widget-reload').all()) await expect(hidden).toBeHidden();
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('seen 1');
    await page.goto('./');
    await expect(body(page)).toContainText('seen 1');
  });
});

/** A list long enough to be folded, in a different order each time. */
const LIST = `
- type: api-response
  label: Counter
  updateInterval: false
  options: { url: UPSTREAM/list, display: dynamic-list, mappings: { items: items, name: name, label: size } }
`;

test.describe('a viewer’s changes to a panel', () => {
  test.use({ widgets: LIST });

  test('"show more" outlives a reload of the widget and of the page', async ({ page, upstream }) => {
    const items = Array.from({ length: 25 }, (_, index) => ({ name: `Row ${index}`, size: index }));
    upstream.responses.set('/list', { items });
    await open(page);
    const rows = body(page).locator('tbody tr');
    await expect(rows).toHaveCount(25);
    await expect(rows.nth(4)).toBeVisible();
    await expect(rows.nth(5)).toBeHidden();
    await body(page).getByRole('button', { name: 'Show 20 more' }).click();
    await expect(rows.nth(24)).toBeVisible();
    upstream.responses.set('/list', { items: [...items, { name: 'Row 25', size: 25 }] });
    await reload(page, () => expect(rows).toHaveCount(26, { timeout: 1_000 }));
    await expect(rows.nth(25)).toBeVisible();
    await open(page);
    await expect(rows.nth(24)).toBeVisible();
    await body(page).getByRole('button', { name: 'Show less' }).click();
    await open(page);
    await expect(rows.nth(24)).toBeHidden();
  });
});

test.describe('a page that is older than its config', () => {
  test.use({ widgets: COUNTER.replace('INTERVAL', 'false') });

  test('says so instead of showing something else', async ({ page, portico, upstream }) => {
    // The page is not notified of the change.
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
