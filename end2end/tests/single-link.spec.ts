// A single link of the header on a phone.

import { address, alive, expect, test } from '../fixtures.ts';

test.use({ text: 'pageInfo:\n  title: Lighthouse\n  navLinks: [ { title: Harbour, path: "https://harbour.example" } ]\nsections:\n  - { name: A, items: [ { title: Lamp } ] }\n' });

test('a single link stands beside the title, without a menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address('/'));
  await alive(page);
  const link = page.getByRole('link', { name: 'Harbour' });
  await expect(link).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Menu' })).toBeHidden();
  const [title, box] = [await page.getByRole('heading', { name: 'Lighthouse' }).boundingBox(), await link.boundingBox()];
  expect(box!.x).toBeGreaterThan(title!.x + title!.width);
  expect(box!.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
