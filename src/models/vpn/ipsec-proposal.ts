import { AuthenticationAlgorithmChoices, EncryptionAlgorithmChoices } from '../../choices/vpn.ts'
import { choice, comments, description, integer, owned, primary, text } from '../../fields/index.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const ipsecProposal = model(
  'vpn.ipsecproposal',
  {
    name: text({ unique: true, max: 100, natural: true }),
    description,
    encryption_algorithm: choice(EncryptionAlgorithmChoices, { dbNull: true, required: false }),
    authentication_algorithm: choice(AuthenticationAlgorithmChoices, { dbNull: true, required: false }),
    sa_lifetime_seconds: integer({
      unit: 'seconds',
      nullable: true,
      label: 'SA lifetime (seconds)',
      min: 0,
      max: 2147483647,
    }),
    sa_lifetime_data: integer({ unit: 'KB', nullable: true, label: 'SA lifetime (KB)', min: 0, max: 2147483647 }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'vpn/ipsec-proposals',
    label: 'IPSec proposal',
    plural: 'IPSec proposals',
    objectName: 'IPSecProposal',
    graphql: {
      filters: `
        authentication_algorithm:AuthenticationAlgorithmEnumBaseFilterLookupBaseFilterLookup
        ipsec_policies
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...relatedBy('ipsec_policy', 'vpn.ipsecpolicy', { path: 'ipsec_policies', by: 'name' }),
    },
    pages: {
      columns: 'name encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data description',
      filters: { Parameters: 'encryption_algorithm authentication_algorithm' },
      form: {
        Proposal: 'name description tags',
        Parameters: 'encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data',
      },
      bulk: 'encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data description',
      panels: {
        'IPSec proposal':
          'name description encryption_algorithm authentication_algorithm sa_lifetime_seconds sa_lifetime_data',
      },
      tables: [['vpn.ipsecpolicy', 'ipsec_proposal_id', 'IPSec policies']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(ipsecProposal, {
  validate: ({ row, errors }) => {
    if (!row.encryption_algorithm && !row.authentication_algorithm)
      errors.__all__ = ['An encryption or an authentication algorithm is required.']
  },
})
