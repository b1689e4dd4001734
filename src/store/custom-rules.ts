import type { Field, Row } from '../fields/field.ts'
import type { Errors } from '../declare/behaviour.ts'
import { models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { compileRegex } from '../lib/regex.ts'

/** Limits on the value of one field, from the configuration (CUSTOM_VALIDATORS, PROTECTION_RULES). */
interface Limits {
  min?: number
  max?: number
  min_length?: number
  max_length?: number
  regex?: string
  required?: boolean
  prohibited?: boolean
  eq?: unknown
  neq?: unknown
}
/** Rule sets by model name; each set has the limits of fields by name. */
export type RuleSets = Readonly<Record<string, readonly Readonly<Record<string, Limits>>[]>>

type Test = (value: unknown, limit: never) => string | undefined
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : String(value ?? '').length)

/** What each limit demands; an empty value meets all but `required`, `eq` and the least length. */
const Tests: Readonly<Record<keyof Limits, Test>> = {
  min: (value, limit: number) =>
    isEmpty(value) || Number(value) >= limit ? undefined : `Ensure this value is greater than or equal to ${limit}.`,
  max: (value, limit: number) =>
    isEmpty(value) || Number(value) <= limit ? undefined : `Ensure this value is less than or equal to ${limit}.`,
  min_length: (value, limit: number) =>
    sizeOf(value) >= limit
      ? undefined
      : `Ensure this value has at least ${limit} characters (it has ${sizeOf(value)}).`,
  max_length: (value, limit: number) =>
    sizeOf(value) <= limit ? undefined : `Ensure this value has at most ${limit} characters (it has ${sizeOf(value)}).`,
  regex: (value, limit: string) =>
    isEmpty(value) || compileRegex(limit)!(String(value)) ? undefined : `This value must match the pattern ${limit}.`,
  required: (value, limit: boolean) => (!limit || !isEmpty(value) ? undefined : 'This field must not be empty.'),
  prohibited: (value, limit: boolean) => (!limit || isEmpty(value) ? undefined : 'This field must be empty.'),
  eq: (value, limit) => (value === limit ? undefined : `This value must be ${String(limit)}.`),
  neq: (value, limit) => (value === limit ? 'This value is not permitted.' : undefined),
}

/**
 * Value of a field in a row that is being written: a reference's id, a list of what was given, else the stored value.
 */
function storedValue(m: AnyModel, name: string, row: Row, given: Record<string, unknown>): unknown {
  const field = m.fields[name] as Field
  if (field.target) return row[`${name}_id`]
  if (field.judged && name in row) return field.judged(row[name])
  return name in row ? row[name] : given[name]
}

/** Adds the texts of limits that a row breaks. */
export function checkCustomRules(
  rules: RuleSets,
  m: AnyModel,
  row: Row,
  given: Record<string, unknown>,
  errors: Errors,
): void {
  for (const set of rules[m.name] ?? []) {
    for (const [name, limits] of Object.entries(set)) {
      const broken = brokenBy(storedValue(m, name, row, given), limits)
      if (broken.length) errors[name] = [...((errors[name] as string[] | undefined) ?? []), ...broken]
    }
  }
}

/** Why a row may not be deleted: it breaks every set of its model's protection rules. Undefined when it may. */
export function protectedBy(rules: RuleSets, m: AnyModel, row: Row): string | undefined {
  const sets = rules[m.name]
  if (!sets?.length) return undefined
  const broken = sets.map((set) =>
    Object.entries(set).flatMap(([name, limits]) =>
      brokenBy(storedValue(m, name, row, {}), limits).map((text) => `${name}: ${text}`),
    ),
  )
  return broken.every((texts) => texts.length)
    ? `Deletion is prevented by a protection rule: ${broken[0]!.join(' ')}`
    : undefined
}

const brokenBy = (value: unknown, limits: Limits): string[] =>
  (Object.entries(limits) as [keyof Limits, never][]).flatMap(([name, limit]) => Tests[name](value, limit) ?? [])

/** What limits are to be, where anything else means nothing. */
const Forms: Readonly<Record<string, { is: (limit: unknown) => boolean; what: string }>> = {
  ...Object.fromEntries(
    ['min', 'max', 'min_length', 'max_length'].map((limit) => [
      limit,
      {
        is: (value: unknown) => typeof value === 'number' || /^-?\d+(?:\.\d+)?$/.test(String(value)),
        what: 'a number',
      },
    ]),
  ),
  ...Object.fromEntries(
    ['required', 'prohibited'].map((limit) => [
      limit,
      { is: (value: unknown) => typeof value === 'boolean', what: 'true or false' },
    ]),
  ),
  regex: { is: (value) => typeof value === 'string' && Boolean(compileRegex(value)), what: 'a pattern that is valid' },
}

/** What is wrong with rules as configured: an unknown model, field or limit, or a limit that means nothing. */
export const faultsOf = (rules: RuleSets): string[] =>
  Object.entries(rules).flatMap(([name, sets]) => {
    const m = models[name]
    if (!m) return [`${name} is no model`]
    return sets
      .flatMap((set) => Object.entries(set))
      .flatMap(([field, limits]) => {
        if (!Object.hasOwn(m.fields, field)) return [`${name} has no field ${field}`]
        return Object.entries(limits).flatMap(([limit, value]) => {
          if (!Object.hasOwn(Tests, limit))
            return [`${name}.${field}: unknown limit ${limit}; there are ${Object.keys(Tests).join(', ')}`]
          const form = Object.hasOwn(Forms, limit) ? Forms[limit] : undefined
          return form && !form.is(value) ? [`${name}.${field}: ${limit} is not ${form.what}`] : []
        })
      })
  })
