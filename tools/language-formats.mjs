// Writes how each language formats short durations, dates and times of day: the tables [durations] and [dates] at the end of
// each file in languages/texts, and [browsers] with what browsers need that lack the language. They come from the Unicode CLDR in
// Node, the same data that browsers have, so that the server's texts are those that a browser writes. Run it for a new language, or after an update of Node: `node tools/language-formats.mjs`.

import { promises as fs } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../languages/texts')

const CLOCK = { hour: 'numeric', minute: 'numeric' }
const CLOCK_SECONDS = { ...CLOCK, second: 'numeric' }

/** The options of each style, as in app/src/parts/live/intl.rs and app/src/parts/live/clock.rs. @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  'clock-date': { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' },
  clock: CLOCK,
  'clock-seconds': CLOCK_SECONDS,
  'clock-h12': { ...CLOCK, hourCycle: 'h12' },
  'clock-h12-seconds': { ...CLOCK_SECONDS, hourCycle: 'h12' },
  'clock-h23': { ...CLOCK, hourCycle: 'h23' },
  'clock-h23-seconds': { ...CLOCK_SECONDS, hourCycle: 'h23' },
  exact: { dateStyle: 'medium', timeStyle: 'short' },
  precise: { dateStyle: 'medium', timeStyle: 'medium' },
  date: { dateStyle: 'long' },
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  time: { timeStyle: 'short' },
  seconds: { timeStyle: 'medium' },
  weekday: { weekday: 'long' },
  day: { day: 'numeric', month: 'short' },
  'short-weekday': { weekday: 'short' },
  month: { month: 'short', year: 'numeric' },
}

/** The plural categories in the order of `plural_form` in languages/src/durations.rs. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other']

/** Languages that some browsers cannot format, each with a language whose numbers look the same. @type {Record<string, string>} */
const UNKNOWN = { az: 'vi', gl: 'de', ky: 'uk' }

const COMMENT = '# How durations and dates are written: by `tools/language-formats.mjs`.'

/** A text in TOML. @param {string} text */
const quoted = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The digits from 0 to 9 where they are not those of English. @param {string} code */
function digitsOf(code) {
  const digits = new Intl.NumberFormat(code, { useGrouping: false }).format(9876543210)
  return digits === '9876543210' ? null : [...digits].reverse().join('')
}

/** The forms of 1 day, 2 days and so on, for each unit. @param {string} code */
function durations(code) {
  const rules = new Intl.PluralRules(code)
  const counts = new Map()
  for (let count = 1000; count >= 0; count--) counts.set(rules.select(count), count)
  const samples = CATEGORIES.filter((category) => counts.has(category)).map((category) => counts.get(category))
  return ['day', 'hour', 'minute', 'second'].map((unit) => {
    const formatter = new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'short', useGrouping: false })
    const forms = samples.map((count) =>
      formatter.formatToParts(count).map(({ type, value }) => (type === 'integer' ? '{count}' : value)).join(''))
    return `${unit} = [${forms.map(quoted).join(', ')}]`
  })
}

/**
 * The parts of a date, as browsers write them: with plain spaces in the place of narrow ones, and with the Korean words that some
 * versions of the CLDR lack.
 *
 * @param {Intl.DateTimeFormat} formatter @param {Date} at
 */
function parts(formatter, at) {
  const isKorean = formatter.resolvedOptions().locale === 'ko'
  return formatter.formatToParts(at).map(({ type, value }) => {
    if (type === 'dayPeriod' && isKorean) return { type, value: at.getUTCHours() < 12 ? '오전' : '오후' }
    return { type, value: value.replaceAll('\u202f', ' ') }
  })
}

/** A moment in UTC. */
const moment = (month = 0, day = 5, hour = 9) => new Date(Date.UTC(2026, month, day, hour, 5, 7))

/** A pattern with the values of a moment. @param {string} pattern @param {Date} at @param {Record<string, string[]>} names */
function filled(pattern, at, names) {
  const hour = at.getUTCHours()
  /** @type {Record<string, number>} */
  const numbers = {
    year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(),
    hour, hour12: hour % 12 || 12, minute: at.getUTCMinutes(), second: at.getUTCSeconds(),
  }
  return pattern.replaceAll(/\{(\w+)(?:-(\w))?\}/g, (_, kind, form) => {
    if (form === undefined) return String(numbers[kind])
    if (form === '2') return String(numbers[kind]).padStart(2, '0')
    const list = JSON.parse(names[kind]['abcdef'.indexOf(form)])
    if (kind === 'period') return list.findLast((/** @type {string} */ name) => parseInt(name, 10) <= hour).replace(/^\d+ /, '')
    return list[kind === 'month' ? at.getUTCMonth() : (at.getUTCDay() + 6) % 7]
  })
}

/** The patterns of dates and times, and the names that they use. @param {string} code */
function dates(code) {
  /** @type {Record<string, string[]>} */
  const names = { month: [], weekday: [], period: [] }
  const digits = digitsOf(code)
  const latin = (/** @type {string} */ text) => (digits ? text.replace(/./gu, (sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign)) : text)

  const patternOf = (/** @type {Intl.DateTimeFormat} */ formatter) => {
    const part = (/** @type {Date} */ at, /** @type {string} */ type) => parts(formatter, at).find((part) => part.type === type)?.value ?? ''
    const placeholder = (/** @type {string} */ type, /** @type {string} */ value) => {
      const number = latin(value)
      if (/^\d+$/.test(number)) {
        // Two digits even of a small number.
        const long = number.startsWith('0') ? '2' : ''
        return type === 'hour' ? `{hour${formatter.resolvedOptions().hourCycle === 'h12' ? '12' : ''}${long && '-2'}}` : `{${type}${long && '-2'}}`
      }
      let all = Array.from({ length: 12 }, (_, month) => part(moment(month), type))
      if (type === 'weekday') all = Array.from({ length: 7 }, (_, day) => part(moment(0, 5 + day), type))
      // Each with the hour from which it counts.
      if (type === 'dayPeriod') {
        const hours = Array.from({ length: 24 }, (_, hour) => part(moment(0, 5, hour), type))
        all = hours.flatMap((name, hour) => (name === hours[hour - 1] ? [] : `${hour} ${name}`))
      }
      const kind = type === 'dayPeriod' ? 'period' : type
      const list = `[${all.map(quoted).join(', ')}]`
      if (!names[kind].includes(list)) names[kind].push(list)
      return `{${kind}-${'abcdef'[names[kind].indexOf(list)]}}`
    }
    return parts(formatter, moment()).map(({ type, value }) => (type === 'literal' ? value : placeholder(type, value))).join('')
  }

  const patterns = Object.entries(STYLES).map(([style, options]) => {
    const formatter = new Intl.DateTimeFormat(code, { ...options, timeZone: 'UTC' })
    const pattern = patternOf(formatter)
    for (let hour = 0; hour < 365 * 24; hour += 25) {
      const at = moment(0, 1, hour)
      const [written, expected] = [filled(pattern, at, names), latin(parts(formatter, at).map(({ value }) => value).join(''))]
      if (written !== expected) throw new Error(`${code}, ${style}: ${written} is not ${expected}`)
    }
    return `${style} = ${quoted(pattern)}`
  })
  const lists = Object.entries(names).map(([kind, lists]) => `${kind}s = [${lists.join(', ')}]`)
  return [...patterns, ...lists, ...(digits ? [`digits = ${quoted(digits)}`] : [])]
}

/** Times from now in short: forms for 1 and more, past and future, and words with their numbers. @param {string} code */
function browsers(code) {
  const formatter = new Intl.RelativeTimeFormat(code, { style: 'short' })
  const inWords = new Intl.RelativeTimeFormat(code, { style: 'short', numeric: 'auto' })
  /** @type {Intl.RelativeTimeFormatUnit[]} */
  const units = ['year', 'month', 'day', 'hour', 'minute', 'second']
  const relative = units.map((unit) => {
    const forms = [-1, -2, 1, 2].map((count) => formatter.formatToParts(count, unit).map(({ type, value }) => (type === 'integer' ? '{count}' : value)).join(''))
    const words = [-2, -1, 0, 1, 2].map((count) => [count, inWords.format(count, unit)]).filter(([count, text]) => text !== formatter.format(Number(count), unit))
    return `${unit} = [${[...forms, ...words.map((word) => word.join(' '))].map(quoted).join(', ')}]`
  })
  return [`numbers = ${quoted(UNKNOWN[code])}`, ...relative]
}

for (const file of (await fs.readdir(folder)).sort()) {
  const code = path.basename(file, '.toml')
  // Pirates count in English.
  if (code.startsWith('zz')) continue
  const text = await fs.readFile(path.join(folder, file), 'utf8')
  const [texts] = text.split(/\n*^(?:# How durations.*|\[durations\]|\[dates\]|\[browsers\])$/m)
  // The short English units are in app/src/parts/number.rs.
  const tables = code.startsWith('en') ? [] : ['', '[durations]', ...durations(code)]
  const own = code in UNKNOWN ? ['', '[browsers]', ...browsers(code)] : []
  await fs.writeFile(path.join(folder, file), [texts.trimEnd(), '', COMMENT, ...tables, '', '[dates]', ...dates(code), ...own, ''].join('\n'))
}
