import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarm } from '../../src/lib/alarm.ts'

const Year = 365 * 86_400_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('an alarm rings at its moment, also where the clock is set meanwhile, unless it is called off', async (t) => {
  const real = Date.now
  let ahead = 0
  t.mock.method(Date, 'now', () => real() + ahead)
  const rung: string[] = []
  const set = (name: string, ms: number) => alarm(Date.now() + ms, () => rung.push(name), 10)
  set('tomorrow', 86_400_000)
  set('soon', 100)
  set('never', 100)()
  set('in two years', 2 * Year)
  await pause(30)
  assert.deepEqual(rung, [])
  ahead = -Year
  await pause(300)
  assert.deepEqual(rung, ['soon'])
  ahead = Year
  await pause(100)
  assert.deepEqual(rung, ['soon', 'tomorrow'])
  ahead = 3 * Year
  await pause(100)
  assert.deepEqual(rung, ['soon', 'tomorrow', 'in two years'])
})
