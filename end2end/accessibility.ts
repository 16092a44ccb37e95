// Accessibility checks with axe: in light and dark, on a desktop and on a phone.

import { expect, type Page } from '@playwright/test';

import { violations } from './axe.ts';

export const VIEWPORTS = [
  { width: 1366, height: 900 },
  { width: 390, height: 844 },
];

/** Checks the page in light and dark, at both sizes. `arrange` puts it into the state to check. */
export async function check(page: Page, arrange: () => Promise<void>): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await arrange();
      expect.soft(await violations(page), `${viewport.width}, ${colorScheme}`).toEqual([]);
    }
  }
}
