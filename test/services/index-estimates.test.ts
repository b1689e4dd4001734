import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { estimateGrown } from '../../src/services/index-estimates.ts'
import { Growth } from '../../src/store/statistics.ts'
import { serve } from '../support/server.ts'

const { call, running } = await serve()
const { store } = running
const { raw } = store.db
raw.exec('drop table if exists sqlite_stat1; drop table if exists sqlite_stat4')

const fill = (from: number, to: number) =>
  raw.exec(`with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
    insert into dcim_region
      (id, name, slug, description, comments, custom_field_data, _depth, _place, created, last_updated)
    select i, 'R' || i, 'r' || i, '', '', '{}', 0, i, '2025-01-01', '2025-01-01' from n`)

test('what has grown while a server runs is estimated, and every connection plans by it', async () => {
  const other = openDatabase(raw.name, { readonly: true })
  // Of two indexes without estimates the first would do as well as the second.
  raw.exec('create index one_ix on dcim_region (description); create index two_ix on dcim_region (name)')
  const sql = "explain query plan select id from dcim_region where description = '' and +slug <> '' and name = 'R7'"
  const growth = new Growth(raw)
  const plans = [raw.prepare(sql), other.prepare(sql)].map((plan) => () => (plan.get() as { detail: string }).detail)
  for (const plan of plans) plan()
  fill(1, 4000)
  assert.equal(await estimateGrown(store, growth), 0, 'a small table needs none')
  fill(4001, 30_000)
  let [slices, isOver] = [0, false]
  const work = estimateGrown(store, growth).finally(() => {
    isOver = true
  })
  for (; !isOver && slices < 10_000; slices++)
    assert.equal((await call('PATCH', '/api/dcim/regions/7/', { description: `change ${slices}` })).status, 200)
  const indexes = await work
  assert.ok(indexes > 5 && slices > 5, `${indexes} indexes, ${slices} requests meanwhile`)
  const stat = (index: string) => raw.prepare('select stat from sqlite_stat1 where idx = ?').pluck().get(index)
  assert.match(String(stat('one_ix')), /^3\d{4} (?:1\d{4}|2\d{4}|3\d{4})$/)
  for (const plan of plans) assert.match(plan(), /two_ix/)
  assert.equal(await estimateGrown(store, growth), 0, 'nothing has grown since')
  fill(30_001, 40_000)
  assert.equal(await estimateGrown(store, growth), 0, 'a third more is not much')
  assert.equal(await estimateGrown(store, new Growth(raw)), 0, 'the next server knows')
  other.close()
})
