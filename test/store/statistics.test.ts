import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { estimate, Growth } from '../../src/store/statistics.ts'

test('values that many rows share are counted, where SQLite guesses from a part of the index', () => {
  const raw = new Database(':memory:')
  raw.exec(`create table t (id integer primary key, few text, other text, many integer, a text, b integer);
    create index few_ix on t (few);
    create index many_ix on t (many);
    create index some_ix on t (a, b) where b is not null;
    create table bare (few text, n integer, primary key (few, n)) without rowid;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into t select i, 'v' || (i % 2), '', i, 'a' || (i % 4), iif(i % 2, i, null) from n;
    insert into bare select few, id from t`)
  raw.exec('pragma analysis_limit = 100; analyze')
  const statOf = (name: string) =>
    raw.prepare('select stat from sqlite_stat1 where idx = ?').pluck().get(name) as string
  const guessed = Number(statOf('few_ix').split(' ')[1])
  assert.ok(guessed < 5000, `SQLite does not guess any more: ${guessed}`)
  const many = statOf('many_ix')
  estimate(raw)
  assert.equal(statOf('few_ix').split(' ')[1], '10000')
  assert.equal(statOf('some_ix').split(' ')[1], '5000')
  assert.equal(statOf('bare').split(' ')[1], '10000')
  assert.equal(statOf('many_ix'), many)
})

test('the history, which may be most of a database, is not counted: its estimates are fixed', () => {
  const raw = new Database(':memory:')
  raw.exec(`create table t (id integer primary key, a integer);
    create index a_ix on t (a);
    create table bare (few text, n integer, primary key (few, n)) without rowid;
    create table history_row (step integer not null, shape integer not null, row_id integer not null, before text,
      primary key (step, shape, row_id)) strict, without rowid;
    create index history_row_of_ix on history_row (shape, row_id, step);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into t select i, i from n;
    insert into bare select id % 7, id from t;
    insert into history_row select id / 10, id % 3, id, '' from t`)
  const stats = () =>
    raw.prepare("select idx || ' ' || stat from sqlite_stat1 where tbl <> 't' order by 1").pluck().all() as string[]
  for (let i = 0; i < 2; i++) {
    estimate(raw)
    assert.equal(raw.prepare("select stat from sqlite_stat1 where idx = 'a_ix'").pluck().get(), '20000 1')
    const [bare, ...history] = stats()
    assert.match(bare!, /^bare 20000 \d+ 1$/)
    assert.deepEqual(history, ['history_row 1000000 30 25 1', 'history_row_of_ix 1000000 40000 4 1'])
    raw.exec("delete from sqlite_stat1 where tbl in ('t', 'history_row')")
  }
  const plan = raw.prepare('explain query plan select before from history_row where shape = 1 and step between 5 and 6')
  assert.match((plan.get() as { detail: string }).detail, /PRIMARY KEY \(step>/)
})

test('a table is estimated again when it has ten times as many rows, until there are many', () => {
  const raw = new Database(':memory:')
  raw.exec('create table t (id integer primary key, a integer); create index a_ix on t (a)')
  const growth = new Growth(raw)
  const fill = raw.prepare(`with recursive n(i) as (select coalesce(max(id), 0) + 1 from t union all
    select i + 1 from n where i < ?) insert into t select i, 1 from n`)
  const reach = (rows: number) => {
    fill.run(rows)
    return growth.indexes()
  }
  assert.deepEqual(reach(4999), [])
  assert.deepEqual(reach(6000), ['a_ix'])
  assert.deepEqual(reach(59_000), [])
  assert.deepEqual(reach(60_000), ['a_ix'])
  assert.deepEqual(reach(700_000), ['a_ix'])
  raw.exec('insert into t values (90000000, 1)')
  assert.deepEqual(growth.indexes(), [])
})

test('a small table whose ids begin far up, as in a kit, is none that has grown', () => {
  const raw = new Database(':memory:')
  raw.exec('create table t (id integer primary key, a integer); create index a_ix on t (a)')
  const add = raw.prepare('insert into t values (?, 1)')
  for (const id of [1, 2, 1_000_000_001, 1_000_000_002]) add.run(id)
  assert.deepEqual(new Growth(raw).indexes(), [])
  for (let i = 3; i < 5000; i++) add.run(1_000_000_000 + i)
  assert.deepEqual(new Growth(raw).indexes(), ['a_ix'])
})
