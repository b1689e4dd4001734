import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontEnd, nicEnd, plant, rearEnd } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const { make, get, device, port, nic, join, panel } = await plant(client)
let n = 0
const box = () => device(`box ${++n}`)
const peerOf = async (id: number) => {
  const { connected_endpoints, connected_endpoints_reachable, link_peers } = await get(`dcim/interfaces/${id}/`)
  return {
    ends: connected_endpoints?.map((end: any) => end.id) ?? null,
    reachable: connected_endpoints_reachable,
    peers: link_peers.map((peer: any) => peer.id),
  }
}

test('a cable joins two interfaces: peers, endpoints, trace; its deletion frees them', async () => {
  const [a, b] = [await nic(await box()), await nic(await box())]
  const cable = await join(nicEnd(a), nicEnd(b), { color: 'ff0000' })
  assert.deepEqual(await peerOf(a), { ends: [b], reachable: true, peers: [b] })
  const trace = await get(`dcim/interfaces/${a}/trace/`)
  assert.deepEqual(
    trace.map(([near, link, far]: any) => [near[0].id, link.id, link.color, far[0].id]),
    [[a, cable.id, 'ff0000', b]],
  )
  assert.equal((await call('DELETE', `/api/dcim/cables/${cable.id}/`)).status, 204)
  assert.deepEqual(await peerOf(b), { ends: null, reachable: false, peers: [] })
  assert.deepEqual(await get(`dcim/interfaces/${a}/trace/`), [])
  assert.equal((await get(`dcim/interfaces/${a}/`)).cable_end, null)
})

test('each end keeps a change record of the cable that came and went', async () => {
  const [a, b] = [await nic(await box()), await nic(await box())]
  const cable = await join(nicEnd(a), nicEnd(b))
  const records = async () =>
    (await get(`core/object-changes/?changed_object_type=dcim.interface&changed_object_id=${b}`)).results
  assert.equal((await records())[0].postchange_data.cable, cable.id)
  await call('DELETE', `/api/dcim/cables/${cable.id}/`)
  assert.equal((await records())[0].postchange_data.cable, null)
})

test('a path of ten hops runs through panels and is read from either end', async () => {
  const [a, b] = [await nic(await box()), await nic(await box())]
  let at = nicEnd(a)
  for (let i = 0; i < 5; i++) {
    const [left, right] = [await panel(`left ${++n}`, 4), await panel(`right ${++n}`, 4)]
    await join(at, frontEnd(left.fronts[i % 4]!))
    await join(rearEnd(left.rear), rearEnd(right.rear))
    at = frontEnd(right.fronts[i % 4]!)
  }
  assert.deepEqual((await peerOf(a)).ends, null)
  await join(at, nicEnd(b))
  assert.deepEqual((await peerOf(a)).ends, [b])
  assert.deepEqual((await peerOf(b)).ends, [a])
  assert.equal((await get(`dcim/interfaces/${a}/trace/`)).length, 11)
})

test('positions keep the paths through one trunk apart', async () => {
  const [left, right] = [await panel('trunk left', 3), await panel('trunk right', 3)]
  await join(rearEnd(left.rear), rearEnd(right.rear))
  const pairs: [number, number][] = []
  for (let i = 0; i < 3; i++) {
    const [a, b] = [await nic(await box()), await nic(await box())]
    await join(nicEnd(a), frontEnd(left.fronts[i]!))
    await join(frontEnd(right.fronts[i]!), nicEnd(b))
    pairs.push([a, b])
  }
  for (const [a, b] of pairs) assert.deepEqual((await peerOf(a)).ends, [b])
  assert.equal((await get(`dcim/rear-ports/${left.rear}/paths/`)).length, 6)
})

test('a rear port of many positions that is cabled to an interface splits the path', async () => {
  const { rear } = await panel('splitter', 4)
  const a = await nic(await box())
  await join(nicEnd(a), rearEnd(rear))
  assert.deepEqual(await peerOf(a), { ends: null, reachable: false, peers: [rear] })
  assert.deepEqual(
    (await get(`dcim/rear-ports/${rear}/paths/`)).map((path: any) => [path.is_split, path.is_complete]),
    [[true, false]],
  )
})

test('a planned cable leaves the path complete and unreachable; connecting it makes it whole', async () => {
  const [a, b] = [await nic(await box()), await nic(await box())]
  const cable = await join(nicEnd(a), nicEnd(b), { status: 'planned' })
  assert.deepEqual(await peerOf(a), { ends: [b], reachable: false, peers: [b] })
  await call('PATCH', `/api/dcim/cables/${cable.id}/`, { status: 'connected' })
  assert.equal((await peerOf(a)).reachable, true)
})

test('new mappings of a panel re-trace what led through it', async () => {
  const { box: patch, rear, fronts } = await panel('remapped', 1)
  const spare = await port('rear-ports', patch, 'spare', { type: '8p8c' })
  const [a, b, c] = [await nic(await box()), await nic(await box()), await nic(await box())]
  await join(nicEnd(a), frontEnd(fronts[0]!))
  await join(rearEnd(rear), nicEnd(b))
  await join(rearEnd(spare), nicEnd(c))
  assert.deepEqual((await peerOf(a)).ends, [b])
  await call('PATCH', `/api/dcim/front-ports/${fronts[0]}/`, {
    rear_ports: [{ position: 1, rear_port: spare, rear_port_position: 1 }],
  })
  assert.deepEqual((await peerOf(a)).ends, [c])
  assert.deepEqual((await peerOf(b)).ends, null)
  assert.equal((await call('DELETE', `/api/dcim/rear-ports/${spare}/`)).status, 204)
  assert.deepEqual((await peerOf(a)).ends, null)
})

test('a new port that is mapped to a cabled one takes part in the paths there', async () => {
  const [patch, a, b] = [(await box()).id, await nic(await box()), await nic(await box())]
  const rear = (await make('dcim/rear-ports', { device: patch, name: 'rear', type: '8p8c' })).id
  await join(nicEnd(a), rearEnd(rear))
  const front = (
    await make('dcim/front-ports', {
      device: patch,
      name: 'front',
      type: '8p8c',
      rear_ports: [{ position: 1, rear_port: rear }],
    })
  ).id
  await join(frontEnd(front), nicEnd(b))
  assert.deepEqual([(await peerOf(a)).ends, (await peerOf(b)).ends], [[b], [a]])
})

test('a terminated interface that goes leaves the cable, and nothing at its end', async () => {
  const [a, b] = [await nic(await box()), await nic(await box())]
  const cable = await join(nicEnd(a), nicEnd(b))
  await call('DELETE', `/api/dcim/interfaces/${b}/`)
  assert.deepEqual(await peerOf(a), { ends: null, reachable: false, peers: [] })
  assert.deepEqual((await get(`dcim/cables/${cable.id}/`)).b_terminations, [])
  assert.equal((await get(`dcim/cables/?unterminated=true&id=${cable.id}`)).count, 1)
})

test('a breakout profile leads each lane to its own end', async () => {
  const trunk = await nic(await box())
  const lanes = [await nic(await box()), await nic(await box()), await nic(await box()), await nic(await box())]
  await join(nicEnd(trunk), lanes.map(nicEnd), { profile: 'breakout-1c4p-4c1p' })
  for (const lane of lanes) assert.deepEqual(await peerOf(lane), { ends: [trunk], reachable: true, peers: [trunk] })
  assert.deepEqual((await peerOf(trunk)).peers, lanes)
})

test('ends of a cable with a profile shift along its connectors, and trade places', async () => {
  const [a, b, c, d] = [await nic(await box()), await nic(await box()), await nic(await box()), await nic(await box())]
  const terminations = (...ids: number[]) => ids.map((id) => ({ object_type: 'dcim.interface', object_id: id }))
  const cable = await make('dcim/cables', {
    a_terminations: terminations(a, b),
    b_terminations: terminations(d),
    profile: 'trunk-2c1p',
  })
  const change = async (body: object) => (await call('PATCH', `/api/dcim/cables/${cable.id}/`, body)).json
  const ids = (list: any[]) => list.map((each) => each.object_id)
  assert.deepEqual(ids((await change({ a_terminations: terminations(b, c) })).a_terminations), [c, b])
  assert.deepEqual(await peerOf(c), { ends: [d], reachable: true, peers: [d] })
  const turned = await change({ a_terminations: terminations(d), b_terminations: terminations(b, c), profile: null })
  assert.deepEqual([ids(turned.a_terminations), ids(turned.b_terminations)], [[d], [b, c]])
  assert.equal((await get(`dcim/interfaces/${d}/`)).cable_end, 'A')
  const swapped = await change({ a_terminations: terminations(b, c), b_terminations: terminations(d) })
  assert.deepEqual([ids(swapped.a_terminations), ids(swapped.b_terminations)], [[b, c], [d]])
  assert.deepEqual((await peerOf(d)).peers, [b, c])
})

test('circuits are crossed; a provider network completes the path', async () => {
  const provider = await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const network = await make('circuits/provider-networks', { name: 'Cloud', provider: provider.id })
  const kind = await make('circuits/circuit-types', { name: 'Line', slug: 'line' })
  const circuit = await make('circuits/circuits', { cid: 'L1', provider: provider.id, type: kind.id })
  const near = await make('circuits/circuit-terminations', {
    circuit: circuit.id,
    term_side: 'A',
    termination_type: 'dcim.site',
    termination_id: 1,
  })
  await make('circuits/circuit-terminations', {
    circuit: circuit.id,
    term_side: 'Z',
    termination_type: 'circuits.providernetwork',
    termination_id: network.id,
  })
  const a = await nic(await box())
  await join(nicEnd(a), ['circuits.circuittermination', near.id])
  assert.deepEqual((await peerOf(a)).ends, [network.id])
  const last = (await get(`dcim/interfaces/${a}/trace/`)).at(-1)
  assert.deepEqual([last[0][0].term_side, last[1], last[2][0].name], ['Z', [], 'Cloud'])
})

test('a circuit that ends at a site is crossed once its far end is cabled, and no more once that goes', async () => {
  const provider = await make('circuits/providers', { name: 'Local', slug: 'local' })
  const kind = await make('circuits/circuit-types', { name: 'Dark', slug: 'dark' })
  const circuit = await make('circuits/circuits', { cid: 'D1', provider: provider.id, type: kind.id })
  const end = (term_side: string) =>
    make('circuits/circuit-terminations', {
      circuit: circuit.id,
      term_side,
      termination_type: 'dcim.site',
      termination_id: 1,
    })
  const [near, far] = [await end('A'), await end('Z')]
  const [a, b] = [await nic(await box()), await nic(await box())]
  await join(nicEnd(a), ['circuits.circuittermination', near.id])
  assert.equal((await get(`dcim/interfaces/${a}/trace/`)).at(-1)[2][0].name, 'Plant')
  assert.equal((await peerOf(a)).ends, null)
  await join(['circuits.circuittermination', far.id], nicEnd(b))
  assert.deepEqual((await peerOf(a)).ends, [b])
  await call('DELETE', `/api/circuits/circuit-terminations/${far.id}/`)
  assert.equal((await peerOf(a)).ends, null)
})

test('wireless links carry paths too', async () => {
  const [a, b] = [
    await nic(await box(), 'wlan0', { type: 'ieee802.11ac' }),
    await nic(await box(), 'wlan0', { type: 'ieee802.11ac' }),
  ]
  const link = await make('wireless/wireless-links', { interface_a: a, interface_b: b, ssid: 'mesh' })
  assert.deepEqual(await peerOf(a), { ends: [b], reachable: true, peers: [b] })
  assert.equal((await get(`dcim/interfaces/${a}/`)).link_peers_type, null, 'the type is that of a cable')
  assert.equal((await get(`dcim/interfaces/${a}/trace/`))[0][1].label, 'mesh')
  await call('DELETE', `/api/wireless/wireless-links/${link.id}/`)
  assert.deepEqual(await peerOf(a), { ends: null, reachable: false, peers: [] })
})

test('a wireless link that goes leaves alone what another one has joined since', async () => {
  const radio = async () => nic(await box(), 'wlan0', { type: 'ieee802.11ac' })
  const [a, b, c, d] = [await radio(), await radio(), await radio(), await radio()]
  const first = await make('wireless/wireless-links', { interface_a: a, interface_b: b })
  const second = await make('wireless/wireless-links', { interface_a: b, interface_b: c })
  const linkOf = async (id: number) => (await get(`dcim/interfaces/${id}/`)).wireless_link?.id
  await call('PATCH', `/api/wireless/wireless-links/${first.id}/`, { interface_b: d })
  assert.deepEqual([await linkOf(b), await linkOf(c), await linkOf(d)], [second.id, second.id, first.id])
  await call('PATCH', `/api/wireless/wireless-links/${first.id}/`, { interface_b: c })
  await call('DELETE', `/api/wireless/wireless-links/${second.id}/`)
  assert.deepEqual([await linkOf(a), await linkOf(b), await linkOf(c)], [first.id, undefined, first.id])
  assert.deepEqual(await peerOf(a), { ends: [c], reachable: true, peers: [c] })
})

test('what cannot be joined is refused, and nothing of it stays', async () => {
  const [a, b, radio] = [
    await nic(await box()),
    await nic(await box()),
    await nic(await box(), 'wlan0', { type: 'ieee802.11ac' }),
  ]
  const outlet = await port('power-outlets', await box(), 'o1')
  const cable = (aEnds: object[], bEnds: object[], more: object = {}) =>
    call('POST', '/api/dcim/cables/', { a_terminations: aEnds, b_terminations: bEnds, ...more })
  const end = (object_type: string, object_id: number) => ({ object_type, object_id })
  const before = (await get('dcim/cables/')).count
  const refused: [string, Awaited<ReturnType<typeof cable>>][] = [
    ['__all__', await cable([end('dcim.interface', a)], [])],
    ['__all__', await cable([end('dcim.interface', a)], [end('dcim.poweroutlet', outlet)])],
    ['__all__', await cable([end('dcim.interface', a)], [end('dcim.interface', a)])],
    ['__all__', await cable([end('dcim.interface', a)], [end('dcim.interface', radio)])],
    ['__all__', await cable([end('dcim.interface', a)], [end('dcim.interface', b)], { length: 3 })],
    ['b_terminations', await cable([end('dcim.interface', a)], [end('dcim.interface', 999_999)])],
    ['b_terminations', await cable([end('dcim.interface', a)], [end('dcim.site', 1)])],
    [
      'a_terminations',
      await cable([end('dcim.interface', a), end('dcim.interface', radio)], [end('dcim.interface', b)], {
        profile: 'single-1c1p',
      }),
    ],
    ['a_terminations', await cable('x' as never, [])],
  ]
  for (const [key, { status, json }] of refused)
    assert.deepEqual([status, Object.keys(json)], [400, [key]], JSON.stringify(json))
  assert.equal((await get('dcim/cables/')).count, before)
  await join(nicEnd(a), nicEnd(b))
  assert.equal((await cable([end('dcim.interface', a)], [end('dcim.interface', await nic(await box()))])).status, 400)
})

test('a renamed device shows its new name at the other end at once', async () => {
  const owner = await box()
  const [a, b] = [await nic(owner), await nic(await box())]
  await join(nicEnd(a), nicEnd(b))
  await get(`dcim/interfaces/${b}/`)
  await call('PATCH', `/api/dcim/devices/${owner.id}/`, { name: 'renamed' })
  assert.equal((await get(`dcim/interfaces/${b}/`)).connected_endpoints[0].device.display, 'renamed')
})
