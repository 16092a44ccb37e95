// axe finds nothing to complain about: home, pages, fallback pages, dialogs; by day and by night; on a desk and on a phone.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

// Four looks at a page take their time on a slow machine.
test.describe.configure({ timeout: 90_000 });

const VIEWPORTS = [
  { width: 1366, height: 900 },
  { width: 390, height: 844 },
];

/**
 * Sections lay their colour over the page's as a gradient of one colour, which axe gives up on, and with it on every
 * text inside. A plain ground of the colour that results is the same to the eye. A picture behind the page is the
 * choice of whoever wrote the config.
 */
function flatten(page: Page): Promise<void> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    document.body.style.backgroundImage = 'none';
    for (const node of document.querySelectorAll<HTMLElement>('main > section')) {
      const { backgroundImage, backgroundColor } = getComputedStyle(node);
      const [, color] = /^linear-gradient\((.+) 0px, \1 0px\)$/.exec(backgroundImage) ?? [];
      if (!color) continue;
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of [backgroundColor, color]) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      node.style.background = `rgb(${red} ${green} ${blue} / ${alpha! / 255})`;
    }
  });
}

/** What axe has against the page, or cannot tell about its colours, in a form that can be read. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
  await flatten(page);
  const { violations, incomplete } = await new AxeBuilder({ page }).analyze();
  const lines = [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) => {
    return nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 120)} (${[...any, ...all].map((check) => check.message).join('; ')})`);
  });
  // Arrows are no text to axe; and of what lies above everything else it thinks that something lies above it.
  return lines.filter((line) => !/only non-text characters|overlapped by another element/.test(line));
}

/** Checks the page by day and by night, and at both sizes. `arrange` brings it into the state to be checked. */
async function check(page: Page, arrange: () => Promise<void>): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await arrange();
      expect.soft(await violations(page), `${viewport.width}, ${colorScheme}`).toEqual([]);
    }
  }
}

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
    // The page inside is somebody else's.
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

  test('the menu', async ({ page }) => {
    await page.setViewportSize(VIEWPORTS[1]!);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await open(page);
      await page.getByRole('button', { name: 'Menu' }).click();
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

test.describe('an empty config', () => {
  test.use({ text: 'sections: []\n' });

  test('has nothing against it', async ({ page }) => {
    await check(page, () => open(page));
  });
});

/** Names of themes that people bring along, light and dark ones. */
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
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  for (const role of ['banner', 'main', 'contentinfo', 'search'] as const) await expect(page.getByRole(role)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Machines', 'Drawers', 'Doors', 'Shelves', 'Spare room']);
});

test.describe('in French', () => {
  test.use({ config: 'attic.yml' });

  test('the language of the config is told', async ({ page }) => {
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  });
});
