import { cacheScope, scopeOf, scopePlaces } from '../../rules/scope.ts'
import { WirelessAuthCipherChoices, WirelessAuthTypeChoices, WirelessLANStatusChoices } from '../../choices/wireless.ts'
import { countOf, choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, scopedFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const wirelessLan = model(
  'wireless.wirelesslan',
  {
    ssid: text({ label: 'SSID', max: 32 }),
    description,
    group: ref('wireless.wirelesslangroup', { onDelete: 'set null', related: 'wireless_lans', filter: false }),
    status: choice(WirelessLANStatusChoices, { blank: true, default: 'active' }),
    vlan: ref('ipam.vlan', { nullable: true }),
    scope: scopeOf('wireless_lans'),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'wireless_lans', filter: false }),
    auth_type: choice(WirelessAuthTypeChoices, { blank: true, dbNull: true }),
    auth_cipher: choice(WirelessAuthCipherChoices, { blank: true, dbNull: true }),
    auth_psk: text({
      covered: true,
      help: 'Who may view the object sees it in plain text.',
      blank: true,
      label: 'Pre-shared key',
      max: 64,
    }),
    ...owned,
    comments,
    ...primary,
    ...scopePlaces,
  },
  {
    path: 'wireless/wireless-lans',
    label: 'wireless LAN',
    plural: 'wireless LANs',
    objectName: 'WirelessLAN',
    graphql: { filters: 'auth_type:WirelessAuthTypeEnum auth_cipher:WirelessAuthCipherEnum' },
    display: 'ssid',
    brief: ['id', 'url', 'display', 'ssid', 'description'],
    key: ['ssid', 'group'],
    order: ['ssid'],
    features: primaryFeatures(),
    search: { text: ['ssid', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...scopedFilters,
      ...relatedBy('group', 'wireless.wirelesslangroup', { tree: true }),
      interface_id: relatedFilter('interfaces', 'dcim.interface'),
    },
    pages: {
      named: 'ssid',
      labels: { auth_type: 'Authentication type', auth_cipher: 'Cipher' },
      when: { 'auth_cipher auth_psk': 'auth_type=*' },
      columns: 'ssid group status description vlan auth_type interface_count',
      extra: { interface_count: countOf('dcim.interface', 'wireless_lans') },
      filters: {
        Attributes: 'ssid group_id status',
        Scope: 'region_id site_group_id site_id location_id',
        Authentication: 'auth_type auth_cipher auth_psk',
      },
      form: {
        'Wireless LAN': 'ssid group vlan status description tags',
        Scope: 'scope',
        Tenancy: 'tenant',
        Authentication: 'auth_type auth_cipher auth_psk',
      },
      bulk: 'group ssid status vlan tenant description scope auth_type auth_cipher auth_psk',
      panels: {
        'Wireless LAN': 'ssid group status scope description vlan tenant',
        Authentication: 'auth_type auth_cipher auth_psk',
      },
      tables: [['dcim.interface', 'wireless_lan_id', 'Attached interfaces']],
      narrow: { group_id: 'wireless_lan_group' },
      weights: { ssid: 100, description: 500, auth_psk: 2000, comments: 5000 },
    },
  },
)

behaviour(wirelessLan, { prepare: cacheScope })
