// What widgets cost the browser: `make bench-bundle`. Builds the bundles from copies of the sources that have fewer
// widgets, or more of those that a browser looks up itself, and fits a line through their sizes. Takes about two minutes
// for each copy, so it is no part of `make bench`.
//
// With --strict a missed budget is a failure; --quick builds the ends of the lines alone.

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
// The widget that a browser looks up itself, and others that could be: they need nothing that only the server has.
const DIRECT = ['public_ip'];
const COULD_BE_DIRECT = ['exchange_rates', 'tfl_status', 'game_server_status', 'system_info'];
// What only the server compiles.
const ON_SERVER = '#[cfg(feature = "server")]\n';

// Bytes in Brotli. Every page loads `frontend`; pages with widgets `live` too; pages with widgets that the browser looks
// up, `direct`.
const BUNDLES = ['frontend', 'live', 'direct'];
const BUDGETS = { frontend: 1, live: 1, direct: 1 };
// What one costs now: its options and its panel are read and made by code of its own.
const MOST_OF_A_DIRECT_WIDGET = 16_000;

const say = (text) => process.stderr.write(`▸ ${text}\n`);

// The sources as they are, changed or not, without what no bundle is made of.
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

// The list with these widgets alone, of which those in `direct` are compiled for browsers.
function reduced(list, kept, direct) {
  let text = list;
  for (const module of modules(list)) {
    const parts = [`mod ${module};\n`, new RegExp(`(?<= )"[^=\\n]*=>\\s+${module}::\\w+,\\n`).exec(list)[0]];
    for (const part of parts) {
      const indent = part.startsWith('mod') ? '' : '    ';
      const whole = [indent + ON_SERVER + indent + part, indent + part].find((candidate) => text.includes(candidate));
      if (!whole) throw new Error(`${module} is not in the list of widgets as expected`);
      const guard = direct.includes(module) ? '' : indent + ON_SERVER;
      text = text.replace(whole, kept.includes(module) ? guard + indent + part : '');
    }
  }
  return text;
}

// The size of each bundle with its script, built with these widgets.
function build(folder, list, kept, direct) {
  say(`${kept.length} widgets, ${direct.length} of them for browsers`);
  const path = join(folder, CATALOGUE);
  writeFileSync(join(path, 'mod.rs'), reduced(list, kept, direct));
  for (const module of direct) {
    const file = join(path, `${module}.rs`);
    const source = readFileSync(file, 'utf8');
    // Only the server has schemas.
    writeFileSync(file, source.replace('use schemars::JsonSchema;\n', '').replaceAll(', JsonSchema', '').replaceAll(/^ *#\[schemars\(.*\)\]\n/gm, ''));
  }
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
    const onServer = all.filter((module) => !DIRECT.includes(module));
    const counts = options.quick ? [0, onServer.length] : [0, Math.floor(onServer.length / 2), onServer.length];
    const sizes = counts.map((count) => [count, build(folder, list, [...DIRECT, ...onServer.slice(0, count)], DIRECT)]);
    const whole = sizes.at(-1)[1];
    for (const bundle of BUNDLES) {
      report.add('bundle', `${bundle}, with ${all.length} widgets`, 'KB', whole[bundle]);
      report.add('bundle', `${bundle}, for each widget of the server`, 'B', slope(sizes.map(([count, size]) => [count, size[bundle]])), {
        most: BUDGETS[bundle],
      });
    }
    const more = options.quick ? [COULD_BE_DIRECT.length] : [1, 2, COULD_BE_DIRECT.length];
    const direct = more.map((count) => {
      const browsers = [...DIRECT, ...COULD_BE_DIRECT.slice(0, count)];
      return [browsers.length, build(folder, list, all, browsers).direct];
    });
    report.add('bundle', 'direct, for each widget of the browser', 'B', slope([[DIRECT.length, whole.direct], ...direct]), {
      most: MOST_OF_A_DIRECT_WIDGET,
    });
    const output = join(root, 'end2end/output');
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, 'bench-bundle.json'), `${JSON.stringify({ rows: report.rows, sizes, direct }, undefined, 2)}\n`);
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
