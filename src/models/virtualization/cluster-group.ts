import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier, primaryFeatures } from '../../declare/presets.ts'

export const clusterGroup = model(
  'virtualization.clustergroup',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
    cluster_count: countOf('virtualization.cluster', 'group'),
  },
  {
    path: 'virtualization/cluster-groups',
    label: 'cluster group',
    plural: 'cluster groups',
    objectName: 'ClusterGroup',
    graphql: { members: 'vlan_groups', filters: 'vlan_groups' },
    ...classifier('cluster_count'),
    features: primaryFeatures('contacts'),
    filters: {
      ...primaryFilters,
      ...contactFilters,
    },
    pages: {
      columns: 'name cluster_count description',
      form: { 'Cluster group': 'name slug description tags' },
      bulk: 'description',
      panels: { 'Cluster group': 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
