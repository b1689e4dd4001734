import { countOf, comments, datetime, description, owned, reverseOf, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters, tagFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const vlanTranslationPolicy = model(
  'ipam.vlantranslationpolicy',
  {
    name: text({ unique: true, max: 100 }),
    description,
    rules: reverseOf('ipam.vlantranslationrule', 'policy', {
      shape: ['id', 'url', 'display', 'policy', 'local_vid', 'remote_vid', 'description'],
    }),
    ...owned,
    comments,
    created: datetime({ hidden: true, nullable: true }),
    last_updated: datetime({ hidden: true, nullable: true }),
  },
  {
    path: 'ipam/vlan-translation-policies',
    label: 'VLAN translation policy',
    plural: 'VLAN translation policies',
    objectName: 'VLANTranslationPolicy',
    graphql: {
      members: `
        tags=none:[TagType!]! custom_fields=none:JSON! created last_updated custom_field_data=none:JSON!
      `,
      filters: 'created last_updated tags=none:TagFilter custom_field_data=none:JSONFilter -rules',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    displayUrl: false,
    search: { text: ['name', 'description'] },
    filters: {
      ...changelogFilters,
      ...tagFilters,
      ...ownerFilters,
    },
    pages: {
      ofEach: true,
      columns: 'name rule_count description',
      extra: { rule_count: countOf('ipam.vlantranslationrule', 'policy') },
      filters: { Attributes: 'name' },
      form: { 'VLAN translation policy': 'name description tags' },
      bulk: 'description',
      panels: { 'VLAN translation policy': 'name description' },
      tables: [['ipam.vlantranslationrule', 'policy_id']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
