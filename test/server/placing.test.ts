import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Costs } from '../../src/server/costs.ts'
import { guessOf, isForFirst, isLongWrite, mayRewrite, type Placing, placingOf } from '../../src/server/placing.ts'

/** Where a read of some milliseconds is answered, by what the threads and the machine are at. */
const quiet = { isRelieved: false, isFull: false }
const busy = { isRelieved: true, isFull: false }
const full = { isRelieved: true, isFull: true }
const none = { isUp: false, isFree: false }
const free = { isUp: true, isFree: true }
const working = { isUp: true, isFree: false }
const cases: [string, number | undefined, typeof none, typeof quiet, Placing][] = [
  ['of nothing known, and no thread', undefined, none, full, 'here'],
  ['of nothing known', undefined, working, quiet, 'thread'],
  ['one that is done sooner than handed over', 0.5, free, full, 'here'],
  ['a quick one', 1, free, busy, 'here'],
  ['a quick one that a thread has time for', 1, free, full, 'thread'],
  ['a quick one while threads work', 1, working, full, 'here'],
  ['a quick one, the first that is too much', 1, none, full, 'next'],
  ['one of some time', 3, free, quiet, 'here'],
  ['one of some time beside others', 3, working, busy, 'thread'],
  ['one that others notice', 6, free, quiet, 'thread'],
  ['one that others notice, and no thread has time', 6, working, quiet, 'here'],
  ['a slow one', 20, working, quiet, 'thread'],
  ['the first slow one', 20, none, quiet, 'next'],
  ['the first one that others would wait for long', 200, none, quiet, 'thread'],
]
for (const [name, cost, threads, load, where] of cases)
  test(`${name}: ${where}`, () => assert.equal(placingOf(cost, threads, load), where))

test('a write that others would notice is handed over where the thread for that is up, a long one always', () => {
  assert.deepEqual(
    [undefined, 5, 15, 30].map((cost) => [isLongWrite(cost, false, false), isLongWrite(cost, false, true)]),
    [
      [false, false],
      [false, false],
      [false, true],
      [true, true],
    ],
  )
})

test('so is one with a large body of which little is known, though it seems to take little', () => {
  const isLongAfter = (...times: number[]) => {
    const costs = new Costs()
    for (const ms of times) costs.note('PATCH', ms)
    return isLongWrite(costs.of('PATCH'), !costs.isSure('PATCH'), true)
  }
  assert.deepEqual(
    [[], [30], [30, 30], [1], [1, 1]].map((times) => isLongAfter(...times)),
    [true, true, true, true, false],
  )
})

test('a custom field may change the rows of whole tables, whatever others took', () => {
  const paths = [
    '/api/extras/custom-fields/',
    '/api/extras/custom-fields/7/',
    '/extras/custom-fields/add/',
    '/extras/custom-fields/7/delete/',
    '/api/extras/custom-field-choice-sets/',
    '/api/dcim/sites/',
  ]
  assert.deepEqual(paths.map(mayRewrite), [true, true, true, true, false, false])
})

test('what only the first thread answers is known however it is written', () => {
  const its = [
    '/login/',
    '/./login/',
    '/x/../login/',
    '/x/%2E%2e/login/',
    '/x\\..\\login/',
    '/api/dcim/sites/?at=2020-01-01',
    '/api/dcim/sites/?q=x&%61t=2020-01-01',
    '/api/dcim/sites/?a%74=2020-01-01',
    '/api/dcim/sites/?%61%74',
    '/api/dcim/sites/?at&q=x',
  ]
  const others = ['/', '/api/dcim/sites/?cat=1&at_site=2&state=..%2e', '/dcim/logins/', '/api/dcim/sites/1/?q=at=1/../']
  assert.deepEqual(
    its.filter((path) => !isForFirst(path)),
    [],
  )
  assert.deepEqual(others.filter(isForFirst), [])
})

const small = () => 1000
const large = () => 1_000_000

test('files of whole lists are known to take long before the first was asked for', () => {
  for (const path of ['/dcim/sites/export/?_as=csv', '/dcim/sites/export/?status=active&_as=yaml&_of=shown'])
    assert.equal(placingOf(guessOf(path, small), none, quiet), 'thread', path)
  for (const path of ['/dcim/sites/export/', '/dcim/sites/?_as=csv', '/api/dcim/sites/?q=/export/'])
    assert.equal(guessOf(path, small), undefined, path)
})

test('so are searches of large tables, and lists of them that are sorted or far from their beginning', () => {
  for (const query of [
    'q=a',
    'limit=50&ordering=-name',
    'sort=name',
    'name__ic=a',
    'name__niew=a',
    'serial__iregex=a',
    'cf_x=1',
    'limit=50&offset=160000',
    'page=4000',
    'page=200&per_page=1000',
    'limit=1000',
    'limit=0&brief=1',
  ]) {
    assert.equal(placingOf(guessOf(`/api/dcim/devices/?${query}`, large), none, quiet), 'thread', query)
    assert.equal(guessOf(`/api/dcim/devices/?${query}`, small), undefined, query)
  }
  for (const path of [
    '/api/dcim/devices/',
    '/api/dcim/devices/?site_id=1&limit=50&offset=100',
    '/api/dcim/devices/?limit=500',
    '/api/dcim/devices/?name__n=a&reorder=1&seq=2',
    '/api/dcim/devices/?limit=50&offset=100000',
    '/dcim/devices/?page=2',
    '/dcim/devices/?page=200',
  ])
    assert.equal(guessOf(path, large), undefined, path)
})
