// Content embedded by the config: it runs in its own frame, as high as its content and in the colors of the page.

import { expect, open, test } from '../fixtures.ts';

const SCRIPT = `
  const says = (name, ask) => { try { return name + ': ' + ask(); } catch { return name + ': refused'; } };
  document.getElementById('log').textContent = [
    says('parent', () => parent.document.title),
    says('cookie', () => document.cookie),
    says('storage', () => localStorage.length),
    says('origin', () => self.origin),
  ].join('; ');
`;

const TEXT = `
appConfig: { theme: default }
sections:
  - name: Home
    widgets:
      - type: html-embed
        label: Scripted
        options:
          html: <p id="log">nothing ran</p><div id="box"></div><button onclick="box.style.height = '900px'">Grow</button>
          css: "#box { height: 300px; } #log { color: var(--widget-text-color); background: var(--primary); }"
          script: ${JSON.stringify(SCRIPT)}
      - type: embed
        label: Markup
        options:
          html: <p id="log">nothing ran</p><img src="data:," onerror="log.textContent = 'ran'"><script>log.textContent = 'ran'</script>
`;

// The browser logs what the policy of the second frame blocks.
const REFUSED = /Executing inline (script|event handler) violates/;

test.use({ text: TEXT, expected: REFUSED });

test.describe('a frame with scripts', () => {
  test('runs them without access to the dashboard', async ({ page }) => {
    await open(page);
    const log = page.getByRole('article', { name: 'Scripted' }).frameLocator('iframe').locator('#log');
    await expect(log).toHaveText('parent: refused; cookie: refused; storage: refused; origin: null');
  });

  test('has the font of the page', async ({ page }) => {
    await open(page);
    const inside = page.getByRole('article', { name: 'Scripted' }).frameLocator('iframe').locator('body');
    await expect(page.locator('body')).toHaveCSS('font-family', /^Figtree,/);
    const font = await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily);
    await expect(inside).toHaveCSS('font-family', font);
    // The font is part of the document, since the frame may load nothing from this server.
    expect(await inside.evaluate(async () => (await document.fonts.load('1rem Figtree')).length)).toBe(1);
  });

  test('is as high as its content, and ignores messages of others', async ({ page }) => {
    await open(page);
    const frame = page.getByRole('article', { name: 'Scripted' }).locator('iframe');
    const height = async () => (await frame.boundingBox())!.height;
    await expect.poll(height).toBeGreaterThan(320);
    await expect.poll(height).toBeLessThan(480);
    await frame.contentFrame().getByRole('button', { name: 'Grow' }).click();
    await expect.poll(height).toBeGreaterThan(920);
    const before = await height();
    // All five messages have arrived, and the next frame is drawn.
    const heard = page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      addEventListener('message', () => (count += 1) === 5 && requestAnimationFrame(() => resolve(count)));
      postMessage(4321, '*');
    }));
    await frame.contentFrame().locator('body').evaluate(() => {
      for (const wrong of ['4321', { height: 4321 }, NaN, null]) parent.postMessage(wrong, '*');
    });
    await heard;
    expect(await height()).toBe(before);
    await frame.contentFrame().locator('body').evaluate(() => parent.postMessage(1e9, '*'));
    await expect.poll(height).toBe(5000);
  });

  test('has the colors of the theme, and follows it', async ({ page }) => {
    await open(page);
    const log = page.getByRole('article', { name: 'Scripted' }).frameLocator('iframe').locator('#log');
    const inside = () => log.evaluate((element) => getComputedStyle(element).backgroundColor);
    const outside = () =>
      page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'var(--primary)';
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
    await expect.poll(inside).toBe(await outside());
    const before = await outside();
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--primary', 'rgb(1, 2, 3)');
    });
    expect(await outside()).not.toBe(before);
    await expect.poll(inside).toBe('rgb(1, 2, 3)');
  });

  test('is built anew by the reload button', async ({ page }) => {
    await open(page);
    const article = page.getByRole('article', { name: 'Scripted' });
    const log = article.frameLocator('iframe').locator('#log');
    await expect(log).toContainText('origin: null');
    await log.evaluate((element) => (element.textContent = 'changed'));
    await article.hover();
    await page.getByRole('button', { name: 'Reload Scripted' }).click();
    await expect(log).toContainText('origin: null');
    await expect(article.locator('iframe')).toHaveCount(1);
  });
});

test.describe('a frame without scripts', () => {
  test.use({ expected: /Content Security Policy|inline (script|event handler)/i });

  test('runs no scripts in its markup', async ({ page }) => {
    await open(page);
    const frame = page.getByRole('article', { name: 'Markup' }).locator('iframe');
    await expect(frame.contentFrame().locator('#log')).toHaveText('nothing ran');
    await expect.poll(async () => (await frame.boundingBox())!.height).toBeLessThan(200);
  });

  test('is as high as its content although it was there before anybody listened', async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => { release = resolve; });
    await page.route('**/live-*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('./', { waitUntil: 'commit' });
    const frame = page.getByRole('article', { name: 'Markup' }).locator('iframe');
    const body = frame.contentFrame().locator('body');
    await expect.poll(() => body.evaluate(() => document.readyState)).toBe('complete');
    await body.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    release();
    await expect.poll(async () => (await frame.boundingBox())!.height).toBeLessThan(200);
  });

  test.describe('by order of the administrator', () => {
    test.use({ environment: { DISABLE_WIDGET_SCRIPTS: 'true' } });

    test('says so', async ({ page }) => {
      await open(page);
      const article = page.getByRole('article', { name: 'Scripted' });
      await expect(article).toContainText('Scripts are switched off by the administrator');
      await expect(article.frameLocator('iframe').locator('#log')).toHaveText('nothing ran');
    });
  });
});

test.describe('for people without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the content is there', async ({ page }) => {
    await page.goto('./');
    const frame = page.getByRole('article', { name: 'Scripted' }).locator('iframe');
    await expect(frame.contentFrame().locator('#log')).toHaveText('nothing ran');
  });
});

test('the policy of the page is no weaker for it', async ({ page, portico, start }) => {
  const plain = await start({ text: 'sections: [{ name: Home, widgets: [{ type: clock }] }]\n' });
  const policy = async (url: string) => (await page.request.get(url)).headers()['content-security-policy'];
  const directives = (policy = '') => policy.split('; ').filter((directive) => !/^(style|script)-src/.test(directive));
  const own = await policy(`${portico.url}/`);
  expect(directives(own)).toEqual(directives(await policy(`${plain.url}/`)));
  expect(own).not.toMatch(/unsafe-inline|'unsafe-eval'/);
});
