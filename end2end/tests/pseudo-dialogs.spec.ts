// The pseudo-language in every dialog, form and panel, and on every page that people see, wide and narrow: no text of ours is outside of
// brackets, nothing is cut, and nothing lies on something else. `pseudo.ts` finds them; the lists below leave out what has its reasons.

import { createHash } from 'node:crypto';

import type { Page } from '@playwright/test';

import { address, alive, expect, open, rewrite, SOON, test as plain } from '../fixtures.ts';
import { AWAY, install, test as installed } from '../offline.ts';
import { begin, check, control, disguise } from '../pseudo.ts';
import { Upstream } from '../upstream.ts';

/** What stays outside of brackets, each with its reason. */
const STRAY: RegExp[] = [
  // The colors by their names in `customColors`.
  /^\.colors-row > label text: [a-z-]+$/,
  // What the server uses by itself: values of the file.
  /input placeholder: (default|openid profile email roles groups|Remote-User|noopener noreferrer)$/,
  // Search engines, and services for icons and the weather.
  /^option text: (Allesedv|Besticon|Brave|Duckduckgo|Ecosia|Faviconkit|Github|Google|Iconhorse|Kagi|Mcapi|Metager|Mojeek|Peekier|Perplexity|Qwant)$/,
  /^option text: (Reddit|Searx (bar|bissisoft|info|tiekoetter)|Stackoverflow|Startpage|Swisscows|Uruky|Webmasterapi|Whoogle|Wikipedia|Wolframalpha|Yandex|Youtube|bbc)$/,
  /^option text: (Open meteo|Openweathermap|Json)$/,
  // The key at which something stood in the file of the other dashboard.
  /^li text: , «Media» \/ «Films» \/ widget:$/,
];

/** What is cut or overlaps, each with its reason. */
const SQUEEZED: RegExp[] = [
  // The areas of the symbols at the top of the minimal view reach into each other by a few pixels, in every language.
  /^overlap: button\.icon-button nav-toggle: {2}and button\.icon-button: $/,
];

/** The texts of the example of a new dashboard: they are those of its file. */
const EXAMPLE = [
  /^(span\.subtitle|a\.nav-item|\.section-heading\.section-header > h2|span\.tile-title|span\.tile-description\.description) text: /,
  /^a\.page-title\S* title: /,
];

const TYPES = ['clock', 'weather', 'api-response', 'calendar', 'iframe', 'rss-feed', 'search', 'notes', 'public-holidays', 'image'];

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
      - { title: «Ferry», url: https://ferry.example, tags: [«boats»], statusCheck: false }
      - title: «Group»
        subItems:
          - { title: «Rope», url: https://rope.example }
          - { title: «Chain», url: https://chain.example }
  - name: «Office»
    items:
      - { title: «Ledger», url: https://ledger.example, statusCheck: false }
    widgets:
${TYPES.map((type) => `      - { type: ${type}, label: «${type}» }\n`).join('')}pages:
  - { name: «Boats», path: boats.yml }
`;

const see = (page: Page, state: string, more: RegExp[] = []) => check(page, state, { stray: [...STRAY, ...more], squeezed: SQUEEZED });

const test = plain.extend({
  context: async ({ context, portico }, use) => {
    await disguise(context, portico.url);
    await use(context);
  },
});

test.use({ text: TEXT, actionTimeout: 8_000 });

const top = (page: Page) => page.locator('dialog[open]').last();

/** Waits until a dialog is there, and what it loads. */
async function shown(page: Page): Promise<void> {
  await expect(top(page)).toBeVisible();
  await page.waitForTimeout(300);
}

/** Presses a button of the save bar, which may be behind “More”. */
async function tool(page: Page, english: string): Promise<void> {
  const wanted = control(page.locator('.edit-bar'), english);
  if (!(await wanted.isVisible())) await page.locator('.edit-more-button').click();
  await wanted.click();
  await shown(page);
}

/** Closes the open dialog. */
async function close(page: Page): Promise<void> {
  const count = await page.locator('dialog[open]').count();
  await control(top(page), 'Cancel').or(control(top(page), 'Close')).first().click();
  await expect(page.locator('dialog[open]')).toHaveCount(count - 1);
}

/** Shows all fields of a form that are behind chips. */
async function unfold(page: Page): Promise<void> {
  const chips = top(page).locator('.edit-chip');
  for (let left = await chips.count(); left > 0; left = await chips.count()) await chips.first().evaluate((chip: HTMLElement) => chip.click());
  await page.waitForTimeout(100);
}

test('the options and the tabs of the config menu', async ({ page }) => {
  await open(page);
  await see(page, 'the page');
  await page.locator('[popovertarget=options-panel]').click();
  await see(page, 'the options');
  await page.locator('[data-opens=config]').click();
  await shown(page);
  for (const tab of await top(page).getByRole('tab').all()) {
    await tab.click();
    await page.waitForTimeout(300);
    await see(page, `the tab ${await tab.getAttribute('id')}`);
  }
});

test('themes, colors, keys and the search', async ({ page }) => {
  await open(page);
  await page.keyboard.press('?');
  await shown(page);
  await see(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.locator('[popovertarget=options-panel]').click();
  await page.locator('[data-opens=theme]').click();
  await shown(page);
  await see(page, 'the themes');
  await page.keyboard.press('Escape');
  await page.locator('[popovertarget=options-panel]').click();
  await page.locator('[data-opens=colors]').click();
  await shown(page);
  await see(page, 'the colors');
  await page.keyboard.press('Escape');
  await page.keyboard.type('zzz');
  await page.waitForTimeout(200);
  await see(page, 'a search without hits');
});

test('menus in and out of edit mode', async ({ page }) => {
  await open(page);
  for (const editing of [false, true]) {
    if (editing) await begin(page);
    for (const [what, selector] of [
      ['an item', '#i-0-0 .tile-title'],
      ['a group', '#i-0-2 .group-title'],
      ['a section', '#s-0 .section-heading'],
      ['a widget', '[data-widget="1-0"] .widget-label'],
    ] as const) {
      if (what === 'a widget' && !editing) continue;
      await page.locator(selector).first().click({ button: 'right' });
      await expect(page.getByRole('menu').first()).toBeVisible();
      await see(page, `the menu of ${what}${editing ? ' in edit mode' : ''}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
    }
  }
});

test('edit mode, and the forms of the page', async ({ page }) => {
  await begin(page);
  await see(page, 'edit mode');
  for (const name of ['Page info', 'Settings', 'Pages']) {
    await tool(page, name);
    await see(page, name);
    await unfold(page);
    await see(page, `${name} with all fields`);
    await close(page);
  }
});

test('the forms of sections and items', async ({ page }) => {
  await begin(page);
  for (const [what, selector] of [
    ['a section', '[data-edit=section-0]'],
    ['an item', '#i-0-0'],
    ['a group', '#i-0-2 .group-title'],
    ['a new section', '[data-edit=add-section]'],
    ['a new item', '[data-edit="add-item-0"]'],
  ] as const) {
    await page.locator(selector).first().click();
    await shown(page);
    await see(page, what);
    await unfold(page);
    await see(page, `${what} with all fields`);
    if (what === 'a new item') {
      await top(page).locator('button[type=submit]').click();
      await see(page, 'a form that lacks something');
    }
    await close(page);
  }
});

for (const half of [0, 1]) {
  test(`the forms of widgets, part ${half + 1}`, async ({ page }) => {
    await begin(page);
    for (const [at, type] of TYPES.entries()) {
      if (at % 2 !== half) continue;
      await page.locator(`[data-edit="widget-1-${at}"]`).click();
      await shown(page);
      await unfold(page);
      await see(page, `the form of ${type}`);
      await close(page);
    }
  });
}

test('the values of a response', async ({ page }) => {
  const upstream = await Upstream.start();
  upstream.responses.set('/values', { '«state»': '«good»', '«disks»': Array.from({ length: 60 }, () => '«free»') });
  upstream.responses.set('/text', (_, response) => response.end('«no JSON»'));
  await begin(page);
  await page.locator(`[data-edit="widget-1-${TYPES.indexOf('api-response')}"]`).click();
  await shown(page);
  const [address, tree] = [top(page).locator('input[id$="-options-url"]'), top(page).locator('.edit-values')];
  await address.fill(`${upstream.url}/values`);
  await tree.locator('> button').click();
  await tree.locator('button[data-mapping]').first().click();
  await tree.locator('details:not([open]) > summary').click();
  // The positions in a list, and how long it is.
  const numbers = [/^bdi text: \d+$/, /^summary > span text: \[\d+\]$/, /^input value: /];
  await see(page, 'the values of a response', numbers);
  await address.fill(`${upstream.url}/text`);
  await expect(tree.locator('pre')).toBeVisible();
  await see(page, 'a response that is no JSON', numbers);
  await address.fill(`${upstream.url}/nowhere`);
  await expect(tree.locator('pre')).toHaveCount(0);
  await see(page, 'a service without such an address', numbers);
  await upstream.stop();
});

test('pickers of widgets and icons', async ({ page }) => {
  await begin(page);
  await page.locator('[data-edit="add-widget-0"]').click();
  await shown(page);
  await page.waitForTimeout(1_000);
  await see(page, 'types of widgets');
  // Pictures of widgets that search the web have such a field too.
  await top(page).locator('input[type=search]').first().fill('zzzzz');
  await see(page, 'no type of widgets');
  await close(page);
  await page.locator('#i-0-1').click();
  await page.locator('[data-helper=icons]').click();
  await shown(page);
  await see(page, 'icons');
  await top(page).locator('input[type=search]').fill('zzzzzzzz');
  await page.waitForTimeout(500);
  await see(page, 'no icon');
  await page.locator('.edit-icon-picker .dialog-header button').click();
  await page.locator('#edit-title').fill('«Boat»');
  await page.locator('dialog[open] button[type=submit]').click();
  await page.locator('.edit-actions > .button').nth(-2).click();
  await expect(page.locator('.edit-question')).toBeVisible();
  await see(page, 'the question before changes are lost');
});

test('pickers of the settings', async ({ page }) => {
  await begin(page);
  await tool(page, 'Settings');
  await unfold(page);
  for (const helper of await page.locator('dialog[open] [data-helper]').all()) {
    const name = await helper.getAttribute('data-helper');
    await helper.click();
    await page.waitForTimeout(500);
    if ((await page.locator('dialog[open]').count()) < 2) continue;
    await see(page, `the helper ${name}`);
    await close(page);
  }
});

test.describe('what is sent to the server', () => {
  test.use({ expected: /status of 400/ });

  test('imports', async ({ page }) => {
    await begin(page);
    await tool(page, 'Import');
    await see(page, 'an import');
    await top(page).locator('textarea').fill('services: [ «x');
    await top(page).locator('button[type=submit]').click();
    await expect(top(page).locator('.edit-problem')).toBeVisible();
    await see(page, 'an import that fails');
    await top(page).locator('textarea').fill('- «Media»:\n    - «Films»:\n        href: https://films.example\n        widget: { type: unraid, url: https://tower.example }\n');
    await top(page).locator('button[type=submit]').click();
    await expect(top(page).locator('.edit-report')).toBeVisible();
    await see(page, 'the report of an import');
    await control(top(page), 'Back').click();
    await close(page);
  });
});

test('backups and copies', async ({ page }) => {
  await begin(page);
  await tool(page, 'Backups');
  await see(page, 'no backups');
  await control(top(page), 'Encrypted copy…').click();
  await page.waitForTimeout(300);
  await see(page, 'an encrypted copy');
  await top(page).locator('button[type=submit]').click();
  await see(page, 'an encrypted copy without a password');
  await close(page);
  await tool(page, 'Backups');
  await control(top(page), 'Restore from a file…').click();
  await page.waitForTimeout(300);
  await see(page, 'restoring from a file');
});

/** Changes a title. */
async function retitle(page: Page, title: string): Promise<void> {
  await page.locator('#i-0-1').click();
  await page.locator('#edit-title').fill(title);
  await top(page).locator('button[type=submit]').click();
  await expect(page.locator('dialog[open]')).toHaveCount(0);
}

test('saving, and what there is of earlier versions', async ({ page }) => {
  await begin(page);
  await retitle(page, '«Boat»');
  await see(page, 'a change');
  await tool(page, 'Save locally');
  await see(page, 'after saving locally');
  if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
  await control(page.locator('.edit-bar'), 'Save').click();
  await expect(page.locator('.edit-bar')).toHaveCount(0);
  await see(page, 'after saving');
  await begin(page);
  await tool(page, 'Backups');
  await see(page, 'backups');
  await top(page).locator('.edit-row-buttons button').first().click();
  await shown(page);
  await see(page, 'the differences to a backup');
  await control(top(page), 'Restore').click();
  await page.waitForTimeout(300);
  await see(page, 'a restored backup');
  await control(page.locator('.edit-bar'), 'Cancel').click();
  await page.waitForTimeout(300);
  await see(page, 'the question before changes are lost');
});

test.describe('without a server', () => {
  test.use({ expected: /ERR_CONNECTION_REFUSED|status of 50\d|Failed to fetch/ });

  test('saving says why it fails', async ({ page, portico }) => {
    await begin(page);
    await retitle(page, '«Boat»');
    await portico.stop();
    await control(page.locator('.edit-bar'), 'Save').click();
    await expect(page.locator('.edit-bar [role=alert]')).toBeVisible();
    await see(page, 'saving without a server');
  });
});

test('the text, the style sheet and the styles', async ({ page }) => {
  await begin(page);
  await tool(page, 'Edit as YAML');
  await see(page, 'the text');
  await page.locator('.edit-raw [contenteditable=true]').first().focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('nonsense: [\n');
  await expect(page.locator('.edit-raw-problems button').first()).toBeVisible();
  await see(page, 'the text with a problem');
  await page.keyboard.press('Control+z');
  await page.waitForTimeout(500);
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('nonsense: 3\n');
  await expect(page.locator('.edit-raw-problems button').first()).toBeVisible();
  await see(page, 'the text with a hint');
  await control(top(page), 'Find').click();
  await page.waitForTimeout(300);
  await see(page, 'finding in the text');
  await control(top(page), 'Cancel').click();
  await page.waitForTimeout(200);
  await see(page, 'the question about the text');
  await control(top(page), 'Discard').click();
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await tool(page, 'Styles');
  await page.waitForTimeout(300);
  await see(page, 'the styles');
});

test('protecting', async ({ page }) => {
  await begin(page);
  await tool(page, 'Protect this dashboard');
  await see(page, 'protecting');
  await top(page).locator('button[type=submit]').click();
  await see(page, 'protecting without a name');
  await top(page).locator('input[name=user]').fill('Zzann');
  await top(page).locator('input[name=password]').fill('short');
  await top(page).locator('button[type=submit]').click();
  await see(page, 'protecting with a short password');
});

test('problems, hints, questions and the selection', async ({ page, portico }) => {
  await rewrite(page, portico, TEXT.replace('type: clock', 'type: clok').replace('theme: nord', 'theme: nord\n  layout: sideways\n  colCount: 99').replace('url: https://ledger.example', 'url: https://ledger.example, hotkey: soon, colour: red'));
  await open(page);
  await page.locator('[popovertarget=options-panel]').click();
  await see(page, 'the options with problems');
  await page.keyboard.press('Escape');
  await begin(page);
  await page.waitForTimeout(500);
  for (const one of await page.locator('.edit-bar .edit-problems').all()) {
    await one.click();
    await shown(page);
    await see(page, 'problems');
    await close(page);
  }
  await page.locator('[data-edit="widget-1-0"]').click();
  await shown(page);
  await see(page, 'the form of a widget with a problem');
  await close(page);
  await control(page.locator('.edit-bar'), 'Select').click();
  await page.locator('#i-0-0').click();
  await see(page, 'the selection');
  await control(page.locator('.edit-bar'), 'Select').click();
  await page.locator('[data-more=section-0]').click();
  await page.getByRole('menuitem').last().click();
  await page.waitForTimeout(300);
  await see(page, 'a deleted section, or the question before');
});

test.describe('with somebody else', () => {
  test.use({ expected: /409/ });

  test('a conflict', async ({ page, portico }) => {
    await begin(page);
    await retitle(page, '«Boat»');
    await rewrite(page, portico, TEXT.replace('«Ferry»', '«Barge»').replace('«Ledger»', '«Book»'));
    await expect(page.locator('.edit-bar [role=alert]')).toBeVisible();
    await see(page, 'the file has changed');
    await control(page.locator('.edit-bar'), 'Compare').click();
    await shown(page);
    await see(page, 'a conflict');
  });
});

test.describe('a new dashboard', () => {
  test.use({ text: undefined, config: null });

  test('the tour and the example', async ({ page }) => {
    await page.goto(address('/'));
    await alive(page);
    const tour = page.locator('.tour');
    for (let step = 0; step < 3; step++) {
      await expect(tour).toBeVisible();
      await see(page, `step ${step} of the tour`, EXAMPLE);
      await tour.locator('.button.primary').click();
    }
    await expect(tour).toHaveCount(0);
  });
});

test.describe('an empty config', () => {
  test.use({ text: 'pageInfo: { title: «Harbour» }\nsections: []\n' });

  test('the ways to begin', async ({ page }) => {
    await open(page);
    await see(page, 'an empty page');
    await begin(page);
    await see(page, 'an empty page in edit mode');
  });
});

test.describe('with accounts', () => {
  const hash = createHash('sha256').update('Zzann').digest('hex');
  const text = `${TEXT.replace('statusCheck: true', `statusCheck: true\n  auth: { users: [ { user: Zzann, hash: ${hash}, type: admin } ] }`)}`;
  test.use({ text, expected: /status of 40[134]/ });

  test('signing in', async ({ page }) => {
    await page.goto(address('/login'));
    await see(page, 'the sign-in page');
    await page.locator('input[type=password]').fill('wrong');
    await page.locator('input:not([type=password]):not([type=hidden]):not([type=checkbox])').first().fill('Zzann');
    await page.locator('form button').first().click();
    await expect(page.locator('[role=alert]')).toBeVisible();
    await see(page, 'a wrong password');
    await page.locator('input[type=password]').fill('Zzann');
    await page.locator('form button').first().click();
    await alive(page);
    await page.locator('[popovertarget=account-panel]').click();
    await see(page, 'the account');
    await page.goto(address('/login'));
    await see(page, 'the sign-in page of somebody who is signed in');
  });
});

test.describe('pages beside the dashboard', () => {
  test.use({ expected: /status of (40|50)\d/ });

  test('what is not there', async ({ page }) => {
    await page.goto(address('/home/nowhere'));
    await see(page, 'a page that is not there');
    await page.goto(address('/nowhere.html'));
    await see(page, 'a path that is not there');
    await page.goto(address('/home/boats'));
    await see(page, 'a page whose file is missing');
    await page.goto(address('/framed?url=nonsense'));
    await see(page, 'a frame without an address');
  });

  test('other views, and what opens in them', async ({ page }) => {
    await page.goto(address('/home/main/office'));
    await alive(page);
    await see(page, 'a section of its own');
    await page.goto(address('/home/main/office/0'));
    await alive(page);
    await see(page, 'a widget of its own');
    await page.goto(address('/workspace'));
    await page.waitForTimeout(300);
    await see(page, 'the workspace');
    await page.goto(address('/minimal'));
    await page.waitForTimeout(300);
    await see(page, 'the minimal view');
    await open(page);
    await page.locator('#i-0-0 .tile-title').click({ button: 'right' });
    await control(page, 'Open in a pop-up', 'menuitem').click();
    await shown(page);
    await see(page, 'a pop-up');
  });
});

test.describe('widgets that fail', () => {
  test.use({
    text: `pageInfo: { title: «Harbour» }
sections:
  - name: «Quay»
    widgets:
      - { type: api-response, label: «refused», options: { url: 'http://127.0.0.1:9/' } }
      - { type: api-response, label: «incomplete» }
      - { type: rss-feed, label: «feed», options: { rssUrl: 'http://127.0.0.1:9/feed' } }
      - { type: nothing-like-this, label: «unknown» }
      - { type: weather, label: «weather», options: { city: 3, units: cubits } }
      - { type: image, label: «image», options: { imagePath: 'http://' } }
`,
    expected: /status of 50\d|Failed to load/,
  });

  test('say why', async ({ page }) => {
    await open(page);
    await expect(page.locator('.widget-problem').first()).toBeVisible();
    await page.waitForTimeout(1_500);
    await see(page, 'widgets that fail');
  });
});

test.describe('broken', () => {
  test.use({ text: 'pageInfo: { title: «Broken» }\nsections:\n  - name: «First»\n    items: [ { title: «A» }\n  - name: «Second»\n', expected: /status of 50\d/ });

  test('a config that cannot be read', async ({ page, portico }) => {
    await page.goto(address('/'));
    await see(page, 'a broken config');
    const home = async () => (await page.request.get('./')).text();
    portico.write('conf.yml', TEXT);
    await expect.poll(home, SOON).toContain('«Crane»');
    portico.write('conf.yml', 'pageInfo: [\n');
    await expect.poll(home, SOON).toContain('class="notice"');
    await open(page);
    await see(page, 'a config that has broken since');
  });
});

installed.describe('offline', () => {
  installed.use({ text: TEXT.replace('appConfig:', 'appConfig:\n  enableServiceWorker: true'), expected: AWAY });
  installed.setTimeout(60_000);

  installed('copies of pages, and what has none', async ({ page, portico }) => {
    await disguise(page.context(), portico.url);
    await install(page);
    await portico.stop();
    await page.goto(address('/'));
    await see(page, 'the copy of a page');
    await page.goto(address('/home/main/quay'));
    await see(page, 'the offline page');
  });
});
