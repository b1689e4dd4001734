import * as v from 'valibot'
import { dateFilter } from '../filters/number.ts'
import { parseDate, parseDateTime, storedMoment } from '../lib/datetime.ts'
import type { Control } from './control.ts'
import { type Graph, required } from './graph.ts'
import { type Common, type Field, isRequired, type Nullable, type Omittable, type Row } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import { q } from '../lib/sql.ts'
import { isNone, none, plainTexts } from './texts.ts'

/** SQL of a stored moment as shown: without a fraction when it is zero. */
const momentJson = (sql: string): string => `replace(${sql}, '.000000Z', 'Z')`

const momentParts = {
  date: (sql: string) => `substr(${sql}, 1, 10)`,
  year: (sql: string) => `cast(substr(${sql}, 1, 4) as integer)`,
  month: (sql: string) => `cast(substr(${sql}, 6, 2) as integer)`,
  day: (sql: string) => `cast(substr(${sql}, 9, 2) as integer)`,
}

/** A day as it is; a moment with its offset, and a fraction where it has one. */
const graphOf = (kind: 'date' | 'datetime', o: Common): Graph =>
  kind === 'date'
    ? { type: `Date${required(o.nullable)}`, input: 'DateFilterLookup' }
    : {
        type: `DateTime${required(o.nullable)}`,
        sql: (t, name) => `replace(replace(${t}.${q(name)}, '.000000Z', 'Z'), 'Z', '+00:00')`,
        input: 'DatetimeFilterLookup',
      }

const made = <O extends Common>(
  kind: 'date' | 'datetime',
  parse: (raw: unknown) => string | undefined,
  message: string,
  options: O | undefined,
): Field<{ cols: { '': Nullable<O, string> }; in: Nullable<O, string>; optional: Omittable<O> }> => {
  const o: Common = options ?? {}
  const type = { type: o.nullable ? ['string', 'null'] : 'string', format: kind === 'date' ? 'date' : 'date-time' }
  const self = {
    kind,
    ...plainTexts(o),
    fromShown: (shown: unknown) => (isNone(shown) ? none(o) : parse(shown)),
    parts: momentParts,
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: { type: 'text' as const, null: o.nullable ?? false, ...(o.index ? { index: true } : {}) },
    }),
    write: (value: unknown, name: string) => ({ [name]: value as string | null }),
    output: (t: string, name: string) => [
      [name, kind === 'date' ? `${t}.${q(name)}` : momentJson(`${t}.${q(name)}`)] as const,
    ],
    snapshot: (row: Row, name: string) => ({
      [name]: typeof row[name] === 'string' ? (row[name] as string).replace('.000000Z', 'Z') : null,
    }),
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    flat: (t: string, name: string) => self.output(t, name),
    parse: (raw: unknown) => (raw === null ? null : parse(raw)),
    filters: (name: string) => ({ [name]: dateFilter(name, kind) }),
    graphql: graphOf(kind, o),
    control: (): Control =>
      kind === 'date' ? { as: 'line', type: 'date' } : { as: 'line', type: 'datetime-local', step: 1 },
    ...(kind === 'datetime' ? { look: 'moment' as const } : {}),
    describe: (name: string): Record<string, OptionFacts> => facts(kind, name, self),
    schema: (name: string) => ({ [name]: { read: type, write: type } }),
    input: () => {
      const one = v.pipe(
        v.custom((x) => parse(x) !== undefined, message),
        v.transform((x) => parse(x)!),
      )
      return o.nullable ? v.nullable(one) : one
    },
  }
  return self
}

const moment = (raw: unknown): string | undefined => {
  const text = typeof raw === 'string' ? parseDateTime(raw) : undefined
  return text === undefined ? undefined : storedMoment(text)
}

/** A calendar day, `YYYY-MM-DD`. */
export const date = <const O extends Common = {}>(options?: O) =>
  made(
    'date',
    (raw) => (typeof raw === 'string' ? parseDate(raw) : undefined),
    'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
    options,
  )
/** A moment in UTC with microseconds. */
export const datetime = <const O extends Common = {}>(options?: O) =>
  made(
    'datetime',
    moment,
    'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    options,
  )
