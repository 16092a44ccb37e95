// A config that breaks, vanishes, comes back or is replaced while the server runs (docs/spec/behavior.md 20).

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { APIRequestContext } from '@playwright/test';

import { expect, open, SOON, test } from '../fixtures.ts';

const BROKEN = `pageInfo:
  title: Broken
sections:
  - name: First
    items: [ { title: A }
  - name: Second
`;

function home(request: APIRequestContext): () => Promise<string> {
  return async () => (await request.get('./')).text();
}

test.describe('broken from the start', () => {
  test.use({ text: BROKEN, expected: /status of 500/ });

  test('shows line and column, none of the text, and recovers by itself', async ({ page, portico }) => {
    const response = await page.goto('./');
    expect(response?.status()).toBe(500);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The dashboard is closed');
    await expect(page.locator('.reason')).toContainText(/line \d+, column \d+/);
    await expect(page.locator('.excerpt')).toHaveCount(0);
    expect(await response?.text()).not.toContain('Second');
    expect(portico.log).toContain('conf.yml');
    await expect(page.getByText('portico validate')).toBeVisible();

    portico.write('conf.yml', BROKEN.replace('{ title: A }', '{ title: A } ]'));
    await expect.poll(home(page.request), SOON).toContain('<title>Broken</title>');
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page).toHaveTitle('Broken');
    await expect(page.locator('main > section')).toHaveCount(2);
  });

  test('the health check does not mind', async ({ request }) => {
    expect((await request.get('./healthz')).status()).toBe(200);
  });
});

test.describe('not a mapping', () => {
  test.use({ text: '- one\n- two\n', expected: /status of 500/ });

  test('says what is wrong', async ({ page }) => {
    await page.goto('./');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The dashboard is closed');
    await expect(page.locator('.reason')).toContainText('not valid');
  });
});

test('while running: the last good version stays, with a notice, until it is mended', async ({ page, portico }) => {
  await open(page);
  portico.write('conf.yml', BROKEN);
  await expect.poll(home(page.request), SOON).toContain('class="notice"');
  await open(page);
  await expect(page).toHaveTitle('Workshop');
  await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
  const notice = page.locator('.notice');
  await expect(notice).toContainText('conf.yml');
  await expect(notice).toContainText(/line \d+/);
  await expect(notice.locator('.excerpt')).toContainText('name: Second');

  portico.write('conf.yml', 'pageInfo: { title: Mended }\n');
  // The open page updates by itself.
  await expect(page).toHaveTitle('Mended');
  await expect(page.locator('.notice')).toHaveCount(0);
});

test('while running: its notice can be closed, and made small for good', async ({ page, portico }) => {
  await open(page);
  portico.write('conf.yml', BROKEN);
  await expect.poll(home(page.request), SOON).toContain('class="notice"');
  await open(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('.notice')).toHaveCount(0);
  await open(page);
  await page.getByRole('button', { name: 'Do not show again' }).click();
  for (const again of [false, true]) {
    if (again) await open(page);
    await expect(page.locator('.notice strong')).toBeVisible();
    await expect(page.locator('.notice p').first()).toBeHidden();
  }
});

test('while running: a file that vanishes leaves the last good version', async ({ page, portico }) => {
  await open(page);
  rmSync(join(portico.directory, 'conf.yml'));
  await expect.poll(home(page.request), SOON).toContain('class="notice"');
  await open(page);
  await expect(page.getByRole('link', { name: 'Lathe' })).toBeVisible();
});

test('an edit from outside shows at the next load', async ({ page, portico }) => {
  await open(page);
  portico.write('conf.yml', 'pageInfo: { title: Edited in place }\n');
  await expect.poll(home(page.request), SOON).toContain('Edited in place');
  // Like editors that write a new file and rename it.
  writeFileSync(join(portico.directory, '.conf.swp'), 'pageInfo: { title: Put in its place }\n');
  renameSync(join(portico.directory, '.conf.swp'), join(portico.directory, 'conf.yml'));
  await expect.poll(home(page.request), SOON).toContain('Put in its place');
  await open(page);
  await expect(page).toHaveTitle('Put in its place');
});

test('an edit of a page shows too', async ({ request, portico }) => {
  portico.write('conf.yml', 'pages: [{ name: Garden, path: garden.yml }]\n');
  portico.write('garden.yml', 'pageInfo: { title: Weeds }\n');
  const garden = async () => (await request.get('./home/garden')).text();
  await expect.poll(garden, SOON).toContain('Weeds');
  portico.write('garden.yml', 'pageInfo: { title: Roses }\n');
  await expect.poll(garden, SOON).toContain('Roses');
});

test('a swap of links shows, as orchestrators mount their files', async ({ request, portico }) => {
  const version = (name: string) => {
    mkdirSync(join(portico.directory, name));
    portico.write(`${name}/conf.yml`, `pageInfo: { title: Version ${name} }\n`);
    rmSync(join(portico.directory, '..next'), { force: true });
    symlinkSync(name, join(portico.directory, '..next'));
    renameSync(join(portico.directory, '..next'), join(portico.directory, '..data'));
  };
  rmSync(join(portico.directory, 'conf.yml'));
  version('one');
  symlinkSync('..data/conf.yml', join(portico.directory, 'conf.yml'));
  await expect.poll(home(request), SOON).toContain('Version one');
  version('two');
  await expect.poll(home(request), SOON).toContain('Version two');
});

test.describe('an empty directory', () => {
  test.use({ config: null });

  test('gets a config to start with', async ({ page, portico }) => {
    await open(page);
    await expect(page).toHaveTitle('Portico');
    await expect(page.locator('main > section')).toHaveCount(4);
    await expect(page.getByRole('link', { name: 'Wikipedia' })).toBeVisible();
    expect(portico.log).toContain('starter');
    const text = await (await page.request.get('./conf.yml')).text();
    expect(text).toContain('pageInfo:');
    expect(text).toContain('type: weather');
  });

  test('copies where that config is', async ({ page, portico, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page);
    await page.getByRole('link', { name: 'Or in its file' }).click();
    const path = join(portico.directory, 'conf.yml');
    await expect(page.getByText(`Copied ${path}`)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(path);
  });
});

test.describe('a directory that cannot be written', () => {
  test.use({ readOnly: true });

  test('shows as any other', async ({ page }) => {
    await open(page);
    await expect(page).toHaveTitle('Workshop');
  });

  test.describe('and is empty', () => {
    test.use({ config: null });

    test('shows what a config could look like', async ({ page, portico }) => {
      await open(page);
      await expect(page).toHaveTitle('Portico');
      await expect(page.getByRole('link', { name: 'Wikipedia' })).toBeVisible();
      expect(portico.log).toContain('cannot be written');
    });
  });
});

test.describe('no sections', () => {
  test.use({ text: 'pageInfo: { title: Bare }\nsections: null\n' });

  test('says how to begin', async ({ page }) => {
    await open(page);
    await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
    await expect(page.getByText('conf.yml', { exact: true })).toBeVisible();
  });
});
