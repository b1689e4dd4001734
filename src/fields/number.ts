import * as v from 'valibot'
import { numberFilter } from '../filters/number.ts'
import type { Control } from './control.ts'
import { required } from './graph.ts'
import { fitDecimal } from '../lib/decimal.ts'
import { type Common, type Field, isRequired, type Nullable, type Omittable, type Row, type Sum } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import { q } from '../lib/sql.ts'
import { isNone, none, numberOf, scalarTexts } from './texts.ts'

interface IntegerOptions extends Common {
  min?: number
  max?: number
  default?: number
  sum?: Sum
}

const whole = (raw: unknown): number | undefined => {
  if (typeof raw === 'string' && !/^\s*[+-]?\d+(\.0*)?\s*$/.test(raw)) return undefined
  const n = typeof raw === 'string' ? Number(raw) : raw
  return typeof n === 'number' && Number.isSafeInteger(n) ? n : undefined
}

/** Whole number input: 5, 5.0, "5", " 7 "; unsafe integers are refused. */
export const integerInput = v.pipe(
  v.custom<string | number>((x) => whole(x) !== undefined, 'A valid integer is required.'),
  v.transform((x) => whole(x)!),
)

/** Whether values up to this limit need more than 32 bits, which clients made of the OpenAPI document must know. */
const isLong = (max = Infinity): boolean => max > 2 ** 31 - 1

/** A whole number. */
export function integer<const O extends IntegerOptions = {}>(
  options?: O,
): Field<{ cols: { '': Nullable<O, number> }; in: Nullable<O, number>; optional: Omittable<O> }> {
  const o: IntegerOptions = options ?? {}
  const type = { type: o.nullable ? ['integer', 'null'] : 'integer', ...(isLong(o.max) ? { format: 'int64' } : {}) }
  const limits = {
    ...(o.min === undefined ? {} : { minimum: o.min }),
    ...(o.max === undefined ? {} : { maximum: o.max }),
  }
  const self = {
    kind: 'integer',
    ...scalarTexts(o, whole),
    fromShown: (shown: unknown) => (isNone(shown) ? none(o) : Number(shown)),
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    ...(o.sum ? { sum: o.sum } : {}),
    columns: (name: string) => ({
      [name]: {
        type: 'integer' as const,
        null: o.nullable ?? false,
        ...(o.default === undefined
          ? (o.readOnly || o.hidden) && !o.nullable
            ? { default: 0 }
            : {}
          : { default: o.default }),
        ...(o.index ? { index: true } : {}),
      },
    }),
    write: (value: unknown, name: string) => ({ [name]: value as number | null }),
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => (raw === null ? null : whole(raw)),
    filters: (name: string) => ({ [name]: numberFilter(name) }),
    graphql: { type: `Int${required(o.nullable)}`, input: 'IntegerLookup' },
    control: (): Control => ({ as: 'line', type: 'number', least: o.min, most: o.max, step: 1 }),
    describe: (name: string): Record<string, OptionFacts> =>
      facts('integer', name, self, {
        ...(o.min === undefined ? {} : { min_value: o.min }),
        ...(o.max === undefined ? {} : { max_value: o.max }),
      }),
    schema: (name: string) => ({ [name]: { read: type, write: { ...type, ...limits } } }),
    input: () => {
      const one = v.pipe(
        integerInput,
        v.check((x) => x >= (o.min ?? -Infinity), `Ensure this value is greater than or equal to ${o.min}.`),
        v.check((x) => x <= (o.max ?? Infinity), `Ensure this value is less than or equal to ${o.max}.`),
      )
      return o.nullable ? v.nullable(one) : one
    },
  }
  return self
}

interface DecimalOptions extends Common {
  digits: number
  places: number
  min?: number
  max?: number
  default?: number
}

const Refused: Record<string, (o: DecimalOptions) => string> = {
  invalid: () => 'A valid number is required.',
  digits: (o) => `Ensure that there are no more than ${o.digits} digits in total.`,
  places: (o) => `Ensure that there are no more than ${o.places} decimal places.`,
  whole: (o) => `Ensure that there are no more than ${o.digits - o.places} digits before the decimal point.`,
}

/** A number with a fixed count of places; a JSON number with a fraction (1.0), a text in change records ("1.00"). */
export function decimal<const O extends DecimalOptions>(
  options: O,
): Field<{ cols: { '': Nullable<O, number> }; in: Nullable<O, number | string>; optional: Omittable<O> }> {
  const o: DecimalOptions = options
  const type = { type: o.nullable ? ['number', 'null'] : 'number', format: 'double' }
  const beyond = 10 ** (o.digits - o.places)
  const self = {
    kind: 'decimal',
    ...scalarTexts(o, numberOf),
    fromShown: (shown: unknown) => (isNone(shown) ? none(o) : Number(shown)),
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: {
        type: 'real' as const,
        null: o.nullable ?? false,
        ...(o.default === undefined ? {} : { default: o.default }),
      },
    }),
    write: (value: unknown, name: string) => ({ [name]: value as number | null }),
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    snapshot: (row: Row, name: string) => ({ [name]: row[name] === null ? null : Number(row[name]).toFixed(o.places) }),
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) =>
      raw === null ? null : raw !== '' && Number.isFinite(Number(raw)) ? Number(raw) : undefined,
    filters: (name: string) => ({ [name]: numberFilter(name, { decimal: true }) }),
    graphql: {
      type: `Decimal${required(o.nullable)}`,
      sql: (t: string, name: string) => decimalText(`${t}.${q(name)}`, o.places),
      input: 'FloatLookup',
    },
    control: (): Control => ({ as: 'line', type: 'number', least: o.min, most: o.max, step: 'any' }),
    describe: (name: string): Record<string, OptionFacts> =>
      facts('decimal', name, self, {
        ...(o.min === undefined ? {} : { min_value: o.min }),
        ...(o.max === undefined ? {} : { max_value: o.max }),
        max_digits: o.digits,
        decimal_places: o.places,
      }),
    schema: (name: string) => ({
      [name]: {
        read: type,
        write: {
          ...type,
          ...(o.min === undefined ? { minimum: -beyond, exclusiveMinimum: true } : { minimum: o.min }),
          ...(o.max === undefined ? { maximum: beyond, exclusiveMaximum: true } : { maximum: o.max }),
        },
      },
    }),
    input: () => {
      const one = v.pipe(
        v.custom<string | number>((x) => typeof x === 'string' || typeof x === 'number', 'A valid number is required.'),
        v.rawTransform<string | number, number>(({ dataset, addIssue, NEVER }) => {
          const fit = fitDecimal(String(dataset.value).trim(), o.digits, o.places)
          if (typeof fit === 'string') return Number(fit)
          addIssue({ message: Refused[fit.error]!(o) })
          return NEVER
        }),
        v.check((x) => x >= (o.min ?? -Infinity), `Ensure this value is greater than or equal to ${o.min}.`),
        v.check((x) => x <= (o.max ?? Infinity), `Ensure this value is less than or equal to ${o.max}.`),
      )
      return o.nullable ? v.nullable(one) : one
    },
  }
  return self
}

/** SQL of a number as a text with this many places; null for none. */
const decimalText = (sql: string, places: number): string => `iif(${sql} is null, null, printf('%.${places}f', ${sql}))`
