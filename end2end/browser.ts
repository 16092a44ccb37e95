// How Chromium is started, for the tests and for the pictures.

import { existsSync } from 'node:fs';

import type { LaunchOptions } from '@playwright/test';

/** Debian's Chromium without a window: the same pages for less than half the processor time. */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';

/** Debian's Chromium, as people have it. */
export const WITH_WINDOW = '/usr/bin/chromium';

/**
 * What Chromium shall do without: what Playwright names in its own list, which this one replaces, and the parts of its window that
 * are pages, each with a process. They are not seen here, and each new window costs a third more with them.
 */
const DISABLED = [
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
  ...['InitialWebUI', 'WebUIReloadButton', 'WebUIToolbarWebView'],
];

/** The system's Chromium, configured to send no requests by itself. */
export const chromium: LaunchOptions = {
  executablePath: process.env['CHROMIUM'] || (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : WITH_WINDOW),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    `--disable-features=${DISABLED.join(',')}`,
  ],
};
