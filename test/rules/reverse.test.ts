import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const make = new Maker(call)
const create = creating(client)
const provider = (name: string, more = {}) => create('circuits/providers', { name, slug: name.toLowerCase(), ...more })
const accountsOf = async (id: number): Promise<string[]> =>
  (await call('GET', `/api/circuits/providers/${id}/`)).json.accounts.map((each: { account: string }) => each.account)

test('the accounts of a provider are those that name it, however they came to', async () => {
  const one = await provider('One')
  assert.deepEqual(one.accounts, [])
  for (const account of ['b', 'a']) await create('circuits/provider-accounts', { provider: one.id, account })
  assert.deepEqual(await accountsOf(one.id), ['a', 'b'])
  const [first] = (await call('GET', `/api/circuits/provider-accounts/?provider_id=${one.id}`)).json.results
  const two = await provider('Two', { accounts: [first.id] })
  assert.deepEqual(Object.keys(two.accounts[0]), ['id', 'url', 'display_url', 'display', 'name', 'account'])
  assert.deepEqual(await accountsOf(two.id), ['a'])
  assert.deepEqual(await accountsOf(one.id), ['b'])
  assert.equal((await call('GET', `/api/circuits/provider-accounts/${first.id}/`)).json.provider.id, two.id)
  const changes = (await call('GET', `/api/core/object-changes/?changed_object_type=circuits.provideraccount`)).json
  const moved = changes.results.find((each: { action: { value: string } }) => each.action.value === 'update')
  assert.deepEqual([moved.prechange_data.provider, moved.postchange_data.provider], [one.id, two.id])

  const back = await call('PATCH', `/api/circuits/providers/${one.id}/`, { accounts: [first.id], comments: 'back' })
  assert.equal(back.status, 200)
  assert.deepEqual(
    back.json.accounts.map((each: { account: string }) => each.account),
    ['a', 'b'],
    'rows that are left out stay',
  )
  assert.deepEqual(await accountsOf(two.id), [])
  assert.equal((await call('PATCH', `/api/circuits/providers/${one.id}/`, { accounts: [] })).status, 200)
  assert.deepEqual(await accountsOf(one.id), ['a', 'b'])
})

test('accounts that are not there, or would be there twice, are refused under the field', async () => {
  const [near, far] = [await provider('Near'), await provider('Far')]
  for (const { id } of [near, far]) await create('circuits/provider-accounts', { provider: id, account: 'same' })
  const [theirs] = (await call('GET', `/api/circuits/provider-accounts/?provider_id=${far.id}`)).json.results
  for (const accounts of [[theirs.id], [99_999], 'x', ['x'], null]) {
    const reply = await call('PATCH', `/api/circuits/providers/${near.id}/`, { accounts, name: 'Changed' })
    assert.equal(reply.status, 400, JSON.stringify(accounts))
    assert.deepEqual(Object.keys(reply.json), ['accounts'], reply.text)
  }
  assert.equal((await call('GET', `/api/circuits/providers/${near.id}/`)).json.name, 'Near')
  assert.deepEqual(await accountsOf(far.id), ['same'])
})

test('only who may change an account takes it', async () => {
  const [mine, theirs] = [await provider('Mine'), await provider('Theirs')]
  const account = await create('circuits/provider-accounts', { provider: theirs.id, account: 'x' })
  const user = await make.fresh('users.user')
  await create('users/permissions', {
    name: 'providers',
    users: [user],
    object_types: ['circuits.provider'],
    actions: ['view', 'change'],
  })
  const { key, token } = await create('users/tokens', { user })
  const as = { authorization: `Bearer nbt_${key}.${token}` }
  const take = () => call('PATCH', `/api/circuits/providers/${mine.id}/`, { accounts: [account.id] }, as)
  assert.equal((await take()).status, 403)
  assert.deepEqual(await accountsOf(mine.id), [])
  const accounts = await create('users/permissions', {
    name: 'accounts',
    users: [user],
    object_types: ['circuits.provideraccount'],
    actions: ['view', 'change'],
    constraints: { provider__name: 'Theirs' },
  })
  assert.equal((await take()).status, 403, 'they might not change it any more')
  assert.deepEqual(await accountsOf(theirs.id), ['x'])
  await call('PATCH', `/api/users/permissions/${accounts.id}/`, { constraints: null })
  assert.equal((await take()).status, 200)
  assert.deepEqual(await accountsOf(mine.id), ['x'])
})

test('a circuit takes the group assignments that a body names, and never shows them', async () => {
  const [near, far] = [await make.fresh('circuits.circuit'), await make.fresh('circuits.circuit')]
  const assignment = await create('circuits/circuit-group-assignments', {
    group: await make.shared('circuits.circuitgroup'),
    member_type: 'circuits.circuit',
    member_id: near,
  })
  const reply = await call('PATCH', `/api/circuits/circuits/${far}/`, { assignments: [assignment.id] })
  assert.equal(reply.status, 200, reply.text)
  assert.ok(!('assignments' in reply.json))
  const now = (await call('GET', `/api/circuits/circuit-group-assignments/${assignment.id}/`)).json
  assert.deepEqual([now.member_type, now.member_id], ['circuits.circuit', far])
})
