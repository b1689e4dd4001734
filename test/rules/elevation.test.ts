import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DrawnDevice, elevationSvg } from '../../src/rules/elevation-svg.ts'
import { availablePower } from '../../src/rules/power.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const sizes = { unitWidth: 220, unitHeight: 20, legendWidth: 30, marginWidth: 15 }
const drawn = (more: Partial<DrawnDevice>): DrawnDevice => ({
  id: 1,
  position: 1,
  height: 1,
  face: 'front',
  shown: {
    name: 'a<b>',
    facts: [],
    role: 'r',
    model: 'm',
    color: 'ffeb3b',
    link: 'http://x/',
    image: null,
    highlighted: false,
  },
  ...more,
})
const yOf = (svg: string, fill: string): number =>
  Number(new RegExp(`<rect [^>]*y="([\\d.]+)"[^>]*fill="${fill}"`).exec(svg)![1])

test('positions count from the bottom, or from the top in a descending rack', () => {
  const rack = { name: 'R', height: 10, startingUnit: 1, descending: false }
  const low = yOf(elevationSvg(rack, 'front', [drawn({})], [], sizes), '#ffeb3b')
  assert.equal(yOf(elevationSvg(rack, 'front', [drawn({ position: 2.5 })], [], sizes), '#ffeb3b'), low - 30)
  assert.equal(
    yOf(elevationSvg({ ...rack, descending: true }, 'front', [drawn({ position: 10 })], [], sizes), '#ffeb3b'),
    low,
  )
  assert.equal(
    yOf(elevationSvg({ ...rack, startingUnit: 5 }, 'front', [drawn({ position: 5 })], [], sizes), '#ffeb3b'),
    low,
  )
})

test('names are escaped; a device that may not be seen has none', () => {
  const svg = elevationSvg(
    { name: '<R>', height: 4, startingUnit: 1, descending: false },
    'rear',
    [drawn({}), drawn({ position: 2, shown: null })],
    [{ units: [3, 4], text: '<i>mine</i>', link: 'http://x/"' }],
    sizes,
  )
  for (const part of ['a&#60;b&#62;', '&#60;R&#62;', '&#60;i&#62;mine', 'occupied', 'url(#reserved)', 'url(#behind)'])
    assert.ok(svg.includes(part), part)
  assert.ok(!/<b>|<i>/.test(svg))
})

test('power that a feed can give', () => {
  assert.equal(availablePower({ voltage: 120, amperage: 15, max_utilization: 80, phase: 'single-phase' }), 1440)
  assert.equal(availablePower({ voltage: -48, amperage: 30, max_utilization: 100, phase: 'single-phase' }), 1440)
  assert.equal(availablePower({ voltage: 208, amperage: 30, max_utilization: 80, phase: 'three-phase' }), 8646)
})

test('elevation of a rack: parameters, both faces, what may be seen', async (t) => {
  const server = await serve()
  const make = async (path: string, body: object): Promise<number> => {
    const reply = await server.call('POST', `/api/${path}/`, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.json.id
  }
  const site = await make('dcim/sites', { name: 'S', slug: 's' })
  const rack = await make('dcim/racks', { name: 'R', site, u_height: 10 })
  const maker = await make('dcim/manufacturers', { name: 'M', slug: 'm' })
  const [full, half] = [
    await make('dcim/device-types', { manufacturer: maker, model: 'full', slug: 'full', u_height: 2 }),
    await make('dcim/device-types', { manufacturer: maker, model: 'half', slug: 'half', is_full_depth: false }),
  ]
  const role = await make('dcim/device-roles', { name: 'role', slug: 'role', color: '3f51b5' })
  const device = (name: string, device_type: number, position: number, face: string) =>
    make('dcim/devices', { name, device_type, role, site, rack, position, face })
  const deep = await device('deep<1>', full, 3, 'front')
  await device('shallow', half, 8, 'rear')
  await make('dcim/rack-reservations', { rack, units: [1, 2], user: 1, description: 'for <later>' })
  const get = (query: string, headers?: Record<string, string>) =>
    server.call('GET', `/api/dcim/racks/${rack}/elevation/?${query}`, undefined, headers)
  const occupied = async (query: string) =>
    (await get(query)).json.results
      .filter((unit: any) => unit.occupied)
      .map((unit: any) => unit.id)
      .reverse()

  await t.test('units of each face', async () => {
    assert.deepEqual(await occupied('face=front'), [3, 3.5, 4, 4.5])
    assert.deepEqual(await occupied('face=rear'), [3, 3.5, 4, 4.5, 8, 8.5])
    assert.deepEqual(await occupied(`face=rear&exclude=${deep}`), [8, 8.5])
    assert.equal((await get('expand_devices=false')).json.count, 20)
    assert.deepEqual(
      (await get('q=U7')).json.results.map((unit: any) => unit.name),
      ['U7.5', 'U7'],
    )
  })
  await t.test('drawing', async () => {
    const [front, rear] = [
      await get('render=svg'),
      await get(`render=svg&face=rear&highlight=id:${deep}&unit_width=400`),
    ]
    assert.equal(front.headers.get('content-type'), 'image/svg+xml')
    assert.ok(
      front.text.includes('deep&#60;1&#62;') &&
        front.text.includes('for &#60;later&#62;') &&
        !front.text.includes('shallow'),
    )
    assert.ok(rear.text.includes('shallow') && rear.text.includes('#e6b800') && rear.text.includes('width="451"'))
  })
  for (const query of [
    'face=side',
    'render=png',
    'unit_width=x',
    'unit_height=0',
    'legend_width=-1',
    'exclude=me',
    'expand_devices=maybe',
    'highlight=nonsense:1&render=svg&unit_width=99999',
  ]) {
    await t.test(`refused: ${query}`, async () => assert.equal((await get(query)).status, 400))
  }
  await t.test('devices that a user may not view are there without their names', async () => {
    const user = await make('users/users', { username: 'viewer', password: 'Cabinet-Test-Passw0rd' })
    await make('users/permissions', { name: 'racks', object_types: ['dcim.rack'], actions: ['view'], users: [user] })
    const token = (await server.call('POST', '/api/users/tokens/', { user, version: 1 })).json.token
    const authorization = `Token ${token}`
    const units = (await get('face=front', { authorization })).json.results
    assert.deepEqual(
      units.find((unit: any) => unit.id === 3),
      {
        id: 3,
        name: 'U3',
        face: { value: 'front', label: 'Front' },
        device: null,
        occupied: true,
        display: 'U3',
        description: null,
      },
    )
    const { text } = await get('render=svg', { authorization })
    assert.ok(text.includes('occupied') && !text.includes('deep') && !text.includes('later'))
  })
})

test('without expand_devices every half unit stays, and a device is named at its position alone', async () => {
  const { call } = await serve()
  const make = new Maker(call)
  const site = await make.fresh('dcim.site')
  const rack = await make.fresh('dcim.rack', { site, u_height: 4 })
  const device_type = await make.fresh('dcim.devicetype', { u_height: 2 })
  const device = await make.fresh('dcim.device', {
    site,
    rack,
    device_type,
    position: 2,
    face: 'front',
    name: 'two high',
  })
  const units = async (query: string) =>
    (await call('GET', `/api/dcim/racks/${rack}/elevation/?${query}`)).json.results.map(
      (unit: { id: number; device: { id: number } | null; occupied: boolean; description: string | null }) => [
        unit.id,
        unit.device?.id ?? null,
        unit.occupied,
        unit.description,
      ],
    )
  const rows = (named: readonly number[]) =>
    [4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1].map((id) => {
      const isNamed = named.includes(id)
      return [id, isNamed ? device : null, id >= 2 && id < 4, isNamed ? 'two high' : null]
    })
  assert.deepEqual(await units('expand_devices=false'), rows([2]))
  assert.deepEqual(await units(''), rows([2, 2.5, 3, 3.5]))
})
