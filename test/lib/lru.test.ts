import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lru } from '../../src/lib/lru.ts'

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
