import { renderAction, templateFields } from '../../rules/templates.ts'
import { countOf, boolean, description, owned, stamps, tags, text } from '../../fields/index.ts'
import { autoSync, isSynced, syncedData, syncedFields } from '../../rules/synced-data.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const configTemplate = model(
  'extras.configtemplate',
  {
    name: text({ max: 100 }),
    description,
    ...templateFields,
    debug: boolean({ default: false }),
    ...syncedFields(),
    auto_sync_enabled: autoSync(),
    ...owned,
    tags: tags(),
    ...stamps,
  },
  {
    path: 'extras/config-templates',
    label: 'config template',
    plural: 'config templates',
    objectName: 'ConfigTemplate',
    graphql: { filters: 'data_source_id:IntFilterLookup data_file_id:IntFilterLookup -debug -tags' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name'],
    order: ['name'],
    features: [
      'change_logging',
      'custom_links',
      'custom_validation',
      'event_rules',
      'export_templates',
      'synced_data',
      'tags',
    ],
    permissions: ['render'],
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
    },
    pages: {
      tabs: { render: true },
      labels: { as_attachment: 'Attachment', data_path: 'Data path', data_synced: 'Data synced' },
      help: {
        template_code: 'Jinja: device is the object, and the members of its config context are there by name.',
      },
      columns: 'name description device_count virtualmachine_count is_synced',
      extra: {
        role_count: countOf('dcim.devicerole', 'config_template'),
        platform_count: countOf('dcim.platform', 'config_template'),
        is_synced: isSynced,
        device_count: countOf('dcim.device', 'config_template'),
        virtualmachine_count: countOf('virtualization.virtualmachine', 'config_template'),
      },
      filters: {
        Data: 'data_source_id data_file_id auto_sync_enabled',
        Rendering: 'mime_type file_name file_extension as_attachment debug',
      },
      form: {
        'Config template': 'name description tags template_code',
        'Data source': 'data_source data_file auto_sync_enabled',
        Rendering: 'mime_type file_name file_extension environment_params as_attachment debug',
      },
      bulk: 'description mime_type file_name file_extension as_attachment auto_sync_enabled debug',
      panels: {
        'Config template': `
          name description mime_type file_name file_extension as_attachment debug
          data_source data_path data_synced auto_sync_enabled
        `,
        Template: 'template_code',
        'Environment parameters': 'environment_params',
      },
    },
  },
)

behaviour(configTemplate, syncedData('extras.configtemplate'))
behaviour(configTemplate, { actions: { render: renderAction } })
