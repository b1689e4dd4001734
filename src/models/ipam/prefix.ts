import { aggregateOf, prefixUse } from '../../rules/address-use.ts'
import { availableInPrefix, availablePrefixes } from '../../rules/available.ts'
import { renest } from '../../rules/nesting.ts'
import { networkColumns, rebalance } from '../../rules/prefixes.ts'
import { cacheScope, scopeOf, scopePlaces } from '../../rules/scope.ts'
import { containsFilter, networkFilter, networkSearch, presentInVrf, withinFilter } from '../../filters/network.ts'
import { PrefixStatusChoices } from '../../choices/ipam.ts'
import {
  address,
  boolean,
  choice,
  comments,
  computed,
  description,
  familyOf,
  integer,
  owned,
  primary,
  ref,
} from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, relatedBy, scopedFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { sql } from '../../declare/statement.ts'

export const prefix = model(
  'ipam.prefix',
  {
    family: familyOf('prefix'),
    prefix: address({ network: true }),
    vrf: ref('ipam.vrf', { nullable: true, related: 'prefixes' }),
    scope: scopeOf('prefixes'),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'prefixes', filter: false }),
    vlan: ref('ipam.vlan', { nullable: true, related: 'prefixes' }),
    status: choice(PrefixStatusChoices, { default: 'active' }),
    role: ref('ipam.role', { onDelete: 'set null', related: 'prefixes' }),
    is_pool: boolean({
      help: 'Every address of the prefix may be assigned, its first and last too.',
      label: 'Is a pool',
      default: false,
    }),
    mark_utilized: boolean({ help: 'Counts as used in full.', default: false }),
    description,
    ...owned,
    comments,
    ...primary,
    children: computed((t) => `${t}._children`, { schema: { type: 'integer' }, type: 'integer', orderable: true }),
    _depth: integer({ readOnly: true, filter: false }),
    ...scopePlaces,
    _children: integer({ hidden: true, default: 0 }),
  },
  {
    path: 'ipam/prefixes',
    label: 'prefix',
    plural: 'prefixes',
    objectName: 'Prefix',
    graphql: {
      members: '_children',
      filters: 'contains:[String!] -_depth',
      parameters: { contains: containsFilter('prefix', true) },
    },
    display: 'prefix',
    brief: ['id', 'url', 'display', 'family', 'prefix', 'description', '_depth'],
    key: ['prefix', 'vrf'],
    order: ['vrf_id', 'prefix'],
    large: ['status'],
    features: primaryFeatures('contacts'),
    search: { text: ['description'], also: networkSearch('prefix') },
    filters: {
      prefix: networkFilter('prefix'),
      within: withinFilter('prefix', false),
      within_include: withinFilter('prefix', true),
      contains: containsFilter('prefix'),
      present_in_vrf_id: presentInVrf('id'),
      present_in_vrf: presentInVrf('rd'),
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...scopedFilters,
      family: numberFilter('prefix_host', {
        lookups: [],
        single: true,
        expression: (e) => `unicode(substr(${e}, 1, 1))`,
      }),
      depth: numberFilter('_depth'),
      children: numberFilter('_children'),
      mask_length: numberFilter('prefix_mask', { lookups: ['gte', 'lte'] }),
      vrf: relatedFilter('vrf', 'ipam.vrf', { by: 'rd' }),
      ...relatedBy('vlan_group', 'ipam.vlangroup', { path: 'vlan.group' }),
      vlan_vid: numberFilter('vlan.vid', { decimal: true, single: true }),
      role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
    },
    pages: {
      columns: 'prefix status children vrf utilization tenant scope vlan role description',
      extra: { utilization: prefixUse, aggregate: aggregateOf },
      filters: {
        Addressing: 'within_include family status role_id mask_length is_pool mark_utilized',
        'VLAN assignment': 'vlan_group_id vlan_id',
        VRF: 'vrf_id present_in_vrf_id',
        Scope: 'region_id site_group_id site_id location_id',
      },
      series: 'prefix',
      pattern: '10.8.[0-3].0/24',
      form: {
        Prefix: 'prefix status vrf role is_pool mark_utilized description tags',
        Scope: 'scope',
        'VLAN assignment': 'vlan',
        Tenancy: 'tenant',
      },
      lengths: { prefix_length: 'prefix' },
      bulk: 'tenant status role description vrf is_pool mark_utilized scope vlan',
      panels: {
        Prefix: 'family vrf tenant aggregate scope vlan status role description is_pool',
        Addressing: 'utilization children mark_utilized',
      },
      tables: [
        ['ipam.prefix', 'contains=$prefix&vrf_id=$vrf&id__n', 'Parent prefixes', 'around'],
        ['ipam.prefix', 'prefix=$prefix&vrf_id=$vrf&id__n', 'Duplicates', 'if any'],
      ],
      tabs: {
        prefixes: true,
        ipranges: ['ipam.iprange', 'parent=$prefix&vrf_id=$vrf', 'Child ranges', 'always'],
        ipaddresses: true,
      },
      weights: { prefix: 110, description: 500, comments: 5000 },
      offers: { vlan: 'available_at_site=$scope:dcim.site' },
    },
  },
)

/** Another row of the same network and VRF; sought by the network, which fewer rows share. */
const Twin = sql`
  select 1 from ipam_prefix where prefix_host = ? and prefix_mask = ? and +vrf_id is ? and id <> ?`

behaviour(prefix, {
  prepare: cacheScope,
  validate: ({ row, before, errors, tools }) => {
    if (before && before.prefix === row.prefix && before.vrf_id === row.vrf_id) return
    const isUnique =
      row.vrf_id === null ? tools.config.enforceGlobalUnique : tools.row('ipam.vrf', row.vrf_id)?.enforce_unique === 1
    const twin = isUnique && tools.get(Twin, row.prefix_host, row.prefix_mask, row.vrf_id, row.id ?? 0)
    if (twin)
      errors.prefix = [`Duplicate prefix found in ${row.vrf_id === null ? 'global table' : 'its VRF'}: ${row.prefix}`]
  },
  saved: ({ row, before, tools }) =>
    rebalance(tools, networkColumns(row as never), before && networkColumns(before as never)),
  settled: ({ rows, tools }) =>
    renest(
      tools,
      new Set(rows.flatMap(({ before, after }) => [before, after].flatMap((row) => (row ? [row.vrf_id] : [])))),
    ),
  deleted: ({ row, tools }) => rebalance(tools, undefined, networkColumns(row as never)),
  actions: { 'available-ips': availableInPrefix, 'available-prefixes': availablePrefixes },
})

behaviour(prefix, {
  importColumns: {
    columns: { vlan_group: 'ipam.vlangroup', vlan_site: 'dcim.site' },
    narrows: { vlan_group: [['vlan', 'group']], vlan_site: [['vlan', 'site']] },
    read: () => ({}),
  },
})
