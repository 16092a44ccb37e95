// The documentation is true where a program can tell: links lead somewhere, commands and variables exist, examples are valid.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';

import { anchors, blocks, exists, links, pages, quoted, ROOT, target } from './pages.mjs';

const PORTICO = process.env.PORTICO;
assert.ok(PORTICO, 'PORTICO must name the built program');
const folder = mkdtempSync(join(tmpdir(), 'portico-docs-'));
after(() => rmSync(folder, { recursive: true }));

const all = pages();
const each = (look) => [...all].flatMap(([page, text]) => look(text, page).map((problem) => `${page}: ${problem}`));
const help = (...words) => execFileSync(PORTICO, [...words, '--help'], { encoding: 'utf8' });
const SHELL = new Set(['sh', 'bash', 'console']);

test('links lead to files and headings', () => {
  assert.deepEqual(each((text, page) => links(text).filter((link) => {
    const { path, anchor } = target(page, link);
    if (!exists(path)) return true;
    return anchor && all.has(path) && !anchors(all.get(path)).includes(decodeURIComponent(anchor));
  })), []);
});

test('the contents list every page of docs/', () => {
  const listed = new Set(links(all.get('docs/SUMMARY.md')).map((link) => target('docs/SUMMARY.md', link).path));
  assert.deepEqual([...all.keys()].filter((page) => page.startsWith('docs/') && page !== 'docs/SUMMARY.md' && !listed.has(page)), []);
});

// The commands of the program, such as `token create`, each with its options. Those of the program itself have no name.
function commands() {
  const found = new Map();
  const visit = (words) => {
    const text = help(...words);
    found.set(words.join(' '), new Set(text.match(/(?<=^ +(-\w, )?)--[a-z][a-z0-9-]*/gm)));
    const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(text) ?? [];
    for (const [, name] of list.matchAll(/^  ([a-z-]+) /gm)) if (name !== 'help') visit([...words, name]);
  };
  visit([]);
  return found;
}

/** The lines of shell code that start the program, without comments and what is piped or chained to them. */
function calls(text) {
  const code = blocks(text).filter(({ language }) => SHELL.has(language)).flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'));
  const inText = quoted(text).filter((words) => /^portico( [a-z-]|$)/.test(words));
  return [...code, ...inText].flatMap((line) => line.split(/ # |\s{2,}#|[|;>]|&&/))
    .map((line) => line.trim().replace(/^([A-Z_]+=\S+ |sudo (-u \S+ )?|(docker|podman|docker compose) exec \S+ )+/, ''))
    .filter((line) => /^portico( |$)/.test(line));
}

test('commands and their options exist', () => {
  const known = commands();
  assert.deepEqual([...known.keys()].filter((name) => name.startsWith('token')), ['token', 'token create', 'token list', 'token revoke']);
  let count = 0;
  const problems = each((text) => calls(text).filter((call) => {
    const words = call.split(/\s+/).slice(1).map((word) => word.replace(/[\[\],]/g, ''));
    let command = '';
    while (words.length > 0 && known.has(`${command} ${words[0]}`.trim())) command = `${command} ${words.shift()}`.trim();
    count += 1;
    const isUnknown = command === '' && words.length > 0 && !words[0].startsWith('-');
    const isGroup = [...known.keys()].some((name) => name.startsWith(`${command} `)) && command !== '';
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
    return isUnknown || (isGroup && words[0] && !words[0].startsWith('-')) || options.some((option) => !known.get(command).has(option));
  }));
  assert.deepEqual(problems, []);
  assert.ok(count > 50, `${count} commands`);
});

// Variables that the docs name and that are not Portico's settings: the examples' own, and those of other programs.
const FOREIGN = /^(PORTICO|PORTICO_\w+|INSTA_UPDATE|NODE_ENV|VITE_APP_NO_PASSWORD|HOMEPAGE_\w+|CARGO_\w+|RUST_\w+|UPDATE_DOCS|SOURCE_DATE_EPOCH|XDG_CACHE_HOME|CHROMIUM|BUILT|OTEL_\w+)$/;

test('variables exist', () => {
  const settings = new Set(help().match(/(?<=^  )[A-Z][A-Z0-9_]+(?= \[| *$)/gm));
  assert.ok(settings.has('TRUSTED_PROXIES') && settings.has('HOST') && settings.size > 30, [...settings].join(' '));
  const isKnown = (name) => settings.has(name.replace(/_FILE$/, '')) || FOREIGN.test(name);
  let count = 0;
  const problems = each((text, page) => {
    if (page.startsWith('docs/spec') || ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/widgets.md', 'docs/config.md', 'docs/dashy.md'].includes(page)) return [];
    const inText = quoted(text).map((words) => /^([A-Z][A-Z0-9]*_[A-Z0-9_]+)(=.*)?$/.exec(words)?.[1]);
    const inCode = blocks(text).filter(({ language }) => SHELL.has(language))
      .flatMap(({ code }) => [...code.matchAll(/^(?:export )?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]));
    const names = [...inText, ...inCode].filter(Boolean);
    count += names.length;
    return names.filter((name) => !isKnown(name));
  });
  assert.deepEqual(problems, []);
  assert.ok(count > 50, `${count} variables`);
});

// The first keys of a config. Other examples belong to other programs, or show a part of a file.
const CONFIG = /^(pageInfo|appConfig|sections|pages):/m;

test('examples of configs are valid', () => {
  let count = 0;
  const problems = each((text) => blocks(text).filter(({ language, code }) => language === 'yaml' && CONFIG.test(code)).flatMap(({ code, line }) => {
    count += 1;
    const file = join(folder, 'conf.yml');
    writeFileSync(file, 'sections' in parse(code) ? code : `${code}\nsections: []\n`);
    // The variables that an example names are set.
    const variables = Object.fromEntries((code.match(/\bPORTICO_\w+/g) ?? []).map((name) => [name, 'x']));
    const { status, stdout, stderr } = spawnSync(PORTICO, ['validate', file], { encoding: 'utf8', env: { ...process.env, ...variables } });
    return status === 0 && stdout.includes('0 errors, 0 warnings') ? [] : [`line ${line}: ${stdout}${stderr}`];
  }));
  assert.deepEqual(problems, []);
  assert.ok(count > 20, `${count} examples`);
});

test('other examples in YAML and JSON can be read', () => {
  assert.deepEqual(each((text) => blocks(text).filter(({ language }) => ['yaml', 'json'].includes(language)).flatMap(({ language, code, line }) => {
    try {
      if (language === 'json') JSON.parse(code); else parse(code);
      return [];
    } catch (error) {
      return [`line ${line}: ${error.message}`];
    }
  })), []);
});

test('nginx accepts its settings', () => {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=dash.example',
    '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')], { stdio: 'ignore' });
  // Debian keeps it where only root looks for programs; `make test` unpacks it where there is none.
  const path = `${process.env.PATH}:/usr/sbin:${join(ROOT, 'end2end/output/nginx/usr/sbin')}`;
  let count = 0;
  const problems = each((text) => blocks(text).filter(({ language }) => language === 'nginx').flatMap(({ code, line }) => {
    count += 1;
    const block = code.replace('/etc/ssl/dash.pem', join(folder, 'certificate.pem')).replace('/etc/ssl/dash.key', join(folder, 'key.pem'));
    const file = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`).join(' ');
    writeFileSync(file, `pid ${folder}/pid; events {} http { access_log off; ${temporary} ${block} }`);
    const { status, stderr, error } = spawnSync('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', file], { encoding: 'utf8', env: { ...process.env, PATH: path } });
    return status === 0 ? [] : [`line ${line}: ${error ?? stderr}`];
  }));
  assert.deepEqual(problems, []);
  assert.ok(count >= 3, `${count} blocks`);
});
