// Runs test suites one after another, also after one has failed, and says at the end how long each took.
//
//   node tools/run-suites.mjs NAME…        each name is a target of the Makefile: `rust` for `make test-rust`
//
// A name that ends in `&` runs beside the suites after it, until a suite called `wait`. If `build-tests` fails, nothing follows. Each suite gets one line; its output is
// shown when it fails, and is kept in `<target>/suites/`. The last line is `123 passed, 0 failed`.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const logs = path.join(path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target'), 'suites')
/** How many lines of a failed suite's output are shown; the file has all of them. */
const SHOWN = 400

/** What runners write about tests that passed and failed. A match without a number counts as one. */
const COUNTS = [
  // cargo test
  { passed: /^test result: .*?(\d+) passed/gm, failed: /^test result: .*?(\d+) failed/gm },
  // node --test
  { passed: /^(?:#|ℹ) pass (\d+)/gm, failed: /^(?:#|ℹ) fail (\d+)/gm },
  // Playwright
  { passed: /^\s+(\d+) passed \(/gm, failed: /^\s+(\d+) failed$/gm },
  // Schemathesis, as end2end/api/run.mjs reports it
  { passed: /^ {2}.*: (\d+) generated/gm, failed: /^ {2}.*: failed$/gm },
]

function sum(text, pattern) {
  return [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number ?? 1), 0)
}

function count(text) {
  const plain = text.replace(/\u001b\[[0-9;]*m/g, '')
  const add = (key) => COUNTS.reduce((total, patterns) => total + sum(plain, patterns[key]), 0)
  return { passed: add('passed'), failed: add('failed') }
}

const minutes = (milliseconds) => `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, '0')}`

/** Runs one suite. Never throws: a suite that cannot be started has failed. */
async function run(name) {
  const begin = Date.now()
  const file = path.join(logs, `${name}.log`)
  const log = createWriteStream(file)
  const built = name === 'build-tests' ? [] : ['BUILT=1']
  const child = spawn('make', ['--no-print-directory', target(name), ...built], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
  const code = await new Promise((done) => {
    child.once('error', () => done(1))
    child.once('close', done)
  })
  await new Promise((done) => log.end(done))
  const text = readFileSync(file, 'utf8')
  const { passed, failed } = count(text)
  const result = { name, time: Date.now() - begin, passed, failed: code === 0 ? failed : Math.max(failed, 1), ok: code === 0 }
  if (!result.ok) console.log(text.split('\n').slice(-SHOWN).join('\n'))
  console.log(line(result))
  return result
}

const target = (name) => (['build-tests', 'lint', 'smoke'].includes(name) ? name : `test-${name}`)

function line({ name, time, passed, failed, ok }) {
  const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : ok ? 'done' : 'failed'
  return `${ok ? '✔' : '✘'} ${name.padEnd(12)} ${minutes(time).padStart(6)}   ${counts}`
}

mkdirSync(logs, { recursive: true })
const begin = Date.now()
const pending = []
for (const argument of process.argv.slice(2)) {
  const name = argument.replace(/&$/, '')
  if (name === 'wait') await Promise.all(pending)
  else if (argument.endsWith('&')) pending.push(run(name))
  else pending.push(Promise.resolve(await run(name)))
  // Without a program, or with an old one, the rest would say nothing.
  if (name === 'build-tests' && !(await pending.at(-1)).ok) break
}
const results = await Promise.all(pending)
console.log(`\n${results.map(line).join('\n')}\n  ${'all'.padEnd(12)} ${minutes(Date.now() - begin).padStart(6)}\n`)
const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
console.log(`${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = results.every((result) => result.ok) ? 0 : 1
