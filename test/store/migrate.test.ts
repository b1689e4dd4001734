import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { migrate, MigrationError, removeCopies, type Source } from '../../src/store/migrate.ts'

const breakpoint = '\n--> statement-breakpoint\n'
const first = [
  'CREATE TABLE region (id integer primary key, name text)',
  'CREATE TABLE site (id integer primary key, region_id integer REFERENCES region(id))',
].join(breakpoint)
/** What drizzle-kit writes when a column changes: the table is made anew under the keys that point at it. */
const rebuild = [
  'PRAGMA foreign_keys=OFF;',
  "CREATE TABLE __new_region (id integer primary key, name text DEFAULT 'x' NOT NULL)",
  'INSERT INTO __new_region SELECT id, name FROM region',
  'DROP TABLE region',
  'ALTER TABLE __new_region RENAME TO region',
  'PRAGMA foreign_keys=ON;',
].join(breakpoint)
const source =
  (...sql: string[]): Source =>
  (name) =>
    name.endsWith('.json')
      ? JSON.stringify({ entries: sql.map((_, i) => ({ tag: `000${i}`, when: i })) })
      : sql[Number(name.slice(0, 4))]!

const folder = mkdtempSync(join(tmpdir(), 'cabinet-migrate-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
let n = 0
const filled = () => {
  const db = openDatabase(join(folder, `${n++}.db`))
  migrate(db, source(first))
  db.pragma('foreign_keys = on')
  db.exec("insert into region values (1, 'a'), (2, 'b'); insert into site values (1, 2)")
  return db
}

test('a rebuilt table loses no row, and the references to it stay', () => {
  const db = filled()
  assert.deepEqual(migrate(db, source(first, rebuild)), ['0001'])
  assert.equal(db.prepare('select count(*) from region').pluck().get(), 2)
  assert.equal(db.prepare('select region_id from site').pluck().get(), 2)
  assert.equal(db.pragma('foreign_keys', { simple: true }), 1)
  assert.ok(
    readdirSync(folder).some((file) => file.includes('.before-0001')),
    'the database was copied first',
  )
  assert.deepEqual(migrate(db, source(first, rebuild)), [])
})

test('a migration that would lose referenced rows is undone whole', () => {
  const db = filled()
  const losing = rebuild.replace('FROM region', 'FROM region WHERE id = 1')
  assert.throws(() => migrate(db, source(first, losing)), MigrationError)
  assert.equal(db.prepare('select count(*) from region').pluck().get(), 2)
})

test('a database from a newer version is refused', () => {
  const db = filled()
  migrate(db, source(first, rebuild))
  assert.throws(() => migrate(db, source(first)), /newer version/)
})

test('the copy before a migration is whole, also after one that was killed as it was made', () => {
  for (const mode of ['wal', 'delete']) {
    const db = filled()
    db.pragma(`journal_mode = ${mode}`)
    db.exec("insert into region values (3, 'c')")
    writeFileSync(`${db.name}.before-0001.part`, 'half of it')
    const reader = openDatabase(db.name, { readonly: true })
    for (const isRead of [true, false]) {
      if (isRead) reader.exec('begin; select * from region')
      if (isRead && mode === 'delete')
        reader.exec('rollback') // it would keep the migration out
      else db.exec("insert into region values (null, 'd')")
      const rows = db.prepare('select * from region').all()
      migrate(db, source(first, rebuild))
      if (reader.inTransaction) reader.exec('rollback')
      const copy = openDatabase(`${db.name}.before-0001`, { readonly: true })
      assert.deepEqual(copy.prepare('select * from region').all(), rows, mode)
      assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
      copy.close()
      db.exec("delete from migration where tag = '0001'")
    }
    reader.close()
  }
})

test('the copy of the last migration stays, of the data just before it, until housekeeping ends it', async () => {
  const db = filled()
  const bad = 'CREATE TABLE nothing (id'
  assert.throws(() => migrate(db, source(first, bad)))
  db.exec("insert into region values (9, 'written after the attempt that failed')")
  migrate(db, source(first, rebuild))
  migrate(db, source(first, rebuild, 'CREATE TABLE tag (id integer primary key)'))
  const copies = () => readdirSync(folder).filter((name) => name.startsWith(`${basename(db.name)}.before-`))
  assert.deepEqual(copies(), [`${basename(db.name)}.before-0002`])
  const copy = openDatabase(`${db.name}.before-0002`, { readonly: true })
  assert.equal(copy.prepare('select count(*) from region').pluck().get(), 3)
  copy.close()
  await removeCopies(db.name, Date.now() - 1000)
  assert.equal(copies().length, 1)
  await removeCopies(db.name, Date.now() + 1000)
  assert.deepEqual(copies(), [])
})
