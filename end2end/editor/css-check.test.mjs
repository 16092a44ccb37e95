// What the check of custom CSS (frontend/edit/css-check.js) says, with a browser that knows three properties.

import assert from 'node:assert/strict';
import test from 'node:test';

import { check } from '../../frontend/edit/css-check.js';

const VALUES = { color: /^(red|teal|initial)$/, margin: /^(\d+px|initial)( \d+px)*$/, background: /^(none|initial|url\(.*\))$/ };
const browser = {
  supports: (property, value) => VALUES[property]?.test(value) ?? false,
  isSelector: (selector) => selector.split(',').every((part) => /^[\w.#*:>+~[\]="' -]+$/.test(part) && !/\.\./.test(part)),
};
const told = (css) => check(css, browser).map(({ line, message }) => `${line}: ${message}`);

test('correct CSS has no remarks', () => {
  for (const css of [
    '',
    '.item { color: red }',
    '/* a } b */\n.item, #x > a { color: red; margin: 1px 2px !important; --mine: { anything }; }',
    '@media (width < 40rem) { .item { color: teal; } }',
    '@import "a.css";\n@layer mine;\n.item { background: url("data:a;b{}") }',
    '.item { color: red; &:hover { color: teal } > b { margin: 1px } }',
    '@keyframes x { from { opacity: 0 } 50% { nonsense } }\n@font-face { font-family: "A"; src: url(a) }',
    '@media print { .item { @media (width > 1px) { color: red } } }',
  ]) assert.deepEqual(told(css), [], css);
});

test('what a browser ignores is listed with its line', () => {
  assert.deepEqual(told('.item {\n  colr: red;\n  color: redd;\n  margin\n}'), ['2: There is no property `colr`.', '3: `color` takes no `redd`.', '4: `margin` has no colon. Write `property: value;`.']);
  assert.deepEqual(told('a { color: red\n  margin: 1px }'), ['1: `color` takes no `red\n  margin: 1px`. Is a semicolon missing at its end?']);
  assert.deepEqual(told('..item { color: red }'), ['1: `..item` is no selector.']);
  assert.deepEqual(told('color: red;'), ['1: `color: red` is in no rule. Write `selector { property: value; }`.']);
  assert.deepEqual(told('{ color: red }'), ['1: A selector is missing before `{`.']);
});

test('what is not closed, or closed twice', () => {
  assert.deepEqual(told('\n.item { color: red;\n'), ['2: This block has no end; `}` is missing.']);
  assert.deepEqual(told('.item { color: red }\n}\n.a { color: red }'), ['2: There is no block that this `}` would end.']);
  assert.deepEqual(told('.item { color: red }\n/* never'), ['2: This comment has no end; `*/` is missing.']);
  assert.deepEqual(told('.a { background: url("x\n) }')[0], '1: This text has no end; " is missing.');
});

test('tags are named, and a text full of mistakes gives a short list', () => {
  assert.deepEqual(told('.a { color: red }\n</style><b>'), ['2: Tags are removed from styles.', '2: Tags are removed from styles.', '2: `</style><b>` is in no rule. Write `selector { property: value; }`.']);
  assert.equal(told('.a { x: y }\n'.repeat(100)).length, 20);
});

test('each host that is loaded from is reported once, and so is an import that comes too late', () => {
  const css = '@import url("https://fonts.example/a.css");\n@import "/own.css";\n.a { background: url(//pictures.example/a.png) }\n.b { background: url(https://pictures.example/b.png) }\n/* url(https://comment.example) */\n.c { background: url(/own.png) }\n';
  const found = check(css, browser);
  assert.deepEqual(found.map(({ line, message, isRemark }) => [line, message.split(' ')[0], isRemark]), [[1, '`fonts.example`', true], [3, '`pictures.example`', true]]);
  const late = check('.a { color: red }\n@import "/late.css";\n@import url(https://print.example/a.css) print;', browser);
  assert.deepEqual(late.map(({ line, message, isRemark }) => [line, message.slice(0, 29), isRemark]), [[2, 'This `@import` is left out: i', undefined], [3, 'This `@import` is left out: i', undefined]]);
});
