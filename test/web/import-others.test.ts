import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { loginAs } from '../support/session.ts'

const client = await serve()
const { call } = client
const make = new Maker(call)
const shown = async (path: string) => (await call('GET', `/api/${path}/`)).json

const type = await make.fresh('dcim.devicetype')
const parent = await make.fresh('dcim.devicetype', { subdevice_role: 'parent' })
const child = await make.fresh('dcim.devicetype', { subdevice_role: 'child', u_height: 0 })
const device = await make.fresh('dcim.device', { name: 'edge', device_type: type })
const port = await make.fresh('dcim.interface', { name: 'eth0', device })
const chassis = await make.fresh('dcim.device', { name: 'chassis', device_type: parent })
const bay = await make.fresh('dcim.devicebay', { name: 'bay', device: chassis })
const { role, site } = await shown(`dcim/devices/${device}`)
const Seen = ['device', 'interface', 'devicebay', 'devicetype', 'devicerole', 'site', 'manufacturer', 'macaddress'].map(
  (name) => `dcim.${name}`,
)

const address = 'address,status,device,interface,is_primary\n192.0.2.1/24,active,edge,eth0,true\n'
const mac = 'mac_address,device,interface,is_primary\n00:00:5E:00:53:01,edge,eth0,true\n'
const model = (await shown(`dcim/device-types/${child}`)).model
const maker = (await shown(`dcim/device-types/${child}`)).manufacturer.name
const blade = (name: string) =>
  'name,status,role,manufacturer,device_type,site,parent,device_bay\n' +
  `${name},active,${role.name},${maker},${model},${site.name},chassis,bay\n`

test('columns that change other objects do so only where the user may change these', async () => {
  const ann = await loginAs(client, 'ann', [
    [Seen, ['view']],
    [
      ['ipam.ipaddress', 'dcim.macaddress', 'dcim.device'],
      ['view', 'add'],
    ],
    [['dcim.interface', 'dcim.device', 'dcim.devicebay'], ['change'], { name: 'nobody' }],
  ])
  for (const [path, text] of [
    ['ipam/ip-addresses', address],
    ['dcim/mac-addresses', mac],
    ['dcim/devices', blade('blade')],
  ] as const) {
    const seen = await ann.post(`/${path}/import/`, { text, _apply: '1' })
    assert.equal(seen.status, 400, path)
    assert.match(seen.text, /may not change/i, path)
  }
  assert.equal((await shown(`dcim/devices/${device}`)).primary_ip4, null)
  assert.equal((await shown(`dcim/interfaces/${port}`)).primary_mac_address, null)
  assert.equal((await shown(`dcim/device-bays/${bay}`)).installed_device, null)
  assert.equal((await shown('ipam/ip-addresses')).count, 0)
})

test('what such a column makes of an object is judged too', async () => {
  const bob = await loginAs(client, 'bob', [
    [Seen, ['view']],
    [['ipam.ipaddress', 'dcim.macaddress'], ['add']],
    [['dcim.device'], ['add'], { parent_bay: null }],
    [['dcim.device'], ['change'], { primary_ip4: null }],
    [['dcim.interface'], ['change']],
    [['dcim.devicebay'], ['change']],
  ])
  const { count } = await shown('dcim/devices')
  const moved = await bob.post('/dcim/devices/import/', { text: blade('blade'), _apply: '1' })
  assert.equal(moved.status, 400, 'it is in a bay')
  assert.match(moved.text, /may not add such a device/)
  assert.equal((await shown('dcim/devices')).count, count)
  const given = await bob.post('/ipam/ip-addresses/import/', { text: address, _apply: '1' })
  assert.equal(given.status, 400, 'the device has a primary address now')
  assert.equal((await bob.post('/dcim/mac-addresses/import/', { text: mac, _apply: '1' })).status, 303)
  assert.equal((await shown(`dcim/interfaces/${port}`)).primary_mac_address.mac_address, '00:00:5E:00:53:01')
})
