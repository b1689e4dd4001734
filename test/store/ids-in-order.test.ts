import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdsInOrder } from '../../src/store/ids-in-order.ts'
import { Random, seedOf } from '../support/random.ts'

/** Ids of each kind that a list holds: close together, far apart as those of kits are, and past four bytes. */
const kinds: Record<string, (n: number) => number> = {
  close: (n) => n + 1,
  apart: (n) => n * 1000 + 7,
  large: (n) => 2 ** 40 + n * 3,
}

for (const [kind, idOf] of Object.entries(kinds))
  test(`ids that are ${kind} stay in order while some come and go`, () => {
    const random = new Random(seedOf())
    let next = 0
    const fresh = () => idOf(next++)
    const expected = random.shuffled(Array.from({ length: 300 }, fresh))
    const list = new IdsInOrder(Float64Array.from(expected))
    const gone: number[] = []
    const put = (id: number, at: number) => {
      expected.splice(at, 0, id)
      list.add(id, at)
    }
    for (let i = 0; i < 4000; i++) {
      const roll = random.below(10)
      if (roll < 3 || expected.length < 20) put(fresh(), random.below(expected.length + 1))
      else if (roll < 4)
        put(fresh(), 5) // between the same neighbours again and again
      else if (roll < 5 && gone.length) put(gone.pop()!, random.below(expected.length + 1))
      else if (roll < 8) {
        const [id] = expected.splice(random.below(expected.length), 1)
        list.remove(id!)
        gone.push(id!)
      } else list.remove(random.chance(0.5) ? fresh() : random.pick(gone.length ? gone : [0]))
      if (i % 3) continue
      const some = [...random.shuffled(expected).slice(0, random.below(40)), ...gone.slice(0, 3), idOf(next + 9)]
      const asked = [...some, ...some.slice(0, 2)]
      const wanted = new Set(some)
      assert.deepEqual(
        [...list.inOrder(asked)],
        expected.filter((id) => wanted.has(id)),
      )
      assert.deepEqual([...list.ids.subarray(0, list.length)], expected)
    }
  })
