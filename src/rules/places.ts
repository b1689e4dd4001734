import { SameAsOther, type WriteEvent, type WriteTools } from '../declare/behaviour.ts'
import { forEach, sql } from '../declare/statement.ts'
import { refreshScopes } from './scope.ts'

/** Tables of device components, which remember where their device is. */
export const Components = [
  'dcim_interface',
  'dcim_consoleport',
  'dcim_consoleserverport',
  'dcim_powerport',
  'dcim_poweroutlet',
  'dcim_frontport',
  'dcim_rearport',
  'dcim_devicebay',
  'dcim_modulebay',
  'dcim_inventoryitem',
] as const

/** A location and all below it. */
const Below = `(
  with recursive s(id) as (select ? union select l.id from dcim_location l join s on l.parent_id = s.id)
  select id from s)`

/** Devices are told by their own id, or that of the rack or location they are in. */
const Devices = { device: 'd.id = ?', rack: 'd.rack_id = ?', location: `d.location_id in ${Below}` }
const RefreshComponents = forEach(['device', 'rack', 'location'], (by) => [
  ...Components.map(
    (table) => sql`
      update ${table} set _site_id = d.site_id, _location_id = d.location_id, _rack_id = d.rack_id
      from dcim_device d where d.id = ${table}.device_id and ${Devices[by]}`,
  ),
  sql`
    update dcim_cabletermination set _site_id = d.site_id, _location_id = d.location_id, _rack_id = d.rack_id
    from dcim_device d where d.id = dcim_cabletermination._device_id and ${Devices[by]}`,
])

/** How many components the devices of a rack or a location have. */
const CountComponents = forEach(
  ['rack', 'location'],
  (by) => sql<{ n: number }>`
    select coalesce(sum(interface_count + console_port_count + console_server_port_count + power_port_count
      + power_outlet_count + front_port_count + rear_port_count + device_bay_count + module_bay_count
      + inventory_item_count), 0) as n
    from dcim_device d where ${Devices[by]}`,
)

/**
 * Rewrites the place of the components of devices: of one device, or of those in a rack or in a location and below it.
 */
export function refreshComponents(tools: WriteTools, by: keyof typeof Devices, id: number): void {
  if (by !== 'device') tools.expects(tools.get(CountComponents[by], id)!.n)
  for (const statement of RefreshComponents[by]) tools.run(statement, id)
}

const Feeds = { feed: 'f.id = ?', panel: 'p.id = ?', location: `p.location_id in ${Below}` }
const RefreshFeeds = forEach(
  ['feed', 'panel', 'location'],
  (by) => sql`
    update dcim_cabletermination set _site_id = p.site_id, _location_id = p.location_id, _rack_id = f.rack_id
    from dcim_powerfeed f join dcim_powerpanel p on p.id = f.power_panel_id
    where termination_type = 'dcim.powerfeed' and termination_id = f.id and ${Feeds[by]}`,
)

/** Rewrites where the cables of power feeds end: of one feed, or of those of a panel or of the panels in a location. */
export const refreshFeeds = (tools: WriteTools, by: keyof typeof Feeds, id: number): void =>
  void tools.run(RefreshFeeds[by], id)

/** A component takes the place of its device. */
export function placeComponent({
  row,
  tools,
}: {
  row: { device_id: number; _site_id: number | null; _location_id: number | null; _rack_id: number | null }
  tools: WriteTools
}): void {
  const device = tools.row('dcim.device', row.device_id)
  if (device)
    Object.assign(row, { _site_id: device.site_id, _location_id: device.location_id, _rack_id: device.rack_id })
}

type Component = {
  device_id: number
  _site_id: number | null
  _location_id: number | null
  _rack_id: number | null
  mark_connected?: 0 | 1
  cable_id?: number | null
}

/**
 * What holds for every component: it stays on its device, is where that is, and is marked as connected only without a
 * cable.
 */
export function prepareComponent(event: WriteEvent<Component>): void {
  placeComponent(event)
  const { row, before, errors } = event
  if (before && before.device_id !== row.device_id)
    errors.device = ['Components cannot be moved to a different device.']
  if (row.mark_connected && row.cable_id != null)
    errors.mark_connected = ['Cannot mark as connected with a cable attached.']
}

/** Moves what stands in a rack with it. */
export function moveRack(tools: WriteTools, rack: { id: number; site_id: number; location_id: number | null }): void {
  for (const device of tools.rows('dcim.device', { rack_id: rack.id }, { only: ['id'] })) {
    tools.patch('dcim.device', device.id, { site_id: rack.site_id, location_id: rack.location_id })
  }
  refreshComponents(tools, 'rack', rack.id)
}

const MoveLocations = sql`update dcim_location set site_id = ? where id in ${Below}`
const MoveContents = ['dcim_rack', 'dcim_device', 'dcim_powerpanel'].map(
  (table) => sql`update ${table} set site_id = ? where location_id in ${Below}`,
)

/** What stands in a location and may not be at a site beside another of that name: what tells such two apart. */
const Alone = {
  'dcim.device': { at: 'location_id', site: 'site_id', name: 'fold(name)', beside: 'tenant_id' },
  'dcim.powerpanel': { at: 'location_id', site: 'site_id', name: 'name', beside: 'null' },
  'virtualization.cluster': { at: '_location_id', site: '_site_id', name: 'name', beside: 'null' },
} as const
const Namesakes = forEach(Object.keys(Alone) as (keyof typeof Alone)[], (model) => {
  const { at, site, name, beside } = Alone[model]
  const table = model.replace('.', '_')
  return sql<{ id: number; name: string }>`
    with there as materialized (
      select id, ${name} as name, ${beside} as beside from ${table} where ${site} = ? and name is not null)
    select id, name
    from (select id, name, ${name} as known, ${beside} as beside from ${table} where ${at} in ${Below}) m
    where exists (select 1 from there t where t.name = m.known and t.beside is m.beside and t.id <> m.id) limit 1`
})

/** Refuses to take what a location holds to a site that has another of its name. It is named to who may view it. */
function demandNoNamesakes(tools: WriteTools, id: number, siteId: number): void {
  for (const [model, statement] of Object.entries(Namesakes)) {
    const found = tools.get(statement, siteId, id)
    if (!found) continue
    const { label } = tools.model(model)
    const named = tools.mayOn('view', model, found.id) ? `The ${label} ${found.name}` : `A ${label}`
    throw new SameAsOther({ site: [`${named} in this location would have a namesake at that site.`] })
  }
}

/** Moves a location to another site, with all below it and in it; these moves leave no change records. */
export function moveLocation(tools: WriteTools, id: number, siteId: number): void {
  demandNoNamesakes(tools, id, siteId)
  for (const statement of [MoveLocations, ...MoveContents]) tools.run(statement, siteId, id)
  refreshComponents(tools, 'location', id)
  refreshFeeds(tools, 'location', id)
  refreshScopes(tools, siteId)
}
