import { comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const routeTarget = model(
  'ipam.routetarget',
  {
    name: text({ unique: true, max: 21, natural: true }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'route_targets', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'ipam/route-targets',
    label: 'route target',
    plural: 'route targets',
    objectName: 'RouteTarget',
    graphql: { filters: 'importing_vrfs exporting_vrfs importing_l2vpns exporting_l2vpns' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...relatedBy('importing_vrf', 'ipam.vrf', { path: 'importing_vrfs', by: 'rd' }),
      ...relatedBy('exporting_vrf', 'ipam.vrf', { path: 'exporting_vrfs', by: 'rd' }),
      ...relatedBy('importing_l2vpn', 'vpn.l2vpn', { path: 'importing_l2vpns', by: 'identifier' }),
      ...relatedBy('exporting_l2vpn', 'vpn.l2vpn', { path: 'exporting_l2vpns', by: 'identifier' }),
    },
    pages: {
      columns: 'name tenant description',
      filters: { VRF: 'importing_vrf_id exporting_vrf_id' },
      form: { 'Route target': 'name description tags', Tenancy: 'tenant' },
      bulk: 'tenant description',
      panels: { 'Route target': 'name tenant description' },
      tables: [
        ['ipam.vrf', 'import_target_id', 'Importing VRFs'],
        ['ipam.vrf', 'export_target_id', 'Exporting VRFs'],
        ['vpn.l2vpn', 'import_target_id', 'Importing L2VPNs'],
        ['vpn.l2vpn', 'export_target_id', 'Exporting L2VPNs'],
      ],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
