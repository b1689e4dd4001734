import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitsSql, matchOf } from '../../src/engine/search.ts'
import { searching } from '../../src/services/search-checks.ts'
import { mergeSegments } from '../../src/services/search-merging.ts'
import { ensureSearch, searchState } from '../../src/store/search-index.ts'
import { creating, serve } from '../support/server.ts'

const { call, running } = await serve()
const { store } = running
const { db } = store
db.raw.pragma('synchronous = off')
const create = creating({ call })

const segments = () => db.get<{ n: number }>('select count(distinct segid) as n from search_idx')!.n
const words = (id: number) =>
  Array.from({ length: 80 }, (_, i) => ((id + 7) ** 3 * (i + 11) ** 3).toString(36)).join(' ')
const found = (text: string) => db.all(hitsSql, { ...matchOf(text, 'part'), limit: 1000, offset: 0 }).length

test('segments of the index are merged until few are left, and searches find the same', async () => {
  const sites: { id: number }[] = await create(
    'dcim/sites',
    Array.from({ length: 40 }, (_, i) => ({ name: `site ${i}`, slug: `s${i}` })),
  )
  // Each change leaves few else; now sixteen are merged, and ten are left.
  for (const setting of ["'usermerge', 16", "'deletemerge', 0"])
    db.raw.exec(`insert into search(search, rank) values (${setting})`)
  for (let round = 4; round < 30; round++)
    await call(
      'PATCH',
      '/api/dcim/sites/',
      sites.map(({ id }) => ({ id, description: `round ${round} of ${id}`, comments: `note ${round} ${words(id)}` })),
    )
  const before = [found('round 29'), found('round 28'), found('site'), found('note 29')]
  assert.deepEqual(before, [40, 0, 40, 40])
  const many = segments()
  assert.ok(many > 6, `${many}`)
  assert.equal(ensureSearch(db.raw), false)
  assert.ok((await mergeSegments(store)) > 0)
  assert.ok(segments() < many && segments() <= 6, `${segments()} of ${many}`)
  assert.deepEqual([found('round 29'), found('round 28'), found('site'), found('note 29')], before)
  const state = searchState(db.raw)
  assert.equal(await mergeSegments(store), 0)
  assert.deepEqual(searchState(db.raw), state)
  assert.deepEqual(searching(store, false).problems, [])
})

test('an index that an earlier release made is merged in the same way', () => {
  const config = () =>
    db.all<{ k: string; v: number }>("select k, v from search_config where k like '%merge' order by k")
  const now = config()
  assert.deepEqual(now, [
    { k: 'automerge', v: 0 },
    { k: 'deletemerge', v: 50 },
    { k: 'usermerge', v: 4 },
  ])
  for (const { k, v } of [
    { k: 'automerge', v: 16 },
    { k: 'usermerge', v: 2 },
    { k: 'deletemerge', v: 10 },
  ]) {
    db.raw.exec(`insert into search(search, rank) values ('${k}', ${v})`)
    assert.equal(ensureSearch(db.raw), false)
    assert.deepEqual(config(), now)
  }
})
