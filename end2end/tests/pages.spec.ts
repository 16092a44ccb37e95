// Several pages, single sections, old bookmarks, unknown addresses (docs/spec/behavior.md 1 and 10).

import { expect, open, test } from '../fixtures.ts';

test.use({ config: 'house' });

test('each page has an address, a title and a look of its own', async ({ page, baseURL }) => {
  await open(page);
  await expect(page).toHaveTitle('Number Nine');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'gruvbox');
  const navigation = page.getByRole('navigation', { name: 'Links and pages' });

  await navigation.getByRole('link', { name: 'Cinema Room' }).click();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  expect(page.url()).toBe(`${baseURL}home/cinema-room`);
  await expect(page).toHaveTitle('Cinema Room');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'parchment');
  await expect(page.locator('#page')).toHaveClass(/(^| )cinema-room( |$)/);
  await expect(navigation.getByRole('link', { name: 'Cinema Room' })).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', 'Lights out');
  // The page inherits missing fields from the root.
  await expect(page.getByRole('contentinfo')).toHaveText('Mind the third stair');
  await expect(navigation.getByRole('link', { name: 'Landlord' })).toBeVisible();

  await navigation.getByRole('link', { name: 'Cables' }).click();
  await expect(page).toHaveTitle('Cables');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'gruvbox');
  await page.goBack();
  await expect(page).toHaveTitle('Cinema Room');
});

test('addresses are forgiving', async ({ page }) => {
  for (const [path, title] of [
    ['/home', 'Number Nine'],
    ['/home/', 'Number Nine'],
    ['/home/main', 'Number Nine'],
    ['/home/Cinema%20Room', 'Cinema Room'],
    ['/home/-CINEMA-room', 'Cinema Room'],
    ['/home/cables/', 'Cables'],
    ['/home/main/hall', 'Hall | Number Nine'],
    ['/home/cinema-room/Sound', 'Sound | Cinema Room'],
    // Old bookmarks of a dashboard without pages.
    ['/home/hall', 'Hall | Number Nine'],
    ['/home/kitchen--pantry', 'Kitchen & Pantry | Number Nine'],
  ] as const) {
    const response = await page.goto(`.${path}`);
    expect(response?.status(), path).toBe(200);
    await expect(page, path).toHaveTitle(title);
  }
});

test('a section alone', async ({ page, baseURL }) => {
  await open(page);
  await page.locator('main > section').first().hover();
  await page.getByRole('link', { name: 'Open section Hall alone' }).click();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  expect(page.url()).toBe(`${baseURL}home/main/hall`);
  await expect(page.locator('main > section h2')).toHaveText(['Hall']);
  await expect(page.locator('#page')).toHaveClass(/single-section/);
  const [section, content] = [await page.locator('main > section').boundingBox(), await page.locator('main').boundingBox()];
  expect(section!.width).toBeCloseTo(content!.width, 0);
  await page.keyboard.type('coa');
  await expect(page.locator('.item:visible .tile-title')).toHaveText(['Coats']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Back to all sections' }).click();
  expect(page.url()).toBe(baseURL);

  await open(page, '/home/cinema-room/sound');
  await expect(page.getByRole('link', { name: 'Gramophone' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to all sections' }).click();
  expect(page.url()).toBe(`${baseURL}home/cinema-room`);
});

test.describe('what is not there', () => {
  test.use({ expected: /status of 404/ });

  for (const path of ['/nowhere', '/home/nowhere', '/home/main/nowhere', '/home/nowhere/hall', '/home/cables/hall', '/a/b/c/d', '/404']) {
    test(`${path} is the not-found page`, async ({ page, baseURL }) => {
      const response = await page.goto(`.${path}`);
      expect(response?.status()).toBe(404);
      await expect(page).toHaveTitle('Not Found | Number Nine');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('code')).toContainText(path.split('/').at(-1)!);
      await page.getByRole('link', { name: 'To the start page' }).click();
      expect(page.url()).toBe(baseURL);
    });
  }

  test('an address that is markup is shown as text', async ({ page }) => {
    await page.goto('./%3Cimg%20src=x%20onerror=document.title=1%3E');
    await expect(page).toHaveTitle('Not Found | Number Nine');
    await expect(page.locator('main img')).toHaveCount(0);
  });

  test('programs get JSON', async ({ request }) => {
    const response = await request.get('./nowhere', { headers: { accept: 'application/json' } });
    expect(response.status()).toBe(404);
    expect(await response.json()).toMatchObject({ success: false });
  });
});

test.describe('a page that cannot be had', () => {
  test.use({ expected: /status of 50\d/ });

  test('on another host: says so, and everything else works', async ({ page }) => {
    await page.goto('./home/across');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('“Across”');
    await page.getByRole('link', { name: 'To the start page' }).click();
    await expect(page).toHaveTitle('Number Nine');
  });

  test('never whole yet: names the file', async ({ page, portico }) => {
    portico.write('new.yml', 'sections: [\n');
    portico.write('conf.yml', 'pages: [ { name: New Room, path: new.yml }, { name: Hall, path: hall.yml } ]\n');
    await expect.poll(async () => (await page.request.get('./home/new-room')).status()).toBe(500);
    await page.goto('./home/new-room');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The page “New Room” cannot be shown');
    await expect(page.getByRole('main')).toContainText('new.yml');
    await expect(page.locator('.reason')).toContainText('line');
    await page.goto('./home/hall');
    await expect(page.getByRole('main')).toContainText('hall.yml');
    await open(page);
  });
});

test('a page that breaks keeps its last good version, under a notice that names the file', async ({ page, portico }) => {
  portico.write('cinema.yml', 'sections: [\n');
  await expect.poll(async () => (await page.request.get('./home/cinema-room')).text()).toContain('class="notice"');
  await open(page, '/home/cinema-room');
  await expect(page).toHaveTitle('Cinema Room');
  await expect(page.locator('.notice')).toContainText('cinema.yml');
  await expect(page.locator('.notice')).toContainText(/line \d+/);
  await open(page);
  await expect(page.locator('.notice')).toHaveCount(0);
  await open(page, '/home/cables');
});
