import { carryNumbers, parseExact } from './exact-json.ts'

/** Whether a value of JSON is an object: a list is none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
const byLength = (a: string, b: string): number => {
  if (isAscii(a) && isAscii(b)) return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length - right.length || Buffer.compare(left, right)
}

/** The same value with the keys of every object ordered by length, then bytewise, both in UTF-8. */
export function sortKeysByLength(value: unknown): unknown {
  if (Array.isArray(value)) return carryNumbers(value, value.map(sortKeysByLength))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .sort(([a], [b]) => byLength(a, b))
    .map(([key, inner]) => [key, sortKeysByLength(inner)] as const)
  return carryNumbers(value, Object.fromEntries(entries))
}

/** A value out of JSON as a text. `String` fails on an object that has a member `toString`, whoever wrote it. */
export const textOfJson = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/**
 * Parses a JSON text from outside. Refuses nesting past `maxDepth`, lone surrogates and NUL characters; drops members
 * named `__proto__`.
 */
export function parseJson(text: string, options: { maxDepth?: number } = {}): { value: unknown } | { error: string } {
  const deep = tooDeep(text, options.maxDepth ?? 64)
  if (deep) return { error: 'the document nests too deeply' }
  let value: unknown
  try {
    value = parseExact(text)
  } catch (error) {
    return { error: (error as Error).message.slice(0, 200) }
  }
  if (/\\u(?:d[89ab]|d[c-f])/i.test(text) && !wellFormed(value)) return { error: 'a string has a lone surrogate' }
  if (text.includes('\\u0000') && hasNul(value)) return { error: 'a string has a NUL character' }
  // Letters of the name may come as escapes.
  if (/__proto__|\\u00[567]/i.test(text)) drop(value)
  return { value }
}

function tooDeep(text: string, max: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (quoted) {
      if (c === 92) i++
      else if (c === 34) quoted = false
    } else if (c === 34) quoted = true
    else if (c === 91 || c === 123) {
      if (++depth > max) return true
    } else if (c === 93 || c === 125) depth--
  }
  return false
}

/**
 * Why a value is too much to be kept: more than `bytes` of JSON text or nested deeper than `depth`; undefined when it
 * is not.
 */
export function excessOfJson(value: unknown, { bytes, depth }: { bytes: number; depth: number }): string | undefined {
  const text = JSON.stringify(value)
  if (tooDeep(text, depth)) return `Ensure this value nests no deeper than ${depth} levels.`
  if (Buffer.byteLength(text) > bytes) return `Ensure this value has no more than ${bytes} bytes of JSON.`
  return undefined
}

const every = (value: unknown, fits: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? fits(value)
    : Array.isArray(value)
      ? value.every((inner) => every(inner, fits))
      : typeof value === 'object' && value !== null
        ? Object.entries(value).every(([key, inner]) => fits(key) && every(inner, fits))
        : true
const wellFormed = (value: unknown): boolean => every(value, (text) => text.isWellFormed())
const hasNul = (value: unknown): boolean => !every(value, (text) => !text.includes('\0'))

function drop(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const inner of Object.values(value)) drop(inner)
}
