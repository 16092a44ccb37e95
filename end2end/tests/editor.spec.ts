// Editing in the page (docs/editing.md): by mouse and by keyboard, with the file that results.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { edit, file, harbour, newestBackup, save, tile, titles, tool } from '../editing.ts';
import { expect, open, rewrite, test } from '../fixtures.ts';

const CONF = harbour({ Harbour: 'mine: kept\n', Quay: '    x-note: kept\n', 'ferry.example': '        x-own: 7\n' });

test.use({ text: CONF });

test('an item, a section and a widget are added by mouse, and are in the file', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add item to Quay' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Title').fill('Lighthouse');
  // The page shows it while typing.
  await expect(tile(page, 'Lighthouse')).toHaveCount(1);
  await form.getByLabel('Address', { exact: true }).fill('https://light.example');
  await form.getByRole('button', { name: '+ Tags' }).click();
  await form.getByLabel('Tags').fill('light, sea');
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(tile(page, 'Lighthouse')).toHaveAttribute('href', 'https://light.example');

  await page.getByRole('button', { name: 'Add section' }).click();
  await form.getByLabel('Name').fill('Weather');
  await form.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Add widget to Weather' }).click();
  await form.getByRole('searchbox').fill('time date');
  await form.getByRole('button', { name: /^Clock/ }).click();
  await form.getByLabel('Label').fill('Harbour time');
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('#s-2 .widget-base')).toContainText('Harbour time');
  await save(page);

  expect(file(portico)).toBe(
    CONF.replace('  - name: Office', '      - title: Lighthouse\n        url: https://light.example\n        tags:\n          - light\n          - sea\n  - name: Office') +
      '  - name: Weather\n    widgets:\n      - type: clock\n        label: Harbour time\n',
  );
  const [backup = ''] = readdirSync(join(portico.directory, 'config-backups'));
  expect(readFileSync(join(portico.directory, 'config-backups', backup), 'utf8')).toBe(CONF);
  await expect(page.locator('#s-2 .widget-base')).toContainText('Harbour time');
  await expect(page.locator('[data-edit]')).toHaveCount(0);
});

test('everything is done by keyboard', async ({ page, portico }) => {
  await open(page);
  await page.getByRole('button', { name: 'Edit this page' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add section' })).toBeVisible();
  await page.getByRole('button', { name: 'Add item to Office' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').focus();
  await page.keyboard.type('Stamp');
  await page.keyboard.press('Enter');
  await expect(tile(page, 'Stamp')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => titles(page, 1)).toEqual(['Stamp', 'Ledger']);
  await expect(tile(page, 'Stamp')).toBeFocused();
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry', 'Stamp']);
  await expect(page.getByRole('region', { name: 'Save bar' }).getByRole('status')).toHaveText('Move “Stamp” to Quay.');
  await tile(page, 'Ledger').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Ledger')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(tile(page, 'Ledger')).toHaveCount(1);
  await page.keyboard.press('Control+Shift+z');
  await expect(tile(page, 'Ledger')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
  expect(file(portico)).toContain('      - title: Stamp\n  - name: Office\n    items: []\n');
});

test('an item is edited, copied, moved and deleted in its form', async ({ page, portico }) => {
  await edit(page);
  const form = page.getByRole('dialog');
  await tile(page, 'Crane').click();
  await form.getByLabel('Description').fill('Lifts things');
  await form.getByRole('button', { name: 'Duplicate' }).click();
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Crane', 'Ferry']);
  await tile(page, 'Ferry').click();
  await form.getByLabel('Move or copy to section').selectOption('Office');
  // Choosing alone moves nothing, so that the list can be read with the arrow keys.
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Ferry']);
  await tile(page, 'Ledger').click();
  await form.getByRole('button', { name: 'Move down' }).click();
  await expect.poll(() => titles(page, 1)).toEqual(['Ferry', 'Ledger']);
  await tile(page, 'Ledger').click();
  await form.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => titles(page, 1)).toEqual(['Ferry']);
  await (await tool(page, 'Page info')).click();
  await form.getByLabel('Title').fill('Old harbour');
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Old harbour');
  await save(page);
  const text = file(portico);
  expect(text).toContain('title: Old harbour');
  expect(text).toContain('x-own: 7');
  expect(text.match(/description: Lifts things/g)).toHaveLength(2);
  expect(text).toContain('mine: kept');
  expect(text).not.toContain('Ledger');
});

test('settings are found, filled in and saved, and pages are listed', async ({ page, portico }) => {
  await edit(page);
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await form.getByLabel('Layout').selectOption('masonry');
  await form.getByLabel('Find a setting').fill('number of columns');
  await expect(form.getByRole('button', { name: '+ Turn off the menu on a right click' })).toHaveCount(0);
  await form.getByLabel('Find a setting').fill('smart sort');
  await form.getByRole('button', { name: '+ Do not count what is opened' }).click();
  await form.getByLabel('Do not count what is opened').check();
  await form.getByRole('button', { name: 'Done' }).click();

  await (await tool(page, 'Pages')).click();
  await form.getByRole('button', { name: 'Add page' }).click();
  await form.getByLabel('Name').fill('Work');
  await form.getByRole('button', { name: 'Done' }).click();
  await (await tool(page, 'Pages')).click();
  await expect(form.getByRole('listitem')).toContainText(['Work work.yml']);
  await page.keyboard.press('Escape');
  await save(page);
  expect(file(portico)).toBe(`${CONF}appConfig:\n  layout: masonry\n  disableSmartSort: true\npages:\n  - name: Work\n    path: work.yml\n`);
});

test('a backup is compared before it is restored', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Crane').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'Crane')).toHaveCount(0);
  await save(page);
  await edit(page);
  await (await tool(page, 'Backups')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Differences/ }).click();
  await expect(dialog.locator('ins')).toContainText(['- title: Crane', 'url: https://crane.example']);
  await expect(dialog.locator('del')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(tile(page, 'Crane')).toHaveCount(1);
  await save(page);
  expect(file(portico)).toBe(CONF);
});

test('undo says what it undoes, and leads back to the file', async ({ page, portico }) => {
  await edit(page);
  for (const title of ['Crane', 'Ferry']) {
    await tile(page, title).focus();
    await page.keyboard.press('Delete');
    await expect(tile(page, title)).toHaveCount(0);
  }
  await expect(page.getByText('2 changes, not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: Delete item “Ferry”' }).click();
  await page.getByRole('button', { name: 'Undo: Delete item “Crane”' }).click();
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry']);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Redo: Delete item “Crane”' })).toBeEnabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
  expect(file(portico)).toBe(CONF);
  // Tiles are links again.
  await expect(tile(page, 'Crane')).not.toHaveAttribute('draggable', 'true');
});

test('tiles are dragged to another place and to another section', async ({ page }) => {
  await edit(page);
  await tile(page, 'Ferry').dragTo(tile(page, 'Crane'));
  await expect.poll(() => titles(page, 0)).toEqual(['Ferry', 'Crane']);
  await tile(page, 'Crane').dragTo(page.locator('#s-1 .section-heading'));
  await expect.poll(() => titles(page, 1)).toEqual(['Ledger', 'Crane']);
});

test.describe('when somebody else has changed the file', () => {
  test.use({ expected: /409/ });

  test('nothing is overwritten unseen', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await expect(tile(page, 'Crane')).toHaveCount(0);
    const theirs = CONF.replace('Harbour', 'Theirs');
    await rewrite(page, portico, theirs);
    await expect(page.getByRole('alert')).toContainText('changed by somebody else');
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The file has changed' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(file(portico)).toBe(theirs);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'All mine' }).click();
    await question.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
    expect(file(portico)).not.toContain('Crane');
    const backups = join(portico.directory, 'config-backups');
    expect(readdirSync(backups).map((name) => readFileSync(join(backups, name), 'utf8'))).toContain(theirs);
  });
});

test('a copy of an item with a key that nobody knows is saved', async ({ page, portico }) => {
  await edit(page);
  await tile(page, 'Ferry').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await expect.poll(() => titles(page, 0)).toEqual(['Crane', 'Ferry', 'Ferry']);
  await save(page);
  expect(file(portico).match(/x-own: 7/g)).toHaveLength(2);
});

test('what is wrong is said beside its field', async ({ page }) => {
  await edit(page);
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add item to Quay' }).click();
  await form.getByRole('button', { name: 'Done' }).click();
  await expect(form.getByRole('alert')).toHaveText('Please fill in the title.');
  await form.getByLabel('Title').fill('Buoy');
  await form.getByRole('button', { name: '+ Number key' }).click();
  await form.getByLabel('Number key').fill('12');
  await expect(form.getByLabel('Number key')).toHaveAttribute('aria-invalid', 'true');
  await expect(form.locator('#edit-hotkey-problem')).toContainText('9');
  await form.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(tile(page, 'Buoy')).toHaveCount(0);
});

test('the options of a widget show their defaults and bounds', async ({ page }) => {
  await edit(page);
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add widget to Office' }).click();
  await form.getByRole('searchbox').fill('calendar');
  await form.getByRole('button', { name: /^Calendar/ }).click();
  const days = form.getByLabel('Days', { exact: true });
  await expect(days).toHaveAttribute('placeholder', '30');
  await expect(days).toHaveAccessibleDescription(/From 1 to 366\.$/);
  await expect(days).toHaveValue('');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(form.getByLabel('Layout').locator('option').first()).toHaveText('Automatic');
});

test.describe('with a key in the file', () => {
  test.use({ text: `${CONF}    widgets:\n      - type: pi-hole-stats\n        options: { hostname: 'http://pi.example', apiKey: hush-hush }\n` });

  test('no form shows it', async ({ page, portico }) => {
    await edit(page);
    await page.getByRole('button', { name: /^Edit widget/ }).click();
    const key = page.getByLabel('Api key');
    await expect(key).toHaveAttribute('type', 'password');
    await expect(key).toHaveValue('');
    await page.getByLabel('Label').fill('Filter');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await save(page);
    expect(file(portico)).toContain('apiKey: hush-hush');
    expect(file(portico)).toContain('label: Filter');
  });
});

test.describe('with comments in the file', () => {
  test.use({ text: `# Mine\n${CONF}` });

  test('the dialog says that they are removed', async ({ page, portico }) => {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Save without comments?' });
    // It names the backup before there is one: its folder, and the beginning of its name.
    const [, start = ''] = /`?(config-backups\/conf-\d{5})….backup.yml/.exec((await question.textContent()) ?? '') ?? [];
    expect(start).not.toBe('');
    await expect(question.locator('code', { hasText: start })).toBeVisible();
    await question.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('region', { name: 'Save bar' })).toHaveCount(0);
    expect(file(portico)).not.toContain('# Mine');
    expect(newestBackup(portico)).toBe(`# Mine\n${CONF}`);
    expect(`config-backups/${readdirSync(join(portico.directory, 'config-backups')).at(-1)}`).toContain(start);
  });

  test.describe('and no backups', () => {
    test.use({ environment: { DISABLE_CONFIG_BACKUPS: 'true' } });

    test('a person is told that too', async ({ page }) => {
      await edit(page);
      await tile(page, 'Crane').focus();
      await page.keyboard.press('Delete');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Save without comments?' })).toContainText('No backup is kept, because DISABLE_CONFIG_BACKUPS is set.');
    });
  });
});

test.describe('in a folder that cannot be written', () => {
  test.use({ readOnly: true, expected: /500/ });

  test('the reason is said and the draft is kept', async ({ page }) => {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('cannot be');
    await expect(page.getByText('1 change, not saved')).toBeVisible();
  });
});

test.describe('where saving is forbidden', () => {
  test.use({ text: `${CONF}appConfig: { preventWriteToDisk: true }\n` });

  test('the button is off and the way out is said', async ({ page }) => {
    await edit(page);
    await tile(page, 'Crane').focus();
    await page.keyboard.press('Delete');
    await expect(tile(page, 'Crane')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await expect(page.getByText('until then you can download your draft')).toBeVisible();
  });
});

test.describe('for those who may not', () => {
  test.use({ text: `${CONF}appConfig: { disableConfiguration: true }\n` });

  test('there is no button', async ({ page }) => {
    await open(page);
    await expect(page.getByRole('button', { name: 'Edit this page' })).toHaveCount(0);
  });
});

test('an ordinary visit loads nothing of the editor', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  // The last script of a page opens the stream of changes.
  const stream = page.waitForRequest(/\/events\?/);
  await open(page);
  await stream;
  expect(loaded.filter((path) => /\/(edit|gestures|rename|focus|menu)/.test(path))).toEqual([]);
});

for (const [name, arrange] of [
  ['page', async () => {}],
  ['form', (page) => tile(page, 'Crane').click()],
  ['picker', (page) => page.getByRole('button', { name: 'Add widget to Office' }).click()],
  ['backups', async (page) => (await tool(page, 'Backups')).click()],
  ['settings', (page) => page.getByRole('button', { name: 'Settings', exact: true }).click()],
  ['pages', async (page) => (await tool(page, 'Pages')).click()],
  ['import', async (page) => {
    await (await tool(page, 'Import')).click();
    // The contrast of an empty field cannot be measured.
    await page.getByLabel('Or paste the text of a file').fill('services: []');
  }],
  ['page-info', async (page) => (await tool(page, 'Page info')).click()],
  ['section', (page) => page.getByRole('button', { name: 'Edit section Quay', exact: true }).click()],
  ['question', async (page) => {
    await page.getByRole('button', { name: 'Edit section Quay', exact: true }).focus();
    await page.keyboard.press('Delete');
  }],
  ['problems', async (page) => {
    await page.getByRole('button', { name: /^\d problems$/ }).click();
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toHaveText('The config has no key mine /mine');
  }],
] satisfies [string, (page: Page) => Promise<void>][]) {
  test(`is accessible, by day and by night, on a desk and on a phone: ${name}`, async ({ page }) => {
    test.setTimeout(60_000);
    await edit(page);
    await arrange(page);
    if (name !== 'page') await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, async () => {
      const directory = process.env['PICTURES'];
      const { width = 0 } = page.viewportSize() ?? {};
      const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
      if (directory) await page.screenshot({ path: join(directory, `${name}-${width}-${dark ? 'dark' : 'light'}.png`) });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
      expect(tooWide).toBe(false);
      // The bar is fixed, so it could be cut off without making the page wider.
      const cut = await page.getByRole('region', { name: 'Save bar', includeHidden: true }).getByRole('button', { includeHidden: true }).evaluateAll((buttons) => {
        return buttons.filter((button) => button.getBoundingClientRect().right > document.documentElement.clientWidth).map((button) => button.textContent);
      });
      expect(cut).toEqual([]);
    });
  });
}
