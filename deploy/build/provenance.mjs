// What a release was made of and with, as an in-toto statement with a SLSA predicate.
//
//   node deploy/build/provenance.mjs FOLDER COMMIT TARGET…
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const [folder, commit, ...targets] = process.argv.slice(2)
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
const first = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).split('\n')[0]

console.log(JSON.stringify({
  _type: 'https://in-toto.io/Statement/v1',
  subject: readdirSync(folder).sort().map((name) => ({ name, digest: { sha256: sha256(path.join(folder, name)) } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'tools/release.sh',
      externalParameters: { sourceDateEpoch: Number(process.env.SOURCE_DATE_EPOCH), targets },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: commit } },
        ...['Cargo.lock', 'tools/package-lock.json'].map((name) => ({ name, digest: { sha256: sha256(name) } })),
      ],
    },
    runDetails: {
      builder: {
        id: 'tools/release.sh',
        version: {
          rustc: first('rustc', '--version'),
          'cargo-zigbuild': first('cargo-zigbuild', '--version'),
          zig: first('python-zig', 'version'),
          node: process.version,
          buildah: first('buildah', '--version'),
          'dpkg-deb': first('dpkg-deb', '--version'),
        },
      },
    },
  },
}, null, 1))
