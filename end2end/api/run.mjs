// The property-based test of the API: `make test-api`, or `node end2end/api/run.mjs`.
//
// schemathesis reads /api/openapi.json of a server of its own and sends what the description allows and what it
// forbids, with the API token and then without credentials. A failure is an answer with a 5xx, or with a status, type,
// header or body that is not described; so is a forbidden request that is accepted. PORTICO
// and SCHEMATHESIS name other programs.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startPortico } from '../bench/processes.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PROGRAM = resolve(process.env.PORTICO || join(HERE, '../../target/release/portico'));
const CACHE = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const SCHEMATHESIS = process.env.SCHEMATHESIS || join(CACHE, 'portico/tools/schemathesis/bin/schemathesis');

const TOKEN = 'property-based';

// Files of several shapes. All of them parse, since a broken file is a 500 by contract.
const FILES = {
  'conf.yml': `\
pageInfo: { title: Base }
sections:
  - name: Alpha
    items: [ { title: One, url: 'https://one.example' }, { title: Two }, { title: One } ]
  - name: Beta
  - name: A/B & C
    items: [ { title: 😀 fun } ]
`,
  'extra.yml': 'pageInfo: { title: Extra }\n',
  'odd.yml': 'sections: [ { name: S, items: text }, 5, [ 1 ] ]\n',
  'list.yml': '- 1\n',
  'größe 日本.yaml': 'sections: [ { name: Alpha, items: [ { title: One } ] } ]\n',
};

// One run; returns whether it passed. Earlier phases have emptied the files, so they are written again.
async function run(title, server, ...parameters) {
  fill(data);
  const all = ['--config-file', join(HERE, 'schemathesis.toml'), 'run', description, '--url', server.url, ...parameters];
  const child = spawn(SCHEMATHESIS, all, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', NO_PROXY: '*' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data));
  const code = await new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  const text = Buffer.concat(said).toString();
  const count = /^\s*(\d+ generated.*)$/m.exec(text)?.[1];
  if (code === 0 && count) console.log(`  ${title}: ${count}`);
  else console.error(`${text}\n  ${title}: failed`);
  return code === 0 && count !== undefined;
}

function fill() {
  for (const name of readdirSync(data)) {
    if (/\.ya?ml$/i.test(name)) rmSync(join(data, name));
  }
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(data, name), text);
}

// Whether nothing was written, besides what the server has read.
const written = () => readdirSync(data).filter((name) => !name.includes('.last-read'));
const untouched = () => written().every((name) => FILES[name] === readFileSync(join(data, name), 'utf8'));

async function describe(server) {
  const response = await fetch(`${server.url}api/openapi.json`, { headers: { authorization: `Bearer ${TOKEN}` } });
  writeFileSync(description, await response.text());
}

async function test(server) {
  await describe(server);
  // Without credentials, the allowed methods are not revealed.
  const nobody = ['--warnings', 'off', '--generation-with-security-parameters', 'false'];
  const refused = await run(
    'without credentials', server, '--phases', 'coverage', ...nobody, '--exclude-checks', 'unsupported_method',
  );
  if (!untouched()) throw new Error('a request without credentials has changed a file');
  const somebody = ['-H', `Authorization: Bearer ${TOKEN}`];
  // Failed sign-ins are slowed down by contract, so each operation is tried once.
  const once = ['--exclude-checks', 'ignored_auth'];
  return [
    refused,
    await run('examples and limits', server, '--phases', 'examples,coverage', ...somebody),
    await run('random requests', server, '--phases', 'fuzzing', ...somebody, ...once),
    await run('sequences of requests', server, '--phases', 'stateful', ...somebody, ...once),
  ].every(Boolean);
}

if (!existsSync(SCHEMATHESIS)) throw new Error(`${SCHEMATHESIS} is missing, run make test-api`);
const folder = mkdtempSync(join(tmpdir(), 'portico-api-'));
const data = join(folder, 'user-data');
const description = join(folder, 'openapi.json');
const { server } = await startPortico(PROGRAM, data, FILES['conf.yml'], { ENABLE_API: 'true', API_TOKEN: TOKEN });
try {
  if (!(await test(server))) process.exitCode = 1;
  if (server.child.exitCode !== null) throw new Error('the server has ended');
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
