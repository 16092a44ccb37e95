import { defineConfig } from '@playwright/test';

import { chromium } from './browser.ts';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  // A test that fails now and then is a bug: of the page, or of the test. CI runs a failed test once more, so that one run shows
  // every failure there is; those that then pass are listed as flaky.
  retries: Number(process.env['BROWSER_RETRIES'] ?? 0),
  forbidOnly: true,
  // Long enough for a busy machine. What must be fast is measured by `make bench`, and checked with a limit of its own.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1366, height: 900 },
    launchOptions: chromium,
    // People keep their dashboards in their own language; dates and sorting in tests must not depend on ours.
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
});
