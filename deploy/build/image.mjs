// Turns the images that buildah has built, one for each processor, into one OCI layout.
//
//   node deploy/build/image.mjs LAYOUT NAME FOLDER…      each folder is a copy in buildah's format `dir`
//
// buildah writes health checks only into images of Docker's format, and random names into these. Here they become OCI images
// that keep the health check, which Docker reads there too, and their bytes depend only on what is in them. Layers are compressed
// again, as far as gzip can: buildah prefers speed, which makes the image 6 % larger.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const KEPT = ['User', 'ExposedPorts', 'Env', 'Entrypoint', 'Cmd', 'Healthcheck', 'WorkingDir', 'Labels']
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'

const [layout, name, ...folders] = process.argv.slice(2)
const blobs = path.join(layout, 'blobs/sha256')
mkdirSync(blobs, { recursive: true })

/** Stores bytes and returns their descriptor. */
function store(mediaType, bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(path.join(blobs, hash), bytes)
  return { mediaType, digest: `sha256:${hash}`, size: bytes.length }
}

const json = (value) => Buffer.from(JSON.stringify(value))
const digestFile = ({ digest }) => digest.replace('sha256:', '')

function image(folder) {
  const read = (file) => readFileSync(path.join(folder, file))
  const { config, layers } = JSON.parse(read('manifest.json'))
  const { created, architecture, variant, os, config: settings, rootfs } = JSON.parse(read(digestFile(config)))
  delete settings.Labels['io.buildah.version']
  const kept = Object.fromEntries(KEPT.map((key) => [key, settings[key]]).filter(([, value]) => value !== undefined))
  const descriptor = store(MANIFEST, json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: store('application/vnd.oci.image.config.v1+json', json({ created, architecture, variant, os, config: kept, rootfs })),
    layers: layers.map((layer) => store('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(gunzipSync(read(digestFile(layer))), { level: 9 }))),
  }))
  return { ...descriptor, platform: { architecture, variant, os } }
}

// In the layout there is one image, which has a form for each processor.
const forms = store(INDEX, json({ schemaVersion: 2, mediaType: INDEX, manifests: folders.map(image) }))
const named = { ...forms, annotations: { 'org.opencontainers.image.ref.name': name } }
writeFileSync(path.join(layout, 'index.json'), json({ schemaVersion: 2, mediaType: INDEX, manifests: [named] }))
writeFileSync(path.join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
