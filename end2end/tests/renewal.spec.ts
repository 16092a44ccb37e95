// How often a real provider is asked to renew sessions, by lifetime of its tokens, treatment of refresh tokens, and clock. All cases
// run at the same time, because time cannot be set in the program. No browser takes part: a loop does what the page's script does.

import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from '../fixtures.ts';
import { CLIENT, IdentityProvider, type ProviderStart } from '../provider.ts';
import { freePort, type Portico } from '../server.ts';
import { conf, PEOPLE } from '../sign-in.ts';

interface SessionStatus {
  now: number;
  renewAt: number;
  idTokenExpires: number;
}

/** A browser without pages. */
class Visitor {
  private readonly cookies = new Map<string, Map<string, string>>();

  constructor(private readonly portico: Portico) {}

  /** Another browser with the same cookies. */
  copy(): Visitor {
    const copy = new Visitor(this.portico);
    for (const [host, cookies] of this.cookies) copy.cookies.set(host, new Map(cookies));
    return copy;
  }

  async signIn(name: string): Promise<void> {
    let response = await this.send(`${this.portico.url}/login/provider`);
    for (let step = 0; step < 30; step++) {
      const location = response.headers.get('location');
      if (location) {
        response = await this.send(new URL(location, response.url).href);
        continue;
      }
      const text = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      if (!prompt) {
        expect(response.status, text).toBe(200);
        return;
      }
      const action = new URL(/action="([^"]+)"/.exec(text)![1]!, response.url).href;
      response = await this.send(action, { method: 'POST', body: new URLSearchParams({ prompt, login: name, password: 'any' }) });
    }
    throw new Error(`${name} does not arrive`);
  }

  async call(name: 'session' | 'renew'): Promise<{ status: number; value: SessionStatus }> {
    const headers = { 'content-type': 'application/json', origin: this.portico.url };
    const response = await this.send(`${this.portico.url}/fn/${name}`, { method: 'POST', headers, body: '{}' });
    return { status: response.status, value: (await response.json()) as SessionStatus };
  }

  /** Keeps a page open for some seconds; returns the times of its renewals. */
  async stay(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000;
    for (;;) {
      let { status, value } = await this.call('session');
      expect(status).toBe(200);
      if (value.renewAt <= value.now) ({ status, value } = await this.call('renew'));
      expect(status).toBe(200);
      expect(value.renewAt, 'never asks again at once').toBeGreaterThan(value.now);
      const wait = (value.renewAt - value.now) * 1000;
      if (performance.now() + wait > end) return;
      await sleep(wait);
    }
  }

  private async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const known = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, known);
    const headers = new Headers(init.headers);
    headers.set('cookie', [...known].map(([key, value]) => `${key}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]*)=([^;]*)/.exec(line)!;
      if (/max-age=0|1970/i.test(line)) known.delete(key!);
      else known.set(key!, value!);
    }
    return response;
  }
}

interface Case {
  /** Seconds that tokens live. */
  life: number;
  rotates?: boolean;
  clockAhead?: number;
  /** What has the session: one page, two tabs of a browser, or two browsers with the same cookies. */
  pages?: 'one' | 'tabs' | 'copies';
  /** How many seconds the pages stay open. */
  stays: number;
  /** How often the provider is asked. */
  renewals: number;
}

const CASES: Case[] = [
  { life: 20, stays: 56, renewals: 3 },
  { life: 20, rotates: false, stays: 56, renewals: 3 },
  { life: 20, clockAhead: 29, stays: 56, renewals: 3 },
  { life: 20, clockAhead: -29, rotates: false, stays: 56, renewals: 3 },
  { life: 20, pages: 'tabs', stays: 56, renewals: 3 },
  { life: 20, pages: 'tabs', rotates: false, stays: 56, renewals: 3 },
  { life: 20, pages: 'copies', stays: 56, renewals: 3 },
  { life: 20, pages: 'copies', rotates: false, stays: 56, renewals: 3 },
  { life: 60, stays: 56, renewals: 1 },
  { life: 60, rotates: false, clockAhead: 29, pages: 'copies', stays: 56, renewals: 1 },
  { life: 80, stays: 63, renewals: 1 },
  { life: 80, rotates: false, clockAhead: -29, pages: 'tabs', stays: 63, renewals: 1 },
  { life: 300, stays: 10, renewals: 0 },
  { life: 86_400, rotates: false, stays: 10, renewals: 0 },
];

test('a provider is asked once per lifetime of its tokens, and no token ends before that', async ({ start }) => {
  const outcomes = await Promise.all(
    CASES.map(async (one) => {
      const { life, pages = 'one', stays } = one;
      const { provider, visitor } = await signedIn(start, one);
      const first = (await visitor.call('session')).value;
      const other = pages === 'one' ? [] : [pages === 'tabs' ? visitor : visitor.copy()];
      await Promise.all([visitor, ...other].map((each) => each.stay(stays)));
      const last = (await visitor.call('session')).value;
      // On the provider's clock.
      const left = last.idTokenExpires - (one.clockAhead ?? 0) - last.now;
      const statuses = new Set(provider.refreshes.map(({ status }) => status));
      const tokens = provider.refreshes.map(({ values }) => values['refresh_token']);
      await provider.stop();
      return {
        one,
        renewals: provider.refreshes.length,
        isAlive: left > 0 && left <= life,
        isRefused: statuses.size > 1 || (statuses.size === 1 && !statuses.has(200)),
        repeats: tokens.length - new Set(tokens).size,
        due: first.renewAt - first.now,
      };
    }),
  );
  for (const { one, renewals, isAlive, isRefused, repeats, due } of outcomes) {
    const what = JSON.stringify(one);
    expect({ renewals, isAlive, isRefused }, what).toEqual({ renewals: one.renewals, isAlive: true, isRefused: false });
    expect(repeats, what).toBe(one.rotates === false ? Math.max(0, renewals - 1) : 0);
    // Some of the time may have passed while signing in.
    expect(one.life - Math.min(60, one.life / 4) - due, what).toBeLessThanOrEqual(3);
  }
});

test('a refused refresh token is tried once', async ({ start }) => {
  const { provider, visitor } = await signedIn(start, { life: 8 });
  const other = visitor.copy();
  provider.forgetAll();
  await sleep(7_000);
  for (const each of [visitor, visitor, other, other]) expect((await each.call('renew')).status).toBe(401);
  expect(provider.refreshes.map(({ status }) => status)).toEqual([400]);
  await provider.stop();
});

test.describe.configure({ timeout: 120_000 });

/** A provider, a dashboard that trusts it, and somebody who has signed in. */
async function signedIn(
  start: (start: { text: string; environment: Record<string, string> }) => Promise<Portico>,
  { life, rotates = true, clockAhead = 0 }: Pick<Case, 'life' | 'rotates' | 'clockAhead'>,
): Promise<{ provider: IdentityProvider; visitor: Visitor }> {
  const port = await freePort();
  const options: ProviderStart = { redirect: `http://127.0.0.1:${port}`, people: PEOPLE, lifetimes: { access: life, id: life }, rotates, clockAhead };
  const provider = await IdentityProvider.reserve(options);
  await provider.listen();
  const oidc = { clientId: CLIENT, endpoint: provider.issuer, enableSilentRenew: true };
  const portico = await start({ text: conf({ enableOidc: true, oidc }), environment: { PORT: String(port) } });
  const visitor = new Visitor(portico);
  await visitor.signIn('ann');
  return { provider, visitor };
}
