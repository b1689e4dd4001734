import { templateFields } from '../../rules/templates.ts'
import { contentTypes, description, owned, stamps, text } from '../../fields/index.ts'
import { autoSync, isSynced, syncedData, syncedFields } from '../../rules/synced-data.ts'
import { booleanFilter } from '../../filters/boolean.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const exportTemplate = model(
  'extras.exporttemplate',
  {
    object_types: contentTypes('export_templates', { filter: false }),
    name: text({ max: 100 }),
    description,
    ...templateFields,
    ...syncedFields({ readOnly: true, entered: true }),
    ...owned,
    ...stamps,
    auto_sync_enabled: autoSync({ hidden: true, entered: true }),
  },
  {
    path: 'extras/export-templates',
    label: 'export template',
    plural: 'export templates',
    objectName: 'ExportTemplate',
    graphql: {
      members: 'auto_sync_enabled -object_types',
      filters: 'data_source_id:IntFilterLookup data_file_id:IntFilterLookup auto_sync_enabled',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name'],
    order: ['name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates', 'synced_data'],
    search: { text: ['file_name', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      auto_sync_enabled: booleanFilter('auto_sync_enabled'),
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
    },
    pages: {
      extra: {
        is_synced: isSynced,
      },
      tabs: { trial: true },
      labels: { as_attachment: 'Attachment', data_path: 'Data path', data_synced: 'Data synced' },
      help: {
        template_code: 'Jinja: queryset is the list of the objects.',
      },
      columns: 'name object_types description mime_type file_name file_extension as_attachment is_synced',
      filters: {
        Attributes: 'object_type_id',
        Data: 'data_source_id data_file_id',
        Rendering: 'mime_type file_name file_extension as_attachment',
      },
      form: {
        'Export template': 'name object_types description template_code',
        'Data source': 'data_source data_file auto_sync_enabled',
        Rendering: 'mime_type file_name file_extension environment_params as_attachment',
      },
      bulk: 'description mime_type file_name file_extension as_attachment',
      panels: {
        'Export template': 'name description mime_type file_name file_extension as_attachment',
        'Object types': 'object_types',
        'Data source': 'data_source data_file data_path data_synced auto_sync_enabled',
        Template: 'template_code',
        'Environment parameters': 'environment_params',
      },
    },
  },
)

behaviour(exportTemplate, syncedData('extras.exporttemplate'))
behaviour(exportTemplate, {
  validate: ({ row, errors }) => {
    if (row.name.toLowerCase() === 'table') errors.name = [`"${row.name}" is reserved: it names the export of a table.`]
  },
})
