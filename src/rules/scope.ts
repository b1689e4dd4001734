import type { Row } from '../fields/field.ts'
import { generic, ref } from '../fields/index.ts'
import type { WriteTools } from '../declare/behaviour.ts'
import { sql } from '../declare/statement.ts'

/** A scope's type without its id is an error of the object as a whole. */
const ScopeErrors = { noId: '__all__' }

/** A place that a row belongs to. `related`: the name by which the place knows its rows. */
export const scopeOf = (related: string) =>
  generic(['dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'], {
    nullable: true,
    errorKeys: ScopeErrors,
    related,
    apiDefault: null,
  })
/** Where a scoped row is, for filters and for whatever asks by site; `cacheScope` fills them. */
export const scopePlaces = {
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  _region: ref('dcim.region', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _site_group: ref('dcim.sitegroup', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
}

/** Columns that remember where a scoped row is. */
type Place = {
  _region_id: number | null
  _site_group_id: number | null
  _site_id: number | null
  _location_id: number | null
}

const Nowhere: Place = { _region_id: null, _site_group_id: null, _site_id: null, _location_id: null }

function placeOfSite(tools: Pick<WriteTools, 'row'>, id: number | null): Place {
  const site = id === null ? undefined : tools.row('dcim.site', id)
  return site
    ? {
        ...Nowhere,
        _site_id: id,
        _region_id: site.region_id,
        _site_group_id: site.group_id,
      }
    : Nowhere
}

/** Where a scope object is. */
export function placeOf(tools: Pick<WriteTools, 'row'>, type: string | null, id: number | null): Place {
  if (type === null || id === null) return Nowhere
  if (type === 'dcim.region') return { ...Nowhere, _region_id: id }
  if (type === 'dcim.sitegroup') return { ...Nowhere, _site_group_id: id }
  if (type === 'dcim.site') return placeOfSite(tools, id)
  if (type === 'dcim.location')
    return { ...placeOfSite(tools, tools.row('dcim.location', id)?.site_id ?? null), _location_id: id }
  return Nowhere
}

/** Fills the caches of a row with a scope. */
export function cacheScope({ row, tools }: { row: object; tools: WriteTools }): void {
  const scoped = row as Row
  Object.assign(scoped, placeOf(tools, scoped.scope_type as string | null, scoped.scope_id as number | null))
}

/** Rows that are scoped to the locations of a site are in the site of their location. */
const followLocation = (table: string, as: string) => sql`
  update ${table} set _site_id = (select site_id from dcim_location l where l.id = ${as}_id)
  where ${as}_type = 'dcim.location' and ${as}_id in (select id from dcim_location where site_id = ?)`
/** Models whose rows name a place by type and id, each with its statement. */
const Scoped = [
  ['ipam.prefix', followLocation('ipam_prefix', 'scope')],
  ['virtualization.cluster', followLocation('virtualization_cluster', 'scope')],
  ['wireless.wirelesslan', followLocation('wireless_wirelesslan', 'scope')],
  ['circuits.circuittermination', followLocation('circuits_circuittermination', 'termination')],
] as const
const MoveCircuitEnds = sql`
  update dcim_cabletermination set _site_id = ?
  where termination_type = 'circuits.circuittermination'
    and termination_id in (select id from circuits_circuittermination where _site_id = ?)`

/**
 * Rewrites the caches of everything scoped to a site or to its locations, after the site's region or group or a
 * location's site changed.
 */
export function refreshScopes(tools: WriteTools, siteId: number): void {
  const { _region_id, _site_group_id } = placeOfSite(tools, siteId)
  for (const [model, followLocation] of Scoped) {
    tools.run(followLocation, siteId)
    tools.set(model, { _site_id: siteId }, { _region_id, _site_group_id })
  }
  tools.run(MoveCircuitEnds, siteId, siteId)
}
