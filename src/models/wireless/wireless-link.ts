import { distanceFields, metres } from '../../rules/measured-fields.ts'
import { measure } from '../../rules/units.ts'
import { LinkStatusChoices } from '../../choices/dcim.ts'
import { WirelessAuthCipherChoices, WirelessAuthTypeChoices } from '../../choices/wireless.ts'
import { isWireless } from '../../rules/interfaces.ts'
import { retrace } from '../../rules/paths.ts'
import { freeRadios, connectRadios } from '../../rules/wireless-links.ts'
import { choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const wirelessLink = model(
  'wireless.wirelesslink',
  {
    interface_a: ref('dcim.interface', { related: false }),
    interface_b: ref('dcim.interface', { related: false }),
    ssid: text({ blank: true, label: 'SSID', max: 32 }),
    status: choice(LinkStatusChoices, { default: 'connected' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'wireless_links', filter: false }),
    auth_type: choice(WirelessAuthTypeChoices, { blank: true, dbNull: true }),
    auth_cipher: choice(WirelessAuthCipherChoices, { blank: true, dbNull: true }),
    auth_psk: text({
      covered: true,
      help: 'Who may view the object sees it in plain text.',
      blank: true,
      label: 'Pre-shared key',
      max: 64,
    }),
    ...distanceFields,
    description,
    ...owned,
    comments,
    ...primary,
    _abs_distance: metres,
    _interface_a_device: ref('dcim.device', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _interface_b_device: ref('dcim.device', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  },
  {
    path: 'wireless/wireless-links',
    label: 'wireless link',
    plural: 'wireless links',
    objectName: 'WirelessLink',
    graphql: {
      members: '_interface_a_device _interface_b_device',
      filters: `
        distance:FloatFilterLookup auth_type:WirelessAuthTypeEnum auth_cipher:WirelessAuthCipherEnum
        status:WirelessLANStatusEnumBaseFilterLookup -interface_a_device -interface_b_device
      `,
    },
    display: (t) => `case when ${t}.ssid <> '' then ${t}.ssid else '#' || ${t}.id end`,
    brief: ['id', 'url', 'display', 'ssid', 'description'],
    order: [],
    unique: [{ fields: ['interface_a', 'interface_b'] }],
    features: primaryFeatures(),
    search: { text: ['ssid', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
    },
    pages: {
      named: 'ssid',
      offers: { interface_a: 'kind=wireless', interface_b: 'kind=wireless' },
      labels: {
        auth_type: 'Authentication type',
        auth_cipher: 'Cipher',
        interface_a: 'Interface A',
        interface_b: 'Interface B',
        'interface_a.device': 'Device A',
        'interface_b.device': 'Device B',
      },
      when: { 'auth_cipher auth_psk': 'auth_type=*' },
      columns: 'status interface_a.device interface_a interface_b.device interface_b ssid auth_type description',
      filters: { Attributes: 'ssid status distance distance_unit', Authentication: 'auth_type auth_cipher auth_psk' },
      form: {
        Link: 'interface_a interface_b status ssid distance distance_unit description tags',
        Authentication: 'auth_type auth_cipher auth_psk',
        Tenancy: 'tenant',
      },
      bulk: 'ssid status tenant description auth_type auth_cipher auth_psk distance distance_unit',
      panels: {
        'Link properties': 'status ssid tenant description distance',
        Authentication: 'auth_type auth_cipher auth_psk',
      },
      weights: { ssid: 100, description: 500, auth_psk: 2000, comments: 5000 },
    },
  },
)

behaviour(wirelessLink, {
  prepare: measure,
  validate: ({ row, errors, tools }) => {
    for (const name of ['interface_a', 'interface_b'] as const) {
      if (!isWireless(tools.row('dcim.interface', row[`${name}_id`])!.type))
        errors[name] = ['Only wireless interfaces can be joined by a wireless link.']
    }
  },
  saved: (event) => connectRadios(event),
  deleting: ({ row, tools }) => freeRadios(tools, row),
  deleted: ({ row, tools }) => retrace(tools, [{ type: 'wireless.wirelesslink', id: row.id }]),
})

behaviour(wirelessLink, {
  importColumns: {
    columns: { site_a: 'dcim.site', device_a: 'dcim.device', site_b: 'dcim.site', device_b: 'dcim.device' },
    narrows: {
      site_a: [['device_a', 'site']],
      device_a: [['interface_a', 'device']],
      site_b: [['device_b', 'site']],
      device_b: [['interface_b', 'device']],
    },
    read: () => ({}),
  },
})
