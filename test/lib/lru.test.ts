import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lru } from '../../src/lib/lru.ts'
import { Random, seedOf } from '../support/random.ts'

test('past its size a map forgets what nobody asked for, the oldest first', () => {
  const map = new Lru<string, number>(3)
  for (const [i, key] of ['a', 'b', 'c'].entries()) map.set(key, i)
  assert.equal(map.get('a'), 0)
  map.set('d', 3)
  assert.deepEqual([...map.values()], [2, 0, 3])
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
    [0, undefined, 2, 3],
  )
  map.set('c', 9)
  assert.equal(map.get('c'), 9)
  map.delete('a')
  assert.deepEqual([map.get('a'), [...map.values()].length], [undefined, 2])
})

test('a map whose entries are all asked for forgets one all the same', () => {
  for (const size of [1, 2, 30]) {
    const map = new Lru<number, number>(size)
    for (let i = 0; i < 100; i++) {
      map.set(i, i)
      for (let j = 0; j <= i; j++) map.get(j)
      assert.equal([...map.values()].length, Math.min(i + 1, size))
      assert.equal(map.get(i), i)
    }
  }
})

test('whoever makes a map hears of what is forgotten and of what is replaced', () => {
  const heard: number[] = []
  const map = new Lru<string, number>(2, (value) => heard.push(value))
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  assert.deepEqual(heard, [1])
  map.set('c', 4)
  assert.deepEqual(heard, [1, 2])
  assert.deepEqual(map.values(), [3, 4])
})

test('whatever is set, asked for, deleted and cleared, it forgets what a list of all in their order would', () => {
  const seed = seedOf()
  const random = new Random(seed)
  for (const max of [1, 3, 40]) {
    const map = new Lru<number, number>(max)
    let all: { key: number; value: number; isAsked: boolean }[] = []
    for (let i = 0; i < 4000; i++) {
      const key = random.below(2 * max + 2)
      const known = all.find((each) => each.key === key)
      const what = random.below(100)
      if (what < 45) {
        assert.equal(map.get(key), known?.value, `seed ${seed}`)
        if (known) known.isAsked = true
      } else if (what < 90) {
        map.set(key, i)
        if (known) Object.assign(known, { value: i, isAsked: true })
        else {
          for (let passed = 0; all.length >= max; ) {
            const first = all.shift()!
            if (!first.isAsked || passed++ === 16) break
            all.push({ ...first, isAsked: false })
          }
          all.push({ key, value: i, isAsked: false })
        }
      } else if (what < 99) {
        map.delete(key)
        all = all.filter((each) => each !== known)
      } else {
        map.clear()
        all = []
      }
      assert.deepEqual(
        map.values(),
        all.map(({ value }) => value),
        `seed ${seed}`,
      )
    }
  }
})

test('long keys are forgotten before they take much memory', () => {
  const map = new Lru<string, number>(1000)
  const keyOf = (i: number) => `${i} ${'x'.repeat(60_000)}`
  for (let i = 0; i < 500; i++) map.set(keyOf(i), i)
  assert.ok(map.size < 70, `${map.size}`)
  assert.equal(map.get(keyOf(499)), 499)
  for (let i = 0; i < 500; i++) map.delete(keyOf(i))
  assert.equal(map.size, 0)
  for (let i = 0; i < 60; i++) map.set(keyOf(i), i)
  assert.equal(map.size, 60, 'what is deleted counts no more')
})
