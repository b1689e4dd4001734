import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includesText } from '../../src/lib/find-text.ts'
import { Random, seedOf } from '../support/random.ts'

const seed = seedOf()

test(`a long text is found where the engine finds it (seed ${seed})`, () => {
  const random = new Random(seed)
  const drawn = (length: number) => Array.from({ length }, () => 'ab'[random.below(2)]).join('')
  for (let i = 0; i < 500; i++) {
    const text = drawn(random.below(400))
    const at = random.below(200)
    const sought = random.below(2) ? text.slice(at, at + 33 + random.below(60)) : drawn(33 + random.below(8))
    assert.equal(includesText(text, sought), text.includes(sought), `${text} ${sought}`)
  }
})

test('what somebody chose to be slow is looked through once', () => {
  const text = 'a'.repeat(3_000_000)
  for (const sought of [`${'a'.repeat(9000)}b`, `b${'a'.repeat(9000)}`, `${'a'.repeat(4000)}b${'a'.repeat(4000)}`])
    assert.equal(includesText(text, sought), false)
})
