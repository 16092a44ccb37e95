// Bundles scripts that consist of several modules: those of frontend/edit with their npm packages, and the search.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The license notices that the packages require, by script. */
const NOTICES = {
  raw: '/* CodeMirror and Lezer, © Marijn Haverbeke and others, MIT license. */',
  format: '/* yaml, © Eemeli Aro, ISC license. */',
}
const tools = path.dirname(fileURLToPath(import.meta.url))

/**
 * The script as one minified module.
 *
 * @param {string} name `raw` for `frontend/edit/raw.js`
 * @param {Record<string, string>} names the names, with a hash in them, of scripts that it loads itself: `editor-format.js`
 */
export async function bundleScript(name, names = {}) {
  const { outputFiles } = await build({
    entryPoints: [path.join(tools, '../frontend/edit', `${name}.js`)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // The same style as Terser's.
    charset: 'utf8',
    loader: { '.yml': 'text' },
    nodePaths: [path.join(tools, 'node_modules')],
    external: Object.keys(names).map((script) => `./${script}`),
    banner: { js: NOTICES[name] ?? '' },
    write: false,
  })
  const [{ text }] = outputFiles
  return Object.entries(names).reduce((code, [script, hashed]) => code.replace(script, hashed), text)
}

/**
 * A script joined with the modules that it imports, not minified.
 *
 * @param {string} file below the root of the project
 * @param {'esm' | 'iife'} format `iife` for a script that is no module
 * @param {string[]} external the modules that stay on their own
 */
export async function joinModules(file, format = 'esm', external = []) {
  const { outputFiles } = await build({
    entryPoints: [path.join(tools, '..', file)],
    bundle: true,
    external,
    format,
    target: format === 'esm' ? 'es2022' : 'es2020',
    charset: 'utf8',
    // The folder's own would add "use strict".
    tsconfigRaw: '{}',
    write: false,
  })
  return outputFiles[0].text
}
