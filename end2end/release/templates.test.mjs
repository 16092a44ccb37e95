// What people install it with elsewhere: compose files, templates, scripts, workflows, the flake.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { parse } from '../../tools/node_modules/yaml/dist/index.js';
import { ROOT, VERSION, run } from './harness.mjs';

const file = (name) => join(ROOT, name);
const read = (name) => readFileSync(file(name), 'utf8');

test('compose files are valid, and lock the container down', () => {
  for (const name of ['deploy/compose.yaml', 'deploy/templates/casaos.yaml', 'deploy/templates/truenas.yaml']) {
    const { services: { portico } } = parse(run('compose-go', file(name)));
    assert.equal(portico.image, `portico:${VERSION}`, name);
    assert.equal(portico.read_only, true, name);
    assert.deepEqual(portico.cap_drop, ['ALL'], name);
    assert.deepEqual(portico.security_opt, ['no-new-privileges:true'], name);
    assert.equal(portico.volumes[0].target, '/app/user-data', name);
    assert.equal(portico.ports[0].target, 8080, name);
  }
});

test('the socket proxy starts only with its profile, and cannot change anything', () => {
  const { docker } = parse(read('deploy/compose.yaml')).services;
  assert.deepEqual(docker.profiles, ['containers']);
  assert.deepEqual(docker.environment, { CONTAINERS: 1, POST: 0 });
});

test('what CasaOS and TrueNAS show points at the port', () => {
  const casa = parse(read('deploy/templates/casaos.yaml'));
  assert.equal(casa['x-casaos'].port_map, casa.services.portico.ports[0].published);
  assert.ok(casa['x-casaos'].main in casa.services);
  const [portal] = parse(read('deploy/templates/truenas.yaml'))['x-portals'];
  assert.equal(parse(read('deploy/templates/truenas.yaml')).services.portico.ports[0], `${portal.port}:8080`);
});

test('the template for Unraid is well-formed and complete', () => {
  const at = (path) => run('xmllint', '--xpath', `string(${path})`, file('deploy/templates/unraid.xml')).trim();
  assert.equal(at('/Container/Repository'), `portico:${VERSION}`);
  assert.equal(at('//Config[@Type="Port"]/@Target'), '8080');
  assert.equal(at('//Config[@Type="Path"]/@Target'), '/app/user-data');
  assert.match(at('/Container/ExtraParams'), /--read-only --cap-drop ALL --security-opt no-new-privileges/);
});

test('shellcheck finds nothing in the scripts', () => {
  const scripts = run('git', '-C', ROOT, 'ls-files', '--cached', '--others', '--exclude-standard', 'deploy', 'tools/release.sh')
    .split('\n').filter((name) => /\.sh$|\/(postinst|postrm|prerm)$/.test(name));
  assert.ok(scripts.length >= 8, scripts.join());
  // Files that scripts source are checked by themselves.
  run('shellcheck', '--exclude', 'SC1091', ...scripts.map(file));
});

test('the workflows are valid, and leave the work to the script', () => {
  for (const name of ['.github/workflows/release.yml', '.forgejo/workflows/release.yml']) {
    // Labels of runners are up to each forge.
    run('actionlint', '-shellcheck', 'shellcheck', '-ignore', 'label "docker" is unknown', file(name));
    assert.match(read(name), /make release/);
  }
});

test('the pipeline for GitLab uploads each file, and makes a release with links to them', async () => {
  const { release } = parse(read('.gitlab-ci.yml'));
  assert.ok(release.script.includes('make release'));
  const folder = mkdtempSync(join(tmpdir(), 'portico-gitlab-'));
  writeFileSync(join(folder, 'all.sh'), `#!/bin/bash\n${release.script.join('\n')}`);
  run('shellcheck', join(folder, 'all.sh'));
  mkdirSync(join(folder, 'dist/release'), { recursive: true });
  for (const name of ['portico.deb', 'SHA256SUMS']) writeFileSync(join(folder, 'dist/release', name), `content of ${name}`);
  const requests = [];
  const api = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    requests.push({ method: request.method, path: request.url, token: request.headers['job-token'], body: Buffer.concat(parts).toString() });
    response.writeHead(201).end();
  });
  await new Promise((done) => api.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${api.address().port}/api/v4`;
  // Until the image, which needs a registry.
  const [publish] = release.script.at(-1).split('skopeo login');
  const env = { ...process.env, CI_API_V4_URL: url, CI_PROJECT_ID: '7', CI_COMMIT_TAG: 'v1.2.3', CI_JOB_TOKEN: 'token' };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', publish], { cwd: folder, env });
  api.close();
  rmSync(folder, { recursive: true });
  const files = '/api/v4/projects/7/packages/generic/portico/1.2.3';
  assert.deepEqual(requests.slice(0, 2), ['SHA256SUMS', 'portico.deb'].map((name) => (
    { method: 'PUT', path: `${files}/${name}`, token: 'token', body: `content of ${name}` })));
  const { method, path, token, body } = requests[2];
  assert.deepEqual([method, path, token], ['POST', '/api/v4/projects/7/releases', 'token']);
  const origin = new URL(url).origin;
  const links = ['SHA256SUMS', 'portico.deb'].map((name) => ({ name, url: `${origin}${files}/${name}` }));
  assert.deepEqual(JSON.parse(body), { tag_name: 'v1.2.3', assets: { links } });
});

test('the flake packs the archives of this version', () => {
  const expression = `
    let
      pkgs = { stdenvNoCC.mkDerivation = found: found; installShellFiles = null; lib.licenses.mit = "MIT"; };
      systems = [ "x86_64-linux" "aarch64-linux" "armv7l-linux" ];
      nixpkgs.legacyPackages = builtins.listToAttrs (map (name: { inherit name; value = pkgs; }) systems);
      flake = (import ${file('deploy/flake.nix')}).outputs { self = flake; inherit nixpkgs; };
      lib = { mkIf = condition: content: content; mkEnableOption = name: name; mkOption = found: found; types = { attrsOf = null; str = null; }; };
      module = flake.nixosModules.default {
        config.services.portico = { enable = true; environment.PORT = "9000"; };
        inherit lib;
        pkgs.stdenv.hostPlatform.system = "aarch64-linux";
      };
    in {
      archives = map (system: baseNameOf (toString flake.packages.\${system}.default.src)) systems;
      installed = map ({ src, ... }: baseNameOf (toString src)) module.config.systemd.packages;
      service = module.config.systemd.services.portico;
    }`;
  const found = JSON.parse(run('nix-instantiate', '--eval', '--strict', '--json', '--expr', expression));
  const archives = ['x86_64', 'aarch64', 'armv7'].map((processor) => `portico-${VERSION}-linux-${processor}.tar.gz`);
  assert.deepEqual(found, {
    archives, installed: [archives[1]], service: { wantedBy: ['multi-user.target'], environment: { PORT: '9000' } },
  });
});
