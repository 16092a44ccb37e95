// Documents that are small to send and large to understand: for parsers of YAML, JSON, feeds, HTML and pictures.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const KB = 1024;
const times = (count, text) => (typeof text === 'string' ? text.repeat(count) : Array.from({ length: count }, (_, number) => text(number)).join(''));

/** Fills a text up to about so many bytes. */
const upTo = (bytes, text) => text.repeat(Math.ceil(bytes / text.length));

const SIZE = 200 * KB;

/** Levels of aliases, each ten times the one before. */
const laughs = (open, close, levels = 9) =>
  `a0: &a0 ${open}x${close}\n${times(levels, (level) => `a${level + 1}: &a${level + 1} ${open}${times(9, `*a${level}, `)}*a${level}${close}\n`)}`;

/** 30 shapes of YAML. */
export const YAML = {
  'a billion laughs in lists': laughs('[', ']'),
  'a billion laughs in block lists': `a0: &a0\n  - x\n${times(9, (level) => `a${level + 1}: &a${level + 1}\n${times(10, `  - *a${level}\n`)}`)}`,
  'a billion laughs in mappings': `a0: &a0 { k: x }\n${times(9, (level) => `a${level + 1}: &a${level + 1} { ${times(10, (number) => `k${number}: *a${level}, `)} }\n`)}`,
  'a billion laughs by merging': `a0: &a0 { k: x }\n${times(9, (level) => `a${level + 1}: &a${level + 1}\n${times(9, (number) => `  k${number}: { <<: *a${level} }\n`)}`)}`,
  'a billion laughs as sections': `${laughs('[', ']')}sections: *a9\n`,
  'a billion laughs as keys': `a0: &a0 [x]\n${times(8, (level) => `? &a${level + 1} [${times(9, `*a${level}, `)}*a${level}]\n: x\n`)}`,
  'one large text, many times': `a: &a "${upTo(50 * KB, 'x')}"\nb: [${times(20_000, '*a, ')}]\n`,
  'many small aliases': `a: &a [x, y, z]\nb: [${times(30_000, '*a, ')}]\n`,
  'an alias in itself': 'a: &a [*a, *a, *a]\n',
  'aliases in a ring': 'a: &a { b: *b }\nb: &b { a: *a }\n',
  'a mapping merged with itself': 'a: &a\n  <<: *a\n',
  'a hundred thousand open brackets': `a: ${upTo(SIZE, '[')}`,
  'a hundred thousand open braces': `a: ${upTo(SIZE, '{')}`,
  'brackets that are closed again': `a: ${upTo(SIZE / 2, '[')}${upTo(SIZE / 2, ']')}\n`,
  'braces with keys': `a: ${upTo(SIZE, '{a: ')}`,
  'lists in lists on one line': `a:\n  ${upTo(SIZE, '- ')}x\n`,
  'keys in keys on one line': `${upTo(SIZE, '? ')}x\n`,
  'indentation that goes on and on': times(600, (level) => `${' '.repeat(level)}a:\n`),
  'tags in tags': `a: ${upTo(SIZE, '!!str ')}x\n`,
  'a hundred thousand anchors': `a: [${times(20_000, (number) => `&a${number} x, `)}]\n`,
  'an anchor with a huge name': `a: &${upTo(SIZE, 'x')} y\n`,
  'one key a hundred thousand times': upTo(SIZE, 'a: 1\n'),
  'very many keys': times(30_000, (number) => `k${number}: 1\n`),
  'one huge key': `"${upTo(SIZE, 'x')}": 1\n`,
  'ten thousand documents': upTo(SIZE, '---\na: 1\n'),
  'ten thousand directives': `${upTo(SIZE, '%YAML 1.2\n')}---\na: 1\n`,
  'numbers of a size that nobody needs': `a: 1e${upTo(1000, '9')}\nb: ${upTo(SIZE, '9')}\nc: 0x${upTo(SIZE, 'f')}\n`,
  'a quote that is never closed': `a: "${upTo(SIZE, 'x\n ')}`,
  'a block text with endless blank lines': `a: |9\n${upTo(SIZE, '\n')}`,
  'nothing but comments': upTo(SIZE, '# x\n'),
  'nothing but tabs': upTo(SIZE, '\t'),
  'dates and colons': upTo(SIZE, '2001-01-01: 1:2:3:4:5:6\n'),
};

/** Bodies for the REST API. */
export const JSON_BODIES = {
  'brackets in brackets': `{"a":${upTo(SIZE, '[')}`,
  'braces in braces': `${upTo(SIZE, '{"a":')}`,
  'brackets that are closed again': `{"a":${upTo(SIZE, '[')}${upTo(SIZE, ']')}}`,
  'a million elements': `{"a":[${upTo(1000 * KB, '1,')}1]}`,
  'very many keys': `{${times(30_000, (number) => `"k${number}":1,`)}"z":1}`,
  'one key a hundred thousand times': `{${upTo(SIZE, '"a":1,')}"a":1}`,
  'numbers of a size that nobody needs': `{"a":1e${upTo(1000, '9')},"b":${upTo(SIZE, '9')}}`,
  'escapes': `{"a":"${upTo(SIZE, '\\u0000')}"}`,
  'half of a pair': `{"a":"${upTo(SIZE, '\\ud800')}"}`,
  'blanks': `${upTo(1000 * KB, ' ')}{}`,
};

const inFeed = (description) => `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title><item><title>T</title><link>https://a.example</link><description><![CDATA[${description}]]></description></item></channel></rss>`;

/** Markup as a feed holds it. */
const MARKUP = {
  'tags in tags': upTo(69 * KB, '<b>'),
  'tags of many kinds in each other': upTo(69 * KB, '<p><a href=x><i><b><font><table><td>'),
  'end tags of nothing': upTo(360 * KB, '</p>'),
  'end tags of many kinds': upTo(360 * KB, '</b></i></a></p></table></x>'),
  'formatting that is never closed': upTo(200 * KB, '<p><b><i><u><s><a>'),
  'tables in tables': upTo(200 * KB, '<table><tr><td>'),
  'lists in lists': upTo(200 * KB, '<ul><li>'),
  'templates in templates': upTo(200 * KB, '<template>'),
  'foreign elements': upTo(200 * KB, '<svg><math><annotation-xml><svg>'),
  'selects and options': upTo(200 * KB, '<select><option>'),
  'a tag that is never closed': `<a ${upTo(360 * KB, 'x ')}`,
  'very many attributes': `<a ${times(40_000, (number) => `a${number}=1 `)}>x</a>`,
  'one attribute again and again': `<a ${upTo(360 * KB, 'a=1 ')}>x</a>`,
  'a comment that is never closed': `x<!--${upTo(360 * KB, '-')}`,
  'comments that nearly end': upTo(360 * KB, '<!--->'),
  'open angle brackets': upTo(360 * KB, '<'),
  'exclamation marks': upTo(360 * KB, '<!'),
  'ampersands': upTo(360 * KB, '&'),
  'entities that nearly are': upTo(360 * KB, '&CounterClockwiseContourIntegra'),
  'numbers of characters': upTo(360 * KB, '&#x10ffff;'),
  'scripts that are never closed': upTo(360 * KB, '<script><!--<script>'),
  'text areas': upTo(360 * KB, '<textarea>'),
  'plaintext': `<plaintext>${upTo(360 * KB, '<b>')}`,
  'zero bytes': upTo(360 * KB, '\u0000<\u0000'),
};

/** Feeds, by what is wrong with them. */
export const FEEDS = {
  ...Object.fromEntries(Object.entries(MARKUP).map(([what, markup]) => [`markup: ${what}`, inFeed(markup)])),
  'entities of entities': `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a0 "x">${times(9, (level) => `<!ENTITY a${level + 1} "${times(10, `&a${level};`)}">`)}]><rss><channel><title>&a9;</title></channel></rss>`,
  'one large entity, many times': `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "${upTo(100 * KB, 'x')}">]><rss><channel><title>${upTo(100 * KB, '&a;')}</title></channel></rss>`,
  'an entity of a file': '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel><title>&a;</title><item><title>&a;</title></item></channel></rss>',
  'elements in elements': `<rss><channel>${upTo(360 * KB, '<a>')}`,
  'elements in elements, closed again': `<rss><channel>${upTo(300 * KB, '<a>')}${upTo(400 * KB, '</a>')}</channel></rss>`,
  'a name space for each element': `<rss>${times(20_000, (number) => `<a${number}:b xmlns:a${number}="x">`)}`,
  'very many attributes': `<rss><channel ${times(40_000, (number) => `a${number}="1" `)}></channel></rss>`,
  'very many entries': `<rss><channel><title>F</title>${times(40_000, '<item><title>T</title><link>https://a.example</link></item>')}</channel></rss>`,
  'a title of megabytes': `<rss><channel><title>F</title><item><title>${upTo(3000 * KB, 'x &amp; ')}</title></item></channel></rss>`,
  'an end tag that is missing': `<rss><channel><item><description>${upTo(360 * KB, '&lt;b&gt;')}`,
  'a comment that is never closed': `<rss><!--${upTo(1000 * KB, '--!')}`,
  'a JSON feed of brackets': `{"version":"https://jsonfeed.org/version/1","title":"F","items":${upTo(SIZE, '[')}`,
  'a JSON feed of markup': JSON.stringify({ version: 'https://jsonfeed.org/version/1', title: 'F', items: times(20, '1').split('').map(() => ({ id: '1', url: 'https://a.example', content_html: MARKUP['tags in tags'] })) }),
};

/** Answers of a web interface. */
export const ANSWERS = {
  ...JSON_BODIES,
  'a megabyte of text without a blank': upTo(1000 * KB, 'x'),
  'lines': upTo(1000 * KB, '\n'),
  'right to left and back': upTo(500 * KB, '\u202e\u202d'),
  'a key for each dot': `{"a":${upTo(500 * KB, '{"a":')}1${upTo(100 * KB, '}')}`,
};

/** Pages that are asked for their icon. */
export const PAGES = {
  ...Object.fromEntries(Object.entries(MARKUP).map(([what, markup]) => [what, `<!doctype html><title>x</title>${markup}`])),
  'very many links': `<!doctype html>${upTo(900 * KB, '<link rel=icon href=/x.png sizes="1x1 2x2 3x3">')}`,
  'a link with a megabyte of sizes': `<link rel=icon href=/x.png sizes="${upTo(900 * KB, '9x9 ')}">`,
  'an address of a megabyte': `<link rel=icon href="${upTo(900 * KB, '../')}">`,
  'an icon in the page itself': `<link rel=icon href="data:image/svg+xml;base64,${upTo(900 * KB, 'AAAA')}">`,
};

/** Pictures. */
export const PICTURES = {
  'entities of entities': ['image/svg+xml', `<!DOCTYPE svg [<!ENTITY a0 "x">${times(9, (level) => `<!ENTITY a${level + 1} "${times(10, `&a${level};`)}">`)}]><svg xmlns="http://www.w3.org/2000/svg"><text>&a9;</text></svg>`],
  'groups in groups': ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${upTo(300 * KB, '<g>')}`],
  'uses of uses': ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"/>${times(20, (level) => `<g id="a${level + 1}">${times(10, `<use href="#a${level}"/>`)}</g>`)}</svg>`],
  'a size that no memory holds': ['image/png', Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0806000000', 'hex'), Buffer.alloc(1000)])],
  'bytes that are none': ['image/x-icon', Buffer.alloc(500 * KB, 0xff)],
  'an icon with 65535 entries': ['image/x-icon', Buffer.concat([Buffer.from('00000100ffff', 'hex'), Buffer.alloc(200 * KB, 0x01)])],
};

/** Compressed bodies that unpack to gigabytes: `[encoding, body]`. */
export function compressedBombs() {
  const zeros = Buffer.alloc(64 * 1024 * KB);
  const once = gzipSync(zeros, { level: 9 });
  return {
    'gzip': ['gzip', once],
    // Members of gzip stand behind each other: 2 GB of zeros in 2 MB.
    'gzip of many members': ['gzip', Buffer.concat(Array.from({ length: 32 }, () => once))],
    'deflate': ['deflate', deflateSync(zeros, { level: 9 })],
    'brotli': ['br', brotliCompressSync(zeros)],
    'gzip in gzip': ['gzip, gzip', gzipSync(once)],
  };
}
