// Builds the browser bundle, or takes it from the cache of this machine if nothing that goes into it has changed.
//
//   node tools/bundle.mjs RELEASE_OR_DEV        `release`: into dist/; `dev`, not optimized: into dev/dist/
//
// The cache keeps a bundle with the checksums of its inputs. For Rust these are the files that cargo names in its dep-info,
// so that a change of code for the server alone builds no bundle.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const VARIANTS = {
  release: { dist: 'dist', profile: 'wasm-release' },
  dev: { dist: 'dev/dist', profile: 'wasm-dev' },
}
const CRATES = ['frontend', 'live', 'editor', 'dialogs', 'views']
/** Inputs that are not named by dep-info: folders are read as a whole, without Rust files. */
const OTHER_INPUTS = ['.cargo/config.toml', 'Cargo.lock', 'Cargo.toml', 'Trunk.toml', 'frontend', 'public', 'rust-toolchain.toml', 'style', 'tools']
const MANIFESTS = ['app', 'color', 'config', 'config/derive', 'css_values', 'widgets'].map((crate) => `${crate}/Cargo.toml`)
/** How many bundles of each variant are kept. */
const KEPT = 6

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const [variant] = process.argv.slice(2)
const { dist, profile } = VARIANTS[variant]
const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target')
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'portico/bundles', variant)
const output = path.join(root, dist)
const stamp = path.join(output, '.inputs.json')

const checksums = new Map()

/** The checksum of a file below the root, or undefined if there is none. */
function checksum(name) {
  if (!checksums.has(name)) {
    const file = path.join(root, name)
    checksums.set(name, existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 32) : undefined)
  }
  return checksums.get(name)
}

/** The files of OTHER_INPUTS and MANIFESTS. */
function otherInputs() {
  const files = (name) => {
    if (!statSync(path.join(root, name)).isDirectory()) return [name]
    return readdirSync(path.join(root, name)).filter((entry) => entry !== 'node_modules').flatMap((entry) => files(`${name}/${entry}`))
  }
  return [...OTHER_INPUTS.flatMap(files), ...MANIFESTS].filter((name) => !name.endsWith('.rs')).sort()
}

/** The Rust files that the bundles were made of, from the rules for make that cargo writes beside them. */
function rustInputs() {
  const inputs = new Set()
  for (const crate of CRATES) {
    const rule = readFileSync(path.join(target, 'wasm32-unknown-unknown', profile, `${crate}.d`), 'utf8')
    for (const file of rule.slice(rule.indexOf(': ') + 2).trim().split(/(?<!\\) /)) {
      const name = path.relative(root, file.replaceAll('\\ ', ' '))
      if (!name.startsWith('..')) inputs.add(name)
    }
  }
  return [...inputs].sort()
}

const withChecksums = (names) => Object.fromEntries(names.map((name) => [name, checksum(name)]))

/** Whether a bundle with these inputs is what a build would give now. */
function isCurrent(inputs) {
  return JSON.stringify(withChecksums(otherInputs())) === JSON.stringify(inputs.other)
    && Object.entries(inputs.rust).every(([name, sum]) => checksum(name) === sum)
}

const readInputs = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** The folders of the cache, the newest first. */
function cached() {
  if (!existsSync(cache)) return []
  const folders = readdirSync(cache).filter((name) => !name.startsWith('.')).map((name) => path.join(cache, name))
  return folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
}

/** Replaces a folder by a copy of another one. */
function replace(folder, source) {
  const fresh = `${folder}.${process.pid}`
  mkdirSync(path.dirname(folder), { recursive: true })
  cpSync(source, fresh, { recursive: true, preserveTimestamps: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

function build() {
  console.log(`\u001b[1m▸ Building the browser bundle (${variant})\u001b[0m`)
  const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PORTICO_BUNDLE: variant } })
  run('cargo', 'fetch', '--quiet', '--locked')
  // All bundles at once, so that no processor waits; Trunk builds one after another.
  const packages = CRATES.flatMap((crate) => ['--package', crate])
  run('cargo', 'build', '--quiet', '--locked', '--profile', profile, '--target', 'wasm32-unknown-unknown', ...packages)
  mkdirSync(output, { recursive: true })
  run('trunk', '--log', 'warn', 'build', '--offline', '--locked', '--cargo-profile', profile, '--dist', output)
  const inputs = { other: withChecksums(otherInputs()), rust: withChecksums(rustInputs()) }
  writeFileSync(stamp, JSON.stringify(inputs))
  replace(path.join(cache, createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)), output)
  for (const old of cached().slice(KEPT)) rmSync(old, { recursive: true })
}

const present = readInputs(stamp)
if (!present || !isCurrent(present)) {
  const found = cached().find((folder) => isCurrent(readInputs(path.join(folder, '.inputs.json')) ?? { other: {}, rust: {} }))
  if (found) {
    replace(output, found)
    utimesSync(found, new Date(), new Date())
  } else {
    build()
  }
}
