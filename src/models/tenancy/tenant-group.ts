import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const tenantGroup = model(
  'tenancy.tenantgroup',
  {
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    parent: ref('tenancy.tenantgroup', {
      nullable: true,
      onDelete: 'cascade',
      related: 'children',
      shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'],
    }),
    description,
    ...primary,
    tenant_count: countOf('tenancy.tenant', 'group', { cumulative: true, nested: 0 }),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'tenancy/tenant-groups',
    label: 'tenant group',
    plural: 'tenant groups',
    objectName: 'TenantGroup',
    graphql: { filters: 'tenants children' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'tenant_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...treeFilters('tenancy.tenantgroup'),
    },
    pages: {
      columns: 'name tenant_count description',
      filters: { 'Tenant group': 'parent_id' },
      form: { 'Tenant group': 'parent name slug description tags' },
      bulk: 'description parent',
      panels: { 'Tenant group': 'parent name description' },
      tables: [['tenancy.tenantgroup', 'parent_id', 'Child groups']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
