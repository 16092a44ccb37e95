// A static export, served by nginx and by Python's web server, below a prefix: pages, search, themes, views, languages, offline
// copies and the last data of widgets, without a server of ours.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { type Page, expect, test } from '@playwright/test';

import { Nginx } from '../nginx.ts';
import { BINARY, environment, freePort, temporaryDirectory } from '../server.ts';

const SECRET = 'behind-the-curtain';

const CONFIG = (feed: string) => `
pageInfo: { title: Exported, logo: /logo.svg }
appConfig: { language: en, statusCheck: true }
pages: [{ name: Media, path: media.yml }, { name: Staff, path: staff.yml, displayData: { hideForGuests: true } }]
sections:
  - name: Tools
    items:
      - { title: Films, url: 'https://films.example', icon: hl-jellyfin }
      - { title: Code, url: 'https://code.example', icon: si-gitea }
      - { title: Hidden, url: 'https://${SECRET}.example', displayData: { hideForGuests: true } }
  - name: News
    widgets:
      - { type: rss-feed, options: { rssUrl: '${feed}' } }
      - { type: clock }
`;
const FEED = '<rss version="2.0"><channel><title>News</title><item><title>The first headline</title><link>https://news.example/1</link></item></channel></rss>';

/** Exports a folder of configs below `start`, and returns what was printed. */
async function write(data: string, root: string, ...more: string[]): Promise<string> {
  const parameters = ['export', join(root, 'start'), '--base', '/start/', ...more];
  const child = spawn(BINARY, parameters, { env: { ...environment({ USER_DATA_DIR: data }) }, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => { printed += text; });
  await new Promise((done) => child.once('exit', done));
  return printed;
}

/** The folder with the export below `start`, that of its configs, and what was printed. */
async function exported(...more: string[]): Promise<{ root: string; data: string; printed: string }> {
  const feeds = createServer((_, response) => response.setHeader('content-type', 'application/rss+xml').end(FEED));
  const port = await freePort();
  await new Promise<void>((done) => void feeds.listen(port, '127.0.0.1', done));
  const [data, root] = [temporaryDirectory(), temporaryDirectory()];
  writeFileSync(join(data, 'conf.yml'), CONFIG(`http://127.0.0.1:${port}/feed.xml`));
  writeFileSync(join(data, 'media.yml'), "sections: [{ name: Music, items: [{ title: Radio, url: 'https://radio.example', icon: sh-navidrome }] }]\n");
  writeFileSync(join(data, 'staff.yml'), `sections: [{ name: ${SECRET}, items: [{ title: ${SECRET} }] }]\n`);
  writeFileSync(join(data, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>');
  const printed = await write(data, root, ...more);
  await new Promise((done) => feeds.close(done));
  return { root, data, printed };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
}

interface Host {
  url: string;
  stop(): Promise<void>;
}

const HOSTS: Record<string, (root: string) => Promise<Host>> = {
  nginx: async (root) => {
    const port = await Nginx.reserve();
    const types = 'types { text/html html; text/css css; text/javascript js; application/wasm wasm; image/svg+xml svg; image/png png; application/json json; font/woff2 woff2; }';
    const nginx = await Nginx.start(port, `${types} root ${root}; error_page 404 /start/404.html;`);
    return { url: `http://127.0.0.1:${port}/start/`, stop: () => nginx.stop() };
  },
  python: async (root) => serve(root, await freePort()),
};

/** Python's web server on a port. */
async function serve(root: string, port: number): Promise<Host> {
  const child: ChildProcess = spawn('python3', ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', root], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/start/`;
  await expect.poll(() => fetch(url).then(({ status }) => status, () => 0)).toBe(200);
  return { url, stop: async () => void child.kill('SIGKILL') };
}

/** Collects what a browser or a host complains about. */
function complaints(page: Page): string[] {
  const failures: string[] = [];
  page.on('response', (response) => { if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`); });
  page.on('console', (message) => { if (message.type() === 'error') failures.push(message.text()); });
  page.on('pageerror', (error) => failures.push(String(error)));
  return failures;
}

for (const [name, start] of Object.entries(HOSTS)) {
  test(`an export works on ${name}`, async ({ page }) => {
    const { root, printed } = await exported();
    expect(printed).toMatch(/^\d+ pages and \d+ other files in/);
    expect(printed).not.toContain('without data');
    const host = await start(root);
    try {
      const failures = complaints(page);
      await page.goto(host.url);
      await expect(page.getByRole('heading', { level: 1, name: 'Exported' })).toBeVisible();
      await expect(page.getByText('The first headline')).toBeVisible();
      await expect(page.locator('.page-footer')).toContainText(/as of .*\d{4}/);
      await expect(page.locator('.clock')).toContainText(/\d:\d\d/);
      await expect(page.locator('.edit-button')).toHaveCount(0);
      await expect(page.locator('[data-status]')).toHaveCount(0);
      // The icon has an address with its type.
      await expect.poll(() => page.locator('img[src*="jellyfin"]').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

      await test.step('the search finds items of other pages', async () => {
        await page.keyboard.type('radio');
        await expect(page.getByRole('link', { name: /Radio/ })).toBeVisible();
        await page.keyboard.press('Escape');
      });
      await test.step('a theme is chosen and stays', async () => {
        await page.getByRole('button', { name: 'Options' }).click();
        await page.getByRole('button', { name: 'Choose a theme' }).click();
        await page.locator('.theme-card', { hasText: 'Dracula' }).click();
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'dracula');
        await page.reload();
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'dracula');
      });
      for (const [path, text] of [['home/media', 'Radio'], ['minimal', 'Films'], ['workspace', 'Tools'], ['home/main/tools', 'Films']]) {
        await page.goto(`${host.url}${path}`);
        await expect(page.getByText(String(text)).first()).toBeVisible();
      }
      expect(failures).toEqual([]);
    } finally {
      await host.stop();
    }
  });
}

test('an export has nothing that is hidden from guests', async () => {
  const { root } = await exported();
  const files = filesOf(root);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => readFileSync(join(root, name)).includes(SECRET))).toEqual([]);
  expect(files.filter((name) => /staff|edit(or)?-/.test(name))).toEqual([]);
});

test('an export is refused if guests see nothing, and never overwrites foreign files', () => {
  const run = (data: string, folder: string) => {
    try {
      return execFileSync(BINARY, ['export', folder], { env: environment({ USER_DATA_DIR: data }), encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  const closed = temporaryDirectory();
  writeFileSync(join(closed, 'conf.yml'), `appConfig: { auth: { users: [{ user: anna, hash: '${'0'.repeat(64)}', type: admin }] } }\nsections: []\n`);
  const folder = join(temporaryDirectory(), 'new');
  expect(run(closed, folder)).toContain('guests see nothing of this dashboard');
  expect(run(temporaryDirectory(), folder)).toContain('set USER_DATA_DIR to the folder with your config');
  const open = temporaryDirectory();
  writeFileSync(join(open, 'conf.yml'), 'sections: [{ name: A, items: [{ title: One }] }]\n');
  const foreign = temporaryDirectory();
  writeFileSync(join(foreign, 'thesis.txt'), 'mine');
  expect(run(open, foreign)).toContain('has files that are not from an export');
  expect(readdirSync(foreign)).toEqual(['thesis.txt']);
  // A second export removes what is gone, and nothing else.
  expect(run(open, folder)).toContain('serve the folder at /');
  writeFileSync(join(folder, 'CNAME'), 'home.example');
  writeFileSync(join(open, 'conf.yml'), 'sections: [{ name: B, items: [{ title: One }] }]\n');
  run(open, folder);
  expect(filesOf(folder)).toContain('CNAME');
  expect(filesOf(folder)).toContain('home/main/b/index.html');
  expect(filesOf(folder)).not.toContain('home/main/a/index.html');
});

test.describe('in several languages', () => {
  for (const [name, start] of Object.entries(HOSTS)) {
    test(`the browser chooses one on ${name}`, async ({ browser }) => {
      const { root } = await exported('--language', 'en,de,ar', '--language', 'zh-TW');
      const host = await start(root);
      try {
        for (const [locale, lang, folder] of [['de-AT', 'de', 'de/'], ['zh-HK', 'zh-TW', 'zh-TW/'], ['en-AU', 'en', ''], ['ja-JP', 'en', ''], ['lb-LU', 'de', 'de/']] as const) {
          await test.step(locale, async () => {
            const context = await browser.newContext({ locale });
            const page = await context.newPage();
            const failures = complaints(page);
            await page.goto(`${host.url}home/media`);
            await expect(page).toHaveURL(new RegExp(`/start/${folder}home/media/?$`));
            await expect(page.locator('html')).toHaveAttribute('lang', lang);
            await expect(page.getByText('Radio').first()).toBeVisible();
            expect(failures).toEqual([]);
            await context.close();
          });
        }
      } finally {
        await host.stop();
      }
    });
  }

  test('a choice in the options stays, and the texts of dialogs come along', async ({ browser }) => {
    const { root } = await exported('--language', 'en,de,ar');
    const host = await HOSTS['nginx']!(root);
    const context = await browser.newContext({ locale: 'de-DE' });
    try {
      const page = await context.newPage();
      const failures = complaints(page);
      await page.goto(`${host.url}?from=bookmark`);
      await expect(page).toHaveURL(`${host.url}de/?from=bookmark`);
      await page.getByRole('button', { name: 'Optionen' }).click();
      const choice = page.getByLabel('Sprache');
      expect(await choice.locator('option').allTextContents()).toEqual(['English', 'Deutsch', 'العربية']);
      await expect(choice.locator('option:checked')).toHaveText('Deutsch');
      await page.getByRole('button', { name: 'Design auswählen' }).click();
      // The dialog has its texts from a file.
      await expect(page.getByRole('dialog')).toContainText('Wie konfiguriert');
      await page.keyboard.press('Escape');
      await page.goto(`${host.url}de/home/media`);
      await page.getByRole('button', { name: 'Optionen' }).click();
      await page.getByLabel('Sprache').selectOption({ label: 'العربية' });
      await expect(page).toHaveURL(/\/start\/ar\/home\/media\/?$/);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      // The links of the page stay in its language, and so do those from outside.
      await page.locator('nav a[href$="/ar/"]').first().click();
      await expect(page).toHaveURL(`${host.url}ar/`);
      await page.goto(host.url);
      await expect(page).toHaveURL(`${host.url}ar/`);
      await page.getByRole('button', { name: 'الخيارات' }).click();
      await page.locator('#exported-languages').selectOption({ label: 'English' });
      await expect(page).toHaveURL(host.url);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      // The search of each language finds the items of other pages.
      await page.goto(`${host.url}de/`);
      // Typed text stays in the box, also if the scripts come later.
      await page.getByRole('searchbox').fill('radio');
      await expect(page.getByRole('link', { name: /Radio/ })).toBeVisible();
      expect(failures).toEqual([]);
      // This web server knows one page for all unknown addresses.
      await page.goto(`${host.url}de/nowhere/at/all`);
      await expect(page).toHaveURL(`${host.url}de/404.html`);
      await expect(page.getByRole('heading')).toHaveText('Unter dieser Adresse gibt es nichts');
      await page.getByRole('link', { name: 'Zur Startseite' }).click();
      await expect(page).toHaveURL(`${host.url}de/`);
      await page.goto(`${host.url}nowhere`);
      await expect(page.getByRole('heading')).toHaveText('There is nothing at this address');
    } finally {
      await context.close();
      await host.stop();
    }
  });

  test('without scripts there are links, and without storage the first language', async ({ browser }) => {
    const { root } = await exported('--language', 'en,de');
    const host = await HOSTS['nginx']!(root);
    try {
      const plain = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
      const page = await plain.newPage();
      await page.goto(host.url);
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await page.getByRole('button', { name: 'Options' }).click();
      await page.getByRole('link', { name: 'Deutsch' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
      await plain.close();
      const closed = await browser.newContext({ locale: 'de-DE' });
      await closed.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new Error('forbidden'); } }));
      const other = await closed.newPage();
      await other.goto(host.url);
      await expect(other.locator('html')).toHaveAttribute('lang', 'en');
      await closed.close();
    } finally {
      await host.stop();
    }
  });
});

test.describe('offline', () => {
  test.describe.configure({ timeout: 120_000 });

  /** Waits until the browser has a copy with this text of a file. */
  const kept = (page: Page, path: string, text = '') =>
    expect.poll(() => page.evaluate(async ([path, text]) => (await (await caches.match(path))?.text())?.includes(text), [path, text] as const), { timeout: 30_000 }).toBe(true);

  test('an export opens without a network, in the language that was used, and changes with its files', async ({ browser }) => {
    const { root, data } = await exported('--language', 'en,de');
    let host = await HOSTS['python']!(root);
    const { url } = host;
    const context = await browser.newContext({ locale: 'de-DE' });
    try {
      const page = await context.newPage();
      const failures = complaints(page);
      await page.goto(url);
      await expect(page).toHaveURL(`${url}de/`);
      await kept(page, '/start/de/minimal/media/', 'Radio');
      const session = await context.newCDPSession(page);
      const manifest = await session.send('Page.getAppManifest');
      expect([manifest.errors, JSON.parse(manifest.data!).start_url]).toEqual([[], '/start/de/']);
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      // Tests use private windows.
      expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
      // The next page has the worker from its beginning.
      await page.reload();
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      expect(failures).toEqual([]);

      await host.stop();
      await expect.poll(() => fetch(url).then(() => true, () => false)).toBe(false);
      // The entry page leads to the language, as with a network.
      await page.goto(url);
      await expect(page).toHaveURL(`${url}de/`);
      await expect(page.getByText('The first headline')).toBeVisible();
      await expect.poll(() => page.locator('img[src*="jellyfin"]').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      await page.keyboard.type('radio');
      await expect(page.getByRole('link', { name: /Radio/ })).toBeVisible();
      await page.keyboard.press('Escape');
      for (const path of ['de/home/media', 'de/workspace', 'home/main/tools']) {
        await page.goto(`${url}${path}`);
        await expect(page.locator('#page')).toBeVisible();
      }
      await page.goto(`${url}nowhere`);
      await expect(page.getByRole('link', { name: 'Zur Startseite' })).toBeVisible();

      await test.step('a new export arrives', async () => {
        writeFileSync(join(data, 'media.yml'), "sections: [{ name: Music, items: [{ title: Gramophone, url: 'https://gramophone.example' }] }]\n");
        writeFileSync(join(data, 'conf.yml'), readFileSync(join(data, 'conf.yml'), 'utf8').replace(/ {6}- \{ type: rss-feed.*\n/, ''));
        await write(data, root, '--language', 'en,de');
        host = await serve(root, Number(new URL(url).port));
        await page.goto(`${url}de/`);
        await kept(page, '/start/de/home/media/', 'Gramophone');
        await host.stop();
        await page.goto(`${url}de/home/media`);
        await expect(page.getByText('Gramophone')).toBeVisible();
      });

      await test.step('an export without a worker removes it', async () => {
        await write(data, root, '--no-offline');
        host = await serve(root, Number(new URL(url).port));
        await page.goto(url);
        await expect.poll(async () => {
          const [registrations, caches] = await page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await window.caches.keys()).length]);
          return [registrations, caches];
        }, { timeout: 30_000 }).toEqual([0, 0]);
      });
    } finally {
      await context.close();
      await host.stop();
    }
  });
});
