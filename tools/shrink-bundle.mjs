// Shrinks a bundle of wasm-bindgen: compressed, the module and its script become about a tenth smaller.
//
// - Removes exports that our pages never use, and code that only they use: wasm-bindgen keeps the streams of
//   `wasm-streams` for scripts that use them, which ours do not.
// - wasm-opt optimizes the module.
// - Imports get names of one or two letters instead of `__wbg_setAttribute_` and a hash, in the module and in its script.
// - Terser minifies the script.
import { execFile } from 'node:child_process'
import { promises as fs } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { minify } from 'terser'

const run = promisify(execFile)

const IMPORT_SECTION = 2
const EXPORT_SECTION = 7
const FUNCTION = 0
/** The features that rustc 1.95 may use; wasm-opt rejects modules with others. */
const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext']
/**
 * Shrinks, and twice rebuilds the control flow and shrinks the result: 1.6 % smaller, compressed, than shrinking alone. The
 * lowest kibibyte of the memory is the end of the stack, where no pointer with an offset starts.
 */
const REBUILT = ['--flatten', '--rereloop', '-Oz', '-Oz']
const PASSES = ['--low-memory-unused', '-Oz', '-Oz', ...REBUILT, ...REBUILT]
/** Classes that wasm-bindgen offers to scripts. */
const UNUSED_EXPORT = /^(__wbg_)?intounderlying/

/** Reads a module byte by byte (WebAssembly core specification, "Binary Format"). */
class Reader {
  constructor(bytes) {
    this.bytes = bytes
    this.at = 0
  }

  byte() {
    return this.bytes[this.at++]
  }

  /** A number in LEB128. */
  number() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  take(length) {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  name() {
    return this.take(this.number()).toString('utf8')
  }
}

function leb128(value) {
  const bytes = []
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80)
  return Buffer.from([...bytes, value])
}

const vector = (entries) => Buffer.concat([leb128(entries.length), ...entries])
const text = (name) => Buffer.concat([leb128(Buffer.byteLength(name)), Buffer.from(name)])

/** The module with sections rewritten: `rewrite[id]` gets the content of a section and returns the new content. */
function rewriteSections(module, rewrite) {
  const reader = new Reader(module)
  const parts = [reader.take(8)]
  while (reader.at < module.length) {
    const id = reader.byte()
    const content = reader.take(reader.number())
    const rewritten = rewrite[id]?.(new Reader(content)) ?? content
    parts.push(Buffer.from([id]), leb128(rewritten.length), rewritten)
  }
  return Buffer.concat(parts)
}

function dropExports(module, isUnused) {
  const keep = (reader) => {
    const entries = []
    for (let left = reader.number(); left > 0; left -= 1) {
      const begin = reader.at
      const name = reader.name()
      reader.byte()
      reader.number()
      if (!isUnused(name)) entries.push(reader.bytes.subarray(begin, reader.at))
    }
    return vector(entries)
  }
  return rewriteSections(module, { [EXPORT_SECTION]: keep })
}

/** The module with short names for its imports, and the short name of each. */
function shortenImports(module) {
  const names = new Map()
  const rename = (reader) => {
    const entries = []
    for (let left = reader.number(); left > 0; left -= 1) {
      reader.name()
      const name = reader.name()
      if (reader.byte() !== FUNCTION) throw new Error(`the import ${name} is no function`)
      const short = names.get(name) ?? shortName(names.size)
      names.set(name, short)
      entries.push(text('_'), text(short), Buffer.from([FUNCTION]), leb128(reader.number()))
    }
    return Buffer.concat([leb128(entries.length / 4), ...entries])
  }
  return { module: rewriteSections(module, { [IMPORT_SECTION]: rename }), names }
}

/** a, b, … z, aa, ab, … */
function shortName(index) {
  const letter = String.fromCharCode(97 + (index % 26))
  return index < 26 ? letter : shortName(Math.floor(index / 26) - 1) + letter
}

async function optimize(module) {
  const folder = await fs.mkdtemp(path.join(tmpdir(), 'portico-bundle-'))
  try {
    const flags = [...PASSES, '--strip-debug', '--strip-producers', ...FEATURES.map((feature) => `--enable-${feature}`)]
    const [before, after] = ['before.wasm', 'after.wasm'].map((name) => path.join(folder, name))
    await fs.writeFile(before, module)
    await run('wasm-opt', [...flags, before, '-o', after])
    return await fs.readFile(after)
  } finally {
    await fs.rm(folder, { recursive: true })
  }
}

/** The script with the short names; imports that the module no longer has are removed. */
function renameInScript(script, names, moduleName) {
  const renamed = script
    .replace(/^ {8}(\w+): (function\([^]*?^ {8}\}(?:, arguments\); \})?),\n/gm, (_, name, body) => (names.has(name) ? `        ${names.get(name)}: ${body},\n` : ''))
    .replace(`"${moduleName}": import0`, '"_": import0')
    .replace(/^export class /gm, 'class ')
    .replace(/^if \(Symbol\.dispose\).*\n/gm, '')
  return renamed
}

/**
 * Makes one bundle smaller.
 *
 * @param {string} script what wasm-bindgen wrote for `--target web`
 * @param {Buffer} module its WebAssembly module
 * @param {string} name the bundle's name, `live` for `live_bg.wasm`
 */
export async function shrinkBundle(script, module, name) {
  const optimized = await optimize(dropExports(module, (exported) => UNUSED_EXPORT.test(exported)))
  const { module: shortened, names } = shortenImports(optimized)
  const renamed = renameInScript(script, names, `./${name}_bg.js`)
  // "Unsafe" for functions that are called with `new`, which imports of wasm-bindgen never are.
  const compress = { passes: 2, pure_new: true, unsafe_arrows: true, unsafe_methods: true }
  const { code } = await minify(renamed, { module: true, toplevel: true, ecma: 2022, compress })
  check(code, shortened, names)
  return { script: code, module: shortened }
}

/** Checks that script and module match, so that a new version of a tool cannot silently break pages. */
function check(script, module, names) {
  const compiled = new WebAssembly.Module(module)
  const exported = new Set(WebAssembly.Module.exports(compiled).map(({ name }) => name))
  for (const name of exported) {
    if (UNUSED_EXPORT.test(name)) throw new Error(`the bundle still exports ${name}`)
  }
  if (/intounderlying/i.test(script)) throw new Error('the script still holds unused classes')
  for (const [name, short] of names) {
    if (!new RegExp(`[{,]"?${short}"?(:|\\()`).test(script)) throw new Error(`the script lacks the import ${name}`)
  }
}
