import { comments, countOf, description, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const tenant = model(
  'tenancy.tenant',
  {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    group: ref('tenancy.tenantgroup', { apiDefault: null, onDelete: 'set null', related: 'tenants', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    circuit_count: countOf('circuits.circuit', 'tenant'),
    device_count: countOf('dcim.device', 'tenant'),
    ipaddress_count: countOf('ipam.ipaddress', 'tenant'),
    prefix_count: countOf('ipam.prefix', 'tenant'),
    rack_count: countOf('dcim.rack', 'tenant'),
    site_count: countOf('dcim.site', 'tenant'),
    virtualmachine_count: countOf('virtualization.virtualmachine', 'tenant'),
    vlan_count: countOf('ipam.vlan', 'tenant'),
    vrf_count: countOf('ipam.vrf', 'tenant'),
    cluster_count: countOf('virtualization.cluster', 'tenant'),
  },
  {
    path: 'tenancy/tenants',
    label: 'tenant',
    plural: 'tenants',
    objectName: 'Tenant',
    graphql: {
      members: '-circuit_groups -virtual_circuits -vlan_groups',
      filters: `
        group_id:TreeNodeFilter aggregates asns asn_ranges cables circuit_groups circuits clusters
        devices ip_addresses ip_ranges l2vpns locations power_feeds prefixes racks rackreservations
        route_targets sites tunnels vdcs virtual_machines vlan_groups vlans virtual_circuits vrfs
        wireless_lans wireless_links
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    unique: uniqueWithin('group', 'name', 'slug'),
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
      ...relatedBy('group', 'tenancy.tenantgroup', { tree: true }),
    },
    pages: {
      beside: 'group',
      columns: 'name group description',
      filters: { Tenant: 'group_id' },
      form: { Tenant: 'name slug group description tags' },
      bulk: 'group description',
      panels: { Tenant: 'group description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
      narrow: { group_id: 'tenant_group' },
    },
  },
)
