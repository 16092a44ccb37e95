// The pseudo-language of development builds: English in brackets, with accents, and longer by 40 %. What is outside brackets does not go
// through a translation; what is cut or overlaps has no room for one. Texts of the config are in guillemets. Only dialogs of which
// everything is translated are here.

import type { Page } from '@playwright/test';

import { expect, open, test } from '../fixtures.ts';

/** What is the same in every language: names of products and standards, keys of keyboards, values of the config. */
const NAMES = `
  Portico Dashy Homepage Homer Glance Heimdall Docker Material Design Simple Icons Font Awesome selfh.st jsDelivr OpenID Connect Keycloak Argon2id
  YAML CSS JSON HTML HTTP HTTPS URL KB MB Ctrl Shift Alt Enter Escape Tab Backspace PageUp PageDown Home End ID MIT conf.yml UTC GMT
`;

const TEXT = `pageInfo:
  title: «Harbour»
  description: «Ships and people»
  navLinks:
    - { title: «Tides», path: https://tides.example }
  footerText: «At the quay»
appConfig:
  theme: nord
  statusCheck: true
sections:
  - name: «Quay»
    icon: mdi-anchor
    items:
      - { title: «Crane», description: «Lifts», url: https://crane.example, icon: mdi-crane, statusCheck: false }
      - { title: «Ferry», url: https://ferry.example, tags: [«boats»] }
      - title: «Group»
        subItems:
          - { title: «Rope», url: https://rope.example }
          - { title: «Chain», url: https://chain.example }
  - name: «Office»
    items:
      - { title: «Ledger», url: https://ledger.example }
    widgets:
      - { type: clock, label: «Clock» }
      - { type: public-holidays, label: «Holidays» }
      - { type: nothing-like-this }
pages:
  - { name: «Boats», path: boats.yml }
`;

test.use({ text: TEXT });
test.describe.configure({ timeout: 180_000 });

test.beforeEach(async ({ context, portico }) => {
  await context.addCookies([{ name: 'portico-language', value: 'en-XA', url: portico.url }]);
});

/** What a page shows or tells outside of brackets, and where. */
function stray(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    const known = new Set(names.trim().split(/\s+/));
    const withoutBrackets = (text: string): string => {
      for (let before = ''; before !== text; ) {
        before = text;
        text = text.replace(/⟦[^⟦⟧]*⟧|«[^«»]*»|`[^`]*`/g, ' ');
      }
      return text;
    };
    const isOurs = (text: string): boolean => {
      const words = withoutBrackets(text).replace(/\S*(?:\/\/|\.example|\.yml|@)\S*/g, ' ').match(/[\p{L}][\p{L}\p{M}’'.-]*\p{L}/gu) ?? [];
      return words.some((word) => !known.has(word));
    };
    const found = new Set<string>();
    const tell = (element: Element, what: string, text: string) => {
      if (isOurs(text)) found.add(`${element.tagName.toLowerCase()}.${element.className} ${what}: ${text.trim().slice(0, 120)}`);
    };
    // Dates, languages by their own names, themes by theirs, code, and what the code editor draws.
    const LEFT_OUT = 'script, style, noscript, code, pre, kbd, time, svg, select[name=language], .part-clock, .theme-dialog [data-theme], .edit-raw-code, [lang]:not(html)';
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    for (const element of (dialog ?? document.body).querySelectorAll('*')) {
      if (element.closest(LEFT_OUT) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      // Code in a sentence is an element of its own.
      const whole = () => [...element.childNodes].map((node) => (node instanceof Element && node.matches('code, kbd, strong, svg') ? ' ' : node.textContent)).join('');
      if (own.length) tell(element, 'text', whole());
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) tell(element, name, element.getAttribute(name) ?? '');
    }
    tell(document.documentElement, 'title', document.title);
    return [...found];
  }, NAMES);
}

/** What is cut, or lies on something else. */
function squeezed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}: ${(element.textContent ?? '').trim().slice(0, 60)}`;
    const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.visually-hidden, svg');
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of root.querySelectorAll('button, .button, legend, label > span, h2, h3, .edit-about, .edit-text')) {
      if (!isSeen(element)) continue;
      const style = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis';
      if (isCut && element.clientWidth > 0) found.push(`cut: ${name(element)}`);
    }
    const controls = [...root.querySelectorAll('button, input:not([type=hidden]), select, textarea')].filter((element) => isSeen(element) && !element.closest('.visually-hidden, .items, .edit-icons'));
    const boxes = controls.map((element) => ({ element, box: element.getBoundingClientRect() }));
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        const isInside = one.element.contains(other.element) || other.element.contains(one.element);
        if (width > 3 && height > 3 && !isInside) found.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
      }
    }
    return found;
  });
}

/** Checks what is open now, wide and narrow. */
async function check(page: Page, state: string): Promise<void> {
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(100);
    expect.soft(await stray(page), `${state}: outside brackets at ${width}`).toEqual([]);
    expect.soft(await squeezed(page), `${state}: cut or overlapping at ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1366, height: 900 });
}

/** Starts edit mode. */
async function begin(page: Page): Promise<void> {
  await open(page);
  await page.locator('.edit-button').click();
  await expect(page.locator('.edit-bar')).toBeVisible();
  await expect(page.locator('[data-edit=add-section]')).toBeVisible();
}

test('the dialog of a section', async ({ page }) => {
  await begin(page);
  await page.locator('[data-edit=section-0]').first().click();
  await expect(page.locator('#editor dialog[open]').last()).toBeVisible();
  await page.waitForTimeout(300);
  await check(page, 'a section');
});

test('questions and pickers', async ({ page }) => {
  await begin(page);
  await page.locator('#i-0-1').click();
  await page.locator('[data-helper=icons]').click();
  await expect(page.locator('.edit-icon-picker')).toBeVisible();
  await page.waitForTimeout(500);
  await check(page, 'icons');
  await page.locator('.edit-icon-picker .dialog-header button').click();
  await page.locator('#edit-title').fill('«Boat»');
  await page.locator('dialog[open] button[type=submit]').click();
  await page.locator('.edit-actions > .button').nth(-2).click();
  await expect(page.locator('.edit-question')).toBeVisible();
  await check(page, 'the question before changes are lost');
});
