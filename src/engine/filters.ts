import type { Field, Stored } from '../fields/field.ts'
import { type Filter, type FilterContext, FilterError, anyOf, type TextPlace } from '../filters/filter.ts'
import { numberFilter } from '../filters/number.ts'
import { textCondition } from '../filters/string.ts'
import { q } from '../lib/sql.ts'
import { fieldsOf, memo, modelNamed } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { along, comparing, type PathContext, segmentsOf } from './paths.ts'

/** One parameter as a request may give it: its filter and the lookup of its suffix. */
export interface Parameter {
  filter: Filter
  lookup: string
}

/** Every filter of a model by its bare name: those its fields bring, then its own. */
export const filtersOf = memo((m: AnyModel): ReadonlyMap<string, Filter> => {
  const filters = new Map<string, Filter>([['id', numberFilter('id')]])
  for (const [name, field] of fieldsOf(m) as [string, Field][]) {
    if (field.options.filter === false || field.options.hidden || !field.filters) continue
    for (const [parameter, filter] of Object.entries(field.filters(name))) filters.set(parameter, filter)
  }
  for (const [parameter, filter] of Object.entries(m.filters ?? {})) {
    if (filter) filters.set(parameter, filter)
    else filters.delete(parameter)
  }
  if (m.search) filters.set('q', searchFilter(m))
  return filters
})

/** Every query parameter of a model's list, lookups spelled out. */
export const parametersOf = memo((m: AnyModel): ReadonlyMap<string, Parameter> => {
  const parameters = new Map<string, Parameter>()
  for (const [name, filter] of filtersOf(m)) {
    parameters.set(name, { filter, lookup: '' })
    for (const lookup of filter.lookups) parameters.set(`${name}__${lookup}`, { filter, lookup })
  }
  return parameters
})

/** `?q=`: rows where any of the searched paths holds the text, without case. */
function searchFilter(m: AnyModel): Filter {
  const search = m.search!
  return {
    lookups: [],
    multiple: false,
    schema: { type: 'string' },
    compile: (values, lookup, c) => {
      const value = values.at(-1)!.trim()
      if (!value) return undefined
      const looked = (paths: readonly string[] = [], how: string) =>
        paths.map((path) => c.at(path, (e, place) => textCondition(how, e, place, value, c)))
      const parts = [...looked(search.text, 'ic'), ...looked(search.starts, 'isw')]
      for (const path of search.equal ?? []) parts.push(c.at(path, (e) => `${e} = ${c.bind(value)}`))
      if (/^\d{1,15}$/.test(value))
        for (const path of search.integer ?? []) parts.push(c.at(path, (e) => `${e} = ${c.bind(Number(value))}`))
      const also = search.also?.([value], lookup, c)
      if (also) parts.push(also)
      return parts.length ? anyOf(parts) : 'false'
    },
  }
}

/**
 * `?_called=`: rows that are called so, as pickers show them, which they ask where `?q=` finds nothing: `AS65001`,
 * `S (3001)`. Of models with very many rows none, as each would have to be looked at.
 */
const Called = '_called'
const calledFilter = memo((m: AnyModel): Filter => {
  const compile: Filter['compile'] = (values, _lookup, c) => {
    if (typeof m.display === 'string' || !isFoundAsCalled(m)) return 'false'
    return textCondition('ic', `(${m.display(c.t, comparing(m, c))})`, undefined, values.at(-1)!.trim(), c)
  }
  return { lookups: [], multiple: false, schema: { type: 'string' }, compile }
})
/** Whether objects are called by more than one member, and found by that. */
export const isFoundAsCalled = (m: AnyModel): boolean => typeof m.display === 'function' && !m.large
const openFilter = (m: AnyModel, name: string): Parameter | undefined =>
  name === Called ? { filter: calledFilter(m), lookup: '' } : m.openFilter?.(name)

/** What compiling needs of the store. */
export interface FilterSource extends PathContext {
  bind: (value: Stored) => string
  idsOf: FilterContext['idsOf']
  holding: FilterContext['holding']
  valuesHolding: FilterContext['valuesHolding']
  userId: number | null
  /** Another filter of custom field `name`, or undefined when there is none. */
  custom: (m: AnyModel, name: string) => Parameter | undefined
}

/** The filter context of row alias `t`. */
export function contextOn(m: AnyModel, t: string, source: FilterSource): FilterContext {
  return {
    t,
    model: m,
    bind: source.bind,
    idsOf: source.idsOf,
    holding: source.holding,
    valuesHolding: source.valuesHolding,
    userId: source.userId,
    uses: source.uses,
    alias: source.alias,
    related: modelNamed,
    at: (path, leaf) =>
      along(
        m,
        t,
        segmentsOf(path),
        (e, _step, row, of) => leaf(e, row && of ? placeOf(of, row, e) : undefined),
        source,
      ),
  }
}

/** The column of row alias `t` that an expression is, where it is one of a field's own name. */
export function placeOf(model: AnyModel, t: string, e: string): TextPlace | undefined {
  const column = e.startsWith(`${t}."`) ? e.slice(t.length + 2, -1) : ''
  return Object.hasOwn(model.fields, column) && e === `${t}.${q(column)}` ? { model, column, t } : undefined
}

/** Values of one parameter that are compared one by one with every row. */
export const MaxCompared = 100
/** Lookups by which most filters bind any number of values as one list. */
const Lists = new Set(['', 'n', 'any', 'empty'])

/**
 * What a parameter's values are compiled with: throws `FilterError` where their condition, or what is searched for it,
 * grows with too many of them.
 */
function boundedBy(values: readonly string[], lookup: string, source: FilterSource): FilterSource {
  if (values.length <= MaxCompared) return source
  let compared = Lists.has(lookup) ? 0 : values.length
  const count = () => {
    if (compared++ >= MaxCompared) throw new FilterError(`Give no more than ${MaxCompared} values.`)
  }
  const counted =
    <A extends unknown[], R>(ask: (...given: A) => R) =>
    (...given: A): R => {
      count()
      return ask(...given)
    }
  return { ...source, bind: counted(source.bind), holding: counted(source.holding) }
}

/** The conditions of a query's filter parameters; unknown ones and empty values are ignored. Throws `FilterRefusal`. */
export function conditionsOf(m: AnyModel, query: URLSearchParams, source: FilterSource): string[] {
  const known = parametersOf(m)
  const refused: Record<string, string[]> = {}
  const conditions: string[] = []
  for (const name of new Set(query.keys())) {
    if (name === 'start') continue // the cursor of every list, also where a field has that name
    const parameter =
      known.get(name) ?? (name.startsWith('cf_') ? source.custom(m, name.slice(3)) : openFilter(m, name))
    if (!parameter) continue
    const given = query.getAll(name).filter((value) => value !== '')
    if (given.length === 0) continue
    const values = parameter.filter.multiple && parameter.lookup !== 'empty' ? [...new Set(given)] : given
    try {
      if (values.some((value) => value.includes('\0'))) throw new FilterError('Null characters are not allowed.')
      const context = contextOn(m, 't', boundedBy(values, parameter.lookup, source))
      const condition = parameter.filter.compile(values, parameter.lookup, context)
      if (condition) conditions.push(condition)
    } catch (error) {
      if (!(error instanceof FilterError)) throw error
      refused[name] = [error.message]
    }
  }
  if (Object.keys(refused).length) throw new FilterRefusal(refused)
  return conditions
}

/** Values that the filters of a query cannot take, by parameter. */
export class FilterRefusal extends Error {
  readonly errors: Record<string, string[]>
  constructor(errors: Record<string, string[]>) {
    super('invalid filter values')
    this.errors = errors
  }
}
