// `make dev`: builds without optimization, serves, watches the sources, and rebuilds what a change needs.
//
// Open pages reload by themselves, because their stream sees that the page has changed. Themes, style sheets and public files are
// only copied, and the server starts again with them; all other changes go to cargo.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'sass'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const dist = path.join(root, 'dev/dist')
const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target')
const program = path.join(target, 'debug/portico')
const WATCHED = ['app', 'color', 'config', 'css_values', 'frontend', 'import', 'languages', 'nearest', 'public', 'server', 'style', 'themes', 'widgets']
const PROGRAM = ['--package', 'server']
/** The style sheets that have names of their own. `style/menu.scss` and `style/editor.scss` are named in scripts, so they need the bundle. */
const SHEETS = ['main', 'widgets', 'views']
/** Editors write a file in several steps. */
const SETTLE = 60

const say = (text) => console.log(`\u001b[1m▸ ${text}\u001b[0m`)
let server
let stopped

function start() {
  const env = { USER_DATA_DIR: path.join(root, 'user-data'), ...process.env }
  server = spawn(program, ['serve'], { cwd: root, env, stdio: 'inherit' })
  const own = server
  stopped = new Promise((done) => own.once('close', done))
}

async function restart() {
  // Its streams stay open for a while otherwise.
  server?.kill('SIGKILL')
  await stopped
  start()
}

/** Runs a command; whether it succeeded. */
function run(command, ...args) {
  return new Promise((done) => {
    spawn(command, args, { cwd: root, stdio: 'inherit' }).once('close', (code) => done(code === 0)).once('error', () => done(false))
  })
}

/** Builds what has changed. The bundle and the program are built one after another, because cargo locks its folder. */
async function build() {
  return (await run('cargo', 'build', '--quiet', '--locked', ...PROGRAM)) && (await run('node', 'tools/bundle.mjs', 'dev'))
}

/** Compiles the style sheets, as Trunk and tools/finish-dist.mjs do it. */
function buildSheets() {
  for (const name of SHEETS) {
    const { css } = compile(path.join(root, `style/${name}.scss`), { style: 'compressed', charset: false })
    const hash = createHash('sha256').update(css).digest('hex').slice(0, 16)
    for (const old of readdirSync(dist).filter((file) => new RegExp(`^${name}-[0-9a-f]+\\.css`).test(file))) rmSync(path.join(dist, old))
    writeFileSync(path.join(dist, `${name}-${hash}.css`), css)
  }
}

function copyPublic(name) {
  const to = path.join(dist, path.relative('public', name))
  mkdirSync(path.dirname(to), { recursive: true })
  for (const ending of ['.br', '.gz']) rmSync(to + ending, { force: true })
  copyFileSync(path.join(root, name), to)
}

const isData = (name) => /^style\/(themes|traits)\//.test(name)
const isSheet = (name) => /^style\/[^/]*\.scss$/.test(name) && !/\/(menu|editor)\.scss$/.test(name)
const isPublic = (name) => name.startsWith('public/')

async function rebuild(names) {
  const begin = Date.now()
  say(`Changed: ${names.join(', ')}`)
  try {
    if (!names.every((name) => isData(name) || isSheet(name) || isPublic(name))) {
      if (!(await build())) return say('This does not build. The server goes on as it was.')
    } else {
      if (names.some(isSheet)) buildSheets()
      names.filter(isPublic).forEach(copyPublic)
    }
  } catch (error) {
    return say(`${error instanceof Error ? error.message : error}\nThe server goes on as it was.`)
  }
  await restart()
  say(`Ready after ${((Date.now() - begin) / 1000).toFixed(1)} s`)
}

const changed = new Set()
let timer
let working = Promise.resolve()
for (const folder of WATCHED) {
  watch(path.join(root, folder), { recursive: true }, (_, file) => {
    const name = `${folder}/${file}`
    // Tests and editors write these.
    if (!file || /(^|\/)(cases|tests|snapshots|node_modules|target)\/|~$|\.sw.$|\.new$|\/\.[^/]*$|\/\d+$/.test(name)) return
    changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const names = [...changed]
      changed.clear()
      working = working.then(() => rebuild(names))
    }, SETTLE)
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server?.kill('SIGTERM')
    process.exit(0)
  })
}
say('Building without optimization')
if (!(await build())) process.exit(1)
start()
say('Watching; a change is on the page a moment after you save it')
