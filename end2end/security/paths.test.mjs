// Path tricks: no path leads to a file that its viewer may not read.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { inParallel, Markers, Portico, sha256, temporaryDirectory, writeFiles } from './harness.mjs';

const markers = new Markers();
const USERS = [
  { user: 'admin', hash: sha256('the password of the admin'), type: 'admin' },
  { user: 'reader', hash: sha256('the password of the reader') },
];

/** A realistic user-data folder: with backups, copies, keys and links to the outside. */
function folder(auth, name) {
  const place = temporaryDirectory();
  const directory = join(place, 'user-data');
  const secret = (what) => markers.make(`${name}: ${what}`);
  const yaml = (what) => `pageInfo: { title: T }\nappConfig: { auth: { users: [ { user: x, hash: ${secret(what)} } ] } }\n`;
  writeFiles(place, {
    'outside.txt': secret('a file beside the user-data folder'),
    'outside/conf.yml': yaml('a config beside the user-data folder'),
    'user-data-old/conf.yml': yaml('a config in a folder of the same beginning'),
  });
  writeFiles(directory, {
    'conf.yml': JSON.stringify({
      appConfig: { auth: { ...auth, users: [...USERS, { user: 'other', hash: secret('a hash in conf.yml') }] } },
      pages: [{ name: 'For admins', path: 'admins.yml', displayData: { showForUsers: ['admin'] } }],
      sections: [{ name: 'Hidden', displayData: { showForUsers: ['admin'] }, items: [{ title: secret('a hidden item') }] }],
    }),
    'admins.yml': `sections: [ { name: ${secret('a page for admins')} } ]\n`,
    'unlisted.yml': `appConfig: { auth: { users: [ { user: x, hash: ${secret('a hash in a file that no page names')} } ] } }\n`,
    'conf.yml.bak': yaml('conf.yml.bak'),
    'conf.yml~': yaml('conf.yml~'),
    '.conf.yml.swp': yaml('.conf.yml.swp'),
    'conf.txt': yaml('conf.txt'),
    'conf.json': JSON.stringify({ hash: secret('conf.json') }),
    conf: yaml('conf'),
    'conf.yml.txt': yaml('conf.yml.txt'),
    'Conf (copy).yml': yaml('Conf (copy).yml'),
    'backup.tar': secret('backup.tar'),
    'backup.zip': secret('backup.zip'),
    'dump.sql': secret('dump.sql'),
    'compose.env': secret('compose.env'),
    '.env': `API_TOKEN=${secret('.env')}\n`,
    '.htpasswd': secret('.htpasswd'),
    '.git/config': secret('.git/config'),
    'server.key': secret('server.key'),
    'server.pem': secret('server.pem'),
    'config-backups/conf-1700000000000.backup.yml': yaml('a backup'),
    'config-backups/notes.txt': secret('a text among the backups'),
    'sub/conf.yml': yaml('a config in a folder'),
    'sub/.hidden': secret('a hidden file in a folder'),
    'item-icons/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'item-icons/conf.yml': yaml('a config among the icons'),
    'style.css': '/* a file that everybody who looks may have */',
  });
  mkdirSync(join(directory, 'links'));
  symlinkSync('../../outside.txt', join(directory, 'links/out.css'));
  symlinkSync('../../outside', join(directory, 'links/folder'));
  symlinkSync('../conf.yml', join(directory, 'links/conf.css'));
  symlinkSync('../config-backups/conf-1700000000000.backup.yml', join(directory, 'links/backup.png'));
  symlinkSync('../.session-key', join(directory, 'links/key.png'));
  symlinkSync('/etc/passwd', join(directory, 'item-icons/passwd.svg'));
  symlinkSync('../conf.yml', join(directory, 'item-icons/conf.svg'));
  return directory;
}

const ups = ['..', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%252e%252e', '%25252e%25252e', '..%00', '..;', '..%20', '..%09', '.%00.', '..%c0%af', '%c0%ae%c0%ae', '%e0%80%ae%e0%80%ae', '%u002e%u002e', '．．', '%uff0e%uff0e', '....', '..../', '.../...'];
const slashes = ['/', '%2f', '%2F', '%5c', '\\', '%252f', '%255c', '%c0%af', '%e0%80%af', '%c1%9c', '//', '/./', '/;/', '%2f%2f', '∕', '%u2215'];

const TRICKS = [...new Set([
  // Parent directories, with every encoding of dots and slashes.
  ...ups.flatMap((up) => [`/${up}/outside.txt`, `/item-icons/${up}/${up}/outside.txt`]),
  ...slashes.flatMap((slash) => [`/..${slash}outside.txt`, `/sub${slash}..${slash}..${slash}outside.txt`, `/%2e%2e${slash}..${slash}..${slash}..${slash}etc${slash}passwd`]),
  ...['/etc/passwd', '//etc/passwd', '///etc/passwd', '/./etc/passwd', '/%2fetc%2fpasswd', '/file:///etc/passwd', '/proc/self/environ', '/..%2f..%2f..%2fproc%2fself%2fenviron', '/c:/windows/win.ini', '/C:%5Cwindows%5Cwin.ini', '/%5c%5clocalhost%5cc$'],
  '/../user-data-old/conf.yml', '/%2e%2e/user-data-old/conf.yml', '/..%2fuser-data-old%2fconf.yml', '/../outside/conf.yml',
  // Other names of conf.yml.
  ...['/CONF.YML', '/Conf.yml', '/conf.YML', '/conf.yml.', '/conf.yml%20', '/conf.yml%2e', '/conf.yml/', '/conf.yml//', '/conf.yml/.', '/conf.yml/x', '/conf.yml%00', '/conf.yml%00.css', '/conf.yml;.css', '/conf.yml%3b.css', '/conf.yml%0a', '/conf.yml%09', '/conf.yml::$DATA', '/conf.yml:$DATA', '/conf.yml%3a%3a$DATA', '/conf.yml%23', '/conf.yml%3f', '/conf.yml?', '/conf.yml#', '/conf.yml?.css', '/conf%2eyml', '/%63onf.yml', '/%2563onf.yml', '/c%6fnf.y%6dl', '/conf.yml%ff', '/./conf.yml', '/.//conf.yml', '//conf.yml', '///conf.yml', '/%2fconf.yml', '/%5cconf.yml', '/\\conf.yml', '/%2e/conf.yml', '/sub/../conf.yml', '/sub/%2e%2e/conf.yml', '/sub/..%2fconf.yml', '/sub/..;/conf.yml', '/;/conf.yml', '/home/../conf.yml', '/healthz/../conf.yml', '/login/../conf.yml', '/icons/../conf.yml', '/icons/file/../../conf.yml', '/icons/mdi/..%2f..%2fconf.yml', '/conf.yaml', '/conf', '/conf.txt', '/conf.json', '/conf.yml.txt', '/conf.yml.bak', '/conf.yml~', '/conf.yml%7e', '/.conf.yml.swp', '/Conf%20(copy).yml'],
  // Files for nobody, or for admins only.
  ...['/admins.yml', '/ADMINS.YML', '/./admins.yml', '/admins.yml.', '/admins%2eyml', '/home/for-admins', '/home/For-Admins', '/home/for-admins/', '/home/for-admins/x', '/home/%66or-admins', '/unlisted.yml', '/UNLISTED.yml', '/sub/conf.yml', '/sub/CONF.YML', '/sub/.hidden', '/sub%2fconf.yml', '/sub//conf.yml', '/item-icons/conf.yml', '/item-icons%2fconf.yml', '/icons/file/conf.yml', '/icons/file/CONF.YML', '/icons/file/..%2fconf.yml', '/icons/file/%2e%2e/conf.yml', '/icons/file/conf.svg', '/icons/file/passwd.svg', '/item-icons/passwd.svg', '/item-icons/conf.svg'],
  ...['/config-backups/conf-1700000000000.backup.yml', '/CONFIG-BACKUPS/conf-1700000000000.backup.yml', '/config-backups%2fconf-1700000000000.backup.yml', '/config-backups./conf-1700000000000.backup.yml', '/config-backups%20/conf-1700000000000.backup.yml', '/./config-backups/conf-1700000000000.backup.yml', '/sub/../config-backups/conf-1700000000000.backup.yml', '/config-backups/../config-backups/notes.txt', '/config-backups/notes.txt', '/config-backups/', '/config-backups', '/links/backup.png', '/conf-1700000000000.backup.yml'],
  ...['/.session-key', '/%2esession-key', '/.SESSION-KEY', '/.session-key.', '/./.session-key', '/sub/../.session-key', '/links/key.png', '/.env', '/%2eenv', '/.env.', '/.htpasswd', '/.git/config', '/.git%2fconfig', '/%2egit/config', '/server.key', '/server.pem', '/backup.tar', '/backup.zip', '/dump.sql', '/compose.env'],
  ...['/links/out.css', '/links/folder/conf.yml', '/links/folder%2fconf.yml', '/links/conf.css', '/links/', '/sub/', '/'],
  // Request targets other than a path.
  'http://127.0.0.1/conf.yml', 'http://evil.example/conf.yml', 'https://user:pass@evil.example/../outside.txt', 'http://127.0.0.1/..%2foutside.txt', 'http:///conf.yml', 'file:///etc/passwd', 'http://127.0.0.1:1/admins.yml', '*', 'conf.yml', '?/conf.yml', '/home/..%2f..%2foutside.txt', '/home/%2e%2e%2fadmins.yml', `/${'../'.repeat(60)}etc/passwd`, `/${'%2e%2e/'.repeat(60)}etc/passwd`, `/${'a/../'.repeat(200)}conf.yml`, `/${'./'.repeat(500)}conf.yml`,
])];

describe('no path leads to what its viewer must not have', () => {
  const servers = [];
  const viewers = [];

  before(async () => {
    for (const BASE_URL of ['', '/start']) {
      for (const auth of [{}, { enableGuestAccess: true }]) {
        const name = `${auth.enableGuestAccess ? 'open' : 'closed'}${BASE_URL}`;
        const portico = await Portico.start({ directory: folder(auth, name), environment: { BASE_URL, ENABLE_API: 'true', API_TOKEN: 'token' } });
        servers.push(portico);
        if (auth.enableGuestAccess) {
          viewers.push({ who: 'guest', portico, headers: {} });
        } else {
          viewers.push({ who: 'visitor', portico, headers: {} });
          viewers.push({ who: 'user', portico, headers: { cookie: await portico.signIn('reader', 'the password of the reader') } });
        }
      }
    }
  });
  after(() => Promise.all(servers.map((portico) => portico.stop())));

  test('there are enough tricks', () => assert.ok(TRICKS.length >= 118, String(TRICKS.length)));

  test('the files are there, and admins and viewers get what is theirs', async () => {
    for (const { who, portico, headers } of viewers) {
      const style = await portico.get('/style.css', { headers });
      assert.equal(style.status, who === 'visitor' ? 401 : 200, `${who}: ${style.status}`);
    }
    const cookie = await servers[0].signIn('admin', 'the password of the admin');
    const config = await servers[0].get('/conf.yml', { headers: { cookie } });
    assert.ok(config.text.includes(markers.get('closed: a hash in conf.yml')));
  });

  for (const base of ['', '/start']) {
    for (const who of ['visitor', 'guest', 'user']) {
      test(`${TRICKS.length} paths as ${who}${base && ` below ${base}`}`, async () => {
        const { portico, headers } = viewers.find((viewer) => viewer.who === who && viewer.portico.base === base);
        const key = portico.read('.session-key');
        await inParallel(TRICKS, 8, async (trick) => {
          const path = /^[/]/.test(trick) ? base + trick : trick.replace(/(:\/\/[^/]*)\//, `$1${base}/`);
          const response = await portico.ask('GET', '', { path: Buffer.from(path).toString('latin1'), headers });
          const found = markers.in(response.everything);
          assert.deepEqual(found, [], `${path} gives ${found}`);
          assert.doesNotMatch(response.text, /^root:|USER_DATA_DIR=|API_TOKEN=/m, path);
          assert.ok(!response.everything.includes(key), `${path} gives the session key`);
          assert.ok(response.status >= 200 && response.status < 500, `${path}: ${response.status}`);
        });
      });
    }
  }

  // How a name can be written so that a rule of a proxy for it does not apply. None of them is an address of the file, for
  // nobody; a slash at the end is ignored everywhere, so such an address is treated like that without one.
  const disguises = (name) => {
    const [stem, ending] = name.split('.');
    const [first, rest] = [stem[0], stem.slice(1)];
    const code = first.charCodeAt(0).toString(16);
    return [
      `/%${code}${rest}.${ending}`, `/%${code.toUpperCase()}${rest}.${ending}`, `/${stem}%2E${ending}`, `/${stem}%2e${ending}`, `/%${code}${rest}%2e${ending}`, `/${stem}.%79ml`, `/${stem}.y%6Dl`,
      // Doubly and triply encoded.
      `/%25${code}${rest}.${ending}`, `/${stem}%252E${ending}`, `/%2525${code}${rest}.${ending}`, `/%252f${name}`, `/x/..%252f${name}`, `/x/%252e%252e/${name}`,
      // With dots.
      `/./${name}`, `/.%2f${name}`, `/%2e/${name}`, `/%2e%2f${name}`, `/${name}.`, `/${name}%2e`, `/${name}/.`, `/x/../${name}`, `/x/%2e%2e/${name}`, `/x/.%2e/${name}`,
      // With slashes.
      `//${name}`, `///${name}`, `/%2f${name}`, `/%2F${name}`, `//%2f${name}`, `/x/..%2f${name}`, `/x%2f..%2f${name}`, `/${name}%2f`, `/${name}%2fx`, `/${name}/x`,
      // With semicolons.
      `/${name};`, `/${name};x`, `/${name};.css`, `/${name}%3b`, `/;/${name}`, `/;${name}`, `/${stem};.${ending}`, `/x/..;/${name}`, `/x;/../${name}`,
      // With backslashes.
      `/\\${name}`, `/%5c${name}`, `/%5C${name}`, `/${name}\\`, `/${name}%5c`, `/x\\..\\${name}`, `/x/..%5c${name}`, `/x%5c..%5c${name}`, `/x/..\\${name}`,
      // With what ends a text.
      `/${name}%00`, `/${name}%00.css`, `/${name}%20`, `/${name}%0a`, `/${name}%3f.css`, `/${name}%23`,
    ];
  };

  for (const base of ['', '/start']) {
    for (const who of ['visitor', 'guest', 'user', 'admin']) {
      test(`config files in disguise as ${who}${base && ` below ${base}`}`, async () => {
        const { portico } = viewers.find((viewer) => viewer.who === (who === 'admin' ? 'user' : who) && viewer.portico.base === base);
        let { headers } = viewers.find((viewer) => viewer.portico === portico && viewer.who === who) ?? {};
        if (who === 'admin') headers = { cookie: await portico.signIn('admin', 'the password of the admin') };
        for (const name of ['conf.yml', 'admins.yml', 'unlisted.yml']) {
          await inParallel(disguises(name), 8, async (disguise) => {
            const response = await portico.ask('GET', '', { path: base + disguise, headers });
            assert.ok([400, 401, 404].includes(response.status), `${disguise}: ${response.status}`);
            assert.doesNotMatch(response.header('content-type'), /yaml/, disguise);
            assert.deepEqual(markers.in(response.everything), [], disguise);
            assert.ok(!response.text.includes('appConfig'), disguise);
          });
          const [plain, ended] = [await portico.get(`/${name}`, { headers }), await portico.get(`/${name}/`, { headers })];
          assert.deepEqual([ended.status, ended.text], [plain.status, plain.text], name);
          const expected = { visitor: 401, guest: name === 'conf.yml' ? 200 : 404, user: name === 'conf.yml' ? 200 : 404, admin: 200 }[who];
          assert.equal(plain.status, expected, `${name}: ${plain.text}`);
          if (who !== 'admin') assert.deepEqual(markers.in(plain.everything), [], name);
        }
      });
    }
  }

  test('file names of the REST API lead nowhere else', async () => {
    const [portico] = servers;
    const headers = { authorization: 'Bearer token' };
    const names = [...ups.map((up) => `${up}%2foutside.txt`), ...slashes.map((slash) => `..${slash}outside${slash}conf.yml`), '.session-key', '.env', '%2econf.yml', 'conf.yml%00', 'conf.yml%00.yml', 'conf.txt', 'conf.yml.bak', 'conf.yml~', 'config-backups', 'config-backups%2fconf-1700000000000.backup.yml', 'links%2fconf.css', 'links%2ffolder%2fconf.yml', 'sub%2fconf.yml', '%2fetc%2fpasswd', 'conf.yml::$DATA'];
    await inParallel(names, 8, async (name) => {
      for (const [method, body] of [['GET'], ['PUT', '{"pageInfo":{"title":"T"}}'], ['DELETE']]) {
        const response = await portico.json(method, `/api/config/${Buffer.from(name).toString('latin1')}`, body ?? '', { headers });
        assert.ok(response.status >= 400 && response.status < 500, `${method} ${name}: ${response.status} ${response.text}`);
        assert.deepEqual(markers.in(response.everything), [], name);
      }
    });
  });

  test('the editor saves beside conf.yml and nowhere else', async () => {
    const [portico] = servers;
    const cookie = await portico.signIn('admin', 'the password of the admin');
    const before = portico.read('../outside/conf.yml');
    for (const filename of ['../outside/conf.yml', '..\\outside\\conf.yml', '../../etc/cron.d/x.yml', '/tmp/portico-evil.yml', '.session-key', '.env', 'links/out.css', 'conf.yml\u0000.txt', '..', 'x.sh', 'config-backups/x.yml']) {
      await portico.json('POST', '/config-manager/save', { config: 'pageInfo: { title: Evil }\n', filename }, { headers: { cookie } });
    }
    assert.equal(portico.read('../outside/conf.yml'), before);
    assert.ok(!portico.read('.env').includes('Evil') && !portico.read('../outside.txt').includes('Evil'));
    assert.throws(() => portico.read('/../../portico-evil.yml'));
    assert.throws(() => portico.read('config-backups/x.yml'));
  });
});
