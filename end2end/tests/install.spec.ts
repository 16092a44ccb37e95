// Installing the dashboard as an app (docs/spec/behavior.md 21).

import { rmSync } from 'node:fs';

import { chromium as engine } from '@playwright/test';

import { chromium } from '../browser.ts';
import { alive } from '../fixtures.ts';
import { expect, install, test } from '../offline.ts';
import { temporaryDirectory } from '../server.ts';

const CONF = `pageInfo: { title: Harbour house, logo: /item-icons/logo.png }
appConfig: { enableServiceWorker: true }
sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]
`;

// The worker comes a while after the page.
test.describe.configure({ timeout: 90_000 });

test.use({ text: CONF });

/** A picture of one color and that size, as Chromium writes it. */
const picture = (side: number) => `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: ${side}, height: ${side} });
  Object.assign(canvas.getContext('2d'), { fillStyle: '#c40' }).fillRect(0, 0, ${side}, ${side});
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

test('Chromium finds nothing that keeps an ordinary window from installing it, and takes the logo for its icon', async ({ page, portico }) => {
  await page.goto('about:blank');
  portico.write('item-icons/logo.png', Buffer.from(await page.evaluate<string>(picture(512)), 'base64'));
  // The server looks at its folder every few seconds.
  const firstIcon = async () => ((await (await page.request.get(`${portico.url}/manifest.json`)).json()) as { icons: { src: string }[] }).icons[0]!.src;
  await expect.poll(firstIcon, { timeout: 15_000 }).toBe('/icons/file/logo.png');
  // Other tests use private windows, in which apps cannot be installed.
  const profile = temporaryDirectory();
  const context = await engine.launchPersistentContext(profile, { ...chromium, baseURL: `${portico.url}/` });
  try {
    const window = await context.newPage();
    await install(window);
    const session = await context.newCDPSession(window);
    const { errors, data, url } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(url).toBe(`${portico.url}/manifest.json`);
    expect(JSON.parse(data!)).toMatchObject({ id: '/', name: 'Harbour house', display: 'standalone' });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    const icons = (JSON.parse(data!) as { icons: { src: string; sizes: string }[] }).icons;
    expect(icons[0]).toMatchObject({ src: '/icons/file/logo.png', sizes: '512x512' });
    for (const { src, sizes } of icons) {
      const size = await window.evaluate(async (src) => {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(`${src} ${size}`).toBe(`${src} ${sizes}`);
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

for (const when of ['before the page has its part', 'later'] as const) {
  test(`the options have a button where the browser offers it, ${when}`, async ({ page }) => {
    const offer = () => {
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => Promise.resolve(Object.assign(window, { prompted: true })) });
      dispatchEvent(event);
      Object.assign(window, { isHeldBack: event.defaultPrevented });
    };
    if (when === 'later') await install(page);
    else await page.goto('./');
    await alive(page);
    await page.evaluate(offer);
    // Otherwise the browser would show its own prompt.
    expect(await page.evaluate(() => (window as unknown as { isHeldBack: boolean }).isHeldBack)).toBe(true);
    await page.getByRole('button', { name: 'Options' }).click();
    const button = page.getByRole('button', { name: 'Install as an app' });
    await expect(button).toHaveCount(1, { timeout: 10_000 });
    await button.click();
    expect(await page.evaluate(() => 'prompted' in window)).toBe(true);
    await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
    await expect(button).toHaveCount(0);
  });
}

test('without an offer there is no button', async ({ page }) => {
  await install(page);
  await page.getByRole('button', { name: 'Options' }).click();
  await expect(page.getByRole('button', { name: 'Install as an app' })).toHaveCount(0);
});
