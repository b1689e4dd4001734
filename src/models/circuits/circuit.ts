import { distanceFields, metres } from '../../rules/measured-fields.ts'
import { measure } from '../../rules/units.ts'
import { CircuitStatusChoices } from '../../choices/circuits.ts'
import {
  choice,
  comments,
  date,
  description,
  integer,
  owned,
  primary,
  ref,
  reverseTaking,
  text,
} from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

/** The termination at one side; it points here, and is told with where it ends. */
const end = (side: 'A' | 'Z') =>
  ref('circuits.circuittermination', {
    readOnly: true,
    points: { by: 'circuit', when: { term_side: side } },
    onDelete: 'set null',
    related: false,
    shape: [
      'id',
      'url',
      'display_url',
      'display',
      'termination_type',
      'termination_id',
      'termination',
      'port_speed',
      'upstream_speed',
      'xconnect_id',
      'description',
    ],
  })

export const circuit = model(
  'circuits.circuit',
  {
    cid: text({ label: 'Circuit ID', max: 100 }),
    provider: ref('circuits.provider', { related: 'circuits' }),
    provider_account: ref('circuits.provideraccount', { nullable: true, apiDefault: null, related: 'circuits' }),
    type: ref('circuits.circuittype', { related: 'circuits' }),
    status: choice(CircuitStatusChoices, { default: 'active' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'circuits', filter: false }),
    install_date: date({ nullable: true, label: 'Installed' }),
    termination_date: date({ nullable: true, label: 'Terminates' }),
    commit_rate: integer({
      unit: 'Kbps',
      help: 'The rate that is promised, in kilobits a second.',
      nullable: true,
      label: 'Commit rate (Kbps)',
      min: 0,
      max: 2147483647,
    }),
    description,
    ...distanceFields,
    termination_a: end('A'),
    termination_z: end('Z'),
    ...owned,
    comments,
    ...primary,
    assignments: reverseTaking('circuits.circuitgroupassignment', 'member', { writeOnly: true }),
    _abs_distance: metres,
  },
  {
    path: 'circuits/circuits',
    label: 'circuit',
    plural: 'circuits',
    objectName: 'Circuit',
    graphql: {
      members: '-image_attachments',
      filters: `
        distance:FloatFilterLookup terminations -termination_a -termination_a_id -termination_z
        -termination_z_id
      `,
    },
    display: 'cid',
    brief: ['id', 'url', 'display', 'cid', 'provider', 'description'],
    order: ['provider', 'provider_account', 'cid'],
    unique: [{ fields: ['provider', 'cid'] }, { fields: ['provider_account', 'cid'] }],
    features: primaryFeatures('contacts', 'image_attachments'),
    search: {
      text: [
        'comments',
        'description',
        'terminations.description',
        'terminations.pp_info',
        'cid',
        'terminations.xconnect_id',
      ],
    },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      provider: relatedFilter('provider', 'circuits.provider', { by: 'slug' }),
      provider_account: relatedFilter('provider_account', 'circuits.provideraccount', { by: 'account' }),
      provider_network_id: relatedFilter('terminations._provider_network', 'circuits.providernetwork'),
      type: relatedFilter('type', 'circuits.circuittype', { by: 'slug' }),
      ...relatedBy('region', 'dcim.region', { path: 'terminations._region', tree: true }),
      ...relatedBy('site_group', 'dcim.sitegroup', { path: 'terminations._site_group', tree: true }),
      ...relatedBy('site', 'dcim.site', { path: 'terminations._site' }),
      location_id: relatedFilter('terminations._location', 'dcim.location'),
    },
    pages: {
      named: 'cid',
      labels: { termination_a: 'Side A', termination_z: 'Side Z' },
      columns: 'cid provider type status tenant termination_a termination_z description',
      filters: {
        Provider: 'provider_id provider_account_id provider_network_id',
        Attributes: 'type_id status install_date termination_date commit_rate distance distance_unit',
        Location: 'region_id site_group_id site_id location_id',
      },
      form: {
        Circuit: 'provider provider_account cid type status distance distance_unit description tags',
        'Service parameters': 'install_date termination_date commit_rate',
        Tenancy: 'tenant',
      },
      bulk: `
        provider type status description provider_account install_date termination_date commit_rate distance
        distance_unit tenant
      `,
      panels: {
        Circuit: `
            provider provider_account cid type status distance tenant install_date termination_date commit_rate
            description
          `,
      },
      tables: [
        ['circuits.circuittermination', 'circuit_id', 'Terminations'],
        ['circuits.circuitgroupassignment', 'member_type=circuits.circuit&member_id', 'Group assignments'],
      ],
      weights: { cid: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(circuit, {
  prepare: measure,
  validate: ({ row, errors, tools }) => {
    const account =
      row.provider_account_id === null ? undefined : tools.row('circuits.provideraccount', row.provider_account_id)
    if (account && account.provider_id !== row.provider_id)
      errors.provider_account = ['The assigned account must belong to the provider of the circuit.']
  },
})
