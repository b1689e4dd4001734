import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)
const [near, far] = [
  await make.fresh('dcim.device', { name: 'near' }),
  await make.fresh('dcim.device', { name: 'far' }),
]
const ports = [
  await make.fresh('dcim.interface', { device: near, name: 'eth0' }),
  await make.fresh('dcim.interface', { device: far, name: 'eth1' }),
]
const find = (query: string, headers = {}) => call('GET', `/api/dcim/connected-device/?${query}`, undefined, headers)

test('the device at the other end, without its contexts', async () => {
  assert.equal((await find('peer_device=far&peer_interface=eth1')).status, 404)
  const end = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
  assert.equal(
    (await call('POST', '/api/dcim/cables/', { a_terminations: end(ports[0]!), b_terminations: end(ports[1]!) }))
      .status,
    201,
  )
  const found = await find('peer_device=far&peer_interface=eth1')
  assert.equal(found.json.id, near)
  assert.ok(!('config_context' in found.json))
  assert.equal((await find('peer_device=near&peer_interface=eth0')).json.id, far)
})

test('it is listed, wants both names, and shows what the user may see', async () => {
  assert.ok('connected-device' in (await call('GET', '/api/dcim/')).json)
  assert.equal((await find('peer_device=far')).status, 400)
  assert.equal((await find('peer_device=far&peer_interface=nope')).status, 404)
  assert.equal((await call('POST', '/api/dcim/connected-device/', {})).status, 405)
  const user = await make.fresh('users.user')
  const token = (await call('POST', '/api/users/tokens/', { user })).json
  const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
  assert.equal((await find('peer_device=far&peer_interface=eth1', eve)).status, 403)
  await make.fresh('users.objectpermission', {
    object_types: ['dcim.device', 'dcim.interface'],
    actions: ['view'],
    constraints: [{ name: 'far' }, { device__name: 'far' }],
    users: [user],
  })
  assert.equal((await find('peer_device=far&peer_interface=eth1', eve)).status, 404)
})
