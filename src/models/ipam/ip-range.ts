import { primaryFeatures } from '../../declare/presets.ts'
import { toBigInt } from '../../lib/ip.ts'
import { rangeUse } from '../../rules/address-use.ts'
import { availableInRange } from '../../rules/available.ts'
import { addressFilter, hostSearch, insideFilter, rangeContainsFilter } from '../../filters/network.ts'
import { IPRangeStatusChoices } from '../../choices/ipam.ts'
import {
  address,
  boolean,
  choice,
  comments,
  description,
  familyOf,
  integer,
  owned,
  primary,
  ref,
} from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { sql } from '../../declare/statement.ts'

export const ipRange = model(
  'ipam.iprange',
  {
    family: familyOf('start_address'),
    start_address: address(),
    end_address: address(),
    size: integer({ readOnly: true, prepared: true }),
    vrf: ref('ipam.vrf', { nullable: true, related: 'ip_ranges' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'ip_ranges', filter: false }),
    status: choice(IPRangeStatusChoices, { default: 'active' }),
    role: ref('ipam.role', { onDelete: 'set null', related: 'ip_ranges' }),
    description,
    ...owned,
    comments,
    ...primary,
    mark_populated: boolean({ help: 'No addresses may be made within the range.', default: false }),
    mark_utilized: boolean({ help: 'Counts as used in full.', default: false }),
  },
  {
    path: 'ipam/ip-ranges',
    label: 'IP range',
    plural: 'IP ranges',
    objectName: 'IPRange',
    graphql: { members: '-family', filters: 'parent:[String!] contains:[String!] -family -role_id -mark_populated' },
    display: (t) => `ip_range_name(${t}.start_address, ${t}.end_address)`,
    brief: ['id', 'url', 'display', 'family', 'start_address', 'end_address', 'description'],
    key: ['start_address', 'end_address', 'vrf'],
    order: ['vrf_id', 'start_address'],
    features: primaryFeatures('contacts'),
    search: {
      text: ['description', 'start_address', 'end_address'],
      also: hostSearch('start_address', 'end_address'),
    },
    filters: {
      start_address: addressFilter('start_address'),
      end_address: addressFilter('end_address'),
      contains: rangeContainsFilter(),
      parent: insideFilter('start_address_host', 'end_address_host'),
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      family: numberFilter('start_address_host', {
        lookups: [],
        single: true,
        expression: (e) => `unicode(substr(${e}, 1, 1))`,
      }),
      vrf: relatedFilter('vrf', 'ipam.vrf', { by: 'rd' }),
      role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
    },
    pages: {
      columns: 'start_address end_address size vrf status utilization role tenant description',
      extra: { utilization: rangeUse },
      filters: { Attributes: 'family vrf_id status role_id mark_populated mark_utilized' },
      form: {
        'IP range': 'vrf start_address end_address role status mark_populated mark_utilized description tags',
        Tenancy: 'tenant',
      },
      bulk: 'status role vrf tenant mark_populated mark_utilized description',
      panels: {
        'IP range': `
          family start_address end_address size mark_populated mark_utilized utilization
          vrf role status tenant description
        `,
      },
      tabs: { ipaddresses: true },
      weights: { start_address: 100, end_address: 300, description: 500, comments: 5000 },
    },
  },
)

/** Ranges of a VRF that share addresses with those from the second to the first value. */
const Overlapping = sql<{ a: string; b: string }>`
  select start_address as a, end_address as b from ipam_iprange
  where start_address_host <= ? and end_address_host >= ? and +vrf_id is ? and id <> ?`

behaviour(ipRange, {
  prepare: ({ row }) => {
    const size = toBigInt(row.end_address_host.subarray(1)) - toBigInt(row.start_address_host.subarray(1)) + 1n
    row.size = size > 0n && size < 2n ** 53n ? Number(size) : 0
  },
  validate: ({ row, errors, tools }) => {
    const [start, end] = [row.start_address_host, row.end_address_host]
    if (start[0] !== end[0]) errors.end_address = ['Starting and ending IP address versions must match.']
    else if (row.start_address_mask !== row.end_address_mask)
      errors.end_address = ['Starting and ending IP address masks must match.']
    else if (start.compare(end) > 0)
      errors.end_address = ['Ending address must not be lower than the starting address.']
    else if (row.size === 0 || row.size > 2 ** 32 - 1)
      errors.__all__ = ['Defined range exceeds maximum supported size.']
    const other = tools.get(Overlapping, end, start, row.vrf_id, row.id ?? 0)
    if (other && !errors.end_address)
      errors.__all__ ??= [`Defined addresses overlap with range ${other.a} to ${other.b}.`]
  },
  actions: { 'available-ips': availableInRange },
})
