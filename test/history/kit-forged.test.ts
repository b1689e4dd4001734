import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { BundleError, type Header, packBundle, readBundle } from '../../src/history/bundle.ts'
import { Version } from '../../src/lib/version.ts'
import { AdminToken, creating, serve } from '../support/server.ts'

const client = await serve()
const make = creating(client)
const { db } = client.running.store
const site = await make('dcim/sites', { name: 'Lab', slug: 'lab' })
const kit = await make('core/kits', { name: 'van' })
const { key } = db.get<{ key: string }>('select key from core_kit where id = ?', kit.id)!
const Pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A row of the source as bundles hold it. */
const row = (table: string, id: number): any =>
  Object.fromEntries(
    Object.entries(db.get<Record<string, unknown>>(`select * from ${table} where id = ?`, id)!).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value,
    ]),
  )

/** Sends a push that the key of the kit signs, whatever it says. */
async function push(
  lines: readonly (object | string)[],
  head: object = {},
  authorization = `Token ${AdminToken}`,
): Promise<{ status: number; text: string }> {
  const at = db.get<object>('select id as step, time from history_step order by id desc limit 1')!
  const { pushed } = db.get<{ pushed: number }>('select pushed from core_kit where id = ?', kit.id)!
  const header = {
    cabinet: 'kit-bundle',
    form: 1,
    version: Version,
    migrations: db.all<{ tag: string }>('select tag from migration order by tag').map(({ tag }) => tag),
    seal: createHash('sha256').update(`seal ${key}`).digest('hex').slice(0, 16),
    made: new Date().toISOString(),
    from: 'kit',
    kit: kit.id,
    name: 'van',
    push: pushed + 1,
    id: randomUUID(),
    ...at,
    ...head,
  }
  const body = [header, ...lines].map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const end = createHmac('sha256', key).update(body).digest('hex')
  const answer = await fetch(`${client.base}/api/core/kits/${kit.id}/push/`, {
    method: 'POST',
    headers: { authorization },
    body: gzipSync(body + JSON.stringify({ end })),
  })
  return { status: answer.status, text: await answer.text() }
}

const lab = (): any => row('dcim_site', site.id)
const Id = 100000001
const made = (more: object, line: object = {}): object => ({
  t: 'dcim_site',
  i: Id,
  r: { ...lab(), id: Id, name: 'New', slug: 'new', ...more },
  b: { 0: null },
  ...line,
})
const changed = (more: object): object => ({ t: 'dcim_site', i: site.id, r: { ...lab(), ...more }, b: { 0: lab() } })
const image = (path: unknown, more: object = {}): object => ({
  t: 'extras_imageattachment',
  i: Id,
  r: {
    id: Id,
    object_type: 'dcim.site',
    object_id: site.id,
    name: 'x',
    image: path,
    image_height: 1,
    image_width: 1,
    image_size: 70,
    description: '',
    created: '2026-01-01T00:00:00Z',
    last_updated: '2026-01-01T00:00:00Z',
    ...more,
  },
  b: { 0: null },
})
const record = (more: object): object => ({
  c: {
    time: '2026-01-01T00:00:00.000000Z',
    user_name: 'ann',
    request_id: randomUUID(),
    action: 'create',
    changed_object_type: 'dcim.site',
    changed_object_id: Id,
    message: '',
    prechange_data: null,
    postchange_data: '{}',
    ...more,
  },
})

/** All that a push could change here. */
const state = () => JSON.stringify([db.all('select * from dcim_site'), db.all('select id from core_objectchange')])

test('a push that is signed and wrong in any place is refused in one line, and changes nothing', async () => {
  const before = state()
  const cases: [string, (object | string)[], object?][] = [
    ...['users_user', 'users_token', 'core_kit', 'users_objectpermission', 'nope', null].map(
      (t): [string, object[]] => [`table ${t}`, [{ t, i: 1, r: { id: 1 }, b: {} }]],
    ),
    ['no table', [[1, 2]]],
    ...['abc', null, 1.5, -4, 0, 2 ** 53, 1e300, 2 ** 40].map((i): [string, object[]] => [
      `id ${i}`,
      [made({ id: i }, { i })],
    ]),
    ['another id', [made({ id: 77 })]],
    ...['abc', [1], 5, undefined, {}, { name: 'Part', slug: 'part' }].map((r): [string, object[]] => [
      `row ${JSON.stringify(r)}`,
      [made({}, { r })],
    ]),
    ...['abc', null, { 0: 'abc' }, { x: null }].map((b): [string, object[]] => [
      `base ${JSON.stringify(b)}`,
      [made({}, { b })],
    ]),
    ...['abc', null, { 0: {} }, [5], [null], [{ name: 5 }], Array(11).fill({ name: 'Once' })].map(
      (e): [string, object[]] => [`earlier states ${JSON.stringify(e)}`, [made({}, { e })]],
    ),
    ['the same twice', [made({}), made({ name: 'Other' })]],
    ...[
      { nope: 4 },
      { 'a"b': 4 },
      ...[5, null, true, { a: 1 }, { hex: '00' }, { hex: 5 }, [1], 'x'.repeat(5000), 'a\0b', ''].map((name) => ({
        name,
      })),
      { slug: 'a <b>' },
      { status: 'nonsense' },
      { latitude: 'abc' },
      { latitude: 999 },
      { created: 'yesterday' },
      { last_updated: 5 },
      ...['no json', '[1]', null, { a: 1 }].map((custom_field_data) => ({ custom_field_data })),
      ...['abc', 1e300, 2 ** 60].map((region_id) => ({ region_id })),
    ].flatMap((more): [string, object[]][] => [
      [`new ${JSON.stringify(more).slice(0, 60)}`, [made(more)]],
      [`changed ${JSON.stringify(more).slice(0, 60)}`, [changed(more)]],
    ]),
    ['a lone surrogate', [JSON.stringify(made({ name: 'QQ' })).replace('QQ', '\\ud800')]],
    ...['constructor', 'nope', 'users.user', null, 5].map((object_type): [string, object[]] => [
      `tag on ${object_type}`,
      [{ t: 'extras_taggeditem', i: Id, r: { id: Id, object_type, object_id: site.id, tag_id: 1 }, b: { 0: null } }],
    ]),
    ...[
      '../cabinet.db',
      '/etc/passwd',
      'image-attachments',
      'image-attachments/../../cabinet.db',
      'image-attachments/a/b.png',
      `image-attachments/${'x'.repeat(300)}`,
      'image-attachments/a\0b',
      'image-attachments/..',
      5,
    ].flatMap((path): [string, object[]][] => [
      [`image ${path}`, [image(path)]],
      [`image ${path} with it`, [image(path), { f: path, d: Pixel }]],
    ]),
    ['a file that nobody names', [made({}), { f: 'image-attachments/y.png', d: Pixel }]],
    ...[5, null, {}, '', 'bm8gaW1hZ2U='].map((d): [string, object[]] => [
      `bytes ${JSON.stringify(d)}`,
      [image('image-attachments/y.png'), { f: 'image-attachments/y.png', d }],
    ]),
    ['an image of nothing', [image('image-attachments/y.png', { object_type: 'constructor' })]],
    ...[
      { time: '0000' },
      { time: 5 },
      { time: null },
      { user_id: 0 },
      { user_id: 'ann' },
      { user_name: null },
      { user_name: 'x'.repeat(5000) },
      { request_id: 'a b' },
      { request_id: null },
      { action: 'explode' },
      { changed_object_id: 'x' },
      { changed_object_type: 5 },
      { message: null },
      { message: 5 },
      { postchange_data: 'no json' },
      { postchange_data: '[]' },
      { postchange_data: {} },
      { prechange_data: '['.repeat(100_000) },
    ].map((more): [string, object[]] => [`record ${JSON.stringify(more).slice(0, 60)}`, [made({}), record(more)]]),
    ...[
      { migrations: null },
      { migrations: 'abc' },
      { migrations: [5] },
      { version: 5 },
      { version: {} },
      { made: 5 },
      { made: {} },
      { push: 'abc' },
      { push: -5 },
      { push: 1.5 },
      { push: {} },
      { id: null },
      { id: 'x'.repeat(1000) },
      { step: 'abc' },
      { step: {} },
      { step: 1e300 },
      { time: {} },
      { kit: '1' },
      { name: {} },
      { form: 2, version: {} },
      { from: null },
      { seal: {} },
    ].map((head): [string, object[], object] => [`header ${JSON.stringify(head).slice(0, 60)}`, [made({})], head]),
  ]
  for (const [name, lines, head] of cases) {
    const { status, text } = await push(lines, head)
    assert.equal(status, 409, `${name}: ${status} ${text}`)
    const { detail } = JSON.parse(text) as { detail: string }
    assert.ok(detail.length < 300 && !detail.includes('\n'), `${name}: ${detail}`)
  }
  assert.equal(state(), before)
  assert.equal((await push([made({}), record({}), image('image-attachments/y.png', { i: 2 })])).status, 409)
  const { status, text } = await push([
    made({}),
    record({}),
    image('image-attachments/y.png'),
    { f: 'image-attachments/y.png', d: Pixel },
  ])
  assert.equal(status, 200, text)
  assert.equal((await client.call('GET', '/api/dcim/sites/')).json.count, 2)
})

test('the longest message of a change that came with a kit names the kit still', async () => {
  const lines = [
    { t: 'dcim_site', i: Id + 5, r: { ...lab(), id: Id + 5, name: 'Five', slug: 'five' }, b: { 0: null } },
    record({ changed_object_id: Id + 5, message: 'm'.repeat(200), time: '2999-01-01T00:00:00Z' }),
  ]
  assert.equal((await push(lines)).status, 200)
  const { message, time } = db.get<{ message: string; time: string }>(
    'select message, time from core_objectchange where changed_object_id = ?',
    Id + 5,
  )!
  assert.match(message, /^m{100,} \(kit van\)$/)
  assert.ok(message.length <= 200 && time <= new Date(Date.now() + 1000).toISOString(), 'nor is it of the future')
})

test('who changed something by an earlier version, which told no ids of accounts, is known by the name', async () => {
  const { id: ann } = await make('users/users', { username: 'ann', password: 'Field-Passw0rd-1' })
  const id = Id + 6
  const site = { t: 'dcim_site', i: id, r: { ...lab(), id, name: 'Six', slug: 'six' }, b: { 0: null } }
  assert.equal((await push([site, record({ changed_object_id: id })])).status, 200)
  const { user_id } = db.get<{ user_id: number }>(
    'select user_id from core_objectchange where changed_object_id = ?',
    id,
  )!
  assert.equal(user_id, ann)
})

test('a push cannot show the file of another object by naming it', async () => {
  const other = { ...row('extras_imageattachment', Id), id: Id + 1 }
  const { status, text } = await push([{ t: 'extras_imageattachment', i: Id + 1, r: other, b: { 0: null } }])
  assert.equal(status, 409)
  assert.match(text, /did not come along/)
})

test('a kit that is not there is not cloned: 404', async () => {
  assert.equal((await client.call('GET', '/api/core/kits/4711/clone/')).status, 404)
})

test('a pull whose body is null is refused', async () => {
  const { status, json } = await client.call('POST', `/api/core/kits/${kit.id}/pull/`, 'null', {
    'content-type': 'application/json',
  })
  assert.deepEqual([status, Object.keys(json)], [400, ['step']])
})

test('what lies behind a port is changed by who may change a port, not by who may change its device', async () => {
  const maker = await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
  const type = await make('dcim/device-types', { manufacturer: maker.id, model: 'P', slug: 'p' })
  const role = await make('dcim/device-roles', { name: 'Panel', slug: 'panel' })
  const device = (await make('dcim/devices', { name: 'p', site: site.id, device_type: type.id, role: role.id })).id
  const rear_port = (await make('dcim/rear-ports', { device, name: 'r', type: '8p8c', positions: 4 })).id
  const rear_ports = [{ position: 1, rear_port, rear_port_position: 1 }]
  await make('dcim/front-ports', { device, name: 'f', type: '8p8c', positions: 2, rear_ports })
  const user = (await make('users/users', { username: 'few', password: 'Cabinet-Test-Passw0rd' })).id
  const { token, key: old } = await make('users/tokens', { user, version: 1 })
  const grant = (name: string, actions: string[], object_types: string[]) =>
    make('users/permissions', { name, actions, object_types, users: [user] })
  await grant('kits', ['view', 'sync'], ['core.kit'])
  await grant('devices', ['view', 'change'], ['dcim.device'])
  const { id } = db.get<{ id: number }>('select id from dcim_portmapping')!
  const is = row('dcim_portmapping', id)
  const all = () => db.all('select * from dcim_portmapping')
  const attempts = [
    { t: 'dcim_portmapping', i: id, r: { ...is, rear_port_position: 3 }, b: { 0: is } },
    { t: 'dcim_portmapping', i: id, r: null, b: { 0: is } },
    {
      t: 'dcim_portmapping',
      i: Id,
      r: { ...is, id: Id, front_port_position: 2, rear_port_position: 2 },
      b: { 0: null },
    },
  ]
  const before = all()
  for (const line of attempts) assert.equal((await push([line], {}, `Token ${token ?? old}`)).status, 403)
  assert.deepEqual(all(), before)
  await grant('ports', ['view', 'change'], ['dcim.rearport'])
  for (const line of attempts.slice(0, 1)) assert.equal((await push([line], {}, `Token ${token ?? old}`)).status, 200)
  assert.notDeepEqual(all(), before)
})

test('a push that unpacks to far more than it is packed is not unpacked', async () => {
  const padded = (bytes: number) =>
    JSON.stringify(changed({ comments: `${bytes}` })).replace('{', `{${' '.repeat(bytes)}`)
  assert.equal((await push([padded(30_000_000)])).status, 200)
  const refused = await push([padded(150_000_000)])
  assert.equal(refused.status, 409)
  assert.match(refused.text, /The bundle is damaged/)
  assert.equal((await client.call('GET', `/api/dcim/sites/${site.id}/`)).json.comments, '30000000')
})

test('a bundle whose packed bytes nobody signed is not unpacked to much', () => {
  const header: Header = {
    cabinet: 'kit-bundle',
    form: 1,
    version: Version,
    migrations: [],
    from: 'kit',
    kit: 1,
    name: 'van',
    seal: createHash('sha256').update(`seal ${key}`).digest('hex').slice(0, 16),
    made: new Date().toISOString(),
    push: 1,
    id: randomUUID(),
    step: 1,
    time: '',
  }
  const files = new Map([['a.bin', Buffer.alloc(60_000_000)]])
  const bundle = packBundle(key, header, [], [], files)
  assert.equal(readBundle(bundle, () => key).files.get('a.bin')?.length, 60_000_000)
  const unsigned = gzipSync(gunzipSync(bundle))
  assert.throws(() => readBundle(unsigned, () => key), BundleError)
  const forged = Buffer.from(bundle)
  forged[forged.length - 1]! ^= 1
  assert.throws(() => readBundle(forged, () => key), BundleError)
  const small = packBundle(key, header, [], [], new Map([['a.bin', Buffer.alloc(3000)]]))
  const old = readBundle(gzipSync(gunzipSync(small)), () => key)
  assert.equal(old.files.get('a.bin')?.length, 3000, 'one of an earlier version is read')
})

test('a token that may only read gets no copy of all, in which the others are', async () => {
  const readOnly = await make('users/tokens', { user: 1, write_enabled: false, version: 1 })
  const headers = { authorization: `Token ${readOnly.token ?? readOnly.key}` }
  assert.equal((await client.call('GET', '/api/core/kits/', undefined, headers)).status, 200)
  const path = `/api/core/kits/${kit.id}/clone/`
  assert.equal((await client.call('GET', path, undefined, headers)).status, 403)
  const told = await client.call('GET', path)
  assert.equal(told.status, 200)
  const file = new URL(told.json.url).pathname
  assert.equal((await client.call('GET', file, undefined, headers)).status, 403)
})
