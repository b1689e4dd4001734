import { disband } from '../../rules/virtual-chassis.ts'
import { comments, counter, description, owned, primary, ref, reverseOf, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, siteFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const virtualChassis = model(
  'dcim.virtualchassis',
  {
    name: text({ max: 64, natural: true }),
    domain: text({ blank: true, max: 30 }),
    master: ref('dcim.device', {
      nullable: true,
      apiDefault: null,
      related: 'vc_master_for',
      unique: true,
      shape: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    description,
    ...owned,
    comments,
    ...primary,
    member_count: counter('dcim.device', 'virtual_chassis'),
    members: reverseOf('dcim.device', 'virtual_chassis', { shape: ['id', 'url', 'display_url', 'display', 'name'] }),
  },
  {
    path: 'dcim/virtual-chassis',
    label: 'virtual chassis',
    plural: 'virtual chassis',
    objectName: 'VirtualChassis',
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'master', 'description', 'member_count'],
    key: ['name', 'domain'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['domain', 'members.name', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      master: relatedFilter('master', 'dcim.device', { by: 'name' }),
      ...siteFilters('master.site'),
      ...relatedBy('tenant', 'tenancy.tenant', { path: 'master.tenant' }),
    },
    pages: {
      columns: 'name domain master member_count',
      filters: { Location: 'region_id site_group_id site_id' },
      form: { 'Virtual chassis': 'name domain master description tags' },
      bulk: 'domain description',
      offers: { master: 'virtual_chassis_id=$id' },
      panels: { 'Virtual chassis': 'domain master description' },
      tables: [['dcim.device', 'virtual_chassis_id', 'Members']],
      weights: { name: 100, domain: 300, description: 500, comments: 5000 },
    },
  },
)

behaviour(virtualChassis, {
  validate: ({ row, before, errors, tools }) => {
    if (!before || row.master_id === null || row.master_id === before.master_id) return
    if (tools.row('dcim.device', row.master_id)!.virtual_chassis_id !== row.id)
      errors.master = ['The master must be a member of the virtual chassis.']
  },
  saved: ({ row, before, tools }) => {
    if (!before && row.master_id !== null)
      tools.patch('dcim.device', row.master_id, { virtual_chassis_id: row.id, vc_position: 1 })
  },
  returned: ({ row, tools }) => {
    const master = row.master_id === null ? undefined : tools.row('dcim.device', row.master_id)
    const isElsewhere = master && master.virtual_chassis_id !== null && master.virtual_chassis_id !== row.id
    if (isElsewhere) tools.set('dcim.virtualchassis', { id: row.id }, { master_id: null })
  },
  deleting: ({ row, tools }) => disband(tools, row.id),
})
