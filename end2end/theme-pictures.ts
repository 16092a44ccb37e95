// Takes a picture of each theme and combines them into docs/themes.webp, in the order of docs/themes.md. Works with any build of the program.
//
//   PORTICO=../target/debug/portico npx tsx theme-pictures.ts [THEME …]
//
// With names of themes, it takes only their pictures, at desktop and phone size, into output/.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium as browserType, type Browser, type Page } from '@playwright/test';

import { chromium } from './browser.ts';
import { Portico } from './server.ts';
import { webpOfBody } from './webp.ts';

const DOCS = join(import.meta.dirname, '../docs');
const OUTPUT = join(import.meta.dirname, 'output');
/** Just large enough for the page, without empty background. */
const DESK = { width: 1120, height: 630 };
const PHONE = { width: 390, height: 844 };
/** Of the sheet: pictures in a row, and their width in pixels. */
const COLUMNS = 4;
const WIDTH = 440;
const QUALITY = 0.7;
const LARGEST = 1024 * 1024;
/** The themes shown in light mode. The others are dark, or better known in dark mode. */
const NOON = new Date('2026-06-21T11:00:00Z');

/** The themes as docs/themes.md names them. */
function names(): string[] {
  const text = readFileSync(join(DOCS, 'themes.md'), 'utf8');
  return [...text.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name!);
}

async function take(browser: Browser, wanted: string[], viewport: typeof DESK, each: (name: string, picture: Buffer) => void): Promise<void> {
  const portico = await Portico.start({ config: 'harbour.yml' });
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'Europe/London' });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOON);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(`${portico.url}/`);
  for (const name of wanted) {
    await page.evaluate((name) => localStorage.setItem('theme', name), name);
    await page.reload();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await settle(page);
    each(name, await page.screenshot({ animations: 'disabled' }));
  }
  await context.close();
  await portico.remove();
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)));
    await document.fonts.ready;
  });
}

/** All pictures with their names, as WebP. */
async function sheet(browser: Browser, taken: Map<string, string>): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: COLUMNS * (WIDTH + 12) + 12, height: 1000 } });
  const figure = ([name, picture]: [string, string]) => `<figure><img src="${picture}"><figcaption>${name}</figcaption></figure>`;
  await page.setContent(`<!doctype html><style>
    body { display: grid; grid-template-columns: repeat(${COLUMNS}, ${WIDTH}px); gap: 12px; box-sizing: border-box; margin: 0; padding: 12px; background: #fff; font: 600 15px sans-serif; color: #222 }
    figure { margin: 0 }
    img { display: block; width: 100%; border-radius: 6px; box-shadow: 0 0 0 1px #ccc }
    figcaption { padding: 4px 2px 2px }
  </style>${[...taken].map(figure).join('')}`);
  return webpOfBody(page, QUALITY);
}

const browser = await browserType.launch(chromium);
const requested = process.argv.slice(2);
if (requested.length > 0) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const viewport of [DESK, PHONE]) {
    await take(browser, requested, viewport, (name, picture) => {
      const file = join(OUTPUT, `theme-${name}-${viewport.width}.png`);
      writeFileSync(file, picture);
      console.log(file);
    });
  }
} else {
  const taken = new Map<string, string>();
  await take(browser, names(), DESK, (name, picture) => taken.set(name, `data:image/png;base64,${picture.toString('base64')}`));
  const picture = await sheet(browser, taken);
  writeFileSync(join(DOCS, 'themes.webp'), picture);
  console.log(`${taken.size} themes, ${picture.length} bytes`);
  if (picture.length > LARGEST) throw new Error(`the sheet has ${picture.length} bytes, more than ${LARGEST}`);
}
await browser.close();
