// Lists what a release is made of: `sbom.cdx.json` (CycloneDX 1.6) and `THIRD-PARTY-LICENSES.txt`.
//
//   node deploy/build/components.mjs FOLDER TARGET…      the Rust targets of the release
//
// Crates come from cargo, for the server and for the bundles in the browser; npm packages from the lock file, without build tools.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..')
const BROWSER = { target: 'wasm32-unknown-unknown', crates: ['frontend', 'live', 'editor', 'dialogs', 'views'] }
const BUILD_TOOLS = ['binaryen', 'esbuild', 'sass', 'svgpath', 'terser']
const LICENSE_FILE = /^(licen[cs]e|copying|notice|unlicense|ofl)/i

const [folder, ...targets] = process.argv.slice(2)
const read = (name) => readFileSync(path.join(ROOT, name), 'utf8')

/** Metadata of all crates for a target. */
function metadata(target) {
  const output = execFileSync('cargo', ['metadata', '--locked', '--format-version', '1', '--filter-platform', target], {
    cwd: ROOT, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(output)
}

/** The packages that some crates need at run time, without our own. */
function needed({ packages, resolve }, crates) {
  const byId = new Map(packages.map((found) => [found.id, found]))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const seen = new Set()
  const visit = (id) => {
    if (seen.has(id)) return
    seen.add(id)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) visit(pkg)
  }
  for (const found of packages) if (!found.source && crates.includes(found.name)) visit(found.id)
  return [...seen].map((id) => byId.get(id)).filter(({ source }) => source)
}

const checksums = new Map(
  [...read('Cargo.lock').matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(.+)"/g)].map(
    ([, name, version, sum]) => [`${name} ${version}`, sum],
  ),
)

function crates() {
  const found = [...targets.flatMap((target) => needed(metadata(target), ['server'])), ...needed(metadata(BROWSER.target), BROWSER.crates)]
  return found.map(({ name, version, license, manifest_path: manifest }) => ({
    kind: 'cargo', name, version, license, folder: path.dirname(manifest), sha256: checksums.get(`${name} ${version}`),
  }))
}

function npmPackages() {
  const { packages } = JSON.parse(read('tools/package-lock.json'))
  const seen = new Map()
  const visit = (name) => {
    const key = `node_modules/${name}`
    if (seen.has(key) || !packages[key]) return
    seen.set(key, { name, ...packages[key] })
    Object.keys(packages[key].dependencies ?? {}).forEach(visit)
  }
  Object.keys(packages[''].devDependencies).filter((name) => !BUILD_TOOLS.includes(name)).forEach(visit)
  return [...seen].map(([key, { name, version, license }]) => ({ kind: 'npm', name, version, license, folder: path.join(ROOT, 'tools', key) }))
}

const all = new Map([...crates(), ...npmPackages()].map((found) => [`${found.kind} ${found.name} ${found.version}`, found]))
const components = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found)
const { version } = /^version = "(?<version>.+)"/m.exec(read('Cargo.toml')).groups

const purl = ({ kind, name, version: number }) => `pkg:${kind}/${name.replace('@', '%40')}@${number}`
writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString(),
    component: { type: 'application', 'bom-ref': 'portico', name: 'portico', version, licenses: [{ license: { id: 'MIT' } }] },
  },
  components: components.map((found) => ({
    type: 'library',
    'bom-ref': purl(found),
    name: found.name,
    version: found.version,
    purl: purl(found),
    ...(found.license && { licenses: [{ expression: found.license.replaceAll(/ *\/ */g, ' OR ') }] }),
    ...(found.sha256 && { hashes: [{ alg: 'SHA-256', content: found.sha256 }] }),
  })),
}, null, 1)}\n`)

// Many packages have the same text.
const texts = new Map()
for (const found of components) {
  const files = existsSync(found.folder) ? readdirSync(found.folder).filter((name) => LICENSE_FILE.test(name) && /^[^.]+(\.(md|txt))?$|-[\w.]+$/.test(name)).sort() : []
  const text = files.map((name) => readFileSync(path.join(found.folder, name), 'utf8').trim()).join('\n\n')
  const key = text || `${found.license} (the package contains no text of it)`
  texts.set(key, [...(texts.get(key) ?? []), `${found.name} ${found.version} (${found.license})`])
}
const rule = '='.repeat(78)
writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), [...texts].map(([text, users]) => `${rule}\n${users.join('\n')}\n${rule}\n\n${text}\n`).join('\n'))
