// Everything below a path prefix, as behind a proxy (docs/spec/behavior.md 1).

import { expect, open, test } from '../fixtures.ts';

test.use({ config: 'house', environment: { BASE_URL: '/start' } });

test('pages, program files, icons and links all lie below it', async ({ page, baseURL }) => {
  const requested: string[] = [];
  page.on('response', (response) => {
    requested.push(response.url());
    expect(response.status(), response.url()).toBeLessThan(400);
  });
  await open(page);
  await expect(page).toHaveTitle('Number Nine');
  await page.keyboard.type('gramophone');
  await expect(page.getByRole('region', { name: 'On other pages' }).getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Escape');

  const navigation = page.getByRole('navigation', { name: 'Links and pages' });
  await navigation.getByRole('link', { name: 'Cinema Room' }).click();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  expect(page.url()).toBe(`${baseURL}home/cinema-room`);
  await page.locator('main > section').first().hover();
  await page.getByRole('link', { name: 'Open section Reels alone' }).click();
  await page.waitForURL(`${baseURL}home/cinema-room/reels`);
  await page.getByRole('link', { name: 'Back to all sections' }).click();
  await page.waitForURL(`${baseURL}home/cinema-room`);
  await page.locator('.page-title').click();
  await page.waitForURL(baseURL!);

  const outside = requested.filter((address) => !address.startsWith(baseURL!) && address !== baseURL!.replace(/\/$/, ''));
  expect(outside).toEqual([]);
  expect(requested.length).toBeGreaterThan(8);
  const own = await page.locator('[href^="/"], [src^="/"]').evaluateAll((nodes) => {
    return nodes.map((node) => node.getAttribute('href') ?? node.getAttribute('src') ?? '');
  });
  expect(own.filter((path) => !path.startsWith('/start/'))).toEqual([]);
});

test.describe('beyond it', () => {
  test.use({ expected: /status of 404/ });

  test('there is nothing but the health check', async ({ page, portico }) => {
    const origin = new URL(portico.url).origin;
    for (const path of ['/', '/home', '/conf.yml', '/starting', '/favicon.svg']) {
      expect((await page.request.get(origin + path, { maxRedirects: 0 })).status(), path).toBe(404);
    }
    expect((await page.request.get(`${origin}/healthz`)).status()).toBe(200);
    expect((await page.request.get(`${portico.url}/healthz`)).status()).toBe(200);
    await page.goto(`${origin}/elsewhere`);
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.waitForURL(`${portico.url}/`);
  });
});

test('files of the user lie below it too', async ({ request, portico }) => {
  portico.write('marks/one.txt', 'one');
  expect(await (await request.get('./marks/one.txt')).text()).toBe('one');
  expect((await request.get(`${new URL(portico.url).origin}/marks/one.txt`)).status()).toBe(404);
});

test.describe('written carelessly', () => {
  test.use({ environment: { BASE_URL: '/start' }, config: 'workshop.yml' });

  test('with and without a slash at the end', async ({ page, portico }) => {
    for (const address of [portico.url, `${portico.url}/`]) {
      await page.goto(address);
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      await expect(page).toHaveTitle('Workshop');
    }
    await page.getByRole('link', { name: 'Front page' }).click();
    await page.waitForURL(/\/start\/?$/);
  });
});
