import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveTokens } from '../../src/rules/components.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const { make, get, maker, site, role } = await plant(client)
let n = 0
const typed = async (more: object = {}) =>
  make('dcim/device-types', { manufacturer: maker.id, model: `Type ${++n}`, slug: `type-${n}`, ...more })
const build = (type: { id: number }, more: object = {}) =>
  call('POST', '/api/dcim/devices/', {
    name: `dev ${++n}`,
    site: site.id,
    role: role.id,
    device_type: type.id,
    ...more,
  })
const names = async (path: string, device: number) =>
  (await get(`dcim/${path}/?device_id=${device}&limit=100`)).results.map((row: any) => row.name)

test('a device gets one component of each template of its type, with the links between them', async () => {
  const type = await typed({ subdevice_role: 'parent' })
  const template = (path: string, body: object) => make(`dcim/${path}-templates`, { device_type: type.id, ...body })
  await template('console-port', { name: 'con' })
  const psu = await template('power-port', { name: 'psu', maximum_draw: 100 })
  await template('power-outlet', { name: 'out', power_port: psu.id, feed_leg: 'A' })
  const bridge = await template('interface', { name: 'br0', type: 'bridge' })
  await template('interface', { name: 'eth0', type: '1000base-t', mgmt_only: true, bridge: bridge.id })
  const rear = await template('rear-port', { name: 'rear', type: 'lc', positions: 2 })
  await template('front-port', {
    name: 'front',
    type: 'lc',
    rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 2 }],
  })
  await template('module-bay', { name: 'slot', position: '1' })
  await template('device-bay', { name: 'bay' })
  const parent = await template('inventory-item', { name: 'board' })
  await template('inventory-item', { name: 'chip', parent: parent.id })
  const { status, json } = await build(type)
  assert.equal(status, 201, JSON.stringify(json))
  const device = await get(`dcim/devices/${json.id}/`)
  assert.deepEqual(
    [device.interface_count, device.front_port_count, device.module_bay_count, device.inventory_item_count],
    [2, 1, 1, 2],
  )
  const outlet = (await get(`dcim/power-outlets/?device_id=${json.id}`)).results[0]
  assert.equal(outlet.power_port.name, 'psu')
  const eth = (await get(`dcim/interfaces/?device_id=${json.id}&name=eth0`)).results[0]
  assert.deepEqual([eth.bridge.name, eth.mgmt_only], ['br0', true])
  const front = (await get(`dcim/front-ports/?device_id=${json.id}`)).results[0]
  assert.deepEqual(
    front.rear_ports.map((m: any) => [m.position, m.rear_port_position]),
    [[1, 2]],
  )
  const chip = (await get(`dcim/inventory-items/?device_id=${json.id}&name=chip`)).results[0]
  assert.ok(chip.parent)
  assert.ok(
    (await get(`core/object-changes/?changed_object_type=dcim.interface&changed_object_id=${eth.id}&action=create`))
      .count > 0,
  )
})

test('templates changed later leave devices as they are', async () => {
  const type = await typed()
  const port = await make('dcim/console-port-templates', { device_type: type.id, name: 'con' })
  const { json } = await build(type)
  await call('PATCH', `/api/dcim/console-port-templates/${port.id}/`, { name: 'renamed' })
  assert.deepEqual(await names('console-ports', json.id), ['con'])
})

test('the chassis position fills names, or its fallback does', () => {
  const device = (vc_position: number | null) => ({ device: { id: 1, vc_position } })
  assert.equal(resolveTokens('ge-{vc_position}/0', device(3)), 'ge-3/0')
  assert.equal(resolveTokens('ge-{vc_position:1}/0', device(null)), 'ge-1/0')
  assert.equal(resolveTokens('ge-{vc_position}/0', device(null)), 'ge-0/0')
})

test('module tokens: one stands for the innermost bay, else one for each level', () => {
  const at = (...positions: (string | null)[]) => ({
    device: { id: 1 },
    module: { id: 1, positions, adopt: false, replicate: true },
  })
  assert.equal(resolveTokens('xe-{module}', at('1', '2')), 'xe-2')
  assert.equal(resolveTokens('xe-{module}/{module}', at('1', '2')), 'xe-1/2')
  assert.throws(() => resolveTokens('xe-{module}/{module}', at('1')))
  assert.equal(resolveTokens('xe-{module}', at(null, '2')), 'xe-2')
  assert.throws(() => resolveTokens('xe-{module}', at(null)))
})

test('a module brings its components, nests, and takes them away', async () => {
  const { json: device } = await build(await typed())
  const slot = await make('dcim/module-bays', { device: device.id, name: 'Slot 1', position: '1' })
  const card = await make('dcim/module-types', { manufacturer: maker.id, model: 'Card' })
  await make('dcim/interface-templates', { module_type: card.id, name: 'xe-{module}/0', type: '10gbase-x-sfpp' })
  await make('dcim/module-bay-templates', { module_type: card.id, name: 'Sub', position: '7' })
  const module = await make('dcim/modules', { device: device.id, module_bay: slot.id, module_type: card.id })
  assert.deepEqual(await names('interfaces', device.id), ['xe-1/0'])
  const sub = (await get(`dcim/module-bays/?module_id=${module.id}`)).results[0]
  const inner = await make('dcim/modules', { device: device.id, module_bay: sub.id, module_type: card.id })
  assert.deepEqual((await names('interfaces', device.id)).sort(), ['xe-1/0', 'xe-7/0'])
  assert.equal((await get(`dcim/module-bays/${slot.id}/`)).installed_module.id, module.id)
  assert.equal((await call('PATCH', `/api/dcim/modules/${module.id}/`, { module_bay: sub.id })).status, 400)
  assert.equal((await call('DELETE', `/api/dcim/modules/${module.id}/`)).status, 204)
  assert.deepEqual(await names('interfaces', device.id), [])
  assert.equal((await call('GET', `/api/dcim/modules/${inner.id}/`)).status, 404)
  assert.equal((await get(`dcim/devices/${device.id}/`)).interface_count, 0)
})

test('a module may adopt what is there, or is refused by it', async () => {
  const { json: device } = await build(await typed())
  const slot = await make('dcim/module-bays', { device: device.id, name: 'Slot' })
  const card = await make('dcim/module-types', { manufacturer: maker.id, model: 'Adopter' })
  await make('dcim/interface-templates', { module_type: card.id, name: 'eth0', type: '1000base-t' })
  const there = await make('dcim/interfaces', { device: device.id, name: 'eth0', type: '1000base-t' })
  const body = { device: device.id, module_bay: slot.id, module_type: card.id }
  const refused = await call('POST', '/api/dcim/modules/', body)
  assert.deepEqual([refused.status, Object.keys(refused.json)], [400, ['non_field_errors']])
  assert.equal((await get(`dcim/modules/?device_id=${device.id}`)).count, 0)
  const module = await make('dcim/modules', { ...body, adopt_components: true })
  assert.equal((await get(`dcim/interfaces/${there.id}/`)).module.id, module.id)
})

test('a module that adopts mapped ports leaves them mapped as they are', async () => {
  const type = await make('dcim/module-types', { manufacturer: maker.id, model: 'Ports' })
  const rearTemplate = await make('dcim/rear-port-templates', {
    module_type: type.id,
    name: 'rear',
    type: 'lc',
    positions: 2,
  })
  for (const i of [1, 2])
    await make('dcim/front-port-templates', {
      module_type: type.id,
      name: `front ${i}`,
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rearTemplate.id, rear_port_position: i }],
    })
  const device = (await build(await typed())).json.id
  const bay = await make('dcim/module-bays', { device, name: 'bay', position: '1' })
  const rear = await make('dcim/rear-ports', { device, name: 'rear', type: 'lc', positions: 2 })
  const front = await make('dcim/front-ports', {
    device,
    name: 'front 1',
    type: 'lc',
    rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 1 }],
  })
  const module = await make('dcim/modules', {
    device,
    module_bay: bay.id,
    module_type: type.id,
    adopt_components: true,
  })
  const after = await get(`dcim/rear-ports/${rear.id}/`)
  assert.equal(after.module.id, module.id)
  assert.deepEqual(
    after.front_ports.map((each: any) => [each.position, each.front_port === front.id]),
    [
      [1, true],
      [2, false],
    ],
  )
})

test('components that collide refuse the device and leave nothing', async () => {
  const type = await typed()
  await make('dcim/interface-templates', { device_type: type.id, name: 'e{vc_position}', type: '1000base-t' })
  await make('dcim/interface-templates', { device_type: type.id, name: 'e0', type: '1000base-t' })
  const { status, json } = await build(type, { name: 'collides' })
  assert.deepEqual([status, Object.keys(json)], [400, ['detail']])
  assert.equal((await get('dcim/devices/?name__ic=collides')).count, 0)
})

test('a template belongs to one type', async () => {
  const type = await typed()
  const card = await make('dcim/module-types', { manufacturer: maker.id, model: 'Both' })
  assert.equal(
    (
      await call('POST', '/api/dcim/interface-templates/', {
        device_type: type.id,
        module_type: card.id,
        name: 'x',
        type: '1000base-t',
      })
    ).status,
    400,
  )
  assert.equal((await call('POST', '/api/dcim/interface-templates/', { name: 'x', type: '1000base-t' })).status, 400)
})

test('a module may adopt without making the rest; put elsewhere, it takes its bays along', async () => {
  const { json: device } = await build(await typed())
  const slot = await make('dcim/module-bays', { device: device.id, name: 'Slot', position: '1' })
  const other = await make('dcim/module-bays', { device: device.id, name: 'Other', position: '2' })
  const card = await make('dcim/module-types', { manufacturer: maker.id, model: 'Half' })
  for (const name of ['eth0', 'eth1'])
    await make('dcim/interface-templates', { module_type: card.id, name, type: '1000base-t' })
  const there = await make('dcim/interfaces', { device: device.id, name: 'eth0', type: '1000base-t' })
  const module = await make('dcim/modules', {
    device: device.id,
    module_bay: slot.id,
    module_type: card.id,
    adopt_components: true,
    replicate_components: false,
  })
  assert.deepEqual(await names('interfaces', device.id), ['eth0'])
  assert.equal((await get(`dcim/interfaces/${there.id}/`)).module.id, module.id)
  const sub = await make('dcim/module-bays', { device: device.id, module: module.id, name: 'Sub' })
  assert.equal((await call('PATCH', `/api/dcim/modules/${module.id}/`, { module_bay: other.id })).status, 200)
  assert.deepEqual(
    (await get(`dcim/module-bays/?device_id=${device.id}`)).results.map(({ id }: { id: number }) => id),
    [other.id, sub.id, slot.id],
  )
})
