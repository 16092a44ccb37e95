// The editor for YAML (docs/editing.md, "Editing as YAML"): typing, checking, previewing and saving.

import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, ended, file, remove, save, tile, tool } from '../editing.ts';
import { expect, open, rewrite, SOON, test } from '../fixtures.ts';

const CONF = `# The harbour
pageInfo:
  title: Harbour   # kept
sections:
  - name: Quay
    items:
      - {title: Crane,  url: https://crane.example}
      - title: Ferry
        url: https://ferry.example
`;

test.use({ text: CONF });

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit as YAML' });
const field = (page: Page): Locator => dialog(page).getByRole('textbox', { name: /^YAML of conf\.yml/ });
const button = (page: Page, name: string): Locator => dialog(page).getByRole('button', { name, exact: true });
const problems = (page: Page): Locator => dialog(page).getByRole('list', { name: 'Problems' }).getByRole('button');

/** The text in the field; all of it is drawn, since it is short. */
async function text(page: Page): Promise<string> {
  const lines = await dialog(page).locator('.cm-line').allTextContents();
  return lines.join('\n');
}

async function openText(page: Page): Promise<void> {
  await (await tool(page, 'Edit as YAML')).click();
  await expect(field(page)).toBeFocused();
}

/** Replaces the text of the field by pasting. */
async function fill(page: Page, text: string): Promise<void> {
  await field(page).focus();
  await page.keyboard.press('Control+a');
  await field(page).evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('what is typed is saved as it is, with comments', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  expect(await text(page)).toBe(CONF);
  await expect(dialog(page).getByRole('heading')).toHaveText('Edit as YAML: conf.yml');
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await expect(button(page, 'Save')).toHaveAccessibleDescription('Nothing has changed.');
  const typed = CONF.replace('Ferry', 'Barge # new');
  await fill(page, typed);
  await page.keyboard.press('Control+s');
  await ended(page);
  expect(file(portico)).toBe(typed);
  await expect(tile(page, 'Barge')).toHaveCount(1);
});

test.describe('with the line ends of Windows', () => {
  test.use({ text: CONF.replaceAll('\n', '\r\n') });

  test('they stay', async ({ page, portico }) => {
    await edit(page);
    await openText(page);
    await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
    const typed = CONF.replace('Ferry', 'Barge');
    await fill(page, typed);
    await page.keyboard.press('Control+s');
    await ended(page);
    expect(file(portico)).toBe(typed.replaceAll('\n', '\r\n'));
  });
});

test.describe('with the line ends of Windows, near the end of the text', () => {
  test.use({ text: CONF.replaceAll('\n', '\r\n') });

  test('Reset and Format keep the cursor within the text', async ({ page }) => {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await edit(page);
    await openText(page);
    await field(page).press('Control+End');
    await page.keyboard.insertText('# More\n# And more\n');
    await button(page, 'Reset').click();
    await expect.poll(() => text(page), SOON).toBe(CONF);
    await field(page).press('Control+End');
    await button(page, 'Format').click();
    await expect.poll(() => text(page), SOON).toContain('title: Harbour # kept');
    await button(page, 'Format').click();
    await expect(dialog(page).getByRole('status')).toHaveText('The text is formatted already.');
    expect(errors).toEqual([]);
  });
});

test('what is typed while the server checks the text is saved with it', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  await fill(page, CONF.replace('Ferry', 'Barge'));
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'false');
  let answer = () => {};
  const waits = new Promise<void>((done) => { answer = done; });
  let asked = 0;
  await page.route(/editor-check$/, async (route) => {
    asked++;
    await waits;
    await route.continue();
  });
  await page.keyboard.press('Control+s');
  await expect.poll(() => asked).toBe(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('# Late\n');
  answer();
  await ended(page);
  expect(file(portico)).toBe(`${CONF.replace('Ferry', 'Barge')}# Late\n`);
});

test('Escape, however often, does not close it over what is typed', async ({ page }) => {
  await edit(page);
  await openText(page);
  await field(page).press('Control+End');
  await page.keyboard.insertText('# Mine');
  await button(page, 'Wrap').focus();
  for (let time = 0; time < 4; time++) {
    await page.keyboard.press('Escape');
    await expect(dialog(page).getByRole('alert')).toContainText('not in the draft yet');
    await expect(button(page, 'Keep typing')).toBeFocused();
  }
  await button(page, 'Keep typing').click();
  expect(await text(page)).toContain('# Mine');
  await expect(field(page)).toBeFocused();
});

test('the text is saved in this browser alone', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  await expect(button(page, 'Save locally')).toHaveAccessibleDescription('Nothing has changed.');
  await fill(page, CONF.replace('Ferry', 'Barge'));
  await button(page, 'Save locally').click();
  const question = page.getByRole('dialog', { name: 'Save in this browser only?' });
  await question.getByRole('button', { name: 'Save locally' }).click();
  await ended(page);
  await expect(tile(page, 'Barge')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Local config' })).toBeVisible();
  expect(file(portico)).toBe(CONF);
});

test.describe('where local configs are forbidden', () => {
  test.use({ text: `${CONF}appConfig: { preventLocalSave: true }\n` });

  test('the text cannot become one', async ({ page }) => {
    await edit(page);
    await openText(page);
    await fill(page, CONF.replace('Ferry', 'Barge'));
    await expect(button(page, 'Save locally')).toHaveAttribute('aria-disabled', 'true');
    await button(page, 'Save locally').click({ force: true });
    await expect(dialog(page).getByRole('status')).toContainText('preventLocalSave');
  });
});

test('a preview is one step of the draft, and forms and text show the same', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  await fill(page, CONF.replace('title: Ferry', 'title: Barge'));
  await button(page, 'Preview').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(tile(page, 'Barge')).toHaveCount(1);
  expect(file(portico)).toBe(CONF);
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  await openText(page);
  expect(await text(page)).toContain('title: Harbour   # kept');
  await button(page, 'Cancel').click();

  await remove(page, 'Crane');
  await openText(page);
  expect(await text(page)).toBe('pageInfo:\n  title: Harbour\nsections:\n  - name: Quay\n    items:\n      - title: Barge\n        url: https://ferry.example\n');
  await button(page, 'Cancel').click();
  await page.getByRole('button', { name: 'Undo: Delete item “Crane”' }).click();
  await page.getByRole('button', { name: 'Undo: Edit as YAML' }).click();
  await expect(tile(page, 'Ferry')).toHaveCount(1);
  await page.getByRole('button', { name: 'Redo: Edit as YAML' }).click();
  await expect(tile(page, 'Barge')).toHaveCount(1);
  // Undo restored the text as typed, so there is no question about comments.
  await save(page);
  expect(file(portico)).toBe(CONF.replace('title: Ferry', 'title: Barge'));
});

test('what is no YAML is shown at its line and not saved', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  await fill(page, `${CONF}x: [1\n`);
  await expect(problems(page)).toHaveText(/^Line 1\d: this cannot be read: /);
  for (const name of ['Save', 'Preview']) {
    await expect(button(page, name)).toHaveAttribute('aria-disabled', 'true');
    await expect(button(page, name)).toHaveAccessibleDescription(/^Line 1\d has to be fixed first\.$/);
  }
  await page.keyboard.press('Control+s');
  await expect(dialog(page).getByRole('status')).toContainText('has to be fixed first');
  // It looks disabled; pressing it shows the reason.
  await button(page, 'Preview').click({ force: true });
  await expect(dialog(page).getByRole('status')).toContainText('has to be fixed first');
  await expect(field(page)).toBeFocused();
  expect(file(portico)).toBe(CONF);
  await fill(page, CONF.replace('Harbour', 'Port'));
  await expect(problems(page)).toHaveCount(0);
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Control+s');
  await ended(page);
});

test('the line that is typed stays in sight when problems are listed', async ({ page }) => {
  await edit(page);
  await openText(page);
  await fill(page, `${CONF}${'# More\n'.repeat(80)}`);
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('x: [1');
  await expect(problems(page)).toHaveCount(1);
  const line = dialog(page).locator('.cm-activeLine');
  await expect(line).toHaveText('x: [1');
  const isInSight = () => line.evaluate((line) => {
    const frame = line.closest('.cm-scroller')!.getBoundingClientRect();
    const { top, bottom } = line.getBoundingClientRect();
    return top >= frame.top && bottom <= frame.bottom;
  });
  await expect.poll(isInSight, SOON).toBe(true);
});

test('what the schema does not know is a warning, and a click leads to it', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  const typed = CONF.replace('    items:', '    itmes: []\n    items:');
  await fill(page, typed);
  await expect(problems(page)).toHaveText(/^Line 6: .*itmes/);
  await problems(page).click();
  await expect(field(page)).toBeFocused();
  await expect(dialog(page).locator('.cm-activeLine')).toHaveText('    itmes: []');
  await page.keyboard.press('Control+s');
  await ended(page);
  expect(file(portico)).toBe(typed);
});

test('keys and values are completed, and explained under the pointer', async ({ page }) => {
  await edit(page);
  await openText(page);
  await fill(page, `${CONF}appConfig:\n  lay`);
  await page.keyboard.press('Control+Space');
  const offers = dialog(page).locator('.cm-tooltip-autocomplete');
  await expect(offers.getByRole('option')).toContainText(['layout']);
  await expect(offers).toContainText('How sections are placed');
  await offers.getByRole('option').filter({ hasText: /^layout/ }).click();
  await expect(offers).toHaveCount(0);
  await page.keyboard.insertText('m');
  await page.keyboard.press('Control+Space');
  await expect(offers.getByRole('option')).toContainText(['masonry']);
  await page.keyboard.press('Escape');
  await dialog(page).locator('.cm-line', { hasText: /^sections/ }).getByText('sections').hover();
  await expect(dialog(page).locator('.cm-tooltip-hover')).toContainText('What the page shows');
});

test('the keyboard finds, leaves the text, and does not close it unasked', async ({ page }) => {
  await edit(page);
  await openText(page);
  await page.keyboard.press('Control+f');
  await expect(dialog(page).getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(field(page)).not.toBeFocused();
  await expect(dialog(page)).toBeVisible();
  // Something was typed: the Tab above.
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByRole('alert')).toContainText('not in the draft yet');
  await button(page, 'Keep typing').click();
  await expect(field(page)).toBeFocused();
  await button(page, 'Close').click();
  await button(page, 'Discard').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText('nothing changed yet')).toBeVisible();
  await expect(await tool(page, 'Edit as YAML')).toBeFocused();
});

test('blocks are folded by mouse and by keyboard', async ({ page }) => {
  await edit(page);
  await openText(page);
  const folded = dialog(page).locator('.cm-foldPlaceholder');
  await dialog(page).getByTitle('Fold', { exact: true }).last().click();
  await expect(folded).toHaveCount(1);
  expect(await text(page)).not.toContain('ferry.example');
  // The first one only keeps the width of the column.
  await dialog(page).getByTitle('Unfold', { exact: true }).last().click();
  await expect(folded).toHaveCount(0);
  await field(page).press('Control+Alt+[');
  await expect(folded).not.toHaveCount(0);
  await field(page).press('Control+Alt+]');
  await expect(folded).toHaveCount(0);
  expect(await text(page)).toBe(CONF);
});

test('the text is formatted without losing comments, and reset', async ({ page }) => {
  await edit(page);
  await openText(page);
  await button(page, 'Format').click();
  await expect.poll(() => text(page), SOON).toBe(CONF.replace('   # kept', ' # kept').replace('{title: Crane,  url: https://crane.example}', '{ title: Crane, url: https://crane.example }'));
  await button(page, 'Reset').click();
  await expect.poll(() => text(page), SOON).toBe(CONF);
  await button(page, 'Wrap').click();
  await expect(button(page, 'Wrap')).toHaveAttribute('aria-pressed', 'true');
  await expect(field(page)).toHaveClass(/cm-lineWrapping/);
});

test('the text is copied and downloaded as it is typed', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await edit(page);
  await openText(page);
  const typed = `${CONF}# More\n`;
  await fill(page, typed);
  await button(page, 'Copy').click();
  await expect(dialog(page).getByRole('status')).toHaveText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(typed);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  expect(download.suggestedFilename()).toBe('conf.yml');
  expect(readFileSync(await download.path(), 'utf8')).toBe(typed);
});

test('somebody else’s save is reported at once', async ({ page, portico }) => {
  await edit(page);
  await openText(page);
  await rewrite(page, portico, CONF.replace('Harbour', 'Theirs'));
  await expect(dialog(page).getByRole('status')).toContainText('changed by somebody else');
});

test.describe('where saving is forbidden', () => {
  test.use({ text: `${CONF}appConfig: { preventWriteToDisk: true }\n` });

  test('the text can be previewed alone', async ({ page }) => {
    await edit(page);
    await openText(page);
    await field(page).press('Control+End');
    await page.keyboard.insertText('# More');
    await expect(button(page, 'Save')).toHaveAccessibleDescription(/forbids saving to disk/);
    await expect(dialog(page)).toContainText('forbids saving to disk');
    await button(page, 'Preview').click();
    await expect(dialog(page)).toHaveCount(0);
  });
});

test('its search and its question are accessible too', async ({ page }) => {
  test.setTimeout(60_000);
  await edit(page);
  await openText(page);
  await field(page).press('Control+End');
  await page.keyboard.insertText('# More');
  await page.keyboard.press('Control+f');
  await expect(dialog(page).getByRole('textbox', { name: 'Find' })).toBeFocused();
  await check(page, () => expect(dialog(page).getByRole('textbox', { name: 'Find' })).toBeVisible());
  await page.keyboard.press('Escape');
  await button(page, 'Close').click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await check(page, () => expect(button(page, 'Keep typing')).toBeVisible());
});

test('nothing of it is loaded before it is opened', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await edit(page);
  expect(loaded.filter((path) => /editor-(code|format|backup)/.test(path))).toEqual([]);
  await openText(page);
  expect(loaded.filter((path) => /editor-code/.test(path))).toHaveLength(1);
  expect(loaded.filter((path) => /editor-(format|backup)/.test(path))).toEqual([]);
});

test('is accessible, by day and by night, on a desk and on a phone', async ({ page }) => {
  test.setTimeout(60_000);
  await open(page);
  await edit(page);
  await openText(page);
  await fill(page, CONF.replace('    items:', '    itmes: []\n    items:'));
  await expect(problems(page)).toHaveCount(1);
  await check(page, async () => {
    const box = await dialog(page).boundingBox();
    const [width, height] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.clientHeight]);
    if (width! < 600) {
      // The space for a scroll bar is reserved.
      expect(box!.width).toBeGreaterThanOrEqual(width! - 16);
      expect(box!.height).toBe(height);
    }
    const cut = await dialog(page).getByRole('button').evaluateAll((buttons) => {
      return buttons.filter((button) => button.getBoundingClientRect().right > document.documentElement.clientWidth).map((button) => button.textContent);
    });
    expect(cut).toEqual([]);
  });
});
