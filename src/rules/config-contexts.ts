import { isObject } from '../lib/json.ts'
import { carryNumbers, parseExact, stringifyExact } from '../lib/exact-json.ts'
import type { Field } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import { computed } from '../fields/index.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'

/**
 * SQL of where row `t` stands; null where rows of its kind stand nowhere, so that a context assigned there never
 * applies.
 */
type Place = ((t: string) => string) | null
/**
 * One way of assigning contexts: the field of the context, its tree (what is below an assigned node counts too), and
 * where devices and machines stand.
 */
interface Dimension {
  field: string
  tree?: string
  device: Place
  machine: Place
}

const own =
  (column: string): Place =>
  (t) =>
    `${t}.${column}`
const of =
  (table: string, column: string, by: string): Place =>
  (t) =>
    `(select ${column} from ${table} where id = ${t}.${by})`
const both = (place: Place) => ({ device: place, machine: place })

const Dimensions: readonly Dimension[] = [
  { field: 'sites', ...both(own('site_id')) },
  { field: 'roles', tree: 'dcim_devicerole', ...both(own('role_id')) },
  { field: 'platforms', tree: 'dcim_platform', ...both(own('platform_id')) },
  { field: 'tenants', ...both(own('tenant_id')) },
  { field: 'clusters', ...both(own('cluster_id')) },
  { field: 'regions', tree: 'dcim_region', ...both(of('dcim_site', 'region_id', 'site_id')) },
  { field: 'site_groups', tree: 'dcim_sitegroup', ...both(of('dcim_site', 'group_id', 'site_id')) },
  { field: 'cluster_types', ...both(of('virtualization_cluster', 'type_id', 'cluster_id')) },
  { field: 'cluster_groups', ...both(of('virtualization_cluster', 'group_id', 'cluster_id')) },
  { field: 'tenant_groups', ...both(of('tenancy_tenant', 'group_id', 'tenant_id')) },
  { field: 'locations', tree: 'dcim_location', device: own('location_id'), machine: null },
  { field: 'device_types', device: own('device_type_id'), machine: null },
]
const Tables: readonly string[] = [
  'extras_configcontext',
  'extras_configcontext_tags',
  'dcim_site',
  'virtualization_cluster',
  'tenancy_tenant',
  ...Dimensions.flatMap(({ field, tree }) => [`extras_configcontext_${field}`, ...(tree ? [tree] : [])]),
]

/** Ids that context `c` is assigned to, with all below them in a tree, as a JSON list. */
function assigned(field: string, tree?: string): string {
  const links = `select to_id as id from extras_configcontext_${field} where from_id = c.id`
  if (!tree) return `(select json_group_array(id) from (${links}))`
  return `(with recursive s(id) as (${links} union select below.id from ${tree} below
    join s on below.parent_id = s.id) select json_group_array(id) from s)`
}

/** SQL of the lists of a context `c`, in the order of the places of a row, tags last. */
const Lists = [...Dimensions.map(({ field, tree }) => assigned(field, tree)), assigned('tags')].join(', ')

/** Reads every active context; without reference to a row, so that SQLite does it once a statement. */
const LoadAll = `(select context_set(c.data, ${Lists}
  order by c.weight, c.name) from extras_configcontext c where c.is_active = 1)`

/** The context data that applies to a device or virtual machine, its own on top. */
export function configContext(
  kind: 'device' | 'machine',
  type: string,
): Field<{ cols: {}; in: never; optional: true }> {
  return computed(
    (t: string, sql: SqlContext) => {
      for (const table of Tables) sql.uses(table)
      sql.uses('extras_taggeditem', { t, column: 'object_id' })
      const places = Dimensions.map((dimension) => dimension[kind]?.(t) ?? 'null')
      const tags = `(select json_group_array(tag_id) from extras_taggeditem
        where object_type = '${type}' and object_id = ${t}.id)`
      return `case when exists (select 1 from extras_configcontext where is_active = 1)
      then json(context_for(${LoadAll}, ${t}.local_context_data, ${tags}, ${places.join(', ')}))
        else json(coalesce(${t}.local_context_data, '{}')) end`
    },
    { plain: true, schema: { type: 'object', nullable: true }, graphql: { type: 'JSON!' } },
  )
}

type Data = Record<string, unknown>
const isData = (value: unknown): value is Data => isObject(value)

/** `over` on top of `under`: objects are merged, anything else is replaced. */
export function deepMerge(under: Data, over: Data): Data {
  const merged = carryNumbers(under, { ...under })
  for (const [key, value] of Object.entries(over)) {
    const present = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] = isData(present) && isData(value) ? deepMerge(present, value) : value
    carryNumbers(over, merged, key)
  }
  return merged
}

interface Context {
  data: Data
  ids: readonly (ReadonlySet<number> | undefined)[]
}

/** Whether every assignment of a context holds a row that stands in these places and has these tags. */
const applies = ({ ids }: Pick<Context, 'ids'>, places: readonly (number | null)[], tags: readonly number[]): boolean =>
  ids.every(
    (set, i) =>
      !set || (i < places.length ? places[i] !== null && set.has(places[i]!) : tags.some((tag) => set.has(tag))),
  )
/** Ids that contexts are assigned to, one set for each way; none where a context is assigned to nothing in that way. */
const setsOf = (lists: readonly string[]): Context['ids'] =>
  lists.map((list) => (list === '[]' ? undefined : new Set(JSON.parse(list) as number[])))
/** Ids of the contexts that apply to a device or virtual machine, in the order of their merging. */
export function contextsOf(db: Connection, kind: 'device' | 'machine', m: AnyModel, id: number): number[] {
  const places = Dimensions.map((dimension) => dimension[kind]?.('t') ?? 'null')
  const row = db.get<{ places: string; tags: string }>(
    `select json_array(${places.join(', ')}) as places,
       (select json_group_array(tag_id) from extras_taggeditem where object_type = ? and object_id = t.id) as tags
     from ${q(m.table)} t where t.id = +?`,
    m.name,
    id,
  )
  if (!row) return []
  const [at, tags] = [JSON.parse(row.places) as (number | null)[], JSON.parse(row.tags) as number[]]
  return db
    .all<{ id: number; lists: string }>(
      `select c.id as id, json_array(${Lists}) as lists
        from extras_configcontext c where c.is_active = 1 order by c.weight, c.name`,
    )
    .filter(({ lists }) => applies({ ids: setsOf(JSON.parse(lists) as string[]) }, at, tags))
    .map((each) => each.id)
}

/** Active contexts in the order of their merging, and what was merged of them so far, by the places in that order. */
class ContextSet {
  readonly #contexts: Context[] = []
  readonly #merged = new Map<string, Data>()

  add(data: string, lists: readonly string[]): void {
    this.#contexts.push({
      data: parseExact(data) as Data,
      ids: setsOf(lists),
    })
  }

  /** Merged data of the contexts whose every assignment holds a row that stands in these places and has these tags. */
  for(places: readonly (number | null)[], tags: readonly number[]): Data {
    const which = this.#contexts.flatMap((context, i) => (applies(context, places, tags) ? [i] : []))
    const key = which.join()
    const known = this.#merged.get(key)
    if (known) return known
    const merged = which.reduce<Data>((under, i) => deepMerge(under, this.#contexts[i]!.data), {})
    this.#merged.set(key, merged)
    return merged
  }
}

/**
 * Teaches SQLite the two functions above. The set that was read last is the one meant: a statement reads it before its
 * first row needs it.
 */
export function registerConfigContexts(raw: Connection['raw']): void {
  let current = new ContextSet()
  raw.aggregate('context_set', {
    varargs: true,
    start: () => new ContextSet(),
    step: (set: ContextSet, ...columns: unknown[]) => {
      const [data, ...lists] = columns as [string, ...string[]]
      set.add(data, lists)
    },
    result: (set: ContextSet) => {
      current = set
      return 1
    },
  })
  raw.function(
    'context_for',
    { varargs: true },
    (_loaded: unknown, local: unknown, tags: unknown, ...places: unknown[]) => {
      const merged = current.for(places as (number | null)[], JSON.parse(tags as string) as number[])
      const mine: unknown = typeof local === 'string' ? parseExact(local) : undefined
      return stringifyExact(isData(mine) ? deepMerge(merged, mine) : merged)
    },
  )
}
