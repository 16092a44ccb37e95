// Stands before the scripts of a page in a language that some browsers cannot format, such as Galician: Chromium writes its dates
// in another language, or as `2026 M11 21`. There, `Intl` formats dates, durations and times from now as the server does.

/**
 * The data of the language: patterns and names of dates, forms of durations and of times from now, all as in its file in
 * languages/texts, and a language with the same numbers.
 *
 * @type {{ code: string, dates: any, durations: Record<string, string[]>, browsers: any }}
 */
const { code, dates, durations, browsers } = JSON.parse(/** @type {any} */ (document.currentScript).dataset.formats)
const { DateTimeFormat, NumberFormat } = Intl
const plural = new Intl.PluralRules(code)

/** The styles of dates, by the beginnings of their options and the last letters of the values. @type {Record<string, string>} */
const STYLES = {
  'dayc montt weekg yearc': 'clock-date',
  'hourc minuc': 'clock',
  'hourc minuc secoc': 'clock-seconds',
  'hour2 hourc minuc': 'clock-h12',
  'hour2 hourc minuc secoc': 'clock-h12-seconds',
  'hour3 hourc minuc': 'clock-h23',
  'hour3 hourc minuc secoc': 'clock-h23-seconds',
  'datem timet': 'exact',
  'datem timem': 'precise',
  dateg: 'date',
  'dayc montt weekt': 'short',
  timet: 'time',
  timem: 'seconds',
  weekg: 'weekday',
  'dayc montt': 'day',
  weekt: 'short-weekday',
  'montt yearc': 'month',
}

/** A date in a pattern of the language. @param {string} pattern @param {any} at @param {string} [timeZone] */
function written(pattern, at, timeZone) {
  const numeric = 'numeric'
  const options = { timeZone, hourCycle: 'h23', weekday: 'short', year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric }
  /** @type {Record<string, any>} */
  const values = {}
  for (const { type, value } of new DateTimeFormat('en', /** @type {any} */ (options)).formatToParts(at)) values[type] = value
  const hour = +values.hour
  values.hour12 = hour % 12 || 12
  return pattern.replace(/\{(\w+)(?:-(\w))?\}/g, (_, kind, form) => {
    if (!form) return `${+values[kind]}`
    if (form === '2') return `${+values[kind]}`.padStart(2, '0')
    const list = dates[`${kind}s`]['abcdef'.indexOf(form)]
    if (kind === 'month') return list[values.month - 1]
    if (kind === 'weekday') return list['MonTueWedThuFriSatSun'.indexOf(values.weekday) / 3]
    return list.filter((/** @type {string} */ name) => parseInt(name, 10) <= hour).pop().replace(/^\d+ /, '')
  })
}

/** The form for a number, with the number. @param {string[]} forms That for one, and that for others. @param {number} count */
const counted = ([one, other], count) =>
  (plural.select(count) === 'one' ? one : other).replace('{count}', new NumberFormat(browsers.numbers).format(count))

/**
 * Replaces a formatter, where it is asked for this language. `make` returns the browser's own one, or what replaces its methods.
 *
 * @param {'DateTimeFormat' | 'NumberFormat' | 'RelativeTimeFormat'} name @param {(options: any, Native: any, native: any) => object} make
 */
function replace(name, make) {
  const Native = /** @type {any} */ (Intl[name])
  const construct = (/** @type {any} */ _, /** @type {any[]} */ [locale, options = {}]) => {
    const native = new Native(locale, options)
    return `${locale}-`.startsWith(`${code}-`) ? make(options, Native, native) : native
  }
  Object.assign(Intl, { [name]: new Proxy(Native, { construct }) })
}

/** @param {object} formatter @param {Record<string, any>} methods */
const withMethods = (formatter, methods) => {
  for (const name in methods) Object.defineProperty(formatter, name, { value: methods[name] })
  return formatter
}

const sample = new Date(Date.UTC(2026, 0, 5))
if (new DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }).format(sample) !== written(dates.date, sample, 'UTC')) {
  replace('DateTimeFormat', ({ timeZone, ...options }, _, native) => {
    const key = Object.entries(options).map(([name, value]) => name.slice(0, 4) + `${value}`.slice(-1)).sort().join(' ')
    const pattern = dates[STYLES[key]]
    const format = (/** @type {any} */ at) => written(pattern, at, timeZone)
    const formatRange = (/** @type {any} */ from, /** @type {any} */ to) => [...new Set([from, to].map(format))].join(' – ')
    return pattern ? withMethods(native, { format, formatRange }) : native
  })
  replace('NumberFormat', (options, Native, native) => {
    const forms = options.style === 'unit' && durations[options.unit]
    return forms ? withMethods(native, { format: (/** @type {number} */ count) => counted(forms, count) }) : new Native(browsers.numbers, options)
  })
  replace('RelativeTimeFormat', ({ numeric }, _, native) => {
    const format = (/** @type {number} */ count, /** @type {string} */ unit) => {
      const [pastOne, past, futureOne, future, ...words] = browsers[unit]
      const word = numeric === 'auto' && words.find((/** @type {string} */ word) => parseInt(word, 10) === count)
      return word ? word.replace(/^\S+ /, '') : counted(count < 0 ? [pastOne, past] : [futureOne, future], Math.abs(count))
    }
    return withMethods(native, { format })
  })
}
