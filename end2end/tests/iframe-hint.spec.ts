// The hint below a frame whose page does not load.

import { expect, open, test } from '../fixtures.ts';

const ADDRESS = 'https://slow.example/status';

test.use({ text: `sections: [{ name: Home, widgets: [{ type: iframe, options: { url: '${ADDRESS}' } }] }]\n` });

test('a frame that stays empty shows a hint after 15 seconds, until its page arrives', async ({ page }) => {
  await page.clock.install();
  let come!: () => void;
  const held = new Promise<void>((resolve) => { come = resolve; });
  await page.route(ADDRESS, async (route) => {
    await held;
    await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Status</title>' });
  });
  await open(page);
  const frame = page.locator('.part-frame iframe');
  await expect(frame).toBeVisible();
  const hint = page.getByText('The page has not loaded.');
  await page.clock.runFor(12_000);
  await expect(hint).toBeHidden();
  await page.clock.runFor(4_000);
  await expect(hint).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', ADDRESS);
  come();
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(hint).toBeHidden({ timeout: 200 });
  }).toPass();
});
