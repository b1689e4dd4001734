import { cacheScope, scopeOf, scopePlaces } from '../../rules/scope.ts'
import { ClusterStatusChoices } from '../../choices/virtualization.ts'
import { choice, comments, computed, countOf, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, scopedFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

/** Sum of a resource over the machines of a cluster. */
const allocated = (resource: string, t: string, sql: { uses: (table: string) => void }) => {
  sql.uses('virtualization_virtualmachine')
  return `(select sum(v.${resource}) from virtualization_virtualmachine v where v.cluster_id = ${t}.id)`
}

export const cluster = model(
  'virtualization.cluster',
  {
    name: text({ max: 100, natural: true }),
    type: ref('virtualization.clustertype', { related: 'clusters' }),
    group: ref('virtualization.clustergroup', { nullable: true, apiDefault: null, related: 'clusters' }),
    status: choice(ClusterStatusChoices, { default: 'active' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'clusters', filter: false }),
    scope: scopeOf('clusters'),
    description,
    ...owned,
    comments,
    ...primary,
    device_count: countOf('dcim.device', 'cluster'),
    virtualmachine_count: countOf('virtualization.virtualmachine', 'cluster'),
    allocated_vcpus: computed((t, sql) => allocated('vcpus', t, sql), {
      schema: { type: 'number', nullable: true },
      type: 'decimal',
      facts: { max_digits: 8, decimal_places: 2 },
      plain: true,
    }),
    allocated_memory: computed((t, sql) => allocated('memory', t, sql), {
      schema: { type: 'integer', nullable: true },
      type: 'integer',
      plain: true,
    }),
    allocated_disk: computed((t, sql) => allocated('disk', t, sql), {
      schema: { type: 'integer', nullable: true },
      type: 'integer',
      plain: true,
    }),
    ...scopePlaces,
  },
  {
    path: 'virtualization/clusters',
    label: 'cluster',
    plural: 'clusters',
    objectName: 'Cluster',
    graphql: { members: 'vlan_groups type:ClusterTypeType', filters: 'vlan_groups' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description', 'virtualmachine_count'],
    nested: ['id', 'url', 'display', 'name', 'description'],
    key: ['name', 'group'],
    order: ['name'],
    unique: [{ fields: ['group', 'name'] }, { fields: ['_site', 'name'] }],
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...scopedFilters,
      group: relatedFilter('group', 'virtualization.clustergroup', { by: 'slug' }),
      type: relatedFilter('type', 'virtualization.clustertype', { by: 'slug' }),
    },
    pages: {
      columns: 'name type group status tenant scope device_count virtualmachine_count',
      filters: { Attributes: 'group_id type_id status', Scope: 'region_id site_group_id site_id location_id' },
      form: { Cluster: 'name type group status description tags', Scope: 'scope', Tenancy: 'tenant' },
      bulk: 'type group status tenant description scope',
      panels: {
        Cluster: 'name type status description group tenant scope',
        'Allocated resources': 'allocated_vcpus allocated_memory allocated_disk',
      },
      tabs: {
        virtualmachines: ['virtualization.virtualmachine', 'cluster_id', undefined, 'always'],
        devices: ['dcim.device', 'cluster_id', undefined, 'always'],
      },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(cluster, {
  prepare: cacheScope,
  validate: ({ row, before, errors, tools }) => {
    if (!before) return
    if (row._site_id !== null && tools.has('dcim.device', { cluster_id: row.id, site_id: { not: row._site_id } }))
      errors.scope = ['Hosts of this cluster are in another site.']
    else if (
      row._location_id !== null &&
      tools.has('dcim.device', { cluster_id: row.id, location_id: { not: row._location_id } })
    )
      errors.scope = ['Hosts of this cluster are in another location.']
  },
  saved: ({ row, before, tools }) => {
    if (!before || before._site_id === row._site_id || row._site_id === null) return
    tools.set('virtualization.virtualmachine', { cluster_id: row.id }, { site_id: row._site_id })
  },
})

behaviour(cluster, {
  importColumns: {
    columns: { site: 'dcim.site' },
    read: ({ site }) => ({ scope_type: 'dcim.site', scope_id: site }),
  },
})
