// Pictures, fonts and style sheets on other hosts that the config names: the server fetches them, and the browser requests no
// other host.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, open, rewrite, test as base } from '../fixtures.ts';
import { type ServiceResponse, Upstream } from '../upstream.ts';

const FONT = readFileSync(join(import.meta.dirname, '../../public/fonts/vt323-latin.woff2'));

const test = base.extend<{ host: Upstream }>({
  host: async ({}, use) => {
    const host = await Upstream.start();
    const send = (type: string, body: string | Buffer): ServiceResponse => (_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    };
    const square = (side: number) => send('image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" fill="teal"/></svg>`);
    for (const side of [11, 12, 13, 14, 15]) host.responses.set(`/${side}.svg`, square(side));
    host.responses.set('/font.woff2', send('application/octet-stream', FONT));
    host.responses.set('/sheet.css', send('text/css', '@font-face { font-family: Quay; src: url(font.woff2) } .page-title { background-image: url(/15.svg) }'));
    host.responses.set('/imported.css', send('text/css', '.section-heading { letter-spacing: 3px }'));
    await use(host);
    await host.stop();
  },
});

test.use({ environment: { OFFLINE: 'false' } });

const config = (url: string) => `pageInfo: { title: Harbour, footer: '<img src="${url}/11.svg" alt="Crane">' }
appConfig:
  backgroundImg: ${url}/12.svg
  externalStyleSheet: [ ${url}/sheet.css ]
  customColors: { default: { sea: 'url("${url}/13.svg")' } }
  customCss: |
    @import url(${url}/imported.css);
    .item { background-image: var(--sea) } .section-heading { background-image: url(${url}/14.svg) }
sections: [ { name: Quay, items: [ { title: Skiff, url: 'https://skiff.example' } ] } ]
`;

/** The width of the picture behind an element. */
function widthOfPicture(page: Page, selector: string): Promise<number> {
  return page.locator(selector).first().evaluate(async (element) => {
    const src = /url\("([^"]+)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? '';
    const image = Object.assign(new Image(), { src });
    await image.decode();
    return image.naturalWidth;
  });
}

test('come through the server', async ({ page, portico, host }) => {
  await rewrite(page, portico, config(host.url));
  await open(page);
  expect(await page.getByRole('img', { name: 'Crane' }).evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(11);
  for (const [selector, width] of [['body', 12], ['.item', 13], ['.section-heading', 14], ['.page-title', 15]] as const) {
    expect(await widthOfPicture(page, selector), selector).toBe(width);
  }
  await expect(page.locator('.section-heading')).toHaveCSS('letter-spacing', '3px');
  const fonts = await page.evaluate(async () => (await document.fonts.load('1rem Quay')).map(({ status }) => status));
  expect(fonts).toEqual(['loaded']);
  expect(await page.content()).not.toContain(host.url);
});

test.describe('what is not named', () => {
  test.use({ expected: /Content Security Policy/ });

  test('stays blocked, on the same host too', async ({ page, portico, host }) => {
    await rewrite(page, portico, config(host.url));
    await open(page);
    const blocked = await page.evaluate(
      (src) =>
        new Promise<string>((done) => {
          addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective), { once: true });
          document.body.append(Object.assign(new Image(), { src }));
        }),
      `${host.url}/unnamed.svg`,
    );
    expect(blocked).toBe('img-src');
    expect(host.count('/unnamed.svg')).toBe(0);
  });
});
