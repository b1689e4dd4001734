import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const inventoryItemRole = model('dcim.inventoryitemrole', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  color: color({ default: '9e9e9e' }),
  description,
  ...owned,
  comments,
  ...primary,
  inventoryitem_count: countOf('dcim.inventoryitem', 'role'),
}, {
  path: 'dcim/inventory-item-roles', label: 'inventory item role', plural: 'inventory item roles', objectName: 'InventoryItemRole',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'inventoryitem_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
