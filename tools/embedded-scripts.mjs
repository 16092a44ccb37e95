// The scripts that Rust embeds with `include_str!`: minified here and committed, so that cargo needs no Node.
// `node tools/embedded-scripts.mjs` writes them, as `make scripts` does; `end2end/worker/embedded.test.mjs` says which are stale.
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { minify } from 'terser'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The sources, by output file. */
const SOURCES = {
  'app/src/document/inline/formats.min.js': 'app/src/document/inline/formats.js',
  'app/src/document/inline/language.min.js': 'app/src/document/inline/language.js',
  'app/src/document/inline/loader.min.js': 'app/src/document/inline/loader.js',
  'app/src/document/inline/state.min.js': 'app/src/document/inline/state.js',
  'app/src/document/inline/theme.min.js': 'app/src/document/inline/theme.js',
  'server/src/routes/offline/exported/page.min.js': 'server/src/routes/offline/exported/page.js',
  'server/src/routes/offline/exported/worker.min.js': 'server/src/routes/offline/exported/worker.js',
  'server/src/routes/offline/page.min.js': 'server/src/routes/offline/page.js',
  'server/src/routes/offline/removal.min.js': 'server/src/routes/offline/removal.js',
  'server/src/routes/offline/worker.min.js': 'server/src/routes/offline/worker/main.js',
}

/** A script joined with the modules that it imports, as a script that is no module. @param {string} file below the root of the project */
async function joinModules(file) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, file)],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    // The folder's own would add "use strict".
    tsconfigRaw: '{}',
    write: false,
  })
  return outputFiles[0].text
}

/** The scripts that differ from their sources, with their correct text. @returns {Promise<Map<string, string>>} */
export async function staleScripts() {
  const stale = new Map()
  for (const [file, source] of Object.entries(SOURCES)) {
    const { code } = await minify(await joinModules(source), { toplevel: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true } })
    // It may be embedded in a page.
    if (/<\/script|<!--/i.test(code)) throw new Error(`${source} would end its `<script>` element`)
    const kept = await fs.readFile(path.join(root, file), 'utf8').catch(() => '')
    if (kept !== `${code}\n`) stale.set(file, `${code}\n`)
  }
  return stale
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, code] of await staleScripts()) await fs.writeFile(path.join(root, file), code)
}
