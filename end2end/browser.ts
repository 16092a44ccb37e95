// How Chromium is started, for the tests and for the pictures.

import type { LaunchOptions } from '@playwright/test';

/** The Chromium of the system, told to talk to nobody of its own accord. */
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
