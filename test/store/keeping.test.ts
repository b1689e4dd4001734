import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keeping } from '../../src/store/keeping.ts'

/** A keeping of tables a to d, of which those in `empty` hold no row; `said` is what it asked for. */
function keeping(...empty: string[]) {
  const said: string[] = []
  const state = { empty: new Set(empty), isWithin: true }
  const tables = new Set(['a', 'b', 'c', 'd'])
  const of = new Keeping(tables, {
    begin: (those) => void said.push(`begin ${those.join('')}`),
    follow: (those) => void said.push(`follow ${those.join('')}`),
    emptyOf: (those) => those.filter((each) => state.empty.has(each)),
    isWithin: () => state.isWithin,
  })
  return { of, state, told: () => said.splice(0).join(', ') }
}

test('a table is begun before its first write, and once; others are none of its business', () => {
  const { of, told } = keeping()
  of.before('a')
  of.before('a')
  of.before('other')
  assert.equal(told(), 'begin a')
  of.done()
  of.before('a')
  assert.equal(told(), '')
})

test('an empty table is only followed in its step, and begun in the next one', () => {
  const { of, state, told } = keeping('a')
  of.before('a')
  state.empty.clear()
  of.before('a')
  assert.equal(told(), 'follow a')
  of.endStep()
  of.before('a')
  of.before('a')
  assert.equal(told(), 'begin a')
})

test('what changes or deletes rows of an empty table is passed over, and what adds some is not', () => {
  const { of, state, told } = keeping('a')
  of.before('a', false)
  assert.equal(told(), '')
  of.before('a')
  of.before('a', false)
  assert.equal(told(), 'follow a')
  state.empty.clear()
  of.done()
  of.before('a', false)
  assert.equal(told(), 'begin a')
})

test('outside a transaction, and where nobody knows the table, all is begun', () => {
  const { of, state, told } = keeping('a', 'b', 'c')
  of.before('a')
  of.before(undefined)
  assert.equal(told(), 'follow a, begin abcd')
  const alone = keeping('a')
  alone.state.isWithin = false
  alone.of.before('a')
  assert.equal(alone.told(), 'begin a')
  assert.equal(state.isWithin, true)
})

test('what was begun in what is taken back is begun again, and nothing else', () => {
  const { of, told } = keeping('b')
  of.before('a')
  const mark = of.count
  of.before('b')
  of.before('c')
  of.forget(mark)
  told()
  for (const table of ['a', 'b', 'c']) of.before(table)
  assert.equal(told(), 'follow b, begin c')
})

test('a step that ends in what is taken back leaves nothing that is not begun', () => {
  const { of, state, told } = keeping('a')
  of.before('a')
  state.empty.clear()
  const mark = of.count
  of.endStep()
  of.before('a')
  of.forget(mark)
  of.before('a')
  assert.equal(told(), 'follow a, begin a, begin a')
})

test('before much that may be taken back, what holds rows is begun, so many at once', () => {
  const { of, told } = keeping('b')
  assert.equal(of.more(2), true)
  assert.equal(of.more(2), false)
  assert.equal(of.more(2), false)
  assert.equal(told(), 'begin ac, begin d')
})
