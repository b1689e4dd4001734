import { refreshScopes } from '../../rules/scope.ts'
import { SiteStatusChoices } from '../../choices/dcim.ts'
import { TimeZones } from '../../choices/time-zones.ts'
import {
  choice,
  comments,
  countOf,
  decimal,
  description,
  owned,
  primary,
  ref,
  refs,
  slug,
  text,
} from '../../fields/index.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { contactFilters, primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { stringFilter } from '../../filters/string.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const site = model(
  'dcim.site',
  {
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    status: choice(SiteStatusChoices, { default: 'active' }),
    region: ref('dcim.region', { onDelete: 'set null', related: 'sites', filter: false }),
    group: ref('dcim.sitegroup', { onDelete: 'set null', related: 'sites', filter: false }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'sites', filter: false }),
    facility: text({ blank: true, max: 50 }),
    time_zone: choice(TimeZones, { nullable: true, raw: true, unlisted: true }),
    description,
    physical_address: text({ blank: true, max: 200, filter: false, lines: 'plain' }),
    shipping_address: text({ blank: true, max: 200, filter: false, lines: 'plain' }),
    latitude: decimal({ nullable: true, digits: 8, places: 6, min: -90, max: 90 }),
    longitude: decimal({ nullable: true, digits: 9, places: 6, min: -180, max: 180 }),
    ...owned,
    comments,
    asns: refs('ipam.asn', { related: 'sites', filter: false }),
    ...primary,
    circuit_count: countOf('circuits.circuittermination', '_site'),
    device_count: countOf('dcim.device', 'site'),
    prefix_count: countOf('ipam.prefix', '_site'),
    rack_count: countOf('dcim.rack', 'site'),
    virtualmachine_count: countOf('virtualization.virtualmachine', 'site'),
    vlan_count: countOf('ipam.vlan', 'site'),
  },
  {
    path: 'dcim/sites',
    label: 'site',
    plural: 'sites',
    objectName: 'Site',
    graphql: {
      members: `
        vlan_groups prefixes cabletermination_set=dcim.cabletermination._site
        powerpanel_set=dcim.powerpanel.site clusters=virtualization.cluster._site:whole
        circuit_terminations=circuits.circuittermination._site:whole
      `,
      filters: 'region_id:TreeNodeFilter group_id:TreeNodeFilter prefixes vlan_groups',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    features: primaryFeatures('contacts', 'image_attachments'),
    search: {
      text: ['name', 'facility', 'description', 'physical_address', 'shipping_address', 'comments'],
      integer: ['asns.asn'],
    },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...relatedBy('region', 'dcim.region', { tree: true }),
      ...relatedBy('group', 'dcim.sitegroup', { tree: true }),
      ...relatedBy('asn', 'ipam.asn', { path: 'asns', by: 'asn' }),
      time_zone: stringFilter('time_zone', { lookups: CharLookupsNoEmpty }),
    },
    pages: {
      labels: { circuit_count: 'Circuits' },
      beside: 'region group',
      columns: 'name status facility region group tenant description',
      filters: { Attributes: 'status region_id group_id asn_id' },
      form: {
        Site: 'name slug status region group facility asns time_zone description tags',
        Tenancy: 'tenant',
        'Contact info': 'physical_address shipping_address latitude longitude',
      },
      bulk: 'status region group tenant facility asns time_zone description',
      panels: {
        Site: `
          region group name status tenant facility description time_zone physical_address shipping_address
          latitude longitude
        `,
      },
      tables: [
        ['dcim.location', 'site_id'],
        ['dcim.device', 'site_id&rack_id=null&parent_bay_id=null', 'Non-Racked devices'],
      ],
      weights: {
        name: 100,
        facility: 100,
        slug: 110,
        description: 500,
        physical_address: 2000,
        shipping_address: 2000,
        comments: 5000,
      },
      narrow: { region_id: 'region', group_id: 'site_group' },
    },
  },
)

behaviour(site, {
  saved: ({ row, before, tools }) => {
    if (before && (before.region_id !== row.region_id || before.group_id !== row.group_id)) refreshScopes(tools, row.id)
  },
})
