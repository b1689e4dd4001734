import {
  Comparisons,
  among,
  anyOf,
  CharLookupsNoEmpty,
  type Filter,
  type FilterContext,
  FilterError,
  not,
  truthOf,
} from './filter.ts'
import { textFilter } from './string.ts'

/** The "app.model" of a generic reference or content type column; an unknown type finds nothing. */
export function contentTypeFilter(path: string, options?: { as?: string; char?: boolean }): Filter {
  return {
    lookups: options?.char ? CharLookupsNoEmpty : ['n'],
    multiple: true,
    control: { as: 'types', feature: 'all', multiple: true },
    schema: { type: 'string' },
    compile: (values, lookup, c) => {
      if (options?.char) return listed(path, values, lookup, c)
      const condition = c.at(path, (e) =>
        among(
          e,
          values.map((value) => value.toLowerCase()),
          c.bind,
        ),
      )
      return lookup === 'n' ? not(condition) : condition
    },
  }
}

/** A condition on the types that a JSON list holds. */
function listed(path: string, values: readonly string[], lookup: string, c: FilterContext): string | undefined {
  if (lookup === 'empty') return textFilter(path, values, lookup, c)
  const isNegative = lookup.startsWith('n')
  const positive = isNegative ? lookup.slice(1) : lookup
  const condition = c.at(
    path,
    (e) =>
      `exists (select 1 from json_each(${e}) each
        where ${textFilter('value', values, positive, { ...c, at: (_path, leaf) => leaf('each.value') })})`,
  )
  return isNegative ? not(condition) : condition
}

const isKnown = (value: string, c: FilterContext): boolean =>
  /^\d{1,9}$/.test(value) && c.idsOf('core.objecttype', 'id', value).length > 0

/** A content type by the numeric id of its object type, which must exist unless ids are compared as numbers. */
export function typeIdFilter(path: string, lookups: readonly string[] = ['n'], options?: { single?: boolean }): Filter {
  return {
    lookups,
    multiple: !options?.single,
    schema: { type: 'integer' },
    compile: (given, lookup, c) => {
      const values = options?.single ? given.slice(-1) : given
      if (lookup === 'empty') {
        const wanted = truthOf(values.at(-1)!)
        return wanted === undefined ? undefined : c.at(path, (e) => `${e} is ${wanted ? '' : 'not '}null`)
      }
      const isNumber = lookups.includes('gt')
      const ids = values.filter((value) => isNumber || value !== 'null')
      const wrong = ids.find((value) => (isNumber ? !/^\d{1,9}$/.test(value) : !isKnown(value, c)))
      if (wrong !== undefined)
        throw new FilterError(
          isNumber ? 'Enter a whole number.' : `Select a valid choice. ${wrong} is not one of the available choices.`,
        )
      c.uses('core_objecttype')
      const names = `(select app_label || '.' || model from core_objecttype
        where ${ids.length ? named(ids, lookup, c) : 'false'})`
      const condition = c.at(path, (e) => {
        const found = `case when ${e} like '[%' then exists (select 1 from json_each(${e}) where value in ${names})
          else ${e} in ${names} end`
        return ids.length < values.length ? `(${found} or ${e} is null or ${e} = '[]')` : found
      })
      return lookup === 'n' ? not(condition) : condition
    },
  }
}

const named = (values: readonly string[], lookup: string, c: FilterContext): string => {
  const comparison = Comparisons[lookup]
  return comparison
    ? anyOf(values.map((value) => `id ${comparison} ${c.bind(Number(value))}`))
    : among('id', values.map(Number), c.bind)
}
