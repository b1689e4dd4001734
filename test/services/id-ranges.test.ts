import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { checks } from '../../src/services/checks.ts'
import { faultsOf, isSound } from '../../src/services/file-checks.ts'
import { inRanges, onPiece, type Range } from '../../src/services/id-ranges.ts'
import { Connection } from '../../src/store/database.ts'
import { LogLimit } from '../../src/store/open.ts'
import { scratch } from '../support/cli.ts'
import { serve } from '../support/server.ts'

/** Checks look at tables in pieces, and others may write in between. */
const { call, running } = await serve()
const { store } = running
const file = store.db.raw.name
const other = new Database(file)
other.pragma('synchronous = off')
other.pragma('wal_autocheckpoint = 0') // what bounds the log here is the check
other.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
    insert into extras_tag (id, name, slug, color, description, weight, created, last_updated)
    select iif(i % 10, i, 300000000 + i), 'T' || i, 't' || i, '9e9e9e', '', 1000, '2025-01-01', '2025-01-01' from n;
  create table filler (id integer primary key, bytes blob)`)
store.db.touchAll()

test('each row is in one range, ids of kits too, and no range is long', () => {
  const ranges: Range[] = []
  const ids = inRanges(store, 'extras_tag', (range) => {
    ranges.push(range)
    return store.db.all<{ id: number }>('select id from extras_tag where id between :from and :to', range)
  }).map(({ id }) => id)
  assert.deepEqual(ids, other.prepare('select id from extras_tag order by id').pluck().all())
  assert.equal(ranges.length, 3)
  assert.equal(ranges[0]!.from, 0)
  for (const [i, { from }] of ranges.entries()) assert.ok(i === 0 || from === ranges[i - 1]!.to + 1)
})

test('whatever is written while a check runs, the log stays bounded, and nothing is found that is not wrong', () => {
  const write = other.prepare('insert or replace into filler values (?, zeroblob(2000000))')
  let [written, largest, n] = [0, 0, 0]
  onPiece(() => {
    largest = Math.max(largest, statSync(`${file}-wal`).size)
    if (n < 225) write.run(n++ % 5)
    written = n * 2_000_000
  })
  for (const { name, run } of checks) {
    if (name === 'keys' || name === 'search') continue // the tags above were written past them
    assert.deepEqual(run(store, false).problems, [], name)
  }
  n = 0
  assert.ok(isSound(store, 0), 'a large file is looked at in pieces')
  onPiece(() => {})
  assert.ok(written > 4 * LogLimit, `${written} bytes were written`)
  assert.ok(largest < LogLimit + 8_000_000, `the log had ${largest} bytes`)
})

test('counts that change while they are looked at are not taken for wrong, and wrong ones are found', async () => {
  const counts = checks.find(({ name }) => name === 'counts')!
  const prefixes = Array.from({ length: 40 }, (_, i) => ({ prefix: `10.${i}.0.0/16` }))
  assert.equal((await call('POST', '/api/ipam/prefixes/', prefixes)).status, 201)
  store.db.run("update count_upto set id = 40 where name = 'ipam_prefix'")
  store.db.run("insert into count_ipam_prefix (status, n) values ('active', 40)")
  let n = 0
  onPiece(() => {
    if (n++ < 40) other.exec(`update ipam_prefix set status = 'reserved' where id = ${n}`)
  })
  assert.deepEqual(counts.run(store, false).problems, [])
  onPiece(() => {})
  other.exec("update count_ipam_prefix set n = n + 1 where status = 'active'")
  assert.deepEqual(counts.run(store, false).problems, ['ipam.prefix: 2 kept counts are wrong'])
})

test('a large table is looked at row by row: what an index lacks, or has too many of, is found', () => {
  const raw = new Database(join(scratch(), 'damaged.db'))
  raw.exec(`create table t (id integer primary key, a text, b integer);
    create index a_ix on t (a, b);
    create unique index b_ix on t (b);
    create index part_ix on t (a) where b > 10;
    create table other (id integer primary key, a text);
    create index expression_ix on other (lower(a));
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
      insert into t select i, 'a' || (i % 7), nullif(i, 5) from n;
    insert into other select id, a from t;`)
  const damaged = { ...store, db: new Connection(raw) }
  const faults = (table = 't') => faultsOf(damaged, table, 10)
  assert.deepEqual(faults(), [])
  assert.deepEqual([faults('other'), faultsOf(damaged, 't')], [undefined, undefined], 'left to SQLite')
  /** Does something while SQLite does not know of an index. */
  const without = (index: string, work: string) => {
    raw.unsafeMode(true)
    raw.exec(`pragma writable_schema = on; create table hidden as select * from sqlite_schema where name = '${index}';
      delete from sqlite_schema where name = '${index}'; pragma writable_schema = reset`)
    raw.exec(work)
    raw.exec(`pragma writable_schema = on; insert into sqlite_schema select * from hidden; drop table hidden;
      pragma writable_schema = reset`)
  }
  raw.exec('begin')
  without('a_ix', "update t set a = 'other' where id = 25000")
  assert.deepEqual(faults(), ['row 25000 missing from index a_ix'])
  raw.exec('rollback; begin')
  without('part_ix', "insert into t values (30001, 'x', 30001)")
  assert.deepEqual(faults(), ['row 30001 missing from index part_ix'])
  raw.exec('rollback; begin')
  without('b_ix', 'delete from t where id = 7')
  assert.deepEqual(faults(), ['wrong # of entries in index b_ix'])
  raw.exec('rollback')
  assert.deepEqual(faults(), [])
  raw.close()
})
