// The preview of a widget while its form is open (docs/editing.md): its real panel, beside the form or above it.

import type { Locator, Page } from '@playwright/test';

import { check } from '../accessibility.ts';
import { QUAY, edit, file, save, tool } from '../editing.ts';
import { expect, test as base } from '../fixtures.ts';
import { status, Upstream } from '../upstream.ts';

const CONF = QUAY;

const test = base.extend<{ upstream: Upstream }>({
  text: CONF,
  upstream: async ({}, use) => {
    const upstream = await Upstream.start();
    upstream.responses.set('/state', { state: 'all is well' });
    upstream.responses.set('/other', { state: 'a storm comes' });
    await use(upstream);
    await upstream.stop();
  },
});

const form = (page: Page): Locator => page.getByRole('dialog');
const preview = (page: Page): Locator => form(page).getByRole('region', { name: 'Preview' });

/** Starts to add a widget that shows a field of a service. */
async function addWidget(page: Page, url: string): Promise<void> {
  await edit(page);
  await page.getByRole('button', { name: 'Add widget to Quay' }).click();
  await form(page).getByRole('searchbox').fill('api-response');
  await form(page).getByRole('button', { name: /^API response/ }).click();
  await form(page).getByRole('button', { name: 'Add mapping', exact: true }).click();
  const mapping = form(page).getByRole('group', { name: 'Mapping 1', exact: true });
  await mapping.getByLabel(/^Field( \*)?$/).fill('state');
  await form(page).getByLabel('Address', { exact: true }).fill(url);
}

test('a widget shows its panel with real data before it is saved', async ({ page, portico, upstream }) => {
  await addWidget(page, `${upstream.url}/state`);
  await expect(preview(page)).toContainText('all is well');
  await form(page).getByLabel('Label').first().fill('Weather');
  await expect(preview(page).getByRole('heading', { name: 'Weather' })).toBeVisible();
  await form(page).getByLabel('Address', { exact: true }).fill(`${upstream.url}/other`);
  await expect(preview(page)).toContainText('a storm comes');
  await expect(preview(page)).not.toContainText('all is well');
  // Typing does not cause a request for each letter.
  expect(upstream.requested.filter((path) => !['/state', '/other'].includes(path))).toEqual([]);
  expect(file(portico)).toBe(CONF);

  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('#s-0 .widget-base')).toContainText('a storm comes');
  await expect(page.getByText('1 change, not saved')).toBeVisible();
  await save(page);
  expect(file(portico)).toContain('label: Weather');
});

test('what is missing or fails is explained in the panel', async ({ page, upstream }) => {
  upstream.responses.set('/broken', status(503));
  await addWidget(page, '');
  await expect(preview(page)).toContainText(/url/i);
  await form(page).getByLabel('Address', { exact: true }).fill(`${upstream.url}/broken`);
  await expect(preview(page)).toContainText('503');
  await expect(preview(page).getByRole('alert')).toHaveCount(0);
  await form(page).getByLabel('Address', { exact: true }).fill(`${upstream.url}/state`);
  await expect(preview(page)).toContainText('all is well');
});

test('an old answer does not take the place of a newer one', async ({ page, upstream }) => {
  upstream.responses.set('/slow', { state: 'too late' });
  let release = () => {};
  const held = new Promise<void>((done) => { release = done; });
  const isSlow = (body: string | null) => body?.includes('/slow') === true;
  await page.route('**/fn/editor-panel', async (route) => {
    if (isSlow(route.request().postData())) await held;
    await route.continue();
  });
  const slow = page.waitForRequest((request) => isSlow(request.postData()) && request.url().endsWith('/fn/editor-panel'));
  const late = page.waitForResponse((response) => isSlow(response.request().postData()) && response.url().endsWith('/fn/editor-panel'));
  await addWidget(page, `${upstream.url}/slow`);
  await slow;
  await form(page).getByLabel('Address', { exact: true }).fill(`${upstream.url}/state`);
  await expect(preview(page)).toContainText('all is well');
  release();
  expect(await (await late).text()).toContain('too late');
  await expect(preview(page)).toContainText('all is well');
});

test('a widget that comes without its form shows its panel too', async ({ page, upstream }) => {
  await addWidget(page, `${upstream.url}/state`);
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('#s-0 .widget-base')).toContainText('all is well');
  upstream.responses.set('/copy', { state: 'just the same' });
  await (await tool(page, 'Edit as YAML')).click();
  const text = page.getByRole('textbox', { name: /^YAML of/ });
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(`  - name: Shed\n    widgets: [{ type: api-response, options: { url: '${upstream.url}/copy', mappings: [{ field: state, label: State }] } }]\n`);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.locator('#s-1 .widget-base')).toContainText('just the same');
});

test('the preview is beside the form; on a narrow screen it is above it and can be folded', async ({ page, upstream }) => {
  await addWidget(page, `${upstream.url}/state`);
  await expect(preview(page)).toContainText('all is well');
  const fields = form(page).locator('form');
  const places = async () => {
    const [one, other] = await Promise.all([preview(page).boundingBox(), fields.boundingBox()]);
    return { isBeside: one!.x >= other!.x + other!.width - 1, isAbove: one!.y + one!.height <= other!.y + 1 };
  };
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(places).toEqual({ isBeside: true, isAbove: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(places).toEqual({ isBeside: false, isAbove: true });
  const fold = preview(page).getByRole('button', { name: 'Preview' });
  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(preview(page).getByText('all is well')).toBeHidden();
});

test('embedded HTML is shown before it is saved, in an isolated frame as high as its content', async ({ page, portico }) => {
  await edit(page);
  await page.getByRole('button', { name: 'Add widget to Quay' }).click();
  await form(page).getByRole('searchbox').fill('html-embed');
  await form(page).getByRole('button', { name: /^HTML embed/ }).click();
  await form(page).getByLabel('HTML', { exact: true }).fill('<p id="log" style="height: 300px; margin: 0">nothing ran</p>');
  const frame = preview(page).locator('iframe');
  const log = frame.contentFrame().locator('#log');
  await expect(log).toHaveText('nothing ran');
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(300);
  await form(page).getByLabel('Script', { exact: true }).fill("try { log.textContent = parent.document.title } catch { log.textContent = 'closed, ' + self.origin }");
  await expect(log).toHaveText('closed, null');
  const policy = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
  await form(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('#s-0 .widget-base iframe').contentFrame().locator('#log')).toHaveText('closed, null');
  expect(file(portico)).toBe(CONF);
});

test('the form of a widget is accessible, by day and by night, on a desk and on a phone', async ({ page, upstream }) => {
  test.setTimeout(60_000);
  await addWidget(page, `${upstream.url}/state`);
  await expect(preview(page)).toContainText('all is well');
  await check(page, async () => {
    const tooWide = await form(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
    expect(tooWide).toBe(false);
  });
});
