import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kit, kitCommand } from '../support/kit.ts'
import { png } from '../support/samples.ts'
import { login } from '../support/session.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, sync, areSame } = sides

test('a clone has everything but secrets, and gives ids of its own', async () => {
  assert.equal((await here('GET', 'extras/webhooks/1')).secret, '')
  const bytes = readFileSync(join(sides.kit.data, 'cabinet.db'))
  assert.ok(!bytes.includes('hush-hush-hush'), 'nowhere in the file')
  const { db } = sides.kit.running.store
  assert.equal(db.get('select 1 from users_session'), undefined)
  assert.equal(db.get('select 1 from core_kit'), undefined)
  const { id } = await makeHere('dcim/sites', { name: 'Field', slug: 'field' })
  assert.equal(id, 100_000_001)
  await sync('push')
  assert.equal((await there('GET', `dcim/sites/${id}`)).name, 'Field')
  assert.ok((await make('dcim/sites', { name: 'Home', slug: 'home' })).id < 1000, 'the source goes on with its own')
  await sync('pull')
  assert.equal((await makeHere('dcim/sites', { name: 'Field 2', slug: 'field-2' })).id, 100_000_002)
  assert.equal((await there('GET', 'extras/webhooks/1')).secret, 'hush-hush-hush')
  await sync('push')
  await areSame('dcim/sites')
})

test('what a kit makes first is not taken for a hundred million rows', async () => {
  const { parts } = sides
  await makeHere('dcim/interfaces', { device: parts.a, name: 'first', type: 'virtual' })
  const said = await sync('push')
  assert.match(said, /^pushed 1 object$/m)
  assert.doesNotMatch(said, /counted/)
})

/** What is in a folder; nothing where it is not there, or no more. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

test('a server without threads answers others while the copy of a clone is made', async () => {
  const kit = await make('core/kits', { name: 'copied' })
  const folder = join(sides.source.data, 'kits')
  let isMaking = true
  let turns = 0
  const made = sides.source.call('GET', `/api/core/kits/${kit.id}/clone/`).finally(() => (isMaking = false))
  while (isMaking) {
    await new Promise((resolve) => setImmediate(resolve))
    const making = namesIn(folder).find((name) => name.startsWith('.making-'))
    const found = making ? namesIn(join(folder, making)) : []
    if (found.includes('cabinet.db') && !found.includes('kit.json')) turns++
  }
  assert.equal((await made).status, 200)
  assert.ok(turns > 0, 'there were turns between the beginning and the end of the copy')
})

test('both sides change different fields, custom fields and tags of one object: all of it counts', async () => {
  const { site } = sides.parts
  await here('PATCH', `dcim/sites/${site}`, {
    description: 'here',
    custom_fields: { floor: '1' },
    tags: [{ name: 'Blue' }],
  })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'there', custom_fields: { wing: 'west' } })
  await sync('push')
  const seen = await there('GET', `dcim/sites/${site}`)
  assert.deepEqual(
    [seen.description, seen.facility, seen.custom_fields, seen.tags.length],
    ['here', 'there', { floor: '1', wing: 'west' }, 1],
  )
  await areSame('dcim/sites')
})

test('change records keep who, when and what message, and name the kit; events fire once, at the source', async () => {
  await make('extras/event-rules', {
    name: 'tell',
    object_types: ['dcim.region'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: 1,
  })
  await sync('pull')
  const region = await makeHere('dcim/regions', { name: 'Far', slug: 'far', changelog_message: 'seen there' })
  await here('PATCH', `dcim/regions/${region.id}`, { description: 'cold', changelog_message: 'felt it' })
  const mine = (await sides.kit.call('GET', '/api/core/object-changes/?changed_object_type=dcim.region&ordering=id'))
    .json.results
  await sync('push')
  const { results } = (
    await sides.source.call('GET', '/api/core/object-changes/?changed_object_type=dcim.region&ordering=id')
  ).json
  assert.deepEqual(
    results.map((each: any) => [each.user_name, each.action.value, each.message, each.request_id, each.time]),
    mine.map((each: any) => ['admin', each.action.value, `${each.message} (kit van)`, each.request_id, each.time]),
  )
  const jobs = (store: Kit['running']['store']) =>
    store.db.get<{ n: number }>("select count(*) as n from core_job where lane like 'webhook:%'")!.n
  assert.deepEqual([jobs(sides.kit.running.store), jobs(sides.source.running.store)], [0, 1])
  const made = await sides.source.call('POST', '/api/core/object-changes/revert/', { since: '2099-01-01T00:00:00Z' })
  assert.ok(made.status < 500)
})

test('new objects that refer to new ones, generically too; images come and go; a device out of a chassis', async () => {
  const tenant = await makeHere('tenancy/tenants', { name: 'New', slug: 'new' })
  const mine = await makeHere('dcim/devices', device('deep', { tenant: tenant.id }))
  const port = await makeHere('dcim/interfaces', { device: mine.id, name: 'e', type: 'virtual' })
  await makeHere('ipam/ip-addresses', {
    address: '198.51.100.1/24',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
  })
  const group = await makeHere('tenancy/contact-groups', { name: 'People', slug: 'people' })
  const contact = await makeHere('tenancy/contacts', { name: 'Ann', groups: [group.id] })
  const role = await makeHere('tenancy/contact-roles', { name: 'Owner', slug: 'owner' })
  await makeHere('tenancy/contact-assignments', {
    object_type: 'dcim.device',
    object_id: mine.id,
    contact: contact.id,
    role: role.id,
  })
  const image = async (name: string) => {
    const form = new FormData()
    form.set('object_type', 'dcim.device')
    form.set('object_id', String(mine.id))
    form.set('name', name)
    form.set('image', png(), `${name}.png`)
    const reply = await sides.kit.call('POST', '/api/extras/image-attachments/', form)
    assert.equal(reply.status, 201, reply.text)
    return reply.json.id as number
  }
  await image('kept')
  await here('DELETE', `extras/image-attachments/${await image('gone')}`)
  const chassis = await make('dcim/virtual-chassis', { name: 'VC' })
  await there('PATCH', `dcim/devices/${sides.parts.a}`, { virtual_chassis: chassis.id, vc_position: 1 })
  await sync('push')
  await here('PATCH', `dcim/devices/${sides.parts.a}`, { virtual_chassis: null, vc_position: null })
  await sync('push')
  const files = (data: string) => readdirSync(join(data, 'uploads/image-attachments'))
  assert.deepEqual(files(sides.source.data).filter((name) => name.includes('kept')).length, 1)
  assert.ok(!files(sides.source.data).some((name) => name.includes('gone')))
  assert.equal((await there('GET', 'extras/image-attachments')).results.length, 1)
  await areSame(
    'dcim/devices',
    'ipam/ip-addresses',
    'tenancy/contact-assignments',
    'extras/image-attachments',
    'dcim/virtual-chassis',
  )
})

test('a push is undone at the source, and the kit follows', async () => {
  const mine = await makeHere('dcim/sites', { name: 'Twice', slug: 'twice' })
  await sync('push')
  const alone = await makeHere('dcim/sites', { name: 'Alone', slug: 'alone' })
  await makeHere('dcim/sites', { name: 'Beside', slug: 'beside' })
  await sync('push')
  const [change] = (
    await sides.source.call(
      'GET',
      `/api/core/object-changes/?changed_object_id=${alone.id}&changed_object_type=dcim.site`,
    )
  ).json.results
  const taken = await sides.source.call('POST', '/api/core/object-changes/revert/', { request_id: change.request_id })
  assert.equal(taken.status, 200, taken.text)
  assert.deepEqual(
    taken.json.changes.map((each: any) => each.object_repr),
    ['Alone'],
  )
  await make('dcim/sites', { name: 'Between', slug: 'between' })
  await here('PATCH', `dcim/sites/${mine.id}`, { facility: 'more' })
  await sync('push')
  const { request_id } = sides.source.running.store.db.get<{ request_id: string }>(
    "select request_id from history_step where request_id <> '' order by id desc limit 1",
  )!
  const reply = await sides.source.call('POST', '/api/core/object-changes/revert/', { request_id })
  assert.equal(reply.status, 200, reply.text)
  assert.equal((await there('GET', `dcim/sites/${mine.id}`)).facility, '')
  await sync('push')
  assert.equal((await here('GET', `dcim/sites/${mine.id}`)).facility, '')
  await areSame('dcim/sites')
})

test('one looks back to before and after a change that was pushed or pulled', async () => {
  const change = async (side: Pick<Kit, 'call'>, id: number) =>
    (await side.call('GET', `/api/core/object-changes/?changed_object_id=${id}&changed_object_type=dcim.site`)).json
      .results[0]
  const site = await make('dcim/sites', { name: 'Once', slug: 'once', description: 'first' })
  await sync('pull')
  await here('PATCH', `dcim/sites/${site.id}`, { description: 'second' })
  const made = await makeHere('dcim/sites', { name: 'Made', slug: 'made' })
  await here('PATCH', `dcim/sites/${made.id}`, { description: 'changed before anybody knew' })
  await sync('push')
  const pushed = await change(sides.source, site.id)
  await there('PATCH', `dcim/sites/${site.id}`, { description: 'third' })
  await sync('pull')
  const pulled = await change(sides.kit, site.id)
  const seen = async (side: Pick<Kit, 'call'>, at: string) =>
    (await side.call('GET', `/api/dcim/sites/${site.id}/?at=${at}`)).json.description
  const { source, kit } = sides
  assert.equal(await seen(source, `before-${pushed.request_id}`), 'first')
  assert.equal(await seen(source, pushed.request_id), 'second')
  assert.equal(await seen(kit, `before-${pulled.request_id}`), 'second')
  assert.equal(await seen(kit, pulled.request_id), 'third')

  const admin = await login(source, 'admin', 'Cabinet-Test-Passw0rd')
  const [before] = /at=before-[^"]*/.exec((await admin.get(`/core/changelog/${pushed.id}/`)).text)!
  assert.match((await admin.get(`/dcim/sites/${site.id}/?${before}`)).text, />first</)
  assert.match((await admin.get(`/dcim/sites/${site.id}/changelog/`)).text, new RegExp(before))
  const { id: last } = await change(source, made.id)
  for (const path of [`/core/changelog/${last}/`, `/dcim/sites/${made.id}/changelog/`])
    assert.doesNotMatch((await admin.get(path)).text, /As it was before/, 'it came with the push that made it')
})

test('who may: cloning takes an administrator; a push, the permissions of the pusher on every object', async () => {
  const user = await make('users/users', { username: 'tech', password: 'Tech-Passw0rd-1' })
  const kits = await make('users/permissions', {
    name: 'kits',
    users: [user.id],
    object_types: ['core.kit'],
    actions: ['sync'],
  })
  const { token } = await make('users/tokens', {
    user: user.id,
    version: 1,
    token: 'fedcba9876543210fedcba9876543210fedcba98',
  })
  const mine = { token: token as string }
  await assert.rejects(
    kitCommand('clone', join(sides.kit.data, '../other'), { operands: [sides.source.base], options: mine }),
    /permission/,
  )
  await makeHere('dcim/sites', { name: 'Theirs', slug: 'theirs-site' })
  for (const options of [mine, { ...mine, 'dry-run': true }])
    await assert.rejects(sides.kit.sync('push', options), /It takes the permission to add site Theirs\./)
  await make('users/permissions', {
    name: 'sites',
    users: [user.id],
    object_types: ['dcim.site'],
    actions: ['view', 'add'],
  })
  assert.equal((await sides.kit.sync('push', mine)).code, 0)
  const { a } = sides.parts
  await here('PATCH', `dcim/devices/${a}`, { serial: 'S-1' })
  await assert.rejects(
    sides.kit.sync('push', mine),
    /takes the permission to change device sw-a\./,
    'nor may they view it',
  )
  await sync('push')
  await there('PATCH', `users/permissions/${kits.id}`, { actions: ['view'] })
  await assert.rejects(sides.kit.sync('push', mine), /takes the permission to sync kits\./)
  await areSame('dcim/sites')
})

test('a clone whose name one that was killed has taken is told what to delete', async () => {
  const { id } = await make('core/kits', { name: 'killed' })
  const again = () =>
    kitCommand('clone', join(sides.kit.data, '../again'), {
      operands: [sides.source.base],
      options: { name: 'killed' },
    })
  await assert.rejects(
    again(),
    new RegExp(`a kit killed already, .* never heard of since: .*/core/kits/${id}/ and try`),
  )
  assert.ok(!readdirSync(join(sides.kit.data, '..')).includes('again'))
  assert.equal((await sides.source.call('DELETE', `/api/core/kits/${id}/`)).status, 204)
})

test('what the source does not take is told as what to change here, and goes once that is done', async () => {
  const user = await makeHere('users/users', { username: 'local', password: 'Only-In-The-Kit-1' })
  const { id } = await makeHere('dcim/rack-reservations', {
    rack: sides.parts.rack,
    units: [3],
    user: user.id,
    description: 'held',
  })
  const said = await sides.kit.sync('push', { theirs: true })
  assert.equal(said.code, 1)
  assert.match(said.out, /rackreservation \d+ .*, user: It refers to user .*, which is not here/)
  assert.match(said.out, /Change it here, then push again/)
  assert.doesNotMatch(said.out, /--ours|conflicts\.json/)
  await here('PATCH', `dcim/rack-reservations/${id}`, { user: 1 })
  await sync('push')
  await areSame('dcim/rack-reservations')
})

test('a list that the source writes anew again and again, with other ids, is no change of the kit', async () => {
  const group = await make('extras/notification-groups', { name: 'Night', users: [1] })
  await sync('pull')
  const ids = () => sides.source.running.store.db.all('select id from extras_notificationgroup_users')
  const seen = new Set<string>()
  for (const description of ['a', 'b', 'c', 'd']) {
    await there('PATCH', `extras/notification-groups/${group.id}`, { users: [], description })
    await there('PATCH', `extras/notification-groups/${group.id}`, { users: [1] })
    // Another list takes an id in between.
    if (description === 'b') await make('extras/notification-groups', { name: 'Day', users: [1] })
    seen.add(JSON.stringify(ids()))
    await sync('pull')
    await makeHere('dcim/regions', { name: description, slug: description })
    await sync('push')
    assert.equal((await there('GET', `extras/notification-groups/${group.id}`)).users.length, 1, description)
  }
  assert.ok(seen.size > 1, `the ids were others: ${[...seen].join(' ')}`)
  await areSame('extras/notification-groups')
})
