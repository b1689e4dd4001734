import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { indexPast, makePast, momentOf } from '../../src/history/past.ts'
import { openAgain } from '../../src/store/open.ts'
import { Doer } from '../support/history.ts'
import { contentOf, modelsWithRows } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/** CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer. */
const seed = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 1
const random = new Random(seed)
const client = await serve()
const { store } = client.running
store.db.raw.pragma('synchronous = off')
const folder = mkdtempSync(join(tmpdir(), 'cabinet-past-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test(`the past of any moment is the copy that was taken at that moment (seed ${seed})`, async (t) => {
  const doer = new Doer(client, random)
  const place = { file: join(client.data, 'cabinet.db'), uploads: store.uploads, config: store.config }
  /** Brings the index of a state up to date, as the first search does, and looks whether it is right. */
  const demandChecked = (file: string) => {
    indexPast({ ...place, file })
    const opened = openAgain({ ...place, file }, { writes: false, threads: 1 })
    assert.deepEqual(problemsOf(opened), [])
    opened.db.raw.close()
  }
  await doer.begin()
  for (let i = 0; i < 60 * rounds; i++) await doer.one()
  const taken: { file: string; moment: string }[] = []
  for (let i = 0; i < 8 * rounds; i++) {
    for (let n = 0; n < 12; n++) await doer.one()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const file = join(folder, `taken-${i}.db`)
    store.db.raw.prepare('vacuum into ?').run(file)
    taken.push({ file, moment: new Date().toISOString() })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  // Latest first, so that each can be made of the one after it too.
  for (const [i, { file, moment }] of [...taken.entries()].reverse()) {
    const past = join(folder, `past-${i}.db`)
    const { step } = momentOf(store.db, moment)
    const [looked, later] = [join(folder, `looked-${i}.db`), join(folder, `looked-${i + 1}.db`)]
    const isOfLater = existsSync(later) && random.below(3) > 0
    await makePast(isOfLater ? { ...place, file: later } : place, step, looked)
    assert.deepEqual(contentOf(looked), contentOf(file))
    if (random.below(2) === 0) demandChecked(looked)
    if (i % 2) continue
    await makePast(place, step, past, { forGood: true })
    assert.deepEqual(contentOf(past), contentOf(file))
    const opened = openAgain({ ...place, file: past }, { writes: true, threads: 1 })
    assert.deepEqual(problemsOf(opened), [])
    opened.db.raw.close()
  }
  for (const [i] of taken.entries()) demandChecked(join(folder, `looked-${i}.db`))
  t.diagnostic(`seed ${seed}: ${JSON.stringify(doer.counts)}, ${taken.length} moments, ${modelsWithRows(store)} models`)
})
