// A real reverse proxy (nginx with `auth_request`) with its own login, which expires while a page is open
// (`enableAuthProxyCompat`, docs/spec/behavior.md 21).

import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { Nginx } from '../nginx.ts';
import { AWAY, copies, expect, install, test as base, workers } from '../offline.ts';

/** How the proxy responds to people who are not signed in. */
type Manner = 'sends them to an identity provider' | 'shows a login page' | 'refuses them' | 'refuses HEAD alone';

const REFUSAL: Record<Manner, string> = {
  'sends them to an identity provider': 'return 302 http://localhost:PROVIDER/authorize?back=$scheme://$http_host$request_uri;',
  'shows a login page': "default_type text/html; return 200 '<!doctype html><title>Log in</title><p>Please log in';",
  'refuses them': "default_type text/html; return 401 '<!doctype html><title>Log in</title><p>Please log in';",
  'refuses HEAD alone': 'return 401;',
};

class Proxy {
  /** Whether all logins are still valid. */
  isSignedIn = true;
  private constructor(
    private readonly provider: Server,
    private readonly nginx: Nginx,
    readonly url: string,
  ) {}

  static async start(target: string, manner: Manner): Promise<Proxy> {
    let proxy: Proxy | undefined;
    const provider = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const isHead = request.headers['x-asked-with'] === 'HEAD';
      if (pathname === '/check') {
        // Waits until nginx responds.
        const mayPass = (proxy?.isSignedIn ?? true) || (manner === 'refuses HEAD alone' && !isHead);
        response.writeHead(mayPass ? 204 : 401).end();
      } else if (searchParams.has('yes')) {
        proxy!.isSignedIn = true;
        response.writeHead(302, { location: searchParams.get('back')! }).end();
      } else {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<!doctype html><title>Log in</title><a href="?yes&back=${encodeURIComponent(searchParams.get('back') ?? '')}">Yes, it is me</a>`);
      }
    });
    await new Promise<void>((done) => provider.listen(0, done));
    const at = String((provider.address() as AddressInfo).port);
    const port = await Nginx.reserve();
    const nginx = await Nginx.start(
      port,
      `location / { auth_request /check; error_page 401 = @refuse; proxy_pass ${target}; proxy_set_header Host $http_host; }
       location = /check { internal; proxy_pass http://127.0.0.1:${at}/check; proxy_pass_request_body off;
         proxy_set_header Content-Length ''; proxy_set_header X-Asked-With $request_method; }
       location @refuse { ${REFUSAL[manner].replace('PROVIDER', at)} }`,
    );
    proxy = new Proxy(provider, nginx, `http://127.0.0.1:${port}`);
    return proxy;
  }

  async stop(): Promise<void> {
    await this.nginx.stop();
    this.provider.closeAllConnections();
    await new Promise((done) => this.provider.close(done));
  }
}

const test = base.extend<{ manner: Manner; fronting: Proxy }>({
  manner: ['shows a login page', { option: true }],
  fronting: async ({ portico, manner }, use) => {
    const proxy = await Proxy.start(portico.url, manner);
    await use(proxy);
    await proxy.stop();
  },
  baseURL: async ({ fronting }, use) => use(`${fronting.url}/`),
});

// The worker is loaded some time after the page, and several visits follow.
test.describe.configure({ timeout: 90_000 });

test.use({
  text: `pageInfo: { title: Harbour house }
appConfig: { enableServiceWorker: true, enableAuthProxyCompat: true }
sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]
`,
  expected: new RegExp(`${AWAY.source}|status of 401|MIME type|behind a redirect|bad HTTP`),
});

/** Brings the tab to the front. */
const comeBack = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

/** Counts how often the page is loaded from now on. */
function loads(page: Page): { count: number } {
  const counted = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname === '/') counted.count += 1;
  });
  return counted;
}

test.describe('a proxy that sends people to an identity provider', () => {
  test.use({ manner: 'sends them to an identity provider' });

  test('gets them there when they come back, and back again', async ({ page, fronting }) => {
    await install(page);
    fronting.isSignedIn = false;
    const counted = loads(page);
    await comeBack(page);
    await expect(page.getByRole('link', { name: 'Yes, it is me' })).toBeVisible();
    expect(counted.count).toBe(1);
    await page.getByRole('link', { name: 'Yes, it is me' }).click();
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
    await install(page);
  });
});

for (const manner of ['shows a login page', 'refuses them'] as const) {
  test.describe(`a proxy that ${manner}`, () => {
    test.use({ manner });

    test('is noticed on the return to the tab; worker and copies are gone', async ({ page, fronting }) => {
      await install(page);
      fronting.isSignedIn = false;
      const counted = loads(page);
      await comeBack(page);
      await expect(page).toHaveTitle('Log in');
      expect(counted.count).toBe(1);
      expect(await workers(page)).toBe(0);
      expect(await copies(page)).toEqual({});
    });

    test('is let through by the worker when the page is opened', async ({ page, fronting }) => {
      await install(page);
      fronting.isSignedIn = false;
      await page.goto('./');
      await expect(page).toHaveTitle('Log in');
      // The browser may show the proxy's response before the worker receives it.
      await expect.poll(async () => Object.keys(await copies(page)).filter((name) => name.includes(' of '))).toEqual([]);
    });
  });
}

test.describe('a proxy that refuses HEAD alone', () => {
  test.use({ manner: 'refuses HEAD alone' });

  test('makes the page reload once, and never again', async ({ page, fronting }) => {
    await install(page);
    fronting.isSignedIn = false;
    const counted = loads(page);
    await comeBack(page);
    await expect.poll(() => counted.count).toBe(1);
    await expect(page.getByText('Your login has ended.')).toBeVisible({ timeout: 15_000 });
    for (let times = 0; times < 5; times++) await comeBack(page);
    await expect(page.getByText('Your login has ended.')).toHaveCount(1);
    expect(counted.count).toBe(1);
    // After a new login, the next expiry is handled again.
    fronting.isSignedIn = true;
    await comeBack(page);
    await expect(page.getByText('Your login has ended.')).toHaveCount(0);
    fronting.isSignedIn = false;
    await comeBack(page);
    await expect.poll(() => counted.count).toBe(2);
  });
});
