// Themes: in the page before any script, in light and dark, chosen in the dialog, and with colors from the config.

import type { Page } from '@playwright/test';

import { violations } from '../axe.ts';
import { alive, expect, open, test } from '../fixtures.ts';

/** The color behind the page. */
function ground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

/** A variable of the page, resolved to a color. */
function variable(page: Page, name: string): Promise<string> {
  return page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), name);
}

/** Reloads the page with a bundle that never arrives, so that only the first paint is visible. */
async function reloadWithoutBundle(page: Page): Promise<void> {
  await page.route('**/*.wasm', () => {});
  await page.reload({ waitUntil: 'domcontentloaded' });
}

async function openDialog(page: Page): Promise<ReturnType<Page['getByRole']>> {
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Choose a theme' }).click();
  const dialog = page.getByRole('dialog', { name: 'Theme' });
  await expect(dialog).toBeVisible();
  return dialog;
}

const NORD = 'rgb(59, 66, 82)';
const DRACULA = 'rgb(68, 71, 90)';
const GLOW = 'rgb(246, 246, 246)';

test.describe('by day and by night', () => {
  test.use({ text: 'appConfig: { dayTheme: glow, nightTheme: nord }\nsections: [{ name: Boats, items: [{ title: Skiff }] }]' });

  test('follow the system while the page is open', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page);
    expect(await ground(page)).toBe(NORD);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'nord');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground(page)).toBe(GLOW);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'glow');
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('follow the system', async ({ page }) => {
      // Without scripts, nothing can be evaluated either, so compare the painted background.
      const painted = async () => (await page.screenshot({ clip: { x: 2, y: 2, width: 1, height: 1 } })).toString('base64');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto('./');
      const night = await painted();
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await painted()).not.toBe(night);
    });
  });
});

test.describe('the dialog', () => {
  test.use({ text: 'appConfig: { theme: nord, customColors: { tern: { background: "#123456", primary: "#ffcc00" } } }\nsections: [{ name: Boats, items: [{ title: Skiff }] }]' });

  test('shows a theme at once and keeps it', async ({ page }) => {
    await open(page);
    expect(await ground(page)).toBe(NORD);
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'Dracula' }).check();
    await expect.poll(() => ground(page)).toBe(DRACULA);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await expect(dialog).toBeHidden();
    await reloadWithoutBundle(page);
    expect(await ground(page)).toBe(DRACULA);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dracula');
  });

  test('shows the theme that the arrows reach, and restores the old one with Escape', async ({ page }) => {
    await open(page);
    const dialog = await openDialog(page);
    await expect(dialog.getByRole('radio', { name: 'As configured' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(dialog.getByRole('radio', { name: 'Light', exact: true })).toBeFocused();
    await expect.poll(() => ground(page)).toBe('rgb(243, 245, 249)');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect.poll(() => ground(page)).toBe(NORD);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
  });

  test('offers a theme that only customColors defines', async ({ page }) => {
    await open(page);
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'tern' }).check();
    await expect.poll(() => ground(page)).toBe('rgb(18, 52, 86)');
    await reloadWithoutBundle(page);
    expect(await ground(page)).toBe('rgb(18, 52, 86)');
    expect(await variable(page, '--primary')).toBe('#ffcc00');
  });

  test('keeps an accent for each theme', async ({ page }) => {
    await open(page);
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: '#e94560' }).check();
    expect(await variable(page, '--primary')).toBe('#e94560');
    await reloadWithoutBundle(page);
    expect(await variable(page, '--primary')).toBe('#e94560');
    expect(await page.evaluate(() => localStorage.getItem('customColors'))).toBe('{"nord":{"primary":"#e94560"}}');
    await page.unroute('**/*.wasm');
    await page.reload();
    await alive(page);
    const again = await openDialog(page);
    await expect(again.getByRole('radio', { name: '#e94560' })).toBeChecked();
    await again.getByRole('radio', { name: 'As in the theme' }).check();
    expect(await variable(page, '--primary')).toBe('#d8dee9');
  });

  test('finds themes by their names and words', async ({ page }) => {
    await open(page);
    const dialog = await openDialog(page);
    await dialog.getByRole('searchbox').fill('honey');
    await expect(dialog.getByRole('radio', { name: 'Bee' })).toBeVisible();
    await expect(dialog.getByRole('radio', { name: 'Dracula' })).toBeHidden();
  });

  test('loads nothing before it is opened', async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await open(page);
    expect(requested.filter((path) => path.startsWith('/themes/'))).toEqual([]);
    const html = await (await page.request.get('./')).text();
    expect(html).toContain('#3b4252');
    expect(html).not.toContain('#44475a');
  });

  test('fits a phone and leaves the page in view', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    const dialog = await openDialog(page);
    // It slides in, so wait for its position.
    await expect.poll(async () => {
      const box = (await dialog.boundingBox())!;
      return box.y + box.height;
    }).toBeLessThanOrEqual(844);
    const box = (await dialog.boundingBox())!;
    expect(box.width).toBeLessThanOrEqual(390);
    expect(box.y).toBeGreaterThan(250);
  });
});

test.describe('style sheets of the config', () => {
  test.use({ text: `appConfig: { theme: nord, externalStyleSheet: [/harbour.css] }\nsections: [{ name: Boats, items: [{ title: Skiff }] }]` });

  test('are in the list of themes', async ({ page, portico }) => {
    portico.write('harbour.css', 'html { --background: #102030 } html[data-theme="External Stylesheet 1"] { --background: #123456 }');
    await open(page);
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'External style sheet 1' }).check();
    await expect.poll(() => ground(page)).toBe('rgb(18, 52, 86)');
    await reloadWithoutBundle(page);
    expect(await ground(page)).toBe('rgb(18, 52, 86)');
  });
});

test.describe('the config', () => {
  test.use({
    text: `appConfig:
  theme: harbour-lights
  customColors:
    harbour-lights: { primary: '#ffd166', background: '#073b4c', background-darker: '#052a36', item-shadow: '0 0 0 3px #ff00aa' }
  customCss: '.item { border-radius: 2px; } html[data-theme="harbour-lights"] .item { letter-spacing: 2px }'
sections: [{ name: Boats, items: [{ title: Skiff, url: 'https://skiff.harbour.example' }] }]`,
  });

  test('has its own theme colors, and its styles come last', async ({ page }) => {
    await open(page);
    expect(await ground(page)).toBe('rgb(7, 59, 76)');
    const look = await page.locator('.item').evaluate((item) => {
      const { borderRadius, letterSpacing, boxShadow } = getComputedStyle(item);
      return { borderRadius, letterSpacing, boxShadow };
    });
    expect(look).toEqual({ borderRadius: '2px', letterSpacing: '2px', boxShadow: 'rgb(255, 0, 170) 0px 0px 0px 3px' });
    // The screenshot itself: most of it has the background color from the config.
    const share = await page.evaluate(async (shot) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${shot}`;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      let same = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] === 7 && data[at + 1] === 59 && data[at + 2] === 76) same += 1;
      return (same * 4) / data.length;
    }, (await page.screenshot()).toString('base64'));
    expect(share).toBeGreaterThan(0.5);
  });
});

test.describe('for axe', () => {
  test.use({ config: 'harbour.yml' });

  test('themes with traits that change colors have no violations', async ({ page }) => {
    test.setTimeout(120_000);
    await open(page);
    // One theme for each such trait.
    for (const name of ['colorful', 'nord-frost', 'color-block', 'gruvbox', 'matrix', 'material', 'brutalist', 'dashy-docs', 'high-contrast-dark']) {
      await page.evaluate((name) => localStorage.setItem('theme', name), name);
      await open(page);
      expect.soft(await violations(page), name).toEqual([]);
    }
  });

  test('the dialog has no accessibility violations', async ({ page }) => {
    test.setTimeout(90_000);
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await open(page);
      await openDialog(page);
      expect.soft(await violations(page), String(width)).toEqual([]);
    }
  });
});

test('every theme is drawn as it is measured, and all differ', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page);
  const folder = (await page.locator('html').getAttribute('data-themes'))!;
  const themes = (await (await page.request.get(folder + 'list.json')).json()) as { name: string; dark: string[]; light: string[]; scheme: string | null }[];
  expect(themes).toHaveLength(60);
  await page.emulateMedia({ colorScheme: 'dark' });
  const seen = new Set<string>();
  for (const { name, dark } of themes) {
    const drawn = await page.evaluate(
      async ({ name, folder }) => {
        const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${folder}${name}.css` });
        const loaded = new Promise((done, failed) => ((sheet.onload = done), (sheet.onerror = failed)));
        document.head.append(sheet);
        await loaded;
        const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
        const probe = document.body.appendChild(document.createElement('i'));
        const colors = ['--background', '--primary', '--foreground'].map((variable) => {
          probe.style.color = `var(${variable})`;
          context.fillStyle = getComputedStyle(probe).color;
          context.fillRect(0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
        });
        probe.remove();
        sheet.remove();
        return colors;
      },
      { name, folder },
    );
    const measured = [dark[0]!, dark[2]!, dark[3]!].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    for (const [at, color] of drawn.entries()) {
      for (const [part, value] of color.entries()) expect(Math.abs(value - measured[at]![part]!), `${name} ${at}`).toBeLessThanOrEqual(2);
    }
    seen.add(JSON.stringify([drawn, dark]));
  }
  expect(seen.size).toBe(60);
});

test.describe('the height of the header', () => {
  const titles = [
    ['Home lab', 64],
    ['Everything that runs in the cellar of our house', 72],
  ] as const;

  for (const [title, most] of titles) {
    test.describe(`with the title “${title}”`, () => {
      test.use({ text: `pageInfo: { title: ${title} }\nsections: [{ name: Boats, items: [{ title: Skiff }] }]` });

      test('is that of one bar in every kind of theme, on a desktop and on a phone', async ({ page }) => {
        await open(page);
        for (const name of ['default', 'nord', 'material', 'matrix', 'brutalist', 'colorful', 'parchment', 'glass']) {
          await page.evaluate((name) => localStorage.setItem('theme', name), name);
          for (const width of [1366, 390]) {
            await page.setViewportSize({ width, height: 900 });
            await open(page);
            // On a phone, the search box has a row of its own.
            const bar = page.locator(width === 1366 ? '.top' : '.page-header');
            expect.soft((await bar.boundingBox())!.height, `${name} at ${width}`).toBeLessThanOrEqual(most);
            expect.soft((await page.locator('main .item').first().boundingBox())!.y, `${name} at ${width}`).toBeLessThan(width === 1366 ? 128 : 190);
          }
        }
      });
    });
  }
});

test.describe('a bar across the window', () => {
  test.use({ text: 'appConfig: { theme: material }\nsections: [{ name: Boats, items: [{ title: Skiff }] }]' });

  test('shows the focus in a color that is seen on it, and in panels in one that is seen there', async ({ page }) => {
    await open(page);
    const ring = (selector: string) => page.locator(selector).first().evaluate((node) => getComputedStyle(node).getPropertyValue('--outline-color'));
    expect(await ring('.page-title')).toBe('#ffffff');
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.locator('.options-panel')).toBeVisible();
    expect(await ring('.options-panel')).toBe('#1557c0');
  });

  test('covers no button, and makes no page wider', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.locator('.options-panel')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
