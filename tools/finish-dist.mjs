// Runs after Trunk: adds public files and the icon pack to dist/, gives the further bundles names with a hash as the
// first has them from Trunk, takes spaces and comments out of style sheets, and adds compressed forms of what compresses.
import { createHash } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'
import { compileString } from 'sass'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const dist = process.env.TRUNK_STAGING_DIR ?? path.join(root, 'dist')
const compressible = /\.(css|js|json|svg|txt|wasm|webmanifest|xml)$/

await fs.cp(path.join(root, 'public'), dist, { recursive: true })
execFileSync(process.execPath, [path.join(root, 'tools/pack-icons.mjs'), path.join(dist, 'icons.pack')], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
for (const bundle of ['live']) {
  const endings = ['.js', '_bg.wasm']
  const hash = createHash('sha256')
  for (const ending of endings) hash.update(await fs.readFile(path.join(dist, bundle + ending)))
  const hashed = `${bundle}-${hash.digest('hex').slice(0, 16)}`
  for (const ending of endings) await fs.rename(path.join(dist, bundle + ending), path.join(dist, hashed + ending))
}
for (const name of await fs.readdir(dist)) {
  if (!name.endsWith('.css')) continue
  const sheet = path.join(dist, name)
  const { css } = compileString(await fs.readFile(sheet, 'utf8'), { syntax: 'css', style: 'compressed', charset: false })
  await fs.writeFile(sheet, css)
}
for (const entry of await fs.readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue
  const file = path.join(entry.parentPath ?? entry.path, entry.name)
  const plain = await fs.readFile(file)
  const brotli = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
  const gzip = gzipSync(plain, { level: 9 })
  if (brotli.length < plain.length) await fs.writeFile(`${file}.br`, brotli)
  if (gzip.length < plain.length) await fs.writeFile(`${file}.gz`, gzip)
}
