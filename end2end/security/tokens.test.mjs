// Forged tokens and cookies: none of them gives access to the REST API or to pages.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { Portico, sha256 } from './harness.mjs';
import { CLIENT, IdentityProvider, Key, now, unsigned } from './identity-provider.mjs';

const CONFIG = '/api/config/conf.yml';
const conf = (auth) => JSON.stringify({ pageInfo: { title: 'Forged' }, appConfig: { auth }, sections: [{ name: 'Secret plans' }] });

// Each guess comes from its own peer, because repeated guesses from one peer are slowed down.
let peers = 0;
const newPeer = () => `127.1.${(peers >> 8) & 255}.${(peers++ % 254) + 1}`;

/** Goes to the provider and back; returns the last response, whose cookies contain the session. */
async function signInAt(provider, portico) {
  const away = await portico.get('/login/provider?return_to=/');
  assert.equal(away.status, 303, away.text);
  const back = provider.consent(away.header('location'));
  return portico.get(back.pathname + back.search, { headers: { cookie: away.cookie } });
}

const cookieParts = (cookie) => cookie.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);

describe('forged bearer tokens are refused by the REST API', () => {
  let provider, portico, good;
  const stranger = { RS256: new Key('RS256', 'first'), ES256: new Key('ES256', 'first'), unknown: new Key('RS256', 'nobody') };

  before(async () => {
    provider = await IdentityProvider.start();
    portico = await Portico.start({
      files: { 'conf.yml': conf(provider.auth({ enableGuestAccess: true })) },
      environment: { ENABLE_API: 'true' },
    });
    good = provider.key.token(provider.good({ groups: ['admins'] }));
  });
  after(async () => {
    await portico.stop();
    await provider.stop();
  });

  const asks = (authorization) => portico.get(CONFIG, { headers: { authorization }, from: newPeer() });

  test('a good token is taken', async () => assert.equal((await asks(`Bearer ${good}`)).status, 200));

  const claims = {
    expired: { exp: now() - 60 },
    'expired long ago': { exp: 1 },
    'without an end': { exp: undefined },
    'with an end in words': { exp: 'never' },
    'with an end before 1970': { exp: -1 },
    'made tomorrow': { iat: now() + 86_400 },
    'not good before tomorrow': { nbf: now() + 86_400 },
    'for another client': { aud: 'other' },
    'for several other clients': { aud: ['other', 'more'] },
    'for a client of the same beginning': { aud: `${CLIENT}2` },
    'for a client in other letters': { aud: CLIENT.toUpperCase() },
    'for a list in one text': { aud: `${CLIENT},other` },
    'for nobody': { aud: undefined },
    'for an empty list': { aud: [] },
    'for an object': { aud: { 0: CLIENT } },
    'asked for by another client': { aud: [CLIENT, 'other'], azp: 'other' },
    'of another issuer': { iss: 'https://evil.example' },
    'of an issuer with a slash more': () => ({ iss: `${provider.issuer}/` }),
    'of an issuer below ours': () => ({ iss: `${provider.issuer}/realms/other` }),
    'of an issuer in a list': () => ({ iss: [provider.issuer] }),
    'of no issuer': { iss: undefined },
    'about nobody': { sub: undefined },
    'an access token by its type': { typ: 'Bearer' },
    'a refresh token by its type': { typ: 'Refresh' },
    'an access token by its scope': { scope: 'openid profile' },
    'an access token by its use': { token_use: 'access' },
    'a logout token': { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  };
  for (const [what, change] of Object.entries(claims)) {
    test(`claims: ${what}`, async () => {
      const changed = typeof change === 'function' ? change() : change;
      const token = provider.key.token(provider.good({ groups: ['admins'], ...changed }));
      await refused(`Bearer ${token}`);
    });
  }

  const hmac = (secret, header = {}) => {
    const message = unsigned({ alg: 'HS256', typ: 'JWT', kid: 'first', ...header }, admin());
    return `${message}.${createHmac('sha256', secret).update(message).digest('base64url')}`;
  };
  const admin = () => provider.good({ groups: ['admins'] });
  const pem = (type) => provider.key.pair.publicKey.export({ type, format: 'pem' });
  const signatures = {
    'not signed': () => `${unsigned({ alg: 'none' }, admin())}.`,
    'not signed, in capitals': () => `${unsigned({ alg: 'NONE' }, admin())}.`,
    'not signed, in mixed letters': () => `${unsigned({ alg: 'nOnE' }, admin())}.`,
    'not signed, without an algorithm': () => `${unsigned({}, admin())}.`,
    'not signed, with the name of our key': () => `${unsigned({ alg: 'RS256', kid: 'first' }, admin())}.`,
    'not signed, with the signature of another token': () => `${unsigned({ alg: 'none' }, admin())}.${good.split('.')[2]}`,
    'HS256 with the public key as JWK': () => hmac(JSON.stringify(provider.key.published)),
    'HS256 with the public key as SPKI': () => hmac(pem('spki')),
    'HS256 with the public key as PKCS #1': () => hmac(pem('pkcs1')),
    'HS256 with the modulus': () => hmac(provider.key.published.n),
    'HS256 with the client id': () => hmac(CLIENT),
    'HS256 with nothing': () => hmac(''),
    'HS256 that calls itself RS256': () => hmac(pem('spki'), { alg: 'RS256' }),
    'another key with our kid': () => stranger.RS256.token(admin()),
    'another kind of key with our kid': () => stranger.ES256.token(admin()),
    'a key that nobody published': () => stranger.unknown.token(admin()),
    'without a kid': () => stranger.RS256.token(admin(), { kid: undefined }),
    'a kid that is a path': () => stranger.RS256.token(admin(), { kid: '../../../../dev/null' }),
    'a kid that is SQL': () => stranger.RS256.token(admin(), { kid: "first' UNION SELECT 'x" }),
    'its own key in the header (jwk)': () => stranger.RS256.token(admin(), { jwk: stranger.RS256.published }),
    'its own key set by address (jku)': () => stranger.unknown.token(admin(), { jku: `${provider.issuer}/evil-keys` }),
    'its own certificate by address (x5u)': () => stranger.unknown.token(admin(), { x5u: `${provider.issuer}/evil-keys` }),
    'its own certificate (x5c)': () => stranger.unknown.token(admin(), { x5c: ['MIIB'] }),
    'another algorithm than the key is for': () => provider.key.token(admin(), { alg: 'PS256' }),
    'a critical extension': () => provider.key.token(admin(), { crit: ['exp'], exp: 1 }),
    'an access token by its header': () => provider.key.token(admin(), { typ: 'at+jwt' }),
    'a nested token': () => provider.key.token(admin(), { cty: 'JWT' }),
  };
  for (const [what, make] of Object.entries(signatures)) {
    test(`signature: ${what}`, () => refused(`Bearer ${make()}`));
  }

  const parts = () => good.split('.');
  const spellings = {
    'the signature cut off': () => parts().slice(0, 2).join('.'),
    'the signature empty': () => `${parts().slice(0, 2).join('.')}.`,
    'the signature cut short': () => good.slice(0, -4),
    'the signature longer': () => `${good}AAAA`,
    'the signature of other claims': () => `${unsigned({ alg: 'RS256', kid: 'first' }, provider.good({ sub: 'mallory' }))}.${parts()[2]}`,
    'claims and signature swapped': () => [parts()[0], parts()[2], parts()[1]].join('.'),
    'header and claims swapped': () => [parts()[1], parts()[0], parts()[2]].join('.'),
    'a fourth part': () => `${good}.AAAA`,
    'twice the same': () => `${good}.${good}`,
    'two tokens': () => `${good},${good}`,
    'only dots': () => '..',
    'no token at all': () => '',
    'letters in other cases': () => good.toLowerCase(),
    'a huge one': () => `${good}${'A'.repeat(15_000)}`,
  };
  for (const [what, make] of Object.entries(spellings)) {
    test(`spelling: ${what}`, () => refused(`Bearer ${make()}`));
  }

  const schemes = {
    'a good token as Basic': () => `Basic ${good}`,
    'a good token as user name': () => `Basic ${Buffer.from(`${good}:`).toString('base64')}`,
    'a good token as password': () => `Basic ${Buffer.from(`carol:${good}`).toString('base64')}`,
    'a good token under another scheme': () => `Token ${good}`,
    'a good token without a scheme': () => good,
    'another scheme in front': () => `Negotiate Bearer ${good}`,
  };
  for (const [what, make] of Object.entries(schemes)) {
    test(`scheme: ${what}`, () => refused(make()));
  }

  test('a token in other places than the header counts for nothing', async () => {
    for (const [path, headers] of [
      [`${CONFIG}?access_token=${good}`, {}],
      [`${CONFIG}?id_token=${good}`, {}],
      [CONFIG, { cookie: `token=${good}; id_token=${good}; authToken=${good}` }],
      [CONFIG, { 'x-authorization': `Bearer ${good}`, 'x-api-token': good }],
      [CONFIG, { 'remote-user': 'admin', 'x-forwarded-user': 'admin', 'x-authentik-username': 'admin' }],
      [CONFIG, { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' }],
    ]) {
      assert.equal((await portico.get(path, { headers })).status, 401, path);
    }
    assert.equal((await portico.get(CONFIG, { headers: { authorization: [`Bearer ${good}`, `Bearer ${good}`] } })).status, 400);
  });

  test('no key set is fetched from where a token says', () => {
    assert.equal(provider.count('/evil-keys'), 0);
    assert.ok(provider.count('/keys') <= 8, `${provider.count('/keys')} looks at the keys`);
  });

  test('nothing was written', () => assert.equal(portico.read('conf.yml'), conf(provider.auth({ enableGuestAccess: true }))));

  async function refused(authorization) {
    const read = await asks(authorization);
    assert.equal(read.status, 401, read.text);
    assert.doesNotMatch(read.everything, /Secret plans/);
    const headers = { authorization };
    const write = await portico.json('PUT', CONFIG, { sections: [] }, { headers, from: newPeer() });
    assert.equal(write.status, 401, write.text);
    // Pages treat such a request at most as a guest.
    const config = await portico.get('/conf.yml', { headers, from: newPeer() });
    assert.doesNotMatch(config.text, /enableOidc/, 'the file as admins see it');
  }
});

describe('guesses at the API token', () => {
  let portico;
  before(async () => {
    portico = await Portico.start({ files: { 'conf.yml': conf({}) }, environment: { ENABLE_API: 'true', API_TOKEN: 'the real token of the API' } });
  });
  after(() => portico.stop());

  const status = async (token) => (await portico.get(CONFIG, { headers: { authorization: `Bearer ${token}` }, from: newPeer() })).status;

  test('the token itself is taken', async () => assert.equal(await status('the real token of the API'), 200));

  for (const guess of ['the real token of the AP', 'the real token of the APIs', 'THE REAL TOKEN OF THE API', 'the+real+token+of+the+API']) {
    test(`"${guess}" is none`, async () => assert.equal(await status(guess), 401));
  }
});

describe('forged answers of a sign-in give no session', () => {
  let provider, portico;

  before(async () => {
    provider = await IdentityProvider.start();
    portico = await Portico.start({ files: { 'conf.yml': conf(provider.auth()) } });
  });
  after(async () => {
    await portico.stop();
    await provider.stop();
  });

  const hasSession = (response) => /portico-\w+-session-0=\d~/.test(response.head);

  test('an honest sign-in works', async () => {
    const back = await signInAt(provider, portico);
    assert.equal(back.status, 303, back.text);
    assert.ok(hasSession(back));
    assert.match((await portico.get('/', { headers: { cookie: back.cookie } })).text, /Secret plans/);
  });

  const responses = {
    'another nonce': (claims) => provider.key.token({ ...claims, nonce: 'other' }),
    'no nonce': ({ nonce, ...claims }) => provider.key.token(claims),
    'a token of another client': (claims) => provider.key.token({ ...claims, aud: 'other' }),
    'a token of another issuer': (claims) => provider.key.token({ ...claims, iss: 'https://evil.example' }),
    'an expired token': (claims) => provider.key.token({ ...claims, exp: now() - 60 }),
    'a token that is not signed': (claims) => `${unsigned({ alg: 'none' }, claims)}.`,
    'a token of a strange key': (claims) => new Key('RS256', 'first').token(claims),
    'an access token': (claims) => provider.key.token(claims, { typ: 'at+jwt' }),
    'no token': () => undefined,
  };
  for (const [what, make] of Object.entries(responses)) {
    test(`the provider sends ${what}`, async () => {
      provider.makeToken = make;
      const back = await signInAt(provider, portico);
      provider.makeToken = undefined;
      assert.ok(back.status >= 400 && back.status < 600, String(back.status));
      assert.ok(!hasSession(back));
    });
  }

  const ways = {
    'another state': (back) => back.searchParams.set('state', 'other'),
    'no state': (back) => back.searchParams.delete('state'),
    'a code that was never given': (back) => back.searchParams.set('code', 'made-up'),
    'another issuer (mix-up)': (back) => back.searchParams.set('iss', 'https://evil.example'),
  };
  for (const [what, change] of Object.entries(ways)) {
    test(`the way back names ${what}`, async () => {
      const away = await portico.get('/login/provider?return_to=/');
      const back = provider.consent(away.header('location'));
      change(back);
      const response = await portico.get(back.pathname + back.search, { headers: { cookie: away.cookie } });
      assert.ok(!hasSession(response), response.head);
    });
  }

  test('the way back of somebody else (login CSRF) gives no session', async () => {
    const away = await portico.get('/login/provider?return_to=/');
    const back = provider.consent(away.header('location'));
    assert.ok(!hasSession(await portico.get(back.pathname + back.search)));
    const other = await portico.get('/login/provider?return_to=/');
    assert.ok(!hasSession(await portico.get(back.pathname + back.search, { headers: { cookie: other.cookie } })));
  });

  test('a way back counts once', async () => {
    const away = await portico.get('/login/provider?return_to=/');
    const back = provider.consent(away.header('location'));
    const come = () => portico.get(back.pathname + back.search, { headers: { cookie: away.cookie } });
    assert.ok(hasSession(await come()));
    assert.ok(!hasSession(await come()));
  });

  for (const path of ['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)']) {
    test(`nobody is led to ${JSON.stringify(path)} after signing in`, async () => {
      const away = await portico.get(`/login/provider?return_to=${encodeURIComponent(path)}`);
      const back = provider.consent(away.header('location'));
      const response = await portico.get(back.pathname + back.search, { headers: { cookie: away.cookie } });
      assert.equal(response.header('location'), '/');
    });
  }
});

describe('forged session cookies are none', () => {
  const USERS = [
    { user: 'admin', hash: sha256('the password of the admin'), type: 'admin' },
    { user: 'reader', hash: sha256('the password of the reader') },
  ];
  let portico, other, cookie, name, value;

  before(async () => {
    portico = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }) } });
    other = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }) } });
    cookie = await portico.signIn('admin', 'the password of the admin');
    [[name, value]] = cookieParts(cookie);
  });
  after(() => Promise.all([portico.stop(), other.stop()]));

  const isLetIn = async (sent) => (await portico.get('/', { headers: { cookie: sent } })).text.includes('Secret plans');

  test('the honest cookie is taken', async () => assert.ok(await isLetIn(cookie)));

  test('it cannot be read by scripts and not be sent by other sites', async () => {
    const response = await portico.form('/login', { user: 'admin', password: 'the password of the admin' });
    assert.match(response.header('set-cookie'), /; HttpOnly; SameSite=Lax/);
  });

  test('no single changed byte is overlooked', async () => {
    const step = Math.max(1, Math.floor(value.length / 40));
    for (let at = 0; at < value.length; at += step) {
      const changed = value[at] === 'A' ? 'B' : 'A';
      assert.ok(!(await isLetIn(`${name}=${value.slice(0, at)}${changed}${value.slice(at + 1)}`)), `byte ${at}`);
    }
  });

  const forgeries = {
    'cut short': () => `${name}=${value.slice(0, -2)}`,
    longer: () => `${name}=${value}AAAA`,
    empty: () => `${name}=`,
    'without its count': () => `${name}=${value.split('~')[1]}`,
    'of two parts of which one is missing': () => `${name}=2~${value.split('~')[1]}`,
    'of no parts': () => `${name}=0~${value.split('~')[1]}`,
    'of very many parts': () => `${name}=99999999999~${value.split('~')[1]}`,
    'twice as long': () => `${name}=2~${value.split('~')[1]}; ${name.replace(/0$/, '1')}=${value.split('~')[1]}`,
    'in capitals': () => `${name}=${value.toUpperCase()}`,
    'with zeroes': () => `${name}=1~${'A'.repeat(value.length - 2)}`,
    'plain JSON': () => `${name}=1~${Buffer.from('{"a":{"n":"admin","b":"","e":99999999999}}').toString('base64url')}`,
    'under the name of another purpose': () => `${name.replace('session', 'hops')}=${value}`,
    'under the name of another server': () => `${name.replace(/portico-\w+-/, 'portico-0000-')}=${value}`,
    "Dashy's own token, which can be computed from the config": () =>
      `authToken=${sha256(`${'admin'.toUpperCase()}${USERS[0].hash.toUpperCase()}`)}; username=admin; guestMode=true`,
  };
  for (const [what, make] of Object.entries(forgeries)) {
    test(`a cookie ${what}`, async () => assert.ok(!(await isLetIn(make()))));
  }

  test('a cookie of another server with the same accounts', async () => {
    const foreign = await other.signIn('admin', 'the password of the admin');
    const [[, theirs]] = cookieParts(foreign);
    assert.ok(!(await isLetIn(foreign)));
    assert.ok(!(await isLetIn(`${name}=${theirs}`)));
  });

  test('a session gives its own rights and no others', async () => {
    const reader = await portico.signIn('reader', 'the password of the reader');
    const save = (headers) => portico.json('POST', '/config-manager/save', { config: 'sections: []' }, { headers });
    assert.equal((await save({ cookie: reader })).status, 403);
    assert.equal((await save({ cookie: reader, 'remote-user': 'admin', 'x-forwarded-user': 'admin' })).status, 403);
    assert.equal((await save({})).status, 401);
  });

  test('a changed password ends the sessions of its owner', async () => {
    const reader = await portico.signIn('reader', 'the password of the reader');
    assert.ok(await isLetIn(reader));
    const changed = [USERS[0], { user: 'reader', hash: sha256('another password') }];
    portico.write({ 'conf.yml': conf({ users: changed }) });
    const deadline = Date.now() + 5000;
    while ((await isLetIn(reader)) && Date.now() < deadline);
    assert.ok(!(await isLetIn(reader)));
    assert.ok(await isLetIn(cookie), 'the others stay signed in');
  });

  test('the REST API does not read the cookie', async () => {
    const api = await Portico.start({ files: { 'conf.yml': conf({ users: USERS }) }, environment: { ENABLE_API: 'true' } });
    const signedIn = await api.signIn('admin', 'the password of the admin');
    assert.equal((await api.get(CONFIG, { headers: { cookie: signedIn } })).status, 401);
    assert.equal((await api.json('PUT', CONFIG, { sections: [] }, { headers: { cookie: signedIn } })).status, 401);
    await api.stop();
  });

  test('a cookie of one purpose is none of another', async () => {
    const provider = await IdentityProvider.start();
    const dashboard = await Portico.start({ files: { 'conf.yml': conf(provider.auth()) } });
    const away = await dashboard.get('/login/provider');
    const [[attempt, sealed]] = cookieParts(away.cookie);
    const session = attempt.replace(/-attempt-.*/, '-session-0');
    const response = await dashboard.get('/', { headers: { cookie: `${session}=${sealed}` } });
    assert.doesNotMatch(response.text, /Secret plans/);
    await dashboard.stop();
    await provider.stop();
  });
});
