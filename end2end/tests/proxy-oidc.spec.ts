// A real reverse proxy (nginx with `auth_request`) that signs people in with OpenID Connect, as oauth2-proxy does: without
// a session there, they are redirected to a real identity provider on another origin (`enableAuthProxyCompat`,
// docs/spec/behavior.md 21).

import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { alive } from '../fixtures.ts';
import { Nginx } from '../nginx.ts';
import { AWAY, copies, expect, install, test as base, workers } from '../offline.ts';
import { CLIENT, IdentityProvider, signInAtProvider } from '../provider.ts';

/** The proxy's authentication service, a client of the identity provider. */
class RelyingParty {
  readonly sessions = new Set<string>();
  /** Whether scripts are rejected even with a valid session. */
  refusesScripts = false;
  private readonly attempts = new Map<string, { verifier: string; back: string }>();

  private constructor(
    private readonly server: Server,
    private readonly issuer: string,
    private readonly redirect: string,
  ) {}

  static async start(issuer: string, redirect: string): Promise<RelyingParty> {
    let party: RelyingParty;
    const server = createServer((request, response) => void party.answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    party = new RelyingParty(server, issuer, redirect);
    return party;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.redirect);
    if (pathname === '/check') {
      const session = /proxy-session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
      const isScript = request.headers['sec-fetch-mode'] !== 'navigate';
      response.writeHead(this.sessions.has(session) && !(this.refusesScripts && isScript) ? 204 : 401).end();
    } else if (pathname === '/oauth2/start') {
      const [state, verifier] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
      this.attempts.set(state, { verifier, back: searchParams.get('back') ?? '/' });
      const values = new URLSearchParams({
        client_id: CLIENT,
        redirect_uri: this.redirect,
        response_type: 'code',
        scope: 'openid',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      response.writeHead(302, { location: `${this.issuer}/auth?${values}`, 'cache-control': 'no-store' }).end();
    } else {
      const { verifier, back } = this.attempts.get(searchParams.get('state') ?? '')!;
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: CLIENT,
        redirect_uri: this.redirect,
        code: searchParams.get('code') ?? '',
        code_verifier: verifier,
      });
      const token = await fetch(`${this.issuer}/token`, { method: 'POST', body });
      expect((await token.json()) as object).toHaveProperty('id_token');
      const session = randomBytes(16).toString('hex');
      this.sessions.add(session);
      response.writeHead(302, { location: back, 'set-cookie': `proxy-session=${session}; Path=/; HttpOnly; SameSite=Lax` }).end();
    }
  }
}

const test = base.extend<{ port: number; provider: IdentityProvider; party: RelyingParty; fronting: Nginx }>({
  port: async ({}, use) => use(await Nginx.reserve()),

  provider: async ({ port }, use) => {
    const provider = await IdentityProvider.reserve({ redirect: `http://127.0.0.1:${port}/oauth2/callback`, people: { ann: {} } });
    await provider.listen();
    await use(provider);
    await provider.stop();
  },

  party: async ({ port, provider }, use) => {
    const party = await RelyingParty.start(provider.issuer, `http://127.0.0.1:${port}/oauth2/callback`);
    await use(party);
    await party.stop();
  },

  fronting: async ({ port, party, portico }, use) => {
    const nginx = await Nginx.start(
      port,
      `location / { auth_request /check; error_page 401 = @login; proxy_pass ${portico.url}; proxy_set_header Host $http_host; }
       location = /check { internal; proxy_pass http://127.0.0.1:${party.port}; proxy_pass_request_body off;
         proxy_set_header Content-Length ''; }
       location @login { return 302 /oauth2/start?back=$request_uri; }
       location /oauth2/ { proxy_pass http://127.0.0.1:${party.port}; }`,
    );
    await use(nginx);
    await nginx.stop();
  },

  baseURL: async ({ port, fronting }, use) => {
    void fronting;
    await use(`http://127.0.0.1:${port}/`);
  },
});

// The worker is loaded some time after the page, and several visits follow.
test.describe.configure({ timeout: 90_000 });

test.use({
  text: `pageInfo: { title: Harbour house }
appConfig: { enableServiceWorker: true, enableAuthProxyCompat: true }
sections: [ { name: Quay, items: [ { title: Crane, url: 'https://crane.example' } ] } ]
`,
  // Without a session, requests of scripts are redirected to another origin, which causes errors; and the provider has no icon.
  expected: new RegExp(`${AWAY.source}|behind a redirect|Content Security Policy|CORS policy|status of 40[14]`),
});

/** Brings the tab to the front. */
const comeBack = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

/** Counts navigations to the page from now on, including those back from the provider. */
function loads(page: Page): { count: number } {
  const counted = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && /^http:\/\/127[^/]*\/$/.test(request.url())) counted.count += 1;
  });
  return counted;
}

async function enter(page: Page): Promise<void> {
  await page.goto('./');
  await signInAtProvider(page, 'ann');
  await install(page);
}

test('a session that ends leads through the provider and back, with one reload each time', async ({ page, party, provider }) => {
  await enter(page);
  const counted = loads(page);
  for (const times of [1, 2, 3]) {
    party.sessions.clear();
    const before = provider.authorizations.length;
    await comeBack(page);
    // The provider still has a session, and asks nothing.
    await expect.poll(() => party.sessions.size).toBe(1);
    await alive(page);
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
    expect(provider.authorizations.length - before).toBe(1);
    // One reload, and one return from the provider.
    expect(counted.count).toBe(2 * times);
    // The page has noticed the new login.
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('portico-reloaded-login')), { timeout: 15_000 }).toBe(null);
    await expect(page.getByText('Your login has ended.')).toHaveCount(0);
  }
  await install(page);
});

test('a session that ends at the provider too shows its login, and keeps nothing', async ({ page, party, provider }) => {
  await enter(page);
  party.sessions.clear();
  provider.forgetAll();
  const counted = loads(page);
  await comeBack(page);
  await page.waitForURL(/^http:\/\/localhost:.*\/interaction\//);
  expect(counted.count).toBe(1);
  await signInAtProvider(page, 'ann');
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  await install(page);
});

test('a page that is opened after the session has ended goes to the login, past the worker', async ({ page, party, provider }) => {
  await enter(page);
  party.sessions.clear();
  provider.forgetAll();
  await page.goto('./');
  await page.waitForURL(/^http:\/\/localhost:.*\/interaction\//);
  await signInAtProvider(page, 'ann');
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
});

test('a proxy that sends every script to the provider makes the page reload once, and never again', async ({ page, party, provider }) => {
  await enter(page);
  party.refusesScripts = true;
  const counted = loads(page);
  await comeBack(page);
  await expect.poll(() => counted.count).toBe(1);
  await expect(page.getByText('Your login has ended.')).toBeVisible({ timeout: 15_000 });
  const before = provider.authorizations.length;
  for (let times = 0; times < 5; times++) await comeBack(page);
  await expect(page.getByText('Your login has ended.')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible();
  expect(counted.count).toBe(1);
  expect(provider.authorizations.length).toBe(before);
  expect(await workers(page)).toBe(0);
  expect(await copies(page)).toEqual({});
});
