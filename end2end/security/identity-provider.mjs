// An OpenID provider under the control of a test: it signs any claims, and its responses can be replaced.

import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';

import { freePort } from './harness.mjs';

/** Id of the dashboard's client. */
export const CLIENT = 'dashboard';

const base64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A signing key with its public key. */
export class Key {
  constructor(algorithm = 'ES256', kid = randomUUID()) {
    const pair = algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.algorithm = algorithm;
    this.kid = kid;
    this.pair = pair;
    this.published = { ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: algorithm };
  }

  /** A token with these claims; `header` adds to the usual header or replaces parts of it. */
  token(claims, header = {}) {
    const message = unsigned({ alg: this.algorithm, kid: this.kid, typ: 'JWT', ...header }, claims);
    const key = this.algorithm === 'ES256' ? { key: this.pair.privateKey, dsaEncoding: 'ieee-p1363' } : this.pair.privateKey;
    return `${message}.${sign('sha256', Buffer.from(message), key).toString('base64url')}`;
  }
}

/** Header and claims of a token, without a signature. */
export const unsigned = (header, claims) => `${base64(header)}.${base64(claims)}`;

/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1000);

export class IdentityProvider {
  /** Everything that reached the provider: `{ path, form }`. */
  seen = [];
  /** Changes the claims of the next ID tokens. */
  claims = {};
  /** Creates the ID token instead, from the claims. */
  makeToken;
  /** Additional fields of the provider's metadata. */
  description = {};
  #grants = new Map();

  static async start() {
    const provider = new IdentityProvider();
    provider.key = new Key('RS256', 'first');
    provider.port = await freePort();
    provider.issuer = `http://localhost:${provider.port}`;
    provider.server = createServer((request, response) => provider.#answer(request, response));
    await new Promise((done) => provider.server.listen(provider.port, 'localhost', done));
    return provider;
  }

  /** The block `auth` of a config that trusts this provider. */
  auth(more = {}) {
    return { enableOidc: true, oidc: { clientId: CLIENT, endpoint: this.issuer, adminGroup: 'admins' }, ...more };
  }

  /** The claims of a valid token. */
  good(more = {}) {
    const claims = { iss: this.issuer, aud: CLIENT, sub: 'carol', iat: now(), exp: now() + 600, ...more };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }

  count(path) {
    return this.seen.filter((seen) => seen.path === path).length;
  }

  /** Follows a redirect to the login page and signs in at once; returns the address to return to. */
  consent(location) {
    const asked = new URL(location).searchParams;
    const code = randomUUID();
    this.#grants.set(code, { nonce: asked.get('nonce'), challenge: asked.get('code_challenge') });
    const back = new URL(asked.get('redirect_uri'));
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state'));
    back.searchParams.set('iss', this.issuer);
    return back;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }

  async #answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = new URL(request.url, this.issuer).pathname;
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    this.seen.push({ path, form });
    const [status, body] = this.#body(path, form);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  #body(path, form) {
    const { issuer } = this;
    switch (path) {
      case '/.well-known/openid-configuration':
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256', 'ES256'],
            ...this.description,
          },
        ];
      case '/keys':
        return [200, { keys: [this.key.published] }];
      case '/token':
        return this.#tokens(form);
      case '/revoke':
        return [200, {}];
      default:
        return [404, {}];
    }
  }

  #tokens(form) {
    let nonce;
    if (form.grant_type === 'authorization_code') {
      const grant = this.#grants.get(form.code);
      this.#grants.delete(form.code);
      const challenge = createHash('sha256').update(form.code_verifier ?? '').digest('base64url');
      if (!grant || grant.challenge !== challenge) return [400, { error: 'invalid_grant' }];
      ({ nonce } = grant);
    }
    const claims = this.good({ nonce, ...this.claims });
    const id_token = this.makeToken ? this.makeToken(claims) : this.key.token(claims);
    const refresh_token = `refresh-${randomUUID()}`;
    return [200, { token_type: 'Bearer', access_token: randomUUID(), expires_in: 600, id_token, refresh_token }];
  }
}
