import { boolean, comments, countOf, description, owned, primary, ref, refs, text } from '../../fields/index.ts'
import { primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

/** Route targets, told in full. `related`: the name by which they know the VRF. */
const targets = (related: string) =>
  refs('ipam.routetarget', {
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
    related,
    filter: false,
  })

export const vrf = model(
  'ipam.vrf',
  {
    name: text({ max: 100, natural: true }),
    rd: text({
      help: 'Route distinguisher, as in RFC 4364.',
      nullable: true,
      blank: true,
      unique: true,
      label: 'Route distinguisher',
      max: 21,
    }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'vrfs', filter: false }),
    enforce_unique: boolean({
      help: 'No prefix and no address may be there twice within the VRF.',
      label: 'Enforce unique space',
      default: true,
    }),
    description,
    ...owned,
    comments,
    import_targets: targets('importing_vrfs'),
    export_targets: targets('exporting_vrfs'),
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
    key: ['name', 'rd'],
    order: ['name', 'rd'],
    features: primaryFeatures(),
    search: { text: ['description', 'name', 'rd'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...relatedBy('import_target', 'ipam.routetarget', { path: 'import_targets', by: 'name' }),
      ...relatedBy('export_target', 'ipam.routetarget', { path: 'export_targets', by: 'name' }),
    },
    pages: {
      labels: { enforce_unique: 'Unique IP space' },
      columns: 'name rd tenant description',
      filters: { 'Route targets': 'import_target_id export_target_id' },
      form: {
        VRF: 'name rd enforce_unique description tags',
        'Route targets': 'import_targets export_targets',
        Tenancy: 'tenant',
      },
      bulk: 'tenant enforce_unique description',
      panels: { VRF: 'rd tenant enforce_unique description' },
      tables: [
        ['ipam.routetarget', 'importing_vrf_id', 'Import route targets'],
        ['ipam.routetarget', 'exporting_vrf_id', 'Export route targets'],
      ],
      weights: { name: 100, rd: 200, description: 500, comments: 5000 },
    },
  },
)
