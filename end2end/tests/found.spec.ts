// Tiles that labels of containers describe (docs/discovery.md).

import type { ServerResponse } from 'node:http';

import { expect, rewrite, test as base } from '../fixtures.ts';
import { Upstream } from '../upstream.ts';

/** An engine with containers, which can be removed. */
class Engine {
  readonly containers = new Map<string, object>();
  private readonly listeners = new Set<ServerResponse>();

  constructor(readonly upstream: Upstream) {
    upstream.responses.set('/containers/json', (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([...this.containers.values()]));
    });
    upstream.responses.set('/events', (_, response) => {
      response.writeHead(200).flushHeaders();
      this.listeners.add(response);
    });
  }

  run(name: string, labels: Record<string, string>): void {
    const own = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`homepage.${key}`, value]));
    this.containers.set(name, { Id: name, Names: [`/${name}`], State: 'running', Status: 'Up 2 hours (healthy)', Labels: own });
    this.announce(name);
  }

  remove(name: string): void {
    this.containers.delete(name);
    this.announce(name);
  }

  config(): string {
    return `appConfig: { discovery: [{ name: nas, url: 'tcp://127.0.0.1:${this.upstream.port}', add: live, keepRemoved: 5 }] }
sections: [{ name: Media, items: [{ title: Films, url: https://films.example }] }]
`;
  }

  private announce(name: string): void {
    for (const listener of this.listeners) listener.write(`${JSON.stringify({ Type: 'container', Actor: { ID: name } })}\n`);
  }
}

const test = base.extend<{ engine: Engine }>({
  engine: async ({}, use) => {
    const upstream = await Upstream.start();
    await use(new Engine(upstream));
    await upstream.stop();
  },
});

test('a found tile has a mark, its figures and its source; a removed one stays in gray', async ({ page, portico, engine }) => {
  engine.upstream.responses.set('/api/v1/indexerstats', { indexers: [{ numberOfGrabs: 17, numberOfQueries: 40 }] });
  const widget = { 'widget.type': 'prowlarr', 'widget.url': engine.upstream.url, 'widget.key': 'k', 'widget.fields': '["numberOfGrabs"]' };
  engine.run('songs', { name: 'Songs', group: 'Media', href: 'https://songs.example', ...widget });
  await rewrite(page, portico, engine.config());
  await page.goto('./');
  const songs = page.locator('.item', { hasText: 'Songs' });
  await expect(songs).toBeVisible();
  await expect(songs.locator('.tile-figures')).toContainText('17');
  const mark = (tile: Element): string => getComputedStyle(tile, '::after').content;
  expect(await songs.evaluate(mark)).toBe('""');
  expect(await page.locator('.item', { hasText: 'Films' }).evaluate(mark)).toBe('none');
  await songs.hover();
  await expect(page.getByRole('tooltip')).toContainText('Found in: nas');

  engine.remove('songs');
  await expect(songs).toHaveClass(/\bremoved\b/);
  await expect(songs.locator('.tile-figures')).toHaveCount(0);
  await expect(songs.locator('.status-indicator')).toHaveCount(0);
  await page.mouse.move(2, 2);
  await songs.hover();
  await expect(page.getByRole('tooltip')).toContainText('Removed from: nas');
});
