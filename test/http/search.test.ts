import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const make = new Maker(client.call)
const create = creating(client)
const found = async (path: string, q: string): Promise<number[]> =>
  (await client.call('GET', `/api/${path}/?fields=id&q=${encodeURIComponent(q)}`)).json.results.map(
    ({ id }: { id: number }) => id,
  )

/** An address on an interface of a machine, made its primary one. */
async function primary(machine: { model: string; path: string; id: number }, kind: string, address: string) {
  const isDevice = machine.model === 'dcim.device'
  const port = await make.fresh(isDevice ? 'dcim.interface' : 'virtualization.vminterface', {
    [isDevice ? 'device' : 'virtual_machine']: machine.id,
  })
  const { id } = await create('ipam/ip-addresses', {
    address,
    assigned_object_type: isDevice ? 'dcim.interface' : 'virtualization.vminterface',
    assigned_object_id: port,
  })
  const reply = await client.call('PATCH', `/api/${machine.path}/${machine.id}/`, { [kind]: id })
  assert.equal(reply.status, 200, reply.text)
}

test('devices and virtual machines are found by their primary addresses, whatever their form', async () => {
  for (const [model, path, n] of [
    ['dcim.device', 'dcim/devices', 1],
    ['virtualization.virtualmachine', 'virtualization/virtual-machines', 2],
  ] as const) {
    const id = await make.fresh(model, { name: `m${n}` })
    const other = await make.fresh(model, { name: `o${n}` })
    await primary({ model, path, id }, 'primary_ip4', `10.7.0.${n}/24`)
    await primary({ model, path, id }, 'primary_ip6', `2001:db8::${n}/64`)
    await primary({ model, path, id: other }, 'primary_ip4', `10.7.0.${n}1/24`)
    assert.deepEqual(await found(path, `10.7.0.${n}`), [id])
    assert.deepEqual(await found(path, `2001:DB8:0:0::${n}`), [id])
    assert.deepEqual(await found(path, '10.7.0'), [], 'a part of an address is none')
    assert.deepEqual(await found(path, `m${n}`), [id])
  }
})

test('ranges are found by either end, addresses by how they begin', async () => {
  const range = await create('ipam/ip-ranges', {
    start_address: '2001:db8:1::5/64',
    end_address: '2001:db8:1::9/64',
  })
  assert.deepEqual(await found('ipam/ip-ranges', '2001:0db8:1:0::5'), [range.id])
  assert.deepEqual(await found('ipam/ip-ranges', '2001:DB8:1:0::9'), [range.id])
  assert.deepEqual(await found('ipam/ip-ranges', '2001:db8:1:0::7'), [])
  const address = await create('ipam/ip-addresses', { address: '10.9.8.7/24' })
  assert.deepEqual(await found('ipam/ip-addresses', '10.9.8'), [address.id])
  assert.deepEqual(await found('ipam/ip-addresses', '9.8.7'), [])
})

test('tokens are found by their whole key alone', async () => {
  const { id, key } = await create('users/tokens', { user: await make.fresh('users.user', { username: 'searcher' }) })
  assert.deepEqual(await found('users/tokens', key), [id])
  assert.deepEqual(await found('users/tokens', key.slice(0, 6)), [])
  assert.deepEqual(await found('users/tokens', 'searcher'), [id])
})
