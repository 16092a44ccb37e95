// Pages without widgets notice when the server goes away, and when the bundle does not load (docs/spec/behavior.md 21).

import { expect, open, test } from '../fixtures.ts';

const LOST = 'The server of this dashboard cannot be reached.';
const SLOW = 'Search and options are still loading.';

test.use({ text: 'sections: [ { name: Tools, items: [ { title: Lathe, url: https://lathe.example } ] } ]\n' });

test.describe('a server that goes away', () => {
  test.use({ expected: /ERR_CONNECTION_(REFUSED|RESET)/ });

  test('is reported once, and not when it is back', async ({ page, portico, start }) => {
    await page.clock.install();
    await open(page);
    const companion = page.waitForResponse(/\/offline\/page-/);
    await page.clock.runFor(31_000);
    await companion;
    await portico.stop();
    await expect(async () => {
      await page.clock.runFor(61_000);
      await expect(page.getByText(LOST)).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.clock.runFor(60_000);
    await expect(page.getByText(LOST)).toHaveCount(1);
    await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
    await start({ environment: { PORT: new URL(portico.url).port, USER_DATA_DIR: portico.directory } });
    await expect(async () => {
      await page.clock.runFor(11_000);
      await expect(page.getByText(LOST)).toHaveCount(0, { timeout: 500 });
    }).toPass();
  });
});

test('an ordinary visit asks for nothing more', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.clock.install();
  await open(page);
  await page.clock.runFor(25_000);
  expect(requested.filter((path) => /offline|worker|manifest|healthz/.test(path))).toEqual([]);
  expect(requested.length).toBeGreaterThan(2);
});

test('a bundle that does not load is reported after eight seconds, until it does', async ({ page }) => {
  await page.clock.install();
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(/_bg\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('./');
  await page.clock.runFor(2_500);
  await expect(page.getByText(SLOW)).toHaveCount(0);
  await page.clock.runFor(6_000);
  await expect(page.getByText(SLOW)).toBeVisible();
  await expect(page.getByText(SLOW)).toHaveCount(1);
  release();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await expect(page.getByText(SLOW)).toHaveCount(0);
});
