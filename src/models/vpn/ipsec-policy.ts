import { DHGroupChoices } from '../../choices/vpn.ts'
import { choice, comments, description, owned, primary, refs, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const ipsecPolicy = model(
  'vpn.ipsecpolicy',
  {
    name: text({ unique: true, max: 100, natural: true }),
    description,
    proposals: refs('vpn.ipsecproposal', { related: 'ipsec_policies', filter: false }),
    pfs_group: choice(DHGroupChoices, { dbNull: true, filter: false, required: false }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'vpn/ipsec-policies',
    label: 'IPSec policy',
    plural: 'IPSec policies',
    objectName: 'IPSecPolicy',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      pfs_group: choiceFilter('pfs_group', DHGroupChoices, { lookups: CharLookupsNoEmpty }),
      ...relatedBy('ipsec_proposal', 'vpn.ipsecproposal', { path: 'proposals', by: 'name' }),
    },
    pages: {
      columns: 'name proposals pfs_group description',
      filters: { Parameters: 'pfs_group' },
      form: { Policy: 'name description tags', Parameters: 'proposals pfs_group' },
      bulk: 'pfs_group description',
      panels: { 'IPSec policy': 'name description pfs_group' },
      tables: [['vpn.ipsecproposal', 'ipsec_policy_id', 'Proposals']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
