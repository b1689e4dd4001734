import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Worker } from '../../src/services/jobs.ts'
import { enqueue } from '../../src/rules/job-queue.ts'
import { housekeep } from '../../src/services/housekeeping.ts'
import { LoginThrottle, TooManyTries } from '../../src/rules/login-throttle.ts'
import { moment } from '../support/moment.ts'
import { creating, serve } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Milliseconds by which the clock is ahead of the right time; it may be behind. */
let ahead = 0
const real = Date.now
mock.method(Date, 'now', () => real() + ahead)

const client = await serve({ pastCopies: 2 })
const { call, running } = client
const create = creating(client)
const Year = 365 * 86_400_000
async function shown(id: number, at: string): Promise<string> {
  const { status, json, text } = await call('GET', `/api/dcim/regions/${id}/?at=${at}`)
  assert.equal(status, 200, text)
  return json.description
}

test('what is written after the clock was set right has the right time, and can be looked back to', async () => {
  const { id } = await create('dcim/regions', { name: 'R', slug: 'r', description: 'before' })
  const describe = (description: string) => call('PATCH', `/api/dcim/regions/${id}/`, { description })
  ahead = 10 * Year
  await describe('far ahead')
  ahead = 0
  const began = real()
  const { last_updated } = (await describe('after')).json
  assert.ok(Math.abs(Date.parse(last_updated) - began) < 60_000, last_updated)
  assert.equal(await shown(id, await moment()), 'after')
  ahead = -5000 // as a time server does: each change is still later than the one before
  const next = (await describe('a little back')).json.last_updated
  assert.ok(next > last_updated, `${next} after ${last_updated}`)
  ahead = 0
})

test('a change made while the clock was behind is dated as the one before it, in the history', async () => {
  const { id } = await create('dcim/regions', { name: 'T', slug: 't', description: 'one' })
  const then = await moment()
  ahead = -50 * Year
  await call('PATCH', `/api/dcim/regions/${id}/`, { description: 'two' })
  ahead = 0
  assert.equal(await shown(id, then), 'two')
  await call('PATCH', `/api/dcim/regions/${id}/`, { description: 'three' })
  await housekeep(running.store)
  assert.equal(await shown(id, then), 'two')
  assert.equal(await shown(id, await moment()), 'three')
})

test('who was slowed down waits no longer because the clock was set back', () => {
  const throttle = new LoginThrottle({ loginAttemptsPerName: 1, loginAttemptsPerAddress: 0, loginDelayMax: 8 })
  const wrong = () => {
    try {
      throttle.begin('ann', '192.0.2.1')
      return 0
    } catch (error) {
      assert.ok(error instanceof TooManyTries)
      return error.seconds
    }
  }
  while (wrong() === 0);
  ahead = -Year
  assert.ok(wrong() <= 8, String(wrong()))
  ahead = 0
})

test('a job that comes again, and was put off while the clock was ahead, runs after its interval', async (t) => {
  const { store } = running
  ahead = 10 * Year
  await store.commit.run(() =>
    enqueue(store.rows, { lane: 'again:1', name: 'Again', userId: null, delay: 60_000, interval: 1 }),
  )
  ahead = 0
  let runs = 0
  const again = async () => {
    runs++
    return { status: 'completed', message: 'done' } as const
  }
  const worker = new Worker(store, { again })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  worker.start()
  t.mock.timers.tick(59_000)
  assert.equal(runs, 0)
  t.mock.timers.tick(2000)
  t.mock.timers.reset()
  await until(() => runs === 1)
  await worker.stop()
})
