import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

for (const preferIpv4 of [false, true]) {
  test(`the primary address, IPv4 preferred: ${preferIpv4}`, async () => {
    const { call, close } = await serve({ preferIpv4 })
    const make = new Maker(call)
    const wanted = preferIpv4 ? '10.0.0.1/24' : '2001:db8::1/64'
    for (const [path, holder, model, port, by] of [
      ['dcim/devices', 'dcim.device', 'dcim.interface', 'dcim.interface', 'device'],
      [
        'virtualization/virtual-machines',
        'virtualization.virtualmachine',
        'virtualization.vminterface',
        'virtualization.vminterface',
        'virtual_machine',
      ],
    ] as const) {
      const id = await make.fresh(holder)
      const assigned = {
        assigned_object_type: model,
        assigned_object_id: await make.fresh(port, { [by]: id }),
        vrf: await make.fresh('ipam.vrf'),
      }
      const primary_ip4 = await make.fresh('ipam.ipaddress', { address: '10.0.0.1/24', ...assigned })
      const primary_ip6 = await make.fresh('ipam.ipaddress', { address: '2001:db8::1/64', ...assigned })
      assert.equal((await call('PATCH', `/api/${path}/${id}/`, { primary_ip4 })).json.primary_ip.address, '10.0.0.1/24')
      assert.equal((await call('PATCH', `/api/${path}/${id}/`, { primary_ip6 })).json.primary_ip.address, wanted)
      assert.equal(
        (await call('PATCH', `/api/${path}/${id}/`, { primary_ip4: null })).json.primary_ip.address,
        '2001:db8::1/64',
      )
    }
    await close()
  })
}

test('a primary address stays with its device: no machine gets it, even of the same id', async () => {
  const { call, close } = await serve()
  const make = new Maker(call)
  const [device, machine] = [await make.fresh('dcim.device'), await make.fresh('virtualization.virtualmachine')]
  assert.equal(device, machine)
  const [first, second] = [
    await make.fresh('dcim.interface', { device }),
    await make.fresh('dcim.interface', { device }),
  ]
  const at = (assigned_object_type: string, assigned_object_id: number) => ({
    assigned_object_type,
    assigned_object_id,
  })
  const ip = await make.fresh('ipam.ipaddress', { address: '10.0.0.1/24', ...at('dcim.interface', first) })
  assert.equal((await call('PATCH', `/api/dcim/devices/${device}/`, { primary_ip4: ip })).status, 200)
  const guest = await make.fresh('virtualization.vminterface', { virtual_machine: machine })
  const foreign = await make.fresh('ipam.ipaddress', { address: '10.0.1.1/24', ...at('dcim.interface', guest) })
  assert.equal(
    (await call('PATCH', `/api/virtualization/virtual-machines/${machine}/`, { primary_ip4: foreign })).status,
    400,
  )
  const moved = async (body: object) => (await call('PATCH', `/api/ipam/ip-addresses/${ip}/`, body)).status
  assert.equal(await moved(at('virtualization.vminterface', guest)), 400)
  assert.equal(await moved({ assigned_object_type: null, assigned_object_id: null }), 400)
  assert.equal(await moved(at('dcim.interface', second)), 200)
  await close()
})
