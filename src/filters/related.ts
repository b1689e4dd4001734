import { q } from '../lib/sql.ts'
import {
  amongRows,
  anyOf,
  type Filter,
  type FilterContext,
  FilterError,
  type Ids,
  missing,
  not,
  selecting,
} from './filter.ts'

interface RelatedOptions {
  /** Attribute of the target that the value names; default its id. */
  by?: string
  /** The target is a tree: descendants match too. */
  tree?: boolean
  single?: boolean
  lookups?: readonly string[]
}

/**
 * Objects at the end of a path, by id or attribute. A value that names nothing is refused; `null` finds rows without
 * one, or without that attribute of one.
 */
export function relatedFilter(path: string, model: string, options?: RelatedOptions): Filter {
  const by = options?.by ?? 'id'
  return {
    lookups: options?.lookups ?? ['n'],
    multiple: !options?.single,
    control: { as: 'pick', model, multiple: !options?.single, by },
    schema: { type: by === 'id' ? 'integer' : 'string' },
    ...(by === 'id' ? { follows: { model, path } } : {}),
    compile: (all, lookup, c) => {
      const values = options?.single ? all.slice(-1) : all
      const rows = values.filter((value) => value !== 'null').map((value) => named(model, by, value, c))
      const parts: string[] = []
      if (rows.length) parts.push(c.at(path, (e) => within(e, rows, model, options?.tree ?? false, c)))
      if (values.includes('null')) parts.push(...without(path, model, by, c))
      return lookup === 'n' ? not(anyOf(parts)) : anyOf(parts)
    },
  }
}

/** Rows without an object at the end of a path, and where it may lack the attribute, those with one that does. */
function without(path: string, model: string, by: string, c: FilterContext): string[] {
  const mayLack = c.related(model).fields[by]?.options.nullable === true
  return [missing(path, c), ...(mayLack ? [c.at(`${path}.${by}`, (e) => `${e} is null`)] : [])]
}

/** The objects that a value names. Throws `FilterError` for none. */
export function named(model: string, by: string, value: string, c: FilterContext): Ids {
  if (by === 'id' && !/^\s*\d{1,15}\s*$/.test(value))
    throw new FilterError(by === 'id' ? `Select a valid choice. ${value} is not one of the available choices.` : '')
  const ids = c.idsOf(model, by, value)
  if (ids.length === 0) throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
  return ids
}

function within(expression: string, rows: readonly Ids[], model: string, tree: boolean, c: FilterContext): string {
  if (!tree) return amongRows(expression, rows, c.bind)
  const table = c.related(model).table
  c.uses(table)
  return `${expression} in (${descendantsSql(table, selecting(rows, c.bind))})`
}

/** SQL of the ids that some SQL selects, and of every row below them in the tree. */
const descendantsSql = (table: string, selected: string): string =>
  `with recursive below(id) as (${selected} union select k.id from ${q(table)} k
    join below on k.parent_id = below.id) select id from below`
