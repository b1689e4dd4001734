import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { kitCommand } from '../support/kit.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame } = sides

let count = 0
const user = (username = `user${++count}`) => make('users/users', { username, password: 'Cabinet-Test-Passw0rd' })
const group = () => make('users/groups', { name: `group${++count}` })
const reservation = (units: number[], of: number) => ({
  rack: sides.parts.rack,
  units,
  user: of,
  description: 'held',
})
const sameAll = () =>
  areSame('users/groups', 'users/users', 'users/owners', 'extras/notification-groups', 'extras/journal-entries')

test('users and groups that the source deletes leave the lists that the kit put them in', async () => {
  const [gone, lost, kept] = [await group(), await user(), await user()]
  const both = await make('extras/notification-groups', { name: 'Both', users: [kept.id], groups: [gone.id] })
  await sync('pull')
  const members = { groups: [gone.id], users: [lost.id, kept.id] }
  await makeHere('extras/notification-groups', { name: 'Ours', ...members })
  await makeHere('users/owners', { name: 'Mine', group: null, user_groups: [gone.id], users: [lost.id, kept.id] })
  await here('PATCH', `extras/notification-groups/${both.id}`, members)
  await there('DELETE', `users/groups/${gone.id}`)
  await there('DELETE', `users/users/${lost.id}`)
  assert.match(await sync('push'), /refers to nothing then/)
  await sameAll()
  const [{ users }] = (await there('GET', 'users/owners')).results
  assert.deepEqual(
    users.map(({ id }: any) => id),
    [kept.id],
  )
})

test('an entry of a user whom the source deletes stays without its writer', async () => {
  const { id } = await user()
  const entry = (comments: string, created_by: number) => ({
    assigned_object_type: 'dcim.site',
    assigned_object_id: sides.parts.site,
    comments,
    created_by,
  })
  const old = await make('extras/journal-entries', entry('old', id))
  await sync('pull')
  const mine = await makeHere('extras/journal-entries', entry('mine', id))
  await here('PATCH', `extras/journal-entries/${old.id}`, { comments: 'older' })
  await there('DELETE', `users/users/${id}`)
  await sync('push')
  for (const [each, comments] of [
    [mine.id, 'mine'],
    [old.id, 'older'],
  ]) {
    const found = await there('GET', `extras/journal-entries/${each}`)
    assert.deepEqual([found.comments, found.created_by], [comments, null])
  }
  await sameAll()
})

test('filters and reports of a user whom the source deletes, or does not have, stay without that user', async () => {
  const [{ id: gone }, own] = [
    await user(),
    await makeHere('users/users', { username: 'alone', password: 'Cabinet-Test-Passw0rd' }),
  ]
  await sync('pull')
  const made: [path: string, id: number][] = []
  for (const of of [gone, own.id])
    for (const shared of [true, false]) {
      const name = `of-${of}-${shared}`
      const filter = { name, slug: name, object_types: ['dcim.site'], parameters: { status: ['active'] }, shared }
      const table = { name, object_type: 'dcim.site', table: 'SiteTable', columns: ['name'], shared }
      for (const [path, body] of [
        ['extras/saved-filters', filter],
        ['extras/table-configs', table],
        ['extras/reports', { name, sql: 'select 1', shared }],
      ] as const)
        made.push([path, (await makeHere(path, { ...body, user: of })).id])
    }
  await there('DELETE', `users/users/${gone}`)
  await sync('push')
  for (const [path, id] of made) assert.equal((await there('GET', `${path}/${id}`)).user, null, path)
  await here('DELETE', `users/users/${own.id}`)
  await areSame(...new Set(made.map(([path]) => path)))
})

test('an entry of a user of the kit alone comes without its writer, and such members stay in the kit', async () => {
  const own = await makeHere('users/users', { username: 'own', password: 'Cabinet-Test-Passw0rd' })
  const list = await makeHere('extras/notification-groups', { name: 'With own', users: [own.id] })
  const { id } = await makeHere('extras/journal-entries', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: sides.parts.site,
    comments: 'of the kit',
    created_by: own.id,
  })
  await sync('push')
  assert.equal((await there('GET', `extras/journal-entries/${id}`)).created_by, null)
  assert.match(await sides.kit.sync('status').then(({ out }) => out), /here: no objects changed/)
  assert.deepEqual((await there('GET', `extras/notification-groups/${list.id}`)).users, [])
  assert.equal((await here('GET', `extras/notification-groups/${list.id}`)).users.length, 1)
  const { id: held } = await makeHere('dcim/rack-reservations', reservation([11], own.id))
  const { code, out } = await sides.kit.sync('push')
  assert.equal(code, 1)
  assert.match(out, /user: It refers to user own, which is not here/)
  await here('DELETE', `dcim/rack-reservations/${held}`)
  await here('DELETE', `users/users/${own.id}`)
  await sync('push')
  await sameAll()
})

test('a reservation for a user whom the source deletes is asked about', async () => {
  const [carl, dora] = [await user('carl'), await user('dora')]
  await sync('pull')
  const one = await makeHere('dcim/rack-reservations', reservation([21], carl.id))
  const other = await makeHere('dcim/rack-reservations', reservation([22], dora.id))
  for (const { id } of [carl, dora]) await there('DELETE', `users/users/${id}`)
  const asked = await sides.kit.sync('push')
  assert.equal(asked.code, 1)
  assert.match(asked.out, /users\.user \d+ "carl": It was deleted there, and rack reservation .* refers to it here/)
  const said = await sides.kit.sync('push', {
    'theirs-of': `users.user:${carl.id}`,
    'ours-of': `users.user:${dora.id}`,
  })
  assert.equal(said.code, 1)
  assert.match(said.out, /user: It refers to user dora, which is not here/)
  await sides.kit.sync('status')
  assert.equal((await sides.kit.call('GET', `/api/dcim/rack-reservations/${one.id}/`)).status, 404)
  await here('PATCH', `dcim/rack-reservations/${other.id}`, { user: 1 })
  await sync('push')
  await areSame('dcim/rack-reservations')
  await sameAll()
})

test('a reservation that the source gives to another comes before its user goes', async () => {
  const { id } = await user()
  const held = await make('dcim/rack-reservations', reservation([31], id))
  await sync('pull')
  await here('PATCH', `dcim/rack-reservations/${held.id}`, { comments: 'checked' })
  await there('PATCH', `dcim/rack-reservations/${held.id}`, { user: 1 })
  await there('DELETE', `users/users/${id}`)
  await sync('push')
  await areSame('dcim/rack-reservations')
  await sameAll()
})

test('a file of a kit that names a user whom the source deleted meanwhile is told of by that name', async () => {
  const { id } = await user('emil')
  await sync('pull')
  const held = await makeHere('dcim/rack-reservations', reservation([41], id))
  const file = join(sides.kit.data, '..', 'held')
  assert.equal((await kitCommand('bundle', sides.kit.data, { operands: [file] })).code, 0)
  await there('DELETE', `users/users/${id}`)
  const { code, out } = await kitCommand('apply', sides.source.data, { operands: [file] })
  assert.equal(code, 1)
  assert.match(out, /user: It refers to user emil, which is not here/)
  await here('PATCH', `dcim/rack-reservations/${held.id}`, { user: 1 })
  await sync('push')
  await areSame('dcim/rack-reservations')
})
