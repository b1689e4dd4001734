import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'
import { Maker } from '../support/maker.ts'

const { call } = await serve()
const make = new Maker(call)
const patch = (path: string, body: object) => call('PATCH', `/api/${path}/`, body)
async function refused(method: string, path: string, body: object, key: string): Promise<void> {
  const reply = await call(method, `/api/${path}/`, body)
  assert.equal(reply.status, 400, `${method} ${path} ${JSON.stringify(body)} ${reply.text}`)
  assert.ok(key in reply.json, reply.text)
}

test('attributes of a module type: held against the schema of its profile, merged, gone without one', async () => {
  const profile = await make.fresh('dcim.moduletypeprofile', {
    schema: { properties: { size: { type: 'integer' }, kind: { enum: ['a', 'b'] } }, required: ['size'] },
  })
  const id = await make.fresh('dcim.moduletype', { profile, attributes: { size: 1 } })
  const path = `dcim/module-types/${id}`
  const manufacturer = await make.shared('dcim.manufacturer')
  await refused(
    'POST',
    'dcim/module-types',
    { manufacturer, model: 'x', profile, attributes: { kind: 'a' } },
    '__all__',
  )
  await refused('PATCH', path, { attributes: { size: 'big' } }, '__all__')
  await refused('PATCH', path, { attributes: [1] }, 'attributes')
  assert.deepEqual((await patch(path, { attributes: { kind: 'b' } })).json.attributes, { kind: 'b', size: 1 })
  const {
    results: [change],
  } = (
    await call('GET', `/api/core/object-changes/?changed_object_type=dcim.moduletype&changed_object_id=${id}&limit=1`)
  ).json
  assert.deepEqual(change.postchange_data.attribute_data, { kind: 'b', size: 1 })
  assert.equal((await patch(path, { profile: null })).json.attributes, null)
  assert.equal((await patch(path, { attributes: { size: 1 } })).json.attributes, null)
})

test('weights of module types need a unit', async () => {
  const id = await make.fresh('dcim.moduletype')
  await refused('PATCH', `dcim/module-types/${id}`, { weight: 2 }, '__all__')
  assert.equal((await patch(`dcim/module-types/${id}`, { weight: 2, weight_unit: 'kg' })).json.weight, 2)
})

test('profiles take JSON schemas only', async () => {
  for (const schema of [[], 'x', { type: 'text' }, { properties: { a: 1 } }])
    await refused('POST', 'dcim/module-type-profiles', { name: 'x', schema }, 'schema')
})

test('a power port template draws no more than its maximum', async () => {
  const id = await make.fresh('dcim.powerporttemplate', { maximum_draw: 5, allocated_draw: 5 })
  await refused('PATCH', `dcim/power-port-templates/${id}`, { allocated_draw: 6 }, 'allocated_draw')
})

test('a position of a rear port template is mapped once, even by one front port', async () => {
  const device_type = await make.shared('dcim.devicetype')
  const rear = await make.fresh('dcim.rearporttemplate', { device_type, positions: 2 })
  const front = await make.fresh('dcim.frontporttemplate', {
    device_type,
    positions: 2,
    rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
  })
  const path = `dcim/front-port-templates/${front}`
  await refused('PATCH', path, { rear_ports: [{ position: 2, rear_port: rear, rear_port_position: 1 }] }, 'rear_ports')
  assert.equal(
    (
      await patch(path, {
        rear_ports: [
          { position: 1, rear_port: rear, rear_port_position: 1 },
          { position: 2, rear_port: rear, rear_port_position: 2 },
        ],
      })
    ).status,
    200,
  )
  await refused('PATCH', path, { positions: 1 }, 'positions')
})

test('inventory items are listed as they were made, children below their parent', async () => {
  const device = await make.fresh('dcim.device')
  const item = (name: string, more: object = {}) => make.fresh('dcim.inventoryitem', { device, name, ...more })
  const [z, a] = [await item('z'), await item('a')]
  const [y, b] = [await item('y', { parent: z }), await item('b', { parent: z })]
  assert.deepEqual(
    (await call('GET', `/api/dcim/inventory-items/?device_id=${device}`)).json.results.map(
      ({ id }: { id: number }) => id,
    ),
    [z, y, b, a],
  )
})

test('platforms for a device type: those of its manufacturer or of none; the type must be there', async () => {
  const [manufacturer, other] = [await make.fresh('dcim.manufacturer'), await make.fresh('dcim.manufacturer')]
  const [own, any] = [await make.fresh('dcim.platform', { manufacturer }), await make.fresh('dcim.platform')]
  await make.fresh('dcim.platform', { manufacturer: other })
  const type = await make.fresh('dcim.devicetype', { manufacturer })
  const found = (value: unknown) => call('GET', `/api/dcim/platforms/?available_for_device_type=${value}`)
  assert.deepEqual((await found(type)).json.results.map(({ id }: { id: number }) => id).sort(), [own, any].sort())
  for (const value of ['x', 999999]) assert.equal((await found(value)).status, 400)
})

test('a PUT that leaves them out resets what has a default of its own', async () => {
  const put = async (path: string, body: object) => {
    const reply = await call('PUT', `/api/${path}/`, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const manufacturer = await make.fresh('dcim.manufacturer')
  const type = await make.fresh('dcim.devicetype', { manufacturer, model: 'high', slug: 'high', u_height: 4 })
  assert.equal((await put(`dcim/device-types/${type}`, { manufacturer, model: 'high', slug: 'high' })).u_height, 1)
  const device = await make.fresh('dcim.device')
  const item = await make.fresh('dcim.inventoryitem', {
    device,
    name: 'inner',
    parent: await make.fresh('dcim.inventoryitem', { device }),
  })
  assert.equal((await put(`dcim/inventory-items/${item}`, { device, name: 'inner' })).parent, null)
  const power_panel = await make.fresh('dcim.powerpanel')
  const feed = await make.fresh('dcim.powerfeed', { power_panel, name: 'feed', supply: 'dc', type: 'redundant' })
  const { supply, type: kind } = await put(`dcim/power-feeds/${feed}`, { power_panel, name: 'feed' })
  assert.deepEqual([supply.value, kind.value], ['ac', 'primary'])
})
