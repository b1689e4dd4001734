import { isKit } from '../store/kit.ts'
import type { Visit } from './visit.ts'
import { models } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import { listHref } from './links.ts'
import { pluralOf } from './words.ts'
import { mayMake } from './may-make.ts'

interface Entry {
  href: string
  label: string
  /** Where an object of the kind is added, for whoever may. */
  add?: string
  /** Not one of the pages with this frame: it is loaded whole. */
  isWhole?: true
}
interface Menu {
  label: string
  icon: string
  groups: readonly { label: string; entries: readonly Entry[] }[]
}

/** Menus: a label, an icon, and groups of models; a page of its own is a path with its label. */
type Group = readonly [label: string, entries: string]
const Menus: readonly (readonly [label: string, icon: string, groups: readonly Group[]])[] = [
  [
    'Organization',
    'building',
    [
      ['Sites', 'dcim.region dcim.sitegroup dcim.site dcim.location'],
      ['Tenancy', 'tenancy.tenant tenancy.tenantgroup'],
      ['Contacts', 'tenancy.contact tenancy.contactgroup tenancy.contactrole tenancy.contactassignment'],
    ],
  ],
  [
    'Racks',
    'rack',
    [
      ['Racks', 'dcim.rack dcim.rackreservation /dcim/rack-elevations/=Elevations'],
      ['Organization', 'dcim.rackgroup dcim.rackrole'],
      ['Types', 'dcim.racktype'],
    ],
  ],
  [
    'Devices',
    'device',
    [
      [
        'Devices',
        'dcim.device dcim.module dcim.devicerole dcim.platform dcim.virtualchassis dcim.virtualdevicecontext',
      ],
      ['Types', 'dcim.devicetype dcim.moduletype dcim.moduletypeprofile dcim.manufacturer'],
      [
        'Components',
        `dcim.interface dcim.frontport dcim.rearport dcim.consoleport dcim.consoleserverport dcim.powerport
         dcim.poweroutlet dcim.modulebay dcim.devicebay dcim.inventoryitem dcim.inventoryitemrole`,
      ],
      ['Addressing', 'dcim.macaddress'],
    ],
  ],
  [
    'Connections',
    'cable',
    [
      ['Connections', 'dcim.cable dcim.cablebundle wireless.wirelesslink /dcim/map/=Map'],
      [
        'Connected',
        `/dcim/interface-connections/=Interface_connections /dcim/console-connections/=Console_connections
         /dcim/power-connections/=Power_connections`,
      ],
    ],
  ],
  ['Wireless', 'wireless', [['Wireless', 'wireless.wirelesslan wireless.wirelesslangroup']]],
  [
    'IPAM',
    'address',
    [
      ['Addresses', 'ipam.ipaddress ipam.iprange'],
      ['Prefixes', 'ipam.prefix ipam.role'],
      ['ASNs', 'ipam.asnrange ipam.asn'],
      ['Aggregates', 'ipam.aggregate ipam.rir'],
      ['VRFs', 'ipam.vrf ipam.routetarget'],
      ['VLANs', 'ipam.vlan ipam.vlangroup ipam.vlantranslationpolicy ipam.vlantranslationrule'],
      ['Other', 'ipam.fhrpgroup ipam.servicetemplate ipam.service'],
    ],
  ],
  [
    'VPN',
    'lock',
    [
      ['Tunnels', 'vpn.tunnel vpn.tunnelgroup vpn.tunneltermination'],
      ['L2VPNs', 'vpn.l2vpn vpn.l2vpntermination'],
      ['Security', 'vpn.ikeproposal vpn.ikepolicy vpn.ipsecproposal vpn.ipsecpolicy vpn.ipsecprofile'],
    ],
  ],
  [
    'Virtualization',
    'vm',
    [
      [
        'Virtual machines',
        `virtualization.virtualmachine virtualization.vminterface virtualization.virtualdisk
         virtualization.virtualmachinetype`,
      ],
      ['Clusters', 'virtualization.cluster virtualization.clustertype virtualization.clustergroup'],
    ],
  ],
  [
    'Circuits',
    'circuit',
    [
      ['Circuits', 'circuits.circuit circuits.circuittype circuits.circuittermination'],
      ['Virtual circuits', 'circuits.virtualcircuit circuits.virtualcircuittype circuits.virtualcircuittermination'],
      ['Groups', 'circuits.circuitgroup circuits.circuitgroupassignment'],
      ['Providers', 'circuits.provider circuits.provideraccount circuits.providernetwork'],
    ],
  ],
  ['Power', 'power', [['Power', 'dcim.powerfeed dcim.powerpanel']]],
  [
    'Provisioning',
    'config',
    [['Configuration', 'extras.configcontext extras.configcontextprofile extras.configtemplate']],
  ],
  [
    'Customization',
    'custom',
    [
      [
        'Customization',
        `extras.customfield extras.customfieldchoiceset extras.customlink extras.exporttemplate extras.savedfilter
         extras.tableconfig extras.tag extras.imageattachment`,
      ],
    ],
  ],
  [
    'Operations',
    'jobs',
    [
      ['Integrations', 'core.datasource extras.eventrule extras.webhook'],
      ['Reports', 'extras.report'],
      ['Jobs', 'core.job'],
      ['Copies', 'core.kit /kit/=This_kit'],
      ['Logging', 'extras.notificationgroup extras.journalentry core.objectchange'],
      ['Programs', '/api/=REST_API /api/schema/swagger-ui/=API_description /graphql/=GraphQL'],
    ],
  ],
  [
    'Admin',
    'admin',
    [
      ['Authentication', 'users.user users.group users.token users.objectpermission'],
      ['Ownership', 'users.ownergroup users.owner'],
      ['System', '/core/system/=System'],
    ],
  ],
]

/** The menus of whoever asks: what they may not see is not there. */
export function menusOf(call: Visit): Menu[] {
  return Menus.map(([label, icon, groups]) => ({
    label,
    icon,
    groups: groups
      .map(([name, entries]) => ({
        label: name,
        entries: entries.split(/\s+/).flatMap((entry) => entryOf(call, entry)),
      }))
      .filter(({ entries }) => entries.length > 0),
  })).filter(({ groups }) => groups.length > 0)
}

/** What one must be able to view for a page of its own. */
const Needed: Readonly<Record<string, string>> = {
  '/dcim/rack-elevations/': 'dcim.rack',
  '/dcim/map/': 'dcim.cable',
  '/dcim/interface-connections/': 'dcim.interface',
  '/dcim/console-connections/': 'dcim.consoleport',
  '/dcim/power-connections/': 'dcim.powerport',
}

/** What programs use, for whoever may log in; they see there what they may. */
const ForPrograms = /^\/(?:api|graphql)\//

function entryOf(call: Visit, entry: string): Entry[] {
  const [path, label] = entry.split('=') as [string, string?]
  if (label !== undefined && ForPrograms.test(path)) {
    if (path === '/graphql/' && !call.config.graphqlEnabled) return []
    return [{ href: `${call.config.basePath}${path}`, label: label.replaceAll('_', ' '), isWhole: true }]
  }
  if (label !== undefined) {
    if (path === '/kit/' && !isKit(call.store.db)) return []
    const needed = Needed[path] && models[Needed[path]]
    if (needed ? !may(call.actor, 'view', needed) : !call.actor.superuser) return []
    return [{ href: `${call.config.basePath}${path}`, label: label.replaceAll('_', ' ') }]
  }
  const m = models[path]
  if (!m || !may(call.actor, 'view', m)) return []
  const href = listHref(call, m)
  const isMade = mayMake(call, m)
  return [{ href, label: pluralOf(m), ...(isMade ? { add: `${href}add/` } : {}) }]
}
