/**
 * JSON whose numbers stay what they were: JavaScript reads 1.0 as 1 and rounds long integers.
 * Values are plain ones. What a number's text was is noted beside the object or list that holds it.
 */
const noted = new WeakMap<object, Map<string, string>>()

/** A number in a text, outside of most strings, that reading and writing would change. */
const Changed = /[[:,\s]-?(?:\d+\.0+[\s,\]}]|[\d.]+[eE]|\d{16})/

const parseWithSource = JSON.parse as (
  text: string,
  reviver: (this: object, key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** The text of a number where parsing would lose part of it: `1.0`, or an integer past 2^53. */
function kept(value: number, source: string): string | undefined {
  if (!/[.eE]/.test(source)) return Number.isSafeInteger(value) ? undefined : source
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${Object.is(value, -0) ? '-0' : value}.0` : undefined
}

/** As `JSON.parse`, with a note of each number that would come out otherwise. Throws `SyntaxError`. */
export function parseExact(text: string): unknown {
  if (!Changed.test(text)) return JSON.parse(text)
  return parseWithSource(text, function (key, value, { source }) {
    const own = typeof value === 'number' && source !== undefined ? kept(value, source) : undefined
    if (own !== undefined) note(this, key, own)
    if (value === Infinity || value === -Infinity) throw new SyntaxError('a number is too large')
    return value
  })
}

function note(holder: object, key: string, text: string): void {
  const own = noted.get(holder) ?? new Map<string, string>()
  noted.set(holder, own.set(key, text))
}

/** Whether a number in an object or list, or further in, has a note. */
function isNoted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (noted.has(value)) return true
  if (Array.isArray(value)) return value.some(isNoted)
  for (const key in value) if (isNoted((value as Record<string, unknown>)[key])) return true
  return false
}

/** As `JSON.stringify`, with numbers as they were read. */
export const stringifyExact = (value: unknown, indent?: number): string =>
  // With `withNotes`, which is called for each member, it takes five times as long.
  JSON.stringify(value, isNoted(value) ? withNotes : undefined, indent)

function withNotes(this: object, key: string, inner: unknown): unknown {
  const text = typeof inner === 'number' ? noted.get(this)?.get(key) : undefined
  return text !== undefined && Number(text) === inner ? rawJSON(text) : inner
}

/** A number that is written as this text, which is one in JSON. */
export const numberOfText = (text: string): object => rawJSON(text) as object

/** The text of a noted number. */
export const numberText = (holder: object, key: string): string | undefined => noted.get(holder)?.get(key)

/** `{ ...under, ...over }`, with the notes of both. */
export function spreadExact(under: object, over: object): Record<string, unknown> {
  const all: Record<string, unknown> = carryNumbers(under, { ...under })
  for (const [key, value] of Object.entries(over)) {
    all[key] = value
    carryNumbers(over, all, key)
  }
  return all
}

/** Carries the notes of an object or list, or of one member, over to its copy. */
export function carryNumbers<T extends object>(from: object, to: T, key?: string): T {
  if (key !== undefined) {
    const text = numberText(from, key)
    if (text === undefined) noted.get(to)?.delete(key)
    else note(to, key, text)
  } else for (const [name, text] of noted.get(from) ?? []) note(to, name, text)
  return to
}
