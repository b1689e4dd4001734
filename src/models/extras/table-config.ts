import { conditionFilter } from '../../filters/boolean.ts'
import { boolean, contentType, description, integer, listOf, ref, stamps, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const tableConfig = model('extras.tableconfig', {
  object_type: contentType('feature:all'),
  table: text({ max: 100 }),
  name: text({ max: 100 }),
  description,
  user: ref('users.user', { raw: true, nullable: true, onDelete: 'set null' }),
  weight: integer({ min: 0, max: 32767, default: 1000 }),
  enabled: boolean({ default: true }),
  shared: boolean({ default: true }),
  columns: listOf((value) => ({ value }), { filter: false }),
  ordering: listOf((value) => ({ value }), { nullable: true, filter: false }),
  ...stamps,
}, {
  path: 'extras/table-configs', label: 'table config', plural: 'table configs', objectName: 'TableConfig',
  display: 'name',
  brief: ['id', 'url', 'display', 'object_type', 'table', 'name', 'description'],
  order: ['weight', 'name'],
  features: ['change_logging', 'cloning', 'custom_validation', 'event_rules'],
  search: { text: ['table', 'name', 'description'] },
  filters: {
    usable: conditionFilter((t) => `${t}.enabled = 1 and ${t}.shared = 1`),
    ...changelogFilters,
    object_type_id: typeIdFilter('object_type'),
    object_type: contentTypeFilter('object_type'),
    user: relatedFilter('user', 'users.user', { by: 'username' }),
  },
})
