// How items open (docs/spec/behavior.md 4).

import { createServer, type Server } from 'node:http';

import type { Page } from '@playwright/test';

import { expect, open, rewrite, test } from '../fixtures.ts';
import { freePort } from '../server.ts';

test('newtab', async ({ page }) => {
  await open(page);
  const item = page.getByRole('link', { name: 'Garden gate' });
  await expect(item).toHaveAttribute('target', '_blank');
  const [window] = await Promise.all([page.context().waitForEvent('page'), item.click()]);
  await window.waitForURL('https://gate.example/new');
  expect(await window.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
  await expect(page).toHaveTitle('Workshop');
});

test('sametab, parent, top', async ({ page }) => {
  for (const [name, target, address] of [
    ['Front door', null, 'https://front.example/same'],
    ['Parent door', '_parent', 'https://parent.example/'],
    ['Trap door', '_top', 'https://trap.example/'],
  ] as const) {
    await open(page);
    const item = page.getByRole('link', { name });
    expect(await item.getAttribute('target')).toBe(target);
    await item.click();
    await page.waitForURL(address);
  }
  expect(page.context().pages()).toHaveLength(1);
});

test('modal', async ({ page }) => {
  await open(page);
  const item = page.getByRole('link', { name: 'Window seat' });
  const dialog = page.getByRole('dialog', { name: 'Window seat' });
  const ground = () => page.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor);
  const own = await ground();
  for (const close of ['Escape', 'button', 'outside'] as const) {
    await item.click();
    await expect(dialog).toBeVisible();
    const frame = dialog.locator('iframe');
    await expect(frame).toHaveAttribute('src', '/framed?url=https%3A%2F%2Fseat.example%2Fmodal');
    await expect(frame).toHaveAttribute('allow', 'fullscreen; clipboard-write');
    const box = (await dialog.boundingBox())!;
    expect(box.width).toBeCloseTo(1366 * 0.8, -1);
    expect(box.height).toBeCloseTo(900 * 0.8, -1);
    // The backdrop ends at the space for the scroll bar, which only the ground fills.
    expect(await ground()).not.toBe(own);
    if (close === 'Escape') await page.keyboard.press('Escape');
    else if (close === 'button') await dialog.getByRole('button', { name: 'Close' }).click();
    else await page.mouse.click(20, 450);
    await expect(dialog).toBeHidden();
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(item).toBeFocused();
    expect(await ground()).toBe(own);
  }
  expect(page.context().pages()).toHaveLength(1);
});

test('the pop-up offers a new tab', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Window seat' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open in a new tab' });
  const [window] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await window.waitForURL('https://seat.example/modal');
});

test('Alt and a click open the pop-up whatever the target', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Front door' }).click({ modifiers: ['Alt'] });
  await expect(page.getByRole('dialog', { name: 'Front door' })).toBeVisible();
  await expect(page).toHaveTitle('Workshop');
});

test('a sub-item opens by its own target', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Shellac' }).click();
  await expect(page.getByRole('dialog', { name: 'Shellac' })).toBeVisible();
});

test('a sub-item that is only a picture shows its title in a tooltip', async ({ page }) => {
  await page.clock.install();
  await open(page);
  const bubble = page.getByRole('tooltip');
  await page.getByRole('link', { name: 'Teak oil' }).hover();
  await expect(bubble).toHaveText('Teak oil');
  await page.mouse.move(0, 0);
  await expect(bubble).toBeHidden();
  // Its title stands there already.
  await page.getByRole('link', { name: 'Beeswax' }).hover();
  await page.clock.runFor(5_000);
  await expect(bubble).toBeHidden();
});

test('clipboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.getByRole('link', { name: 'Door plate' }).click();
  await expect(page.locator('.toast')).toHaveText('Copied https://plate.example/copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://plate.example/copied');
  expect(context.pages()).toHaveLength(1);
});

test('clipboard that the browser refuses', async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.getByRole('link', { name: 'Door plate' }).click();
  await expect(page.locator('.toast')).toContainText('did not allow');
  expect(page.context().pages()).toHaveLength(1);
});

test('newwindow', async ({ page }) => {
  await open(page);
  const features = page.evaluate(() => {
    return new Promise<string>((done) => {
      const original = window.open.bind(window);
      window.open = (url, target, features) => {
        done(features ?? '');
        return original(url, target, features);
      };
    });
  });
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Skylight' }).click(),
  ]);
  await popup.waitForURL('https://sky.example/window');
  const size = await page.evaluate(() => [screen.availWidth, screen.availHeight]);
  expect(await features).toContain('popup');
  expect(await features).toContain(`width=${size[0]},height=${size[1]}`);
});

test('an address without a scheme is one of the web', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('link', { name: 'Manuals' })).toHaveAttribute('href', 'http://manuals.example:8081/index');
});

test('an item without an address is no link', async ({ page }) => {
  await open(page);
  await expect(page.getByText('Notice board')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notice board' })).toHaveCount(0);
});

test('each opening is counted', async ({ page }) => {
  await open(page);
  for (let time = 0; time < 2; time += 1) {
    await page.getByRole('link', { name: 'Window seat' }).click();
    await page.keyboard.press('Escape');
  }
  const sum = [...'Doors'].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const counters = await page.evaluate(() => [localStorage.getItem('mostUsed'), localStorage.getItem('lastUsed')]);
  expect(JSON.parse(counters[0] ?? '')).toEqual({ [`4_${sum}_windowseat`]: 2 });
  expect(Object.keys(JSON.parse(counters[1] ?? ''))).toEqual([`4_${sum}_windowseat`]);
});

test.describe('sorted by use', () => {
  test.use({
    text: `sections:
      - name: Often
        displayData: { sortBy: most-used }
        items:
          - { title: One, url: 'https://one.example', target: modal }
          - { title: Two, url: 'https://two.example', target: modal }
          - { title: Three, url: 'https://three.example', target: modal }`,
  });

  test('the most opened item comes first', async ({ page }) => {
    await open(page);
    await page.getByRole('link', { name: 'Three' }).click();
    await page.keyboard.press('Escape');
    await open(page);
    await expect(page.locator('.item .tile-title')).toHaveText(['Three', 'One', 'Two']);
    // Filtering must still distinguish them.
    await page.getByRole('searchbox').fill('two');
    await expect(page.locator('.item:visible .tile-title')).toHaveText(['Two']);
  });
});

test.describe('dangerous addresses', () => {
  test.use({
    text: `sections:
      - name: Traps
        items:
          - { title: Script, url: 'javascript:alert(1)' }
          - { title: Spaced, url: ' JavaScript:alert(1)' }
          - { title: Data, url: 'data:text/html,x' }
          - { title: Letter, url: 'mailto:somebody@example.com' }`,
  });

  test('are no links', async ({ page }) => {
    await open(page);
    for (const name of ['Script', 'Spaced', 'Data']) {
      await expect(page.getByText(name, { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name })).toHaveCount(0);
    }
    await expect(page.getByRole('link', { name: 'Letter' })).toHaveAttribute('href', 'mailto:somebody@example.com');
  });
});

test.describe('a second address for the local network', () => {
  // The browser itself reports the address that cannot be reached.
  test.use({ expected: /ERR_CONNECTION_REFUSED/ });

  test('takes over once it has been reached, and only then', async ({ page, portico }) => {
    const requested: string[] = [];
    const near = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.end('well');
    });
    const [port, closed] = [await freePort(), await freePort()];
    await new Promise<void>((done) => near.listen(port, '127.0.0.1', done));
    const [here, nowhere] = [`http://127.0.0.1:${port}/panel`, `http://127.0.0.1:${closed}/`];
    const items = [
      `{ title: Near, url: 'https://near.example/', localUrl: '${here}' }`,
      `{ title: Far, url: 'https://far.example/', localUrl: '${nowhere}' }`,
    ];
    await rewrite(page, portico, `sections: [{ name: Places, items: [${items.join(', ')}] }]\n`);
    await page.context().unrouteAll();
    const refused = page.waitForEvent('requestfailed', (request) => request.url() === nowhere);
    await open(page);
    await expect(page.getByRole('link', { name: 'Near' })).toHaveAttribute('href', here);
    await refused;
    await expect(page.getByRole('link', { name: 'Far' })).toHaveAttribute('href', 'https://far.example/');
    expect(requested).toEqual(['/panel']);
    near.close();
  });

  /** A service in the local network. */
  async function service(port: number): Promise<Server> {
    const service = createServer((_, response) => response.end('well'));
    await new Promise<void>((done) => service.listen(port, '127.0.0.1', done));
    return service;
  }

  async function stop(service: Server): Promise<void> {
    service.closeAllConnections();
    await new Promise((done) => service.close(done));
  }

  const comesBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  test('is tried again when the tab comes back to the front, also after a change of the page', async ({ page, portico }) => {
    const port = await freePort();
    const here = `http://127.0.0.1:${port}/panel`;
    const config = (url: string, other: string) => `sections: [{ name: Places, items: [{ title: Near, url: '${url}', localUrl: '${here}' }, { title: ${other} }] }]\n`;
    const first = await service(port);
    await rewrite(page, portico, config('https://near.example/', 'Far'));
    await page.context().unrouteAll();
    await open(page);
    const link = page.getByRole('link', { name: 'Near' });
    await expect(link).toHaveAttribute('href', here);
    await stop(first);
    await comesBack(page);
    await expect(link).toHaveAttribute('href', 'https://near.example/');
    const second = await service(port);
    await comesBack(page);
    await expect(link).toHaveAttribute('href', here);
    // The open page learns the new public address, and still uses the local one.
    portico.write('conf.yml', config('https://nearer.example/', 'Farther'));
    await expect(page.getByText('Farther')).toBeVisible();
    await expect(link).toHaveAttribute('href', here);
    await stop(second);
    await comesBack(page);
    await expect(link).toHaveAttribute('href', 'https://nearer.example/');
  });

  test('counts for items of other pages too', async ({ page, portico }) => {
    const port = await freePort();
    const here = `http://127.0.0.1:${port}/panel`;
    portico.write('shed.yml', `sections: [{ name: Far, items: [{ title: Wheelbarrow, url: 'https://barrow.example/', localUrl: '${here}' }] }]\n`);
    await rewrite(page, portico, 'pages: [ { name: Shed, path: shed.yml } ]\nsections: [{ name: Places, items: [{ title: Bench }] }]\n');
    await page.context().unrouteAll();
    await open(page);
    const near = await service(port);
    await page.getByRole('searchbox').fill('wheelbarrow');
    const hit = page.getByRole('link', { name: 'Wheelbarrow' });
    await expect(hit).toHaveAttribute('href', here);
    await stop(near);
    await comesBack(page);
    await expect(hit).toHaveAttribute('href', 'https://barrow.example/');
  });
});

test.describe('in a tooltip', () => {
  test('shows provider and key after a moment, while the description is on the tile', async ({ page }) => {
    await open(page);
    const tile = page.getByRole('link', { name: 'Lathe' });
    await expect(tile).toContainText('Turns metal rods');
    await tile.hover();
    const bubble = page.getByRole('tooltip');
    await expect(bubble).toHaveText('Provider: IronmongerKey: 1');
    await page.mouse.move(0, 0);
    await expect(bubble).toBeHidden();
  });
});
