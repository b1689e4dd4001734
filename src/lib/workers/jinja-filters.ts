import type { Environment } from 'minijinja-js'
import { ByZero } from './dialect.ts'
import { boundsOf, formatAddress, formatHost, fromBigInt, networkOf, parseAddress } from '../ip.ts'

/**
 * `%s` style formatting of one value, as far as templates use it: flags, width, precision and the types d, i, f, s, r,
 * x, X, o, e.
 */
export function format(pattern: string, values: readonly unknown[]): string {
  let next = 0
  return pattern.replace(
    /%(%|([-+0 #]*)(\d{0,3})(?:\.(\d{1,2}))?([diufFeEsrxXo]))/g,
    (_, whole: string, flags: string, width: string, precision: string | undefined, type: string) => {
      if (whole === '%') return '%'
      if (next >= values.length) throw new Error('not enough arguments for format string')
      const value = values[next++]
      const text = shown(value, type, precision === undefined ? undefined : Number(precision))
      const signed = 'diufFeE'.includes(type) && !text.startsWith('-') && flags.includes('+') ? `+${text}` : text
      const size = Number(width || 0)
      if (flags.includes('-')) return signed.padEnd(size)
      return flags.includes('0') && 'diufFeExXo'.includes(type)
        ? signed.replace(
            /^([-+]?)(.*)$/,
            (_all, sign: string, digits: string) => sign + digits.padStart(size - sign.length, '0'),
          )
        : signed.padStart(size)
    },
  )
}

function shown(value: unknown, type: string, precision: number | undefined): string {
  if (type === 's' || type === 'r')
    return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, precision)
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
  return text
    .split('\n')
    .map((line) =>
      line
        .split(' ')
        .reduce((lines, word) => {
          const last = lines.at(-1)
          if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
          else lines.push(word)
          return lines
        }, [] as string[])
        .join('\n'),
    )
    .join('\n')
}

/** The member of an object that says how it is printed. */
export const Printed = '__str__'

/** A value as Python prints it; `isWithin` another one. None comes as undefined. */
function printed(value: unknown, isWithin = false): string {
  if (value === undefined || value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return isWithin ? quoted(value) : value
  if (Array.isArray(value)) return `[${value.map((each) => printed(each, true)).join(', ')}]`
  if (!(value instanceof Map)) return String(value)
  const own = value.get(Printed) as unknown
  if (own !== undefined) return String(own)
  return `{${[...value].map(([key, inner]) => `${printed(key, true)}: ${printed(inner, true)}`).join(', ')}}`
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `${mark}${escaped.replaceAll(mark, `\\${mark}`)}${mark}`
}

const host = (family: 4 | 6, n: bigint): string => formatHost({ bytes: fromBigInt(family, n) })

/**
 * A part of an address with its mask: what `ip`, `network`, `netmask`, `broadcast`, `prefixlen`, `version` and `cidr`
 * say of it.
 */
function addressPart(text: string, part: string): string | number {
  const address = parseAddress(text)
  if (!address) throw new Error(`${text} is not an address`)
  const { first, last } = boundsOf(address)
  const ones = (1n << BigInt(address.family === 4 ? 32 : 128)) - 1n
  switch (part) {
    case 'ip':
      return formatHost(address)
    case 'network':
      return host(address.family, first)
    case 'broadcast':
      return host(address.family, last)
    case 'netmask':
      return host(address.family, ones - (last - first))
    case 'prefixlen':
      return address.length
    case 'version':
      return address.family
    default:
      return formatAddress(networkOf(address))
  }
}

const MaxWidth = 10_000
const centred = (text: string, width = 80): string =>
  text
    .padStart(text.length + Math.floor((Math.min(width, MaxWidth) - text.length) / 2))
    .padEnd(Math.min(width, MaxWidth))

/**
 * Filters that Jinja has and the engine does not. A filter must not throw into the engine: what it says is kept for
 * after the rendering.
 */
export function addFilters(environment: Environment, isStrict: boolean): { message?: string } {
  const failure: { message?: string } = {}
  const add = (name: string, filter: (...values: any[]) => unknown) =>
    environment.addFilter(name, (...values: unknown[]) => {
      try {
        return filter(...values)
      } catch (error) {
        failure.message ??= `${name}: ${(error as Error).message}`
        return ''
      }
    })
  environment.addFilter(ByZero, () => {
    failure.message ??= 'division by zero'
    return ''
  })
  add('printed', (value) => printed(value))
  add('string', (value) => {
    if (value === undefined && isStrict) throw new Error('the value is undefined or None')
    return value === undefined ? '' : printed(value)
  })
  add('format', (pattern, ...values) => format(String(pattern), values))
  add('center', (text, width) => centred(String(text), width))
  add('wordcount', (text) => String(text).match(/\w+/g)?.length ?? 0)
  add('wordwrap', (text, width) => wordWrap(String(text), width))
  add('address_part', (text, part) => addressPart(String(text), String(part)))
  add('urlencode', (text) => encodeURIComponent(String(text)).replaceAll('%2F', '/'))
  return failure
}
