// Status dots, and pages that follow their config (docs/spec/behavior.md 11).

import type { Page } from '@playwright/test';

import { violations } from '../axe.ts';
import { expect, open, rewrite, test } from '../fixtures.ts';
import type { Portico } from '../server.ts';
import { Upstream, status } from '../upstream.ts';

/** How soon a change of the file must be visible: half a second, plus tolerance for a busy machine. */
const SOON = { timeout: 3_000, intervals: [25] };

let service: Upstream;

test.beforeAll(async () => {
  service = await Upstream.start();
  service.responses.set('/up', {});
  service.responses.set('/down', status(503));
});

test.afterAll(async () => {
  await service.stop();
});

const conf = (more = '') => `
pageInfo: { title: Harbour }
appConfig: { statusCheck: true, statusCheckInterval: 300 ${more} }
sections:
  - name: Quay
    items:
      - { title: Crane, description: Lifts things, icon: mdi-crane, url: '${service.url}/up' }
      - { title: Ferry, icon: mdi-ferry, url: '${service.url}/down' }
      - { title: Buoy, icon: mdi-anchor, url: 'ssh://buoy.example' }
  - name: Pier
    displayData: { collapsed: true }
    items:
      - { title: Lamp, icon: mdi-lamp, url: '${service.url}/up?lamp' }
`;

/** Replaces the server's config, and opens its page. */
async function at(page: Page, portico: Portico, text: string): Promise<void> {
  await rewrite(page, portico, text);
  await open(page);
}

test.describe('dots', () => {
  test('the header counts them, with a disc for what is down in any language', async ({ page, portico }) => {
    await at(page, portico, conf(', language: fr'));
    const health = page.locator('.health');
    await expect(health).toHaveAttribute('data-status', '2 en ligne, 1 en panne');
    const color = (selector: string, part?: string) =>
      page.locator(selector).evaluate((element, part) => getComputedStyle(element, part).backgroundColor, part);
    // The dot of a tile fades to its new color.
    await expect.poll(() => color('[data-status=down] > .status-indicator')).toBe(await color('.health', '::before'));
  });

  test('the header hides everything but what is down, also without a script', async ({ page, portico }) => {
    await at(page, portico, conf());
    const tiles = page.locator('#content .items > *:visible');
    await expect(tiles).toHaveCount(3);
    const only = page.getByRole('checkbox', { name: 'Show only what is down' });
    await expect(page.locator('.health')).toHaveAttribute('data-status', '2 up, 1 down');
    await only.focus();
    await page.keyboard.press('Space');
    await expect(tiles).toHaveText(/Ferry/);
    await expect(page.locator('main > section:visible')).toHaveCount(1);
    expect(await violations(page)).toEqual([]);
    await page.locator('.health').click();
    await expect(tiles).toHaveCount(3);
    // With nothing down there is nothing to choose.
    await page.evaluate(() => document.querySelector('.health')!.setAttribute('data-status', '3 up'));
    await expect(only).toBeHidden();
  });

  test('a tile with a ping has two, each with its own state', async ({ page, portico }) => {
    const quay = `{ title: Crane, url: '${service.url}/up', pingCheckEnabled: true, pingCheckHost: nowhere.invalid }`;
    await at(page, portico, `appConfig: { statusCheck: true }\nsections: [ { name: Quay, items: [ ${quay} ] } ]\n`);
    const tile = page.getByRole('link', { name: 'Crane' });
    const [first, second] = [tile.locator('.status-indicator:not(.second)'), tile.locator('.status-indicator.second')];
    await expect(tile).toHaveAttribute('data-status', 'up');
    await expect(second).toHaveAttribute('data-status', 'down');
    await expect(page.locator('.health')).toHaveAttribute('data-status', '1 up, 1 down');
    const color = (dot: typeof first) => dot.evaluate((element) => getComputedStyle(element).backgroundColor);
    const variable = (name: string) =>
      page.evaluate((name) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.backgroundColor = `var(${name})`;
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return backgroundColor;
      }, name);
    await expect.poll(() => color(first)).toBe(await variable('--success'));
    await expect.poll(() => color(second)).toBe(await variable('--danger'));
    const [tileBox, above, below] = [await tile.boundingBox(), await first.boundingBox(), await second.boundingBox()];
    expect(below!.x).toBe(above!.x);
    expect(below!.y).toBeGreaterThan(above!.y + above!.height);
    expect(below!.y + below!.height).toBeLessThan(tileBox!.y + tileBox!.height);
    expect(await violations(page)).toEqual([]);
  });

  test('a warning looks neither up nor down', async ({ page, portico }) => {
    await at(page, portico, conf());
    const tile = page.getByRole('link', { name: 'Crane' });
    await expect(tile).toHaveAttribute('data-status', 'up');
    const look = () => tile.locator('.status-indicator').evaluate((dot) => [getComputedStyle(dot).clipPath, getComputedStyle(dot).backgroundColor]);
    const up = await look();
    await tile.evaluate((element) => element.setAttribute('data-status', 'warn'));
    await expect(page.getByRole('link', { name: /Crane.*its certificate ends soon/ })).toBeVisible();
    const [shape] = await look();
    expect([up[0], shape!.startsWith('polygon(')]).toEqual(['none', true]);
    await expect.poll(async () => (await look())[1]).not.toBe(up[1]);
  });

  test('stand where custom styles put them, or nowhere', async ({ page, portico }) => {
    const styles = '.status-indicator { top: auto; right: auto; bottom: 0; left: 0 } .section_pier .status-indicator { display: none }';
    await at(page, portico, conf(`, customCss: '${styles}'`));
    const tile = page.getByRole('link', { name: 'Ferry' });
    await expect(tile).toHaveAttribute('data-status', 'down');
    const [box, dot] = [await tile.boundingBox(), await tile.locator('.status-indicator').boundingBox()];
    expect(dot!.x).toBe(box!.x);
    expect(dot!.y + dot!.height).toBe(box!.y + box!.height);
    await page.getByRole('heading', { name: 'Pier' }).click();
    await expect(page.getByRole('link', { name: 'Lamp' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Lamp' }).locator('.status-indicator')).toBeHidden();
  });

  test('tell how services stand, with a tooltip, and the next page knows at once', async ({ page, portico }) => {
    await at(page, portico, conf());
    const [crane, ferry, buoy] = ['Crane', 'Ferry', 'Buoy'].map((name) => page.getByRole('link', { name }));
    await expect(crane!).toHaveAttribute('data-status', 'up');
    await expect(ferry!).toHaveAttribute('data-status', 'down');
    await expect(buoy!).not.toHaveAttribute('data-status');
    await expect(page.getByRole('link', { name: /Ferry.*status: down/ })).toBeVisible();

    await crane!.hover();
    const tooltip = page.locator('#tooltip');
    await expect(crane!).toContainText('Lifts things');
    await expect(tooltip).toContainText(/Up: 200 - OK in \d+ ms/);
    await expect(tooltip).toContainText('Checked');
    await page.mouse.move(0, 0);
    await expect(tooltip).toBeHidden();
    await ferry!.focus();
    await expect(tooltip).toContainText('Down: 503 - Service Unavailable');
    await page.keyboard.press('Escape');
    await expect(tooltip).toBeHidden();

    const requested = service.requested.length;
    const text = await (await page.request.get(`${portico.url}/`)).text();
    expect(text.match(/data-status="up"/g)).toHaveLength(2);
    await page.reload();
    await expect(crane!).toHaveAttribute('data-status', 'up');
    // The last result is younger than the interval.
    expect(service.requested.length).toBe(requested);
  });

  test('the tooltip draws the response times of several checks', async ({ page, portico }) => {
    await at(page, portico, conf().replace('statusCheckInterval: 300', 'statusCheckInterval: 5'));
    const chart = page.locator('#tooltip').getByRole('img', { name: /^The last \d+ checks: 0 failed, the slowest answer took \d+ ms$/ });
    // A chart needs two checks. Each tooltip shows those until then.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await page.getByRole('link', { name: 'Crane' }).hover();
      await expect(chart).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 25_000 });
    const { bars, height } = await chart.evaluate((svg) => ({
      bars: svg.querySelector('.up')?.getAttribute('d')?.split('M').length ?? 0,
      height: svg.getBoundingClientRect().height,
    }));
    expect(bars).toBeGreaterThan(2);
    expect(height).toBeGreaterThan(10);
  });

  for (const shapes of [false, true]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`are accessible${shapes ? ' with shapes' : ''} when it is ${colorScheme}`, async ({ page, portico }) => {
        await page.emulateMedia({ colorScheme });
        await at(page, portico, conf(shapes ? ', statusCheckAccessibility: true' : ''));
        const ferry = page.getByRole('link', { name: 'Ferry' });
        await expect(ferry).toHaveAttribute('data-status', 'down');
        const shape = await ferry.locator('.status-indicator').evaluate((dot) => getComputedStyle(dot).borderRadius);
        expect(shape).toBe(shapes ? '0px' : '50%');
        await ferry.hover();
        await expect(page.locator('#tooltip')).toContainText('Down');
        // A tooltip is the description of its tile, and not part of any landmark.
        expect((await violations(page)).filter((line) => !line.startsWith('region: <div id="tooltip"'))).toEqual([]);
      });
    }
  }

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('do not delay the page', async ({ page, portico }) => {
      await rewrite(page, portico, conf());
      await expect(async () => {
        await page.goto('./');
        await expect(page.getByRole('link', { name: 'Crane' })).toHaveAttribute('data-status', 'wait', { timeout: 1_000 });
      }).toPass({ timeout: 15_000 });
    });
  });
});

test.describe('a change of the file', () => {
  test('reaches an open tab in place', async ({ page, portico }) => {
    const many = Array.from({ length: 60 }, (_, item) => `      - { title: Item ${item}, icon: mdi-anchor, url: 'https://item-${item}.example' }`).join('\n');
    const text = (title: string, items: string) => `
pageInfo: { title: ${title} }
sections:
  - name: Quay
    items:
${items}
  - name: Pier
    displayData: { collapsed: true }
    items: [ { title: Lamp, url: 'https://lamp.example' } ]
`;
    await at(page, portico, text('Harbour', many));
    await page.evaluate(() => { (window as unknown as { same: boolean }).same = true; });
    await page.locator('summary', { hasText: 'Pier' }).click();
    const lamp = page.getByRole('link', { name: 'Lamp' });
    await lamp.focus();
    await page.evaluate(() => scrollTo(0, 120));
    const top = await page.evaluate(() => scrollY);

    portico.write('conf.yml', text('Port', `      - { title: First, url: 'https://first.example' }\n${many.replace('Item 7,', 'Seven,')}`));
    await expect.poll(() => page.title(), SOON).toBe('Port');
    await expect(page.getByRole('heading', { name: 'Port' })).toBeVisible();
    await expect(page.locator('#i-0-0')).toContainText('First');
    await expect(page.locator('#i-0-8')).toContainText('Seven');
    await expect(page.locator('#content .items > *')).toHaveCount(62);
    // The page was not reloaded: no input is lost.
    expect(await page.evaluate(() => (window as unknown as { same?: boolean }).same)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(top);
    await expect(lamp).toBeVisible();
    await expect(lamp).toBeFocused();

    // An active search continues, and finds new items.
    await page.keyboard.type('harpoon');
    await expect(page.getByRole('link', { name: 'Item 1', exact: true })).toBeHidden();
    portico.write('conf.yml', text('Port', `      - { title: Harpoon, url: 'https://harpoon.example' }\n${many}`));
    await expect(page.getByRole('link', { name: 'Harpoon' })).toBeVisible(SOON);
    await expect(page.locator('#search')).toHaveValue('harpoon');
    await expect(page.getByRole('link', { name: 'Item 1', exact: true })).toBeHidden();
    await page.keyboard.press('Escape');
    // Everything except folded content.
    await expect(page.locator('#content .items > *:visible')).toHaveCount(61);
  });

  test('shows colors and icons that the page did not have', async ({ page, portico }) => {
    const text = (more: string) => `sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' ${more} } ] } ]\n`;
    await at(page, portico, text(''));
    const crane = page.getByRole('link', { name: 'Crane' });
    portico.write('conf.yml', text(", icon: mdi-crane, backgroundColor: '#123456'"));
    await expect(crane).toHaveCSS('background-color', 'rgb(18, 52, 86)', SOON);
    await expect(crane.locator('svg')).toBeVisible();
    portico.write('conf.yml', text(", icon: mdi-anchor, backgroundColor: '#654321'"));
    await expect(crane).toHaveCSS('background-color', 'rgb(101, 67, 33)', SOON);
  });

  test('that cannot be read adds a notice and nothing else', async ({ page, portico }) => {
    await at(page, portico, conf());
    portico.write('conf.yml', 'sections: [');
    await expect(page.locator('.notice')).toBeVisible(SOON);
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
    portico.write('conf.yml', conf());
    await expect(page.locator('.notice')).toHaveCount(0, SOON);
  });

  test('of what the scripts were told loads the page again', async ({ page, portico }) => {
    await at(page, portico, 'sections: [ { name: Quay } ]\n');
    portico.write('conf.yml', 'sections: [ { name: Quay, widgets: [ { type: clock } ] } ]\n');
    await expect(page.locator('article[data-kind=clock]')).toBeVisible(SOON);
    portico.write('conf.yml', "appConfig: { searchEngine: google }\nsections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]\n");
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible(SOON);
  });
});

test('a tab that is hidden has no stream', async ({ page }) => {
  const opened = page.waitForResponse((response) => response.url().includes('/events?'));
  await open(page);
  await opened;
  const urls: string[] = [];
  page.on('request', (request) => urls.push(new URL(request.url()).pathname));
  const hide = (hidden: boolean) => page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  const closed = page.waitForEvent('requestfailed', { predicate: (request) => request.url().includes('/events?'), timeout: 15_000 });
  await hide(true);
  await closed;
  await hide(false);
  await expect.poll(() => urls.filter((path) => path === '/events').length).toBe(1);
});
