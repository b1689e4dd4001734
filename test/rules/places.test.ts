import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const send = (method: string, path: string, body?: object) => server.call(method, `/api/${path}`, body)
const make = creating(server)
const change = async (path: string, body: object) => assert.equal((await send('PATCH', `${path}/`, body)).status, 200)
const count = async (path: string) => (await send('GET', path)).json.count

const regions = [
  (await make('dcim/regions', { name: 'R1', slug: 'r1' })).id,
  (await make('dcim/regions', { name: 'R2', slug: 'r2' })).id,
]
const site = async (slug: string, region: number) => (await make('dcim/sites', { name: slug, slug, region })).id
const [here, there] = [await site('here', regions[0]), await site('there', regions[1])]
const room = (await make('dcim/locations', { name: 'room', slug: 'room', site: here })).id
const maker = (await make('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const type = (await make('dcim/device-types', { manufacturer: maker, model: 'T', slug: 't' })).id
const role = (await make('dcim/device-roles', { name: 'R', slug: 'r' })).id
const device = (
  await make('dcim/devices', { name: 'one', device_type: type, role, site: await site('else', regions[0]) })
).id
const join = (a: [string, number], b: [string, number]) => {
  const [near, far] = [a, b].map(([object_type, object_id]) => [{ object_type, object_id }])
  return make('dcim/cables', { a_terminations: near, b_terminations: far })
}

test('the cable of a power feed is found where its panel and rack are, wherever they go', async () => {
  const panel = (await make('dcim/power-panels', { name: 'P', site: here, location: room })).id
  const feed = (await make('dcim/power-feeds', { name: 'F', power_panel: panel })).id
  await join(['dcim.powerfeed', feed], ['dcim.powerport', (await make('dcim/power-ports', { device, name: 'psu' })).id])
  const rack = (await make('dcim/racks', { name: 'rack', site: here })).id
  await change(`dcim/power-feeds/${feed}`, { rack })
  assert.deepEqual(
    [await count(`dcim/cables/?rack_id=${rack}`), await count(`dcim/cables/?location_id=${room}`)],
    [1, 1],
  )
  await change(`dcim/power-feeds/${feed}`, { rack: null })
  assert.equal(await count(`dcim/cables/?rack_id=${rack}`), 0)
  await change(`dcim/locations/${room}`, { site: there })
  assert.deepEqual([await count(`dcim/cables/?site_id=${there}`), await count(`dcim/cables/?site_id=${here}`)], [1, 0])
  await change(`dcim/power-panels/${panel}`, { site: here, location: null })
  assert.deepEqual(
    [
      await count(`dcim/cables/?site_id=${there}`),
      await count(`dcim/cables/?site_id=${here}`),
      await count(`dcim/cables/?location_id=${room}`),
    ],
    [0, 1, 0],
  )
})

test('a circuit is found by the region of its site or location, when that changes too', async () => {
  const provider = (await make('circuits/providers', { name: 'P', slug: 'p' })).id
  const circuit = (
    await make('circuits/circuits', {
      cid: 'C',
      provider,
      type: (await make('circuits/circuit-types', { name: 'K', slug: 'k' })).id,
    })
  ).id
  await change(`dcim/locations/${room}`, { site: here })
  const ends = [
    await make('circuits/circuit-terminations', {
      circuit,
      term_side: 'A',
      termination_type: 'dcim.location',
      termination_id: room,
    }),
    await make('circuits/circuit-terminations', {
      circuit,
      term_side: 'Z',
      termination_type: 'dcim.site',
      termination_id: here,
    }),
  ]
  await join(
    ['circuits.circuittermination', ends[0].id],
    ['dcim.interface', (await make('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })).id],
  )
  await change(`dcim/sites/${here}`, { region: regions[1] })
  assert.deepEqual(
    [
      await count(`circuits/circuit-terminations/?region_id=${regions[0]}`),
      await count(`circuits/circuit-terminations/?region_id=${regions[1]}`),
    ],
    [0, 2],
  )
  await change(`dcim/locations/${room}`, { site: there })
  assert.deepEqual(
    [
      await count(`circuits/circuit-terminations/?site_id=${here}`),
      await count(`circuits/circuit-terminations/?site_id=${there}`),
      await count(`dcim/cables/?site_id=${there}`),
    ],
    [1, 1, 1],
  )
})

test('a location does not move to where its cluster would have a namesake', async () => {
  const kind = (await make('virtualization/cluster-types', { name: 'K', slug: 'k' })).id
  const hall = (await make('dcim/locations', { name: 'hall', slug: 'hall', site: here })).id
  await make('virtualization/clusters', { name: 'C', type: kind, scope_type: 'dcim.location', scope_id: hall })
  await make('virtualization/clusters', { name: 'C', type: kind, scope_type: 'dcim.site', scope_id: there })
  assert.equal((await send('PATCH', `dcim/locations/${hall}/`, { site: there })).status, 409)
  assert.equal((await send('GET', `dcim/locations/${hall}/`)).json.site.id, here)
})
