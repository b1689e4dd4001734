import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { createToken } from '../../src/services/accounts.ts'
import { housekeep } from '../../src/services/housekeeping.ts'
import { clientOf } from '../support/launch.ts'
import { login } from '../support/session.ts'
import type { Kit } from '../support/kit.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync } = sides
/** Milliseconds by which the clock of a side is ahead of the right time; it may be behind. */
let ahead = 0
const real = Date.now
mock.method(Date, 'now', () => real() + ahead)
const Day = 86_400_000

/** The change records of a site on one side, the earliest first. */
const records = async (side: Pick<Kit, 'call'>, id: number): Promise<any[]> =>
  (
    await side.call(
      'GET',
      `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${id}&ordering=id`,
    )
  ).json.results

/** A user of one side as a client of it. */
const asUser = ({ running, data }: Pick<Kit, 'running' | 'data'>, name: string): Pick<Kit, 'call'> =>
  clientOf(running, data, createToken(running.store, name).replace(/^Authorization: /, ''))

test('a change is that of the account that made it, renamed since, not of who has its name now', async () => {
  const password = 'Field-Passw0rd-1'
  const ann = await make('users/users', { username: 'ann', password })
  const bob = await make('users/users', { username: 'bob', password })
  const grant = { actions: ['view', 'add', 'change'], object_types: ['dcim.site'] }
  await make('users/permissions', { name: 'sites', users: [ann.id, bob.id], ...grant })
  await sync('pull')
  const { call } = asUser(sides.kit, 'ann')
  const { json: site } = await call('POST', '/api/dcim/sites/', { name: 'Field', slug: 'field' })
  const own = await makeHere('users/users', { username: 'eve', password })
  await makeHere('users/permissions', { name: 'field', users: [own.id], ...grant })
  const byEve = await asUser(sides.kit, 'eve').call('PATCH', `/api/dcim/sites/${site.id}/`, { facility: 'F' })
  assert.equal(byEve.status, 200, byEve.text)
  await there('PATCH', `users/users/${ann.id}`, { username: 'annette' })
  const other = await make('users/users', { username: 'ann', password })
  const eve = await make('users/users', { username: 'eve', password })
  assert.notEqual(eve.id, own.id)
  await sync('push')
  const { parts, source, kit } = sides
  const told = async (side: Pick<Kit, 'call'>, id: number) =>
    (await records(side, id)).map((each) => [each.user?.id, each.user?.username, each.user_name])
  assert.deepEqual(await told(source, site.id), [
    [ann.id, 'annette', 'ann'],
    [eve.id, 'eve', 'eve'], // an account that was made in the kit is known by its name alone
  ])

  const byBob = await asUser(source, 'bob').call('PATCH', `/api/dcim/sites/${parts.site}/`, { facility: 'B' })
  assert.equal(byBob.status, 200, byBob.text)
  await there('PATCH', `users/users/${bob.id}`, { username: 'robert' })
  await there('PATCH', `users/users/${other.id}`, { username: 'bob' })
  await sync('pull')
  assert.deepEqual((await told(kit, parts.site!)).at(-1), [bob.id, 'robert', 'bob'])
})

test('what was made while the clock of a kit was wrong is dated between clone and now, with who and why', async () => {
  const { kit, source } = sides
  ahead = -400 * Day
  const behind = await makeHere('dcim/sites', { name: 'Behind', slug: 'behind', changelog_message: 'battery is dead' })
  ahead = 400 * Day
  const early = await makeHere('dcim/sites', { name: 'Ahead', slug: 'ahead', changelog_message: 'set by hand' })
  ahead = 0
  await here('PATCH', `dcim/sites/${behind.id}`, { facility: 'F', changelog_message: 'set right' })
  await housekeep(kit.running.store)
  await sync('push')
  await housekeep(source.running.store)
  const { created: cloned } = await there('GET', 'core/kits/1')
  const now = new Date().toISOString()
  for (const [{ id }, messages] of [
    [behind, ['battery is dead (kit van)', 'set right (kit van)']],
    [early, ['set by hand (kit van)']],
  ] as const) {
    const told = await records(source, id)
    assert.deepEqual(
      told.map((each) => [each.message, each.user_name]),
      messages.map((message) => [message, 'admin']),
    )
    const { created } = await there('GET', `dcim/sites/${id}`)
    for (const time of [created, ...told.map((each) => each.time)]) assert.ok(time >= cloned && time <= now, time)
  }
  await housekeep(kit.running.store)
  const left = (await records(kit, behind.id)).map(({ message }) => message)
  assert.deepEqual(left, ['set right'], 'what the source was told of goes when it is old')
})

test('who decides on the page of a kit, and why, stands in its change log, also of what follows', async () => {
  const { kit, parts } = sides
  await sync('push')
  await here('PATCH', `dcim/sites/${parts.site}`, { facility: 'of the kit' })
  await there('PATCH', `dcim/sites/${parts.site}`, { facility: 'of the source', changelog_message: 'measured' })
  const mine = await makeHere('dcim/sites', { name: 'Both', slug: 'both' })
  const other = await make('dcim/sites', { name: 'Both', slug: 'both' })
  const alone = await make('dcim/sites', { name: 'Alone', slug: 'alone', changelog_message: 'no matter of anybody' })
  await there('PATCH', `dcim/racks/${parts.rack}`, { comments: 'of nobody' })
  const { db } = sides.source.running.store
  db.run("delete from core_objectchange where changed_object_type = 'dcim.rack'")
  assert.equal((await kit.sync('pull')).code, 1)
  const session = await login(kit, 'admin', kit.password)
  const isOpen = () => existsSync(join(kit.data, 'conflicts.json'))
  const typed = { changelog_message: 'the office saw <it>' }
  const asked = await session.post('/kit/', typed)
  assert.equal(asked.status, 409)
  assert.match(asked.text, /name="changelog_message"[^>]*value="the office saw &lt;it&gt;"/, 'what was typed stays')
  for (let tries = 0; tries < 3 && isOpen(); tries++) await session.post('/kit/', { rest: 'theirs', ...typed })
  assert.ok(!isOpen())
  const last = async (id: number) => {
    const told = (await records(kit, id)).at(-1)
    return [told.user?.username, told.user_name, told.message]
  }
  assert.deepEqual(await last(mine.id), ['admin', 'admin', 'the office saw <it>'], 'it gave its name away')
  const decided = '(decided by admin: the office saw <it>)'
  assert.deepEqual(await last(parts.site!), ['admin', 'admin', `measured ${decided}`])
  assert.deepEqual(await last(other.id), ['admin', 'admin', decided])
  assert.deepEqual(await last(alone.id), ['admin', 'admin', 'no matter of anybody'])
  const racks = (await kit.call('GET', '/api/core/object-changes/?changed_object_type=dcim.rack&ordering=-id')).json
  assert.deepEqual([racks.results[0].user, racks.results[0].user_name], [null, ''])
  assert.match(racks.results[0].message, /^Pulled from http.*who changed it is not known$/)

  await here('PATCH', `dcim/sites/${parts.site}`, { facility: 'again' })
  await there('PATCH', `dcim/sites/${parts.site}`, { facility: 'and again' })
  await makeHere('dcim/sites', { name: 'Two', slug: 'two' })
  await make('dcim/sites', { name: 'Two', slug: 'two' })
  const said = await sync('pull', { theirs: true })
  assert.match(said, /decided for theirs/)
  const { results } = (await kit.call('GET', '/api/core/object-changes/?q=Follows')).json
  assert.deepEqual(
    results.map((each: any) => [each.user_name, each.object_repr ?? each.changed_object.display]),
    [['', 'Two (van)']],
  )
})
