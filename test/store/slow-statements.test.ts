import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { Connection } from '../../src/store/database.ts'

const open = (from: number): Connection => {
  const db = new Connection(new Database(':memory:'))
  db.slow.from = from
  db.raw.exec('create table site (id integer primary key, name text); create index by_name on site (name)')
  return db
}

test('a statement that took long is told with its plan, and no value of it', () => {
  const db = open(0)
  db.run('insert into site (name) values (?)', 'hush-hush')
  const began = performance.now()
  db.get("select id from site where name = ? and name <> 'quiet'", 'hush-hush')
  assert.throws(() => db.all('select abs(?)', -9223372036854775808n))
  const told = db.slow.since(began)
  assert.equal(told.length, 2)
  const [search] = told.filter(({ sql }) => sql.startsWith('select id'))
  assert.equal(search!.sql, "select id from site where name = ? and name <> '…'")
  assert.match(search!.plan.join(), /SEARCH site USING COVERING INDEX by_name/)
  assert.ok(!JSON.stringify(told).includes('hush') && !JSON.stringify(told).includes('quiet'))
  assert.deepEqual(db.slow.since(performance.now()), [], 'those of earlier requests are not told')
})

test('quick ones are not told, and only the slowest of many are', () => {
  const quick = open(10_000)
  quick.all('select * from site')
  assert.deepEqual(quick.slow.since(0), [])
  const many = open(0)
  for (let i = 0; i < 100; i++) many.all(`select ${i}`)
  assert.equal(many.slow.since(0).length, 3)
})
