import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

/** Lists of a body are as long as somebody wants: none takes time or room that grows faster than it does. */
const client = await serve()
const { call } = client
const create = creating(client)
const make = new Maker(call)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

test('a token names a bounded number of networks, which are not looked through for each request', async () => {
  const networks = (count: number) => numbers(count).map((i) => `10.${i >> 8}.${i & 255}.0/24`)
  const refused = await call('POST', '/api/users/tokens/', { user: 1, allowed_ips: networks(1001) })
  assert.deepEqual(
    [refused.status, refused.json],
    [400, { allowed_ips: ['Ensure this list has no more than 1000 items.'] }],
  )
  const own = await create('users/tokens', { user: 1, allowed_ips: [...networks(999), '127.0.0.1'] })
  const headers = { authorization: `Bearer nbt_${own.key}.${own.token}` }
  const status = async () => (await call('GET', '/api/status/', undefined, headers)).status
  assert.deepEqual([await status(), await status()], [200, 200])
  await call('PATCH', `/api/users/tokens/${own.id}/`, { allowed_ips: networks(3) })
  assert.deepEqual([await status(), await status()], [403, 403])
  await call('PATCH', `/api/users/tokens/${own.id}/`, { allowed_ips: [] })
  assert.equal(await status(), 200)
})

test('units of a reservation are compared once with those that are taken', async () => {
  const rack = await make.fresh('dcim.rack')
  const reservation = (units: number[]) =>
    call('POST', '/api/dcim/rack-reservations/', { rack, units, user: 1, description: 'Mine' })
  assert.equal((await reservation(numbers(10).map((i) => i + 1))).status, 201)
  const taken = await reservation([10, 11])
  assert.deepEqual(taken.json, { units: ['The following units have already been reserved: 10'] })
  const many = await reservation(numbers(1001).map(() => 12))
  assert.deepEqual(many.json, { units: ['Ensure this list has no more than 1000 items.'] })
  assert.equal((await reservation([11, 12])).status, 201)
})

test('choices are compared once with those before them', async () => {
  const choices = numbers(60_000).map((i) => [`v${i}`, `V${i}`])
  const began = performance.now()
  await create('extras/custom-field-choice-sets', { name: 'Many', extra_choices: choices })
  assert.ok(performance.now() - began < 5000, `${performance.now() - began} ms`)
  const twice = await call('POST', '/api/extras/custom-field-choice-sets/', {
    name: 'Twice',
    extra_choices: [
      ['a', 'A'],
      ['b', 'B'],
      ['a', 'C'],
    ],
  })
  assert.deepEqual(twice.json, { __all__: ["Duplicate value 'a' found in extra choices."] })
})

test('a cable ends at a bounded number of objects, as each shows all that are opposite', async () => {
  const device = await make.fresh('dcim.device')
  const ports: { id: number }[] = await create(
    'dcim/interfaces',
    numbers(258).map((i) => ({ device, name: `eth${i}`, type: '1000base-t' })),
  )
  const [first, ...others] = ports.map(({ id }) => ({ object_type: 'dcim.interface', object_id: id }))
  const cable = (ends: object[]) => call('POST', '/api/dcim/cables/', { a_terminations: ends, b_terminations: [first] })
  const refused = await cable(others)
  assert.deepEqual(
    [refused.status, refused.json],
    [400, { a_terminations: ['Ensure this list has no more than 256 items.'] }],
  )
  assert.equal((await cable(others.slice(1))).status, 201)
})
