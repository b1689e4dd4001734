import { asdot } from '../../rules/asdot.ts'
import { comments, countOf, description, integer, owned, primary, ref, refs, computed } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const asn = model(
  'ipam.asn',
  {
    asn: integer({ unique: true, label: 'ASN', min: 1, max: 4294967295 }),
    rir: ref('ipam.rir', { nullable: true, related: 'asns' }),
    role: ref('ipam.role', { onDelete: 'set null', related: 'asns' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'asns', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    site_count: countOf('dcim.site', 'asns'),
    provider_count: countOf('circuits.provider', 'asns'),
    sites: refs('dcim.site', {
      shape: ['id', 'url', 'display', 'name', 'description', 'slug'],
      via: 'dcim.site.asns',
      filter: false,
    }),
  },
  {
    path: 'ipam/asns',
    label: 'ASN',
    plural: 'ASNs',
    objectName: 'ASN',
    graphql: { members: 'asn:BigInt!', filters: 'asn:BigIntegerLookup providers -contacts' },
    display: (t) =>
      `case
        when ${t}.asn >= 65536 then 'AS' || ${t}.asn || ' (' || (${t}.asn >> 16) || '.' || (${t}.asn & 65535) || ')'
        else 'AS' || ${t}.asn end`,
    brief: ['id', 'url', 'display', 'asn', 'description'],
    order: ['asn'],
    features: primaryFeatures('contacts'),
    search: { text: ['description'], integer: ['asn'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      rir: relatedFilter('rir', 'ipam.rir', { by: 'slug' }),
      ...relatedBy('site_group', 'dcim.sitegroup', { path: 'sites.group', tree: true }),
      ...relatedBy('site', 'dcim.site', { path: 'sites' }),
      ...relatedBy('provider', 'circuits.provider', { path: 'providers' }),
      role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
    },
    pages: {
      extra: {
        asdot: computed((t) => asdot(`${t}.asn`), { label: 'ASDOT' }),
      },
      labels: { asn: 'AS number' },
      columns: 'asn rir role site_count provider_count sites description tenant',
      filters: { Assignment: 'rir_id role_id site_group_id site_id' },
      form: { ASN: 'asn rir role sites description tags', Tenancy: 'tenant' },
      bulk: 'sites rir role tenant description',
      panels: { ASN: 'asn rir role tenant description' },
      weights: { asn: 100, prefixed_name: 110, description: 500, comments: 5000 },
    },
  },
)

behaviour(asn, {
  validate: ({ row, errors }) => {
    if (row.rir_id === null) errors.rir = ['This field cannot be null.']
  },
})
