import { comments, description, json, owned, stamps, tags, text } from '../../fields/index.ts'
import { autoSync, isSynced, syncedData, syncedFields } from '../../rules/synced-data.ts'
import { booleanFilter } from '../../filters/boolean.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { schemaFault } from '../../rules/schemas.ts'

export const configContextProfile = model(
  'extras.configcontextprofile',
  {
    name: text({ unique: true, max: 100 }),
    description,
    schema: json({ nullable: true, object: true, check: schemaFault }),
    tags: tags(),
    ...owned,
    comments,
    ...syncedFields(),
    ...stamps,
    auto_sync_enabled: autoSync({ hidden: true, entered: true }),
  },
  {
    path: 'extras/config-context-profiles',
    label: 'config context profile',
    plural: 'config context profiles',
    objectName: 'ConfigContextProfile',
    graphql: {
      members: 'custom_fields=none:JSON! custom_field_data=none:JSON! auto_sync_enabled -config_contexts',
      filters: `
        custom_field_data=none:JSONFilter data_source_id:IntFilterLookup data_file_id:IntFilterLookup
        auto_sync_enabled -schema
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures('synced_data'),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      auto_sync_enabled: booleanFilter('auto_sync_enabled'),
    },
    pages: {
      extra: {
        is_synced: isSynced,
      },
      columns: 'name description is_synced',
      filters: { Data: 'data_source_id data_file_id' },
      form: {
        'Config context profile': 'name description schema tags',
        'Data source': 'data_source data_file auto_sync_enabled',
      },
      bulk: 'description',
      panels: {
        'Config context profile': 'name description',
        'Data source': 'data_source data_file data_path data_synced auto_sync_enabled',
        Schema: 'schema',
      },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(configContextProfile, syncedData('extras.configcontextprofile'))
