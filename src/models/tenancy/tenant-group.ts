import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const tenantGroup = model('tenancy.tenantgroup', {
  name: text({ unique: true, max: 100, natural: true }),
  slug: slug({ unique: true }),
  parent: ref('tenancy.tenantgroup', { nullable: true, onDelete: 'cascade', related: 'children', shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] }),
  description,
  ...primary,
  tenant_count: countOf('tenancy.tenant', 'group', { cumulative: true, nested: 0 }),
  ...owned,
  comments,
  _depth: integer({ readOnly: true, filter: false }),
}, {
  path: 'tenancy/tenant-groups', label: 'tenant group', plural: 'tenant groups', objectName: 'TenantGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'tenant_count', '_depth'],
  order: ['name'],
  tree: { parent: 'parent', by: 'name' },
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    parent: relatedFilter('parent', 'tenancy.tenantgroup', { by: 'slug' }),
    ancestor_id: relatedFilter('parent', 'tenancy.tenantgroup', { tree: true }),
    ancestor: relatedFilter('parent', 'tenancy.tenantgroup', { by: 'slug', tree: true }),
  },
})
