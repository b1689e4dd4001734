import type { Environment } from 'minijinja-js'

/** `%s` style formatting of one value, as far as templates use it: flags, width, precision and the types d, i, f, s, r, x, X, o, e. */
export function format(pattern: string, values: readonly unknown[]): string {
  let next = 0
  return pattern.replace(/%(%|([-+0 #]*)(\d{0,3})(?:\.(\d{1,2}))?([diufFeEsrxXo]))/g, (_, whole: string, flags: string, width: string, precision: string | undefined, type: string) => {
    if (whole === '%') return '%'
    if (next >= values.length) throw new Error('not enough arguments for format string')
    const value = values[next++]
    const text = shown(value, type, precision === undefined ? undefined : Number(precision))
    const signed = 'diufFeE'.includes(type) && !text.startsWith('-') && flags.includes('+') ? `+${text}` : text
    const size = Number(width || 0)
    if (flags.includes('-')) return signed.padEnd(size)
    return flags.includes('0') && 'diufFeExXo'.includes(type) ? signed.replace(/^([-+]?)(.*)$/, (_all, sign: string, digits: string) => sign + digits.padStart(size - sign.length, '0')) : signed.padStart(size)
  })
}

function shown(value: unknown, type: string, precision: number | undefined): string {
  if (type === 's' || type === 'r') return (typeof value === 'string' ? value : JSON.stringify(value) ?? '').slice(0, precision)
  const number = Number(value)
  if (!Number.isFinite(number)) throw new Error(`a number is required for %${type}`)
  if ('diu'.includes(type)) return String(Math.trunc(number))
  if ('fF'.includes(type)) return number.toFixed(precision ?? 6)
  if ('eE'.includes(type)) return number.toExponential(precision ?? 6)
  const digits = Math.trunc(number).toString(type === 'o' ? 8 : 16)
  return type === 'X' ? digits.toUpperCase() : digits
}

/** Lines of at most `width` letters, broken between words. */
export function wordWrap(text: string, width = 79): string {
  return text.split('\n').map((line) => line.split(' ').reduce((lines, word) => {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
    return lines
  }, [] as string[]).join('\n')).join('\n')
}

const MaxWidth = 10_000
const centred = (text: string, width = 80): string => text.padStart(text.length + Math.floor((Math.min(width, MaxWidth) - text.length) / 2)).padEnd(Math.min(width, MaxWidth))

/** Filters that Jinja has and the engine does not. A filter must not throw into the engine: what it says is kept for after the rendering. */
export function addFilters(environment: Environment): { message?: string } {
  const failure: { message?: string } = {}
  const add = (name: string, filter: (...values: any[]) => unknown) => environment.addFilter(name, (...values: unknown[]) => {
    try {
      return filter(...values)
    } catch (error) {
      failure.message ??= `${name}: ${(error as Error).message}`
      return ''
    }
  })
  add('format', (pattern, ...values) => format(String(pattern), values))
  add('center', (text, width) => centred(String(text), width))
  add('wordcount', (text) => String(text).match(/\w+/g)?.length ?? 0)
  add('wordwrap', (text, width) => wordWrap(String(text), width))
  add('urlencode', (text) => encodeURIComponent(String(text)).replaceAll('%2F', '/'))
  return failure
}
