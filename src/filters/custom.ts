import { parseDate, parseDateTime } from '../lib/datetime.ts'
import { isWide } from '../lib/wide-integers.ts'
import { lit, q } from '../lib/sql.ts'
import type { Definition } from '../store/custom-fields.ts'
import {
  Comparisons,
  among,
  amongRows,
  anyOf,
  CharLookups,
  type Filter,
  type FilterContext,
  FilterError,
  isList,
  not,
  NumberLookups,
  truthOf,
} from './filter.ts'
import { textConditions } from './string.ts'

interface CustomKind {
  lookups: readonly string[]
  schema: object
  positive: (e: string, value: string, lookup: string, c: FilterContext, d: Definition) => string
  /** One of many values, by itself; absent: they are compared one by one. */
  listed?: (e: string, values: readonly string[], c: FilterContext) => string
}

const number = (value: string, whole: boolean): number => {
  if (value.trim() === '' || !Number.isFinite(Number(value)) || (whole && !Number.isInteger(Number(value))))
    throw new FilterError(whole ? 'Enter a whole number.' : 'Enter a number.')
  return Number(value)
}
const ordered = (
  read: (value: string) => string | number,
  schema: object,
  bound = (value: string, c: FilterContext) => c.bind(read(value)),
): CustomKind => ({
  lookups: NumberLookups,
  schema,
  positive: (e, value, lookup, c) => `${e} ${Comparisons[lookup] ?? '='} ${bound(value, c)}`,
  listed: (e, values, c) => among(e, values.map(read), c.bind),
})
/** A whole number, exactly where JavaScript would round it and SQLite does not. */
const exactly = (value: string, c: FilterContext): string => {
  const known = number(value, true)
  return Number.isSafeInteger(known) || !isWide(value) ? c.bind(known) : c.bind(BigInt(value.trim()))
}
/** Decimals may be stored as texts. */
const decimal: CustomKind = {
  ...ordered((value) => number(value, false), { type: 'number' }),
  positive: (e, value, lookup, c) => `${e} + 0 ${Comparisons[lookup] ?? '='} ${c.bind(number(value, false))}`,
  listed: (e, values, c) =>
    among(
      `${e} + 0`,
      values.map((value) => number(value, false)),
      c.bind,
    ),
}
const day = (value: string): string => {
  const parsed = parseDate(value)
  if (parsed === undefined) throw new FilterError('Enter a valid date.')
  return parsed
}
const moment = (value: string): string => {
  const parsed = parseDateTime(value)
  if (parsed === undefined) throw new FilterError('Enter a valid date/time.')
  return parsed
}
/** Moments are kept as they were given, with a zone or without: both sides are brought to one form. */
const datetime: CustomKind = {
  lookups: NumberLookups,
  schema: { type: 'string', format: 'date-time' },
  positive: (e, value, lookup, c) =>
    `julianday(${e}) ${Comparisons[lookup] ?? '='} julianday(${c.bind(moment(value))})`,
  listed: (e, values, c) =>
    `julianday(${e}) in (select julianday(value) from json_each(${c.bind(JSON.stringify(values.map(moment)))}))`,
}
const textual: CustomKind = {
  lookups: CharLookups,
  schema: { type: 'string' },
  positive: (e, value, lookup, c, d) => {
    const form = lookup === '' || lookup === 'n' ? (lookup === '' && d.filter_logic === 'loose' ? 'ic' : '') : lookup
    const place = { model: c.model, column: 'custom_field_data', t: c.t, custom: d.id }
    const rows = c.holding(place, form || 'ie', value)
    if (rows?.length === 0) return 'false'
    const condition = form ? textConditions[form]!(e, value, c.bind) : `${e} = ${c.bind(value)}`
    return rows ? `(${amongRows(`${c.t}.id`, [rows], c.bind)} and ${condition})` : condition
  },
  listed: (e, values, c) => among(e, values, c.bind),
}
const member = (read: (value: string) => string | number): CustomKind => ({
  lookups: ['n', 'empty'],
  schema: {},
  positive: (e, value, _lookup, c) => `exists (select 1 from json_each(${e}) where value = ${c.bind(read(value))})`,
  listed: (e, values, c) => `exists (select 1 from json_each(${e}) where ${among('value', values.map(read), c.bind)})`,
})

/** Filters of `?cf_<name>` by the custom field's type; a type that is not listed has none. */
const kinds: Record<string, CustomKind> = {
  text: textual,
  longtext: textual,
  url: textual,
  integer: ordered((value) => number(value, true), { type: 'integer' }, exactly),
  decimal,
  date: ordered(day, { type: 'string', format: 'date' }),
  datetime,
  boolean: {
    lookups: [],
    schema: { type: 'boolean' },
    positive: (e, value) => (truthOf(value) === undefined ? 'true' : `${e} = ${Number(truthOf(value))}`),
  },
  select: {
    ...textual,
    positive: (e, value, lookup, c, d) => textual.positive(e, value, lookup, c, { ...d, filter_logic: 'exact' }),
  },
  multiselect: member((value) => value),
  object: ordered((value) => number(value, true), { type: 'integer' }),
  multiobject: member((value) => number(value, true)),
}

/** The filter and lookup that `cf_<name>` stands for, if there is such a custom field and it can be filtered. */
export function customParameter(
  definitions: readonly Definition[],
  name: string,
): { filter: Filter; lookup: string } | undefined {
  const [field, lookup = ''] = name.split('__') as [string, string?]
  const d = definitions.find((each) => each.name === field && each.filter_logic !== 'disabled')
  const kind = d && kinds[d.type]
  if (!kind || (lookup !== '' && !kind.lookups.includes(lookup))) return undefined
  return { filter: filterOf(d, kind), lookup }
}

function filterOf(d: Definition, kind: CustomKind): Filter {
  return {
    lookups: kind.lookups,
    multiple: true,
    schema: kind.schema,
    compile: (values, lookup, c) => {
      const e = `(${c.t}.custom_field_data ->> ${lit(`$."${d.name}"`)})`
      if (lookup === 'empty') {
        const wanted = truthOf(values.at(-1)!)
        const filled = there(e, d, c) ?? `(${e} is not null and ${e} <> '' and ${e} <> '[]')`
        return wanted === undefined ? undefined : wanted ? not(filled) : filled
      }
      const negative = ['n', 'nic', 'nisw', 'niew', 'nie'].includes(lookup)
      const form = lookup === 'n' ? 'n' : negative ? lookup.slice(1) : lookup
      const plain = values.filter((value) => value !== 'null')
      const isLoose = form === '' && d.filter_logic === 'loose' && kind === textual
      const isListed = kind.listed && isList(plain) && (form === '' || form === 'n') && !isLoose
      const one = (value: string) => kind.positive(e, value, form, c, d)
      // none is no number
      const compared = Comparisons[form] ? (value: string) => `(${e} <> '' and ${one(value)})` : one
      const parts = isListed ? [kind.listed!(e, plain, c)] : plain.map(compared)
      if (plain.length < values.length) parts.push(d.type === 'object' ? not(there(e, d, c)!) : `${e} is null`)
      return negative ? not(anyOf(parts)) : anyOf(parts)
    },
  }
}

/** Where a custom field names an object that is there: one that was deleted is shown as none. */
function there(e: string, { type, related_object_type: model }: Definition, c: FilterContext): string | undefined {
  if (!model) return undefined
  const { table } = c.related(model)
  c.uses(table)
  const among = type === 'object' ? `= ${e}` : `in (select value from json_each(${e}))`
  return `exists (select 1 from ${q(table)} o where o.id ${among})`
}
