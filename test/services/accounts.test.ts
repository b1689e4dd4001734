import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'

const server = await serve()
const send = (method: string, path: string, body?: object) => server.call(method, `/api/users/${path}/`, body)
const password = 'Cabinet-Test-Passw0rd'
const user = (await send('POST', 'users', { username: 'ann', password })).json.id
const keysOf = (reply: { status: number; json: object }) => [reply.status, Object.keys(reply.json)]

test('usernames differ in more than case, and have letters of any script', async () => {
  assert.deepEqual(keysOf(await send('POST', 'users', { username: 'ann', password })), [400, ['username']])
  assert.deepEqual(keysOf(await send('POST', 'users', { username: 'ANN', password })), [400, ['__all__']])
  assert.equal((await send('POST', 'users', { username: 'zoë', password })).status, 201)
})

test('a token has a pepper if it is of version 2 and none otherwise', async () => {
  const [first, second] = [
    (await send('POST', 'tokens', { user, version: 1 })).json.id,
    (await send('POST', 'tokens', { user })).json.id,
  ]
  assert.deepEqual(keysOf(await send('PATCH', `tokens/${first}`, { pepper_id: 1 })), [400, ['__all__']])
  assert.deepEqual(keysOf(await send('PATCH', `tokens/${second}`, { pepper_id: null })), [400, ['__all__']])
})

test("a PUT without addresses takes a token's away", async () => {
  const { id, allowed_ips } = (await send('POST', 'tokens', { user, allowed_ips: ['192.0.2.1', '2001:db8::1'] })).json
  assert.deepEqual(allowed_ips, ['192.0.2.1/32', '2001:db8::1/128'])
  assert.deepEqual((await send('PATCH', `tokens/${id}`, { description: 'x' })).json.allowed_ips, allowed_ips)
  assert.deepEqual((await send('PUT', `tokens/${id}`, { user })).json.allowed_ips, [])
})

test('the answer of provisioning has the members of a token, without its pepper', async () => {
  const { json } = await send('POST', 'tokens/provision', { username: 'ann', password })
  assert.deepEqual(Object.keys(json), [
    'id',
    'url',
    'display_url',
    'display',
    'version',
    'user',
    'key',
    'created',
    'expires',
    'last_used',
    'enabled',
    'write_enabled',
    'description',
    'allowed_ips',
    'token',
  ])
  assert.equal(json.token.length, 40)
})

test('constraints that are none allow nothing; a list may name the user', async () => {
  const { token } = (await send('POST', 'tokens', { user, version: 1 })).json
  const permission = (
    await send('POST', 'permissions', {
      name: 'p',
      object_types: ['users.user', 'users.token'],
      actions: ['view', 'add', 'grant'],
      users: [user],
    })
  ).json.id
  const asAnn = (method: string, path: string, body?: object) =>
    server.call(method, `/api/users/${path}/`, body, { authorization: `Token ${token}` })
  for (const constraints of ['junk', 5, [null], [[]], [5]]) {
    assert.equal((await send('PATCH', `permissions/${permission}`, { constraints })).status, 200)
    assert.equal((await asAnn('GET', 'users')).json.count, 0, JSON.stringify(constraints))
    assert.equal((await asAnn('POST', 'tokens', { user: 1 })).status, 403, JSON.stringify(constraints))
  }
  await send('PATCH', `permissions/${permission}`, { constraints: { id__in: ['$user'] } })
  assert.deepEqual(
    (await asAnn('GET', 'users')).json.results.map(({ username }: { username: string }) => username),
    ['ann'],
  )
})
