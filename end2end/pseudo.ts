// The pseudo-language of development builds: English in brackets, with accents, and longer by 40 %. What is outside brackets does not go
// through a translation; what is cut or overlaps has no room for one. Texts of the config are in guillemets, or begin with Zz.

import type { BrowserContext, Locator, Page } from '@playwright/test';

import { expect, open } from './fixtures.ts';

/** What is the same in every language: names of products and standards, keys of keyboards, values of the config. */
const NAMES = `
  Portico Dashy Homepage Homer Glance Heimdall Docker Material Design Simple Icons Font Awesome selfh.st jsDelivr OpenID Connect Keycloak Argon2id
  YAML CSS JSON HTML HTTP HTTPS URL KB MB ms X-Request-Id Ctrl Shift Alt Enter Escape Esc Tab Backspace PageUp PageDown Home End ID MIT conf.yml UTC GMT
`;

const ACCENTS: Record<string, string> = {
  A: 'Å', E: 'É', I: 'Î', O: 'Ö', U: 'Û', a: 'å', c: 'ç', e: 'é', i: 'î', n: 'ñ', o: 'ö', s: 'š', u: 'û', y: 'ý',
};

/** What the page makes of an English text, with its values (`languages/src/pseudo.rs`). */
export function pseudo(english: string, values: Record<string, string> = {}): string {
  let isCode = false;
  const disguised = english.split(/(\{[^}]*\}|`)/).map((part) => {
    if (part === '`') isCode = !isCode;
    if (part.startsWith('{')) return values[part.slice(1, -1)] ?? part;
    return isCode ? part : [...part].map((letter) => ACCENTS[letter] ?? letter).join('');
  });
  const letters = [...english.replace(/\{[^}]*(\}|$)/g, (_, end: string) => end)].length - (english.match(/\}/g)?.length ?? 0);
  const more = Array.from({ length: Math.ceil((letters * 2) / 5) }, (_, position) => (position % 8 === 0 ? ' ' : '~')).join('');
  return `⟦${disguised.join('')}${more}⟧`;
}

/** A button, or another control, by its English name. */
export function control(within: Page | Locator, english: string, role: 'button' | 'tab' | 'menuitem' | 'link' = 'button'): Locator {
  return within.getByRole(role, { name: pseudo(english), exact: true });
}

/** Shows everything in the pseudo-language. */
export function disguise(context: BrowserContext, url: string): Promise<void> {
  return context.addCookies([{ name: 'portico-language', value: 'en-XA', url }]);
}

/** What a page shows or tells outside of brackets, and where. `known` leaves out what has its reasons. */
export async function stray(page: Page, known: RegExp[] = []): Promise<string[]> {
  const found = await page.evaluate((names) => {
    const known = new Set(names.trim().split(/\s+/));
    const found = new Set<string>();
    const isOurs = (text: string): boolean => {
      const rest = text
        .replace(/«[^»]*»|`[^`]*`|#[0-9a-f]{3,8}\b/g, ' ')
        // Addresses, files, and everything else of the config.
        .replace(/\S*(?:\/\/|\.example|\.ya?ml|\.local|@|Zz)\S*/g, ' ');
      return (rest.match(/[\p{L}][\p{L}\p{M}’'.-]*\p{L}/gu) ?? []).some((word) => !known.has(word));
    };
    const outside = (text: string): string => {
      for (let before = ''; before !== text; ) {
        before = text;
        text = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
      }
      // Of some texts only the first sentence is shown.
      return text.replace(/⟦[^⟦⟧]*$/, ' ');
    };
    const place = (element: Element) => {
      const { className, tagName } = element;
      const name = typeof className === 'string' && className ? `.${className.trim().replace(/\s+/g, '.')}` : '';
      const parent = name ? '' : element.parentElement?.className;
      return `${parent ? `.${String(parent).trim().replace(/\s+/g, '.')} > ` : ''}${tagName.toLowerCase()}${name}`;
    };
    const tell = (element: Element, what: string, text: string) => {
      found.add(`${place(element)} ${what}: ${text.trim().replace(/\s+/g, ' ').slice(0, 160)}`);
    };
    // Dates, languages by their own names, themes and icons by theirs, code, what the code editor draws, types and pictures of widgets.
    const LEFT_OUT = [
      'script', 'style', 'noscript', 'code', 'pre', 'kbd', 'time', 'svg', 'textarea', 'select[name=language]', '.part-clock', '.theme-dialog [data-theme]',
      '.theme-name', '.edit-type-picture', '.edit-kind > p', '.edit-icons [title]', '.side-short', '[lang]:not(html)', '.cm-editor',
    ].join();
    // The types of widgets are those of the file.
    const NAMED = '.edit-type';
    const dialogs = [...document.querySelectorAll('dialog[open]')];
    const root = dialogs.at(-1) ?? document.body;
    const isSeen = (element: Element) => {
      const shown = element.closest('select') ?? element;
      return !element.closest(LEFT_OUT) && shown.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const blockOf = (element: Element): Element => {
      let block = element;
      while (block !== root && block.parentElement && ['inline', 'contents'].includes(getComputedStyle(block).display)) block = block.parentElement;
      return block;
    };
    // Sentences go on in elements within them, such as code and links.
    const sentences = new Map<Element, { text: string; element: Element }>();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent ?? '';
      if (!element || !text.trim() || !isSeen(element)) continue;
      const block = element.closest('option') ?? blockOf(element);
      const sentence = sentences.get(block) ?? { text: '', element };
      sentence.text += element.closest('option') || block === element ? text : ` ${text} `;
      sentences.set(block, sentence);
    }
    for (const { text, element } of sentences.values()) if (isOurs(outside(text))) tell(element, 'text', outside(text));
    for (const element of [root, ...root.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-description], [aria-roledescription]')]) {
      if (!isSeen(element) && element.tagName !== 'TEXTAREA') continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription']) {
        const text = name === 'title' && element.matches(NAMED) ? '' : element.getAttribute(name) ?? '';
        if (isOurs(outside(text))) tell(element, name, text);
      }
    }
    if (isOurs(outside(document.title))) tell(document.documentElement, 'title', document.title);
    return [...found];
  }, NAMES);
  return found.filter((text) => !known.some((pattern) => pattern.test(text)));
}

/** What is cut, or lies on something else. */
export async function squeezed(page: Page, known: RegExp[] = []): Promise<string[]> {
  const found = await page.evaluate(() => {
    const found: string[] = [];
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    const root = dialog ?? document.body;
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}: ${(element.textContent ?? '').trim().slice(0, 60)}`;
    const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.visually-hidden, svg');
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    const isScrolled = (element: Element, dialog: Element): boolean => {
      for (let one = element.parentElement; one && one !== dialog; one = one.parentElement) {
        if (one.scrollWidth > one.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)) return true;
      }
      return false;
    };
    // In dialogs everything; on pages, names of the config are cut on purpose.
    const texts = dialog ? '*' : 'button, .button, legend, label > span, h2, h3, .edit-about, .edit-text';
    for (const element of root.querySelectorAll<HTMLElement>(texts)) {
      if (!isSeen(element) || !element.innerText?.trim() || element.closest('.cm-editor, pre, .edit-type-picture, .edit-preview')) continue;
      const style = getComputedStyle(element);
      const isElsewhere = element.closest('[title]') || element.clientWidth <= 1;
      const isWide = element.scrollWidth > element.clientWidth + 1 && (dialog ? ['hidden', 'clip'].includes(style.overflowX) : style.overflowX !== 'visible');
      const isHigh = element.scrollHeight > element.clientHeight + 2 && ['hidden', 'clip'].includes(style.overflowY) && style.webkitLineClamp === 'none';
      // A word that goes down letter by letter.
      const box = element.getBoundingClientRect();
      if (element.matches('.button') && box.height > 60 && box.width * 1.5 < box.height) found.push(`narrow: ${name(element)}`);
      // What lies beyond the edge of its dialog, unless one can scroll to it. A menu stays where it was opened.
      if (dialog && !dialog.matches('.context-menu') && element.matches('button, .button') && !isScrolled(element, dialog)) {
        const { left, right } = dialog.getBoundingClientRect();
        if (box.left < left - 1 || box.right > Math.min(right, document.documentElement.clientWidth) + 1) found.push(`beyond the edge: ${name(element)}`);
      }
      if (!isElsewhere && style.textOverflow !== 'ellipsis' && (isWide || isHigh)) found.push(`cut: ${name(element)}`);
    }
    const controls = [...root.querySelectorAll('button, input:not([type=hidden]), select, textarea')].filter((element) => isSeen(element) && !element.closest('.visually-hidden, .items, .edit-icons'));
    // What floats above the page covers it on purpose, and what is scrolled away lies on nothing.
    const layerOf = (element: Element): Element | null => {
      for (let one: Element | null = element; one && one !== root; one = one.parentElement) {
        if (['fixed', 'sticky'].includes(getComputedStyle(one).position) || one.matches('[popover], [role=menu]')) return one;
      }
      return null;
    };
    const boxOf = (element: Element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let one = element.parentElement; one; one = one.parentElement) {
        if (getComputedStyle(one).overflow === 'visible' || one === document.body || one === document.documentElement) continue;
        const box = one.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      // A button inside of a field has its room there.
      if (element.matches('input')) {
        const style = getComputedStyle(element);
        [left, right] = [left + parseFloat(style.paddingLeft), right - parseFloat(style.paddingRight)];
      }
      return { left, right, top, bottom };
    };
    const boxes = controls.map((element) => ({ element, box: boxOf(element), layer: layerOf(element) }));
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        if (one.layer !== other.layer) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        const isInside = one.element.contains(other.element) || other.element.contains(one.element);
        if (width > 3 && height > 3 && !isInside) found.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
      }
    }
    return found;
  });
  return found.filter((text) => !known.some((pattern) => pattern.test(text)));
}

/** Checks what is open now, wide and narrow. */
export async function check(page: Page, state: string, known: { stray?: RegExp[]; squeezed?: RegExp[] } = {}): Promise<void> {
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(100);
    expect.soft(await stray(page, known.stray), `${state}: outside brackets at ${width}`).toEqual([]);
    expect.soft(await squeezed(page, known.squeezed), `${state}: cut or overlapping at ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1366, height: 900 });
}

/** Starts edit mode. */
export async function begin(page: Page): Promise<void> {
  await open(page);
  await page.locator('.edit-button').click();
  await expect(page.locator('.edit-bar')).toBeVisible();
  await expect(page.locator('[data-edit=add-section]')).toBeVisible();
}
