import type { Stored } from '../fields/field.ts'
import type { Control } from '../fields/control.ts'
import type { AnyModel } from '../declare/model.ts'

/** Ids of rows, or where there are many, SQL that selects them. Its length is 0 for none. */
export type Ids = readonly number[] | string

/** A stored text at the end of a relation path: the column of a model, on a row alias. */
export interface TextPlace {
  model: AnyModel
  column: string
  t: string
  /** Id of the custom field whose text it is, where the column holds those. */
  custom?: number
}

/** What a filter may ask while it turns values into an SQL condition on row alias `t` of `model`. */
export interface FilterContext {
  readonly t: string
  readonly model: AnyModel
  /** Binds a value; answers its placeholder. */
  bind: (value: Stored) => string
  /**
   * Condition on the end of a relation path: follows references, link tables and reverse relations; `leaf` gets the SQL
   * expression there, and where it is a column its place.
   */
  at: (path: string, leaf: (expression: string, place?: TextPlace) => string) => string
  /**
   * The rows among which are all that hold a text in a column, by lookup suffix; undefined where no index knows that
   * they are few.
   */
  holding: (place: TextPlace, lookup: string, text: string) => Ids | undefined
  /** Those of a column's values that hold a text, where it has few different ones; undefined where it has many. */
  valuesHolding: (place: TextPlace, lookup: string, text: string) => readonly string[] | undefined
  /** The declared model of a name. */
  related: (name: string) => AnyModel
  /** Rows of a model whose attribute has a value. */
  idsOf: (model: string, attribute: string, value: string) => Ids
  /** The result depends on this table. */
  uses: (table: string) => void
  /** Who asks. */
  readonly userId: number | null
  alias: () => string
}

/** One query parameter and its lookups. */
export interface Filter {
  /** Suffixes besides the bare name (`?name__ic=`). */
  readonly lookups: readonly string[]
  /** SQL condition, or undefined when the values are to be ignored. Throws `FilterError`. */
  readonly compile: (values: readonly string[], lookup: string, context: FilterContext) => string | undefined
  /** JSON schema of one value. */
  readonly schema: object
  /** How a form asks for a value; absent: a line of text. */
  readonly control?: Control
  /** Repeating the parameter gives alternatives; else the last value wins. */
  readonly multiple: boolean
  /** Its values are ids of objects of this model, to which this path leads. */
  readonly follows?: { readonly model: string; readonly path: string }
}

/** A value that the filter cannot take: 400 with this text under the parameter's name. */
export class FilterError extends Error {}

export const CharLookups = [
  'n',
  'ic',
  'nic',
  'iew',
  'niew',
  'isw',
  'nisw',
  'ie',
  'nie',
  'empty',
  'regex',
  'iregex',
] as const
export const CharLookupsNoEmpty = CharLookups.filter((l) => l !== 'empty')
export const NumberLookups = ['n', 'lte', 'lt', 'gte', 'gt', 'empty'] as const

/** SQL of the lookups that compare, by suffix. */
export const Comparisons: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }

/** The condition that is true exactly where the other is not, NULL rows included. */
export const not = (condition: string): string => `(${condition}) is not true`
/** Alternatives, without those that hold for no row. */
export const anyOf = (conditions: readonly string[]): string => {
  const possible = conditions.filter((condition) => condition !== 'false')
  return possible.length ? joined(possible, ' or ') : 'false'
}
/** Conditions that hold together. */
export const allOf = (conditions: readonly string[]): string => joined(conditions, ' and ')

/** Many conditions are nested in groups, as SQLite bounds the depth of an expression. */
function joined(conditions: readonly string[], operator: ' and ' | ' or '): string {
  if (conditions.length === 1) return conditions[0]!
  if (conditions.length <= 100) return `(${conditions.join(operator)})`
  const groups = Array.from({ length: Math.ceil(conditions.length / 100) }, (_, i) =>
    joined(conditions.slice(i * 100, i * 100 + 100), operator),
  )
  return joined(groups, operator)
}

/** Past this many values a list is bound as one JSON text: SQLite finds a named parameter by walking all of them. */
const MaxBound = 16

/** Whether values are bound as one list. */
export const isList = (values: readonly unknown[]): boolean => values.length > MaxBound

/** Whether an expression is one of some values. */
export function among(expression: string, values: readonly Stored[], bind: FilterContext['bind']): string {
  if (values.length === 1) return `${expression} = ${bind(values[0]!)}`
  if (isList(values)) return `${expression} in (select value from json_each(${bind(JSON.stringify(values))}))`
  return `${expression} in (${values.map(bind).join(', ')})`
}

/** SQL that selects all ids of several sets. */
export function selecting(sets: readonly Ids[], bind: FilterContext['bind']): string {
  const ids = sets.filter((set) => typeof set !== 'string').flat()
  const selects = sets.filter((set) => typeof set === 'string')
  if (ids.length) selects.push(`select value from json_each(${bind(JSON.stringify(ids))})`)
  return selects.join(' union ')
}

/** Whether an expression is an id of some sets of rows. */
export function amongRows(expression: string, sets: readonly Ids[], bind: FilterContext['bind']): string {
  const isFew = sets.every((set) => typeof set !== 'string')
  return isFew ? among(expression, sets.flat(), bind) : `${expression} in (${selecting(sets, bind)})`
}

/** true/True/2 and false/False/3; anything else is ignored. */
export const truthOf = (raw: string): boolean | undefined =>
  ['true', 'True', '2'].includes(raw) ? true : ['false', 'False', '3'].includes(raw) ? false : undefined

/** Conditions where the relation path leads nowhere. */
export const missing = (path: string, c: FilterContext): string => not(c.at(path, (x) => `${x} is not null`))
