import { IPSecModeChoices } from '../../choices/vpn.ts'
import { choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'
import { primaryFeatures } from '../../registry/presets.ts'

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
  },
)
