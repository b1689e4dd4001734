import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame } = sides

const password = 'Cabinet-Test-Passw0rd'
const user = (username: string) => make('users/users', { username, password })
const group = (name: string, more: object = {}) => make('users/groups', { name, ...more })
const permission = (name: string, more: object) =>
  make('users/permissions', { name, object_types: ['dcim.site'], actions: ['view'], ...more })
const sameAccounts = () => areSame('users/groups', 'users/permissions')
/** Users of both sides: their names, groups and permissions, without those that the kit made. */
const sameUsers = async () => {
  const [a, b] = await Promise.all(
    [there, here].map(async (ask) =>
      (await ask('GET', 'users/users')).results
        .filter(({ id }: any) => id < 100_000_000)
        .map(({ id, username, is_active, groups, permissions }: any) => ({
          id,
          username,
          is_active,
          groups: groups.map((each: any) => each.id),
          permissions: permissions.map((each: any) => each.id),
        })),
    ),
  )
  assert.deepEqual(b, a)
}

test('a user who is deleted and made anew is the new one in the kit, with what he is given', async () => {
  const { id } = await user('edward')
  await sync('pull')
  await there('DELETE', `users/users/${id}`)
  const again = await user('edward')
  await sync('pull')
  await sameUsers()
  await permission('sees sites', { users: [again.id] })
  await sync('pull')
  await sameUsers()
  await sameAccounts()
})

test('users and groups that swap their names do so in the kit', async () => {
  const users = [await user('left'), await user('right')]
  const groups = [await group('North'), await group('South')]
  await sync('pull')
  for (const [path, name, [a, b]] of [
    ['users/users', 'username', users],
    ['users/groups', 'name', groups],
  ] as const) {
    await there('PATCH', `${path}/${a.id}`, { [name]: 'aside' })
    await there('PATCH', `${path}/${b.id}`, { [name]: a[name] })
    await there('PATCH', `${path}/${a.id}`, { [name]: b[name] })
  }
  await sync('pull')
  await sameUsers()
  await sameAccounts()
})

test('users and groups that both sides made are those of the source in the kit, with what refers to them', async () => {
  const crew = await makeHere('users/groups', { name: 'Field crew' })
  const helper = await makeHere('users/users', { username: 'helper', password, groups: [crew.id] })
  const { rack, site } = sides.parts
  const body = { rack, units: [7], user: helper.id, description: 'held' }
  await makeHere('dcim/rack-reservations', body)
  await makeHere('extras/notification-groups', { name: 'Crew', groups: [crew.id], users: [helper.id] })
  const entry = { assigned_object_type: 'dcim.site', assigned_object_id: site, comments: 'seen', created_by: helper.id }
  await makeHere('extras/journal-entries', entry)
  const theirs = await group('Field crew')
  const other = await user('helper')
  await permission('crew sees', { groups: [theirs.id], users: [other.id] })
  assert.match(await sync('push'), /users\.user \d+ "helper", username: what refers to it refers to the one/)
  const token = await here('POST', 'users/tokens/provision', { username: 'helper', password })
  assert.equal(token.user.id, other.id)
  const [{ user: by }] = (await there('GET', 'dcim/rack-reservations')).results
  assert.equal(by.id, other.id)
  const { groups } = await here('GET', `users/users/${other.id}`)
  assert.deepEqual(
    groups.map(({ id }: any) => id),
    [theirs.id],
  )
  await areSame('dcim/rack-reservations', 'extras/notification-groups', 'extras/journal-entries')
  await here('PATCH', `users/users/${other.id}`, { groups: [] })
  await sameUsers()
  await sameAccounts()
})

test('an account of the kit gives way to one that the source renames, and to an administrator', async () => {
  const { id } = await group('Old name')
  await user('boss')
  await sync('pull')
  const own = await makeHere('users/groups', { name: 'New name' })
  const chief = await makeHere('users/users', { username: 'chief', password })
  await there('PATCH', `users/groups/${id}`, { name: 'New name' })
  const made = await user('chief')
  sides.source.running.store.commit.now(() =>
    sides.source.running.store.db.run('update users_user set is_superuser = 1 where id = ?', made.id),
  )
  assert.match(await sync('pull'), /users\.group \d+ "New name", name: it has the name New name \(van\) here/)
  assert.equal((await here('GET', `users/groups/${own.id}`)).name, 'New name (van)')
  assert.equal((await here('GET', `users/users/${chief.id}`)).username, 'chief-van')
  assert.equal((await here('GET', `users/groups/${id}`)).name, 'New name')
  await here('DELETE', `users/groups/${own.id}`)
  await sameUsers()
  await sameAccounts()
})

test('what the kit does to accounts of the source is put back, and what it gave to them stays', async () => {
  const night = await group('Night')
  const { id } = await user('dora')
  await there('PATCH', `users/users/${id}`, { groups: [night.id] })
  await sync('pull')
  const own = await makeHere('users/groups', { name: 'Of the kit' })
  await here('PATCH', `users/users/${id}`, { username: 'theodora', groups: [own.id] })
  await here('DELETE', `users/groups/${night.id}`)
  await there('PATCH', `users/groups/${night.id}`, { description: 'late' })
  await sync('pull')
  const { username, groups } = await here('GET', `users/users/${id}`)
  assert.equal(username, 'dora')
  assert.deepEqual(
    groups.map((each: any) => each.name),
    ['Night', 'Of the kit'],
  )
  await here('DELETE', `users/groups/${own.id}`)
  await sameUsers()
  await sameAccounts()
})

test('a pull that is only tried, or has conflicts, leaves accounts as they are', async () => {
  const { id } = await user('later')
  const isHere = async () => (await sides.kit.call('GET', `/api/users/users/${id}/`)).status === 200
  await sides.kit.sync('status')
  assert.ok(!(await isHere()))
  await there('PATCH', `dcim/sites/${sides.parts.site}`, { facility: 'theirs' })
  await here('PATCH', `dcim/sites/${sides.parts.site}`, { facility: 'ours' })
  assert.equal((await sides.kit.sync('pull')).code, 1)
  assert.ok(!(await isHere()))
  await sync('pull', { theirs: true })
  assert.ok(await isHere())
  await sameUsers()
})

test('where everything is compared, accounts that the kit made stay, and others are those of the source', async () => {
  const own = await makeHere('users/users', { username: 'stays', password })
  const crew = await makeHere('users/groups', { name: 'Stays' })
  await here('PATCH', `users/users/${own.id}`, { groups: [crew.id] })
  const { id } = await user('short')
  await sync('pull')
  await there('DELETE', `users/users/${id}`)
  await user('short')
  const { there: step } = sides.kit.running.store.db.get<{ there: number }>('select there from kit_self')!
  const { store } = sides.source.running
  await store.commit.run(() => store.db.run('delete from history_step where id = ?', step))
  assert.match(await sync('pull'), /everything was compared/)
  const { is_active, groups } = await here('GET', `users/users/${own.id}`)
  assert.deepEqual([is_active, groups.length], [true, 1])
  await sameUsers()
  for (const [path, each] of [
    ['users/users', own.id],
    ['users/groups', crew.id],
  ])
    await here('DELETE', `${path}/${each}`)
  await sameAccounts()
})
