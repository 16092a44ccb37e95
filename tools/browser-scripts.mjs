// Bundles the scripts that pages load as modules, with a hash in the name of each file. A script imports another one by the path of
// its source; esbuild puts the name of the result there, and what several need into files of their own.
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { minify } from 'terser'

const tools = path.dirname(fileURLToPath(import.meta.url))

/** The source of each script that is loaded on its own, below `frontend/`. */
const SCRIPTS = {
  'edit': 'edit.js',
  'editor-code': 'edit/code.js',
  'editor-format': 'edit/format.js',
  'menu': 'dialogs.js',
  'stream': 'stream.js',
  'view': 'view.js',
}

/**
 * Lets scripts import files that were built before: `built:editor.css` is the name of that style sheet, and `built:editor.js` is the
 * module itself.
 *
 * @param {Record<string, string>} names the name of each file, without and with its hash
 * @returns {import('esbuild').Plugin}
 */
const builtFiles = (names) => ({
  name: 'built files',
  setup(build) {
    build.onResolve({ filter: /^built:/ }, ({ path }) => {
      const name = names[path.slice('built:'.length)]
      if (!name) return { errors: [{ text: `there is no file ${path}` }] }
      return name.endsWith('.js') ? { path: `./${name}`, external: true } : { path: name, namespace: 'built' }
    })
    build.onLoad({ filter: /./, namespace: 'built' }, ({ path }) => ({ contents: path, loader: 'text' }))
  },
})

/**
 * Writes the scripts.
 *
 * @param {string} dist the folder
 * @param {Record<string, string>} names the files that scripts refer to: the name of each without and with its hash
 */
export async function buildScripts(dist, names) {
  const folder = path.join(tools, '../frontend')
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(SCRIPTS).map(([name, source]) => [name, path.join(folder, source)])),
    outdir: dist,
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    nodePaths: [path.join(tools, 'node_modules')],
    plugins: [builtFiles(names)],
    write: false,
  })
  // Terser saves two more percent.
  await Promise.all(outputFiles.map(async ({ path, text }) => {
    const { code } = await minify(text, { module: true, toplevel: true, compress: { passes: 2 } })
    await fs.writeFile(path, code)
  }))
}
