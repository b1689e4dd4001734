import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { copyDatabase } from '../../src/store/copy.ts'
import { scratch } from '../support/cli.ts'

test('a copy is of one moment, whatever is written and brought to the file while it is made', async () => {
  const file = join(scratch(), 'source.db')
  const source = new Database(file)
  source.pragma('journal_mode = wal')
  source.pragma('synchronous = off')
  source.exec(`create table t (id integer primary key, n integer, bytes blob);
    with recursive i(i) as (select 1 union all select i + 1 from i where i < 3000)
      insert into t select i, 0, randomblob(4000) from i`)
  source.pragma('wal_checkpoint(truncate)')
  const change = source.prepare('update t set n = n + 1, bytes = randomblob(4000) where id % 7 = ?')
  const total = source.prepare('select sum(n) from t').pluck()
  let [looks, there] = [0, 0]
  const write = (): void => {
    source.transaction(() => change.run(looks % 7))()
    source.pragma(looks++ % 2 ? 'wal_checkpoint(passive)' : 'incremental_vacuum')
  }
  const first = async () => {
    there = total.get() as number
  }
  const target = join(scratch(), 'copy.db')
  await copyDatabase(file, target, { first, seen: write })
  assert.ok(looks >= 2, `${looks} pieces`)
  const copy = new Database(target, { readonly: true })
  assert.deepEqual(copy.pragma('integrity_check', { simple: true }), 'ok')
  const copied = copy.prepare('select sum(n) from t').pluck().get() as number
  assert.equal(copied, there)
  assert.ok(copied < (total.get() as number), 'more was written')
  const groups = copy.prepare('select count(distinct n) from t group by id % 7').pluck().all()
  assert.deepEqual(groups, Array(7).fill(1), 'no transaction is half there')
  assert.equal(statSync(`${target}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0)
  copy.close()
  source.close()
})
