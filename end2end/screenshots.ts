// Takes pictures of configs: on a phone and on three sizes of desktop screens, in light and dark mode, into output/. Without
// arguments: of all configs here, and the pictures for the docs.
//
//   npx tsx screenshots.ts [docs or CONFIG or CONFIG@/path …]
//
// With the pictures for the docs, it also writes output/comparison.html, which shows ours beside those of other dashboards in the
// folder that PEER_PICTURES names.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';

import { chromium as browserType, type Browser, type Page } from '@playwright/test';
import { parse, stringify } from 'yaml';

import { chromium } from './browser.ts';
import { VARIABLE, comparisonPage, type OwnPicture } from './comparison.mjs';
import { CONFIGS, hasUsers, Portico, temporaryDirectory, type Start } from './server.ts';
import { webpOfBody } from './webp.ts';

const OUTPUT = join(import.meta.dirname, 'output');
const README_PICTURE = join(import.meta.dirname, '../docs/screenshot.png');
const WIDGETS_PICTURE = join(import.meta.dirname, '../docs/widgets.png');
const SCREENS_PICTURE = join(import.meta.dirname, '../docs/screens.webp');
const LARGEST = 400 * 1024;

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1366, height: 900 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
/** Of each picture in the sheet of all screens, in pixels. */
const SHEET_HEIGHT = 320;
const SHEET_QUALITY = 0.75;

const ALL = [
  'showcase.yml',
  'workshop.yml',
  'arrival.yml',
  'morning.yml',
  'attic.yml',
  'crowd.yml',
  'drawer-of-everything.yml',
  'house',
  'house@/home/cinema-room',
  'house@/home/across',
  'house@/nowhere',
];

/** The service that is down in the picture for the README. */
const DOWN = 'OctoPrint';

/** The account for configs with users. */
const PERSON = { username: 'greta', password: 'lantern' };

/** Shows a page completely: all pictures there, nothing moving. */
async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  // Pages that stand in for others carry no script.
  if (await page.locator('#settings').count()) await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)));
    await document.fonts.ready;
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
    await Promise.all(timed.map((animation) => animation.finished.catch(() => undefined)));
  });
}

/** Takes a picture of an address on each screen, first in light mode, then in dark mode. */
async function onAllScreens(browser: Browser, url: string, each: (width: number, colorScheme: string, picture: Buffer) => void): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of VIEWPORTS) {
      const isPhone = viewport.width < 600;
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        deviceScaleFactor: isPhone ? 2 : 1,
        isMobile: isPhone,
        hasTouch: isPhone,
        httpCredentials: PERSON,
        locale: 'en-GB',
      });
      const page = await context.newPage();
      await show(page, url);
      each(viewport.width, colorScheme, await page.screenshot());
      await context.close();
    }
  }
}

async function picturesOf(browser: Browser, argument: string): Promise<void> {
  const [config, path = '/'] = argument.split('@') as [string, string?];
  const portico = await Portico.start({ config: known(config), environment: hasUsers(resolve(CONFIGS, known(config))) ? { ENABLE_HTTP_AUTH: 'true' } : {} });
  const name = [basename(config, '.yml'), ...path.split('/').filter(Boolean)].join('-');
  await onAllScreens(browser, portico.url + path, (width, colorScheme, picture) => {
    const file = join(OUTPUT, `${name}-${width}-${colorScheme}.png`);
    writeFileSync(file, picture);
    console.log(file);
  });
  await portico.remove();
}

/** A dashboard and the gallery of widgets on all screens, as one picture. */
async function screensPicture(browser: Browser): Promise<void> {
  let pictures = '';
  for (const start of [{ config: 'showcase.yml' }, { demo: true }]) {
    const portico = await Portico.start(start);
    await onAllScreens(browser, `${portico.url}/`, (_, __, picture) => {
      pictures += `<img src="data:image/png;base64,${picture.toString('base64')}">`;
    });
    await portico.remove();
  }
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await page.setContent(`<!doctype html><style>
    body { display: grid; grid-template-columns: repeat(${VIEWPORTS.length}, max-content); gap: 12px; width: max-content; margin: 0; padding: 12px; background: #fff }
    img { display: block; height: ${SHEET_HEIGHT}px; border-radius: 6px; box-shadow: 0 0 0 1px #ccc }
  </style>${pictures}`);
  const picture = await webpOfBody(page, SHEET_QUALITY);
  writeFileSync(SCREENS_PICTURE, picture);
  console.log(SCREENS_PICTURE, picture.length);
  await page.close();
}

/** Our pictures beside those of other dashboards, of the same config as the picture in the README. */
async function comparison(browser: Browser, config: string): Promise<void> {
  const portico = await Portico.start({ config });
  const own: OwnPicture[] = [];
  await onAllScreens(browser, `${portico.url}/`, (width, scheme, picture) => {
    const address = `comparison-${width}-${scheme}.png`;
    writeFileSync(join(OUTPUT, address), picture);
    own.push({ width, scheme: scheme === 'light' ? 'light' : 'dark', address });
  });
  await portico.remove();
  const file = join(OUTPUT, 'comparison.html');
  const folder = process.env[VARIABLE];
  writeFileSync(file, comparisonPage(own, folder ? resolve(folder) : undefined));
  console.log(file);
}

/** A path from the working directory, or else one below `configs/`. */
function known(config: string): string {
  const path = resolve(config);
  return statSync(path, { throwIfNoEntry: false }) ? path : config;
}

/** What the README shows of the gallery, in this order: a bit of everything. */
const SHOWN_WIDGETS = [
  'Clock',
  'System info',
  'RSS feed',
  'DNS filter stats',
  'Exchange rates',
  'System network traffic',
  'Weather forecast',
  'TFL status',
  'Game server status',
  'Public holidays',
  'Joke',
];

/** Leaves only some sections of the page, in an order of ours. */
function keepOnly(page: Page, names: string[]): Promise<void> {
  return page.evaluate((names) => {
    const main = document.querySelector('main')!;
    const sections = new Map([...main.children].map((section) => [section.querySelector('h2')!.textContent, section]));
    main.replaceChildren(...names.map((name) => sections.get(name)!));
    // The lanes of the whole page are full elsewhere.
    for (const [index, section] of [...main.children].entries()) (section as HTMLElement).style.setProperty('--lane', String((index % 3) + 1));
    window.dispatchEvent(new Event('resize'));
  }, names);
}

/** One half by day, the other by night. `height` is that of the window. */
async function readmePicture(browser: Browser, start: Start, file: string, height: number, names?: string[]): Promise<void> {
  const portico = await Portico.start(start);
  const viewport = { width: 1366, height };
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, locale: 'en-GB' });
  const halves: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await show(page, `${portico.url}/`);
    await page.waitForFunction(() => !document.querySelector('.item[data-status]:not([data-status="up"], [data-status="down"]), [data-state="loading"]'));
    if (names) {
      await keepOnly(page, names);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))));
    }
    halves.push((await page.screenshot()).toString('base64'));
  }
  await page.close();
  const sheet = await browser.newPage({ viewport, deviceScaleFactor: 1.25 });
  const [day, night] = halves.map((half) => `url(data:image/png;base64,${half})`);
  await sheet.setContent(`<style>
    body { margin: 0; height: 100vh; background: ${day} 0 / 100% }
    div { height: 100%; background: ${night} 0 / 100%; clip-path: polygon(58% 0, 100% 0, 100% 100%, 42% 100%) }
  </style><div></div>`);
  const picture = await sheet.screenshot();
  if (picture.length > LARGEST) throw new Error(`${file} would have ${picture.length} bytes, more than ${LARGEST}`);
  writeFileSync(file, picture);
  console.log(file, picture.length);
  await sheet.close();
  await portico.remove();
}

/**
 * The showcase as a living house: with further pages, widgets, and status checks of services on this machine, one of which is
 * down. Returns its folder.
 */
async function furnish(): Promise<{ folder: string; remove: () => void }> {
  const services = createServer((request, response) => {
    response.statusCode = request.url === '/down' ? 503 : 200;
    response.end();
  });
  await new Promise<void>((done) => services.listen(0, '127.0.0.1', done));
  const { port } = services.address() as AddressInfo;
  const config = parse(readFileSync(join(CONFIGS, 'showcase.yml'), 'utf8'));
  config.pageInfo.navLinks.splice(1);
  config.pages = [{ name: 'Lab', path: 'lab.yml' }, { name: 'Garden', path: 'garden.yml' }];
  config.appConfig.statusCheck = true;
  for (const item of config.sections.flatMap((section: { items: object[] }) => section.items)) {
    if (item.url) item.statusCheckUrl = `http://127.0.0.1:${port}/${item.title === DOWN ? 'down' : ''}`;
  }
  config.sections.splice(1, 0, { name: 'Today', icon: 'mdi-clock-outline', widgets: [{ type: 'clock' }] });
  const watched = ['Home Assistant', 'Nextcloud', DOWN, 'Proxmox'];
  config.sections.push({ name: 'Uptime', icon: 'mdi-heart-pulse', widgets: [{ type: 'service-status', options: { items: watched } }] });
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'conf.yml'), stringify(config));
  for (const name of ['lab', 'garden']) writeFileSync(join(folder, `${name}.yml`), 'sections: []\n');
  const remove = () => {
    services.close();
    rmSync(folder, { recursive: true });
  };
  return { folder, remove };
}

mkdirSync(OUTPUT, { recursive: true });
const browser = await browserType.launch(chromium);
const wanted = process.argv.slice(2);
for (const argument of wanted.length ? wanted.filter((name) => name !== 'docs') : ALL) await picturesOf(browser, argument);
if (!wanted.length || wanted.includes('docs')) {
  const house = await furnish();
  await readmePicture(browser, { config: house.folder }, README_PICTURE, 720);
  await comparison(browser, house.folder);
  house.remove();
  await readmePicture(browser, { demo: true }, WIDGETS_PICTURE, 880, SHOWN_WIDGETS);
  await screensPicture(browser);
}
await browser.close();
