// Packs the bundled icon sets into one file, from which the server unpacks the icons that it uses.
//
//   node pack-icons.mjs [output]        default: dist/icons.pack beside this folder
//
// The layout is the one that `server/src/icons/pack.rs` describes and reads. Bodies are compressed in small blocks, so that
// only the parts of the file that are read become resident. The same inputs give the same bytes.

import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { shorterPath } from './shorter-path.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const packages = resolve(here, 'node_modules');

const MAGIC = 'PORTICO3';
const HEADER_BYTES = 20;
const SET_BYTES = 24;
const VIEW_BOX_BYTES = 8;
const RECORD_BYTES = 20;
const NO_COLOR = 0xffffffff;
const FLAG_ALIAS = 1;

const KIND_PATH = 0; // the body is the `d` of one path
const KIND_DOCUMENT = 1; // the body is a whole SVG file

// Full-color drawings above this size are photographs in disguise; their names fall back to a glyph.
const LARGEST_DOCUMENT = 32 * 1024;

// The size of a full block. Larger blocks compress better, but take longer to read.
const BLOCK_BYTES = 4 * 1024;

// Quality 11 would make the file half a percent smaller, and take three times as long.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 16 } };

const read = (path) => readFileSync(resolve(packages, path), 'utf8');
const readJson = (path) => JSON.parse(read(path));
const version = (name) => readJson(`${name}/package.json`).version;

// Names are compared as bytes on the other side, so they are sorted as bytes here.
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function svgFiles(folder) {
  return readdirSync(resolve(packages, folder))
    .filter((file) => file.endsWith('.svg'))
    .sort(byBytes)
    .map((file) => ({ name: file.slice(0, -4), svg: read(`${folder}/${file}`) }));
}

// The view box of the sets whose coordinates have more digits than a screen can show.
const SMALL_BOX = '0 0 24 24';

// A file of the single-path sets: anything but one <path> with one `d` is refused, not mangled.
function singlePath(name, svg) {
  const viewBox = /\bviewBox="([-0-9. ]+)"/.exec(svg);
  const paths = [...svg.matchAll(/<path\b[^>]*?\bd="([-+0-9a-zA-Z., ]+)"[^>]*>/g)];
  if (!viewBox || paths.length !== 1 || (svg.match(/<[a-z]/g) ?? []).length > 3) {
    throw new Error(`icon \`${name}\` is not a single path`);
  }
  const path = paths[0][1];
  return { viewBox: viewBox[1], body: viewBox[1] === SMALL_BOX ? shorterPath(path) : path, color: NO_COLOR };
}

function pathSet(folder, { colors = new Map(), without = new Set() } = {}) {
  const icons = new Map();
  for (const { name, svg } of svgFiles(folder)) {
    if (without.has(name)) continue;
    icons.set(name, { ...singlePath(name, svg), color: colors.get(name) ?? NO_COLOR });
  }
  return icons;
}

// A drawing is served as an image, so it must be self-contained and must not run anything.
function isHarmless(svg) {
  return !/<script|<foreignObject|<image|<!ENTITY|\son[a-z]+\s*=|javascript:|@import/i.test(svg)
    && !/(?:href|src)\s*=\s*["'](?!#)/i.test(svg)
    && !/url\(\s*["']?(?!#)/i.test(svg);
}

function documentSet(folder) {
  const icons = new Map();
  for (const { name, svg } of svgFiles(folder)) {
    // Marks in plain black or white vanish on one of the two backgrounds; a glyph from another set does not.
    if (/-(black|white|dark|light|wide|outline)$/.test(name)) continue;
    const body = svg.trim();
    if (Buffer.byteLength(body) > LARGEST_DOCUMENT || !isHarmless(body)) continue;
    icons.set(name, { viewBox: '', body, color: NO_COLOR });
  }
  return icons;
}

// A name becomes an alias only if the set has no icon with that name, and only for an icon that exists. The first claim
// counts: callers claim in order of trust.
class Aliases {
  constructor(sets) {
    this.sets = sets;
    this.claims = new Map(); // set name -> Map(alias -> [set, name])
  }

  exists(set, name) {
    return this.sets.get(set)?.icons.has(name) ?? false;
  }

  claim(set, alias, targetSet, targetName) {
    if (!this.claims.has(set)) this.claims.set(set, new Map());
    const claims = this.claims.get(set);
    const usable = /^[^\s/]+$/.test(alias) && Buffer.byteLength(alias) < 256;
    if (!usable || this.exists(set, alias) || claims.has(alias) || !this.exists(targetSet, targetName)) return false;
    claims.set(alias, [targetSet, targetName]);
    return true;
  }
}

// Our own table must be exact: an entry that is no longer needed or possible fails the build.
function claimOwnAliases(aliases) {
  const table = JSON.parse(readFileSync(resolve(here, 'icon-aliases.json'), 'utf8'));
  for (const [set, entries] of Object.entries(table)) {
    for (const [alias, target] of Object.entries(entries)) {
      const [targetSet, targetName] = target.split('/');
      if (aliases.exists(set, alias)) throw new Error(`alias \`${set}/${alias}\` hides an icon of that name`);
      if (!aliases.claim(set, alias, targetSet, targetName)) throw new Error(`alias \`${set}/${alias}\` leads nowhere`);
    }
  }
}

// Font Awesome: names of versions 4 and 5 are listed as aliases of today's, and have copies of the files.
function fontAwesomeAliases(families) {
  return new Set(Object.values(families).flatMap((family) => family.aliases?.names ?? []).filter((name) => !(name in families)));
}

function claimFontAwesome(aliases, families) {
  const styles = ['fa-solid', 'fa-regular', 'fa-brands'];
  for (const name of Object.keys(families).sort(byBytes)) {
    for (const alias of families[name].aliases?.names ?? []) {
      for (const style of styles) aliases.claim(style, alias, style, name);
    }
  }
  // Names of version 4 that changed their style as well, from a small YAML file of a fixed form.
  let alias = null;
  const shims = new Map();
  for (const line of read('@fortawesome/fontawesome-free/metadata/shims.yml').split('\n')) {
    const key = /^'?([a-z0-9-]+)'?:\s*$/.exec(line);
    const field = /^ {2}(name|prefix): '?([a-z0-9-]+)'?\s*$/.exec(line);
    if (key) shims.set((alias = key[1]), {});
    else if (field && alias) shims.get(alias)[field[1]] = field[2];
    else if (line.trim()) throw new Error(`shims.yml has a line of an unknown form: ${line}`);
  }
  const folders = { fas: 'fa-solid', far: 'fa-regular', fab: 'fa-brands' };
  for (const [old, { name, prefix }] of shims) {
    const style = folders[prefix ?? 'fas'];
    const target = name ?? old;
    const real = [target, ...(aliases.claims.get(style)?.get(target)?.slice(1) ?? [])].find((n) => aliases.exists(style, n));
    if (real) aliases.claim('fa-v4', old, style, real);
  }
}

function claimMaterialDesign(aliases) {
  const icons = readJson('@mdi/svg/meta.json').sort((a, b) => Number(a.deprecated) - Number(b.deprecated) || byBytes(a.name, b.name));
  for (const icon of icons) {
    for (const alias of icon.aliases) aliases.claim('mdi', alias, 'mdi', icon.name);
  }
}

// Simple Icons: former titles, other titles and translations of a brand, as the slugs they would have.
function claimSimpleIcons(aliases, icons, titleToSlug) {
  for (const kind of ['old', 'aka', 'dup', 'loc']) {
    for (const icon of icons) {
      const names = icon.aliases?.[kind] ?? [];
      const titles = Array.isArray(names) ? names.map((entry) => entry.title ?? entry) : Object.values(names);
      for (const title of titles) {
        const slug = titleToSlug(title);
        if (slug) aliases.claim('si', slug, 'si', icon.slug);
      }
    }
  }
}

// File names with a hyphen are variants; only names of letters and digits are looked up.
function claimHomelab(aliases) {
  for (const name of [...aliases.sets.get('homelab').icons.keys()].sort(byBytes)) {
    aliases.claim('homelab', name.replace(/[^a-z0-9]/g, ''), 'homelab', name);
  }
}

// Texts that occur twice are stored once: alias files of Font Awesome, and most view boxes.
class TextArea {
  constructor() {
    this.chunks = [];
    this.length = 0;
    this.known = new Map();
  }

  add(text) {
    const known = this.known.get(text);
    if (known) return known;
    const place = this.append(Buffer.from(text));
    this.known.set(text, place);
    return place;
  }

  append(bytes) {
    const place = { offset: this.length, length: bytes.length };
    this.chunks.push(bytes);
    this.length += bytes.length;
    return place;
  }
}

// The bodies of icons in blocks, each compressed as a whole. The position of a block in the file is known only when it is
// written.
class Blocks {
  constructor() {
    this.blocks = [];
    this.known = new Map();
  }

  add(text) {
    const known = this.known.get(text);
    if (known) return known;
    let block = this.blocks.at(-1);
    if (!block || block.length >= BLOCK_BYTES) this.blocks.push(block = { bodies: [], length: 0, offset: 0 });
    const bytes = Buffer.from(text);
    const place = { block, start: block.length, length: bytes.length };
    block.bodies.push(bytes);
    block.length += bytes.length;
    this.known.set(text, place);
    return place;
  }

  write(area) {
    for (const block of this.blocks) {
      const packed = brotliCompressSync(Buffer.concat(block.bodies), BROTLI);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(packed.length);
      block.offset = area.append(Buffer.concat([length, packed])).offset;
    }
  }
}

function pack(sets, claims, common) {
  const ordered = [...sets.keys()].sort(byBytes);
  const recordsOf = new Map();
  const position = new Map(); // "set/name" -> index of the record
  let count = 0;
  for (const set of ordered) {
    const names = [...sets.get(set).icons.keys(), ...(claims.get(set)?.keys() ?? [])].sort(byBytes);
    recordsOf.set(set, { first: count, names });
    for (const name of names) position.set(`${set}/${name}`, count++);
  }

  const viewBoxes = new Map([['', 0]]);
  for (const set of ordered) {
    for (const { viewBox } of sets.get(set).icons.values()) {
      if (!viewBoxes.has(viewBox)) viewBoxes.set(viewBox, viewBoxes.size);
    }
  }

  const areaStart = HEADER_BYTES + ordered.length * SET_BYTES + viewBoxes.size * VIEW_BOX_BYTES + count * RECORD_BYTES;
  const index = Buffer.alloc(areaStart);
  const area = new TextArea();
  let at = index.write(MAGIC, 'latin1');
  const u8 = (value) => { at = index.writeUInt8(value, at); };
  const u16 = (value) => { at = index.writeUInt16LE(value, at); };
  const u32 = (value) => { at = index.writeUInt32LE(value, at); };

  for (const value of [ordered.length, viewBoxes.size, count]) u32(value);
  for (const set of ordered) {
    const { kind, notice } = sets.get(set);
    const { first, names } = recordsOf.get(set);
    const [nameText, noticeText] = [area.add(set), area.add(notice)];
    u32(areaStart + nameText.offset);
    u32(areaStart + noticeText.offset);
    u32(first);
    u32(names.length);
    u16(nameText.length);
    u16(noticeText.length);
    u32(kind);
  }
  for (const viewBox of viewBoxes.keys()) {
    const text = area.add(viewBox);
    u32(areaStart + text.offset);
    u32(text.length);
  }
  // Names lie together, apart from the bodies, so that a search touches few pages of the file.
  for (const set of ordered) recordsOf.get(set).names.forEach((name) => area.add(name));
  // So do the drawings that self-hosted dashboards use most, for the same reason.
  const blocks = new Blocks();
  for (const [set, name] of common) blocks.add(sets.get(set).icons.get(name).body);
  for (const set of ordered) {
    for (const { body } of sets.get(set).icons.values()) blocks.add(body);
  }
  blocks.write(area);
  for (const set of ordered) {
    for (const name of recordsOf.get(set).names) {
      const icon = sets.get(set).icons.get(name);
      const nameText = area.add(name);
      const body = icon ? blocks.add(icon.body) : null;
      u32(areaStart + nameText.offset);
      u8(nameText.length);
      u8(icon ? 0 : FLAG_ALIAS);
      u16(icon ? viewBoxes.get(icon.viewBox) : 0);
      u32(icon ? areaStart + body.block.offset : position.get(claims.get(set).get(name).join('/')));
      u16(icon ? body.start : 0);
      u16(icon ? body.length : 0);
      u32(icon ? icon.color : NO_COLOR);
    }
  }
  return { bytes: Buffer.concat([index, ...area.chunks]), count };
}

const started = performance.now();
const { titleToSlug } = await import(resolve(packages, 'simple-icons/sdk.mjs'));
const brands = readJson('simple-icons/data/simple-icons.json')
  .map((icon) => ({ ...icon, slug: icon.slug ?? titleToSlug(icon.title) }));
const families = readJson('@fortawesome/fontawesome-free/metadata/icon-families.json');
const without = fontAwesomeAliases(families);
const fontAwesome = `Font Awesome Free ${version('@fortawesome/fontawesome-free')} by Fonticons, Inc., CC BY 4.0`;
const sets = new Map([
  ['fa-brands', { kind: KIND_PATH, notice: fontAwesome, icons: pathSet('@fortawesome/fontawesome-free/svgs/brands', { without }) }],
  ['fa-regular', { kind: KIND_PATH, notice: fontAwesome, icons: pathSet('@fortawesome/fontawesome-free/svgs/regular', { without }) }],
  ['fa-solid', { kind: KIND_PATH, notice: fontAwesome, icons: pathSet('@fortawesome/fontawesome-free/svgs/solid', { without }) }],
  ['fa-v4', { kind: KIND_PATH, notice: fontAwesome, icons: new Map() }],
  ['homelab', {
    kind: KIND_DOCUMENT,
    notice: `homelab-svg-assets ${version('@loganmarchione/homelab-svg-assets')} by Logan Marchione, MIT`,
    icons: documentSet('@loganmarchione/homelab-svg-assets/assets'),
  }],
  ['mdi', { kind: KIND_PATH, notice: `Material Design Icons ${version('@mdi/svg')} by Pictogrammers, Apache-2.0, coordinates rounded`, icons: pathSet('@mdi/svg/svg') }],
  ['si', {
    kind: KIND_PATH,
    notice: `Simple Icons ${version('simple-icons')}, CC0-1.0`,
    icons: pathSet('simple-icons/icons', { colors: new Map(brands.map((icon) => [icon.slug, Number.parseInt(icon.hex, 16)])) }),
  }],
]);

const aliases = new Aliases(sets);
claimOwnAliases(aliases);
claimFontAwesome(aliases, families);
claimMaterialDesign(aliases);
claimSimpleIcons(aliases, brands, titleToSlug);
claimHomelab(aliases);

// Self-hosted applications, which are those with a full-color drawing, and household devices.
const hosted = [...sets.get('homelab').icons.keys()].map((name) => ['si', name.replace(/[^a-z0-9]/g, '')]);
const devices = readJson('@mdi/svg/meta.json')
  .filter((icon) => icon.tags.some((tag) => tag === 'Home Automation' || tag === 'Device / Tech'))
  .map((icon) => ['mdi', icon.name]);
const common = [...hosted, ...devices].filter(([set, name]) => aliases.exists(set, name)).sort(([a, m], [b, n]) => byBytes(a + m, b + n));

const { bytes, count } = pack(sets, aliases.claims, common);
const output = resolve(process.argv[2] ?? resolve(here, '../dist/icons.pack'));
mkdirSync(dirname(output), { recursive: true });
writeFileSync(`${output}.part`, bytes);
renameSync(`${output}.part`, output);

for (const [name, { icons }] of sets) {
  console.log(`${name.padEnd(12)} ${String(icons.size).padStart(5)} icons ${String(aliases.claims.get(name)?.size ?? 0).padStart(5)} aliases`);
}
console.log(`${count} names, ${bytes.length} bytes, ${Math.round(performance.now() - started)} ms`);
