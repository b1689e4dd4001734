import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, sync, areSame, device, end } = sides

/** Two objects that change places with each other: how, and where they are found. */
interface Swap {
  paths: string[]
  /** Requests of whoever swaps them: a path and a body. */
  steps: (readonly [path: string, body: object])[]
}
let names = 0
const port = async (of: number): Promise<number> =>
  (await make('dcim/interfaces', { device: of, name: `port ${++names}`, type: '1000base-t' })).id
const host = async (more: object = {}): Promise<number> =>
  (await make('dcim/devices', device(`host ${++names}`, more))).id
const at = (assigned_object_id: number): object => ({ assigned_object_type: 'dcim.interface', assigned_object_id })

/** How two owners get each other's address as their primary one. */
function exchanging<T extends { own: number; address: number }>(
  a: T,
  b: T,
  is: (owner: T, address: number | null) => Swap['steps'][number],
  move: (address: number, own: number) => Swap['steps'][number],
): Swap['steps'] {
  const moves = [move(a.address, b.own), move(b.address, a.own)]
  return [is(a, null), is(b, null), ...moves, is(a, b.address), is(b, a.address)]
}

const Swaps: Readonly<Record<string, () => Promise<Swap>>> = {
  'units of devices': async () => {
    const { id: rack } = await make('dcim/racks', { name: `rack ${++names}`, site: sides.parts.site })
    const [a, b] = [await host({ rack, position: 1, face: 'front' }), await host({ rack, position: 2, face: 'front' })]
    const to = (id: number, position: number) => [`dcim/devices/${id}`, { position }] as const
    return { paths: ['dcim/devices'], steps: [to(a, 9), to(b, 1), to(a, 2)] }
  },
  'positions in a chassis, and who is its master': async () => {
    const { id: chassis } = await make('dcim/virtual-chassis', { name: `chassis ${++names}` })
    const member = (vc_position: number) => host({ virtual_chassis: chassis, vc_position })
    const [a, b] = [await member(1), await member(2)]
    await there('PATCH', `dcim/virtual-chassis/${chassis}`, { master: a })
    const to = (id: number, vc_position: number) => [`dcim/devices/${id}`, { vc_position }] as const
    const steps = [to(a, 9), to(b, 1), to(a, 2), [`dcim/virtual-chassis/${chassis}`, { master: b }] as const]
    return { paths: ['dcim/devices', 'dcim/virtual-chassis'], steps }
  },
  'names of interfaces': async () => {
    const of = await host()
    const [a, b] = [await port(of), await port(of)]
    await make('dcim/cables', { a_terminations: end(a), b_terminations: end(await port(of)) })
    const [first, second] = [`port ${names - 2}`, `port ${names - 1}`]
    const to = (id: number, name: string) => [`dcim/interfaces/${id}`, { name }] as const
    return { paths: ['dcim/interfaces', 'dcim/cables'], steps: [to(a, 'aside'), to(b, first), to(a, second)] }
  },
  'primary addresses of devices': async () => {
    const of = async () => {
      const id = await host()
      const own = await port(id)
      const { id: address } = await make('ipam/ip-addresses', { address: `10.7.${++names % 250}.1/24`, ...at(own) })
      await there('PATCH', `dcim/devices/${id}`, { primary_ip4: address })
      return { id, own, address }
    }
    const [a, b] = [await of(), await of()]
    const is = ({ id }: { id: number }, primary_ip4: number | null) => [`dcim/devices/${id}`, { primary_ip4 }] as const
    const move = (id: number, own: number) => [`ipam/ip-addresses/${id}`, at(own)] as const
    return { paths: ['dcim/devices', 'ipam/ip-addresses'], steps: exchanging(a, b, is, move) }
  },
  'primary MAC addresses of interfaces': async () => {
    const of = async () => {
      const own = await port(sides.parts.a!)
      const mac_address = `00:00:5E:00:00:${(16 + ++names).toString(16)}`
      const { id: address } = await make('dcim/mac-addresses', { mac_address, ...at(own) })
      await there('PATCH', `dcim/interfaces/${own}`, { primary_mac_address: address })
      return { own, address }
    }
    const [a, b] = [await of(), await of()]
    const is = ({ own }: { own: number }, address: number | null) =>
      [`dcim/interfaces/${own}`, { primary_mac_address: address }] as const
    const move = (id: number, own: number) => [`dcim/mac-addresses/${id}`, at(own)] as const
    return { paths: ['dcim/interfaces', 'dcim/mac-addresses'], steps: exchanging(a, b, is, move) }
  },
  'sides of a circuit': async () => {
    const name = { name: `of swaps ${++names}`, slug: `of-swaps-${names}` }
    const of = {
      provider: (await make('circuits/providers', name)).id,
      type: (await make('circuits/circuit-types', name)).id,
    }
    const circuit = async (cid: string): Promise<number> => (await make('circuits/circuits', { cid, ...of })).id
    const [own, other] = [await circuit('own'), await circuit('other')]
    const place = { termination_type: 'dcim.site', termination_id: sides.parts.site }
    const made = async (term_side: string): Promise<number> =>
      (await make('circuits/circuit-terminations', { circuit: own, term_side, ...place })).id
    const [a, z] = [await made('A'), await made('Z')]
    const to = (id: number, body: object) => [`circuits/circuit-terminations/${id}`, body] as const
    return {
      paths: ['circuits/circuit-terminations', 'circuits/circuits'],
      steps: [to(a, { circuit: other }), to(z, { term_side: 'A' }), to(a, { circuit: own, term_side: 'Z' })],
    }
  },
  'ends of cables': async () => {
    const of = await host()
    const ports = [await port(of), await port(of), await port(of), await port(of), await port(of)]
    const cable = async (a: number, b: number): Promise<number> =>
      (await make('dcim/cables', { a_terminations: end(ports[a]!), b_terminations: end(ports[b]!) })).id
    const [one, two] = [await cable(0, 1), await cable(2, 3)]
    const to = (id: number, i: number) => [`dcim/cables/${id}`, { b_terminations: end(ports[i]!) }] as const
    return { paths: ['dcim/cables', 'dcim/interfaces'], steps: [to(one, 4), to(two, 1), to(one, 3)] }
  },
}

/** What an object has in some fields, references by their ids. */
const has = (object: any, body: object) => Object.keys(body).map((key) => [key, object[key]?.id ?? object[key]])

for (const [name, prepare] of Object.entries(Swaps))
  test(`what two objects swap on one side, or on both, they have on both: ${name}`, async () => {
    for (const swapping of [[here], [there], [here, there]] as const) {
      const { paths, steps } = await prepare()
      await sync('pull')
      for (const swaps of swapping) for (const [path, body] of steps) await swaps('PATCH', path, body)
      const ends = ([, body]: Swap['steps'][number]) => 'b_terminations' in body
      const fields = steps.filter((each) => !ends(each)) // whose ends are new on each side
      const wanted: unknown[] = []
      for (const [path, body] of fields) wanted.push(has(await swapping[0]('GET', path), body))
      await sync('push')
      const found: unknown[] = []
      for (const [path, body] of fields) found.push(has(await there('GET', path), body))
      assert.deepEqual(found, wanted)
      await areSame(...paths)
    }
  })
