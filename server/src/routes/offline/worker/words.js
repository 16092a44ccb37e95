// What the worker says itself, in the language of the page that was open last. Pages send their texts with their files.

/** @import { PageWords } from '../types' */

import { keep } from './copies.js';
import { base } from './scope.js';
import { PROGRAM } from './session.js';

/** Where they are kept. They are the program's own, so they stay when a session ends. */
const ADDRESS = `${base}/words`;

/** Keeps the words of a page. Pages of older versions send none. @param {PageWords} [words] */
export async function keepWords(words) {
  if (words) await keep(PROGRAM, ADDRESS, Response.json(words), Date.now());
}

/** The words of the page that was open last; English if there was none. @returns {Promise<PageWords & { t: (text: string) => string }>} */
export async function keptWords() {
  const kept = await caches.match(ADDRESS, { cacheName: PROGRAM }).then((found) => found?.json(), () => null);
  /** @type {PageWords} */
  const words = kept ?? { lang: 'en', dir: 'ltr', texts: {} };
  return { ...words, t: (text) => words.texts[text] ?? text };
}
