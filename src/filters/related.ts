import { q } from '../tools/sql.ts'
import { among, anyOf, type Filter, type FilterContext, FilterError, missing, not } from './filter.ts'

export interface RelatedOptions {
  /** Attribute of the target that the value names; default its id. */
  by?: string
  /** The target is a tree: descendants match too. */
  tree?: boolean
  single?: boolean
  lookups?: readonly string[]
}

/** Objects at the end of a path, by id or attribute. A value that names nothing is refused; `null` finds rows without one. */
export function relatedFilter(path: string, model: string, options?: RelatedOptions): Filter {
  const by = options?.by ?? 'id'
  return {
    lookups: options?.lookups ?? ['n'],
    multiple: !options?.single,
    schema: { type: by === 'id' ? 'integer' : 'string' },
    compile: (all, lookup, c) => {
      const values = options?.single ? all.slice(-1) : all
      const ids = values.filter((value) => value !== 'null').flatMap((value) => named(model, by, value, c))
      const parts: string[] = []
      if (ids.length) parts.push(c.at(path, (e) => within(e, ids, model, options?.tree ?? false, c)))
      if (values.includes('null')) parts.push(missing(path, c))
      return lookup === 'n' ? not(anyOf(parts)) : anyOf(parts)
    },
  }
}

/** Ids of the objects that a value names. Throws `FilterError` for none. */
export function named(model: string, by: string, value: string, c: FilterContext): number[] {
  if (by === 'id' && !/^\s*\d{1,15}\s*$/.test(value))
    throw new FilterError(by === 'id' ? `Select a valid choice. ${value} is not one of the available choices.` : '')
  const ids = c.idsOf(model, by, value)
  if (ids.length === 0) throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
  return ids
}

function within(expression: string, ids: readonly number[], model: string, tree: boolean, c: FilterContext): string {
  if (!tree) return among(expression, ids, c.bind)
  const table = c.related(model).table
  c.uses(table)
  return `${expression} in (${descendantsSql(table, c.bind(JSON.stringify(ids)))})`
}

/** SQL of the ids in a JSON list and of every row below them in the tree. */
export const descendantsSql = (table: string, list: string): string =>
  `with recursive below(id) as (select value from json_each(${list}) union select k.id from ${q(table)} k join below on k.parent_id = below.id) select id from below`
