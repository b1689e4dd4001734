import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { housekeep } from '../../src/services/housekeeping.ts'
import { problemsOf } from '../support/history.ts'
import { type Kit, kitCommand, takeKit } from '../support/kit.ts'
import { png } from '../support/samples.ts'
import { login } from '../support/session.ts'
import { creating, serve } from '../support/server.ts'

const source = await serve()
const make = creating(source)
let kit: Kit
let makeHere: ReturnType<typeof creating>
const parts: Record<string, number> = {}

/** Sends a request that must go well. */
const ask =
  (client: Pick<Kit, 'call'>) =>
  async (method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await client.call(method, `/api/${path}/`, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
const there = ask(source)
const here = (...given: Parameters<ReturnType<typeof ask>>) => ask(kit)(...given)
const conflictsNow = (): any[] => JSON.parse(readFileSync(join(kit.data, 'conflicts.json'), 'utf8')).conflicts

before(async () => {
  parts.site = (await make('dcim/sites', { name: 'Lab', slug: 'lab' })).id
  parts.maker = (await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })).id
  parts.type = (await make('dcim/device-types', { manufacturer: parts.maker, model: 'S', slug: 's' })).id
  parts.role = (await make('dcim/device-roles', { name: 'Access', slug: 'access' })).id
  parts.rack = (await make('dcim/racks', { name: 'R1', site: parts.site })).id
  parts.tag = (await make('extras/tags', { name: 'Blue', slug: 'blue' })).id
  await make('extras/custom-fields', { name: 'floor', type: 'text', object_types: ['dcim.site', 'dcim.device'] })
  await make('extras/custom-fields', { name: 'wing', type: 'text', object_types: ['dcim.site', 'dcim.device'] })
  await make('extras/webhooks', { name: 'hook', payload_url: 'http://127.0.0.1:9/', secret: 'hush-hush-hush' })
  parts.a = (await make('dcim/devices', device('sw-a'))).id
  for (const name of ['p1', 'p2', 'p3', 'p4'])
    parts[name] = (await make('dcim/interfaces', { device: parts.a, name, type: '1000base-t' })).id
  kit = await takeKit(source, { name: 'van' })
  makeHere = creating(kit)
})
after(() => kit.close())

const device = (name: string, more: object = {}) => ({
  name,
  site: parts.site,
  device_type: parts.type,
  role: parts.role,
  ...more,
})

/** Both sides are sound and hold the same objects of a model. */
async function areSame(path: string): Promise<void> {
  const [a, b] = await Promise.all(
    [source, kit].map(async (client) => {
      const reply = await client.call('GET', `/api/${path}/?limit=0&ordering=id`)
      assert.equal(reply.status, 200, reply.text)
      return reply.json.results.map((each: any) =>
        JSON.stringify({ ...each, last_updated: 0 }).replaceAll(/http:\/\/[\d.:]+/g, ''),
      )
    }),
  )
  assert.deepEqual(b, a, path)
  assert.deepEqual(problemsOf(source.running.store), [], 'the source')
  assert.deepEqual(problemsOf(kit.running.store), [], 'the kit')
}

const sync = async (name: 'push' | 'pull', options: Record<string, string | boolean> = {}) => {
  const said = await kit.sync(name, options)
  assert.equal(said.code, 0, said.out)
  return said.out
}

test('a clone has everything but secrets, and gives ids of its own', async () => {
  assert.equal((await here('GET', 'extras/webhooks/1')).secret, '')
  const bytes = readFileSync(join(kit.data, 'cabinet.db'))
  assert.ok(!bytes.includes('hush-hush-hush'), 'nowhere in the file')
  const { db } = kit.running.store
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

test('both sides change different fields, custom fields and tags of one object: all of it counts', async () => {
  const { site } = parts
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

test('change records keep who, when and with what message, and name the kit; events fire once, at the source', async () => {
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
  const mine = (await kit.call('GET', '/api/core/object-changes/?changed_object_type=dcim.region&ordering=id')).json
    .results
  await sync('push')
  const { results } = (
    await source.call('GET', '/api/core/object-changes/?changed_object_type=dcim.region&ordering=id')
  ).json
  assert.deepEqual(
    results.map((each: any) => [each.user_name, each.action.value, each.message, each.request_id, each.time]),
    mine.map((each: any) => ['admin', each.action.value, `${each.message} (kit van)`, each.request_id, each.time]),
  )
  const jobs = (store: Kit['running']['store']) =>
    store.db.get<{ n: number }>("select count(*) as n from core_job where lane like 'webhook:%'")!.n
  assert.deepEqual([jobs(kit.running.store), jobs(source.running.store)], [0, 1])
  const made = await source.call('POST', '/api/core/object-changes/revert/', { since: '2099-01-01T00:00:00Z' })
  assert.ok(made.status < 500)
})

test('deleted on one side and changed on the other: a conflict with both, and each decision holds for good', async () => {
  const ids = await Promise.all(
    ['x1', 'x2', 'x3', 'x4'].map(async (name) => (await make('dcim/devices', device(name))).id),
  )
  for (const id of ids) await make('dcim/interfaces', { device: id, name: 'eth0', type: '1000base-t' })
  await sync('pull')
  await here('PATCH', `dcim/devices/${ids[0]}`, { serial: 'H1' })
  await there('DELETE', `dcim/devices/${ids[0]}`)
  await here('PATCH', `dcim/devices/${ids[1]}`, { serial: 'H2' })
  await there('DELETE', `dcim/devices/${ids[1]}`)
  await here('DELETE', `dcim/devices/${ids[2]}`)
  await there('PATCH', `dcim/devices/${ids[2]}`, { serial: 'T3' })
  await here('DELETE', `dcim/devices/${ids[3]}`)
  await there('PATCH', `dcim/devices/${ids[3]}`, { serial: 'T4' })
  assert.equal((await kit.sync('push')).code, 1)
  assert.deepEqual(
    conflictsNow()
      .map(({ key, kind }) => `${key} ${kind}`)
      .sort(),
    ids.map((id, i) => `dcim.device:${id} deleted ${i < 2 ? 'there' : 'here'}`).sort(),
  )
  await sync('push', {
    'ours-of': `dcim.device:${ids[0]},dcim.device:${ids[2]}`,
    'theirs-of': `dcim.device:${ids[1]},dcim.device:${ids[3]}`,
  })
  const names = async () =>
    (await there('GET', 'dcim/devices')).results.map((each: any) => `${each.name} ${each.serial}`)
  const kept = (await names()).filter((name: string) => name.startsWith('x'))
  assert.deepEqual(kept.sort(), ['x1 H1', 'x4 T4'])
  const { results } = (await source.call('GET', `/api/dcim/interfaces/?device_id=${ids[0]}&device_id=${ids[3]}`)).json
  assert.equal(results.length, 2, 'with what belongs to them')
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/devices')
  await areSame('dcim/interfaces')
})

test('both changed a field: decided in the file, and settled at the next merge', async () => {
  const { site } = parts
  await here('PATCH', `dcim/sites/${site}`, { facility: 'ours' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'theirs' })
  assert.equal((await kit.sync('pull')).code, 1)
  assert.equal((await here('GET', `dcim/sites/${site}`)).facility, 'ours', 'nothing was pulled')
  const file = join(kit.data, 'conflicts.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(content.conflicts.length, 1)
  const { key, parted, ours, theirs } = content.conflicts[0]
  assert.deepEqual([key, parted, ours, theirs], [`dcim.site:${site}.facility`, 'there', 'ours', 'theirs'])
  content.conflicts[0].take = 'ours'
  writeFileSync(file, JSON.stringify(content))
  await sync('push')
  assert.equal((await there('GET', `dcim/sites/${site}`)).facility, 'ours')
  assert.ok(!existsSync(file))
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/sites')
})

test('a page shows both sides of what is open, and settles it', async () => {
  const { site } = parts
  await here('PATCH', `dcim/sites/${site}`, { facility: 'of the page' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'of the <source>' })
  assert.equal((await kit.sync('pull')).code, 1)
  const session = await login(kit, 'admin', kit.password)
  const shown = await session.get('/kit/')
  assert.equal(shown.status, 200)
  for (const text of ['Kit van', 'of the page', 'of the &lt;source&gt;', 'Both sides changed it'])
    assert.ok(shown.text.includes(text), text)
  const [{ key }] = conflictsNow()
  const undecided = await session.post('/kit/', { 'key-0': key })
  assert.equal(undecided.status, 409)
  const settled = await session.post('/kit/', { 'key-0': key, 'take-0': 'theirs' })
  assert.deepEqual([settled.status, settled.location], [303, '/kit/'])
  assert.equal((await here('GET', `dcim/sites/${site}`)).facility, 'of the <source>')
  assert.ok(!existsSync(join(kit.data, 'conflicts.json')) && !existsSync(join(kit.data, 'incoming.bundle')))
  assert.ok((await session.get('/kit/')).text.includes('Nothing was changed here'))
  await sync('push')
  await areSame('dcim/sites')
})

test('two new objects want one place: name, rack unit, address, end of a cable', async () => {
  const unit = { rack: parts.rack, position: 10, face: 'front' }
  const mine = await makeHere('dcim/devices', device('twin', unit))
  const other = await make('dcim/devices', device('other', unit))
  await makeHere('ipam/ip-addresses', { address: '192.0.2.1/24' })
  await make('ipam/ip-addresses', { address: '192.0.2.1/24' })
  await makeHere('dcim/sites', { name: 'Same', slug: 'same' })
  await make('dcim/sites', { name: 'Same', slug: 'same' })
  const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
  await makeHere('dcim/cables', { a_terminations: end(parts.p1!), b_terminations: end(parts.p2!) })
  const cable = await make('dcim/cables', { a_terminations: end(parts.p1!), b_terminations: end(parts.p3!) })
  assert.equal((await kit.sync('push')).code, 1)
  const found = conflictsNow()
  assert.deepEqual(
    [...new Set(found.map(({ object_type }) => object_type))].sort(),
    ['dcim.cable', 'dcim.device', 'dcim.site', 'ipam.ipaddress'],
    JSON.stringify(found, null, 1),
  )
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/devices/${mine.id}`)).position, null)
  assert.equal((await there('GET', `dcim/devices/${other.id}`)).position, 10)
  assert.deepEqual(
    (await there('GET', 'dcim/cables')).results.map((each: any) => each.id),
    [cable.id],
  )
  assert.equal((await there('GET', 'dcim/sites')).results.filter((each: any) => each.name.startsWith('Same')).length, 2)
  for (const path of ['dcim/devices', 'dcim/sites', 'dcim/cables', 'dcim/interfaces', 'ipam/ip-addresses'])
    await areSame(path)
})

test('both connected a cable anew, one deleted one, one changed: the ends are those of one side', async () => {
  const [cable] = (await there('GET', 'dcim/cables')).results
  const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
  await here('PATCH', `dcim/cables/${cable.id}`, { b_terminations: end(parts.p2!) })
  await there('PATCH', `dcim/cables/${cable.id}`, { b_terminations: end(parts.p4!) })
  assert.equal((await kit.sync('push')).code, 1)
  assert.deepEqual(
    conflictsNow().map(({ key }) => key),
    [`dcim.cable:${cable.id}.terminations`],
  )
  await sync('push', { ours: true })
  const seen = await there('GET', `dcim/cables/${cable.id}`)
  assert.deepEqual(
    seen.b_terminations.map((each: any) => each.object_id),
    [parts.p2],
  )
  await there('DELETE', `dcim/cables/${cable.id}`)
  await sync('push')
  assert.equal((await kit.call('GET', `/api/dcim/cables/${cable.id}/`)).status, 404)
  for (const path of ['dcim/cables', 'dcim/interfaces']) await areSame(path)
})

test('new objects that refer to new ones, also by generic references; images made and deleted again; a device out of a chassis', async () => {
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
    const reply = await kit.call('POST', '/api/extras/image-attachments/', form)
    assert.equal(reply.status, 201, reply.text)
    return reply.json.id as number
  }
  await image('kept')
  await here('DELETE', `extras/image-attachments/${await image('gone')}`)
  const chassis = await make('dcim/virtual-chassis', { name: 'VC' })
  await there('PATCH', `dcim/devices/${parts.a}`, { virtual_chassis: chassis.id, vc_position: 1 })
  await sync('push')
  await here('PATCH', `dcim/devices/${parts.a}`, { virtual_chassis: null, vc_position: null })
  await sync('push')
  const files = (data: string) => readdirSync(join(data, 'uploads/image-attachments'))
  assert.deepEqual(files(source.data).filter((name) => name.includes('kept')).length, 1)
  assert.ok(!files(source.data).some((name) => name.includes('gone')))
  assert.equal((await there('GET', 'extras/image-attachments')).results.length, 1)
  for (const path of [
    'dcim/devices',
    'ipam/ip-addresses',
    'tenancy/contact-assignments',
    'extras/image-attachments',
    'dcim/virtual-chassis',
  ])
    await areSame(path)
})

test('a push is undone at the source, and the kit follows', async () => {
  const mine = await makeHere('dcim/sites', { name: 'Twice', slug: 'twice' })
  await sync('push')
  const alone = await makeHere('dcim/sites', { name: 'Alone', slug: 'alone' })
  await makeHere('dcim/sites', { name: 'Beside', slug: 'beside' })
  await sync('push')
  const [change] = (
    await source.call('GET', `/api/core/object-changes/?changed_object_id=${alone.id}&changed_object_type=dcim.site`)
  ).json.results
  const taken = await source.call('POST', '/api/core/object-changes/revert/', { request_id: change.request_id })
  assert.equal(taken.status, 200, taken.text)
  assert.deepEqual(
    taken.json.changes.map((each: any) => each.object_repr),
    ['Alone'],
  )
  await make('dcim/sites', { name: 'Between', slug: 'between' })
  await here('PATCH', `dcim/sites/${mine.id}`, { facility: 'more' })
  await sync('push')
  const { request_id } = source.running.store.db.get<{ request_id: string }>(
    "select request_id from history_step where request_id <> '' order by id desc limit 1",
  )!
  const reply = await source.call('POST', '/api/core/object-changes/revert/', { request_id })
  assert.equal(reply.status, 200, reply.text)
  assert.equal((await there('GET', `dcim/sites/${mine.id}`)).facility, '')
  await sync('push')
  assert.equal((await here('GET', `dcim/sites/${mine.id}`)).facility, '')
  await areSame('dcim/sites')
})

test('bundles: taken once, also after a later one; damaged, of another inventory, of the future and of a revoked kit: one line, nothing changed', async () => {
  const file = (name: string) => join(kit.data, '..', name)
  const run = (name: 'bundle' | 'apply', data: string, path: string, options = {}) =>
    kitCommand(name, data, { operands: [path], options })
  const { id } = await makeHere('dcim/sites', { name: 'Bundled', slug: 'bundled' })
  assert.equal((await run('bundle', kit.data, file('one'))).code, 0)
  await here('PATCH', `dcim/sites/${id}`, { facility: 'later' })
  assert.equal((await run('bundle', kit.data, file('two'))).code, 0)
  const bytes = readFileSync(file('one'))
  const spoil = async (change: (lines: string[]) => string[] | Buffer, pattern: RegExp) => {
    const changed = change(gunzipSync(bytes).toString('utf8').split('\n'))
    writeFileSync(file('bad'), Buffer.isBuffer(changed) ? changed : gzipSync(changed.join('\n')))
    await assert.rejects(
      run('apply', source.data, file('bad')),
      (error: Error) => pattern.test(error.message) && !error.message.includes('\n'),
    )
    assert.equal((await source.call('GET', `/api/dcim/sites/${id}/`)).status, 404)
  }
  const { key } = source.running.store.db.get<{ key: string }>('select key from core_kit where name = ?', 'van')!
  const signed = (lines: string[], header: object) => {
    const body = [JSON.stringify({ ...JSON.parse(lines[0]!), ...header }), ...lines.slice(1, -1)]
    const end = createHmac('sha256', key)
      .update(`${body.join('\n')}\n`)
      .digest('hex')
    return [...body, JSON.stringify({ end })]
  }
  await spoil(() => bytes.subarray(0, bytes.length - 40), /damaged/)
  await spoil((lines) => lines.map((line) => line.replace('Bundled', 'Spoiled')), /damaged/)
  await spoil((lines) => [lines[0]!, ...lines.slice(2)], /damaged/)
  await spoil(() => Buffer.from('no bundle at all'), /damaged/)
  await spoil(
    (lines) => [lines[0]!.replace(/"seal":"\w+"/, '"seal":"0000000000000000"'), ...lines.slice(1)],
    /another inventory/,
  )
  await spoil((lines) => [lines[0]!.replace('"kit":1', '"kit":77'), ...lines.slice(1)], /another inventory/)
  await spoil(
    (lines) => signed(lines, { made: new Date(Date.now() + 10_800_000).toISOString() }),
    /clock of the kit is 3 hours ahead/,
  )
  await spoil((lines) => signed(lines, { made: '2001-01-01T00:00:00Z' }), /clock/)
  await spoil((lines) => signed(lines, { version: '99.0.0' }), /upgrade this one/)
  await spoil((lines) => signed(lines, { version: '1.0.0' }), /upgrade the kit/)
  assert.match((await run('apply', source.data, file('one'))).out, /took 1 object/)
  assert.match((await run('apply', source.data, file('one'))).out, /taken before/)
  assert.match((await run('apply', source.data, file('two'))).out, /took 1 object/)
  assert.equal((await there('GET', `dcim/sites/${id}`)).facility, 'later')
  assert.match((await run('apply', source.data, file('one'))).out, /taken before/)
  await there('PATCH', `dcim/sites/${id}`, { facility: 'answer' })
  assert.equal((await run('bundle', source.data, file('back'), { kit: 'van' })).code, 0)
  assert.equal((await run('apply', kit.data, file('back'))).code, 0)
  assert.equal((await here('GET', `dcim/sites/${id}`)).facility, 'answer')
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/sites')
})

test('who may: cloning takes an administrator; a push, the permissions of the pusher on every object', async () => {
  const user = await make('users/users', { username: 'tech', password: 'Tech-Passw0rd-1' })
  await make('users/permissions', { name: 'kits', users: [user.id], object_types: ['core.kit'], actions: ['sync'] })
  const { token } = await make('users/tokens', {
    user: user.id,
    version: 1,
    token: 'fedcba9876543210fedcba9876543210fedcba98',
  })
  const mine = { token: token as string }
  await assert.rejects(
    kitCommand('clone', join(kit.data, '../other'), { operands: [source.base], options: mine }),
    /permission/,
  )
  await makeHere('dcim/sites', { name: 'Theirs', slug: 'theirs-site' })
  await assert.rejects(kit.sync('push', mine), /permission/)
  await make('users/permissions', {
    name: 'sites',
    users: [user.id],
    object_types: ['dcim.site'],
    actions: ['view', 'add'],
  })
  assert.equal((await kit.sync('push', mine)).code, 0)
  await areSame('dcim/sites')
})

test('a kit that the change log has forgotten compares everything; housekeeping keeps what a kit needs', async () => {
  const { store } = source.running
  const far = Date.now() + 400 * 86_400_000
  const steps = () => store.db.get<{ n: number }>('select count(*) as n from history_step')!.n
  const [known] = [steps()]
  await there('PATCH', `dcim/sites/${parts.site}`, { comments: 'new there' })
  await housekeep(store, far)
  assert.ok(steps() > 1 && steps() <= known + 1, 'what the kit does not know is there')
  await here('PATCH', `dcim/sites/${parts.site}`, { physical_address: 'new here' })
  await housekeep(kit.running.store, far)
  store.db.run('update core_kit set revoked = 1')
  await housekeep(store, far)
  store.db.run('update core_kit set revoked = 0')
  assert.match(await sync('push'), /pushed \d objects?/)
  const seen = await there('GET', `dcim/sites/${parts.site}`)
  assert.deepEqual([seen.comments, seen.physical_address], ['new there', 'new here'])
  await areSame('dcim/sites')
})

test('a kit that was revoked is refused, and another copy of a kit is told from it', async () => {
  await there('PATCH', 'core/kits/1', { revoked: true })
  await makeHere('dcim/sites', { name: 'Late', slug: 'late' })
  await assert.rejects(kit.sync('push'), /revoked/)
  await there('PATCH', 'core/kits/1', { revoked: false })
  kit.running.store.db.run('update kit_self set sent = sent - 1, taken = taken - 1')
  await assert.rejects(kit.sync('push'), /Another copy/)
  kit.running.store.db.run('update kit_self set sent = sent + 1, taken = taken + 1')
  await sync('push')
})
