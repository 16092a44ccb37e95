// The pages of the documentation, and what is in them: links, headings, blocks of code, code in the text.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const DOCS = join(ROOT, 'docs');

/** The texts of all pages, by their paths below the repository. */
export function pages() {
  const inDocs = readdirSync(DOCS, { recursive: true }).filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  const all = ['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...inDocs.sort()];
  return new Map(all.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

// A fence may be indented, below a step of a list.
const FENCE = /^( *)```([a-z]*)\n(.*?)^\1```$/gms;

/** The blocks of code in a page, with their language and the line at which they begin. */
export function blocks(text) {
  return [...text.matchAll(FENCE)].map((match) => ({
    language: match[2],
    code: match[3].replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** The texts in backticks. */
export function quoted(text) {
  return [...text.replace(FENCE, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]);
}

/** The links to files of the repository. */
export function links(text) {
  const plain = text.replace(FENCE, '').replace(/`[^`\n]+`/g, '');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]).filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a page, as forges and mdBook make them from its headings. */
export function anchors(text) {
  const known = new Map();
  return [...text.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const anchor = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    const count = known.get(anchor) ?? 0;
    known.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Where a link in a page leads: a path below the repository, and the anchor. */
export function target(page, link) {
  const [path, anchor] = link.split('#');
  return { path: path ? relative(ROOT, resolve(ROOT, dirname(page), path)) : page, anchor };
}

/** Whether there is a file or folder of this path below the repository. */
export const exists = (path) => existsSync(join(ROOT, path));
