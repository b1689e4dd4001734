import { DeviceStatusChoices, InterfaceModeChoices } from '../choices/dcim.ts'
import { conditionFilter, hasFilter } from './boolean.ts'
import { choiceFilter } from './choice.ts'
import { FilterError, type Filter } from './filter.ts'
import { methodFilter } from './method.ts'
import { relatedFilter } from './related.ts'
import { relatedBy } from './shared.ts'

/** Parameters of whatever a cable can end at. */
export const cabledFilters: Record<string, Filter> = {
  cable_id: relatedFilter('cable', 'dcim.cable'),
  cabled: hasFilter('cable'),
  occupied: conditionFilter((t) => `${t}.cable_id is not null or ${t}.mark_connected = 1`),
}
/** Parameters of a device's components: where the device is, and what it is. */
export const deviceComponentFilters: Record<string, Filter> = {
  ...relatedBy('region', 'dcim.region', { path: 'device.site.region', tree: true }),
  ...relatedBy('site_group', 'dcim.sitegroup', { path: 'device.site.group', tree: true }),
  ...relatedBy('site', 'dcim.site', { path: '_site' }),
  ...relatedBy('location', 'dcim.location', { path: '_location' }),
  ...relatedBy('rack', 'dcim.rack', { path: '_rack', by: 'name' }),
  ...relatedBy('device', 'dcim.device', { by: 'name' }),
  ...relatedBy('device_type', 'dcim.devicetype', { path: 'device.device_type', by: 'model' }),
  ...relatedBy('device_role', 'dcim.devicerole', { path: 'device.role' }),
  ...relatedBy('virtual_chassis', 'dcim.virtualchassis', { path: 'device.virtual_chassis', by: 'name' }),
  device_status: choiceFilter('device.status', DeviceStatusChoices),
  ...relatedBy('tenant', 'tenancy.tenant', { path: 'device.tenant' }),
}
/** Parameters of components that paths begin at. */
export const pathEndpointFilters: Record<string, Filter> = {
  connected: conditionFilter((t, c) => {
    c.uses('dcim_cablepath')
    return `exists (select 1 from dcim_cablepath p
      where p.id = ${t}._path_id and p.is_complete = 1 and p.is_active = 1)`
  }),
}
export const localContextFilters: Record<string, Filter> = { local_context_data: hasFilter('local_context_data') }
export const primaryIpFilters: Record<string, Filter> = {
  ...relatedBy('primary_ip4', 'ipam.ipaddress', { by: 'address' }),
  ...relatedBy('primary_ip6', 'ipam.ipaddress', { by: 'address' }),
}

const anyVlan = (attribute: 'id' | 'vid'): Filter =>
  methodFilter(
    ([value], c) => {
      if (!/^\s*\d{1,9}\s*$/.test(value!)) throw new FilterError('Enter a whole number.')
      const same = (path: string) => c.at(`${path}.${attribute}`, (e) => `${e} = ${c.bind(Number(value))}`)
      return `(${['untagged_vlan', 'tagged_vlans', 'qinq_svlan'].map(same).join(' or ')})`
    },
    { single: true },
  )

/** Parameters of interfaces, of devices and of virtual machines. */
export const vlanInterfaceFilters: Record<string, Filter> = {
  mode: choiceFilter('mode', InterfaceModeChoices, { nullable: true }),
  vlan_id: anyVlan('id'),
  vlan: anyVlan('vid'),
  ...relatedBy('vrf', 'ipam.vrf', { by: 'rd' }),
  ...relatedBy('l2vpn', 'vpn.l2vpn', { path: 'l2vpn_terminations.l2vpn', by: 'identifier' }),
  ...relatedBy('vlan_translation_policy', 'ipam.vlantranslationpolicy', { by: 'name' }),
}
