import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { Connection } from '../../src/store/database.ts'

/**
 * SQLite prepares a statement anew with each value of a bare LIMIT, OFFSET or pattern: statements are prepared without
 * such, whoever wrote them, and find the same.
 */
const db = new Connection(new Database(':memory:'))
db.raw.exec(
  "create table site (id integer primary key, name text); insert into site (name) values ('a'), ('b%'), ('B_')",
)

const cases: [sql: string, values: unknown[], found: number[]][] = [
  ['select id from site order by id limit ? offset ?', [1, 1], [2]],
  ['select id from site order by id LIMIT :limit', [{ limit: 2 }], [1, 2]],
  ['select id from site order by id limit @limit', [{ limit: -1 }], [1, 2, 3]],
  ["select id from site where name like ? escape '\\'", ['b\\%'], [2]],
  ['select id from site where name not like :sought order by id', [{ sought: 'b%' }], [1]],
  ['select id from site where name glob $sought', [{ sought: 'B*' }], [3]],
]
for (const [sql, values, found] of cases)
  test(sql, () => {
    const statement = db.prepare(sql)
    assert.doesNotMatch(statement.source, /\b(?:limit|offset|like|glob)\s+[:?@$]/i)
    assert.deepEqual(
      statement.all(...values).map((row) => (row as { id: number }).id),
      found,
    )
    assert.equal(db.prepare(sql), statement)
  })
