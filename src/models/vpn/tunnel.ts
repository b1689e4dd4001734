import { TunnelEncapsulationChoices, TunnelStatusChoices } from '../../choices/vpn.ts'
import { choice, comments, countOf, description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const tunnel = model(
  'vpn.tunnel',
  {
    name: text({ unique: true, max: 100, natural: true }),
    status: choice(TunnelStatusChoices, { required: true, default: 'active' }),
    group: ref('vpn.tunnelgroup', { nullable: true, apiDefault: null, related: 'tunnels' }),
    encapsulation: choice(TunnelEncapsulationChoices),
    ipsec_profile: ref('vpn.ipsecprofile', { nullable: true, related: 'tunnels' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'tunnels', filter: false }),
    tunnel_id: integer({ nullable: true, label: 'Tunnel ID', min: 0 }),
    description,
    ...owned,
    comments,
    ...primary,
    terminations_count: countOf('vpn.tunneltermination', 'tunnel'),
  },
  {
    path: 'vpn/tunnels',
    label: 'tunnel',
    plural: 'tunnels',
    objectName: 'Tunnel',
    graphql: { filters: 'tunnel_id:BigIntegerLookup terminations -contacts -ipsec_profile_id' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    unique: uniqueWithin('group', 'name'),
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      group: relatedFilter('group', 'vpn.tunnelgroup', { by: 'slug' }),
      ipsec_profile: relatedFilter('ipsec_profile', 'vpn.ipsecprofile', { by: 'name' }),
    },
    pages: {
      labels: { terminations_count: 'Terminations' },
      when: { ipsec_profile: 'encapsulation=ipsec-transport ipsec-tunnel' },
      columns: 'name group status encapsulation tenant terminations_count',
      filters: { Tunnel: 'status encapsulation tunnel_id', Security: 'ipsec_profile_id' },
      form: {
        Tunnel: 'name status group encapsulation description tunnel_id tags',
        Security: 'ipsec_profile',
        Tenancy: 'tenant',
      },
      bulk: 'status group encapsulation tunnel_id description ipsec_profile tenant',
      panels: { Tunnel: 'name status group description encapsulation ipsec_profile tunnel_id tenant' },
      tables: [['vpn.tunneltermination', 'tunnel_id', 'Terminations']],
      weights: { name: 100, tunnel_id: 300, description: 500, comments: 5000 },
    },
  },
)
