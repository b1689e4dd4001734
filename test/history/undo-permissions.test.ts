import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, running } = client
const create = creating(client)
const Revert = '/api/core/object-changes/revert/'
const requestOf = (reply: { headers: Headers }): string => reply.headers.get('x-request-id')!
let names = 0
const site = (more: object = {}) => create('dcim/sites', { name: `Site ${++names}`, slug: `site-${names}`, ...more })

/** A user who may do nothing yet: what they ask with, undo, and are granted. */
async function somebody(username: string) {
  const user = await create('users/users', { username, password: 'Cabinet-Test-Passw0rd' })
  const key = await create('users/tokens', { user: user.id, version: 1 })
  const headers = { authorization: `Token ${key.token ?? key.key}` }
  return {
    headers,
    attempt: (body: object) => call('POST', Revert, body, headers),
    grant: (actions: string[], object_types: string[], constraints: object | null = null) =>
      create('users/permissions', { name: `p${++names}`, actions, object_types, users: [user.id], constraints }),
  }
}

test('it takes the permissions of each object, and of the change log', async () => {
  const one = await site({ description: 'a' })
  const done = await call('PATCH', `/api/dcim/sites/${one.id}/`, { description: 'b' })
  const gone = await call('DELETE', `/api/dcim/sites/${(await site()).id}/`)
  const { attempt, grant } = await somebody('few')
  assert.equal((await attempt({ request_id: requestOf(done) })).status, 403)
  await grant(['view'], ['core.objectchange', 'dcim.site'])
  assert.equal((await attempt({ request_id: requestOf(done) })).status, 403)
  const narrow = await grant(['change'], ['dcim.site'], { description: 'b' })
  assert.equal((await attempt({ request_id: requestOf(done) })).status, 403, 'it could not change it back')
  await call('PATCH', `/api/users/permissions/${narrow.id}/`, { constraints: null })
  assert.equal((await attempt({ request_id: requestOf(gone) })).status, 403, 'it may not add')
  assert.equal((await attempt({ request_id: requestOf(done) })).status, 200)
})

test('what one may not see in the change log one does not take back', async () => {
  const one = await site({ description: 'a' })
  const done = await call('PATCH', `/api/dcim/sites/${one.id}/`, { description: 'b' })
  const { attempt: ask, grant, headers } = await somebody('own')
  await grant(['view', 'change'], ['dcim.site'])
  const log = await grant(['view'], ['core.objectchange'], { user_name: 'own' })
  const own = await call('PATCH', `/api/dcim/sites/${one.id}/`, { facility: 'own' }, headers)
  const attempt = async (body: object) => {
    const { status, json } = await ask(body)
    return [status, Object.keys(json).join()]
  }
  const { id } = running.store.db.get<{ id: number }>(
    'select id from core_objectchange where request_id = ?',
    requestOf(done),
  )!
  const since = new Date().toISOString()
  assert.deepEqual(await attempt({ request_id: requestOf(done) }), [400, 'request_id'])
  assert.deepEqual(await attempt({ request_id: [requestOf(own), requestOf(done)] }), [400, 'request_id'])
  assert.deepEqual(await attempt({ id }), [400, 'id'])
  assert.deepEqual(await attempt({ since }), [403, 'detail'])
  assert.equal((await attempt({ request_id: requestOf(own) }))[0], 200)
  await call('PATCH', `/api/users/permissions/${log.id}/`, { constraints: null })
  assert.equal((await attempt({ since }))[0], 200)
  assert.equal((await attempt({ request_id: requestOf(done) }))[0], 200)
})

test('an undo takes no tag or member away that the permission to change asks for', async () => {
  const tag = await create('extras/tags', { name: 'mine', slug: 'mine' })
  const one = await site()
  const other = await site({ tags: [tag.id] })
  const tagged = await call('PATCH', `/api/dcim/sites/${one.id}/`, { tags: [tag.id] })
  const asn = await create('ipam/asns', { asn: 64512, rir: (await create('ipam/rirs', { name: 'R', slug: 'r' })).id })
  const numbered = await call('PATCH', `/api/dcim/sites/${other.id}/`, { asns: [asn.id] })
  const { attempt, grant, headers } = await somebody('tagger')
  await grant(['view'], ['core.objectchange', 'dcim.site'])
  const narrow = await grant(['change'], ['dcim.site'], { tags__slug: 'mine' })
  assert.equal((await call('PATCH', `/api/dcim/sites/${one.id}/`, { tags: [] }, headers)).status, 403)
  assert.equal((await attempt({ request_id: requestOf(tagged) })).status, 403)
  assert.equal((await call('GET', `/api/dcim/sites/${one.id}/`)).json.tags.length, 1)
  await call('PATCH', `/api/users/permissions/${narrow.id}/`, { constraints: { asns__asn: 64512 } })
  assert.equal((await attempt({ request_id: requestOf(numbered) })).status, 403)
  assert.equal((await call('GET', `/api/dcim/sites/${other.id}/`)).json.asns.length, 1)
  await call('PATCH', `/api/users/permissions/${narrow.id}/`, { constraints: null })
  assert.equal((await attempt({ request_id: requestOf(numbered) })).status, 200)
})
