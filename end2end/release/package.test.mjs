// The files of the release, and the package for Debian in a Debian of its own.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { RELEASE, ROOT, VERSION, run, temporaryFolder } from './harness.mjs';

/** A minimal Debian, which the tests copy. */
const DEBIAN = process.env.DEBIAN;

const file = (name) => join(RELEASE, name);
const processors = { amd64: 'x86_64', arm64: 'aarch64', armhf: 'armv7' };
const built = Object.entries(processors).filter(([debian]) => existsSync(file(`portico_${VERSION}_${debian}.deb`)));

test('all files are what SHA256SUMS and the provenance say', () => {
  run('sh', '-c', `cd ${RELEASE} && sha256sum --check --strict SHA256SUMS`);
  const provenance = JSON.parse(readFileSync(file(`portico-${VERSION}-provenance.json`), 'utf8'));
  for (const { name, digest } of provenance.subject) {
    assert.equal(createHash('sha256').update(readFileSync(file(name))).digest('hex'), digest.sha256, name);
  }
  const listed = [...provenance.subject.map(({ name }) => name), 'SHA256SUMS', `portico-${VERSION}-provenance.json`];
  assert.deepEqual(listed.sort(), readdirSync(RELEASE).sort());
});

test('the list of components is complete', () => {
  const { components } = JSON.parse(readFileSync(file(`portico-${VERSION}-sbom.cdx.json`), 'utf8'));
  const names = components.map(({ name }) => name);
  // One of the server, one of the browser's bundle, one of the icons; and no build tool.
  for (const name of ['axum', 'gloo-net', 'simple-icons']) assert.ok(names.includes(name), name);
  for (const name of ['esbuild', 'insta', 'proptest']) assert.ok(!names.includes(name), name);
  assert.equal(new Set(components.map((found) => found['bom-ref'])).size, components.length);
  assert.ok(components.every(({ licenses }) => licenses), JSON.stringify(components.filter(({ licenses }) => !licenses)));
});

test('the archives contain all that an installation by hand needs', () => {
  for (const [, processor] of built) {
    const name = `portico-${VERSION}-linux-${processor}`;
    const listed = run('tar', '-tzf', file(`${name}.tar.gz`)).trim().split('\n').map((entry) => entry.replace(`${name}/`, ''));
    assert.deepEqual(listed.filter((entry) => entry && !entry.endsWith('/')).sort(), [
      'LICENSE', 'THIRD-PARTY-LICENSES.txt', 'completions/_portico', 'completions/portico.bash', 'completions/portico.fish', 'portico',
      'portico.1', 'portico.env', 'portico.service',
    ]);
  }
});

test('packed again, every file has the same bytes', () => {
  const again = temporaryFolder();
  const programs = temporaryFolder();
  const names = { amd64: 'amd64', arm64: 'arm64', armhf: 'arm' };
  for (const [debian, processor] of built) {
    run('sh', '-c', `tar -xzOf ${file(`portico-${VERSION}-linux-${processor}.tar.gz`)} portico-${VERSION}-linux-${processor}/portico >${programs}/portico-${names[debian]}`);
    run('chmod', '755', `${programs}/portico-${names[debian]}`);
  }
  run('env', `PROGRAMS=${programs}`, `OUT=${again}`, `PROCESSORS=${built.map(([debian]) => names[debian]).join(' ')}`, join(ROOT, 'tools/release.sh'), VERSION);
  run('diff', '--recursive', RELEASE, again);
});

test('the package is installed, upgraded and removed, and keeps data and settings', () => {
  const root = join(temporaryFolder(), 'debian');
  run('cp', '--archive', '--one-file-system', DEBIAN, root);
  const inside = (...words) => run('chroot', root, ...words);
  const install = (deb) => {
    run('cp', deb, join(root, 'portico.deb'));
    return inside('dpkg', '--force-confold', '--install', '/portico.deb');
  };
  const deb = file(`portico_${VERSION}_${run('dpkg', '--print-architecture').trim()}.deb`);
  install(deb);
  assert.equal(inside('/usr/bin/portico', 'version').trim(), `portico ${VERSION}`);
  assert.equal(inside('stat', '-c', '%U:%G %a', '/var/lib/portico').trim(), 'portico:portico 750');
  for (const name of ['usr/lib/systemd/system/portico.service', 'usr/share/man/man1/portico.1.gz', 'usr/share/bash-completion/completions/portico']) {
    assert.ok(existsSync(join(root, name)), name);
  }
  const [conf, settings] = [join(root, 'var/lib/portico/conf.yml'), join(root, 'etc/portico/portico.env')];
  writeFileSync(conf, 'sections: []\n');
  writeFileSync(settings, 'PORT=9090\n');

  const content = join(temporaryFolder(), 'portico');
  run('dpkg-deb', '--raw-extract', deb, content);
  const control = join(content, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(`Version: ${VERSION}`, 'Version: 99.0.0'));
  const newer = join(temporaryFolder(), 'newer.deb');
  run('dpkg-deb', '--root-owner-group', '--build', content, newer);
  install(newer);
  assert.equal(inside('dpkg-query', '--show', '--showformat', '${Version}', 'portico'), '99.0.0');
  // One version back.
  install(deb);
  assert.deepEqual([conf, settings].map((path) => readFileSync(path, 'utf8')), ['sections: []\n', 'PORT=9090\n']);

  inside('dpkg', '--remove', 'portico');
  assert.ok(!existsSync(join(root, 'usr/bin/portico')));
  assert.deepEqual([conf, settings].map((path) => readFileSync(path, 'utf8')), ['sections: []\n', 'PORT=9090\n']);
  assert.match(inside('dpkg', '--purge', 'portico'), /your files are still in \/var\/lib\/portico/);
  assert.ok(existsSync(conf) && !existsSync(settings));
});
