import { displayOf } from '../../fields/display.ts'
import { datetime, description, integer, ref } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, tagFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const vlanTranslationRule = model(
  'ipam.vlantranslationrule',
  {
    policy: ref('ipam.vlantranslationpolicy', { raw: true, onDelete: 'cascade', related: 'rules' }),
    local_vid: integer({ label: 'Local VLAN ID', min: 1, max: 4094 }),
    remote_vid: integer({ label: 'Remote VLAN ID', min: 1, max: 4094 }),
    description,
    created: datetime({ hidden: true, nullable: true }),
    last_updated: datetime({ hidden: true, nullable: true }),
  },
  {
    path: 'ipam/vlan-translation-rules',
    label: 'VLAN translation rule',
    plural: 'VLAN translation rules',
    objectName: 'VLANTranslationRule',
    graphql: {
      members: `
        tags=none:[TagType!]! custom_fields=none:JSON! created last_updated custom_field_data=none:JSON!
      `,
      filters: 'created last_updated tags=none:TagFilter custom_field_data=none:JSONFilter',
    },
    display: (t, sql) =>
      `${t}.local_vid || ' -> ' || ${t}.remote_vid
        || ' (' || ${displayOf(sql, 'ipam.vlantranslationpolicy', `${t}.policy_id`)} || ')'`,
    brief: ['id', 'url', 'display', 'policy', 'local_vid', 'remote_vid', 'description'],
    order: ['policy', 'local_vid'],
    unique: [{ fields: ['policy', 'local_vid'] }, { fields: ['policy', 'remote_vid'] }],
    features: primaryFeatures(),
    displayUrl: false,
    search: { text: ['policy.name'], integer: ['local_vid', 'remote_vid'] },
    filters: {
      ...changelogFilters,
      ...tagFilters,
      policy: relatedFilter('policy', 'ipam.vlantranslationpolicy', { by: 'name' }),
    },
    pages: {
      ofEach: true,
      columns: 'policy local_vid remote_vid description',
      filters: { Attributes: 'policy_id local_vid remote_vid' },
      form: { 'VLAN translation rule': 'policy local_vid remote_vid description tags' },
      bulk: 'policy local_vid remote_vid',
      panels: { 'VLAN translation rule': 'policy local_vid remote_vid description' },
      weights: { policy: 100, local_vid: 200, remote_vid: 200 },
    },
  },
)
