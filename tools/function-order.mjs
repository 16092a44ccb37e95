// Writes server/function-order.ld: the functions that a server runs when it starts and serves a dashboard. The linker puts
// them beside each other (server/build.rs), so that fewer pages of the program are in memory. What is missing in the list works
// as well and takes a little more memory, so it need not be renewed with every change.
//
//   node tools/function-order.mjs [PROGRAM]     a release build of the program with its symbols; it is built if none is named
//
// It needs Valgrind, which records the functions that run.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { dashboard } from '../end2end/bench/dashboard.mjs'

const PORT = 31_999
/** Functions of the same name, with other types, are put after all others if there are more than this: few of them run. */
const MANY = 2
const START_TIMEOUT = 180_000
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target')

/** Builds the program with its symbols. */
function build() {
  const options = ['--release', '--locked', '--package', 'server', '--features', 'embed', '--bin', 'portico']
  execFileSync('cargo', ['rustc', ...options, '--', '-C', 'strip=none'], { cwd: root, stdio: 'inherit' })
  return path.join(target, 'release/portico')
}

/** Requests what browsers request: the page and the files that it names, with each compression. */
async function visit(url) {
  for (const encoding of ['br', 'gzip', 'zstd', 'identity']) {
    const headers = { accept: 'text/html', 'accept-encoding': encoding, 'accept-language': 'de' }
    const page = await (await fetch(url, { headers })).text()
    const files = page.match(/\/[\w/-]+\.(?:js|wasm|css|svg|woff2|png)\b/g) ?? []
    for (const file of new Set(files)) await (await fetch(new URL(file, url), { headers })).arrayBuffer()
    await fetch(new URL('/healthz', url))
    await fetch(new URL('/nowhere', url), { headers })
    const events = new AbortController()
    await fetch(new URL('/events', url), { signal: events.signal }).catch(() => {})
    events.abort()
  }
}

/** The symbols of all functions that a program runs. */
async function recorded(program) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-order-'))
  const data = path.join(folder, 'data')
  const output = path.join(folder, 'callgrind')
  try {
    mkdirSync(data)
    writeFileSync(path.join(data, 'conf.yml'), dashboard(200))
    const environment = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(PORT), USER_DATA_DIR: data, LOG_LEVEL: 'warn' }
    const child = spawn('valgrind', ['--tool=callgrind', '--demangle=no', `--callgrind-out-file=${output}`, program, 'serve'], { env: environment, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const url = `http://127.0.0.1:${PORT}/`
    for (const start = performance.now(); !(await fetch(url).then(({ ok }) => ok, () => false)); await sleep(500)) {
      if (performance.now() - start > START_TIMEOUT || child.exitCode !== null) throw new Error('the program does not start')
    }
    await visit(url)
    // Checks that run again and again.
    await sleep(5000)
    child.kill('SIGTERM')
    await ended
    return [...readFileSync(output, 'utf8').matchAll(/fn=\(\d+\) (\S+)$/gm)].map(([, name]) => name)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The pattern for the section of a function, without the hash and what the compiler adds, which change with every build. */
function pattern(symbol) {
  const name = symbol.replace(/'\d+$/, '').replace(/17h[0-9a-f]{16}E.*$/, '17h*')
  return `.text.${name.replaceAll(/[^\w.*$]/g, '?')}`
}

/** How many functions of a program have each pattern. */
function counts(program) {
  const listed = execFileSync('nm', ['--defined-only', program], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  const found = new Map()
  for (const [, symbol] of listed.matchAll(/ [tTwW] (\S+)$/gm)) found.set(pattern(symbol), (found.get(pattern(symbol)) ?? 0) + 1)
  return found
}

const program = process.argv[2] ?? build()
const symbols = (await recorded(program)).filter((symbol) => /^[\w.$']+$/.test(symbol) && !symbol.startsWith('0x'))
const patterns = [...new Set(symbols.map(pattern))].sort()
const known = counts(program)
const isOne = (entry) => (known.get(entry) ?? 1) <= MANY
const group = (entries) => `    *(\n${entries.map((entry) => `      ${entry}\n`).join('')}    )\n`
writeFileSync(path.join(root, 'server/function-order.ld'), `/* Written by tools/function-order.mjs. */
SECTIONS
{
  .text.served :
  {
${group(patterns.filter(isOne))}${group(patterns.filter((entry) => !isOne(entry)))}  }
}
INSERT BEFORE .text;
`)
console.log(`${patterns.length} functions`)
