import { IKEModeChoices, IKEVersionChoices } from '../../choices/vpn.ts'
import { choice, comments, description, owned, primary, refs, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { stringFilter } from '../../filters/string.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const ikePolicy = model(
  'vpn.ikepolicy',
  {
    name: text({ unique: true, max: 100, natural: true }),
    description,
    version: choice(IKEVersionChoices, { required: true, default: 2, filter: false }),
    mode: choice(IKEModeChoices, { dbNull: true, required: false }),
    proposals: refs('vpn.ikeproposal', { related: 'ike_policies', filter: false }),
    preshared_key: text({ blank: true, label: 'Pre-shared key', covered: true }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'vpn/ike-policies',
    label: 'IKE policy',
    plural: 'IKE policies',
    objectName: 'IKEPolicy',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      preshared_key: stringFilter('preshared_key', { single: true, lookups: CharLookupsNoEmpty }),
      version: choiceFilter('version', IKEVersionChoices, { lookups: CharLookupsNoEmpty }),
      ...relatedBy('ike_proposal', 'vpn.ikeproposal', { path: 'proposals', by: 'name' }),
    },
    pages: {
      labels: { version: 'IKE version' },
      when: { mode: 'version=1' },
      columns: 'name version mode proposals description',
      filters: { Parameters: 'version mode' },
      form: { Policy: 'name description tags', Parameters: 'version mode proposals preshared_key' },
      bulk: 'version mode preshared_key description',
      panels: { 'IKE policy': 'name description version mode preshared_key' },
      tables: [['vpn.ikeproposal', 'ike_policy_id', 'Proposals']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(ikePolicy, {
  validate: ({ row, errors }) => {
    if (row.version === 1 && !row.mode) errors.__all__ = ['A mode is required with IKEv1.']
    if (row.version === 2 && row.mode) errors.__all__ = ['A mode cannot be used with IKEv2.']
  },
})
