// Takes a picture of each widget's panel in the gallery, and combines them into the sheets at the top of docs/widgets.md. The
// widgets of each sheet, and their order, are listed there (`UPDATE_DOCS=1 cargo test -p widgets docs` writes it). Works
// with any build of the program.
//
//   PORTICO=../target/debug/portico npx tsx widget-pictures.ts

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium as browserType, type Browser, type Page } from '@playwright/test';

import { chromium } from './browser.ts';
import { Portico } from './server.ts';
import { webpOfBody } from './webp.ts';

const DOCS = join(import.meta.dirname, '../docs');
const FOLDER = join(DOCS, 'widgets');
/** All sheets together, in bytes. */
const LARGEST = 1.5 * 1024 * 1024;
/** The width of a panel, as on most dashboards, and its maximum height on the sheet. */
const PANEL = { width: 360, height: 300 };
const COLUMNS = 4;
/** Of WebP, 0 to 1. */
const QUALITY = 0.72;

interface Sheet {
  file: string;
  kinds: string[];
}

/** The sheets in the reference: a picture, followed by a link to each widget on it. */
function sheets(): Sheet[] {
  const text = readFileSync(join(DOCS, 'widgets.md'), 'utf8');
  const found = [...text.matchAll(/^!\[[^\]]*\]\(widgets\/([\w.-]+)\)\n\n(.+)$/gm)];
  return found.map(([, file, links]) => ({ file: file!, kinds: [...links!.matchAll(/\[([\w-]+)\]\(#/g)].map(([, kind]) => kind!) }));
}

/** The panels of the gallery by their types, each as a picture. */
async function panels(browser: Browser, kinds: string[]): Promise<Map<string, string>> {
  const portico = await Portico.start({ demo: true });
  // One column of panels with this width.
  const page = await browser.newPage({ viewport: { width: PANEL.width + 60, height: 1200 }, deviceScaleFactor: 1, locale: 'en-GB', timezoneId: 'Europe/London' });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${portico.url}/`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)));
    await document.fonts.ready;
  });
  const taken = new Map<string, string>();
  for (const kind of kinds) {
    const panel = page.locator(`.widget-${kind}`).first();
    await panel.scrollIntoViewIfNeeded();
    await page.waitForFunction((kind) => !document.querySelector(`.widget-${kind}`)!.querySelector('[data-state="loading"]'), kind);
    const picture = await panel.screenshot({ animations: 'disabled' });
    taken.set(kind, `data:image/png;base64,${picture.toString('base64')}`);
  }
  await page.close();
  await portico.remove();
  return taken;
}

/** The panels of one sheet with their names, as WebP. */
async function draw(page: Page, kinds: string[], taken: Map<string, string>): Promise<Buffer> {
  const figure = (kind: string) => `<figure><figcaption>${kind}</figcaption><div><img src="${taken.get(kind)}"></div></figure>`;
  await page.setContent(`<!doctype html><style>
    body { box-sizing: border-box; width: ${COLUMNS * (PANEL.width + 16) + 16}px; margin: 0; padding: 16px 0 0 16px; background: #fff; columns: ${COLUMNS}; column-gap: 0; font: 600 15px sans-serif; color: #222 }
    figure { break-inside: avoid; width: ${PANEL.width}px; margin: 0 16px 16px 0 }
    figcaption { padding: 0 0 6px }
    div { max-height: ${PANEL.height}px; overflow: hidden; border: 1px solid #ddd; border-radius: 8px }
    img { display: block; width: 100% }
  </style>${kinds.map(figure).join('')}`);
  return webpOfBody(page, QUALITY);
}

const wanted = sheets();
if (wanted.length === 0) throw new Error('docs/widgets.md names no sheet');
const browser = await browserType.launch(chromium);
const taken = await panels(browser, wanted.flatMap(({ kinds }) => kinds));
const page = await browser.newPage({ viewport: { width: COLUMNS * (PANEL.width + 16) + 16, height: 1000 }, deviceScaleFactor: 1 });
mkdirSync(FOLDER, { recursive: true });
let total = 0;
for (const { file, kinds } of wanted) {
  const picture = await draw(page, kinds, taken);
  writeFileSync(join(FOLDER, file), picture);
  total += picture.length;
  console.log(file, picture.length);
}
for (const file of readdirSync(FOLDER)) {
  if (!wanted.some((sheet) => sheet.file === file)) rmSync(join(FOLDER, file));
}
await browser.close();
console.log(`${wanted.length} sheets, ${total} bytes`);
if (total > LARGEST) throw new Error(`the sheets have ${total} bytes, more than ${LARGEST}`);
