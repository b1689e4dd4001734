import { isObject } from '../lib/json.ts'
import type { Field, Stored } from '../fields/field.ts'
import { among, amongRows, anyOf, Comparisons, type FilterContext, type TextPlace } from '../filters/filter.ts'
import { MaxLike, textAmong, textCondition, textConditions } from '../filters/string.ts'
import { lit } from '../lib/sql.ts'
import { Refusal } from './refusal.ts'

type Given = Readonly<Record<string, unknown>>
type Bind = (value: Stored) => string

/** How values of an input are compared: as what they are stored, and as text. */
interface Kind {
  readonly bind: Bind
  readonly stored: (value: unknown) => Stored
  readonly text: (e: string) => string
  /** Of a column of texts: where that is, and who knows which of its rows hold one. */
  readonly known?: Known
}
interface Known extends Pick<FilterContext, 'bind' | 'holding' | 'valuesHolding'> {
  readonly place: TextPlace
}

/** Conditions on a text, in the letters as they are. */
const Plain: Readonly<Record<string, (e: string, bound: string) => string>> = {
  contains: (e, bound) =>
    `iif(length(${bound}) > ${MaxLike}, text_holds(${e}, ${bound}, 'contains'), instr(${e}, ${bound}) > 0)`,
  starts_with: (e, bound) => `substr(${e}, 1, length(${bound})) = ${bound}`,
  ends_with: (e, bound) => `(${bound} = '' or substr(${e}, -length(${bound})) = ${bound})`,
}
/** The forms of them that hold for the same texts and more. */
const Wider: Readonly<Record<string, string>> = { contains: 'ic', starts_with: 'isw', ends_with: 'iew' }
/** Those that our other filters have too, by the names they have there. */
const Folded: Readonly<Record<string, string>> = {
  i_exact: 'ie',
  i_contains: 'ic',
  i_starts_with: 'isw',
  i_ends_with: 'iew',
  regex: 'regex',
  i_regex: 'iregex',
}

const whole = (sql: string) => `cast(${sql} as integer)`
const quarter = (e: string) => `((${whole(`substr(${e}, 6, 2)`)} + 2) / 3)`
/** Parts of a stored moment. */
const Parts: Readonly<Record<string, (e: string) => string>> = {
  year: (e) => whole(`substr(${e}, 1, 4)`),
  month: (e) => whole(`substr(${e}, 6, 2)`),
  day: (e) => whole(`substr(${e}, 9, 2)`),
  hour: (e) => whole(`substr(${e}, 12, 2)`),
  minute: (e) => whole(`substr(${e}, 15, 2)`),
  second: (e) => whole(`substr(${e}, 18, 2)`),
  week_day: (e) => `${whole(`strftime('%w', substr(${e}, 1, 10))`)} + 1`,
  iso_week_day: (e) => whole(`strftime('%u', substr(${e}, 1, 10))`),
  week: (e) => whole(`strftime('%V', substr(${e}, 1, 10))`),
  iso_year: (e) => whole(`strftime('%G', substr(${e}, 1, 10))`),
  quarter,
  date: (e) => `substr(${e}, 1, 10)`,
  time: (e) => `substr(${e}, 12, 15)`,
}
/** Inputs that are one of others: what stands below these is compared as if it stood in their place. */
const Within = new Set(['filter_lookup', 'comparison_lookup'])

/** The condition of an input of lookups on an expression: all of them together; undefined for none. */
export function lookups(e: string, given: Given, kind: Kind): string | undefined {
  const conditions = Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => lookup(e, name, value, kind))
    .filter((condition) => condition !== undefined)
  return conditions.length ? `(${conditions.join(' and ')})` : undefined
}

const isGiven = (value: unknown): value is Given => isObject(value)

function lookup(e: string, name: string, value: unknown, kind: Kind): string | undefined {
  const { bind, stored, text } = kind
  if (name === 'is_null') return `${e} is ${value ? '' : 'not '}null`
  if (name === 'in_list') return listed(e, value as readonly unknown[], kind)
  if (name === 'range' || name === 'range_lookup') return between(e, value as Given, kind)
  if (Within.has(name)) return lookups(e, value as Given, kind)
  if (name === 'exact') return isGiven(value) ? lookups(e, value, kind) : oneOf(e, [stored(value)], kind)
  if (Comparisons[name]) return `${e} ${Comparisons[name]} ${bind(stored(value))}`
  if (Plain[name]) return amongKnown(Plain[name](text(e), bind(String(value))), Wider[name]!, String(value), kind)
  if (Folded[name]) return folded(text(e), Folded[name], String(value), kind)
  if (Parts[name])
    return lookups(Parts[name](e), value as Given, kindOf(name === 'date' || name === 'time' ? 'Str' : 'Part', bind))
  throw new Refusal(`${name} compares nothing`)
}

function listed(e: string, values: readonly unknown[], kind: Kind): string | undefined {
  if (values.length === 0) return 'false'
  if (values.some(isGiven)) return anyOf(values.map((value) => lookups(e, value as Given, kind) ?? 'true'))
  return oneOf(e, values.map(kind.stored), kind)
}

function oneOf(e: string, values: readonly Stored[], { known, bind }: Kind): string {
  const isText = values.every((value) => typeof value === 'string')
  return known && isText ? textAmong(e, known.place, values, known) : among(e, values, bind)
}

const folded = (e: string, lookup: string, value: string, { known, bind }: Kind): string =>
  known ? textCondition(lookup, e, known.place, value, known) : textConditions[lookup]!(e, value, bind)

/** A condition on a text, asked of those rows alone that an index knows to hold it by a wider lookup, if it does. */
function amongKnown(condition: string, lookup: string, text: string, { known }: Kind): string {
  const rows = known?.holding(known.place, lookup, text)
  if (!known || !rows) return condition
  return rows.length ? `(${amongRows(`${known.place.t}.id`, [rows], known.bind)} and ${condition})` : 'false'
}

/** Both ends are included; with one alone nothing is between them. */
function between(e: string, { start, end }: Given, { bind, stored }: Kind): string {
  if (start === null || start === undefined || end === null || end === undefined) return 'false'
  return `${e} between ${bind(stored(start))} and ${bind(stored(end))}`
}

const number = (value: unknown): Stored => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof read !== 'number' || !Number.isFinite(read))
    throw new Refusal(`A number was expected, not ${JSON.stringify(value)?.slice(0, 100)}.`)
  return read
}

/** A number that names an object. Throws `Refusal` for what is none. */
export function idOf(value: unknown): Stored {
  const text = String(value).trim()
  if (!/^[+-]?\d{1,40}$/.test(text))
    throw new Refusal(`An id is a number, not ${JSON.stringify(value)?.slice(0, 100)}.`)
  return Number(text)
}

/**
 * How the values of an input are compared, by its name; `parse` is how the field reads a value from outside. `known`:
 * of what is no more than a column.
 */
export function kindOf(input: string, bind: Bind, parse?: Field['parse'], known?: Known): Kind {
  const asText = (e: string) => `cast(${e} as text)`
  if (input.startsWith('ID')) return { bind, stored: idOf, text: asText }
  if (input.startsWith('Bool'))
    return { bind, stored: (value) => Number(value), text: (e) => `iif(${e}, 'true', 'false')` }
  if (/^(Int(Filter|Comparison|Range|eger)|BigInt|Float|Part)/.test(input))
    return { bind, stored: number, text: asText }
  const stored = (value: unknown): Stored => (parse?.(value) ?? value) as Stored
  return { bind, stored, text: (e) => e, ...(known && { known }) }
}

/** The condition of an input that looks into a JSON list; undefined for none. */
export function inList(e: string, input: string, given: Given, bind: Bind): string | undefined {
  const [name, value] = Object.entries(given)[0] ?? []
  if (value === null || value === undefined) return undefined
  if (name === 'length') return `json_array_length(${e}) = ${bind(Number(value))}`
  if (input === 'IntegerRangeArrayLookup')
    return `exists (select 1 from json_each(${e}) r
      where ${bind(Number(value))} between r.value ->> 0 and r.value ->> 1)`
  if (input === 'ExtraChoicesLookup')
    return `exists (select 1 from json_each(${e}) r, json_each(r.value) v where v.value = ${bind(String(value))})`
  const values = `(select value from json_each(${bind(JSON.stringify(value))}))`
  if (name === 'overlap') return `exists (select 1 from json_each(${e}) j where j.value in ${values})`
  const [all, among] =
    name === 'contains' ? [values, `(select value from json_each(${e}))`] : [`json_each(${e})`, values]
  return `(${e} is not null and not exists (select 1 from ${all} j where j.value not in ${among}))`
}

/** Lookups of a JSON value by the kind that it must have. */
const Types: Readonly<Record<string, string>> = {
  int_range_lookup: "('integer', 'real')",
  int_comparison_lookup: "('integer', 'real')",
  float_range_lookup: "('integer', 'real')",
  float_comparison_lookup: "('integer', 'real')",
  boolean_lookup: "('true', 'false')",
}
const Renamed: Readonly<Record<string, string>> = { in_: 'in_list', isnull: 'is_null' }

/**
 * The condition of a value within a JSON column: `path` names keys with `__` between; undefined where it names none.
 */
export function inJson(e: string, { path, lookup: given }: Given, bind: Bind): string | undefined {
  const keys = String(path).split('__')
  if (keys.some((key) => !/^\w+$/.test(key))) return undefined
  const at = lit(`$${keys.map((key) => `."${key}"`).join('')}`)
  const type = `json_type(${e}, ${at})`
  const [name, value] = Object.entries(given as Given)[0] ?? []
  if (!name || value === null) return undefined
  const renamed = Object.fromEntries(Object.entries(value as Given).map(([key, each]) => [Renamed[key] ?? key, each]))
  const { is_null: isNull, ...rest } = renamed
  const kind = kindOf(name.startsWith('boolean') ? 'Bool' : Types[name] ? 'Float' : 'Str', bind)
  const compared = name.includes('range')
    ? lookup(`(${e} ->> ${at})`, 'range', rest, kind)
    : lookups(`(${e} ->> ${at})`, rest, kind)
  const conditions = [
    ...(isNull === undefined || isNull === null ? [] : [`${type} is ${isNull ? '' : 'not '}null`]),
    ...(compared ? [Types[name] ? `(${type} in ${Types[name]} and ${compared})` : compared] : []),
  ]
  return conditions.length ? `(${conditions.join(' and ')})` : undefined
}
