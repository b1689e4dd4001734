import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { NotDone, ThreadPool } from '../../src/lib/thread-pool.ts'

/** A thread that answers after so many milliseconds, or never. */
const Code = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (job) => {
    if (job.end) throw new Error('fell over')
    if (job.ms !== undefined) setTimeout(() => parentPort.postMessage({ name: job.name, broken: job.broken }), job.ms)
  })`
interface Job {
  name: string
  ms?: number
  end?: boolean
  broken?: boolean
}
const limits = { threads: 2, timeout: 2000, waiting: 30, waitingOfOne: 10 }
const make = (changes: Partial<typeof limits> = {}) =>
  new ThreadPool<Job, { name: string }>(() => new Worker(Code, { eval: true }), { ...limits, ...changes })

test('one asker with much work does not hold up another, and all of it is done', async () => {
  const pool = make()
  const order: string[] = []
  const run = (name: string, ms: number, asker: string) => pool.run({ name, ms }, asker).then((a) => order.push(a.name))
  const many = Array.from({ length: 8 }, (_, i) => run(`a${i}`, 100, 'a'))
  await run('b', 0, 'b')
  assert.ok(order.indexOf('b') <= 1, order.join())
  await Promise.all(many)
  assert.deepEqual(
    order.filter((name) => name !== 'b'),
    Array.from({ length: 8 }, (_, i) => `a${i}`),
  )
})

test('work that is late, falls over or breaks its thread ends alone', async () => {
  const pool = make({ timeout: 500, threads: 1 })
  const outcomes = await Promise.allSettled([
    pool.run({ name: 'never' }, 'a'),
    pool.run({ name: 'falls', end: true }, 'b'),
    pool.run({ name: 'breaks', ms: 0, broken: true }, 'c'),
    pool.run({ name: 'good', ms: 0 }, 'd'),
  ])
  assert.deepEqual(
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value.name : each.reason.message)),
    ['it takes too long', 'fell over', 'breaks', 'good'],
  )
  assert.ok(outcomes.every((each) => each.status === 'fulfilled' || each.reason instanceof NotDone))
})

test('what waits is bounded, of one and of all', async () => {
  const pool = make({ waiting: 6, waitingOfOne: 2, timeout: 1000 })
  const all = await Promise.allSettled(
    ['a', 'a', 'a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map((asker) => pool.run({ name: asker, ms: 20 }, asker)),
  )
  const refused = all.flatMap((each, i) => (each.status === 'rejected' ? [i] : []))
  assert.deepEqual(refused, [3, 9])
})
