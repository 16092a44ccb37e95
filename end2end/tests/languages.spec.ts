// The language of the page: chosen in the options or by the browser, and its effects (docs/spec/behavior.md 18).

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

// The English texts.
test.use({ locale: 'en-US' });

/** Chooses a language in the options, by its own name. The page changes in place, with its options open. */
async function choose(page: Page, name: string, code: string): Promise<void> {
  await page.locator('.options > button').click();
  await page.locator('#options-panel select[name=language]').selectOption({ label: name });
  await expect(page.locator('html')).toHaveAttribute('lang', code);
  await expect(page.locator('html')).toHaveAttribute('data-ready');
  await expect(page.locator('#options-panel select[name=language]')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('#options-panel')).toBeHidden();
}

test('a chosen language applies at once, and stays', async ({ page }) => {
  await open(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(await page.locator('#settings').getAttribute('data-texts')).toBeNull();
  await choose(page, 'Deutsch', 'de');
  for (const load of [async () => {}, async () => void (await page.reload())]) {
    await load();
    await expect(page.locator('html')).toHaveAttribute('data-ready');
    await expect(page.locator('#search')).toHaveAttribute('placeholder', 'Suchen');
    await expect(page.getByRole('button', { name: 'Optionen' })).toBeVisible();
    // Hydration keeps the server's texts.
    await page.getByRole('button', { name: 'Optionen' }).click();
    await expect(page.locator('#options-panel').getByRole('group', { name: 'Anordnung' })).toBeVisible();
    await expect(page.locator('#options-panel select[name=language]')).toHaveValue('de');
    await page.keyboard.press('Escape');
  }
  // Texts that the bundle draws.
  await page.locator('#search').fill('nothing is called like this');
  await expect(page.locator('.no-results')).toContainText('Keine Treffer auf dieser Seite');
  await page.locator('#search').fill('');
  await page.locator('.options > button').click();
  await page.locator('#options-panel select[name=language]').selectOption('');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

/** Whether the page has been loaded again since this was called first. */
const isLoadedAgain = (page: Page): Promise<boolean> => page.evaluate(() => {
  const own = window as unknown as { wasSeen?: true };
  const isNew = !own.wasSeen;
  own.wasSeen = true;
  return isNew;
});

test('a page that changes its language stays where it is', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await open(page, '/?from=elsewhere');
  await page.locator('main > section').last().scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(100);
  await isLoadedAgain(page);
  await page.evaluate(() => document.getElementById('options-panel')?.showPopover());
  await page.locator('#options-panel select[name=language]').selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('#options-panel select[name=language]')).toBeFocused();
  await expect.poll(() => page.evaluate(() => Math.abs(scrollY))).toBeGreaterThan(before - 60);
  expect(page.url()).toContain('from=elsewhere');
  expect(await isLoadedAgain(page)).toBe(false);
});

test('a search goes on in another language', async ({ page }) => {
  await open(page);
  await isLoadedAgain(page);
  await page.locator('#search').fill('nothing is called like this');
  await expect(page.locator('.no-results')).toContainText('No results on this page');
  await page.locator('.options > button').click();
  await page.locator('#options-panel select[name=language]').selectOption({ label: 'Deutsch' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('#search')).toHaveValue('nothing is called like this');
  await page.locator('#search').click();
  await expect(page.locator('#options-panel')).toBeHidden();
  await page.locator('#search').fill('nothing is called like that');
  await expect(page.locator('.no-results')).toContainText('Keine Treffer auf dieser Seite');
  await page.locator('#search').fill('');
  // A dialog that is drawn for the first time, and again after another change.
  for (const [name, code, title] of [['Français', 'fr', 'Annuler'], ['Deutsch', 'de', 'Abbrechen']] as const) {
    await choose(page, name, code);
    await page.locator('.options > button').click();
    await page.locator('[data-opens=theme]').click();
    await expect(page.locator('.theme-dialog')).toContainText(title);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  expect(await isLoadedAgain(page)).toBe(false);
});

test.describe('without the script that follows changes', () => {
  test.use({ expected: /dynamically imported module|ERR_FAILED/ });

  test('the page is loaded again in its language', async ({ page }) => {
    await page.route('**/stream-*.js', (route) => route.abort());
    await open(page);
    await isLoadedAgain(page);
    await choose(page, 'Deutsch', 'de');
    expect(await isLoadedAgain(page)).toBe(true);
  });
});

test.describe('while the server is away', () => {
  test.use({ expected: /ERR_FAILED/ });

  test('a choice is refused with a sentence, and the page stays', async ({ page }) => {
    await open(page);
    await choose(page, 'Deutsch', 'de');
    await isLoadedAgain(page);
    await page.route('**/language', (route) => route.abort());
    await page.locator('.options > button').click();
    await page.locator('#options-panel select[name=language]').selectOption('fr');
    await expect(page.locator('.toast').getByText('Der Server dieses Dashboards ist nicht erreichbar.')).toBeVisible();
    await expect(page.locator('#options-panel select[name=language]')).toHaveValue('de');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    expect(await isLoadedAgain(page)).toBe(false);
  });
});

test('a choice works without scripts', async ({ browser, portico }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: portico.url });
  const page = await context.newPage();
  await page.goto('/');
  await page.locator('.options > button').click();
  await page.locator('#options-panel select[name=language]').selectOption('it');
  await page.locator('#options-panel form[action$="/language"] button').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'it');
  await expect(page.locator('#search')).toHaveAttribute('placeholder', 'Cerca');
  await context.close();
});

test('Arabic runs from right to left, and nothing is wider than a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await choose(page, 'العربية', 'ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('#search')).toHaveAttribute('placeholder', 'بحث');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // A Latin name that is too long is cut at its end, and is still aligned right.
  for (const name of [page.getByRole('heading', { level: 2 }).first(), page.locator('.item .tile-title').first()]) {
    await expect(name).toHaveCSS('direction', 'ltr');
    await expect(name).toHaveCSS('text-align', 'right');
  }
  await page.locator('.options > button').click();
  const panel = await page.locator('#options-panel').boundingBox();
  expect(panel?.x).toBeGreaterThanOrEqual(0);
  expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(390);
});

test.describe('with clocks', () => {
  test.use({ text: 'sections: [ { name: Kai, widgets: [ { type: clock, label: Here }, { type: clock, options: { use12Hour: true } } ] } ]' });

  test('panels change their language with the page', async ({ page }) => {
    await open(page);
    await isLoadedAgain(page);
    const clocks = page.locator('[data-kind=clock] .widget-body');
    for (const clock of await clocks.all()) await expect(clock).toContainText(/day/);
    await choose(page, 'Deutsch', 'de');
    for (const clock of await clocks.all()) await expect(clock).toContainText(/tag|Mittwoch/);
    await expect(page.locator('[data-kind=clock]').last()).toHaveAttribute('aria-label', 'Uhr');
    expect(await isLoadedAgain(page)).toBe(false);
  });
});

test.describe('with a currency', () => {
  test.use({ demo: true, locale: 'de-DE' });

  test('the way back from another base is in the language of the page', async ({ page }) => {
    await open(page, '/home/main/exchange-rates');
    const rates = page.locator('.part-rates');
    await rates.getByRole('button', { name: 'JPY' }).click();
    await rates.getByRole('button', { name: 'Zurücksetzen' }).click();
    await expect(rates.getByRole('heading')).toHaveText(/^1\sGBP =$/);
  });
});

test.describe('without scripts', () => {
  test.use({
    javaScriptEnabled: false,
    text: `
appConfig: { language: de }
sections:
  - name: Kai
    widgets:
      - { type: clock, options: { timeZone: UTC } }
      - { type: clock, options: { timeZone: UTC, use12Hour: true, hideSeconds: true } }
      - { type: clock, options: { timeZone: UTC, format: en-US } }
`,
  });

  test('clocks are in the language of the page, and in the way that they are set', async ({ page }) => {
    const written = (now: Date, locale: string, options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(now);
    const date = { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' } as const;
    const before = new Date();
    await page.goto('./');
    const after = new Date();
    for (const [clock, locale, hours] of [[0, 'de', /^\d\d:\d\d:\d\d$/], [1, 'de', /^\d\d?:\d\d [AP]M$/], [2, 'en-US', /^\d\d?:\d\d:\d\d [AP]M$/]] as const) {
      const element = page.locator('.part-clock').nth(clock);
      await expect(element.locator('.clock-time')).toHaveAttribute('data-text', hours);
      const day = await element.locator('.clock-date').getAttribute('data-text');
      expect([before, after].map((now) => written(now, locale, date))).toContain(day);
    }
    // An attribute that nobody sees would be no text.
    await expect(page.locator('.clock-time').first()).toBeVisible();
    expect((await page.locator('.clock-time').first().boundingBox())?.width).toBeGreaterThan(100);
  });
});

test.describe('of the server and of the scripts', () => {
  test.use({ demo: true, environment: { TZ: 'UTC' } });

  for (const code of ['en', 'en-GB', 'ar', 'az', 'bn', 'de', 'fr', 'gl', 'ja', 'ky', 'pl', 'zh-TW', 'zz-pirate']) {
    test(`durations and dates are the same, in ${code}`, async ({ page, portico }) => {
      await page.context().addCookies([{ name: 'portico-language', value: code, url: portico.url }]);
      const served = async (pattern: RegExp): Promise<string | undefined> =>
        pattern.exec(await (await page.request.get('/home/main/system-uptime')).text())?.[1];
      const duration = /<data [^>]*data-unit="seconds"[^>]*>([^<]*)</;
      await expect.poll(() => served(duration)).toBeTruthy();
      await open(page, '/home/main/system-uptime');
      const shown = page.locator('data[data-unit=seconds]');
      await expect(shown).toHaveAttribute('title', /./);
      expect(await shown.textContent()).toBe(await served(duration));
      // The server adds the zone, which viewers cannot know.
      expect(`${await page.locator('.part-facts time').textContent()} UTC`).toBe(await served(/part-facts[^]*?<time data-text="([^"]*)"/));
    });
  }

  // Chromium does not know Galician and Kyrgyz, nor the names of months in Azerbaijani.
  for (const [code, name, written] of [
    ['az', 'Azərbaycanca', ['5 yanvar 2026', '1.234,5', '2 gün öncə', 'dünən']],
    ['gl', 'Galego', ['5 de xaneiro de 2026', '1.234,5', 'hai 4 días', 'onte']],
    ['ky', 'Кыргызча', ['2026-ж., 5-январь', '1\u00a0234,5', '4 күн мурун', 'кечээ']],
  ] as const) {
    test(`browsers that lack the language get its words, in ${code}`, async ({ page }) => {
      await open(page);
      await expect(page.locator('[data-formats]')).toHaveCount(0);
      await page.locator('.options > button').click();
      await page.locator('#options-panel select[name=language]').selectOption({ label: name });
      await expect(page.locator('html')).toHaveAttribute('lang', code);
      await expect(page.locator('html')).toHaveAttribute('data-ready');
      const shown = (tag: string) => page.evaluate((tag) => [
        new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5)),
        new Intl.NumberFormat(tag).format(1234.5),
        new Intl.RelativeTimeFormat(tag, { style: 'short', numeric: 'auto' }).format(tag === 'az' ? -2 : -4, 'day'),
        new Intl.RelativeTimeFormat(tag, { style: 'short', numeric: 'auto' }).format(-1, 'day'),
      ], tag);
      await expect.poll(() => shown(code)).toEqual(written);
      expect(await shown('de')).toEqual(['5. Januar 2026', '1.234,5', 'vor 4 Tagen', 'gestern']);
    });
  }

  test('numbers have the digits of the language, in sentences too', async ({ page, portico }) => {
    await page.context().addCookies([{ name: 'portico-language', value: 'bn', url: portico.url }]);
    await open(page);
    await page.locator('#search').fill('e');
    const results = page.locator('.search-outcome');
    await expect(results).toHaveText(/[০-৯]/);
    await expect(results).not.toHaveText(/[0-9]/);
  });

  test('durations are short, and in words as a hint', async ({ page }) => {
    await open(page, '/home/main/system-uptime');
    await expect(page.locator('data[data-unit=seconds]')).toHaveText('19\u00a0days 16\u00a0h');
    await expect(page.locator('data[data-unit=seconds]')).toHaveAttribute('title', /^19\sdays 16\shours$/);
  });
});

test.describe('in a browser of somebody who speaks French', () => {
  test.use({ locale: 'fr-FR' });

  test('the page is in French', async ({ page }) => {
    await open(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.locator('#search')).toHaveAttribute('placeholder', 'Rechercher');
  });
});

test('pirates are spoken to as pirates', async ({ page }) => {
  await open(page);
  await choose(page, 'Pirate', 'zz-pirate');
  await expect(page.locator('#search')).toHaveAttribute('placeholder', 'Hunt for treasure');
});

test('a text that is missing falls back to English', async ({ page }) => {
  await open(page);
  // British English contains only texts with a different spelling.
  await choose(page, 'English (UK)', 'en-GB');
  await expect(page.locator('#search')).toHaveAttribute('placeholder', 'Search');
  await page.locator('.options > button').click();
  await expect(page.locator('#options-panel')).toContainText('In one colour');
});

test.describe('of an admin who speaks German', () => {
  test.use({ locale: 'de-DE', text: 'sections: [{ name: Kai, items: [{ title: Kran, url: "https://crane.example" }] }]' });

  test('the config menu and the dialog of colors are in German', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: 'Optionen' }).click();
    await page.getByRole('button', { name: 'Konfigurationsmenü' }).click();
    const menu = page.getByRole('dialog', { name: 'Konfiguration' });
    await expect(menu.getByRole('tab')).toHaveText(['Bearbeiten', 'Export', 'Stile', 'Backups', 'Verlauf', 'Tokens', 'Warnungen', 'Widgets', 'Erkennung', 'Info', 'Diagnose', 'Dieser Browser']);
    await menu.getByRole('tab', { name: 'Export' }).click();
    await expect(menu).toContainText('In dieser Datei ist alles in Ordnung.');
    await expect(menu.getByRole('row')).toContainText(['Seite', '1 Abschnitt, 1 Eintrag, 0 Widgets']);
    await menu.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('button', { name: 'Optionen' }).click();
    await page.getByRole('button', { name: 'Farben und Schriften' }).click();
    await expect(page.getByRole('dialog', { name: /^Farben: / }).getByRole('button', { name: 'Speichern' })).toBeVisible();
  });
});

test.describe('with a widget whose service is not there', () => {
  test.use({ text: 'sections: [{ name: Quay, widgets: [{ type: api-response, options: { url: "http://127.0.0.1:9/x" } }] }]' });

  test('a widget explains it in the language of the page', async ({ page }) => {
    await open(page);
    await expect(page.locator('.widget-problem')).toContainText('127.0.0.1');
    await choose(page, 'Deutsch', 'de');
    await expect(page.locator('.widget-problem')).toContainText('127.0.0.1 ist nicht erreichbar (');
  });
});
