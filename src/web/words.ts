import type { Field } from '../fields/field.ts'
import { labelOf } from '../fields/facts.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import { extraOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { unitName } from '../rules/units.ts'

/** Words that are not written as others are. */
const Spelled = new Map(
  Object.entries({
    asn: 'ASN',
    asns: 'ASNs',
    dns: 'DNS',
    fhrp: 'FHRP',
    id: 'ID',
    ike: 'IKE',
    ip: 'IP',
    ips: 'IPs',
    ip4: 'IPv4',
    ip6: 'IPv6',
    ipsec: 'IPSec',
    l2vpn: 'L2VPN',
    lag: 'LAG',
    lan: 'LAN',
    lans: 'LANs',
    svlan: 'SVLAN',
    mac: 'MAC',
    mtu: 'MTU',
    nat: 'NAT',
    oob: 'OOB',
    pfs: 'PFS',
    poe: 'PoE',
    qinq: 'Q-in-Q',
    rd: 'RD',
    rf: 'RF',
    rir: 'RIR',
    ssid: 'SSID',
    ssl: 'SSL',
    tx: 'TX',
    url: 'URL',
    vc: 'VC',
    vcpus: 'vCPUs',
    vdc: 'VDC',
    vdcs: 'VDCs',
    vid: 'VID',
    vlan: 'VLAN',
    vlans: 'VLANs',
    vm: 'VM',
    vrf: 'VRF',
    wwn: 'WWN',
  }),
)

/** `vlan_group_id` → `VLAN group`; a field's own label where it says one. */
export function labelFor(name: string, own?: string): string {
  if (own) return own
  const [first = '', ...rest] = labelOf(name.replace(/_id$/, '')).split(' ')
  return [Spelled.get(first.toLowerCase()) ?? first, ...rest.map((word) => Spelled.get(word) ?? word)].join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** A label within a sentence; what is all capitals stays so (`VRF`). */
export const withinText = (label: string): string => label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
/** `Device type`, `Device types`: a model's name at the beginning of a line. */
export const titleOf = (m: AnyModel): string => capital(m.label)
export const pluralOf = (m: AnyModel): string => capital(m.plural)

/** The label of the member at the end of a path, with its unit where that is always the same. */
export function labelAt(m: AnyModel, path: string): string {
  const [head = '', ...rest] = path.split('.')
  const field = extraOf(m)[head] ?? m.fields[head]
  const to = field?.target ?? field?.object
  if (rest.length && to) return labelAt(modelNamed(to.model), rest.join('.'))
  const label = m.pages?.labels?.[head] ?? (countLabel(m, field) || labelFor(head, field?.options.label))
  const unit = field?.options.unit
  return unit && !(unit in m.fields) && !Unit.test(label) ? `${label} (${unitName(unit)})` : label
}

/** What a count counts: `Device types`; `Device type count` where the objects themselves are a member of that name. */
function countLabel(m: AnyModel, field?: Field): string | undefined {
  if (!field?.tally || field.options.label) return undefined
  const counted = modelNamed(field.tally.model)
  const isTaken = [...fieldsOf(m), ...Object.entries(extraOf(m))].some(
    ([name, each]) => each.kind !== 'count' && labelFor(name, each.options.label) === pluralOf(counted),
  )
  return isTaken ? `${titleOf(counted)} count` : pluralOf(counted)
}

/** The label of a filter; of one that compares a measure, with its unit. */
export const filterLabel = (m: AnyModel, name: string): string =>
  m.fields[name]?.options.unit ? labelAt(m, name) : labelFor(name)

const Unit = / \([^()]+\)$/
/** A label of what is shown with its unit: `Speed (Kbps)` → `Speed`. */
export const withoutUnit = (label: string): string => label.replace(Unit, '')

/** The names of a list of words. */
export const words = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter(Boolean)
