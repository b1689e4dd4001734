import { CableProfileChoices } from '../../src/choices/dcim.ts'
import { modelNamed, typesWith } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import type { Grower } from './grower.ts'
import type { Body } from './maker.ts'
import type { Random } from './random.ts'
import { png } from './samples.ts'

/** What a special request draws with: objects that are there, and ways to send. */
export interface Hand {
  random: Random
  grower: Grower
  all: <T>(sql: string, ...values: number[]) => T[]
  /** An object that is there, or none. */
  any: (m: AnyModel) => number | undefined
  /** Answers the status, which is below 500. */
  send: (method: string, m: AnyModel, body: unknown, id?: number) => Promise<number>
  /** What an action of an object answers. */
  act: (m: AnyModel, id: number, action: string, body: unknown) => Promise<number>
  /** A name that nothing has. */
  name: () => string
}

/** What custom fields offer to choose from. */
export const Shades = ['red', 'green', 'blue']

const Profiles = CableProfileChoices.map(([value]) => value)

/**
 * What does not come by drawing fields: ends of cables, trees, images, members of a chassis, custom fields themselves,
 * and what belongs to the same device or machine. Each answers the status of its request.
 */
export const specials: Readonly<Record<string, (hand: Hand) => Promise<number>>> = {
  cable: async (hand) => {
    const { random } = hand
    const m = modelNamed('dcim.cable')
    const id = hand.any(m)
    if (id !== undefined && random.chance(0.2)) return hand.send('DELETE', m, undefined, id)
    const pair = random.shuffled(random.pick(Pairs))
    const taken = new Set<number>()
    const most = random.pick([1, 1, 1, 2, 4])
    const [a, b] = [await freeEnds(hand, pair[0]!, taken, most), await freeEnds(hand, pair[1]!, taken, most)]
    if (a.length === 0 || b.length === 0) return 404
    const profile = random.chance(0.3) ? { profile: random.pick(Profiles) } : {}
    if (id === undefined || random.chance(0.6))
      return hand.send('POST', m, { a_terminations: a, b_terminations: b, ...profile })
    if (random.chance(0.2)) return hand.send('PATCH', m, { profile: random.pick([null, ...Profiles]) }, id)
    const status = random.pick(['connected', 'planned'])
    return hand.send('PATCH', m, { [random.pick(['a_terminations', 'b_terminations'])]: a, status, ...profile }, id)
  },

  tree: async ({ random, grower, any, send }) => {
    const m = random.pick(grower.models.filter((each) => each.tree))
    const id = any(m)
    if (id === undefined) return grower.grow(m)
    return send('PATCH', m, { [m.tree!.parent]: any(m) ?? null }, id)
  },

  image: async ({ random, any, send, name }) => {
    const m = modelNamed('extras.imageattachment')
    const id = any(m)
    if (id !== undefined && random.chance(0.5)) return send('DELETE', m, undefined, id)
    const target = modelNamed(random.pick(['dcim.site', 'dcim.rack', 'dcim.device', 'dcim.location']))
    const object_id = any(target)
    if (object_id === undefined) return 404
    return send('POST', m, { object_type: target.name, object_id, name: name(), image: png() })
  },

  picture: async ({ random, grower, any, send }) => {
    const m = modelNamed('dcim.devicetype')
    const id = any(m)
    if (id === undefined) return grower.grow(m)
    const name = random.pick(['front_image', 'rear_image'])
    return send('PATCH', m, random.chance(0.7) ? { [name]: png() } : { [name]: null }, id)
  },

  chassis: async ({ random, grower, any, send }) => {
    const [device, chassis] = [modelNamed('dcim.device'), modelNamed('dcim.virtualchassis')]
    const [id, vc] = [any(device), any(chassis)]
    const dice = random.next()
    if (vc === undefined || id === undefined) return grower.grow(random.pick([device, chassis]))
    if (dice < 0.4) return send('PATCH', device, { virtual_chassis: vc, vc_position: random.below(200) }, id)
    if (dice < 0.6) return send('PATCH', device, { virtual_chassis: null, vc_position: null }, id)
    if (dice < 0.8) return send('PATCH', chassis, { master: random.pick([id, null]) }, vc)
    return send('DELETE', chassis, undefined, vc)
  },

  custom: async ({ random, any, send, name }) => {
    const m = modelNamed('extras.customfield')
    const id = any(m)
    const called = `field_${name()}`
    const object_types = random.shuffled([...typesWith('custom_fields')].sort()).slice(0, 30)
    const dice = random.next()
    if (id === undefined || dice < 0.2) {
      const preset = random.pick([null, 'preset'])
      return send('POST', m, { name: called, type: 'text', object_types, default: preset })
    }
    if (dice < 0.3)
      return send('POST', m, {
        ...{ name: called, type: 'multiselect', object_types, choice_set: { name: 'shades' } },
        default: random.pick([null, [], ['red'], ['red', 'blue']]),
      })
    if (dice < 0.4) {
      const set = modelNamed('extras.customfieldchoiceset')
      const left = Shades.filter(() => random.chance(0.8))
      return send('PATCH', set, { extra_choices: left.map((shade) => [shade, shade]) }, any(set))
    }
    if (dice < 0.6) return send('PATCH', m, { name: called }, id)
    if (dice < 0.8) return send('PATCH', m, { object_types }, id)
    return send('DELETE', m, undefined, id)
  },

  generic: async ({ random, grower, any, send }) => {
    const [name, as, types] = random.pick(Generics)
    const m = modelNamed(name)
    const target = modelNamed(random.pick(types))
    const [id, to] = [any(m), any(target)]
    if (id === undefined) return grower.grow(m)
    return send('PATCH', m, { [`${as}_type`]: to ? target.name : null, [`${as}_id`]: to ?? null }, id)
  },

  /** Takes one or two of what is free. */
  taking: async ({ random, grower, any, act, name }) => {
    const [of, action, body] = random.pick([
      ['ipam.prefix', 'available-ips', {}],
      ['ipam.prefix', 'available-prefixes', { prefix_length: 30 }],
      ['ipam.iprange', 'available-ips', {}],
      ['ipam.vlangroup', 'available-vlans', { name: name() }],
      ['ipam.asnrange', 'available-asns', {}],
    ] as const)
    const m = modelNamed(of)
    const id = any(m)
    if (id === undefined) return grower.grow(m)
    return act(m, id, action, random.chance(0.5) ? body : [body, { ...body, description: 'second' }])
  },

  /** An interface of a device or machine gets another of it as its parent, bridge or LAG, or none. */
  kin: async (hand) => {
    const { random, any, send } = hand
    const [m, owner] = random.pick([
      [modelNamed('dcim.interface'), 'device'],
      [modelNamed('virtualization.vminterface'), 'virtual_machine'],
    ] as const)
    const [id, other] = await pairOf(hand, m, owner)
    if (id === undefined) return 404
    const name = random.pick(m.fields.lag ? ['parent', 'bridge', 'lag'] : ['parent', 'bridge'])
    if (name === 'lag' && other && random.chance(0.8)) await send('PATCH', m, { type: 'lag' }, other)
    if (name === 'parent' && m.fields.type && random.chance(0.8)) await send('PATCH', m, { type: 'virtual' }, id)
    return send('PATCH', m, { [name]: random.chance(0.8) ? other : (any(m) ?? null) }, id)
  },

  /** An address of an interface becomes a primary one of what has the interface, or another interface gets it. */
  primary: async ({ random, grower, all, send }) => {
    const [owner, port, column] = random.pick([
      ['dcim.device', 'dcim.interface', 'device_id'],
      ['virtualization.virtualmachine', 'virtualization.vminterface', 'virtual_machine_id'],
    ] as const)
    const address = modelNamed('ipam.ipaddress')
    const found = all<{ id: number; of: number; address: string }>(
      `select i.id, p."${column}" as of, i.address from ipam_ipaddress i
        join "${modelNamed(port).table}" p on p.id = i.assigned_object_id where i.assigned_object_type = '${port}'`,
    )
    const ports = grower.ids(modelNamed(port))
    const ids = grower.ids(address)
    if (found.length === 0 || random.chance(0.3)) {
      if (!ports.length || !ids.length) return grower.grow(random.pick([address, modelNamed(port)]))
      const to = { assigned_object_type: port, assigned_object_id: random.pick(ports) }
      return send('PATCH', address, to, random.pick(ids))
    }
    const { id, of } = random.pick(found)
    const m = modelNamed(owner)
    const name = random.pick(['primary_ip4', 'primary_ip6', ...(m.fields.oob_ip ? ['oob_ip'] : [])])
    return send('PATCH', m, { [name]: random.pick([id, id, id, null]) }, of)
  },

  /** An interface gets VLANs, with a mode that has them or not. */
  vlans: async ({ random, grower, any, send }) => {
    const m = modelNamed(random.pick(['dcim.interface', 'virtualization.vminterface']))
    const vlans = grower.ids(modelNamed('ipam.vlan'))
    const id = any(m)
    if (id === undefined || vlans.length === 0) return grower.grow(random.pick([m, modelNamed('ipam.vlan')]))
    const mode = random.pick(['access', 'tagged', 'tagged-all', 'q-in-q', null])
    const untagged_vlan = random.pick([...vlans.slice(0, 3), null])
    const tagged = mode === 'tagged' ? { tagged_vlans: random.shuffled(vlans).slice(0, 2) } : {}
    return send('PATCH', m, { mode, untagged_vlan, ...tagged }, id)
  },

  /** A device is put into a bay of another, or taken out; a module into a bay, or another one. */
  bay: async ({ random, grower, any, send }) => {
    const [bay, as, held] = random.pick([
      ['dcim.devicebay', 'installed_device', 'dcim.device'],
      ['dcim.module', 'module_bay', 'dcim.modulebay'],
      ['dcim.inventoryitem', 'parent', 'dcim.inventoryitem'],
    ] as const)
    const m = modelNamed(bay)
    const id = any(m)
    if (id === undefined) return grower.grow(m)
    return send('PATCH', m, { [as]: any(modelNamed(held)) ?? null }, id)
  },
}

/** Kinds of ports that cables join. */
const Pairs = [
  ['interface', 'interface'],
  ['interface', 'frontport'],
  ['interface', 'circuittermination'],
  ['frontport', 'rearport'],
  ['rearport', 'rearport'],
  ['consoleport', 'consoleserverport'],
  ['powerport', 'poweroutlet'],
  ['powerport', 'powerfeed'],
] as const

const Ports = ['dcim.interface', 'virtualization.vminterface']
/** Generic references with some of what they may lead to. */
const Generics: readonly [string, string, readonly string[]][] = [
  ['ipam.ipaddress', 'assigned_object', [...Ports, 'ipam.fhrpgroup']],
  ['ipam.prefix', 'scope', ['dcim.site', 'dcim.location', 'dcim.region']],
  ['ipam.vlangroup', 'scope', ['dcim.site', 'dcim.rack', 'virtualization.cluster']],
  ['ipam.service', 'parent', ['dcim.device', 'virtualization.virtualmachine', 'ipam.fhrpgroup']],
  ['virtualization.cluster', 'scope', ['dcim.site', 'dcim.location', 'dcim.sitegroup']],
  ['wireless.wirelesslan', 'scope', ['dcim.site', 'dcim.location', 'dcim.region']],
  ['circuits.circuittermination', 'termination', ['dcim.site', 'dcim.location', 'circuits.providernetwork']],
  ['vpn.tunneltermination', 'termination', Ports],
  ['vpn.l2vpntermination', 'assigned_object', [...Ports, 'ipam.vlan']],
  ['dcim.inventoryitem', 'component', ['dcim.interface', 'dcim.powerport', 'dcim.frontport']],
  ['dcim.macaddress', 'assigned_object', Ports],
  ['tenancy.contactassignment', 'object', ['dcim.site', 'dcim.device', 'tenancy.tenant']],
  ['extras.journalentry', 'assigned_object', ['dcim.site', 'dcim.device', 'dcim.rack']],
]

/** Up to `most` ports of a kind without cables, made where there are none. */
async function freeEnds(
  { random, grower, all }: Hand,
  kind: string,
  taken: Set<number>,
  most: number,
): Promise<Body[]> {
  const m = modelNamed(`${kind === 'circuittermination' ? 'circuits' : 'dcim'}.${kind}`)
  const wired = kind === 'interface' ? " and type not in ('virtual', 'lag', 'bridge')" : ''
  const free = () =>
    all<{ id: number }>(`select id from "${m.table}" where cable_id is null${wired}`)
      .map(({ id }) => id)
      .filter((id) => !taken.has(id))
  for (let tries = 0; tries < 3 && free().length < Math.max(2, most); tries++) await grower.grow(m)
  const ids = random.shuffled(free()).slice(0, most)
  for (const id of ids) taken.add(id)
  return ids.map((object_id) => ({ object_type: m.name, object_id }))
}

/** An object of a model, and another that belongs to the same. */
async function pairOf({ random, any, all }: Hand, m: AnyModel, owner: string): Promise<[number?, number?]> {
  const id = any(m)
  if (id === undefined) return []
  const others = all<{ id: number }>(
    `select o.id from "${m.table}" o join "${m.table}" i on i."${owner}_id" = o."${owner}_id"
      where i.id = ? and o.id <> i.id order by o.id`,
    id,
  )
  return others.length ? [id, random.pick(others).id] : [id]
}
