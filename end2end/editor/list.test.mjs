// Lists of texts in one line (frontend/edit/list.js). The same lines are in `frontend/editor/src/schema/lists.rs`.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { read, write } from '../../frontend/edit/list.js'

const FONTS = 'https://fonts.googleapis.com/css2?family=Lora:ital,wght@0,400;1,700&display=swap'

test('commas separate texts unless they belong to one', () => {
  for (const [line, values] of [
    ['', []],
    [' , ,', []],
    ['sea, trip ,land', ['sea', 'trip', 'land']],
    ['#112233,rgb(1, 2, 3), color-mix(in srgb, var(--a, red), blue)', ['#112233', 'rgb(1, 2, 3)', 'color-mix(in srgb, var(--a, red), blue)']],
    ['a(b, c', ['a(b', 'c']],
    [FONTS, [FONTS]],
    ['https://a.example/x.css,https://b.example/y,z.css, c', ['https://a.example/x.css', 'https://b.example/y,z.css', 'c']],
    ['"Cooks, and guests", "say ""hi""" , ""', ['Cooks, and guests', 'say "hi"', '']],
    ['"open, b', ['"open', 'b']],
    ['a "b, c"', ['a "b', 'c"']],
  ]) assert.deepEqual(read(line), values, line)
})

test('every list is read as it was written', () => {
  // A fixed sequence, so that a failure can be repeated.
  let seed = 7
  const next = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return Math.floor(seed / 65536) % limit
  }
  const parts = ['a', 'b', ' ', ',', '(', ')', '"', '://', 'https://a', ', ', 'rgb(1, 2)', 'é']
  for (let run = 0; run < 20_000; run++) {
    const values = Array.from({ length: next(5) }, () => Array.from({ length: next(6) }, () => parts[next(parts.length)]).join(''))
    assert.deepEqual(read(write(values)), values)
  }
})
