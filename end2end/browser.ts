// How Chromium is started, for the tests and for the pictures.

import type { LaunchOptions } from '@playwright/test';

/** The system's Chromium, configured to send no requests by itself. */
export const chromium: LaunchOptions = {
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};
