const two = (n: number): string => String(n).padStart(2, '0')

function day(year: number, month: number, date: number): string | undefined {
  const made = new Date(Date.UTC(2000, 0, 1))
  made.setUTCFullYear(year, month - 1, date)
  const fits =
    year >= 1 && made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === date
  return fits ? `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}` : undefined
}

/** A calendar day as `YYYY-MM-DD`; undefined when there is none. */
export function parseDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim())
  return match ? day(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

/** A day, an hour and a minute, what follows, and an offset. */
const Moment =
  /^(\d{4}-\d{1,2}-\d{1,2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * A moment in UTC, `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`: ISO 8601, a space for the T, a day for its midnight; without an
 * offset it is UTC.
 */
export function parseDateTime(text: string): string | undefined {
  const trimmed = text.trim()
  const date = parseDate(trimmed)
  if (date) return `${date}T00:00:00Z`
  const match = Moment.exec(trimmed)
  const start = match && parseDate(match[1]!)
  if (!start) return undefined
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(match[6] ?? '')
  if (offset && (Number(offset[2]) > 23 || Number(offset[3] ?? 0) > 59)) return undefined
  const shift = offset ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) : 0
  const moment = new Date(Date.parse(`${start}T${two(hour)}:${two(minute)}:${two(second)}Z`) - shift * 60_000)
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return undefined
  const fraction = (match[5] ?? '').padEnd(6, '0')
  return `${moment.toISOString().slice(0, 19)}${Number(fraction) ? `.${fraction}` : ''}Z`
}

/**
 * A moment as rows keep it, with six digits of a second, so that texts sort as moments do: of one of `parseDateTime`.
 */
export function storedMoment(text: string): string {
  const [, start, digits = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(text) ?? []
  return `${start}.${digits.padEnd(6, '0')}Z`
}

/** A moment as rows keep it, of milliseconds since 1970. */
export const momentAt = (ms: number): string => storedMoment(new Date(ms).toISOString())

let last = 0
let setBack = 0
/** How often this thread saw that its clock had been ahead by more than a minute, and was set right. */
export const timesSetBack = (): number => setBack

/** Microseconds by which a clock may be set back without that times go back too. */
const SetBack = 60_000_000
/**
 * This moment with microseconds, `YYYY-MM-DDTHH:MM:SS.ffffffZ`; each later than the one before in a thread, unless the
 * clock was ahead by more than a minute, and is set right.
 */
export function now(): string {
  // The system clock may be set while the server runs, so only the part below a millisecond comes from the monotonic
  // one.
  const clock = Date.now() * 1000 + Math.floor((performance.now() % 1) * 1000)
  const isSetBack = last - clock > SetBack
  if (isSetBack) setBack++
  const micros = isSetBack ? clock : Math.max(last + 1, clock)
  last = micros
  const second = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)
  return `${second}.${String(micros % 1_000_000).padStart(6, '0')}Z`
}
