import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const send = (method: string, path: string, body?: object) => server.call(method, `/api/${path}`, body)
const make = creating(server)
const patch = (path: string, id: number, body: object) => send('PATCH', `${path}/${id}/`, body)

const region = (await make('dcim/regions', { name: 'R', slug: 'r' })).id
const site = (await make('dcim/sites', { name: 'S', slug: 's', region })).id
const maker = (await make('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const type = (await make('dcim/device-types', { manufacturer: maker, model: 'T', slug: 't' })).id
const role = (await make('dcim/device-roles', { name: 'R', slug: 'r' })).id
const device = (await make('dcim/devices', { name: 'one', device_type: type, role, site })).id
const kind = (await make('virtualization/cluster-types', { name: 'K', slug: 'k' })).id
const cluster = (
  await make('virtualization/clusters', { name: 'C', type: kind, scope_type: 'dcim.region', scope_id: region })
).id
const machine = (await make('virtualization/virtual-machines', { name: 'vm', cluster })).id
const [local, global] = [
  (await make('ipam/vlans', { vid: 5, name: 'local', site })).id,
  (await make('ipam/vlans', { vid: 6, name: 'global' })).id,
]
let n = 0
const iface = (more: object = {}) => make('dcim/interfaces', { device, name: `e${++n}`, type: '1000base-t', ...more })
const guest = (more: object = {}) =>
  make('virtualization/interfaces', { virtual_machine: machine, name: `e${++n}`, ...more })

test('a cabled interface cannot be marked as connected', async () => {
  const [a, b] = [await iface(), await iface()]
  await make('dcim/cables', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: a.id }],
    b_terminations: [{ object_type: 'dcim.interface', object_id: b.id }],
  })
  const reply = await patch('dcim/interfaces', a.id, { mark_connected: true })
  assert.deepEqual([reply.status, 'mark_connected' in reply.json], [400, true])
})

test('an update of an interface that is not tagged takes its tagged VLANs away', async () => {
  const trunk = await iface({ mode: 'q-in-q', tagged_vlans: [global] })
  assert.equal(trunk.tagged_vlans.length, 1)
  assert.deepEqual((await patch('dcim/interfaces', trunk.id, { description: 'x' })).json.tagged_vlans, [])
  assert.equal((await patch('dcim/interfaces', trunk.id, { tagged_vlans: [global] })).json.tagged_vlans.length, 1)
})

test("a machine's interface without a mode has no untagged VLAN, and none of a site that is not its own", async () => {
  assert.equal((await guest({ untagged_vlan: global })).untagged_vlan, null)
  const reply = await send('POST', 'virtualization/interfaces/', {
    virtual_machine: machine,
    name: 'x',
    mode: 'access',
    untagged_vlan: local,
  })
  assert.deepEqual([reply.status, 'untagged_vlan' in reply.json], [400, true])
})

test('a new interface takes its primary MAC address; one of another object is refused, whatever its id', async () => {
  const mac = async (more: object = {}) =>
    (await make('dcim/mac-addresses', { mac_address: `00:00:00:00:01:${String(++n).padStart(2, '0')}`, ...more })).id
  const owner = await iface({ primary_mac_address: await mac() })
  assert.equal(owner.mac_addresses.length, 1)
  const own = await iface()
  assert.equal(
    (await patch('dcim/interfaces', own.id, { primary_mac_address: await mac() })).json.mac_addresses.length,
    0,
  )
  let twin = await guest()
  while (twin.id < own.id) twin = await guest()
  const taken = await mac({ assigned_object_type: 'virtualization.vminterface', assigned_object_id: own.id })
  assert.deepEqual(Object.keys((await patch('dcim/interfaces', own.id, { primary_mac_address: taken })).json), [
    'primary_mac_address',
  ])
})
