import type { Choices } from '../fields/choice.ts'
import type { Field } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import type { Filter } from '../filters/filter.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { fieldsOf, genericPrefix, memo, type Relation } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import { enumName } from './enums.ts'
import { filterName, graphicOf, isShown, shownModels } from './names.ts'
import { type Word, wayOf, wordsOf } from './words.ts'

/** One member of a filter: the type of its input, and what it compares on row alias `t`. */
export type Comparison =
  /** A value, by the lookups of the input; `isList`: each item of a JSON list, of which one must match. */
  | { as: 'value'; input: string; of: (t: string, c: SqlContext) => string; isList: boolean; parse: Field['parse'] }
  /** Objects at the end of some relations, by a filter of their own. */
  | { as: 'related'; input: string; way: readonly Relation[] }
  /** The id of an object that is referred to; of a content type by the id of its object type. */
  | { as: 'key'; input: 'ID'; of: (t: string) => string; isType: boolean; way: readonly Relation[] }
  /** A node of a tree, and those around it. */
  | { as: 'node'; input: 'TreeNodeFilter'; way: readonly Relation[] }
  /** An "app.model" text, or each of a JSON list of them, by the two parts of it. */
  | { as: 'type'; input: string; of: (t: string) => string; isList: boolean }
  /** A file: whether there is one, and its name. */
  | { as: 'file'; input: string; of: (t: string) => string }
  /** What no object has: a JSON value, or objects of a model. */
  | { as: 'nothing'; input: string; model: AnyModel | undefined }
  /** A query parameter of the REST API. */
  | { as: 'parameter'; input: string; filter: Filter }

/** Members of a model's filter by name. */
export const comparisonsOf = memo((m: AnyModel): ReadonlyMap<string, Comparison> => {
  const comparisons = new Map<string, Comparison>(derived(m))
  for (const word of wordsOf(graphicOf(m).filters)) {
    if (word.isAway) comparisons.delete(word.name)
    else comparisons.set(word.name, said(m, word))
  }
  return comparisons
})

const Id: Comparison = {
  as: 'value',
  input: 'IDComparisonFilterLookup',
  of: (t) => `${t}.id`,
  isList: false,
  parse: undefined,
}

/** Relations that every model with a feature can be filtered by. */
const Features = { journaling: 'journal_entries', contacts: 'contacts', image_attachments: 'images' }

function derived(m: AnyModel): [string, Comparison][] {
  const found: [string, Comparison][] = [['id', Id]]
  for (const [feature, name] of Object.entries(Features))
    if (m.features?.includes(feature)) found.push([name, related(wayOf(m, name)!)])
  for (const [name, field] of fieldsOf(m)) {
    if (field.options.writeOnly || field.uncompared || (m.tree && name === '_depth')) continue
    if (field.options.hidden) found.push(...ofKept(m, name, field))
    else found.push(...ofField(m, name, field))
  }
  if (m.fields.tenant) {
    found.push(['tenant_group', related(wayOf(m, 'tenant.group')!)])
    found.push(['tenant_group_id', { as: 'node', input: 'TreeNodeFilter', way: wayOf(m, 'tenant.group')! }])
  }
  return found
}

/** A reference that is kept for filters: `_site_group` is compared as `site_group`. */
function ofKept(m: AnyModel, name: string, field: Field): [string, Comparison][] {
  const way = field.target && name.startsWith('_') ? wayOf(m, name) : undefined
  return way && isShown(way[0]!.model) ? [[name.slice(1), related(way)]] : []
}

function ofField(m: AnyModel, name: string, field: Field): [string, Comparison][] {
  if (field.target) {
    const way = wayOf(m, name)!
    return isShown(way[0]!.model)
      ? [
          [name, related(way)],
          [`${name}_id`, key(`${name}_id`)],
        ]
      : []
  }
  if (field.links || field.sharedLinks || field.reverse) {
    const way = wayOf(m, name)
    return way && isShown(way.at(-1)!.model) ? [[name, related(way)]] : []
  }
  if (field.generic) {
    const as = genericPrefix(field, name)
    return [
      [`${as}_type`, { as: 'type', input: 'ContentTypeFilter', of: (t) => `${t}.${q(`${as}_type`)}`, isList: false }],
      [`${as}_id`, key(`${as}_id`)],
    ]
  }
  const comparison = ofValue(name, field, undefined)
  return comparison ? [[field.graphql!.as ?? name, comparison]] : []
}

const related = (way: readonly Relation[]): Comparison => ({
  as: 'related',
  input: filterName(way.at(-1)!.model),
  way,
})
const key = (column: string, isType = false, way: readonly Relation[] = []): Comparison => ({
  as: 'key',
  input: 'ID',
  of: (t) => `${t}.${q(column)}`,
  isType,
  way,
})

const inputName = (input: string | { among: Choices }): string =>
  typeof input === 'string' ? input : lookupOf(enumName(input.among))
/** The input that compares an enumeration's values; texts where they have none. */
const lookupOf = (name: string | undefined): string =>
  name ? `${name.charAt(0).toUpperCase()}${name.slice(1)}BaseFilterLookup` : 'StrFilterLookup'

function ofValue(name: string, field: Field, asked: string | undefined): Comparison | undefined {
  const { graphql } = field
  const input = asked ?? (graphql?.input && inputName(graphql.input))
  if (!input) return undefined
  const column = graphql?.as ?? name
  if (input === 'ContentTypeFilter')
    return { as: 'type', input, of: (t) => `${t}.${q(column)}`, isList: Boolean(graphql?.type?.startsWith('[')) }
  if (field.upload) return { as: 'file', input, of: (t) => `${t}.${q(column)}` }
  return {
    as: 'value',
    input,
    of: (t, c) => comparedSql(field, name, t, c),
    isList: Boolean(graphql?.type?.startsWith('[')) && input === 'IntegerLookup',
    parse: field.parse,
  }
}

/** SQL of what a filter compares of a field: the column where there is one. */
function comparedSql(field: Field, name: string, t: string, c: SqlContext): string {
  const { graphql } = field
  const column = graphql?.as ?? name
  if (graphql?.isCompared && graphql.sql) return graphql.sql(t, name)
  if (field.compare) return field.compare(t, column, c)
  if (column in field.columns(name)) return `${t}.${q(column)}`
  return graphql?.sql?.(t, name) ?? field.output(t, name, c)[0]?.[1] ?? 'null'
}

/** What a model says of a comparison itself. */
function said(m: AnyModel, { name, path, type }: Word): Comparison {
  const at = path ?? name
  if (at === 'none')
    return { as: 'nothing', input: type!, model: shownModels().find((each) => filterName(each) === type) }
  const own = graphicOf(m).parameters?.[at]
  if (own && type) return { as: 'parameter', input: type, filter: own }
  const tree = type === 'TreeNodeFilter' && (wayOf(m, at) ?? wayOf(m, at.replace(/_id$/, '')))
  if (tree) return { as: 'node', input: 'TreeNodeFilter', way: tree }
  const found = saidOfField(m, at, type) ?? saidOfRelation(m, at, type) ?? saidOfColumn(m, name, at, type)
  if (!found) throw new Error(`${m.name} cannot be filtered by ${name}`)
  return found
}

function saidOfField(m: AnyModel, at: string, type: string | undefined): Comparison | undefined {
  const field = m.fields[at] as Field | undefined
  if (field?.reverse) return undefined
  if (field?.generic && type?.endsWith('Filter')) return undefined
  return field && !field.target && !field.links ? ofValue(at, field, type) : undefined
}

function saidOfRelation(m: AnyModel, at: string, type: string | undefined): Comparison | undefined {
  const way = type === undefined || type.endsWith('Filter') || type === 'ID' ? wayOf(m, at) : undefined
  if (!way) return undefined
  if (type === 'ID') return key('id', false, way)
  return { as: 'related', input: type ?? filterName(way.at(-1)!.model), way }
}

function saidOfColumn(m: AnyModel, name: string, at: string, type: string | undefined): Comparison | undefined {
  const types = name.endsWith('_type_id') ? columnOf(m, at.replace(/_id$/, '')) : undefined
  if (types) return key(types, true)
  const filter = type && filtersOf(m).get(at)
  const column = columnOf(m, at)
  if (filter && (!column || type.startsWith('['))) return { as: 'parameter', input: type, filter }
  if (!column) return undefined
  if (type === undefined || type === 'ID') return key(column)
  const of = (t: string) => `${t}.${q(column)}`
  if (type.endsWith('Filter')) return { as: 'type', input: type, of, isList: false }
  return { as: 'value', input: type, of, isList: false, parse: undefined }
}

/** A column of the row: of a field, or one of the two of a generic reference. */
const columnOf = (m: AnyModel, name: string): string | undefined =>
  fieldsOf(m).some(([own, field]) => name in field.columns(own)) ? name : undefined
