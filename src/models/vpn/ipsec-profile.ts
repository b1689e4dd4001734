import { IPSecModeChoices } from '../../choices/vpn.ts'
import { choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const ipsecProfile = model(
  'vpn.ipsecprofile',
  {
    name: text({ unique: true, max: 100, natural: true }),
    description,
    mode: choice(IPSecModeChoices),
    ike_policy: ref('vpn.ikepolicy', { related: 'ipsec_profiles' }),
    ipsec_policy: ref('vpn.ipsecpolicy', { related: 'ipsec_profiles' }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'vpn/ipsec-profiles',
    label: 'IPSec profile',
    plural: 'IPSec profiles',
    objectName: 'IPSecProfile',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ike_policy: relatedFilter('ike_policy', 'vpn.ikepolicy', { by: 'name' }),
      ipsec_policy: relatedFilter('ipsec_policy', 'vpn.ipsecpolicy', { by: 'name' }),
    },
    pages: {
      columns: 'name mode ike_policy ipsec_policy description',
      filters: { Profile: 'mode ike_policy_id ipsec_policy_id' },
      form: { Profile: 'name description tags', Parameters: 'mode ike_policy ipsec_policy' },
      bulk: 'mode ike_policy ipsec_policy description',
      panels: {
        'IPSec profile': 'name description mode',
        'IKE policy': 'ike_policy ike_policy.description ike_policy.version ike_policy.mode ike_policy.proposals',
        'IPSec policy': 'ipsec_policy ipsec_policy.description ipsec_policy.proposals ipsec_policy.pfs_group',
      },
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
