import { availableVlans } from '../../rules/available.ts'
import { methodFilter } from '../../filters/method.ts'
import {
  comments,
  computed,
  countOf,
  description,
  generic,
  integer,
  listOf,
  owned,
  primary,
  ref,
  slug,
  text,
} from '../../fields/index.ts'
import { nestedItem } from '../../fields/facts.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

/** An inclusive range of VLAN ids. */
const vidRange = (value: unknown) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((n) => Number.isInteger(n) && n >= 1 && n <= 4094) &&
  value[0] <= value[1]
    ? { value: value as [number, number] }
    : { error: 'A range has a lower and an upper VLAN ID, both from 1 to 4094.' }

/** SQL of ranges as texts whose end is not included: `[1, 4095)`. */
const rangeTexts = (t: string): string =>
  `(select jsonb_group_array('[' || (value ->> 0) || ', ' || ((value ->> 1) + 1) || ')')
    from json_each(${t}.vid_ranges))`

/** Groups whose scope is one object of a type. */
const scopedTo = (type: string) =>
  methodFilter(
    ([value], c) =>
      /^\d{1,15}$/.test(value!)
        ? `(${c.t}.scope_type = '${type}' and ${c.t}.scope_id = ${c.bind(Number(value))})`
        : 'false',
    { single: true, type: 'integer' },
  )

export const vlanGroup = model(
  'ipam.vlangroup',
  {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    scope: generic(
      [
        'dcim.location',
        'dcim.rack',
        'dcim.rackgroup',
        'dcim.region',
        'dcim.site',
        'dcim.sitegroup',
        'virtualization.cluster',
        'virtualization.clustergroup',
      ],
      { nullable: true, related: 'vlan_groups', apiDefault: null },
    ),
    vid_ranges: listOf(vidRange, {
      help: 'The VLAN IDs that its VLANs may have, as pairs of the first and the last.',
      items: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 4094 }, minItems: 2, maxItems: 2 },
      described: { type: 'field', child: nestedItem({}) },
      default: [[1, 4094]],
      graphql: { type: '[String!]!', sql: rangeTexts, input: 'IntegerRangeArrayLookup' },
      filter: false,
      toWord: ([from, to]: [number, number]) => (from === to ? `${from}` : `${from}-${to}`),
      fromWord: (word) =>
        /^(\d+)(?:-(\d+))?$/
          .exec(word)
          ?.slice(1)
          .map((each, i, [first]) => Number(i ? (each ?? first) : each)),
    }),
    total_vlan_ids: integer({ readOnly: true, prepared: true }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'vlan_groups', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    vlan_count: countOf('ipam.vlan', 'group'),
    utilization: computed(
      (t, sql) => {
        sql.uses('ipam_vlan')
        return `cast(round(100.0 * (select count(*) from ipam_vlan v
          where v.group_id = ${t}.id) / max(${t}.total_vlan_ids, 1), 2) as text)`
      },
      { schema: { type: 'string' }, type: 'string', look: 'percent' },
    ),
  },
  {
    path: 'ipam/vlan-groups',
    label: 'VLAN group',
    plural: 'VLAN groups',
    objectName: 'VLANGroup',
    graphql: {
      members: 'total_vlan_ids:BigInt!',
      filters: `
        location region site_group=sitegroup site 
        total_vlan_ids:IntComparisonFilterLookup -tenant -tenant_id -tenant_group -tenant_group_id
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'vlan_count'],
    nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
    key: ['slug'],
    order: ['name'],
    unique: [{ fields: ['scope_type', 'scope_id', 'name'] }, { fields: ['scope_type', 'scope_id', 'slug'] }],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      region: scopedTo('dcim.region'),
      site_group: scopedTo('dcim.sitegroup'),
      site: scopedTo('dcim.site'),
      location: scopedTo('dcim.location'),
      rack_group: scopedTo('dcim.rackgroup'),
      rack: scopedTo('dcim.rack'),
      cluster_group: scopedTo('virtualization.clustergroup'),
      cluster: scopedTo('virtualization.cluster'),
      contains_vid: methodFilter(
        ([value], c) =>
          `exists (select 1 from json_each(${c.t}.vid_ranges) r
            where ${c.bind(Number(value))} between r.value ->> 0 and r.value ->> 1)`,
        { single: true, type: 'integer' },
      ),
      ...primaryFilters,
      ...tenancyFilters,
    },
    pages: {
      labels: { vid_ranges: 'VLAN IDs' },
      help: { vid_ranges: 'VLAN ids, as 1-10, 20.' },
      columns: 'name scope_type scope vlan_count utilization tenant description',
      filters: {
        Location: 'region site_group site location rack_group rack',
        Cluster: 'cluster_group cluster',
        VLANs: 'contains_vid total_vlan_ids',
      },
      form: {
        'VLAN group': 'name slug description tags',
        'Child VLANs': 'vid_ranges',
        Scope: 'scope',
        Tenancy: 'tenant',
      },
      bulk: 'vid_ranges description scope tenant',
      panels: { 'VLAN group': 'name description scope vid_ranges utilization tenant' },
      tabs: { vlans: true },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)

behaviour(vlanGroup, {
  prepare: ({ row, errors }) => {
    const ranges = (JSON.parse(row.vid_ranges!) as [number, number][]).sort(([a], [b]) => a - b)
    if (ranges.some(([low], i) => i > 0 && low <= ranges[i - 1]![1])) errors.vid_ranges = ['Ranges cannot overlap.']
    row.total_vlan_ids = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0)
  },
  actions: { 'available-vlans': availableVlans },
})
