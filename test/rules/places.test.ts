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

test('nothing moves to a site where what goes along would have a namesake', async () => {
  const kind = (await make('virtualization/cluster-types', { name: 'K', slug: 'k' })).id
  const hall = async (name: string) =>
    (await make('dcim/locations', { name, slug: name.toLowerCase(), site: here })).id as number
  const [clusters, panels, devices] = [await hall('Clusters'), await hall('Panels'), await hall('Devices')]
  await make('virtualization/clusters', { name: 'C', type: kind, scope_type: 'dcim.location', scope_id: clusters })
  await make('virtualization/clusters', { name: 'C', type: kind, scope_type: 'dcim.site', scope_id: there })
  await make('dcim/power-panels', { name: 'PP', site: here, location: panels })
  await make('dcim/power-panels', { name: 'PP', site: there })
  const of = { device_type: type, role }
  const twin = (name: string, more: object) => make('dcim/devices', { name, ...of, ...more })
  await twin('Ä twin', { site: here, location: devices })
  await twin('ä Twin', { site: there })
  const rack = (await make('dcim/racks', { name: 'Goes', site: here })).id
  await twin('racked', { site: here, rack })
  await twin('Racked', { site: there })
  for (const [id, what] of [
    [clusters, 'cluster C'],
    [panels, 'power panel PP'],
    [devices, 'device Ä twin'],
  ] as const) {
    const { status, json } = await send('PATCH', `dcim/locations/${id}/`, { site: there })
    assert.deepEqual(
      [status, json],
      [400, { site: [`The ${what} in this location would have a namesake at that site.`] }],
    )
    assert.equal((await send('GET', `dcim/locations/${id}/`)).json.site.id, here)
  }
  const { status, json } = await send('PATCH', `dcim/racks/${rack}/`, { site: there })
  assert.deepEqual([status, Object.keys(json)], [400, ['__all__']])
  assert.match(json.__all__[0], /^racked: Device with this /)
  assert.equal((await send('GET', `dcim/racks/${rack}/`)).json.site.id, here)
  const tenant = (await make('tenancy/tenants', { name: 'T', slug: 't' })).id
  await change(`dcim/devices/${(await send('GET', 'dcim/devices/?name=racked')).json.results[0].id}`, { tenant })
  await change(`dcim/racks/${rack}`, { site: there })
})
