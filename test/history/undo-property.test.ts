import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Doer } from '../support/history.ts'
import { differences, modelsWithRows, stateOf } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/** CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer. */
const seed = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 3
const random = new Random(seed)
const client = await serve()
const { store } = client.running
store.db.raw.pragma('synchronous = off')

test(`undo of the last requests gives back the state before them (seed ${seed})`, async (t) => {
  const doer = new Doer(client, random)
  let undone = 0
  await doer.begin()
  for (let i = 0; i < 150; i++) await doer.one()
  for (let round = 0; round < rounds; round++) {
    const states: { at: number; state: Map<string, string[]> }[] = []
    const requests: string[] = []
    for (let i = 0; i < 25; i++) {
      const { step } = doer
      states.push({ at: requests.length, state: stateOf(store) })
      await doer.one()
      requests.push(...doer.requests(step))
    }
    assert.deepEqual(problemsOf(store), [], 'before the undo')
    for (let tries = 0; tries < 6 && states.length; tries++) {
      const goal = states.splice(Math.max(0, states.length - 1 - random.below(6)))[0]!
      const last = requests.splice(goal.at).reverse()
      if (last.length === 0) continue
      const atOnce = random.chance(0.5)
      for (const request_id of atOnce ? [last] : last) {
        const asked = random.chance(0.3)
          ? await client.call('POST', '/api/core/object-changes/revert/', { request_id, dry_run: true })
          : undefined
        const reply = await client.call('POST', '/api/core/object-changes/revert/', { request_id })
        const what = () =>
          store.db
            .all(
              'select action, changed_object_type, changed_object_id, object_repr from core_objectchange where ' +
                'request_id in (select value from json_each(?))',
              JSON.stringify([request_id].flat()),
            )
            .map((row) => Object.values(row as object).join(' '))
            .join('\n')
        assert.equal(reply.status, 200, `${reply.text}\n${what()}`)
        if (asked) assert.deepEqual(asked.json.changes, reply.json.changes, 'a look says what is done')
        undone += [request_id].flat().length
        assert.deepEqual(problemsOf(store), [], `check after the undo of\n${what()}`)
      }
      const other = differences(goal.state, stateOf(store))
      assert.deepEqual(
        other.slice(0, 20),
        [],
        `${other.length} rows differ after ${last.length} requests${atOnce ? ' at once' : ''}`,
      )
    }
  }
  t.diagnostic(
    `seed ${seed}: ${JSON.stringify(doer.counts)}, ${undone} requests undone, ${modelsWithRows(store)} models`,
  )
})
