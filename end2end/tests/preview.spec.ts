// Panels drawn by the browser from their data: the markup is the same as the server's.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '../fixtures.ts';
import { BINARY } from '../server.ts';

/** The bundle, which `make test-browser` builds. */
const BUNDLE = join(import.meta.dirname, '../output/preview');

/** The recorded services of all widgets. */
const CASES = join(import.meta.dirname, '../../widgets/cases');

/** The address of the page; no server responds there. */
const ORIGIN = 'http://preview.test';

test.describe.configure({ timeout: 240_000 });

interface Rendered {
  name: string;
  panel: string;
  html: string;
}

/** The program's output for a widget; undefined if the case is a failure. */
function replay(kind: string, file: string, ...more: string[]): string | undefined {
  const path = join(CASES, kind, file);
  try {
    const options = { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 } as const;
    return execFileSync(BINARY, ['widget', 'try', kind, '--replay', path, ...more], options);
  } catch {
    return undefined;
  }
}

/** All panels from the recorded responses of a widget. */
function panels(kind: string): Rendered[] {
  const files = readdirSync(join(CASES, kind)).filter((file) => file.endsWith('.yml'));
  return files.flatMap((file) => {
    const report = replay(kind, file);
    const html = replay(kind, file, '--html');
    if (report === undefined || html === undefined) {
      return [];
    }
    const { panel } = JSON.parse(report) as { panel: object };
    return [{ name: `${kind}/${file}`, panel: JSON.stringify(panel), html: html.replace(/\n$/, '') }];
  });
}

test('the browser draws the panels of all widgets as the server does', async ({ page }) => {
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin !== ORIGIN) {
      // Pictures of services are replaced by empty ones.
      await route.fulfill({ contentType: 'image/gif', body: '' });
    } else if (pathname.startsWith('/preview')) {
      const contentType = pathname.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
      await route.fulfill({ contentType, body: readFileSync(join(BUNDLE, pathname)) });
    } else {
      await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Preview</title>' });
    }
  });
  await page.goto(ORIGIN);

  const drawn = readdirSync(CASES).flatMap(panels);
  expect(drawn.length).toBeGreaterThan(60);

  const different = await page.evaluate(async (drawn) => {
    const bundle = await import(`${location.origin}/preview.js`);
    await bundle.default();

    // Parsing outside the page loads nothing.
    const parse = (html: string) => new DOMParser().parseFromString(`<div>${html}</div>`, 'text/html').body.firstElementChild!;

    /** The value of an attribute. The values of a chart contain markup. */
    const value = ({ name, value }: Attr): string => {
      if (name !== 'data-readings') {
        return JSON.stringify(value);
      }
      const isMarkup = (key: string, value: unknown) => key === 'mark' && typeof value === 'string';
      return JSON.stringify(JSON.parse(value), (key, value) => (isMarkup(key, value) ? written(parse(value)) : value));
    };

    /** An element with its attributes in alphabetical order, and without comments. */
    const written = (node: Node): string => {
      if (!(node instanceof Element)) {
        return node instanceof Text ? node.data : '';
      }
      const attributes = [...node.attributes].map((attribute) => `${attribute.name}=${value(attribute)}`).sort();
      const children = [...node.childNodes].map(written).join('');
      return `<${[node.localName, ...attributes].join(' ')}>\n${children}</${node.localName}>\n`;
    };
    return drawn.flatMap(({ name, panel, html }) => {
      const element = document.createElement('div');
      bundle.mount(panel, '', '', element);
      const [browser, server] = [written(element), written(parse(html))];
      return browser === server ? [] : [{ name, browser, server }];
    });
  }, drawn);
  expect(different).toEqual([]);
});
