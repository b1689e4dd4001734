import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptCounts } from '../../src/services/count-checks.ts'
import { searching } from '../../src/services/search-checks.ts'
import { rebuildCounts } from '../../src/store/kept-counts.ts'
import { serve } from '../support/server.ts'

/**
 * What follows from rows that are added is noted later, for many at once: by the journal, the index of the search and
 * the counts.
 */
const { running, call } = await serve()
const { store } = running
const { db, commit } = store

const address = (i: number) => `10.9.8.${i}/32`
const add = (i: number, id?: number) =>
  db.run(
    `insert into ipam_ipaddress (${id ? 'id, ' : ''}address, address_host, address_mask, status, dns_name)
     values (${id ? '?, ' : ''}?, ?, 32, 'active', ?)`,
    ...(id ? [id] : []),
    address(i),
    Buffer.from([10, 9, 8, i]),
    `host${i}.example`,
  )
const names = (): string[] =>
  (db.raw.prepare('select dns_name from ipam_ipaddress order by id').pluck().all() as string[]).map(
    (n) => n.split('.')[0]!,
  )
/** Rows of the journal by step, each with whether it was there before. */
const journal = (): string[] =>
  db.raw
    .prepare(
      `select r.row_id || case when r.before is null then ' new' else ' was ' || json_extract(r.before, '$[0]') end
       from history_row r join history_shape s on s.id = r.shape where s.name = 'ipam_ipaddress'
         and r.step = (select max(id) from history_step) order by 1`,
    )
    .pluck()
    .all() as string[]
async function agree(when: string): Promise<void> {
  assert.deepEqual(keptCounts(store, false).problems, [], `${when}: counts`)
  assert.deepEqual(searching(store, false).problems, [], `${when}: search`)
  const { json } = await call('GET', '/api/ipam/ip-addresses/?dns_name__ic=.example&limit=100')
  assert.deepEqual(
    (json.results as { dns_name: string }[]).map((each) => each.dns_name.split('.')[0]).toSorted(),
    names().toSorted(),
    when,
  )
}

test('rows that are added, changed and deleted in one transaction', async () => {
  commit.now(() => {
    for (let i = 1; i <= 5; i++) add(i)
    db.run("update ipam_ipaddress set dns_name = 'changed.example' where id = ?", 2)
    db.run('delete from ipam_ipaddress where id = ?', 3)
    add(6)
  })
  assert.deepEqual(names(), ['host1', 'changed', 'host4', 'host5', 'host6'])
  assert.deepEqual(journal(), ['1 new', '2 new', '3 new', '4 new', '5 new', '6 new'])
  await agree('added')
})

test('of a savepoint that is undone nothing is noted', async () => {
  commit.now(() => {
    add(7)
    assert.throws(() =>
      db.within(() => {
        add(8)
        db.within(() => add(9))
        throw new Error('undone')
      }),
    )
    add(10)
  })
  assert.deepEqual(names(), ['host1', 'changed', 'host4', 'host5', 'host6', 'host7', 'host10'])
  assert.equal(journal().length, 2)
  await agree('undone in part')
  assert.throws(() =>
    commit.now(() => {
      add(11)
      throw new Error('undone')
    }),
  )
  await agree('undone')
})

test('a row under an id of its own, among those that are counted', async () => {
  rebuildCounts(db.raw)
  commit.now(() => db.run('delete from ipam_ipaddress where id = ?', 4))
  commit.now(() => {
    add(4, 4)
    db.run("update ipam_ipaddress set status = 'reserved' where id = ?", 4)
  })
  assert.deepEqual(journal(), ['4 new'])
  await agree('again')
  commit.now(() => {
    db.run('delete from ipam_ipaddress where id = ?', 4)
    add(4, 4)
  })
  assert.deepEqual(journal(), ['4 was 4'])
  await agree('deleted and added again')
})

test('rows of a SELECT, and rows that are written outside of transactions', async () => {
  commit.now(() =>
    db.run(`insert into ipam_ipaddress (address, address_host, address_mask, status, dns_name)
      select '10.9.9.' || value || '/32', x'0a0909' || unhex(printf('%02x', value)), 32, 'active',
          'many' || value || '.example'
      from json_each('[1,2,3]')`),
  )
  assert.equal(journal().filter((each) => each.endsWith('new')).length, 3)
  await agree('many')
  add(20)
  commit.now(() => add(21))
  await agree('alone')
})

test('what may have replaced a row is refused', () => {
  assert.throws(
    () =>
      db.run(
        'insert or replace into ipam_ipaddress (id, address, address_host, address_mask, status) values (1, ' +
          "'', x'', 1, '')",
      ),
    /whether a row/,
  )
})
