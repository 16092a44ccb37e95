// Builds the documentation as a site that can be searched: `make docs`. The argument is the folder for it.
//
// mdBook takes everything from one folder, but our pages link to files outside docs/, such as SECURITY.md. So the pages that
// docs/SUMMARY.md lists, and the files that they link to, are copied into a folder first, at the same paths below it. At the end,
// each link of the site must lead to a file and an anchor.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const place = resolve(process.argv[2] ?? join(ROOT, 'target/docs'))
const site = join(place, 'site')
const book = join(place, 'book')

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g
const isLocal = (link) => !/^([a-z]+:|#)/.test(link)

// The path below the repository to which a link in a page leads.
const resolved = (page, link) => normalize(join(dirname(page), link.split('#')[0]))

function copy(path, text) {
  const file = join(book, 'src', path)
  mkdirSync(dirname(file), { recursive: true })
  if (text === undefined) cpSync(join(ROOT, path), file)
  else writeFileSync(file, text)
}

// Copies a page and the files that it links to. mdBook makes no pages of folders, or of pages that it does not know, so their names stay as text.
function copyPage(page, listed) {
  const text = readFileSync(join(ROOT, page), 'utf8')
  copy(page, text.replace(LINK, (whole, mark, words, link) => {
    if (!isLocal(link)) return whole
    const path = resolved(page, link)
    if (!existsSync(join(ROOT, path))) throw new Error(`${page}: ${link} leads nowhere`)
    // The page README.md of a folder becomes its index.html.
    if (listed.has(path)) return `${mark}[${words}](${link.replace(/README\.md(?=#|$)/, 'index.md')})`
    if (statSync(join(ROOT, path)).isDirectory() || path.endsWith('.md')) return words
    copy(path)
    return whole
  }))
}

function build() {
  rmSync(place, { recursive: true, force: true })
  const summary = readFileSync(join(ROOT, 'docs/SUMMARY.md'), 'utf8')
  const listed = new Set([...summary.matchAll(LINK)].map(([, , , link]) => resolved('docs/SUMMARY.md', link)))
  for (const page of listed) copyPage(page, listed)
  copy('SUMMARY.md', summary.replace(LINK, (_, mark, words, link) => `${mark}[${words}](${resolved('docs/SUMMARY.md', link)})`))
  cpSync(join(ROOT, 'docs/book.toml'), join(book, 'book.toml'))
  execFileSync('mdbook', ['build', book, '--dest-dir', site], { stdio: 'inherit' })
}

// The links of the site that lead nowhere.
function broken() {
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))
  const texts = new Map(pages.map((name) => [name, readFileSync(join(site, name), 'utf8')]))
  const problems = []
  for (const [page, text] of texts) {
    // These begin at the root of the site, wherever they are shown.
    if (page === '404.html' || page === 'toc.html') continue
    for (const [, link] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^([a-z]+:|\/\/)/.test(link)) continue
      const [path, anchor] = link.split('#')
      const target = path ? relative(site, resolve(site, dirname(page), decodeURI(path))) : page
      const found = existsSync(join(site, target))
      if (!found || (anchor && texts.has(target) && !texts.get(target).includes(`id="${decodeURIComponent(anchor)}"`))) problems.push(`${page}: ${link}`)
    }
  }
  return { problems, pages: pages.length }
}

build()
const { problems, pages } = broken()
if (problems.length > 0) {
  console.error(`These links of the site lead nowhere:\n${problems.join('\n')}`)
  process.exit(1)
}
console.log(`${pages} pages: open ${join(site, 'index.html')}`)
