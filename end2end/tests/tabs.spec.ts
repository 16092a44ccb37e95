// Groups of widgets as tabs.

import { violations } from '../axe.ts';
import { address, alive, expect, test } from '../fixtures.ts';

const TEXT = `
sections:
  - name: Reading
    widgets:
      - { type: notes, tab: Today, options: { content: 'Water the beans' } }
      - { type: notes, tab: Later, options: { content: "Paint\\n\\nthe\\n\\nfence\\n\\nand\\n\\nthe\\n\\ngate" } }
      - { type: notes, tab: Never, options: { content: Iron } }
`;

test.describe('a group of tabs', () => {
  test.use({ text: TEXT });

  test('follows the keys of the ARIA pattern, and nothing moves', async ({ page }) => {
    await page.goto(address('/'));
    await alive(page);
    const group = page.locator('.widget-tabs[data-live]');
    await expect(group).toBeAttached();
    const height = () => group.evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await expect(page.getByText('Water the beans')).toBeVisible();
    await expect(page.getByText('Iron')).toBeHidden();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Later' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('fence');
    await expect(page.getByText('Water the beans')).toBeHidden();
    expect(await height()).toBe(before);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Never' })).toBeFocused();
    await expect(page.getByText('Iron')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Today', selected: true })).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('tab', { name: 'Never', selected: true })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tabpanel', { name: 'Never' })).toBeFocused();
  });

  test('is searched as a whole', async ({ page }) => {
    await page.goto(address('/'));
    await alive(page);
    await page.keyboard.type('notes');
    await expect(page.getByText('Iron')).toBeVisible();
    await expect(page.getByText('Water the beans')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(0);
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('opens a tab by its link', async ({ page }) => {
      await page.goto(address('/'));
      await expect(page.getByText('Water the beans')).toBeVisible();
      await page.getByRole('tab', { name: 'Never' }).click();
      await expect(page.getByText('Iron')).toBeVisible();
      await expect(page.getByText('Water the beans')).toBeHidden();
    });
  });
});
