import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { estimate } from '../../src/store/statistics.ts'

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
