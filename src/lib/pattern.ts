/** A pattern that cannot be read, or that stands for more texts than it may. */
export class PatternError extends Error {}

/**
 * A bracket with numbers, letters or words in it: `[1-24]`, `[a-d]`, `[ge,xe]`, `[1,3,5-8]`. Quotes and braces make
 * none.
 */
const Bracket = /\[([^[\]{}"]*)\]/g
/** Longest number of a range, in digits. */
const MaxDigits = 9

/**
 * The texts that a pattern stands for, in order: each bracket stands for its numbers (with the zeros that the first
 * has), letters or words, the last bracket running fastest. Other text stands for itself, also brackets without a range
 * or a list. Throws `PatternError`, also for more than `max` texts.
 */
export function expand(pattern: string, max = 1000): string[] {
  let texts = ['']
  let at = 0
  for (const found of pattern.matchAll(Bracket)) {
    const items = itemsOf(found[1]!, max)
    if (!items) continue
    const before = pattern.slice(at, found.index)
    if (texts.length * items.length > max) throw new PatternError(`This stands for more than ${max}.`)
    texts = texts.flatMap((text) => items.map((item) => text + before + item))
    at = found.index + found[0].length
  }
  const rest = pattern.slice(at)
  return rest ? texts.map((text) => text + rest) : texts
}

/** What the inside of a bracket stands for; undefined where it has neither a range nor a list. */
function itemsOf(inside: string, max: number): string[] | undefined {
  const parts = inside.split(',')
  const ranges = parts.map((part) => rangeOf(part, max))
  if (parts.length === 1 && !ranges[0]) return undefined
  return parts.flatMap((part, i) => ranges[i] ?? [part])
}

function rangeOf(part: string, max: number): string[] | undefined {
  const numbers = /^(\d+)-(\d+)$/.exec(part)
  if (numbers) return numbersOf(part, numbers[1]!, numbers[2]!, max)
  const letters = /^([a-z])-([a-z])$/.exec(part) ?? /^([A-Z])-([A-Z])$/.exec(part)
  if (!letters) return undefined
  const [first, last] = [letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0)]
  if (first > last) throw new PatternError(`${part} ends before it begins.`)
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i))
}

function numbersOf(part: string, from: string, to: string, max: number): string[] {
  if (from.length > MaxDigits || to.length > MaxDigits) throw new PatternError(`${part} has too many digits.`)
  const [first, last] = [Number(from), Number(to)]
  if (first > last) throw new PatternError(`${part} ends before it begins.`)
  if (last - first >= max) throw new PatternError(`${part} stands for more than ${max}.`)
  const width = from.startsWith('0') ? from.length : 0
  return Array.from({ length: last - first + 1 }, (_, i) => String(first + i).padStart(width, '0'))
}
