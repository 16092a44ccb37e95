// Fixtures for tests of signing in: an identity provider, and a dashboard that uses it.

import type { APIRequestContext, APIResponse, Page } from '@playwright/test';

import { address, alive, test as base } from './fixtures.ts';
import { CLIENT, IdentityProvider, signInAtProvider, type People, type ProviderStart } from './provider.ts';
import { freePort } from './server.ts';

export { expect } from './fixtures.ts';

/** Ann is an admin by group, Rolf by role; Ben is neither. */
export const PEOPLE: People = {
  ann: { groups: ['family', 'admins'], roles: [], name: 'Ann Archer', email: 'ann@house.example' },
  rolf: { groups: ['family'], roles: ['dashboard-admin'] },
  ben: { groups: ['family'], roles: ['reader'] },
};

export interface Section {
  name: string;
  displayData?: Record<string, unknown>;
  items: { title: string; url: string; displayData?: Record<string, unknown> }[];
  widgets?: object[];
}

/** Sections for everybody, not for guests, for the family only, for Ann only, and for admins' group only. */
export const SECTIONS: Section[] = [
  {
    name: 'Hall',
    items: [
      { title: 'Coat rack', url: 'https://coats.example' },
      { title: 'Letterbox', url: 'https://letters-for-members.example', displayData: { hideForGuests: true } },
    ],
  },
  { name: 'Kitchen', displayData: { hideForGuests: true }, items: [{ title: 'Larder', url: 'https://larder-for-members.example' }] },
  {
    name: 'Attic',
    displayData: { showForUsers: ['ann'] },
    items: [{ title: 'Treasure chest', url: 'https://chest-for-ann.example' }],
  },
  {
    name: 'Cellar',
    displayData: { showForKeycloakUsers: { groups: ['admins'] } },
    items: [{ title: 'Fuse box', url: 'https://fuses-for-admins.example' }],
  },
  {
    name: 'Nursery',
    displayData: { hideForKeycloakUsers: { groups: ['admins'] } },
    items: [{ title: 'Toy box', url: 'https://toys-for-no-admin.example' }],
  },
];

export interface SignInOptions {
  /** Options of the provider. */
  idp: Omit<ProviderStart, 'redirect' | 'people'>;
  /** Further fields of `auth.oidc`. */
  oidc: Record<string, unknown>;
  /** Further fields of `auth`. */
  auth: Record<string, unknown>;
  /** Further fields of `appConfig`. */
  appConfig: Record<string, unknown>;
  /** The sections of the config. */
  sections: Section[];
  /** Path of the dashboard to return to after signing out at the provider. */
  afterSignOut: string | undefined;
  /** Path prefix of the dashboard. */
  prefix: string;
  /** Whether the provider runs from the start. */
  providerAtBoot: boolean;
}

export const test = base.extend<SignInOptions & { port: number; provider: IdentityProvider }>({
  idp: [{}, { option: true }],
  oidc: [{}, { option: true }],
  auth: [{}, { option: true }],
  appConfig: [{}, { option: true }],
  sections: [SECTIONS, { option: true }],
  afterSignOut: [undefined, { option: true }],
  prefix: ['', { option: true }],
  providerAtBoot: [true, { option: true }],

  port: async ({}, use) => use(await freePort()),

  provider: async ({ port, prefix, idp, afterSignOut, providerAtBoot }, use) => {
    const redirect = `http://127.0.0.1:${port}${prefix}`;
    const client = { ...idp.client, ...(afterSignOut && { post_logout_redirect_uris: [redirect + afterSignOut] }) };
    const provider = await IdentityProvider.reserve({ redirect, people: PEOPLE, ...idp, client });
    if (providerAtBoot) await provider.listen();
    await use(provider);
    await provider.stop();
  },

  portico: async ({ start, port, provider, prefix, environment, oidc, auth, appConfig, sections, afterSignOut }, use) => {
    const back = afterSignOut && { postLogoutRedirectUri: `http://127.0.0.1:${port}${prefix}${afterSignOut}` };
    const text = conf({ enableOidc: true, oidc: { clientId: CLIENT, endpoint: provider.issuer, adminGroup: 'admins', ...back, ...oidc }, ...auth }, appConfig, sections);
    const own = { PORT: String(port), ENABLE_API: 'true', ...(prefix && { BASE_URL: prefix }) };
    await use(await start({ text, environment: { ...own, ...environment } }));
  },

  allowed: async ({ provider, port }, use) => use([new URL(provider.issuer).host, `127.0.0.1:${port}`]),
});

/** A config with that `auth`. */
export function conf(auth: Record<string, unknown>, appConfig: Record<string, unknown> = {}, sections = SECTIONS): string {
  return JSON.stringify({ pageInfo: { title: 'Harbour house' }, appConfig: { ...appConfig, auth }, sections }, null, 2);
}

/** Opens a page without a session, and signs in at the provider. */
export async function signIn(page: Page, name: string, path = '/'): Promise<void> {
  await page.goto(address(path));
  await signInAtProvider(page, name);
  await alive(page);
}

/** The titles of all items on the page. */
export function titles(page: Page): Promise<string[]> {
  return page.locator('.tile-title').allTextContents();
}

/** Signs out with the button in the account panel. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** The response to a request by a script of the page, with its cookies. */
export function ask(page: Page, path: string, init: RequestInit = {}): Promise<{ status: number; body: string }> {
  return page.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init);
      return { status: response.status, body: await response.text() };
    },
    [path, init] as const,
  );
}

/** The session as reported to scripts of the page. */
export async function session(page: Page): Promise<Record<string, unknown>> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const { body } = await ask(page, new URL('./fn/session', page.url()).pathname.replace(/.*(?=\/fn\/)/, ''), init);
  return JSON.parse(body) as Record<string, unknown>;
}

/** Sends a request to the API with a bearer token. */
export function bearer(request: APIRequestContext, path: string, token: unknown, options: Parameters<APIRequestContext['fetch']>[1] = {}): Promise<APIResponse> {
  return request.fetch(address(path), { ...options, headers: { authorization: `Bearer ${String(token)}` } });
}
