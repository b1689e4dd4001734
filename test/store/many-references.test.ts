import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, running } = client
const create = creating(client)
const { raw } = running.store.db
const count = (table: string, where: string) =>
  (raw.prepare(`select count(*) as n from ${table} where ${where}`).get() as { n: number }).n

/** More than a function takes arguments. */
const Many = 150_000
const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${Many})`

test('a user goes whose name stands in very many change records', async () => {
  const { id } = await create('users/users', { username: 'busy', password: 'Cabinet-Test-Passw0rd' })
  raw.exec(`insert into core_objectchange
      (time, user_id, user_name, request_id, action, changed_object_type, changed_object_id, object_repr, message)
    ${numbers} select '2026-01-01T00:00:00.000000Z', ${id}, 'busy', 'r', 'update', 'dcim.site', i, 'x', '' from n`)
  assert.equal((await call('GET', `/users/users/${id}/delete/`, undefined, { accept: 'text/html' })).status, 200)
  const reply = await call('DELETE', `/api/users/users/${id}/`)
  assert.equal(reply.status, 204, reply.text)
  assert.equal(count('core_objectchange', `user_id = ${id}`), 0)
  assert.equal(count('core_objectchange', "user_id is null and user_name = 'busy'"), Many)
  const { json } = await call('GET', '/api/core/object-changes/?user=busy&limit=1')
  assert.equal(json.results?.length ?? 0, 0)
})

test('what very many objects refer to is said to be needed', async () => {
  const { id } = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
  const type = await create('dcim/device-types', { manufacturer: id, model: 'T', slug: 't' })
  const role = await create('dcim/device-roles', { name: 'R', slug: 'r', color: 'aa1409' })
  const site = await create('dcim/sites', { name: 'S', slug: 's' })
  const device = await create('dcim/devices', { name: 'd', device_type: type.id, role: role.id, site: site.id })
  const columns = raw
    .prepare<[], { name: string }>('select name from pragma_table_info(?)')
    .all(...(['dcim_device'] as unknown as []))
    .map(({ name }) => name)
    .filter((name) => !['id', 'name'].includes(name))
    .map((name) => `"${name}"`)
  raw.exec(`insert into dcim_device (name, ${columns.join()})
    ${numbers} select 'd' || i, ${columns.map((name) => `d.${name}`).join()}
    from n, dcim_device d where d.id = ${device.id}`)
  const reply = await call('DELETE', `/api/dcim/device-roles/${role.id}/`)
  assert.equal(reply.status, 409)
  assert.match(reply.json.detail, new RegExp(`${Many + 1} dependent objects`))
})
