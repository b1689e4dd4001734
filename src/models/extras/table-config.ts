import { boolean, contentType, description, integer, listOf, ref, stamps, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, usableFilter } from '../../filters/shared.ts'
import { type AnyModel, behaviour, model } from '../../declare/model.ts'
import { giveMaker } from '../../rules/personal.ts'

const columnName = (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= 100
    ? { value }
    : { error: 'Not a valid name of a column.' }

export const tableConfig = model(
  'extras.tableconfig',
  {
    object_type: contentType('feature:all', { listed: true }),
    table: text({ max: 100 }),
    name: text({ max: 100 }),
    description,
    user: ref('users.user', { raw: true, nullable: true, onDelete: 'set null' }),
    weight: integer({ help: 'Those of less weight come first.', min: 0, max: 32767, default: 1000 }),
    enabled: boolean({ default: true }),
    shared: boolean({ help: 'Other users may choose it too.', default: true }),
    columns: listOf(columnName, { items: { type: 'string', maxLength: 100 }, filter: false }),
    ordering: listOf(columnName, { items: { type: 'string', maxLength: 100 }, nullable: true, filter: false }),
    ...stamps,
  },
  {
    path: 'extras/table-configs',
    label: 'table config',
    plural: 'table configs',
    objectName: 'TableConfig',
    graphql: { filters: '-object_type -table -columns -ordering' },
    display: 'name',
    brief: ['id', 'url', 'display', 'object_type', 'table', 'name', 'description'],
    order: ['weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules'],
    search: { text: ['table', 'name', 'description'] },
    personal: true,
    filters: {
      usable: usableFilter,
      ...changelogFilters,
      object_type_id: typeIdFilter('object_type'),
      object_type: contentTypeFilter('object_type'),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
    },
    pages: {
      columns: 'name object_type table user description enabled shared',
      filters: { Attributes: 'object_type_id enabled shared weight' },
      form: { '': 'object_type table name description weight enabled shared columns ordering' },
      bulk: 'description weight enabled shared',
      panels: {
        'Table config': 'name description object_type table user enabled shared weight',
        'Columns shown': 'columns',
        Ordering: 'ordering',
      },
    },
  },
)

/** Tables are named after what they list: `SiteTable`, `DeviceInterfaceTable`, `VLANMembersTable`. */
const isTable = (models: readonly AnyModel[], name: string, app: string): boolean =>
  models.some((m) => m.app === app && name.endsWith('Table') && name.includes(m.objectName))

behaviour(tableConfig, {
  prepare: giveMaker,
  validate: ({ row, errors, tools }) => {
    if (!isTable(tools.models, row.table, row.object_type!.split('.')[0]!))
      errors.table = [`Unknown table: ${row.table}`]
  },
})
