import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve({ exemptViewPermissions: ['*', 'extras.webhook', 'core.datasource'] })
const make = new Maker(call)
const password = 'Cabinet-Test-Passw0rd'

test('a token made for a password is one that the user may add', async () => {
  const defaults = await serve({ defaultPermissions: { 'users.add_token': [{ user: '$user', write_enabled: false }] } })
  await defaults.call('POST', '/api/users/users/', { username: 'ann', password })
  const made = (more: object) =>
    defaults.call('POST', '/api/users/tokens/provision/', { username: 'ann', password, ...more })
  assert.equal((await made({})).status, 403)
  assert.equal((await made({ write_enabled: false })).status, 201)
  assert.equal((await defaults.call('GET', '/api/users/tokens/?user=ann')).json.count, 1)
})

test('what EXEMPT_VIEW_PERMISSIONS opens shows no secrets', async () => {
  await make.fresh('extras.webhook', { name: 'W', secret: 'open sesame', payload_url: 'http://x.test/' })
  await make.fresh('core.datasource', { name: 'S', type: 'git', parameters: { password: 'open sesame' } })
  await make.fresh('dcim.site', { name: 'A', slug: 'a' })
  const nobody = { authorization: '' }
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, nobody)).json.count, 1)
  for (const path of ['extras/webhooks', 'core/data-sources'])
    for (const query of ['', '1/', '?secret=open', '?brief=1', '?export', '?ordering=secret']) {
      const reply = await call('GET', `/api/${path}/${query}`, undefined, nobody)
      assert.equal(reply.status, 403, path + query)
      assert.ok(!reply.text.includes('sesame'))
    }
})

test('one token is one, however its header is written', async () => {
  const user = await make.fresh('users.user', { username: 'ann', password })
  const { key, token, id } = (await call('POST', '/api/users/tokens/', { user })).json
  const as = async (authorization: string) =>
    (await call('GET', '/api/dcim/sites/', undefined, { authorization })).status
  for (const header of [`Bearer nbt_${key}.${token}`, `bearer  nbt_${key}.${token}`, `Token nbt_${key}.${token}`])
    assert.equal(await as(header), 200, header)
  for (const header of [`Bearer nbt_${key}.${token}.x`, `Bearer nbt_${key}.${token}.`, `Bearer nbt_${key}.`, 'Bearer'])
    assert.equal(await as(header), 403, header)
  await call('DELETE', `/api/users/tokens/${id}/`)
  for (const header of [`Bearer nbt_${key}.${token}`, `Token nbt_${key}.${token}`]) assert.equal(await as(header), 403)
})

test('what a user keeps for themself is bounded', async () => {
  const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })
  const config = (body: object) => call('PATCH', '/api/users/config/', body)
  assert.equal((await config({ ui: { theme: 'dark' } })).status, 200)
  assert.equal((await config({ ui: 'x'.repeat(70_000) })).status, 400)
  assert.equal((await config(nested(30))).status, 400)
  for (let i = 0; i < 8; i++) await config({ [`k${i}`]: 'x'.repeat(10_000) })
  const { json, text } = await call('GET', '/api/users/config/')
  assert.equal(json.ui.theme, 'dark')
  assert.ok(text.length <= 65_536)
  const dashboard = (body: object) => call('PUT', '/api/extras/dashboard/', body)
  const refused = await dashboard({ layout: ['x'.repeat(300_000)], config: nested(30) })
  assert.deepEqual([refused.status, Object.keys(refused.json)], [400, ['layout', 'config']])
  assert.equal((await dashboard({ layout: [], config: {} })).status, 200)
})

test('a list is not ordered by what it never shows', async () => {
  const names = async (ordering: string) =>
    (await call('GET', `/api/users/users/?ordering=${ordering}`)).json.results.map(({ username }: any) => username)
  for (let i = 0; i < 4; i++) await make.fresh('users.user', { username: `zed${i}`, password: `${i}${password}` })
  assert.deepEqual(await names('password'), await names(''))
  assert.deepEqual(await names('-password'), await names(''))
})
