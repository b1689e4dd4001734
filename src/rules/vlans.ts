import { type Filter, type FilterContext, FilterError } from '../filters/filter.ts'
import { methodFilter } from '../filters/method.ts'

/** VLANs that an interface carries, tagged or untagged. */
export const linkedVlanFilter = (app: 'dcim' | 'virtualization'): Filter => {
  const table = app === 'dcim' ? 'dcim_interface' : 'virtualization_vminterface'
  return methodFilter(
    ([value], c) => {
      const id = idOf(value!)
      c.uses(table)
      c.uses(`${table}_tagged_vlans`)
      if (c.idsOf(app === 'dcim' ? 'dcim.interface' : 'virtualization.vminterface', 'id', value!).length === 0)
        throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
      return `${c.t}.id in (select untagged_vlan_id from ${table} where id = ${c.bind(id)}
        union select to_id from ${table}_tagged_vlans where from_id = ${c.bind(id)})`
    },
    { single: true, type: 'integer' },
  )
}

function idOf(value: string): number {
  if (!/^\d{1,15}$/.test(value))
    throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
  return Number(value)
}

/** SQL of a tree node and all above it, from a scalar id expression. */
const above = (table: string, id: string): string =>
  `(with recursive up(id) as (
      select ${id} union select p.parent_id from ${table} p join up on p.id = up.id where p.parent_id is not null)
    select id from up where id is not null)`

/** Groups whose scope takes in a site: itself, its region and site group or any above them. */
const scopesOfSite = (site: string): string[] => [
  `(g.scope_type = 'dcim.site' and g.scope_id = ${site})`,
  `(g.scope_type = 'dcim.region'
    and g.scope_id in ${above('dcim_region', `(select region_id from dcim_site where id = ${site})`)})`,
  `(g.scope_type = 'dcim.sitegroup'
    and g.scope_id in ${above('dcim_sitegroup', `(select group_id from dcim_site where id = ${site})`)})`,
]
/**
 * Parts of a condition on the VLAN: its site, its group's scopes, or global: of no site, and in no group or in one
 * without a scope.
 */
const usable = (t: string, site: string | undefined, scopes: readonly string[]): string =>
  `(${site ? `${t}.site_id = ${site} or ` : ''}${t}.group_id in (
      select g.id from ipam_vlangroup g where ${scopes.join(' or ')})
    or (${t}.site_id is null and (${t}.group_id is null
      or ${t}.group_id in (select g.id from ipam_vlangroup g where g.scope_type is null))))`

const tables = [
  'ipam_vlangroup',
  'dcim_site',
  'dcim_region',
  'dcim_sitegroup',
  'dcim_location',
  'dcim_rack',
  'dcim_device',
  'virtualization_virtualmachine',
  'virtualization_cluster',
]
const about = (model: string, compile: (id: () => string, c: FilterContext) => string): Filter =>
  methodFilter(
    ([value], c) => {
      const id = idOf(value!)
      if (c.idsOf(model, 'id', value!).length === 0)
        throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
      for (const table of tables) c.uses(table)
      return compile(() => String(id), c)
    },
    { single: true, type: 'integer' },
  )

/** Groups whose scope is a cluster, or the group that it is in. */
const scopesOfCluster = (cluster: string): string[] => [
  `(g.scope_type = 'virtualization.cluster' and g.scope_id = ${cluster})`,
  `(g.scope_type = 'virtualization.clustergroup'
    and g.scope_id = (select group_id from virtualization_cluster where id = ${cluster}))`,
]

/** Which VLANs may be used where. */
export const availableVlanFilters: Record<string, Filter> = {
  available_at_site: about('dcim.site', (id, c) => usable(c.t, id(), scopesOfSite(id()))),
  available_at_site_group: about('dcim.sitegroup', (id, c) =>
    usable(c.t, undefined, [`(g.scope_type = 'dcim.sitegroup' and g.scope_id in ${above('dcim_sitegroup', id())})`]),
  ),
  available_on_device: about('dcim.device', (id, c) => {
    const of = (column: string) => `(select ${column} from dcim_device where id = ${id()})`
    return usable(c.t, of('site_id'), [
      ...scopesOfSite(of('site_id')),
      `(g.scope_type = 'dcim.rack' and g.scope_id = ${of('rack_id')})`,
      `(g.scope_type = 'dcim.location' and g.scope_id in ${above('dcim_location', of('location_id'))})`,
      ...scopesOfCluster(of('cluster_id')),
    ])
  }),
  available_on_virtualmachine: about('virtualization.virtualmachine', (id, c) => {
    const of = (column: string) => `(select ${column} from virtualization_virtualmachine where id = ${id()})`
    const location = `(select _location_id from virtualization_cluster where id = ${of('cluster_id')})`
    return usable(c.t, of('site_id'), [
      ...scopesOfSite(of('site_id')),
      `(g.scope_type = 'dcim.location' and g.scope_id in ${above('dcim_location', location)})`,
      ...scopesOfCluster(of('cluster_id')),
    ])
  }),
}
