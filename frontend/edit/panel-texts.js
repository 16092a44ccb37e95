// Writes the times in previewed panels, in the viewer's language and time zone. The server leaves them empty. The bundle of a
// page with widgets fills them in (app/src/parts/live), but not in new panels, and pages without widgets lack that bundle.

/** The format of each style; any other shows date and time. @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  date: { dateStyle: 'long' },
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  time: { timeStyle: 'short' },
  seconds: { timeStyle: 'medium' },
  precise: { dateStyle: 'medium', timeStyle: 'medium' },
  weekday: { weekday: 'long' },
  day: { day: 'numeric', month: 'short' },
  'short-weekday': { weekday: 'short' },
  month: { month: 'short', year: 'numeric' },
}
/** @type {[number, Intl.RelativeTimeFormatUnit][]} */
const UNITS = [[31_557_600, 'year'], [2_629_800, 'month'], [86_400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']]

/** Writes the times of panels that are not in the page yet. @param {ParentNode} panels */
export function writeTimes(panels) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (panels.querySelectorAll('time[data-style]'))) {
    const { style = '', until, offset } = time.dataset
    const at = Date.parse(time.dateTime)
    if (Number.isNaN(at)) continue
    time.textContent = style === 'relative' ? relative((at - Date.now()) / 1000) : absolute(at, until, style, offset)
  }
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (panels.querySelectorAll('.part-clock'))) writeClock(clock)
}

/** @param {number} seconds From now. */
function relative(seconds) {
  const [size, unit] = UNITS.find(([size]) => Math.abs(seconds) >= size) ?? UNITS[5]
  const count = Math.trunc(seconds / size)
  const inShort = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
  if (!inShort.resolvedOptions().locale.startsWith('en')) return inShort.format(count, unit)
  // In English as app/src/parts/live/intl.rs has it: "2 h ago", where browsers write "2 hr. ago".
  const sign = { hour: 'h', minute: 'min', second: 's' }[String(unit)]
  if (!sign || count === 0) return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(count, unit)
  const span = `${Math.abs(count)}\u00a0${sign}`
  return count < 0 ? `${span} ago` : `in ${span}`
}

/**
 * A time, or the span up to another. With an offset it is the local time of a place that many seconds ahead of UTC.
 *
 * @param {number} at @param {string | undefined} until @param {string} style @param {string | undefined} offset
 */
function absolute(at, until, style, offset) {
  const moved = Number(offset ?? 0) * 1000
  // Within half a day, a time of day needs no date.
  const isNear = Math.abs(Date.now() - at) < 43_200_000
  const options = STYLES[style === 'since' && isNear ? 'time' : style] ?? { dateStyle: 'medium', timeStyle: 'short' }
  const formatter = new Intl.DateTimeFormat(undefined, offset === undefined ? options : { ...options, timeZone: 'UTC' })
  return until === undefined ? formatter.format(at + moved) : formatter.formatRange(at + moved, Date.parse(until) + moved)
}

/** Sets a clock to the current time. On a page with widgets, its bundle keeps the clock running. @param {HTMLElement} clock */
function writeClock(clock) {
  const { zone, locale, cycle, seconds } = clock.dataset
  const city = clock.querySelector('.clock-city')
  try {
    const formatter = (/** @type {Intl.DateTimeFormatOptions} */ options) => new Intl.DateTimeFormat(locale || undefined, { timeZone: zone || undefined, ...options })
    const hourCycle = /** @type {'h12' | 'h23' | undefined} */ (cycle)
    const time = formatter({ hour: 'numeric', minute: 'numeric', second: seconds === undefined ? undefined : 'numeric', hourCycle })
    const date = formatter({ weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' })
    clock.querySelector('.clock-time')?.replaceChildren(time.format())
    clock.querySelector('.clock-date')?.replaceChildren(date.format())
    if (city && !city.textContent) city.textContent = time.resolvedOptions().timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  } catch {
    // The time zone or the format is still being typed.
  }
}
