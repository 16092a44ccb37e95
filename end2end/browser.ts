// How Chromium is started, for the tests and for the pictures.

import type { LaunchOptions } from '@playwright/test';

/**
 * What Chromium shall do without: what Playwright names in its own list, which this one replaces, and the parts of its window that
 * are pages, each with a process. Nobody sees them here, and each new window costs a third more with them.
 */
const DISABLED = [
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
  ...['InitialWebUI', 'WebUIReloadButton', 'WebUIToolbarWebView'],
];

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
    `--disable-features=${DISABLED.join(',')}`,
  ],
};
