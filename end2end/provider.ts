// A real OpenID provider on loopback, with its own login and consent pages. It is another site to the browser than the
// dashboard: `localhost` here, `127.0.0.1` there.

import { AsyncLocalStorage } from 'node:async_hooks';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';

import { expect, type Page } from '@playwright/test';
import Provider, { type ClientMetadata, type Configuration, type JWK } from 'oidc-provider';

import { freePort } from './server.ts';

/** Claims of the people who may sign in there; the name is the `sub` and, unless they say otherwise, their user name. */
export type People = Record<string, Record<string, unknown>>;

export interface ProviderStart {
  /** Where the browser is sent back to. */
  redirect: string;
  people: People;
  /** Seconds that tokens live. */
  lifetimes?: { access?: number; id?: number; refresh?: number };
  /** Signing algorithm of ID tokens. */
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
  /** Further metadata of the dashboard's client. */
  client?: Partial<ClientMetadata>;
  /** Whether claims of scopes stand in the ID token, and not at the UserInfo endpoint alone. */
  claimsInToken?: boolean;
  /** Whether the provider has an end-of-session endpoint. */
  endSession?: boolean;
  /** Whether each refresh brings a new refresh token, and ends the old one. */
  rotates?: boolean;
  /** How many seconds the provider's clock is ahead. */
  clockAhead?: number;
}

/** A request that reached the provider. */
export interface Seen {
  path: string;
  /** Query and form together. */
  values: Record<string, string>;
  status: number;
}

/** Id of the dashboard's client. */
export const CLIENT = 'dashboard';

/** Everything that the provider would offer to load from elsewhere. */
const FOREIGN_STYLE = /@import url\([^)]*\);/g;

/** How many seconds ahead the clock is for what runs in its context: the provider asks `Date` for the time. */
const clock = new AsyncLocalStorage<number>();
const { now } = Date;
Date.now = () => now() + 1000 * (clock.getStore() ?? 0);

export class IdentityProvider {
  /** Everything that reached the provider, in order. */
  readonly seen: Seen[] = [];
  /** Whether refreshes bring an ID token. */
  renewsIdToken = true;

  private server: Server | undefined;
  private engine: Provider;

  private constructor(
    private readonly start: ProviderStart,
    private readonly port: number,
    private key: JWK,
  ) {
    this.engine = this.build();
  }

  /** Takes a free port; no server listens there before `listen`. */
  static async reserve(start: ProviderStart): Promise<IdentityProvider> {
    return new IdentityProvider(start, await freePort(), newKey(start.algorithm));
  }

  get issuer(): string {
    return `http://localhost:${this.port}`;
  }

  /** Refreshes so far. */
  get refreshes(): Seen[] {
    return this.seen.filter(({ values }) => values['grant_type'] === 'refresh_token');
  }

  /** Requests of the browser for a sign-in so far. */
  get authorizations(): Seen[] {
    return this.seen.filter(({ path }) => path === '/auth');
  }

  /** Begins to answer. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      void body(request).then((text) => {
        const url = new URL(request.url ?? '/', this.issuer);
        // The parser of the provider is content with a body that has been read.
        Object.assign(request, { body: text });
        const values = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(new URLSearchParams(text)) };
        response.on('finish', () => this.seen.push({ path: url.pathname, values, status: response.statusCode }));
        return clock.run(this.start.clockAhead ?? 0, () => this.engine.callback()(request, response));
      });
    });
    await new Promise<void>((done) => server.listen(this.port, 'localhost', done));
    this.server = server;
  }

  /** Stops answering, until `listen`. */
  async stop(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }

  /** Signs with a new key from now on; the old one is gone, and with it every session, grant and token. */
  rotateKey(): void {
    this.key = newKey(this.start.algorithm);
    this.engine = this.build();
  }

  /** Forgets all sessions, grants and tokens. */
  forgetAll(): void {
    this.engine = this.build();
  }

  private build(): Provider {
    const { redirect, people, lifetimes = {}, algorithm = 'RS256', client, claimsInToken = true, endSession = true, rotates = true } = this.start;
    const { access = 3600, id = 3600, refresh = 86_400 } = lifetimes;
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT,
          token_endpoint_auth_method: 'none',
          application_type: 'web',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          redirect_uris: [redirect],
          id_token_signed_response_alg: algorithm,
          ...client,
        },
      ],
      jwks: { keys: [this.key] },
      scopes: ['openid', 'offline_access', 'profile', 'email', 'groups', 'roles'],
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
        roles: ['roles'],
      },
      conformIdTokenClaims: !claimsInToken,
      cookies: { keys: ['a key that outlives a change of signing keys'] },
      features: { rpInitiatedLogout: { enabled: endSession }, devInteractions: { enabled: true } },
      findAccount: (_, sub) => {
        const person = people[sub];
        return person && { accountId: sub, claims: () => ({ sub, preferred_username: sub, ...person }) };
      },
      rotateRefreshToken: rotates,
      ttl: { AccessToken: access, IdToken: id, RefreshToken: refresh, Interaction: 600, Session: 86_400, Grant: 86_400 },
    };
    const engine = quietly(() => new Provider(this.issuer, configuration));
    engine.use(async (context, next) => {
      await next();
      if (typeof context.body === 'string') context.body = context.body.replace(FOREIGN_STYLE, '');
      const sent = (context.req as { body?: string }).body ?? '';
      if (!this.renewsIdToken && sent.includes('grant_type=refresh_token')) {
        delete (context.body as Record<string, unknown>)['id_token'];
      }
    });
    return engine;
  }
}

/** The provider warns of what is meant here: its own login pages, everything in memory. */
function quietly<T>(work: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}

function newKey(algorithm: ProviderStart['algorithm'] = 'RS256'): JWK {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid: randomUUID(), use: 'sig', alg: algorithm };
}

async function body(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Goes through the provider's pages as that person. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(/^http:\/\/localhost:.*\/interaction\//);
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  // Consent is asked for once more where the dashboard wants a refresh token.
  await expect(async () => {
    const consent = page.getByRole('button', { name: 'Continue' });
    if (await consent.isVisible()) await consent.click();
    expect(page.url()).toMatch(/^https?:\/\/127\.0\.0\.1:/);
  }).toPass({ intervals: [100], timeout: 10_000 });
}
