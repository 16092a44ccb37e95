// A page with widgets whose service counts its requests.

import type { Locator, Page } from '@playwright/test';

import { expect, test as base } from './fixtures.ts';
import { Upstream } from './upstream.ts';

interface Widgets {
  upstream: Upstream;
  /** The widgets of the first section, as lines of YAML with `UPSTREAM` for the service's address. */
  widgets: string;
  /** More fields of the section, as lines of YAML. */
  section: string;
}

export const test = base.extend<Widgets>({
  widgets: ['', { option: true }],
  section: ['', { option: true }],
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    let count = 0;
    upstream.responses.set('/count', (_, response) => {
      count += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count, words: `seen ${count}` }));
    });
    await use(upstream);
    await upstream.stop();
  },
  text: async ({ upstream, widgets, section }, use) => {
    const lines = widgets.replaceAll('UPSTREAM', upstream.url).trim().split('\n');
    await use(`pageInfo: { title: Instruments }
sections:
  - name: Panel
${section}
    widgets:
${lines.map((line) => `      ${line}`).join('\n')}
`);
  },
});

/** A widget that shows how often its service was queried. */
export const COUNTER = `
- type: api-response
  label: Counter
  updateInterval: INTERVAL
  options: { url: UPSTREAM/count, mappings: [{ field: words, label: State }] }
`;

export function frame(page: Page, label = 'Counter'): Locator {
  return page.getByRole('article', { name: label });
}

export function body(page: Page, label = 'Counter'): Locator {
  return frame(page, label).locator('.widget-body');
}

/** Clicks the button until the server, which queries a service at most once a second, has the new response. */
export async function reload(page: Page, outcome: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Reload Counter' }).click();
    await outcome();
  }).toPass();
}
