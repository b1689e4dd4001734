import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, sync, areSame, device, end } = sides

/** Who makes something in the place of what it deletes, as names and bays are free only then; how it comes over. */
const Ways = [
  ['push', here],
  ['pull', there],
] as const

test('a module in the bay of another one that goes, with the bays and ports that it brings', async () => {
  const { a, maker } = sides.parts
  for (const [way, writes] of Ways) {
    const module_type = (await make('dcim/module-types', { manufacturer: maker, model: `Card ${way}` })).id
    await make('dcim/module-bay-templates', { module_type, name: 'sub', position: '1' })
    await make('dcim/interface-templates', { module_type, name: `port ${way}`, type: '1000base-t' })
    const module_bay = (await make('dcim/module-bays', { device: a, name: `bay ${way}`, position: '1' })).id
    const body = { device: a, module_bay, module_type }
    const { id } = await make('dcim/modules', body)
    await sync('pull')
    await writes('DELETE', `dcim/modules/${id}`)
    await writes('POST', 'dcim/modules', body)
    await sync(way)
    await areSame('dcim/modules', 'dcim/module-bays', 'dcim/interfaces')
    for (const side of [here, there]) {
      const brought = (await side('GET', 'dcim/module-bays')).results.find((each: any) => each.name === 'sub')
      const records = await side('GET', 'core/object-changes')
      const told = records.results.filter(
        (each: any) => each.changed_object_type === 'dcim.modulebay' && each.changed_object_id === brought.id,
      )
      assert.deepEqual(
        told.map((each: any) => each.action.value),
        ['create'],
      )
    }
    await there('DELETE', `dcim/module-bays/${module_bay}`)
  }
})

test('a machine and a device with the names of others that go, with what belongs to them', async () => {
  const type = await make('virtualization/cluster-types', { name: 'KVM', slug: 'kvm' })
  const cluster = (await make('virtualization/clusters', { name: 'Lab', type: type.id })).id
  for (const [way, writes] of Ways) {
    const add = (path: string, body: object) => writes('POST', path, body)
    const old = [
      ['virtualization/virtual-machines', { name: way, cluster }],
      ['dcim/devices', device(way)],
    ] as const
    const ids = []
    for (const [path, body] of old) ids.push((await make(path, body)).id)
    await sync('pull')
    for (const [i, [path]] of old.entries()) await writes('DELETE', `${path}/${ids[i]}`)

    const virtual_machine = (await add(...old[0])).id
    const port = await add('virtualization/interfaces', { name: 'eth0', virtual_machine })
    const child = await add('virtualization/interfaces', { name: 'eth0.1', virtual_machine, parent: port.id })
    const assigned = { assigned_object_type: 'virtualization.vminterface', assigned_object_id: child.id }
    await add('ipam/ip-addresses', { address: `10.1.1.${way.length + (virtual_machine % 100)}/24`, ...assigned })
    await add('virtualization/virtual-disks', { name: 'd', size: 5, virtual_machine })

    const made = (await add(...old[1])).id
    const radio = { type: 'ieee802.11ac' }
    const [near, far] = [
      await add('dcim/interfaces', { device: made, name: 'radio', ...radio }),
      await add('dcim/interfaces', { device: sides.parts.a, name: `radio ${way}`, ...radio }),
    ]
    await add('wireless/wireless-links', { interface_a: near.id, interface_b: far.id, ssid: 'x' })
    const rear = await add('dcim/rear-ports', { device: made, name: 'r', type: '8p8c', positions: 1 })
    const mapped = [{ position: 1, rear_port: rear.id, rear_port_position: 1 }]
    const front = await add('dcim/front-ports', { device: made, name: 'f', type: '8p8c', rear_ports: mapped })
    const wired = await add('dcim/interfaces', { device: sides.parts.a, name: `wired ${way}`, type: '1000base-t' })
    await add('dcim/cables', {
      a_terminations: end(wired.id),
      b_terminations: [{ object_type: 'dcim.frontport', object_id: front.id }],
    })
    await sync(way)
    await areSame('virtualization/virtual-machines', 'virtualization/interfaces', 'ipam/ip-addresses', 'dcim/devices')
    await areSame('dcim/interfaces', 'dcim/front-ports', 'dcim/cables', 'wireless/wireless-links')
  }
})

test('an address was made anew on both sides, and the end of a tunnel at it on one', async () => {
  const { a } = sides.parts
  let n = 0
  for (const moves of [here, there])
    for (const turns of ['oot', 'ooo']) {
      const name = `${turns} ${moves === here}`
      const [address, next] = [{ address: `10.7.${++n}.1/24` }, { address: `10.8.${n}.2/24` }]
      const tunnel = (await make('vpn/tunnels', { name, encapsulation: 'gre', status: 'active' })).id
      const port = (await make('dcim/interfaces', { device: a, name, type: 'virtual' })).id
      const [old, meanwhile] = [await make('ipam/ip-addresses', address), await make('ipam/ip-addresses', next)]
      const end = { tunnel, role: 'hub', termination_type: 'dcim.interface', termination_id: port }
      const { id } = await make('vpn/tunnel-terminations', { ...end, outside_ip: old.id })
      await sync('pull')
      await moves('PATCH', `vpn/tunnel-terminations/${id}`, { outside_ip: meanwhile.id })
      await moves('DELETE', `ipam/ip-addresses/${old.id}`)
      const again = await moves('POST', 'ipam/ip-addresses', address)
      await moves('PATCH', `vpn/tunnel-terminations/${id}`, { outside_ip: again.id })
      const replaces = moves === here ? there : here
      await replaces('DELETE', `vpn/tunnel-terminations/${id}`)
      await replaces('DELETE', `ipam/ip-addresses/${old.id}`)
      const outside_ip = (await replaces('POST', 'ipam/ip-addresses', address)).id
      await replaces('POST', 'vpn/tunnel-terminations', { ...end, outside_ip })
      await sides.inTurn([...turns].map((turn) => (turn === 'o' ? 'ours' : 'theirs')))
      await areSame('vpn/tunnel-terminations', 'ipam/ip-addresses')
    }
})

test('a port of a module that one side made anew was changed on the other', async () => {
  const { a, maker } = sides.parts
  const module_type = (await make('dcim/module-types', { manufacturer: maker, model: 'Made anew' })).id
  for (const replaces of [here, there])
    for (const turns of ['tot', 'too']) {
      const name = `${turns} ${replaces === here}`
      const module_bay = (await make('dcim/module-bays', { device: a, name, position: '1' })).id
      const body = { device: a, module_bay, module_type }
      const { id } = await make('dcim/modules', body)
      const port = (await make('dcim/console-ports', { device: a, module: id, name })).id
      await make('dcim/console-ports', { device: a, module: id, name: `${name} beside` })
      await sync('pull')
      await replaces('DELETE', `dcim/modules/${id}`)
      await replaces('POST', 'dcim/modules', body)
      await (replaces === here ? there : here)('PATCH', `dcim/console-ports/${port}`, { description: 'changed' })
      await sides.inTurn([...turns].map((turn) => (turn === 'o' ? 'ours' : 'theirs')))
      await areSame('dcim/modules', 'dcim/console-ports', 'dcim/module-bays')
    }
})
