import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'

/**
 * Writes that come at once share a transaction; each is refused for itself, and only then are they done with
 * savepoints.
 */
const { call, running } = await serve()
const { commit, db } = running.store
db.raw.pragma('synchronous = off')

const names = (): string[] =>
  db.raw.prepare("select name from dcim_site where name like 'G%' order by name").pluck().all() as string[]
const insert = (name: string) =>
  db.run("insert into dcim_site (name, name_sort, slug) values (?, x'00', ?)", name, name)

test('brief works of one transaction: what all did is kept, and done once where none fails', async () => {
  let runs = 0
  const work = (name: string) => () => {
    runs++
    insert(name)
    return name
  }
  const done = await Promise.all(['G1', 'G2', 'G3'].map((name) => commit.run(work(name), '', 'brief')))
  assert.deepEqual(done, ['G1', 'G2', 'G3'])
  assert.deepEqual(names(), ['G1', 'G2', 'G3'])
  assert.equal(runs, 3)
})

test('one that fails takes nothing of the others along, and leaves nothing', async () => {
  const failing = () => {
    insert('Gone')
    throw new Error('refused')
  }
  for (let round = 0; round < 3; round++) {
    const [first, bad, last] = await Promise.allSettled([
      commit.run(() => insert(`G4 ${round}`), '', 'brief'),
      commit.run(failing, '', 'brief'),
      commit.run(() => insert(`G5 ${round}`), '', 'brief'),
    ])
    assert.equal(first!.status, 'fulfilled')
    assert.equal((bad as PromiseRejectedResult).reason.message, 'refused')
    assert.equal(last!.status, 'fulfilled')
  }
  assert.deepEqual(names(), ['G1', 'G2', 'G3', 'G4 0', 'G4 1', 'G4 2', 'G5 0', 'G5 1', 'G5 2'])
})

test('objects that are made at once, some of them refused', async () => {
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        call('POST', '/api/dcim/manufacturers/', {
          name: `M ${round} ${i}`,
          slug: i % 6 === 5 && round % 2 ? 'not a slug' : `m-${round}-${i}`,
        }),
      ),
    )
    for (const [i, { status }] of replies.entries()) assert.equal(status, i % 6 === 5 && round % 2 ? 400 : 201)
  }
  const { json } = await call('GET', '/api/dcim/manufacturers/?limit=100&brief=true')
  assert.equal(json.count, 4 * 12 - 2 * 2)
  const changes = await call('GET', '/api/core/object-changes/?changed_object_type=dcim.manufacturer&limit=1')
  assert.equal(changes.json.count, json.count)
  const found = await call('GET', '/api/dcim/manufacturers/?q=M 1&limit=100')
  assert.equal(found.json.count, 10)
})

test('writers that each wait for their answer come to share transactions', async () => {
  const took: number[] = []
  const before = commit.took
  commit.took = (works) => void took.push(works)
  const writer = async (n: number) => {
    for (let i = 0; i < 50; i++) await commit.run(() => insert(`W ${n} ${i}`), '', 'brief')
  }
  try {
    await Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)))
  } finally {
    commit.took = before
  }
  assert.equal(
    took.reduce((sum, works) => sum + works, 0),
    300,
  )
  assert.ok(Math.max(...took) > 1, took.join())
  assert.equal(db.raw.prepare("select count(*) from dcim_site where name like 'W %'").pluck().get(), 300)
})

test('tables are kept since before tentative work, and still once it is taken back', async () => {
  const kept = () => db.raw.prepare("select count(*) from temp.sqlite_master where type = 'trigger'").pluck().get()
  const failing = () => {
    insert('Gone')
    throw new Error('refused')
  }
  const before = kept()
  await assert.rejects(commit.run(failing))
  assert.equal(kept(), before)
  let meanwhile: unknown
  const tried = () => {
    meanwhile = kept()
    failing()
  }
  await assert.rejects(commit.run(tried, '', 'tentative'))
  assert.ok((kept() as number) > (before as number))
  assert.equal(meanwhile, kept())
})
