import { RE2JS } from 're2js'
import { Lru } from './lru.ts'

type Test = (text: string) => boolean
const known = new Lru<string, Test | false>(200)

/** Longest pattern, in characters, and largest program, in instructions: counted repetitions multiply those. */
const MaxLength = 2000
const MaxProgram = 2000
/**
 * Milliseconds that matching may take before other requests are served again: patterns of people, and those of many
 * parts.
 */
const TimeLimit = 3000
const TimeLimitOfLarge = 200
const Large = 100
/** Steps of a program that are surely done in a millisecond: each letter of a text takes one of each instruction. */
const StepsPerMs = 100_000

/** Matching took longer than others should wait. */
export class RegexTooSlow extends Error {}

let spent = 0
let isCounting = false

interface Options {
  insensitive?: boolean
  /** A point stands for the end of a line as well: so in the patterns of PostgreSQL, not in those of Python. */
  acrossLines?: boolean
}

/** A test for a pattern anywhere in a text, in time linear in the text; undefined for an invalid pattern. */
export function compileRegex(pattern: string, options: Options = {}): Test | undefined {
  const flags = (options.insensitive ? RE2JS.CASE_INSENSITIVE : 0) | (options.acrossLines ? RE2JS.DOTALL : 0)
  const key = `${flags}/${pattern}`
  const cached = known.get(key)
  if (cached !== undefined) return cached || undefined
  const made = compile(pattern, flags)
  known.set(key, made ?? false)
  return made
}

function compile(pattern: string, flags: number): Test | undefined {
  if (pattern.length > MaxLength) return undefined
  try {
    const compiled = RE2JS.compile(pattern, flags)
    const size = compiled.programSize()
    return size > MaxProgram ? undefined : withTimeLimit((text) => compiled.matcher(text).find(), size)
  } catch {
    return undefined
  }
}

/**
 * Replaces every match of a pattern; `$1` or `\1` in the replacement stand for the first group, as long as there is
 * one. Undefined for a pattern that cannot be; the function throws `RegexTooSlow`.
 */
export function compileReplacing(pattern: string, replacement: string): ((text: string) => string) | undefined {
  if (pattern.length > MaxLength) return undefined
  const into = replacement.replace(/\\(\d)/g, '$$$1')
  try {
    const compiled = RE2JS.compile(pattern)
    const size = compiled.programSize()
    return size > MaxProgram ? undefined : withTimeLimit((text) => compiled.matcher(text).replaceAll(into), size)
  } catch {
    return undefined
  }
}

/**
 * Throws `RegexTooSlow` once the tests since the event loop last turned have taken too long together, or where one
 * would: `size` is that of the program, in instructions.
 */
function withTimeLimit<T>(test: (text: string) => T, size: number): (text: string) => T {
  const limit = size > Large ? TimeLimitOfLarge : TimeLimit
  const tooSlow = () => new RegexTooSlow('The pattern takes too long to match.')
  return (text) => {
    if (text.length * size > limit * StepsPerMs) throw tooSlow()
    if (!isCounting) {
      isCounting = true
      setImmediate(() => {
        spent = 0
        isCounting = false
      })
    }
    const from = performance.now()
    const found = test(text)
    spent += performance.now() - from
    if (spent > limit) throw tooSlow()
    return found
  }
}
