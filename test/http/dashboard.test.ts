import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)
const at = '/api/extras/dashboard/'

test('the own dashboard is kept, changed in part, and gone when deleted', async () => {
  assert.deepEqual((await call('GET', at)).json, { layout: null, config: null })
  const config = { w1: { title: 'Sites' } }
  assert.deepEqual((await call('PUT', at, { layout: [{ id: 'w1', x: 0 }], config })).json.config, config)
  assert.deepEqual((await call('PATCH', at, { layout: [] })).json, { layout: [], config })
  assert.deepEqual((await call('GET', at)).json, { layout: [], config })
  assert.deepEqual(Object.keys((await call('PUT', at, { layout: 5 })).json), ['layout', 'config'])
  assert.equal((await call('DELETE', at)).status, 204)
  assert.deepEqual((await call('GET', at)).json, { layout: null, config: null })
  assert.equal((await call('POST', at, {})).status, 405)
})

test('it needs a permission, is of one user, and is not in the root of its application', async () => {
  const user = await make.fresh('users.user', { username: 'eve' })
  const token = (await call('POST', '/api/users/tokens/', { user })).json
  const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
  assert.equal((await call('GET', at, undefined, eve)).status, 403)
  await make.fresh('users.objectpermission', {
    object_types: ['extras.dashboard'],
    actions: ['view', 'change'],
    users: [user],
  })
  await call('PUT', at, { layout: [1], config: {} })
  assert.deepEqual((await call('GET', at, undefined, eve)).json, { layout: null, config: null })
  assert.equal((await call('PATCH', at, { layout: [2] }, eve)).status, 200)
  assert.deepEqual((await call('GET', at)).json.layout, [1])
  assert.equal((await call('DELETE', at, undefined, eve)).status, 403)
  assert.equal((await call('GET', '/api/extras/')).json.dashboard, undefined)
  assert.equal((await call('DELETE', `/api/users/users/${user}/`)).status, 204)
})
