// WebP pictures for the docs, encoded by the browser, so that nothing else has to be installed.

import type { Page } from '@playwright/test';

/** The page's body as WebP; `quality` is from 0 to 1. Waits for the pictures in it. */
export async function webpOfBody(page: Page, quality: number): Promise<Buffer> {
  await page.evaluate(() => Promise.all([...document.images].map((picture) => picture.decode())));
  const whole = (await page.locator('body').screenshot()).toString('base64');
  const encoded = await page.evaluate(
    async ({ whole, quality }) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${whole}`;
      await picture.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.getContext('2d')!.drawImage(picture, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    { whole, quality },
  );
  if (!encoded.startsWith('data:image/webp')) throw new Error('this browser writes no WebP');
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
}
