// The page of a single widget, navigation to it and back, and the name of a widget without a label.

import { expect, open, test as base } from '../fixtures.ts';
import { silence, status, Upstream } from '../upstream.ts';

const test = base.extend<{ upstream: Upstream }>({
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    upstream.responses.set('/state', { state: 'all is well' });
    const data = [1, 2, 3].map((at) => [1_700_000_000 + at, at, at]);
    upstream.responses.set('/api/v1/data', { labels: ['time', 'user', 'system'], data });
    await use(upstream);
    await upstream.stop();
  },
  text: async ({ upstream }, use) => {
    await use(`pageInfo: { title: Instruments }
sections:
  - name: Panel
    items: [{ title: Lathe, url: https://lathe.example }]
    widgets:
      - { type: api-response, updateInterval: false, options: { url: ${upstream.url}/state } }
      - { type: metrics-cpu-history, id: cpu, label: Processor, options: { host: ${upstream.url} } }
`);
  },
});

test('the arrow of a widget leads to its page, where charts are as high as the screen allows', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 1000 });
  await open(page);
  const frame = page.getByRole('article', { name: 'Processor' });
  const plot = frame.locator('.plot svg');
  await expect(plot).toBeVisible();
  const before = (await plot.boundingBox())!.height;
  await frame.hover();
  await frame.getByRole('link', { name: 'Full size: Processor' }).click();
  await expect(page).toHaveURL(/\/home\/main\/panel\/cpu$/);
  await expect(page).toHaveTitle('Processor | Panel | Instruments');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Lathe' })).toHaveCount(0);
  await expect(plot).toBeVisible();
  expect((await plot.boundingBox())!.height).toBeGreaterThan(before + 100);
  // It fits on the screen.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: 'Back to all sections' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
});

test.describe('a frame with another page', () => {
  test.use({ text: 'sections: [{ name: Panel, widgets: [{ type: iframe, label: Status page, options: { url: /status.html } }] }]\n' });

  test('is called as its widget, and has the screen for itself', async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 1000 });
    await page.route('**/status.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>All is well</title>' }));
    await open(page);
    const frame = page.getByTitle('Status page', { exact: true });
    await expect(frame).toBeVisible();
    const before = (await frame.boundingBox())!.height;
    await open(page, '/home/main/panel/0');
    await expect(frame).toBeVisible();
    expect((await frame.boundingBox())!.height).toBeGreaterThan(before + 200);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
  });
});

test('it looks again by itself and on demand, like everywhere', async ({ page, upstream }) => {
  await open(page, '/home/main/panel/0');
  const body = page.locator('.widget-body');
  await expect(body).toContainText('all is well');
  upstream.responses.set('/state', { state: 'all is different' });
  // The server queries a service at most once a second.
  await expect(async () => {
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Reload API response' }).click();
    await expect(body).toContainText('all is different', { timeout: 500 });
  }).toPass();
});

test('a box says whose it is where no label does', async ({ page, upstream }) => {
  upstream.responses.set('/state', status(500));
  upstream.responses.set('/api/v1/data', silence);
  await open(page);
  const frame = page.getByRole('article', { name: 'API response' });
  await expect(frame.getByRole('alert')).toContainText('api-response: 127.0.0.1 answered 500.');
  // The same in the HTML of the next visit.
  expect(await (await page.request.get('./')).text()).toContain('<b>api-response</b>: 127.0.0.1 answered 500.');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the arrow is there and leads there', async ({ page }) => {
    await page.goto('./');
    await expect.poll(async () => (await page.request.get('./')).text()).toContain('all is well');
    await page.goto('./');
    const frame = page.getByRole('article', { name: 'API response' });
    await frame.hover();
    await frame.getByRole('link', { name: 'Full size: API response' }).click();
    await expect(page).toHaveURL(/\/home\/main\/panel\/0$/);
    await expect(page.locator('.widget-body')).toContainText('all is well');
  });
});

test.describe('on a screen that is touched', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  test.use({ text: 'sections: [{ name: Panel, widgets: [{ type: clock }, { type: clock, label: Here }] }]\n' });

  test('a widget without a label and without a button of its own has its arrow too', async ({ page }) => {
    await open(page);
    for (const name of ['clock', 'Here']) {
      const arrow = page.getByRole('article', { name }).getByRole('link', { name: `Full size: ${name}` });
      await expect(arrow).toBeVisible();
      const box = (await arrow.boundingBox())!;
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    }
    // The first touch shows the buttons of a widget without a label.
    await page.getByRole('article', { name: 'clock' }).tap();
    await page.getByRole('link', { name: 'Full size: clock' }).tap();
    await expect(page).toHaveURL(/\/home\/main\/panel\/0$/);
  });
});
