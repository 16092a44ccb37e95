// Live figures of services that install here, compared with what the services say themselves.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { all, ask, confirm, hasBetween, netdataSettings, numbers, program, Service, SERVICES } from './services.mjs';

const KEY = '0123456789abcdef0123456789abcdef';
/** How many percentage points two successive readings of a processor may differ. */
const ROOM = 20;

/** The figures of a panel: labels and values. */
const figures = (panel) => all(panel, 'stats').flat().filter((stat) => stat.label).map((stat) => [stat.label, stat.value]);

test('figures of Prometheus', async () => {
  const port = await freePort();
  const closed = await freePort();
  const folder = temporaryDirectory();
  writeFiles(folder, {
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'all', static_configs: [{ targets: [`127.0.0.1:${port}`, `127.0.0.1:${closed}`] }] }],
    }),
  });
  const service = new Service(program('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  const count = async (health) => (await ask(`${url}/api/v1/targets`)).data.activeTargets.filter((target) => target.health === health).length;
  await service.ready('Prometheus', async () => (await count('up')) === 1 && (await count('down')) === 1);
  await confirm('service-figures', { service: 'prometheus', url }, () => count('up'), (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Up', 'Down', 'Total']);
    assert.deepEqual(numbers(panel), [1, 1, 2]);
  });
  await service.stop();
});

test('figures of SABnzbd', async () => {
  const port = await freePort();
  const folder = temporaryDirectory();
  writeFiles(folder, { 'sabnzbd.ini': `__version__ = 19\n[misc]\napi_key = ${KEY}\n` });
  const path = program('sabnzbdplus');
  const parameters = ['-OO', path, '-f', join(folder, 'sabnzbd.ini'), '-s', `127.0.0.1:${port}`, '-b', '0', '-p', '--disable-file-log'];
  const environment = { HOME: folder, PYTHONPATH: join(dirname(path), '../share/sabnzbdplus') };
  const service = new Service(program('sabnzbd/bin/python'), parameters, environment);
  const url = `http://127.0.0.1:${port}`;
  const read = () => ask(`${url}/sabnzbd/api?mode=queue&output=json&apikey=${KEY}`).then((response) => response.queue);
  await service.ready('SABnzbd', async () => (await read()).noofslots === 0);
  await confirm('service-figures', { service: 'sabnzbd', url: `${url}/sabnzbd`, key: KEY }, read, (panel, before) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Rate', 'Queue', 'Time left']);
    assert.deepEqual(numbers(panel), [0, before.noofslots]);
    assert.ok(JSON.stringify(panel).includes(before.timeleft), 'the time left');
  });
  await service.stop();
});

for (const version of [4, 3]) {
  test(`figures of Glances ${version}`, async () => {
    const port = await freePort();
    const home = temporaryDirectory();
    const parameters = ['-w', '--bind', '127.0.0.1', '-p', String(port), '-t', '1', '-q', '--disable-check-update', '--disable-process'];
    const folders = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
    const service = new Service(program(`glances-${version}/bin/glances`), parameters, folders);
    const url = `http://127.0.0.1:${port}`;
    const read = () => ask(`${url}/api/${version}/quicklook`);
    await service.ready(`Glances ${version}`, async () => (await read()).mem > 0);
    await confirm('service-figures', { service: 'glances', url }, read, (panel, before, after) => {
      assert.deepEqual(figures(panel).map(([label]) => label), ['CPU', 'Memory', 'Swap', 'Load']);
      const [cpu, memory] = numbers(panel);
      hasBetween([cpu], before.cpu, after.cpu, ROOM, 'load');
      hasBetween([memory], before.mem, after.mem, 3, 'memory');
    });
    await service.stop();
  });
}

/** A file of a torrent, as BEP 3 describes it: one file in one piece, and no tracker. */
function torrent(name, content) {
  const pieces = createHash('sha1').update(content).digest();
  const info = [`d6:lengthi${content.length}e4:name${name.length}:${name}12:piece lengthi16384e6:pieces20:`, pieces, 'e'];
  return Buffer.concat(['d4:info', ...info, 'e'].map((part) => Buffer.from(part)));
}

const WHOLE = ['whole.txt', 'All of it is there.'];
const MISSING = ['missing.txt', 'None of it is there.'];
const TORRENTS = ['Leech', 'Download', 'Seed', 'Upload'];

/** A folder for a client of torrents: the content of one of the two torrents is in it. */
function downloads() {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'downloads'));
  writeFiles(join(folder, 'downloads'), Object.fromEntries([WHOLE]));
  return folder;
}

/** Sends JSON, and returns the response with its JSON. */
async function post(url, body, headers = {}) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, json: await response.json().catch(() => null) };
}

test('figures of Transmission', async () => {
  const [port, peers] = [await freePort(), await freePort()];
  const folder = downloads();
  writeFiles(folder, { 'settings.json': JSON.stringify({ 'dht-enabled': false, 'lpd-enabled': false, 'pex-enabled': false }) });
  const service = new Service(program('transmission-daemon'), [
    ...['--foreground', '--config-dir', folder, '--download-dir', join(folder, 'downloads'), '--peerport', String(peers)],
    ...['--rpc-bind-address', '127.0.0.1', '--port', String(port), '--auth', '--username', 'anna', '--password', KEY, '--no-portmap'],
  ], { HOME: folder });
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Basic ${Buffer.from(`anna:${KEY}`).toString('base64')}` };
  const call = async (method, parameters) => {
    const send = () => post(`${url}/transmission/rpc`, { method, arguments: parameters }, headers);
    let response = await send();
    if (response.status === 409) {
      headers['x-transmission-session-id'] = response.headers.get('x-transmission-session-id');
      response = await send();
    }
    return response.json.arguments;
  };
  const states = async () => (await call('torrent-get', { fields: ['percentDone'] })).torrents.map((one) => one.percentDone).sort();
  await service.ready('Transmission', async () => (await states()).length === 0);
  for (const file of [WHOLE, MISSING]) await call('torrent-add', { metainfo: torrent(...file).toString('base64') });
  await service.ready('Transmission', async () => String(await states()) === '0,1');
  await confirm('service-figures', { service: 'transmission', url: `${url}/transmission/web/`, username: 'anna', password: KEY }, states, (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), TORRENTS);
    assert.deepEqual(numbers(panel), [1, 0, 1, 0]);
  });
  await service.stop();
});

test('figures of qBittorrent', async () => {
  const [port, peers] = [await freePort(), await freePort()];
  const folder = downloads();
  mkdirSync(join(folder, 'qBittorrent/config'), { recursive: true });
  const session = ['DHTEnabled=false', 'LSDEnabled=false', 'PeXEnabled=false', `Port=${peers}`, `DefaultSavePath=${join(folder, 'downloads')}`];
  const settings = [
    ...['[LegalNotice]', 'Accepted=true', '[BitTorrent]', ...session.map((line) => `Session\\${line}`)],
    ...['[Preferences]', 'WebUI\\Address=127.0.0.1', `WebUI\\Port=${port}`, 'WebUI\\LocalHostAuth=true', 'WebUI\\UseUPnP=false'],
  ];
  writeFiles(join(folder, 'qBittorrent/config'), { 'qBittorrent.conf': settings.join('\n') });
  const service = new Service(program('qbittorrent-nox'), [`--profile=${folder}`], { HOME: folder });
  const url = `http://127.0.0.1:${port}`;
  // The user and the password of a new installation of this version.
  const [username, password] = ['admin', 'adminadmin'];
  let cookie = '';
  const call = async (path, body) => {
    const response = await fetch(`${url}/api/v2/${path}`, { method: body ? 'POST' : 'GET', headers: { cookie, referer: url }, body });
    cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? '';
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  };
  const states = async () => JSON.parse(await call('torrents/info')).map((one) => one.progress).sort();
  await service.ready('qBittorrent', async () => (await call('auth/login', new URLSearchParams({ username, password }))) === 'Ok.');
  for (const file of [WHOLE, MISSING]) {
    const form = new FormData();
    form.append('torrents', new Blob([torrent(...file)]), `${file[0]}.torrent`);
    await call('torrents/add', form);
  }
  await service.ready('qBittorrent', async () => String(await states()) === '0,1');
  await confirm('service-figures', { service: 'qbittorrent', url, username, password }, states, (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), TORRENTS);
    assert.deepEqual(numbers(panel), [1, 0, 1, 0]);
  });
  await service.stop();
});

test('figures of Deluge', async () => {
  const [port, daemon, peers] = [await freePort(), await freePort(), await freePort()];
  const folder = downloads();
  writeFiles(folder, {
    auth: `localclient:${KEY}:10\n`,
    'hostlist.conf': `{"file": 3, "format": 1}${JSON.stringify({ hosts: [['one', '127.0.0.1', daemon, 'localclient', KEY]] })}`,
    'core.conf': `{"file": 1, "format": 1}${JSON.stringify({
      ...{ dht: false, lsd: false, upnp: false, natpmp: false, utpex: false, daemon_port: daemon, random_port: false },
      ...{ listen_ports: [peers, peers], download_location: join(folder, 'downloads'), new_release_check: false },
    })}`,
  });
  const environment = { HOME: folder, PYTHONPATH: join(SERVICES, 'debian/usr/lib/python3/dist-packages') };
  const start = (name, listen) => new Service('/usr/bin/python3', [program(name), '-d', '-c', folder, '-L', 'warning', ...listen], environment);
  const core = start('deluged', ['-p', String(daemon), '-u', '127.0.0.1']);
  const service = start('deluge-web', ['-p', String(port), '-i', '127.0.0.1']);
  const url = `http://127.0.0.1:${port}`;
  // The password of a new installation.
  const password = 'deluge';
  let cookie = '';
  const call = async (method, ...params) => {
    const response = await post(`${url}/json`, { method, params, id: 1 }, { cookie });
    cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? '';
    if (response.json?.error) throw new Error(`${method}: ${response.json.error.message}`);
    return response.json.result;
  };
  const states = async () => Object.values((await call('web.update_ui', ['total_remaining'], {})).torrents ?? {}).map((one) => one.total_remaining).sort();
  await service.ready('the web interface of Deluge', async () => call('auth.login', password));
  await core.ready('Deluge', async () => {
    await call('web.connect', 'one');
    return call('web.connected');
  });
  for (const [name, content] of [WHOLE, MISSING]) await call('core.add_torrent_file', `${name}.torrent`, torrent(name, content).toString('base64'), {});
  await core.ready('Deluge', async () => String(await states()) === `0,${MISSING[1].length}`);
  await confirm('service-figures', { service: 'deluge', url, password }, states, (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), TORRENTS);
    assert.deepEqual(numbers(panel), [1, 0, 1, 0]);
  });
  await service.stop();
  await core.stop();
});

test('figures of NZBGet', async () => {
  const port = await freePort();
  const folder = temporaryDirectory();
  const options = { ControlIP: '127.0.0.1', ControlPort: port, ControlUsername: 'anna', ControlPassword: KEY, MainDir: folder, OutputMode: 'log' };
  const parameters = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const service = new Service(program('nzbget'), ['--noconfig', '--server', ...parameters], { HOME: folder });
  const url = `http://127.0.0.1:${port}`;
  const call = async (method, ...params) => {
    const headers = { authorization: `Basic ${Buffer.from(`anna:${KEY}`).toString('base64')}` };
    return (await post(`${url}/jsonrpc`, { method, params }, headers)).json.result;
  };
  await service.ready('NZBGet', async () => (await call('status')).DownloadRate === 0);
  const segment = '<segment bytes="7340032" number="1">one@example</segment>';
  const file = `<file poster="anna" date="1" subject="&quot;one.bin&quot; yEnc (1/1)"><groups><group>a.b.c</group></groups><segments>${segment}</segments></file>`;
  const nzb = `<?xml version="1.0"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">${file}</nzb>`;
  await call('append', 'one.nzb', Buffer.from(nzb).toString('base64'), '', 0, false, true, '', 0, 'SCORE', []);
  const remaining = async () => (await call('status')).RemainingSizeMB;
  // What is paused remains all the same.
  await service.ready('NZBGet', async () => (await call('listgroups')).length === 1);
  await confirm('service-figures', { service: 'nzbget', url, username: 'anna', password: KEY }, remaining, (panel, before) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Rate', 'Remaining', 'Downloaded']);
    assert.deepEqual(numbers(panel), [0, before * 1_048_576, 0]);
  });
  await service.stop();
});

test('figures of Caddy', async () => {
  const [admin, port, closed] = [await freePort(), await freePort(), await freePort()];
  const folder = temporaryDirectory();
  const upstreams = [{ dial: `127.0.0.1:${closed}` }, { dial: `localhost:${closed}` }];
  const proxy = { handler: 'reverse_proxy', upstreams, health_checks: { passive: { fail_duration: '10m', max_fails: 100 } } };
  const config = {
    admin: { listen: `127.0.0.1:${admin}`, config: { persist: false } },
    apps: { http: { servers: { one: { listen: [`127.0.0.1:${port}`], routes: [{ handle: [proxy] }], automatic_https: { disable: true } } } } },
  };
  writeFiles(folder, { 'caddy.json': JSON.stringify(config) });
  const service = new Service(program('caddy'), ['run', '--config', join(folder, 'caddy.json')], { HOME: folder });
  const url = `http://127.0.0.1:${admin}`;
  const read = () => ask(`${url}/reverse_proxy/upstreams`);
  await service.ready('Caddy', async () => (await read()).length > 0);
  for (const _ of [1, 2, 3]) assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 502);
  await confirm('service-figures', { service: 'caddy', url }, read, (panel, before) => {
    const failed = before.reduce((sum, upstream) => sum + upstream.fails, 0);
    assert.ok(failed >= 3, JSON.stringify(before));
    assert.deepEqual(figures(panel).map(([label]) => label), ['Upstreams', 'Requests', 'Failed']);
    assert.deepEqual(numbers(panel), [2, 0, failed]);
  });
  await service.stop();
});

test('figures of Netdata', async () => {
  const port = await freePort();
  const folder = temporaryDirectory();
  for (const name of ['cache', 'lib', 'log', 'web', 'plugins', 'health.d']) mkdirSync(join(folder, name));
  writeFiles(folder, {
    'netdata.conf': netdataSettings(folder, port, { enabled: 'yes', 'run at least every seconds': 1 }),
    'health.d/tests.conf': ['warn', 'crit'].map((level) => `alarm: tests_${level}\non: system.load\nevery: 1s\ncalc: 1\n${level}: $this > 0\n`).join('\n'),
  });
  const service = new Service(program('netdata'), ['-D', '-c', join(folder, 'netdata.conf')], { HOME: folder, TMPDIR: folder });
  const url = `http://127.0.0.1:${port}`;
  const read = async () => (await ask(`${url}/api/v1/info`)).alarms;
  await service.ready('Netdata', async () => {
    const { warning, critical } = await read();
    return warning === 1 && critical === 1;
  });
  await confirm('service-figures', { service: 'netdata', url }, read, (panel) => {
    assert.deepEqual(figures(panel).map(([label]) => label), ['Warnings', 'Critical']);
    assert.deepEqual(numbers(panel), [1, 1]);
  });
  await service.stop();
});

test('figures of CrowdSec', async () => {
  const port = await freePort();
  const folder = temporaryDirectory();
  const at = (name) => join(folder, name);
  mkdirSync(at('hub'));
  writeFiles(folder, {
    'config.yaml': JSON.stringify({
      common: { daemonize: false, log_media: 'stdout', log_level: 'info', working_dir: folder },
      config_paths: { config_dir: folder, data_dir: folder, hub_dir: at('hub'), index_path: at('hub/.index.json'), simulation_path: at('simulation.yaml') },
      crowdsec_service: { acquisition_path: at('acquis.yaml') },
      cscli: { output: 'human' },
      db_config: { log_level: 'info', type: 'sqlite', db_path: at('crowdsec.db') },
      api: { client: { credentials_path: at('client.yaml') }, server: { log_level: 'info', listen_uri: `127.0.0.1:${port}`, profiles_path: at('profiles.yaml') } },
      prometheus: { enabled: false },
    }),
    'simulation.yaml': 'simulation: off\n',
    'acquis.yaml': '',
    'client.yaml': `url: http://127.0.0.1:${port}\n`,
    'hub/.index.json': '{}',
    'profiles.yaml': 'name: ban\nfilters: [Alert.Remediation == true]\ndecisions: [{ type: ban, duration: 4h }]\non_success: break\n',
  });
  const [username, password] = ['dashboard', KEY];
  execFileSync(program('cscli'), ['-c', at('config.yaml'), 'machines', 'add', username, '--password', password, '-f', '/dev/null'], { stdio: 'pipe' });
  const service = new Service(program('crowdsec'), ['-c', at('config.yaml'), '-no-cs'], { HOME: folder });
  const url = `http://127.0.0.1:${port}`;
  let headers = { 'user-agent': 'tests/1' };
  await service.ready('CrowdSec', async () => {
    const { json } = await post(`${url}/v1/watchers/login`, { machine_id: username, password, scenarios: [] }, headers);
    headers = { ...headers, authorization: `Bearer ${json.token}` };
    return Boolean(json.token);
  });
  const now = new Date().toISOString();
  const source = { scope: 'Ip', value: '192.0.2.1', ip: '192.0.2.1' };
  const decision = { origin: 'crowdsec', type: 'ban', scope: 'Ip', value: source.value, duration: '4h', scenario: 'tests/guessing' };
  const alert = {
    ...{ scenario: 'tests/guessing', scenario_hash: '', scenario_version: '1', message: 'guesses', events_count: 1, start_at: now, stop_at: now },
    ...{ capacity: 1, leakspeed: '1s', simulated: false, events: [], source },
  };
  const sent = await post(`${url}/v1/alerts`, [{ ...alert, decisions: [decision] }, { ...alert, message: 'without a ban', decisions: [] }], headers);
  assert.equal(sent.status, 201, JSON.stringify(sent.json));
  const read = async () => {
    const response = await fetch(`${url}/v1/alerts?limit=0`, { headers });
    return response.json();
  };
  await confirm('service-figures', { service: 'crowdsec', url, username, password }, read, (panel, before) => {
    assert.equal(before.length, 2);
    assert.deepEqual(figures(panel).map(([label]) => label), ['Alerts', 'Bans']);
    assert.deepEqual(numbers(panel), [2, 1]);
  });
  await service.stop();
});
