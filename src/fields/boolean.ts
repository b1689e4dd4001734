import * as v from 'valibot'
import { booleanFilter } from '../filters/boolean.ts'
import type { Control } from './control.ts'
import { required } from './graph.ts'
import type { Common, Field, Nullable, Omittable, Row, Stored } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import { q } from '../lib/sql.ts'
import { isNone, none, scalarTexts } from './texts.ts'

interface BooleanOptions extends Common {
  default?: boolean
}

const Words = new Map<unknown, boolean>([
  ...['true', '1', 't', 'y', 'yes', 'on'].map((w) => [w, true] as const),
  ...['false', '0', 'f', 'n', 'no', 'off'].map((w) => [w, false] as const),
  [true, true],
  [false, false],
  [1, true],
  [0, false],
])
const truth = (raw: unknown): boolean | undefined => Words.get(typeof raw === 'string' ? raw.trim().toLowerCase() : raw)

/**
 * True or false, stored as 1 or 0. Takes true and false, 1 and 0, and the words `true`, `yes`, `on`, `false`, `no`,
 * `off` and their first letters.
 */
export function boolean<const O extends BooleanOptions = {}>(
  options?: O,
): Field<{ cols: { '': Nullable<O, 0 | 1> }; in: Nullable<O, boolean>; optional: Omittable<O> }> {
  const o: BooleanOptions = options ?? {}
  const type = { type: o.nullable ? ['boolean', 'null'] : 'boolean' }
  const self = {
    kind: 'boolean',
    ...scalarTexts(o, truth),
    fromShown: (shown: unknown) => (isNone(shown) ? none(o) : Boolean(shown)),
    options: o,
    required: o.required ?? (o.default === undefined && !o.nullable && !o.readOnly && !o.hidden),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: {
        type: 'integer' as const,
        null: o.nullable ?? false,
        ...(o.nullable ? {} : { default: o.default ? 1 : 0 }),
      },
    }),
    write: (value: unknown, name: string) => ({ [name]: value === null ? null : value ? 1 : 0 }),
    output: (t: string, name: string) => [[name, jsonBoolean(`${t}.${q(name)}`)] as const],
    snapshot: (row: Row, name: string) => ({ [name]: row[name] === null ? null : row[name] === 1 }),
    judged: (stored: Stored | undefined) => stored === 1,
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => (raw === null ? null : truth(raw) === undefined ? undefined : Number(truth(raw))),
    filters: (name: string) => ({ [name]: booleanFilter(name) }),
    graphql: {
      type: `Boolean${required(o.nullable)}`,
      sql: (t: string, name: string) => jsonBoolean(`${t}.${q(name)}`),
      input: 'BoolFilterLookup',
    },
    control: (): Control => ({ as: o.nullable ? 'truth' : 'check' }),
    describe: (name: string): Record<string, OptionFacts> => facts('boolean', name, self),
    schema: (name: string) => ({ [name]: { read: type, write: type } }),
    input: () => {
      const one = v.pipe(
        v.custom((x) => truth(x) !== undefined, 'Must be a valid boolean.'),
        v.transform((x) => truth(x)!),
      )
      return o.nullable ? v.nullable(one) : one
    },
  }
  return self
}

/** True or false that a body may say and no row keeps; a write's rules find it among `given`. */
export function flag(options: { default: boolean; help?: string }): Field<{ cols: {}; in: boolean; optional: true }> {
  const base = boolean({
    writeOnly: true,
    filter: false,
    apiDefault: options.default ? 1 : 0,
    default: options.default,
    required: false,
    ...(options.help ? { help: options.help } : {}),
  })
  return {
    kind: 'flag',
    ...scalarTexts({}, truth),
    options: base.options,
    required: false,
    readOnly: false,
    columns: () => ({}),
    output: () => [],
    input: base.input!,
    control: base.control!,
    describe: base.describe,
    schema: (name) => ({ [name]: { write: { type: 'boolean', default: options.default } } }),
  }
}

/** SQL that makes a JSON true, false or null of a 0/1 expression. */
export const jsonBoolean = (sql: string): string =>
  `json(case ${sql} when 1 then 'true' when 0 then 'false' else 'null' end)`
