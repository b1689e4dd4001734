import { boolean, comments, countOf, description, owned, primary, ref, refs, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'
import { primaryFeatures } from '../../registry/presets.ts'

export const vrf = model(
  'ipam.vrf',
  {
    name: text({ max: 100, natural: true }),
    rd: text({ nullable: true, blank: true, unique: true, label: 'Route distinguisher', max: 21 }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'vrfs', filter: false }),
    enforce_unique: boolean({ label: 'Enforce unique space', default: true }),
    description,
    ...owned,
    comments,
    import_targets: refs('ipam.routetarget', {
      shape: [
        'id',
        'url',
        'display_url',
        'display',
        'name',
        'tenant',
        'description',
        'owner',
        'comments',
        'tags',
        'custom_fields',
        'created',
        'last_updated',
      ],
      related: 'importing_vrfs',
      filter: false,
    }),
    export_targets: refs('ipam.routetarget', {
      shape: [
        'id',
        'url',
        'display_url',
        'display',
        'name',
        'tenant',
        'description',
        'owner',
        'comments',
        'tags',
        'custom_fields',
        'created',
        'last_updated',
      ],
      related: 'exporting_vrfs',
      filter: false,
    }),
    ...primary,
    ipaddress_count: countOf('ipam.ipaddress', 'vrf'),
    prefix_count: countOf('ipam.prefix', 'vrf'),
  },
  {
    path: 'ipam/vrfs',
    label: 'VRF',
    plural: 'VRFs',
    objectName: 'VRF',
    display: (t) => `case when ${t}.rd <> '' then ${t}.name || ' (' || ${t}.rd || ')' else ${t}.name end`,
    brief: ['id', 'url', 'display', 'name', 'rd', 'description', 'prefix_count'],
    nested: ['id', 'url', 'display', 'name', 'rd', 'description'],
    order: ['name', 'rd'],
    features: primaryFeatures(),
    search: { text: ['description', 'name', 'rd'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      import_target_id: relatedFilter('import_targets', 'ipam.routetarget'),
      import_target: relatedFilter('import_targets', 'ipam.routetarget', { by: 'name' }),
      export_target_id: relatedFilter('export_targets', 'ipam.routetarget'),
      export_target: relatedFilter('export_targets', 'ipam.routetarget', { by: 'name' }),
    },
  },
)
