// No layout shift: a first visit, with an empty cache, to every config and to the gallery.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Page } from '@playwright/test';

import { address, alive, expect, test } from '../fixtures.ts';
import { CONFIGS, hasUsers } from '../server.ts';

/** Maximum layout shift, as browsers measure it. */
const MOST = 0.02;
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1366, height: 900 },
  { width: 1920, height: 1080 },
];

const configsIn = (directory: string) =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.yml'))
    .map((entry) => join(directory, entry.name));
const more = process.env['PORTICO_CONFIGS'];
const configs = [...configsIn(CONFIGS), ...(more ? configsIn(resolve(more)) : [])];

/** Waits until the server has all panels. */
async function lookedUp(page: Page): Promise<void> {
  await expect(async () => {
    const html = await (await page.request.get(address('/'))).text();
    expect(html).not.toContain('data-state="loading"');
  }).toPass();
}

/** The layout shifts with their sources, once the page is hydrated and all fonts, pictures and panels are loaded; and the original page. */
async function moves(page: Page, url = address('/')): Promise<{ sum: number; moved: string[]; html: string }> {
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = [];
    const add = (entries: PerformanceEntryList) => {
      type Shift = { value: number; sources: { node: Element | null }[] };
      for (const { value, sources } of entries as unknown as Shift[]) {
        const what = sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join(', ');
        shifts.push({ value, what });
      }
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts: () => (add(observer.takeRecords()), shifts) });
  });
  const response = await page.goto(url);
  const html = await response!.text();
  await alive(page);
  await expect(page.locator('[data-state="loading"]')).toHaveCount(0, { timeout: 20_000 });
  const seen = await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].filter((image) => image.checkVisibility() && image.loading !== 'lazy').map((image) => image.decode().catch(() => undefined)));
    await new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)));
    const { shifts } = window as unknown as { shifts: () => { value: number; what: string }[] };
    const all = shifts();
    return { sum: all.reduce((sum, { value }) => sum + value, 0), moved: all.map(({ value, what }) => `${value.toFixed(4)} ${what}`) };
  });
  return { ...seen, html };
}

/** Expects no movement on any screen. Each visit is a first one, with an empty cache. */
async function standsStill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const viewport of SCREENS) {
    await session.send('Network.clearBrowserCache');
    await page.setViewportSize(viewport);
    const { sum, moved } = await moves(page);
    expect.soft(sum, `${viewport.width}: ${moved.join('\n')}`).toBeLessThan(MOST);
  }
}

for (const config of configs) {
  test.describe(config.replace(`${CONFIGS}/`, ''), () => {
    const person = config.startsWith(CONFIGS) ? { username: 'greta', password: 'lantern' } : { username: 'anna', password: 'password' };
    test.use({ config, environment: hasUsers(config) ? { ENABLE_HTTP_AUTH: 'true' } : {}, httpCredentials: person });

    test('stands still', async ({ page }) => {
      await lookedUp(page);
      await standsStill(page);
    });
  });
}

test.describe('the gallery', () => {
  test.use({ demo: true });

  test('stands still', async ({ page }) => {
    await lookedUp(page);
    await standsStill(page);
  });

  for (const viewport of SCREENS) {
    // A server of its own: the others have looked panels up.
    test(`stands still at ${viewport.width} when no panel has been looked up before`, async ({ page, start, allowed }) => {
      const { url } = await start({ demo: true });
      allowed.push(new URL(url).host);
      await page.setViewportSize(viewport);
      const { sum, moved, html } = await moves(page, url);
      expect(html).toContain('data-state="loading"');
      expect(sum, moved.join('\n')).toBeLessThan(MOST);
    });
  }
});
