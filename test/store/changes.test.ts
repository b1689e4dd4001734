import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { type Change, Changes, EveryTable } from '../../src/store/changes.ts'
import { Connection } from '../../src/store/database.ts'

type Row = Record<string, string | number | null>

function opened(): { db: Connection; told: Change[]; rows: () => Map<number, Row> } {
  const raw = openDatabase(':memory:')
  raw.exec(`create table part (
      id integer primary key autoincrement, name text, note text, device_id integer, n integer default 0) strict;
    create table other (id integer primary key, name text) strict`)
  const db = new Connection(raw)
  for (const [id, device] of [[1, 7], [2, 7], [3, null], [4, 9]]) // biome-ignore format: a row
    db.run('insert into part (id, name, device_id) values (?, ?, ?)', id, `part ${id}`, device)
  const told: Change[] = []
  db.onChange((change) => told.push(change))
  return { db, told, rows: () => new Map(db.all<Row>('select * from part').map((row) => [row.id as number, row])) }
}

/** Fails where a row became another and what was told does not say so. */
function assertCovers(told: readonly Change[], before: Map<number, Row>, after: Map<number, Row>, why: string): void {
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)]
    const columns = Object.keys(was ?? is!).filter((name) => was?.[name] !== is?.[name])
    for (const column of columns) {
      const isTold = told.some(
        (change) =>
          [EveryTable, 'part'].includes(change.table) &&
          (change.ids === 'all' || change.ids.includes(id)) &&
          (change.columns === 'all' || (was && is && change.columns.includes(column))) &&
          [was?.device_id, is?.device_id].every(
            (device) => device == null || (change.refers.device_id?.includes(device as number) ?? true),
          ),
      )
      assert.ok(isTold, `${why}: ${column} of ${id}: ${JSON.stringify(told)}`)
    }
  }
}

const written: readonly (readonly [string, ...unknown[]])[] = [
  ['insert into part (name, device_id) values (?, ?)', 'new', 9],
  ['insert into "part" ("name", "device_id") values (?, ?)', 'new', '9'],
  ["insert into part (name, device_id) values ('fixed', 7)"],
  ['insert or replace into part (id, name) values (?, ?)', 1, 'other'],
  ['replace into part (id, name, device_id) values (?, ?, ?)', 1, 'other', 12],
  [
    'insert into part (id, name, device_id) values (?, ?, ?) on conflict (id) do update set name = ' +
      'excluded.name, note = 1',
    1,
    'x',
    2,
  ],
  ['insert into part (name, device_id) select name, 8 from part'],
  ['update part set name = ? where id = ?', 'changed', 2],
  ['update "part" set "name" = ?, "note" = ? where "id" = +?', 'changed', 'a', 2],
  ["update part set note = coalesce(note, 'a, b') || ', name = 1 where', n = n + 1 where id = ?", 4],
  ['update part set name = (select name from part p where p.id = 4), n = 5 where id = ?', 1],
  ['update part set (name, note) = (?, ?) where id = ?', 'p', 'q', 3],
  ['update part as t set n = 4 where t.device_id = ?', 7],
  ['update part set device_id = ? where id = ?', 3, 2],
  ['update part set n = ? where device_id = ?', 3, 7],
  ['update part set device_id = ? where device_id = ?', 3, 7],
  ['update part set n = 1 where id in (select value from json_each(?))', '[1,4]'],
  ['update part set n = o.id from (select 1 as id) o where part.id = o.id + 1'],
  ['with wanted as (select 2 as id) update part set n = 9 where id in (select id from wanted)'],
  ['delete from part where id = ?', 2],
  ['delete from part where device_id = ? and name = ?', 7, 'part 1'],
  ['delete from part where device_id = ? or id = ?', 7, 4],
  ['delete from part'],
]

test('what a statement changes is told, whatever its form', () => {
  for (const [sql, ...values] of written) {
    const { db, told, rows } = opened()
    const before = rows()
    db.run(sql, ...values)
    assert.notDeepEqual(rows(), before, sql)
    assertCovers(told, before, rows(), sql)
    const sum = new Changes()
    for (const change of told) sum.add(change)
    assertCovers(sum.list(), before, rows(), `${sql}, in a list`)
  }
})

test('simple statements say which rows and columns', () => {
  const { db, told } = opened()
  db.run('update part set note = ?, n = n + 1 where id = ?', 'a', 2)
  db.run('insert into part (name, device_id) values (?, ?)', 'new', 9)
  db.run('delete from part where device_id = ?', 9)
  assert.deepEqual(told, [
    { table: 'part', columns: ['note', 'n'], ids: [2], refers: {} },
    { table: 'part', columns: 'all', ids: [5], refers: { device_id: [9] } },
    { table: 'part', columns: 'all', ids: 'all', refers: { device_id: [9] } },
  ])
})

test('what is undone is told again, and only what is kept counts to the commit', () => {
  const { db, told } = opened()
  const commits: (readonly Change[])[] = []
  db.onCommit = (changes) => commits.push(changes)
  const stamp = db.stampOf(new Map([['part', new Set(['note'])]]))
  db.begin()
  db.run('update part set name = ? where id = ?', 'kept', 1)
  const before = stamp()
  assert.throws(() =>
    db.within(() => {
      db.within(() => db.run('update part set note = ? where id = ?', 'undone', 2))
      throw new Error('no')
    }),
  )
  assert.equal(told.filter(({ ids }) => ids.includes(2 as never)).length, 2)
  assert.ok(stamp() > before + 1)
  db.commit()
  assert.deepEqual(commits, [[{ table: 'part', columns: ['name'], ids: [1], refers: {} }]])
  db.begin()
  db.run('delete from part where id = ?', 3)
  db.rollback()
  assert.equal(commits.length, 1)
  assert.equal(told.filter(({ ids }) => ids.includes(3 as never)).length, 2)
  db.run('insert into other (name) values (?)', 'by itself')
  assert.equal(commits.length, 2)
})

test('a list of many changes stays small', () => {
  const sum = new Changes()
  for (let id = 1; id <= 5000; id++) sum.add({ table: 'part', columns: ['n'], ids: [id], refers: { device_id: [id] } })
  assert.deepEqual(sum.list(), [{ table: 'part', columns: ['n'], ids: 'all', refers: {} }])
})

test('what another connection commits before this one first looks is noticed too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-seen-'))
  const [db, other] = [0, 1].map(() => new Connection(openDatabase(join(folder, 'a.db')))) as [Connection, Connection]
  db.raw.exec('pragma journal_mode = wal; create table part (id integer primary key) strict')
  const told: Change[] = []
  db.onChange((change) => told.push(change))
  other.run('insert into part values (1)')
  db.sync()
  assert.deepEqual(
    told.map(({ table }) => table),
    [EveryTable],
  )
  for (const { raw } of [db, other]) raw.close()
  rmSync(folder, { recursive: true })
})

test('a statement that finds nothing to change tells nobody', () => {
  const { db, told } = opened()
  told.length = 0
  for (const sql of [
    'delete from part where id > 100',
    "update part set note = 'x' where id in (select id from part where id > 100)",
    'insert into part (name) select name from part where id > 100',
  ])
    db.run(sql)
  assert.deepEqual(told, [])
  db.run('delete from part where id > 3')
  assert.deepEqual(
    told.map(({ table }) => table),
    ['part'],
  )
})
