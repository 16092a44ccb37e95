// What tests of signing in get beyond the usual: a provider, and a dashboard that knows it.

import { test as base } from './fixtures.ts';
import { CLIENT, IdentityProvider, type People, type ProviderStart } from './provider.ts';
import { freePort } from './server.ts';

export { expect } from './fixtures.ts';

/** Ann is an admin by group, Rolf by role; Ben is neither. */
export const PEOPLE: People = {
  ann: { groups: ['family', 'admins'], roles: [], name: 'Ann Archer', email: 'ann@house.example' },
  rolf: { groups: ['family'], roles: ['dashboard-admin'] },
  ben: { groups: ['family'], roles: ['reader'] },
};

/** Sections for everybody, not for guests, for the family only, for Ann only, and for admins' group only. */
export const SECTIONS = [
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
  /** What the provider is like. */
  idp: Omit<ProviderStart, 'redirect' | 'people'>;
  /** Further fields of `auth.oidc`. */
  oidc: Record<string, unknown>;
  /** Further fields of `auth`. */
  auth: Record<string, unknown>;
  /** Further fields of `appConfig`. */
  appConfig: Record<string, unknown>;
  /** Path prefix of the dashboard. */
  prefix: string;
  /** Whether the provider answers from the beginning. */
  providerAtBoot: boolean;
}

export const test = base.extend<SignInOptions & { port: number; provider: IdentityProvider }>({
  idp: [{}, { option: true }],
  oidc: [{}, { option: true }],
  auth: [{}, { option: true }],
  appConfig: [{}, { option: true }],
  prefix: ['', { option: true }],
  providerAtBoot: [true, { option: true }],

  port: async ({}, use) => use(await freePort()),

  provider: async ({ port, prefix, idp, providerAtBoot }, use) => {
    const provider = await IdentityProvider.reserve({ redirect: `http://127.0.0.1:${port}${prefix}`, people: PEOPLE, ...idp });
    if (providerAtBoot) await provider.listen();
    await use(provider);
    await provider.stop();
  },

  portico: async ({ start, port, provider, prefix, environment, oidc, auth, appConfig }, use) => {
    const text = conf({ enableOidc: true, oidc: { clientId: CLIENT, endpoint: provider.issuer, adminGroup: 'admins', ...oidc }, ...auth }, appConfig);
    const own = { PORT: String(port), ENABLE_API: 'true', ...(prefix && { BASE_URL: prefix }) };
    await use(await start({ text, environment: { ...own, ...environment } }));
  },

  allowed: async ({ provider }, use) => use([new URL(provider.issuer).host]),
});

/** A config with that `auth`. */
export function conf(auth: Record<string, unknown>, appConfig: Record<string, unknown> = {}): string {
  return JSON.stringify({ pageInfo: { title: 'Harbour house' }, appConfig: { ...appConfig, auth }, sections: SECTIONS }, null, 2);
}
