import { isDeepStrictEqual } from 'node:util'
import { compileRegex, RegexTooSlow } from '../lib/regex.ts'
import { isObject, textOfJson } from '../lib/json.ts'

/** A comparison of one attribute, or several conditions of which all or one must hold. */
type Condition =
  | { attr: string; value: unknown; op?: string; negate?: boolean }
  | { and: Condition[] }
  | { or: Condition[] }

/** An attribute that the object does not have, or a value that cannot be compared: the rule does not apply. */
class NotComparable extends Error {}

const number = (x: unknown): number => {
  if (typeof x !== 'number') throw new NotComparable()
  return x
}
/** Patterns hold from the start of the text, as those of custom fields do. */
const pattern = (text: string) => compileRegex(`^(?:${text})`)

const Operators: Record<
  string,
  { test: (actual: unknown, wanted: any) => boolean; takes: (wanted: unknown) => boolean; what: string }
> = {
  eq: { test: (a, b) => isDeepStrictEqual(a, b), takes: () => true, what: 'any value' },
  neq: { test: (a, b) => !isDeepStrictEqual(a, b), takes: () => true, what: 'any value' },
  ...Object.fromEntries(
    Object.entries({
      gt: (a: number, b: number) => a > b,
      gte: (a: number, b: number) => a >= b,
      lt: (a: number, b: number) => a < b,
      lte: (a: number, b: number) => a <= b,
    }).map(([name, test]) => [
      name,
      {
        test: (a: unknown, b: number) => test(number(a), b),
        takes: (b: unknown) => typeof b === 'number',
        what: 'a number',
      },
    ]),
  ),
  in: {
    test: (a, b: unknown[] | string) =>
      typeof b === 'string' ? b.includes(textOfJson(a)) : b.some((x) => isDeepStrictEqual(x, a)),
    takes: (b) => Array.isArray(b) || typeof b === 'string',
    what: 'a list',
  },
  contains: {
    test: (a, b) => {
      if (typeof a === 'string') return a.includes(textOfJson(b))
      if (Array.isArray(a)) return a.some((x) => isDeepStrictEqual(x, b))
      throw new NotComparable()
    },
    takes: () => true,
    what: 'any value',
  },
  regex: {
    test: (a, b: string) => {
      if (typeof a !== 'string') throw new NotComparable()
      return pattern(b)!(a)
    },
    takes: (b) => typeof b === 'string' && pattern(b) !== undefined,
    what: 'a regular expression',
  },
}

/** Why these are no conditions of an event rule; undefined when they are. An empty object is none at all. */
export function checkConditions(value: unknown): string | undefined {
  return isObject(value) && Object.keys(value).length === 0 ? undefined : refusal(value)
}

function refusal(value: unknown): string | undefined {
  if (!isObject(value))
    return 'Conditions must be an object: {"and": [...]}, {"or": [...]} or {"attr": ..., "value": ...}.'
  const keys = Object.keys(value)
  if (keys.includes('and') || keys.includes('or')) {
    const parts = value[keys[0]!]
    if (keys.length !== 1) return 'A group of conditions has one member, "and" or "or".'
    if (!Array.isArray(parts) || parts.length === 0) return `"${keys[0]}" needs a list of conditions.`
    return parts.map(refusal).find((text) => text !== undefined)
  }
  const unknown = keys.find((key) => !['attr', 'value', 'op', 'negate'].includes(key))
  if (unknown !== undefined) return `A condition has no member "${unknown}".`
  if (typeof value.attr !== 'string' || value.attr === '') return 'A condition needs "attr", the path of an attribute.'
  if (!('value' in value) || isObject(value.value)) return 'A condition needs "value", which is not an object.'
  if ('negate' in value && typeof value.negate !== 'boolean') return '"negate" is true or false.'
  const op = 'op' in value ? value.op : 'eq'
  const operator = typeof op === 'string' && Object.hasOwn(Operators, op) ? Operators[op] : undefined
  if (!operator) return `Unknown operator: ${JSON.stringify(op)}. Known are ${Object.keys(Operators).join(', ')}.`
  return operator.takes(value.value) ? undefined : `The operator "${op}" needs ${operator.what}.`
}

/** Whether an object, as the API shows it, meets conditions that `checkConditions` let pass. */
export function meets(conditions: unknown, object: unknown): boolean {
  if (!isObject(conditions) || Object.keys(conditions).length === 0) return true
  try {
    return holds(conditions as Condition, object)
  } catch (error) {
    if (error instanceof NotComparable || error instanceof RegexTooSlow) return false
    throw error
  }
}

function holds(condition: Condition, object: unknown): boolean {
  if ('and' in condition) return condition.and.every((part) => holds(part, object))
  if ('or' in condition) return condition.or.some((part) => holds(part, object))
  const actual = condition.attr.split('.').reduce(member, object)
  return Operators[condition.op ?? 'eq']!.test(actual, condition.value) !== (condition.negate ?? false)
}

/** One step of a path; of a list, that member of each item. */
function member(of: unknown, name: string): unknown {
  if (Array.isArray(of)) return of.map((item) => member(item, name))
  if (!isObject(of) || !Object.hasOwn(of, name)) throw new NotComparable()
  return of[name]
}
