import { autoSync, isSynced, syncedData, syncedFields } from '../../rules/synced-data.ts'
import { boolean, description, integer, json, owned, ref, refs, slugs, stamps, text } from '../../fields/index.ts'
import { booleanFilter } from '../../filters/boolean.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { schemaRefusal } from '../../rules/schemas.ts'

export const configContext = model(
  'extras.configcontext',
  {
    name: text({ unique: true, max: 100 }),
    weight: integer({
      help: 'Contexts of more weight win where several say the same.',
      min: 0,
      max: 32767,
      default: 1000,
    }),
    profile: ref('extras.configcontextprofile', { nullable: true, apiDefault: null, related: 'config_contexts' }),
    description,
    is_active: boolean({ help: 'Others are left out of what devices and virtual machines get.', default: true }),
    regions: refs('dcim.region', { related: false, filter: false }),
    site_groups: refs('dcim.sitegroup', { related: false, filter: false }),
    sites: refs('dcim.site', { related: false, filter: false }),
    locations: refs('dcim.location', { related: false, filter: false }),
    device_types: refs('dcim.devicetype', { related: false, filter: false }),
    roles: refs('dcim.devicerole', { related: false, filter: false }),
    platforms: refs('dcim.platform', { related: false, filter: false }),
    cluster_types: refs('virtualization.clustertype', { related: false, filter: false }),
    cluster_groups: refs('virtualization.clustergroup', { related: false, filter: false }),
    clusters: refs('virtualization.cluster', { related: false, filter: false }),
    tenant_groups: refs('tenancy.tenantgroup', { related: false, filter: false }),
    tenants: refs('tenancy.tenant', { related: false, filter: false }),
    ...owned,
    tags: slugs('extras.tag', { filter: false }),
    ...syncedFields(),
    data: json({
      object: true,
      filledBy: 'data_file',
      check: (data) => (Object.keys(data as object).length === 0 ? 'This field may not be empty.' : undefined),
    }),
    ...stamps,
    auto_sync_enabled: autoSync({ hidden: true, entered: true }),
  },
  {
    path: 'extras/config-contexts',
    label: 'config context',
    plural: 'config contexts',
    objectName: 'ConfigContext',
    graphql: {
      members: 'auto_sync_enabled',
      filters: `
        data_source_id:IntFilterLookup data_file_id:IntFilterLookup auto_sync_enabled
        region_id=regions:TreeNodeFilter site_group_id=site_groups:TreeNodeFilter
        tenant_group_id=tenant_groups:TreeNodeFilter -profile -profile_id
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_links', 'custom_validation', 'event_rules', 'synced_data'],
    search: { text: ['data', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      auto_sync_enabled: booleanFilter('auto_sync_enabled'),
      profile: relatedFilter('profile', 'extras.configcontextprofile', { by: 'name' }),
      ...relatedBy('region', 'dcim.region', { path: 'regions' }),
      ...relatedBy('site_group', 'dcim.sitegroup', { path: 'site_groups' }),
      ...relatedBy('site', 'dcim.site', { path: 'sites' }),
      ...relatedBy('location', 'dcim.location', { path: 'locations' }),
      device_type_id: relatedFilter('device_types', 'dcim.devicetype'),
      ...relatedBy('device_role', 'dcim.devicerole', { path: 'roles' }),
      ...relatedBy('platform', 'dcim.platform', { path: 'platforms' }),
      ...relatedBy('cluster_type', 'virtualization.clustertype', { path: 'cluster_types' }),
      ...relatedBy('cluster_group', 'virtualization.clustergroup', { path: 'cluster_groups' }),
      cluster_id: relatedFilter('clusters', 'virtualization.cluster'),
      ...relatedBy('tenant_group', 'tenancy.tenantgroup', { path: 'tenant_groups' }),
      ...relatedBy('tenant', 'tenancy.tenant', { path: 'tenants' }),
      ...relatedBy('tag', 'extras.tag', { path: 'tags' }),
    },
    pages: {
      extra: {
        is_synced: isSynced,
      },
      labels: { is_active: 'Active' },
      columns: 'name weight profile is_active description is_synced',
      filters: {
        Attributes: 'tag_id',
        'Config context': 'profile_id',
        Data: 'data_source_id data_file_id',
        Location: 'region_id site_group_id site_id location_id',
        Device: 'device_type_id platform_id device_role_id',
        Cluster: 'cluster_type_id cluster_group_id cluster_id',
      },
      form: {
        'Config context': 'name weight profile description data is_active',
        'Data source': 'data_source data_file auto_sync_enabled',
        Assignment: `
            regions site_groups sites locations device_types roles platforms cluster_types cluster_groups clusters
            tenant_groups tenants tags
          `,
      },
      bulk: 'weight profile is_active description',
      panels: {
        'Config context': 'name weight profile description is_active',
        Assignment: `
          regions site_groups sites locations device_types roles platforms
          cluster_types cluster_groups clusters tenant_groups tenants tags
        `,
        'Data source': 'data_source data_file data_path data_synced auto_sync_enabled',
        Data: 'data',
      },
    },
  },
)

behaviour(configContext, syncedData('extras.configcontext'))
behaviour(configContext, {
  validate: ({ row, errors, tools }) => {
    const schema = row.profile_id === null ? null : tools.row('extras.configcontextprofile', row.profile_id)?.schema
    const refusal =
      typeof schema === 'string' && schema !== 'null' ? schemaRefusal(schema, JSON.parse(row.data!)) : undefined
    if (refusal) errors.__all__ = [`The data does not satisfy the schema of the profile: ${refusal}`]
  },
})
