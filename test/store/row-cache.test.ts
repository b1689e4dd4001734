import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import { rendering } from '../../src/engine/select.ts'
import { dependenciesOf, type Known, type Rendered, RowCache } from '../../src/store/row-cache.ts'
import { statementReads } from '../../src/store/statement-reads.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

/** What is kept outlives writes that do not touch it; that it is right is what answers.test.ts asks. */
const { call, running } = await serve()
const { db, reader } = running.store
const make = new Maker(call)

const devices = [await make.fresh('dcim.device'), await make.fresh('dcim.device')]
const [one, two] = devices as [number, number]
// Spare ones, so that ids of devices and of interfaces differ.
for (let i = 0; i < 4; i++) await make.fresh('dcim.interface', { device: devices[0], name: `spare ${i}` })
const interfaces: number[] = []
for (const device of devices) interfaces.push(await make.fresh('dcim.interface', { device, name: `eth ${device}` }))
const [port, other] = interfaces as [number, number]
const assigned = (id: number) => ({ assigned_object_type: 'dcim.interface', assigned_object_id: id })
for (let i = 0; i < 9; i++) await make.fresh('ipam.ipaddress', { address: `10.9.7.${i}/24` })
const addresses: number[] = []
for (const id of interfaces)
  addresses.push(await make.fresh('ipam.ipaddress', { address: `10.9.0.${id}/24`, ...assigned(id) }))
const tag = await make.fresh('extras.tag')

const asked: Record<string, () => unknown> = {
  'device 1': () => reader.one(modelNamed('dcim.device'), one, {}, ''),
  'device 2': () => reader.one(modelNamed('dcim.device'), two, {}, ''),
  'interface 1': () => reader.one(modelNamed('dcim.interface'), port, {}, ''),
  'interface 2': () => reader.one(modelNamed('dcim.interface'), other, {}, ''),
  'address 1': () => reader.one(modelNamed('ipam.ipaddress'), addresses[0]!, {}, ''),
  'address 2': () => reader.one(modelNamed('ipam.ipaddress'), addresses[1]!, {}, ''),
  'page of devices': () =>
    reader.page(modelNamed('dcim.device'), { where: [], values: {}, uses: [] }, undefined, 50, 0),
  'device of a name': () =>
    reader.page(
      modelNamed('dcim.device'),
      { where: ["t.name <> 'x'"], values: {}, uses: ['dcim_device'] },
      'id',
      50,
      0,
    ),
}

/** Names of the questions that SQLite is asked again. */
function askedAgain(): string[] {
  const found: string[] = []
  const prepare = db.prepare
  for (const [name, ask] of Object.entries(asked)) {
    let statements = 0
    db.prepare = (sql) => {
      statements++
      return prepare.call(db, sql)
    }
    ask()
    db.prepare = prepare
    if (statements) found.push(name)
  }
  return found
}

const patch = (path: string, body: object) => call('PATCH', `/api/${path}/`, body)
const cases: [string, () => Promise<{ status: number }>, string[]][] = [
  ['comments of a device', () => patch(`dcim/devices/${one}`, { comments: 'new' }), ['device 1']],
  [
    'the name of a device',
    () => patch(`dcim/devices/${one}`, { name: 'renamed' }),
    // a device may show the one whose bay it is in, and lists inside interfaces stand in the order of their devices'
    // names
    ['device 1', 'device 2', 'interface 1', 'interface 2', 'address 1', 'page of devices', 'device of a name'],
  ],
  ['a tag of a device', () => patch(`dcim/devices/${one}`, { add_tags: [tag] }), ['device 1']],
  ['the colour of that tag', () => patch(`extras/tags/${tag}`, { color: 'ff0000' }), ['device 1']],
  [
    'the description of an interface',
    () => patch(`dcim/interfaces/${port}`, { description: 'up' }),
    ['interface 1', 'address 1'],
  ],
  ['an address of nothing', () => call('POST', '/api/ipam/ip-addresses/', { address: '10.9.1.1/24' }), []],
  [
    'an address of an interface',
    () => call('POST', '/api/ipam/ip-addresses/', { address: '10.9.1.2/24', ...assigned(other) }),
    ['interface 2'],
  ],
  [
    'an address inside of another',
    () => call('POST', '/api/ipam/ip-addresses/', { address: '10.9.1.3/24', nat_inside: addresses[1] }),
    ['address 2'],
  ],
]

for (const [name, write, again] of cases)
  test(`${name} drops what shows it, and nothing else`, async () => {
    askedAgain()
    assert.deepEqual(askedAgain(), [])
    assert.ok((await write()).status < 300)
    assert.deepEqual(askedAgain(), again)
  })

test('what refused writes touched is asked for again, and is as before', async () => {
  askedAgain()
  const before = asked['device 1']!()
  const body = [{ id: one, comments: 'undone' }, { id: two, name: [1] }] // biome-ignore format: two rows
  assert.equal((await call('PATCH', '/api/dcim/devices/', body)).status, 400)
  assert.equal(asked['device 1']!(), before)
})

test("SQLite's programs tell what every rendering reads, and which columns of the row itself", () => {
  for (const m of allModels)
    for (const view of [{ members: undefined }, { nested: undefined }]) {
      const found = dependenciesOf(
        db,
        m,
        rendering(m, view, () => []),
      )
      const own = found.find(({ drops }) => drops === 'own')
      assert.ok(own && own.columns !== 'all', m.name)
    }
})

test('conditions, orders and counts are read as columns; virtual tables tell nothing', () => {
  const columns = (sql: string) =>
    Object.fromEntries(
      [...(statementReads(db.raw, sql, {})?.reads ?? [])].map(([table, names]) => [
        table,
        names === 'all' ? names : [...names].filter((name) => name !== 'id').sort(),
      ]),
    )
  assert.deepEqual(columns('select count(*) from dcim_device'), { dcim_device: [] })
  assert.deepEqual(columns("select t.id from dcim_device t where t.serial = 'x' order by t.comments"), {
    dcim_device: ['comments', 'serial'],
  })
  const nested = "select t.id from dcim_site t where t.id in (select d.site_id from dcim_device d where d.serial = 'x')"
  assert.deepEqual(columns(nested).dcim_device, ['serial', 'site_id'])
  assert.equal(statementReads(db.raw, "select rowid from search where search match 'abc'", {}), undefined)
})

/** A view of a cache that has room for some twenty rows, and what offers it one. */
function smallView(isPart = false) {
  const cache = new RowCache(1 / 1024)
  const dependencies = [{ table: 'things', columns: 'all', drops: 'own' }]
  const known = { dependencies } as unknown as Known
  const view = cache.view('rows', known, isPart)
  const offer = (id: number, parts: Rendered[] = []): Rendered => {
    const text = 'x'.repeat(isPart ? 60 : 600)
    const row = { id, text, bytes: text.length, moment: null, parts, of: view, isGone: false, isAsked: false }
    view.offer(row)
    view.evict()
    return row
  }
  return { cache, view, offer }
}

test('rows that are asked for once do not take the place of those that are kept', () => {
  const { cache, view, offer } = smallView()
  for (let id = 1; id <= 100; id++) offer(id)
  const kept = Array.from({ length: 100 }, (_, i) => i + 1).filter((id) => view.get(id))
  assert.ok(kept.length >= 20 && kept[0] === 1, `${kept}`)
  for (let id = 1000; id < 9000; id++) offer(id)
  assert.deepEqual(
    kept.filter((id) => !view.get(id)),
    [],
  )
  assert.ok(cache.bytes.rows <= 16 * 1024)
})

test('a row that is asked for again soon is kept, and what nobody asks for goes', () => {
  const { cache, view, offer } = smallView()
  for (let id = 1; id <= 100; id++) offer(id)
  for (let id = 1000; id < 1020; id++) offer(id)
  for (let id = 1000; id < 1020; id++) offer(id)
  for (let id = 1000; id < 1020; id++) assert.ok(view.get(id), `${id}`)
  assert.ok(cache.bytes.rows <= 16 * 1024)
})

test('a row that was written is kept when it is asked for next, even where there is no room', () => {
  const { cache, view, offer } = smallView()
  for (let id = 1; id <= 100; id++) offer(id)
  const write = (ids: number[]) => cache.changed({ table: 'things', columns: 'all', ids, refers: {} })
  write([1, 1000])
  assert.equal(view.get(1), undefined)
  for (const id of [1, 2000, 1000]) offer(id)
  assert.deepEqual(
    [1, 2000, 1000].map((id) => view.get(id) !== undefined),
    [true, false, true],
  )
  view.drop(1000)
  offer(3000) // in its place
  offer(1000)
  assert.ok(!view.get(1000), 'once for each time that it was written')
  assert.ok(cache.bytes.rows <= 16 * 1024)
})

test('a row is kept again at once where it shows what was written', () => {
  const [parts, { cache, view, offer }] = [smallView(true), smallView()]
  const shown = parts.offer(1)
  offer(1, [shown])
  for (let id = 2; id <= 100; id++) offer(id)
  parts.view.drop(1)
  assert.equal(view.get(1), undefined)
  offer(1, [parts.offer(1)])
  assert.ok(view.get(1), 'by what it holds')
  const showing = { dependencies: [{ table: 'shown', columns: 'all', drops: ['by_id'] }] } as unknown as Known
  const other = cache.view('others', showing, false)
  const row = { ...offer(200), of: other, id: 7, isGone: false }
  for (let i = 0; i < 2; i++) other.offer(row) // kept the second time
  cache.changed({ table: 'shown', columns: 'all', ids: [3], refers: { by_id: [7, 8] } })
  assert.equal(other.get(7), undefined)
  other.offer({ ...row, isGone: false })
  other.offer({ ...row, id: 8, isGone: false })
  assert.deepEqual([other.get(7) !== undefined, other.get(8) !== undefined], [true, false], 'by what it refers to')
})

test('what shows a row that is not kept is not kept either: nobody would tell it of changes', () => {
  const parts = smallView(true)
  const rows = smallView()
  const shown = Array.from({ length: 100 }, (_, i) => parts.offer(i + 1))
  const [first, last] = [shown[0]!, shown.at(-1)!]
  assert.deepEqual([first.isGone, last.isGone], [false, true])
  rows.offer(1, [first])
  rows.offer(2, [last])
  assert.ok(rows.view.get(1))
  assert.equal(rows.view.get(2), undefined)
})
