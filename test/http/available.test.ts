import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)

test('what is taken out of a pool has its own message in the change log', async () => {
  const at = `/api/ipam/prefixes/${await make.fresh('ipam.prefix', { prefix: '10.0.0.0/28' })}/available-ips/`
  assert.equal((await call('POST', at, { changelog_message: 'one' })).status, 201)
  assert.equal((await call('POST', at, [{ changelog_message: 'two' }, {}])).status, 201)
  assert.deepEqual(Object.keys((await call('POST', at, { changelog_message: 'x'.repeat(201) })).json), [
    'changelog_message',
  ])
  const { json } = await call(
    'GET',
    '/api/core/object-changes/?changed_object_type=ipam.ipaddress&ordering=id&fields=message',
  )
  assert.deepEqual(
    json.results.map((row: { message: string }) => row.message),
    ['one', 'two', ''],
  )
})

test('errors of a list are aligned with it, and nothing is taken', async () => {
  const prefix = await make.fresh('ipam.prefix', { prefix: '10.1.0.0/28' })
  const taken = async (path: string, body: unknown) => (await call('POST', path, body)).json
  const ips = `/api/ipam/prefixes/${prefix}/available-ips/`
  assert.deepEqual(await taken(ips, [{}, { status: 'nope' }]), [{}, { status: ['nope is not a valid choice.'] }])
  assert.deepEqual(await taken(ips, { status: 'nope' }), { status: ['nope is not a valid choice.'] })
  const vlans = `/api/ipam/vlan-groups/${await make.fresh('ipam.vlangroup')}/available-vlans/`
  assert.deepEqual(await taken(vlans, {}), [{ name: ['This field is required.'] }])
  assert.equal((await call('GET', '/api/ipam/ip-addresses/?parent=10.1.0.0/28')).json.count, 0)
})
