// The cost of widgets in the browser bundle: `make bench-bundle`. Builds the bundles from copies of the sources that have fewer
// widgets, and fits a line through their sizes. Takes about two minutes for each copy, so it is not part of `make bench`.
//
// With --strict, a missed budget is a failure; --quick builds only the end points of the lines.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Report } from './report.mjs';
import { slope } from './statistics.mjs';

const { values: options } = parseArgs({ options: { strict: { type: 'boolean' }, quick: { type: 'boolean' } } });
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target', 'bench-bundle');

const CATALOGUE = 'widgets/src/catalogue';
// Every page loads `frontend`; pages with widgets load `live` instead, and edit mode also loads `editor`.
const BUNDLES = ['frontend', 'live', 'editor'];
// How many bytes, in Brotli, another widget may cost. The server draws all widgets, so none may cost any.
const MAX_PER_WIDGET = 1;

const say = (text) => process.stderr.write(`▸ ${text}\n`);

// The current sources, including uncommitted changes, without files that are not part of a bundle.
function copySources(folder) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const name of list.split('\0').filter((path) => path && !/^(docs|end2end|deploy|widgets\/cases)\//.test(path))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  symlinkSync(join(root, 'tools/node_modules'), join(folder, 'tools/node_modules'));
}

// The modules of the list of widgets, in its order.
function modules(list) {
  return [...list.matchAll(/=>\s+(\w+)::\w+,\n/g)].map((match) => match[1]);
}

// The list with only these widgets.
function reduced(list, kept) {
  let text = list;
  for (const module of modules(list).filter((name) => !kept.includes(name))) {
    const parts = [`mod ${module};\n`, new RegExp(`(?<= )"[^=\\n]*=>\\s+${module}::\\w+,\\n`).exec(list)[0]];
    for (const part of parts) {
      const indent = part.startsWith('mod') ? '' : '    ';
      if (!text.includes(indent + part)) throw new Error(`${module} is not in the list of widgets as expected`);
      text = text.replace(indent + part, '');
    }
  }
  return text;
}

// The size of each bundle with its script, built with these widgets.
function build(folder, list, kept) {
  say(`${kept.length} widgets`);
  writeFileSync(join(folder, CATALOGUE, 'mod.rs'), reduced(list, kept));
  execFileSync('trunk', ['build', '--release', '--offline', '--locked'], {
    cwd: folder, env: { ...process.env, CARGO_TARGET_DIR: target }, stdio: ['ignore', 'ignore', 'pipe'],
  });
  const dist = join(folder, 'dist');
  const size = (bundle) => readdirSync(dist)
    .filter((name) => name.startsWith(`${bundle}-`) && /\.(js|wasm)\.br$/.test(name))
    .reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  const sizes = Object.fromEntries(BUNDLES.map((bundle) => [bundle, size(bundle)]));
  say(`  ${Object.entries(sizes).map(([bundle, bytes]) => `${bundle} ${bytes}`).join(', ')} bytes`);
  return sizes;
}

function main() {
  const report = new Report();
  const folder = mkdtempSync(join(tmpdir(), 'portico-bundle-'));
  try {
    copySources(folder);
    const list = readFileSync(join(root, CATALOGUE, 'mod.rs'), 'utf8');
    const all = modules(list);
    // Without any widget, it would be a different program.
    const counts = options.quick ? [1, all.length] : [1, Math.ceil(all.length / 2), all.length];
    const sizes = counts.map((count) => [count, build(folder, list, all.slice(0, count))]);
    for (const bundle of BUNDLES) {
      report.add('bundle', `${bundle}, with ${all.length} widgets`, 'KB', sizes.at(-1)[1][bundle]);
      report.add('bundle', `${bundle}, for each widget`, 'B', slope(sizes.map(([count, size]) => [count, size[bundle]])), {
        max: MAX_PER_WIDGET,
      });
    }
    const output = join(root, 'end2end/output');
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, 'bench-bundle.json'), `${JSON.stringify({ rows: report.rows, sizes }, undefined, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${report.table()}\n`);
  if (options.strict && report.over().length > 0) process.exitCode = 1;
}

try {
  main();
} catch (error) {
  process.stderr.write(`bench-bundle: ${error.message}\n${error.stderr ?? ''}\n`);
  process.exitCode = 1;
}
