import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { differences, stateOf } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import { Maker } from '../support/maker.ts'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, running } = client
const { store } = running
const create = creating(client)
const make = new Maker(call)
const Revert = '/api/core/object-changes/revert/'
const requestOf = (reply: { headers: Headers }): string => reply.headers.get('x-request-id')!
let names = 0
const site = (more: object = {}) => create('dcim/sites', { name: `Site ${++names}`, slug: `site-${names}`, ...more })

/** Does a request, undoes it, and finds everything as it was. */
async function thereAndBack(method: string, path: string, body?: unknown): Promise<any> {
  const before = stateOf(store)
  const done = await call(method, path, body)
  assert.ok(done.status < 300, done.text)
  assert.notDeepEqual(differences(before, stateOf(store)), [], 'the request changed nothing')
  const undone = await call('POST', Revert, { request_id: requestOf(done) })
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(differences(before, stateOf(store)), [])
  assert.deepEqual(problemsOf(store), [])
  return undone.json
}

/** Two devices with an interface each, and a cable between them. */
async function cabled() {
  const [a, b] = [
    await make.fresh('dcim.interface', { type: '1000base-t' }),
    await make.fresh('dcim.interface', { type: '1000base-t' }),
  ]
  const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
  const cable = await create('dcim/cables', { a_terminations: end(a), b_terminations: end(b) })
  return { a, b, cable, end }
}

test('a change, a create, a delete with all that goes with it, and many at once are taken back', async () => {
  const tag = await create('extras/tags', { name: 'Blue', slug: 'blue' })
  const one = await site({ tags: [{ id: tag.id }], description: 'first' })
  const changed = await thereAndBack('PATCH', `/api/dcim/sites/${one.id}/`, { description: 'second', tags: [] })
  assert.deepEqual(changed.changes[0].fields.description, ['second', 'first'])
  await thereAndBack('POST', '/api/dcim/sites/', [
    { name: 'X', slug: 'x' },
    { name: 'Y', slug: 'y', tags: [{ id: tag.id }] },
  ])
  await create('extras/journal-entries', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: one.id,
    comments: 'note',
  })
  const list = await thereAndBack('DELETE', `/api/dcim/sites/${one.id}/`)
  assert.deepEqual(list.changes.map((each: any) => each.action).sort(), ['create', 'create'])
  const shown = (await call('GET', `/api/dcim/sites/${one.id}/`)).json
  assert.deepEqual([shown.tags[0].slug, shown.created], ['blue', one.created])
  const record = (
    await call('GET', `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${one.id}&limit=1`)
  ).json.results[0]
  assert.match(record.message, /^Undo of request /)
  assert.equal(record.action.value, 'create')
})

test('a device returns with its components, its cable and its place in a chassis; paths follow', async () => {
  const { a, b, cable, end } = await cabled()
  const device = (await call('GET', `/api/dcim/interfaces/${a}/`)).json.device.id
  await create('dcim/virtual-chassis', { name: 'Stack', master: device })
  await thereAndBack('DELETE', `/api/dcim/cables/${cable.id}/`)
  const peer = (await call('GET', `/api/dcim/interfaces/${b}/`)).json
  assert.equal(peer.connected_endpoints[0].id, a)
  const other = await make.fresh('dcim.interface', { type: '1000base-t' })
  await thereAndBack('PATCH', `/api/dcim/cables/${cable.id}/`, { b_terminations: end(other) })
  await call('PATCH', `/api/dcim/devices/${device}/`, { virtual_chassis: null })
  await call('DELETE', `/api/dcim/cables/${cable.id}/`)
  await thereAndBack('POST', '/api/dcim/cables/', { a_terminations: end(a), b_terminations: end(other) })
  await thereAndBack('DELETE', `/api/dcim/interfaces/${a}/`)
})

test('where others changed the same since, nothing is done, and the three values are told', async () => {
  const one = await site({ description: 'first', facility: 'old' })
  const done = await call('PATCH', `/api/dcim/sites/${one.id}/`, { description: 'second', facility: 'new' })
  await call('PATCH', `/api/dcim/sites/${one.id}/`, { description: 'third' })
  const before = stateOf(store)
  const refused = await call('POST', Revert, { request_id: requestOf(done) })
  assert.equal(refused.status, 409)
  assert.deepEqual(
    refused.json.collisions.map(({ object, field, wanted, left, now, kind }: any) => [
      object,
      field,
      wanted,
      left,
      now,
      kind,
    ]),
    [[one.name, 'description', 'first', 'second', 'third', 'changed']],
  )
  assert.deepEqual(differences(before, stateOf(store)), [])
  const left = await call('POST', Revert, { request_id: requestOf(done), leave_out: ['description'], dry_run: true })
  assert.deepEqual(left.json.changes[0].fields, { facility: ['new', 'old'] })
  assert.deepEqual(differences(before, stateOf(store)), [], 'a trial changes nothing')
  const forced = await call('POST', Revert, { request_id: requestOf(done), force: [`dcim.site:${one.id}.description`] })
  assert.equal(forced.status, 200, forced.text)
  const shown = (await call('GET', `/api/dcim/sites/${one.id}/`)).json
  assert.deepEqual([shown.description, shown.facility], ['first', 'old'])
  const again = await call('POST', Revert, { request_id: forced.json.request_id })
  assert.equal(again.status, 200, 'an undo can be undone')
  assert.equal((await call('GET', `/api/dcim/sites/${one.id}/`)).json.description, 'third')
})

test('a place that is taken, a new object that is in use, and what is gone are collisions', async () => {
  const one = await site()
  const gone = await call('DELETE', `/api/dcim/sites/${one.id}/`)
  const thief = await create('dcim/sites', { name: one.name, slug: 'thief' })
  const taken = await call('POST', Revert, { request_id: requestOf(gone) })
  assert.deepEqual(
    [taken.status, taken.json.collisions[0].kind, taken.json.collisions[0].field],
    [409, 'taken', 'name'],
  )
  const made = await call('POST', '/api/dcim/sites/', { name: 'Used', slug: 'used' })
  await create('dcim/locations', { site: made.json.id, name: 'Room', slug: 'room' })
  const used = await call('POST', Revert, { request_id: requestOf(made) })
  assert.deepEqual([used.status, used.json.collisions[0].kind], [409, 'referenced'])
  const changed = await call('PATCH', `/api/dcim/sites/${thief.id}/`, { description: 'x' })
  await call('DELETE', `/api/dcim/sites/${thief.id}/`)
  const lost = await call('POST', Revert, { request_id: requestOf(changed) })
  assert.deepEqual([lost.status, lost.json.collisions[0].kind], [409, 'deleted'])
  assert.equal((await call('POST', Revert, { request_id: requestOf(gone) })).status, 200, 'the place is free again')
  const region = await create('dcim/regions', { name: 'R', slug: 'r' })
  const moved = await call('PATCH', `/api/dcim/sites/${one.id}/`, { region: region.id })
  const freed = await call('PATCH', `/api/dcim/sites/${one.id}/`, { region: null })
  await call('DELETE', `/api/dcim/regions/${region.id}/`)
  const missing = await call('POST', Revert, { request_id: requestOf(freed) })
  assert.deepEqual([missing.json.collisions[0].kind, missing.json.collisions[0].field], ['missing', 'region'])
  assert.equal((await call('POST', Revert, { request_id: requestOf(moved) })).status, 200)
})

test('custom fields are taken back by name', async () => {
  for (const name of ['colour', 'taste'])
    await create('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'] })
  const one = await site({ custom_fields: { colour: 'red', taste: 'sweet' } })
  const done = await call('PATCH', `/api/dcim/sites/${one.id}/`, { custom_fields: { colour: 'blue' } })
  await call('PATCH', `/api/dcim/sites/${one.id}/`, { custom_fields: { taste: 'sour' } })
  assert.equal((await call('POST', Revert, { request_id: requestOf(done) })).status, 200)
  assert.deepEqual((await call('GET', `/api/dcim/sites/${one.id}/`)).json.custom_fields, {
    colour: 'red',
    taste: 'sour',
  })
})

test('an image that was deleted returns with its file', async () => {
  const one = await site()
  const data = new FormData()
  data.append('object_type', 'dcim.site')
  data.append('object_id', String(one.id))
  data.append('image', png(), 'front.png')
  const image = (await call('POST', '/api/extras/image-attachments/', data)).json
  const path = new URL(image.image).pathname
  await thereAndBack('DELETE', `/api/dcim/sites/${one.id}/`)
  assert.equal((await call('GET', path)).status, 200)
  const file = join(store.uploads, decodeURIComponent(path.replace('/media/', '')))
  assert.ok(existsSync(file))
  const gone = requestOf(await call('DELETE', `/api/extras/image-attachments/${image.id}/`))
  rmSync(file)
  const refused = await call('POST', Revert, { request_id: gone })
  assert.deepEqual([refused.status, refused.json.collisions[0].field], [409, 'image'], 'nobody removed it by a request')
  assert.equal((await call('POST', Revert, { request_id: gone, force: ['image'] })).status, 200)
})

test('what one user did since a moment, or to one model, or one change of a request', async () => {
  const { json: token } = await call('POST', '/api/users/users/', {
    username: 'other',
    password: 'Cabinet-Test-Passw0rd',
    is_superuser: true,
  })
  const since = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  const one = await site({ description: 'mine' })
  const region = await create('dcim/regions', { name: 'Since', slug: 'since' })
  assert.equal((await call('POST', Revert, { since, user: 'other' })).json.changes.length, 0)
  const some = await call('POST', Revert, { since, user: 'admin', model: 'dcim.region' })
  assert.deepEqual(
    some.json.changes.map((each: any) => each.changed_object_id),
    [region.id],
  )
  assert.equal((await call('GET', `/api/dcim/sites/${one.id}/`)).status, 200)
  const both = await call('PATCH', '/api/dcim/sites/', [
    { id: one.id, description: 'both' },
    { id: (await site()).id, description: 'both' },
  ])
  const changes = (await call('GET', `/api/core/object-changes/?request_id=${requestOf(both)}`)).json.results
  const change = changes.find((each: any) => each.changed_object_id === one.id)
  const single = await call('POST', Revert, { id: change.id })
  assert.deepEqual(
    single.json.changes.map((each: any) => each.changed_object_id),
    [one.id],
  )
  assert.ok(token.id)
})

test('names that objects changed with each other are theirs again, custom fields with their values', async () => {
  const site = await create('dcim/sites', { name: 'Of swaps', slug: 'of-swaps' })
  for (const [path, more] of [
    ['extras/custom-fields', { type: 'text', object_types: ['dcim.site'] }],
    ['tenancy/tenants', {}],
  ] as const) {
    const names = ['swap_a', 'swap_b', 'swap_c']
    const ids: number[] = []
    for (const name of names) ids.push((await create(path, { name, slug: name.replace('_', '-'), ...more })).id)
    if (path === 'extras/custom-fields') {
      const custom_fields = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
      await call('PATCH', `/api/dcim/sites/${site.id}/`, { custom_fields })
    }
    const before = (await call('GET', `/api/dcim/sites/${site.id}/`)).json.custom_fields
    const since = new Date().toISOString()
    for (const [i, name] of [
      [0, 'aside'],
      [1, names[0]],
      [2, names[1]],
      [0, names[2]],
    ] as const)
      assert.equal((await call('PATCH', `/api/${path}/${ids[i]}/`, { name })).status, 200)
    const undone = await call('POST', Revert, { since, user: 'admin' })
    assert.equal(undone.status, 200, undone.text)
    for (const [i, id] of ids.entries()) assert.equal((await call('GET', `/api/${path}/${id}/`)).json.name, names[i])
    assert.deepEqual((await call('GET', `/api/dcim/sites/${site.id}/`)).json.custom_fields, before)
  }
})

test('secrets are in no collision', async () => {
  const { id } = await create('core/data-sources', {
    name: 'git',
    type: 'git',
    source_url: 'https://git.example/x',
    parameters: { username: 'u', password: 'first-word' },
  })
  const path = `/api/core/data-sources/${id}/`
  const change = await call('PATCH', path, { parameters: { username: 'u', password: 'second-word' } })
  await call('PATCH', path, { parameters: { username: 'u', password: 'third-word' } })
  const { status, json, text } = await call('POST', Revert, { request_id: requestOf(change), dry_run: true })
  assert.deepEqual([status, json.collisions[0].field], [409, 'parameters'])
  assert.doesNotMatch(text, /-word/)
})

test('bad input is told of', async () => {
  const of = async (body: unknown) => {
    const reply = await call('POST', Revert, body)
    return [reply.status, Object.keys(reply.json).join()]
  }
  assert.deepEqual(await of({}), [400, 'detail'])
  assert.deepEqual(await of([]), [400, 'non_field_errors'])
  assert.deepEqual(await of({ request_id: 'x', id: 1 }), [400, 'detail'])
  assert.deepEqual(await of({ request_id: 'nonsense' }), [400, 'request_id'])
  assert.deepEqual(await of({ request_id: [] }), [400, 'request_id'])
  assert.deepEqual(await of({ request_id: '' }), [400, 'request_id'], 'what the server did by itself')
  assert.deepEqual(await of({ id: 10 ** 9 }), [400, 'id'])
  assert.deepEqual(await of({ id: 'x' }), [400, 'id'])
  assert.deepEqual(await of({ since: 'yesterday' }), [400, 'since'])
  assert.deepEqual(await of({ since: '2001-01-01' }), [400, 'detail'])
  assert.deepEqual(await of({ since: new Date().toISOString(), model: 'dcim.nothing' }), [400, 'model'])
  assert.deepEqual(await of({ since: new Date().toISOString(), model: 'toString' }), [400, 'model'])
  assert.deepEqual(await of({ id: 1, force: 'all' }), [400, 'force'])
  assert.deepEqual(await of({ id: 1, dry_run: 'yes' }), [400, 'dry_run'])
  assert.deepEqual(await of({ id: 1, other: 1 }), [400, 'other'])
  assert.equal((await call('GET', Revert)).status, 405)
})

test('a link returns also where its place in the table was taken by another since', async () => {
  const groups = [1, 2].map((i) => create('tenancy/tenant-groups', { name: `Group ${i}`, slug: `group-${i}` }))
  const [one, other] = await Promise.all(groups)
  const context = await create('extras/config-contexts', { name: 'Linked', data: { a: 1 }, tenant_groups: [one.id] })
  const before = stateOf(store)
  const gone = await call('PATCH', `/api/extras/config-contexts/${context.id}/`, { tenant_groups: [] })
  const more = await call('POST', '/api/extras/config-contexts/', {
    name: 'B',
    data: { a: 1 },
    tenant_groups: [other.id],
  })
  assert.equal((await call('POST', Revert, { request_id: requestOf(gone) })).status, 200)
  assert.deepEqual(
    (await call('GET', `/api/extras/config-contexts/${context.id}/`)).json.tenant_groups.map(({ id }: any) => id),
    [one.id],
  )
  assert.equal((await call('POST', Revert, { request_id: requestOf(more) })).status, 200)
  assert.deepEqual(differences(before, stateOf(store)), [])
})

test('links that are written from the other side are changes of the objects whose field they are', async () => {
  const rir = await create('ipam/rirs', { name: 'Links', slug: 'links' })
  const [one, other] = [await site(), await site()]
  const made = await call('POST', '/api/ipam/asns/', { asn: 64600, rir: rir.id, sites: [one.id] })
  const path = `/api/ipam/asns/${made.json.id}/`
  const moved = await call('PATCH', path, { sites: [other.id] })
  const logged = async (reply: { headers: Headers }) => {
    const { json } = await call('GET', `/api/core/object-changes/?request_id=${requestOf(reply)}`)
    return json.results.map((change: any) => [
      change.changed_object_type,
      change.changed_object_id,
      change.prechange_data?.asns,
      change.postchange_data.asns,
    ])
  }
  assert.deepEqual(
    (await logged(made)).filter(([type]: string[]) => type === 'dcim.site'),
    [['dcim.site', one.id, [], [made.json.id]]],
  )
  assert.deepEqual((await logged(moved)).sort(), [
    ['dcim.site', one.id, [made.json.id], []],
    ['dcim.site', other.id, [], [made.json.id]],
  ])
  assert.deepEqual(await logged(await call('PATCH', path, { sites: [other.id] })), [], 'nothing changed')
  const undo = async (reply: { headers: Headers }) => {
    assert.equal((await call('POST', Revert, { request_id: requestOf(reply) })).status, 200)
    return (await call('GET', path)).json.sites.map((each: { id: number }) => each.id)
  }
  assert.deepEqual(await undo(moved), [one.id])
  const joined = await call('PATCH', path, { sites: [one.id, other.id] })
  assert.deepEqual(await logged(joined), [['dcim.site', other.id, [], [made.json.id]]])
  assert.deepEqual(await undo(joined), [one.id], 'what stayed was not written, and stays')
})

test('what an undo reads grows with its rows, and not with their square', async () => {
  const { db } = store
  const readFor = async (n: number): Promise<number> => {
    const prefixes: any[] = await create(
      'ipam/prefixes',
      Array.from({ length: n }, (_, i) => ({ prefix: `10.${n}.${i}.0/24` })),
    )
    const changed = await call(
      'PATCH',
      '/api/ipam/prefixes/',
      prefixes.map(({ id }) => ({ id, description: 'changed' })),
    )
    const all = db.all.bind(db)
    let read = 0
    db.all = <T>(sql: string, ...values: unknown[]): T[] => {
      const rows = all<T>(sql, ...values)
      read += rows.length
      return rows
    }
    try {
      assert.equal((await call('POST', Revert, { request_id: requestOf(changed) })).status, 200)
      return read
    } finally {
      db.all = all
    }
  }
  const [few, many] = [await readFor(20), await readFor(80)]
  assert.ok(many < 5 * few, `${few} rows were read to put 20 back, and ${many} to put 80 back`)
})

test('a cable that was made and a port of it that was deleted since are taken back at once', async () => {
  const port = () => make.fresh('dcim.interface', { type: '1000base-t' })
  const [a, b] = [await port(), await port()]
  const before = stateOf(store)
  const ends = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
  const made = await call('POST', '/api/dcim/cables/', {
    a_terminations: ends(a),
    b_terminations: ends(b),
  })
  const gone = await call('DELETE', `/api/dcim/interfaces/${a}/`)
  const undone = await call('POST', Revert, { request_id: [gone, made].map(requestOf) })
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(differences(before, stateOf(store)), [])
  assert.deepEqual(problemsOf(store), [])
})
