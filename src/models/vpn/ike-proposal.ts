import {
  AuthenticationAlgorithmChoices,
  AuthenticationMethodChoices,
  DHGroupChoices,
  EncryptionAlgorithmChoices,
} from '../../choices/vpn.ts'
import { choice, comments, description, integer, owned, primary, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const ikeProposal = model(
  'vpn.ikeproposal',
  {
    name: text({ unique: true, max: 100, natural: true }),
    description,
    authentication_method: choice(AuthenticationMethodChoices),
    encryption_algorithm: choice(EncryptionAlgorithmChoices),
    authentication_algorithm: choice(AuthenticationAlgorithmChoices, { dbNull: true, required: false }),
    group: choice(DHGroupChoices, { filter: false }),
    sa_lifetime: integer({
      unit: 'seconds',
      help: 'In seconds.',
      nullable: true,
      label: 'SA lifetime',
      min: 0,
      max: 2147483647,
    }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'vpn/ike-proposals',
    label: 'IKE proposal',
    plural: 'IKE proposals',
    objectName: 'IKEProposal',
    graphql: { filters: 'ike_policies' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...relatedBy('ike_policy', 'vpn.ikepolicy', { path: 'ike_policies', by: 'name' }),
      group: choiceFilter('group', DHGroupChoices, { lookups: CharLookupsNoEmpty }),
    },
    pages: {
      labels: { group: 'DH group', sa_lifetime: 'SA lifetime (seconds)' },
      columns: 'name authentication_method encryption_algorithm authentication_algorithm group sa_lifetime description',
      filters: { Parameters: 'authentication_method encryption_algorithm authentication_algorithm group' },
      form: {
        Proposal: 'name description tags',
        Parameters: 'authentication_method encryption_algorithm authentication_algorithm group sa_lifetime',
      },
      bulk: 'authentication_method encryption_algorithm authentication_algorithm group sa_lifetime description',
      panels: {
        'IKE proposal':
          'name description authentication_method encryption_algorithm authentication_algorithm group sa_lifetime',
      },
      tables: [['vpn.ikepolicy', 'ike_proposal_id', 'IKE policies']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
