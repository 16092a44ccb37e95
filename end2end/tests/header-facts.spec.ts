// Small facts below the header.

import { violations } from '../axe.ts';
import { address, alive, expect, test } from '../fixtures.ts';

const TEXT = `
sections:
  - name: Top
    widgets:
      - { type: clock, place: header, label: Vienna, options: { timeZone: Europe/Vienna, hideSeconds: true } }
      - { type: clock, place: header, options: { hideDate: true } }
  - name: Reading
    items: [ { title: Library } ]
`;

test.describe('facts below the header', () => {
  test.use({ text: TEXT });

  test('take one line on all screens, and show the time', async ({ page }) => {
    for (const viewport of [{ width: 390, height: 844 }, { width: 1366, height: 900 }, { width: 2560, height: 1440 }]) {
      await page.setViewportSize(viewport);
      await page.goto(address('/'));
      await alive(page);
      const bar = page.getByRole('region', { name: 'At a glance' });
      await expect(bar.getByRole('article')).toHaveCount(2);
      await expect(bar.locator('.clock-time').first()).toHaveText(/^\d{1,2}:\d\d/);
      const { height, overlaps } = await bar.evaluate((element) => {
        const boxes = [...element.querySelectorAll('.clock-time, .clock-date')].map((one) => one.getBoundingClientRect());
        const overlaps = boxes.some((one, at) => boxes.slice(at + 1).some((other) => one.left < other.right && other.left < one.right));
        return { height: element.getBoundingClientRect().height, overlaps };
      });
      expect(height).toBeLessThanOrEqual(44);
      expect(overlaps).toBe(false);
      await expect(page.getByRole('heading', { name: 'Top' })).toHaveCount(0);
      expect(await violations(page)).toEqual([]);
    }
  });

  test('can be edited where they stand', async ({ page }) => {
    await page.goto(address('/'));
    await alive(page);
    await page.getByRole('button', { name: 'Edit this page' }).click();
    await page.getByRole('button', { name: 'Edit widget Vienna' }).click();
    await expect(page.getByRole('dialog')).toContainText('Place');
  });
});
