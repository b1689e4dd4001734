import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Server } from 'node:http'
import { Board } from '../../src/server/board.ts'
import { burdenOf, Demand } from '../../src/server/demand.ts'

/** The boards of some threads that share one, with a server each. */
function threads(count: number) {
  const first = Board.of(count)
  return Array.from({ length: count }, (_, i) => {
    const board = i === 0 ? first : new Board(first.data, i)
    const server = new Server()
    board.watch(server)
    board.accepts = true
    return { board, connect: (times: number) => Array.from({ length: times }, () => opened(server)) }
  })
}

/** A connection of a server; calling it closes it. */
function opened(server: Server): () => void {
  let close = (): void => {}
  server.emit('connection', { once: (_: string, closing: () => void) => (close = closing), on: () => {}, destroy() {} })
  return () => close()
}

test('a thread gives connections away while it has two more than another, one at a time', () => {
  const [one, two] = threads(2) as [ReturnType<typeof threads>[0], ReturnType<typeof threads>[0]]
  const [last] = one.connect(5)
  two.connect(3)
  assert.deepEqual([one.board.givesAway(100), one.board.givesAway(102), one.board.givesAway(110)], [true, false, true])
  assert.equal(two.board.givesAway(100), false)
  last!()
  assert.equal(one.board.givesAway(200), false, 'one more is no reason')
})

test('what a thread does besides counts like connections', () => {
  const [one, two] = threads(2) as [ReturnType<typeof threads>[0], ReturnType<typeof threads>[0]]
  one.connect(4)
  two.connect(4)
  assert.equal(one.board.connections, 8)
  one.board.burden = 2
  assert.deepEqual([one.board.givesAway(100), two.board.givesAway(100)], [true, false])
  one.board.burden = 0
  assert.deepEqual([one.board.givesAway(200), two.board.givesAway(200)], [false, false])
  two.board.clear(0)
  assert.equal(two.board.connections, 4)
})

test('the only connection stays where it is, whatever it writes', () => {
  const [one] = threads(2) as [ReturnType<typeof threads>[0], ReturnType<typeof threads>[0]]
  one.connect(1)
  one.board.burden = burdenOf(0.39, one.board.connections, 2)
  assert.equal(one.board.givesAway(100), false)
})

test('who writes half of the time gets half as many connections as others', () => {
  const half = 0.5 / 2.5 // with the requests, commits and answers of the writes
  assert.ok(Math.abs(burdenOf(half, 6, 2) - 2) < 1e-9, '2 of its own and 2 besides, 4 of the other')
  assert.ok(Math.abs(burdenOf(half, 14, 4) - 2) < 1e-9, '2, and 4 of each other')
  assert.equal(burdenOf(0, 8, 2), 0)
  assert.equal(burdenOf(1, 8, 2), 8, 'all of the time: it gets none')
  assert.equal(burdenOf(1, 8, 1), 0, 'there is nobody else')
})

test('a thread that takes no more connections gives all of them away, and gets none', () => {
  const [one, two] = threads(2) as [ReturnType<typeof threads>[0], ReturnType<typeof threads>[0]]
  one.connect(9)
  two.board.accepts = false
  two.connect(1)
  assert.equal(one.board.givesAway(100), false)
  assert.deepEqual([two.board.givesAway(100), two.board.givesAway(100)], [true, true])
})

test('the connections of an address are counted over all threads, until its thread is gone', () => {
  const [one, two] = threads(2) as [ReturnType<typeof threads>[0], ReturnType<typeof threads>[0]]
  const place = one.board.placeOf('192.0.2.1')
  assert.equal(two.board.placeOf('192.0.2.1'), place)
  one.board.note(place, 1)
  two.board.note(place, 1)
  two.board.note(place, 1)
  assert.equal(one.board.count(place), 3)
  one.board.clear(1)
  assert.equal(two.board.count(place), 1)
})

test('one more thread takes connections where the first one is full of reads for long, and a core is free', () => {
  const full = { busy: 1, reading: 0.8, idle: 0.9, threads: 0, others: 0 }
  const looks = (...seen: Partial<typeof full>[]) => {
    const demand = new Demand()
    return seen.map((each) => demand.look({ ...full, ...each }))
  }
  assert.deepEqual(looks({}, {}, {}, {}), [undefined, undefined, undefined, 'more'])
  assert.deepEqual(looks({}, {}, {}, { busy: 0.5 }, {}), Array(5).fill(undefined), 'not for a moment')
  assert.deepEqual(looks(...Array(9).fill({ reading: 0.1 })), Array(9).fill(undefined), 'not for writes')
  assert.deepEqual(looks(...Array(9).fill({ idle: 0.2 })), Array(9).fill(undefined), 'not without a core')
})

test('one less does where all that they do is half of what the others could', () => {
  const demand = new Demand()
  const calm = { busy: 0.2, reading: 0.1, idle: 1.5, threads: 1, others: 0.1 }
  const said = Array.from({ length: 121 }, () => demand.look(calm))
  assert.deepEqual([said.indexOf('fewer'), said.lastIndexOf('fewer')], [119, 119])
  assert.ok(Array.from({ length: 300 }, () => demand.look({ ...calm, others: 0.6 })).every((each) => !each))
})
