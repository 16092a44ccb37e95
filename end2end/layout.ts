// Where sections stand on a screen, and what reaches out of it.

import type { Page } from '@playwright/test';

import { expect } from './fixtures.ts';

export const WIDTHS = [390, 768, 1366, 2560];

/** How many different left edges the sections have. */
export function columns(page: Page): Promise<number> {
  return page.locator('main > section').evaluateAll((sections) => {
    return new Set(sections.map((section) => Math.round(section.getBoundingClientRect().left))).size;
  });
}

export async function choose(page: Page, layout: string, size = 'medium'): Promise<void> {
  await page.evaluate(
    ([layout, size]) => {
      localStorage.setItem('layoutOrientation', layout!);
      localStorage.setItem('iconSize', size!);
    },
    [layout, size],
  );
  await page.reload();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await expect(page.locator('#page')).toHaveClass(new RegExp(`orientation-${layout}`));
}

/** What reaches out of the window at its side. */
export function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const out = document.documentElement.scrollWidth > width ? [`page: ${document.documentElement.scrollWidth} > ${width}`] : [];
    for (const node of document.querySelectorAll('main > section, .item, .page-header, .toolbar, footer, .notice')) {
      const box = node.getBoundingClientRect();
      // In the vertical layout the row of sections scrolls by itself.
      const scrolls = getComputedStyle(document.querySelector('main')!).overflowX === 'auto' && node.closest('main');
      if (box.width > 0 && !scrolls && (box.right > width + 1 || box.left < -1)) out.push(`${node.id || node.className}: ${box.left}–${box.right}`);
    }
    return out;
  });
}
