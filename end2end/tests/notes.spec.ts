// Notes: users who may edit the config can tick tasks, which changes the config file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, open, rewrite, test } from '../fixtures.ts';

const NOTES = `sections:
  - name: Home # ours
    widgets:
      - type: notes
        options:
          content: |
            # To do
            - [ ] Order a **disk**
            - [x] Renew the certificate
`;
const USERS = `appConfig:
  auth:
    enableGuestAccess: true
    users: [{ user: anna, hash: 55579B557896D0CE1764C47FED644F9B35F58BAD620674AF23F356D80ED0C503, type: admin }]
`;

/** The text of the config file. */
const stored = ({ directory }: { directory: string }) => readFileSync(join(directory, 'conf.yml'), 'utf8');

test.describe('where everybody is an admin', () => {
  test.use({ text: NOTES });

  test('a tick is written to the file, and stays', async ({ page, portico }) => {
    await open(page);
    const disk = page.getByRole('checkbox', { name: 'Order a disk' });
    const renewed = page.getByRole('checkbox', { name: 'Renew the certificate' });
    await expect(page.getByRole('heading', { name: 'To do' })).toBeVisible();
    await expect(disk).not.toBeChecked();
    await expect(renewed).toBeChecked();
    await disk.click();
    await expect(disk).toBeChecked();
    await expect.poll(() => stored(portico)).toBe(NOTES.replace('[ ] Order', '[x] Order'));
    // Until the response is there, a second click would do the same again, and is ignored.
    await expect(disk).toHaveAttribute('data-action', 'untick');
    await disk.press('Space');
    await expect(disk).not.toBeChecked();
    await expect.poll(() => stored(portico)).toBe(NOTES);
    await renewed.click();
    await expect(renewed).not.toBeChecked();
    await expect.poll(() => stored(portico)).toBe(NOTES.replace('[x] Renew', '[ ] Renew'));
    await open(page);
    await expect(disk).not.toBeChecked();
    await expect(renewed).not.toBeChecked();
    await expect(renewed).toBeEnabled();
  });

  test('a tick waits for the one before it', async ({ page, portico }) => {
    await page.route(/\/fn\/panel-action$/, async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await open(page);
    const disk = page.getByRole('checkbox', { name: 'Order a disk' });
    const renewed = page.getByRole('checkbox', { name: 'Renew the certificate' });
    await disk.click();
    await renewed.click();
    await expect(renewed).not.toBeChecked();
    await expect(disk).toBeChecked();
    await expect.poll(() => stored(portico)).toBe(NOTES.replace('[ ] Order', '[x] Order').replace('[x] Renew', '[ ] Renew'));
  });

  test('a note that was changed meanwhile is shown, and not overwritten', async ({ page, portico, context }) => {
    // Live updates would show the change before the click.
    await page.route(/\/stream-[^/]*\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await open(page);
    const changed = NOTES.replace('Renew', 'Inspect');
    await rewrite(await context.newPage(), portico, changed);
    await page.getByRole('checkbox', { name: 'Order a disk' }).click();
    await expect(page.getByRole('checkbox', { name: 'Inspect the certificate' })).toBeChecked();
    await expect(page.getByText('The note has changed since it was shown.')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Order a disk' })).not.toBeChecked();
    expect(stored(portico)).toBe(changed);
  });
});

test.describe('where the config forbids saving', () => {
  test.use({ text: `appConfig: { preventWriteToDisk: true }\n${NOTES}` });

  test('the boxes only show what is done', async ({ page }) => {
    await open(page);
    await expect(page.getByRole('checkbox', { name: 'Order a disk' })).toBeDisabled();
    await expect(page.getByRole('checkbox', { name: 'Renew the certificate' })).toBeDisabled();
  });
});

test.describe('for guests', () => {
  test.use({ text: USERS + NOTES });

  test('the boxes only show what is done', async ({ page }) => {
    await open(page);
    await expect(page.getByRole('checkbox', { name: 'Order a disk' })).toBeDisabled();
  });
});
