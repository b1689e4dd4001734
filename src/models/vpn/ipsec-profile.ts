import { IPSecModeChoices } from '../../choices/vpn.ts'
import { choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const ipsecProfile = model('vpn.ipsecprofile', {
  name: text({ unique: true, max: 100, natural: true }),
  description,
  mode: choice(IPSecModeChoices),
  ike_policy: ref('vpn.ikepolicy', { related: 'ipsec_profiles' }),
  ipsec_policy: ref('vpn.ipsecpolicy', { related: 'ipsec_profiles' }),
  ...owned,
  comments,
  ...primary,
}, {
  path: 'vpn/ipsec-profiles', label: 'IPSec profile', plural: 'IPSec profiles', objectName: 'IPSecProfile',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ike_policy: relatedFilter('ike_policy', 'vpn.ikepolicy', { by: 'name' }),
    ipsec_policy: relatedFilter('ipsec_policy', 'vpn.ipsecpolicy', { by: 'name' }),
  },
})
