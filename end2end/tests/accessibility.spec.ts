// Accessibility of home, pages, fallback pages and dialogs: in light and dark, on a desktop and on a phone.

import { check, VIEWPORTS } from '../accessibility.ts';
import { violations } from '../axe.ts';
import { expect, open, test } from '../fixtures.ts';

// Checking a page four times is slow on a slow machine.
test.describe.configure({ timeout: 90_000 });

test('home', async ({ page }) => {
  await check(page, () => open(page));
});

test('a section alone', async ({ page }) => {
  await check(page, () => open(page, '/home/main/drawers'));
});

test('a search with and without hits', async ({ page }) => {
  for (const text of ['metal', 'submarine']) {
    await check(page, async () => {
      await open(page);
      await page.getByRole('searchbox').fill(text);
      await expect(page.getByText('No results on this page')).toBeVisible({ visible: text === 'submarine' });
    });
  }
});

test('the options', async ({ page }) => {
  await check(page, async () => {
    await open(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.locator('#options-panel')).toBeVisible();
  });
});

test('the list of keys', async ({ page }) => {
  await check(page, async () => {
    await open(page);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('the pop-up', async ({ page }) => {
  await check(page, async () => {
    await open(page);
    await page.getByRole('link', { name: 'Window seat' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    // The framed page is not ours.
    await page.locator('iframe').evaluate((frame) => frame.removeAttribute('src'));
  });
});

for (const config of ['arrival.yml', 'attic.yml', 'drawer-of-everything.yml', 'crowd.yml', 'showcase.yml']) {
  test.describe(config, () => {
    test.use({ config });

    test('home', async ({ page }) => {
      await check(page, () => open(page));
    });
  });
}

test.describe('several pages', () => {
  test.use({ config: 'house' });

  for (const path of ['/', '/home/cinema-room', '/home/cables']) {
    test(path, async ({ page }) => {
      await check(page, () => open(page, path));
    });
  }

  test('the bar of pages on a phone', async ({ page }) => {
    await page.setViewportSize(VIEWPORTS[1]!);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await open(page);
      await expect(page.locator('#nav-items')).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
  });
});

test.describe('the not-found page', () => {
  test.use({ expected: /status of 404/ });

  test('has nothing against it', async ({ page }) => {
    await check(page, async () => {
      await page.goto('./nowhere');
    });
  });
});

test.describe('the error panel', () => {
  test.use({ text: 'sections:\n  - name: "Open\n', expected: /status of 500/ });

  test('has nothing against it', async ({ page }) => {
    await check(page, async () => {
      await page.goto('./');
    });
  });
});

test.describe('the notice above the last good version', () => {
  test('has nothing against it', async ({ page, portico }) => {
    await open(page);
    portico.write('conf.yml', 'sections: [\n');
    await expect.poll(async () => (await page.request.get('./')).text(), { timeout: 2_000 }).toContain('class="notice"');
    await check(page, () => open(page));
  });
});

test.describe('a config without names', () => {
  test.use({
    text: `pages: [{ path: beds.yml }]
sections:
  - items: [{ url: 'https://nas.lan:5001/photos' }, { url: /wiki }]
  - items: [{ subItems: [{ url: 'https://shed.example/x' }] }]
`,
  });

  test('has nothing against it', async ({ page, portico }) => {
    portico.write('beds.yml', 'sections: []\n');
    await check(page, () => open(page));
    await page.setViewportSize(VIEWPORTS[0]!);
    for (const name of ['nas.lan:5001', '/wiki', 'shed.example', 'beds.yml']) {
      await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
    }
    await expect(page.getByRole('region', { name: 'Unnamed section' })).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'Unnamed section' })).toHaveCount(2);
    await page.getByRole('link', { name: 'beds.yml' }).click();
    await expect(page.locator('.empty-config')).toContainText('written in beds.yml');
  });
});

test.describe('an empty config', () => {
  test.use({ text: 'sections: []\n' });

  test('has nothing against it', async ({ page }) => {
    await check(page, () => open(page));
  });
});

/** Names of well-known themes, light and dark. */
const THEMES = ['nord', 'dracula', 'solarized-light', 'material', 'colorful', 'gruvbox', 'minimal-light', 'high-contrast-dark'];

for (const theme of THEMES) {
  test(`the theme ${theme}`, async ({ page }) => {
    await page.addInitScript((theme) => localStorage.setItem('theme', theme), theme);
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect(await violations(page)).toEqual([]);
  });
}

test('headings and landmarks make an outline', async ({ page }) => {
  await open(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB');
  for (const role of ['banner', 'main', 'contentinfo', 'search'] as const) await expect(page.getByRole(role)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Machines', 'Drawers', 'Doors', 'Shelves', 'Spare room']);
});

test.describe('in French', () => {
  test.use({ config: 'attic.yml' });

  test('the page declares the language of the config', async ({ page }) => {
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  });
});
