import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds that something may take on a machine with much else to do. */
const Patience = 120_000

/** Asks until an answer is as wanted, `every` so many milliseconds, and fails with the last answer where none is. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isSo: (answer: T) => boolean = Boolean,
  every = 50,
): Promise<T> {
  const end = performance.now() + Patience
  let answer = await ask()
  while (!isSo(answer) && performance.now() < end) {
    await setTimeout(every)
    answer = await ask()
  }
  assert.ok(isSo(answer), `after ${Patience / 1000} s: ${JSON.stringify(answer)?.slice(0, 500)}`)
  return answer
}
