import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier } from '../../declare/presets.ts'

export const clusterType = model(
  'virtualization.clustertype',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
    cluster_count: countOf('virtualization.cluster', 'type'),
  },
  {
    path: 'virtualization/cluster-types',
    label: 'cluster type',
    plural: 'cluster types',
    objectName: 'ClusterType',
    ...classifier('cluster_count'),
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name cluster_count description',
      form: { 'Cluster type': 'name slug description tags' },
      bulk: 'description',
      panels: { 'Cluster type': 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
