import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SoughtTexts } from '../../src/store/sought-texts.ts'
import { Random, seedOf } from '../support/random.ts'

const seed = seedOf()
const random = new Random(seed)
const text = (most: number) => Array.from({ length: random.below(most) }, () => random.pick(['a', 'b', 'c'])).join('')

test('no text that another one holds is left out, and none that was forgotten comes back', () => {
  for (const max of [1, 8, 40]) {
    const sought = new SoughtTexts<{ sought: string }>(max)
    const made: { query: string; value: { sought: string } }[] = []
    for (let i = 0; i < 300; i++) {
      const query = String(random.below(max * 2))
      const value = { sought: text(7) }
      sought.set(query, value)
      made.push({ query, value })
      const kept = new Set(made.map(({ query }) => sought.get(query)).filter((each) => each !== undefined))
      assert.ok(kept.size <= max)
      for (const other of [text(6), text(60)]) {
        const found = sought.startedIn(other)
        assert.equal(new Set(found).size, found.length, `each once (seed ${seed})`)
        for (const each of found) assert.ok(kept.has(each), `${each.sought} was forgotten (seed ${seed})`)
        for (const each of kept)
          if (other.includes(each.sought)) assert.ok(found.includes(each), `${each.sought} in ${other} (seed ${seed})`)
      }
    }
  }
})
