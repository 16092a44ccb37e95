// All our configs, and all in the directory PORTICO_CONFIGS, are shown without errors and without requests to other hosts.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { alive, expect, open, test } from '../fixtures.ts';
import { CONFIGS, hasUsers } from '../server.ts';

/** The config files of a directory; a directory in it is one config of several files. */
function configsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.yml'))
    .map((entry) => join(directory, entry.name));
}

const more = process.env['PORTICO_CONFIGS'];
const configs = [...configsIn(CONFIGS), ...(more ? configsIn(resolve(more)) : [])];

// Credentials for the configs with users.
const PEOPLE = [
  { username: 'greta', password: 'lantern' },
  { username: 'anna', password: 'password' },
];

for (const config of configs) {
  const person = config.startsWith(CONFIGS) ? PEOPLE[0] : PEOPLE[1];

  test.describe(config.replace(`${CONFIGS}/`, ''), () => {
    test.use({
      config,
      environment: hasUsers(config) ? { ENABLE_HTTP_AUTH: 'true' } : {},
      httpCredentials: person,
    });

    test('shows every page without a complaint', async ({ page, visits }) => {
      await open(page);
      await expect(page.locator('main > section').first()).toBeVisible();
      await settled(page);
      // Local pages; pages on other hosts cannot be fetched here, and have their own tests.
      const pages = await page.locator('.nav-item[href*="/home/"]').evaluateAll((links) => {
        return links.map((link) => (link as HTMLAnchorElement).href);
      });
      for (const address of pages) {
        const response = await page.request.get(address);
        if (response.status() !== 200) continue;
        await page.goto(address);
        await alive(page);
        await settled(page);
      }
      expect(visits).toEqual([]);
    });

    test('is the same before and after the script', async ({ page, browser, baseURL }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, httpCredentials: person!, baseURL: baseURL! });
      const plain = await context.newPage();
      await plain.goto('./');
      const before = await outline(plain);
      await context.close();
      await open(page);
      expect(await outline(page)).toBe(before);
    });
  });
}

/** The structure of a page, without widgets and states, which change, and without controls that need scripts. */
async function outline(page: import('@playwright/test').Page): Promise<string> {
  await page.locator('button[data-module]').evaluateAll((buttons) => buttons.forEach((button) => button.remove()));
  await page.locator('.widget-base').evaluateAll((widgets) => widgets.forEach((widget) => widget.remove()));
  // Not the attributes, which the event stream may set again at any time.
  await page.locator('.status-indicator, .health').evaluateAll((states) => states.forEach((state) => state.remove()));
  return page.locator('body').ariaSnapshot();
}

/** Waits for all pictures, including those below the first screen. */
async function settled(page: import('@playwright/test').Page): Promise<void> {
  await page.evaluate(async () => {
    const pictures = [...document.images].filter((picture) => picture.checkVisibility());
    for (const picture of pictures) picture.loading = 'eager';
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
    await document.fonts.ready;
  });
  const broken = await page.locator('img:visible').evaluateAll((images) => {
    return images.filter((image) => (image as HTMLImageElement).naturalWidth === 0).map((image) => (image as HTMLImageElement).src);
  });
  expect(broken).toEqual([]);
  // The stream of events stays open, so the network is never idle.
  await page.waitForFunction(() => performance.now() - (performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming).responseEnd > 500);
}
