// Runs after Trunk: adds public files, the scripts of pages and the icon pack to dist/, shrinks the bundles and
// names them by the hash of the result, minifies style sheets, adds compressed forms, and lists for
// Rust what goes into the program.
import { createHash } from 'node:crypto'
import { existsSync, promises as fs, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { compileString } from 'sass'
import { buildScripts } from './browser-scripts.mjs'
import { shrinkBundle } from './shrink-bundle.mjs'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const dist = process.env.TRUNK_STAGING_DIR ?? path.join(root, 'dist')
// A bundle for development is not shrunk and barely compressed, and has no budgets.
const isDev = process.env.PORTICO_BUNDLE === 'dev'
// Maximum compressed size, in bytes: of the script that every page loads last, of the editor with the script that starts it, of the
// dialogs and menus, and of CodeMirror.
const maxStream = 2_400
const maxEditor = 470_000
const maxDialogs = 183_000
const maxCode = 130 * 1024
const compressible = /\.(css|js|json|svg|txt|wasm|webmanifest|xml)$/

await fs.cp(path.join(root, 'public'), dist, { recursive: true })
// Meanwhile, everything else is finished.
const packing = packIcons()
const [, , editor, dialogs, views] = await Promise.all(['frontend', 'live', 'editor', 'dialogs', 'views'].map(finishBundle))
const sheets = (await fs.readdir(dist)).filter((name) => name.endsWith('.css'))
await buildScripts(dist, {
  'editor.js': `${editor}.js`,
  'editor_bg.wasm': `${editor}_bg.wasm`,
  'dialogs.js': `${dialogs}.js`,
  'dialogs_bg.wasm': `${dialogs}_bg.wasm`,
  'views.js': `${views}.js`,
  'views_bg.wasm': `${views}_bg.wasm`,
  ...Object.fromEntries(['editor', 'menu', 'config-menu', 'theme-chooser', 'theme-colors', 'tour'].map((name) => [`${name}.css`, sheets.find((sheet) => sheet.startsWith(`${name}-`))])),
})
for (const name of await fs.readdir(dist)) {
  if (!name.endsWith('.css')) continue
  const sheet = path.join(dist, name)
  const { css } = compileString(await fs.readFile(sheet, 'utf8'), { syntax: 'css', style: 'compressed', charset: false })
  await fs.writeFile(sheet, css)
}
let editorSize = 0
let dialogsSize = 0
for (const entry of await fs.readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue
  const file = path.join(entry.parentPath ?? entry.path, entry.name)
  const plain = await fs.readFile(file)
  const brotli = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: isDev ? 4 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      // Modules repeat themselves at a distance of one byte: 0.1 % smaller.
      ...(entry.name.endsWith('.wasm') && { [constants.BROTLI_PARAM_NDIRECT]: 1 }),
    },
  })
  const gzip = gzipSync(plain, { level: isDev ? 1 : 9 })
  if (!isDev && entry.name.startsWith('stream-') && brotli.length > maxStream) {
    throw new Error(`frontend/stream.js has ${brotli.length} bytes, which is more than its budget of ${maxStream}`)
  }
  if (/^(edit-[0-9A-Z]{8}|editor-[0-9a-f]{16})(\.js|_bg\.wasm)$/.test(entry.name)) editorSize += brotli.length
  if (entry.name.startsWith('dialogs-')) dialogsSize += brotli.length
  if (!isDev && entry.name.startsWith('editor-code-') && brotli.length > maxCode) {
    throw new Error(`CodeMirror has ${brotli.length} bytes, which is more than its budget of ${maxCode}`)
  }
  if (brotli.length < plain.length) await fs.writeFile(`${file}.br`, brotli)
  if (gzip.length < plain.length) await fs.writeFile(`${file}.gz`, gzip)
}
await packing
await fs.writeFile(path.join(dist, '.embedded.rs'), await embeddedFiles())

/** What main.rs includes: a Rust expression with all files, which the compiler finds beside it. */
async function embeddedFiles() {
  const entries = (await fs.readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = new Set(entries.map((entry) => path.relative(dist, path.join(entry.parentPath ?? entry.path, entry.name))))
  const include = (name) => `include_bytes!(${JSON.stringify(name)})`
  const optional = (name, wanted) => (wanted ? `Some(${include(name)})` : 'None')
  const isPlain = (name) => !/\.(br|gz)$/.test(name) && !name.startsWith('.') && name !== 'index.html' && name !== 'icons.pack'
  const rows = [...names].filter(isPlain).sort().map((name) => {
    // The plain form is made of a compressed one where it is wanted, which is rare. So is the gzip form of the editor, the
    // largest of all: only people who edit load it.
    const isEditor = names.has(`${name}.br`) && name.startsWith('editor-')
    const plain = optional(name, !names.has(`${name}.gz`))
    const brotli = optional(`${name}.br`, names.has(`${name}.br`))
    const gzip = optional(`${name}.gz`, names.has(`${name}.gz`) && !isEditor)
    // As server/src/platform/entity_tag.rs computes it.
    const tag = createHash('sha256').update(readFileSync(path.join(dist, name))).digest('hex').slice(0, 24)
    return `EmbeddedFile { name: ${JSON.stringify(name)}, plain: ${plain}, brotli: ${brotli}, gzip: ${gzip}, etag: "\\"${tag}\\"" },`
  })
  const files = `files: &[\n${rows.join('\n')}\n]`
  return `{\nuse server::platform::assets::EmbeddedFile;\nEmbeddedFiles { ${files}, icon_pack: ${include('icons.pack')} }\n}\n`
}

if (!isDev && dialogsSize > maxDialogs) throw new Error(`the dialogs have ${dialogsSize} bytes, which is more than their budget of ${maxDialogs}`)
if (!isDev && editorSize > maxEditor) throw new Error(`the editor has ${editorSize} bytes, which is more than its budget of ${maxEditor}`)

/** Writes the icon pack. It is kept in the cache of the machine, because the icon sets rarely change. */
async function packIcons() {
  const inputs = ['package-lock.json', 'pack-icons.mjs', 'shorter-path.mjs', 'icon-aliases.json']
  const hash = createHash('sha256')
  for (const name of inputs) hash.update(readFileSync(path.join(root, 'tools', name)))
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'portico/icons')
  const pack = path.join(cache, `${hash.digest('hex').slice(0, 16)}.pack`)
  if (!existsSync(pack)) {
    await fs.mkdir(cache, { recursive: true })
    for (const old of await fs.readdir(cache)) await fs.rm(path.join(cache, old))
    await promisify(execFile)(process.execPath, [path.join(root, 'tools/pack-icons.mjs'), pack])
  }
  await fs.copyFile(pack, path.join(dist, 'icons.pack'))
}

/** Replaces what Trunk left of a bundle, `live.js` or `frontend-0123456789abcdef.js` and its module. Returns its new name. */
async function finishBundle(bundle) {
  const built = (await fs.readdir(dist)).find((name) => name.startsWith(bundle) && name.endsWith('.js'))
  const files = ['.js', '_bg.wasm'].map((ending) => path.join(dist, built.slice(0, -3) + ending))
  const [scriptBefore, moduleBefore] = [await fs.readFile(files[0], 'utf8'), await fs.readFile(files[1])]
  const { script, module } = isDev ? { script: scriptBefore, module: moduleBefore } : await shrinkBundle(scriptBefore, moduleBefore, bundle)
  await Promise.all(files.map((file) => fs.rm(file)))
  const hash = createHash('sha256').update(script).update(module).digest('hex').slice(0, 16)
  await fs.writeFile(path.join(dist, `${bundle}-${hash}.js`), script)
  await fs.writeFile(path.join(dist, `${bundle}-${hash}_bg.wasm`), module)
  return `${bundle}-${hash}`
}
