// The pseudo-language of development builds: English in brackets, with accents, and longer by 40 %. What is outside brackets does not go
// through a translation; what is cut or overlaps has no room for one. Texts of the config are in guillemets. Only dialogs of which
// everything is translated are here.

import { expect, test } from '../fixtures.ts';
import { begin, check, disguise } from '../pseudo.ts';

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

test.beforeEach(({ context, portico }) => disguise(context, portico.url));

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
