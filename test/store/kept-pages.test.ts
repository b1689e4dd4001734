import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetful } from '../support/forgetful.ts'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'
import { statementsOf } from '../support/statements.ts'

/** A list that shows all its rows stays kept while rows that it does not show change, and no longer. */
const client = await serve({ workers: 0 }) // statements of this thread are counted
const { call, running } = client
const create = creating(client)
const { store } = running
store.db.raw.pragma('synchronous = off')
const random = new Random(seedOf())
const { ask: anew } = forgetful(store)

const site = (await create('dcim/sites', { name: 'S', slug: 's' })).id
const manufacturer = (await create('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const device_type = (await create('dcim/device-types', { manufacturer, model: 'M', slug: 'm' })).id
const role = (await create('dcim/device-roles', { name: 'R', slug: 'r' })).id
const devices: number[] = []
const interfaces: number[] = []
for (const name of ['one', 'two', 'three']) {
  const device = (await create('dcim/devices', { name, site, device_type, role })).id
  devices.push(device)
  for (const port of ['a', 'b'])
    interfaces.push((await create('dcim/interfaces', { device, name: port, type: 'virtual' })).id)
}
let n = 0
const address = (of?: number) => ({
  address: `10.0.${(++n >> 8) & 255}.${n & 255}/24`,
  ...(of === undefined ? {} : { assigned_object_type: 'dcim.interface', assigned_object_id: of }),
})
const ids: number[] = []
for (const of of interfaces) ids.push((await create('ipam/ip-addresses', address(of))).id)

/** What is answered, and how many statements looked for the rows of a condition. */
async function asked(path: string): Promise<{ json: any; searches: number }> {
  const { json, statements } = await statementsOf(client, path, { anew: false })
  const isSearch = (sql: string) => /^select t\.id as id from "ipam_ipaddress" t where .*limit :_most$/s.test(sql)
  return { json, searches: statements.filter(isSearch).length }
}
const path = `/api/ipam/ip-addresses/?device_id=${devices[0]}`

test('addresses of others come and change: those of a device are not looked for anew', async () => {
  await asked(path)
  assert.equal((await asked(path)).searches, 0, 'kept')
  const other = await create('ipam/ip-addresses', address())
  const { json, searches } = await asked(path)
  assert.deepEqual([searches, json.count], [0, 2])
  await call('PATCH', `/api/ipam/ip-addresses/${other.id}/`, { dns_name: 'x.example' })
  await call('DELETE', `/api/ipam/ip-addresses/${other.id}/`)
  assert.equal((await asked(path)).searches, 0)
})

test('one that comes, goes or moves is seen', async () => {
  const made = await create('ipam/ip-addresses', address(interfaces[1]))
  assert.equal((await asked(path)).json.count, 3)
  await call('PATCH', `/api/ipam/ip-addresses/${made.id}/`, { assigned_object_id: interfaces[2] })
  assert.equal((await asked(path)).json.count, 2)
  await call('PATCH', `/api/ipam/ip-addresses/${made.id}/`, { assigned_object_id: interfaces[0] })
  assert.equal((await asked(path)).json.count, 3)
  await call('DELETE', `/api/ipam/ip-addresses/${made.id}/`)
  assert.equal((await asked(path)).json.count, 2)
})

test('between any writes lists are what somebody finds who keeps nothing', { timeout: 60_000 }, async () => {
  const writes: (() => Promise<unknown>)[] = [
    async () => ids.push((await create('ipam/ip-addresses', address())).id),
    async () => ids.push((await create('ipam/ip-addresses', address(random.pick(interfaces)))).id),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { dns_name: `n${++n % 4}.example` }),
    () =>
      call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, {
        assigned_object_type: 'dcim.interface',
        assigned_object_id: random.pick(interfaces),
      }),
    () => call('PATCH', `/api/ipam/ip-addresses/${random.pick(ids)}/`, { address: address().address }),
    () => call('PATCH', `/api/dcim/interfaces/${random.pick(interfaces)}/`, { name: `p${++n}` }),
    async () => {
      if (ids.length > 4) await call('DELETE', `/api/ipam/ip-addresses/${ids.splice(random.below(ids.length), 1)[0]}/`)
    },
    async () => {
      const { status } = await call('PATCH', '/api/ipam/ip-addresses/', [
        { id: ids[0], dns_name: 'n1.example' },
        { id: ids[1], address: 'none' },
      ])
      assert.equal(status, 400)
    },
  ]
  const questions = [
    ...devices.map((id) => `device_id=${id}`),
    ...[0, 1, 2, 3].map((i) => `dns_name=n${i}.example`),
    'dns_name=n1.example&ordering=-dns_name,address',
    `device_id=${devices[1]}&limit=2`,
    `device_id=${devices[1]}&limit=2&offset=1`,
  ]
  for (let round = 0; round < 60; round++) {
    for (let i = random.below(4); i >= 0; i--) await random.pick(writes)()
    for (const question of questions) {
      const url = `/api/ipam/ip-addresses/?${question}&brief=1`
      const { json } = await call('GET', url)
      const right = await anew(url)
      assert.deepEqual(
        [json.count, json.results.map((each: any) => each.id)],
        [right.count, right.results.map((each: any) => each.id)],
        `${round} ${question}`,
      )
    }
  }
})
