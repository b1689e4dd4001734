import { checkPrimary } from '../../rules/addresses.ts'
import { primaryAddresses } from '../../rules/primary-ip.ts'
import { VirtualDeviceContextStatusChoices } from '../../choices/dcim.ts'
import { choice, comments, countOf, description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { hasFilter } from '../../filters/boolean.ts'
import { primaryIpFilters } from '../../filters/dcim.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const virtualDeviceContext = model(
  'dcim.virtualdevicecontext',
  {
    name: text({ max: 64, natural: true }),
    device: ref('dcim.device', { related: 'vdcs' }),
    identifier: integer({ nullable: true, apiDefault: null, min: 0, max: 32767 }),
    tenant: ref('tenancy.tenant', { nullable: true, apiDefault: null, related: 'vdcs', filter: false }),
    ...primaryAddresses,
    status: choice(VirtualDeviceContextStatusChoices),
    description,
    ...owned,
    comments,
    ...primary,
    interface_count: countOf('dcim.interface', 'vdcs'),
  },
  {
    path: 'dcim/virtual-device-contexts',
    label: 'virtual device context',
    plural: 'virtual device contexts',
    objectName: 'VirtualDeviceContext',
    graphql: { members: 'device:DeviceType', filters: 'interfaces' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'device', 'identifier', 'description'],
    order: ['name'],
    unique: [{ fields: ['device', 'identifier'] }, { fields: ['device', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['name', 'description'], integer: ['identifier'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...primaryIpFilters,
      device: relatedFilter('device', 'dcim.device'),
      interface_id: relatedFilter('interfaces', 'dcim.interface'),
      has_primary_ip: hasFilter('primary_ip4', 'primary_ip6'),
    },
    pages: {
      columns: 'name identifier status tenant primary_ip',
      filters: { Attributes: 'device status has_primary_ip' },
      form: {
        'Virtual device context': 'device name status identifier primary_ip4 primary_ip6 tags description',
        Tenancy: 'tenant',
      },
      bulk: 'device status tenant description',
      panels: { 'Virtual device context': 'name device identifier status primary_ip4 primary_ip6 tenant' },
      tables: [['dcim.interface', 'vdc_id']],
      weights: { name: 100, identifier: 300, description: 500, comments: 5000 },
      offers: { primary_ip4: 'device_id=$device&family=4', primary_ip6: 'device_id=$device&family=6' },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(virtualDeviceContext, {
  validate: (event) => {
    const { row, tools } = event
    const holds = (id: number) => tools.has('dcim.interface', { id, device_id: row.device_id })
    checkPrimary(event as never, ['primary_ip4', 'primary_ip6'], 'dcim.interface', holds)
  },
})
