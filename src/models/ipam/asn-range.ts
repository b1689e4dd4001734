import { asdot } from '../../rules/asdot.ts'
import { availableAsns } from '../../rules/available.ts'
import { comments, computed, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const asnRange = model(
  'ipam.asnrange',
  {
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    rir: ref('ipam.rir', { related: 'asn_ranges' }),
    start: integer({ min: 1, max: 4294967295 }),
    end: integer({ min: 1, max: 4294967295 }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'asn_ranges', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
    asn_count: computed(() => 'null', { writeOnly: true, type: 'integer' }),
  },
  {
    path: 'ipam/asn-ranges',
    label: 'ASN range',
    plural: 'ASN ranges',
    objectName: 'ASNRange',
    graphql: {
      members: 'start:BigInt! end:BigInt! rir:RIRType',
      filters: 'start:BigIntegerLookup end:BigIntegerLookup',
    },
    display: (t) => `${t}.name || ' (' || ${t}.start || '-' || ${t}.end || ')'`,
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      rir: relatedFilter('rir', 'ipam.rir', { by: 'slug' }),
    },
    pages: {
      extra: {
        asns: computed(
          (t, sql) => {
            sql.uses('ipam_asn')
            return `(select count(*) from ipam_asn a where a.asn between ${t}.start and ${t}."end")`
          },
          { label: 'ASNs' },
        ),
        start_asdot: computed((t) => asdot(`${t}.start`), { label: 'Start (ASDOT)' }),
        end_asdot: computed((t) => asdot(`${t}."end"`), { label: 'End (ASDOT)' }),
      },
      columns: 'name rir start end asns tenant description',
      filters: { Range: 'rir_id start end' },
      form: { 'ASN range': 'name slug rir start end description tags', Tenancy: 'tenant' },
      bulk: 'rir tenant description',
      panels: { 'ASN range': 'name rir start end tenant description' },
      tabs: { asns: true },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(asnRange, {
  validate: ({ row, errors }) => {
    if (row.start >= row.end)
      errors.__all__ = [`Starting ASN (${row.start}) must be lower than ending ASN (${row.end}).`]
  },
  actions: { 'available-asns': availableAsns },
})
