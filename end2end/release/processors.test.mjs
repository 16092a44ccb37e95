// The programs for other processors, with the system calls of this machine and instructions that QEMU translates.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { RELEASE, VERSION, freePort, run, startProgram, temporaryFolder, unpackImage } from './harness.mjs';

/** The name of a processor in archives, in packages and in the image, what `file` calls it, and the program that translates it. */
const PROCESSORS = [
  { archive: 'x86_64', debian: 'amd64', image: 'amd64', told: /ELF 64-bit LSB .*x86-64.* static/ },
  { archive: 'aarch64', debian: 'arm64', image: 'arm64', told: /ELF 64-bit LSB .*ARM aarch64.* static/, qemu: 'qemu-aarch64-static' },
  { archive: 'armv7', debian: 'armhf', image: 'arm', told: /ELF 32-bit LSB .*ARM, EABI5.* static/, qemu: 'qemu-arm-static' },
];
const PASSWORD = 'the password of Anna';
const START_TIMEOUT = 120_000;

for (const { archive, debian, image, told, qemu } of PROCESSORS) {
  const name = `portico-${VERSION}-linux-${archive}`;
  // PROCESSORS of tools/release.sh may have left some out.
  if (!existsSync(join(RELEASE, `${name}.tar.gz`))) continue;

  test(`${archive}: archive, package and image have the same static program`, () => {
    const folder = temporaryFolder();
    run('tar', '-xzf', join(RELEASE, `${name}.tar.gz`), '-C', folder);
    run('dpkg-deb', '--extract', join(RELEASE, `portico_${VERSION}_${debian}.deb`), join(folder, 'deb'));
    const program = join(folder, name, 'portico');
    assert.match(run('file', program), told);
    for (const other of [join(folder, 'deb/usr/bin/portico'), join(unpackImage(image).folder, 'usr/local/bin/portico')]) {
      assert.ok(readFileSync(program).equals(readFileSync(other)), other);
    }
  });

  if (qemu) {
    test(`${archive}: the program starts, serves the first page, and lets people sign in`, async () => {
      const folder = temporaryFolder();
      run('tar', '-xzf', join(RELEASE, `${name}.tar.gz`), '-C', folder);
      const program = join(folder, name, 'portico');
      const hash = execFileSync(qemu, [program, 'hash-password'], { input: `${PASSWORD}\n`, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim();
      assert.match(hash, /^\$argon2id\$/);
      writeFileSync(join(folder, 'conf.yml'), JSON.stringify({
        pageInfo: { title: 'Harbor' },
        appConfig: { auth: { users: [{ user: 'Anna', hash, type: 'admin' }] } },
        sections: [{ name: 'Boats', items: [{ title: 'Dinghy', url: 'http://dinghy.lan' }] }],
      }));
      const port = await freePort();
      const env = { USER_DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' };
      const started = startProgram(qemu, [program, 'serve'], { env });
      const begin = Date.now();
      while (!started.lines.some((line) => line.includes('serving on'))) {
        assert.ok(!started.ended && Date.now() - begin < START_TIMEOUT, started.lines.join('\n'));
        await new Promise((done) => setTimeout(done, 100));
      }
      const address = `http://127.0.0.1:${port}`;
      assert.equal((await fetch(`${address}/healthz`)).status, 200);
      assert.equal((await fetch(`${address}/`)).status, 401);
      const form = await (await fetch(`${address}/login`)).text();
      assert.ok(!form.includes('Dinghy') && form.includes('type="password"'), form.slice(0, 2000));
      const signIn = (password) => fetch(`${address}/login`, {
        method: 'POST', redirect: 'manual', body: new URLSearchParams({ user: 'Anna', password }), headers: { origin: address },
      });
      assert.equal((await signIn('wrong')).status, 401);
      const response = await signIn(PASSWORD);
      const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
      const page = await (await fetch(`${address}/`, { headers: { cookie } })).text();
      assert.match(page, /Dinghy/, `${response.status} ${page.slice(0, 2000)}`);
    });
  }
}
