import { L2VPNStatusChoices, L2VPNTypeChoices } from '../../choices/vpn.ts'
import { choice, comments, description, integer, owned, primary, ref, refs, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const l2vpn = model(
  'vpn.l2vpn',
  {
    identifier: integer({ nullable: true }),
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    type: choice(L2VPNTypeChoices, { required: false, blank: true, dbNull: true }),
    status: choice(L2VPNStatusChoices, { default: 'active' }),
    import_targets: refs('ipam.routetarget', { related: 'importing_l2vpns', filter: false }),
    export_targets: refs('ipam.routetarget', { related: 'exporting_l2vpns', filter: false }),
    description,
    ...owned,
    comments,
    tenant: ref('tenancy.tenant', { nullable: true, related: 'l2vpns', filter: false }),
    ...primary,
  },
  {
    path: 'vpn/l2vpns',
    label: 'L2VPN',
    plural: 'L2VPNs',
    objectName: 'L2VPN',
    graphql: { members: 'type:String!', filters: 'identifier:BigIntegerLookup terminations' },
    display: (t) =>
      `case when ${t}.identifier is not null then ${t}.name || ' (' || ${t}.identifier || ')' else ${t}.name end`,
    brief: ['id', 'url', 'display', 'identifier', 'name', 'slug', 'type', 'description'],
    order: ['name', 'identifier'],
    features: primaryFeatures('contacts'),
    search: { text: ['name', 'description'], integer: ['identifier'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...relatedBy('import_target', 'ipam.routetarget', { path: 'import_targets', by: 'name' }),
      ...relatedBy('export_target', 'ipam.routetarget', { path: 'export_targets', by: 'name' }),
    },
    pages: {
      columns: 'name status identifier type description',
      filters: { Attributes: 'type status import_target_id export_target_id' },
      form: {
        L2VPN: 'name slug type status identifier description tags',
        'Route targets': 'import_targets export_targets',
        Tenancy: 'tenant',
      },
      bulk: 'status type tenant description',
      panels: { L2VPN: 'name identifier type status description tenant' },
      tables: [
        ['ipam.routetarget', 'importing_l2vpn_id', 'Import route targets'],
        ['ipam.routetarget', 'exporting_l2vpn_id', 'Export route targets'],
        ['vpn.l2vpntermination', 'l2vpn_id', 'Terminations'],
      ],
      weights: { name: 100, slug: 110, identifier: 200, description: 500, comments: 5000 },
    },
  },
)

behaviour(l2vpn, {
  validate: ({ row, errors }) => {
    if (!row.type) errors.type = ['This field cannot be blank.']
  },
})
