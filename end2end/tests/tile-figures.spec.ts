// Live figures in tiles (docs/spec/widgets.md 12).

import { violations } from '../axe.ts';
import { expect, open, rewrite, test } from '../fixtures.ts';
import { Upstream, status } from '../upstream.ts';

/** How soon a change must be visible: what is looked up every ten seconds, plus tolerance for a busy machine. */
const SOON = { timeout: 20_000 };

let service: Upstream;
let rate = 1024;

const torrents = () => [
  { progress: 1, dlspeed: 0, upspeed: 2048 },
  { progress: 0.5, dlspeed: rate, upspeed: 0 },
];

test.beforeAll(async () => {
  service = await Upstream.start();
});

test.afterAll(async () => {
  await service.stop();
});

test.beforeEach(() => {
  service.responses.set('/api/v2/torrents/info', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(torrents()));
  });
});

const conf = () => `
pageInfo: { title: Harbour }
sections:
  - name: Quay
    items:
      - title: Crane
        icon: mdi-crane
        url: https://crane.example
        widget: { type: qbittorrent, url: '${service.url}' }
      - { title: Ferry, icon: mdi-ferry, url: 'https://ferry.example' }
`;

test('values arrive without moving anything, and are read out with the tile', async ({ page, portico }) => {
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  service.responses.set('/api/v2/torrents/info', (_, response) => {
    void held.then(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(torrents()));
    });
  });
  await rewrite(page, portico, conf());
  await open(page);
  const figures = page.locator('.figure');
  await expect(figures).toHaveCount(4);
  await expect(figures.first().locator('.missing')).toBeVisible();
  const places = () => page.locator('.item, .figure').evaluateAll((all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())));
  const before = await places();
  answer();
  await expect(figures.nth(1).locator('b')).toHaveText(/1\sKB\/s/, SOON);
  expect(await places()).toEqual(before);
  await expect(page.getByRole('link', { name: /Crane.*1 Leech ?, 1\sKB\/s Download ?, 1 Seed/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('figures that follow the first paint take the same space', async ({ page, portico }) => {
  const item = (number: number, count: number) => `
      - title: Crane ${number}
        url: https://crane-${number}.example
        figures: [{ type: qbittorrent, url: '${service.url}', fields: [${['leech', 'download', 'seed', 'upload'].slice(0, count).join(', ')}] }]`;
  await rewrite(page, portico, `sections:\n  - name: Quay\n    items:${[1, 2, 3, 4].map((count) => item(count, count)).join('')}\n`);
  for (const width of [390, 1366, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    const heights = () => page.locator('.figures').evaluateAll((all) => all.map((element) => Math.round(4 * element.getBoundingClientRect().height) / 4));
    const shown = await heights();
    expect(shown).toHaveLength(4);
    await page.evaluate(() => document.documentElement.classList.add('arriving'));
    await expect(page.locator('.figure').first()).toBeHidden();
    expect(await heights(), `${width} pixels`).toEqual(shown);
  }
});

test('open pages follow, and a failure keeps the values and says why', async ({ page, portico }) => {
  rate = 2048;
  await rewrite(page, portico, conf());
  await open(page);
  const download = page.locator('.figure').nth(1).locator('b');
  await expect(download).toHaveText(/2\sKB\/s/, SOON);
  rate = 4096;
  await expect(download).toHaveText(/4\sKB\/s/, SOON);
  service.responses.set('/api/v2/torrents/info', status(503));
  await expect(page.locator('.figures-trouble')).toHaveAttribute('title', /has a problem \(503\)/, SOON);
  await expect(download).toHaveText(/4\sKB\/s/);
});
