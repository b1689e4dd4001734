import { AnsweredElsewhere } from '../lib/answered-elsewhere.ts'
import type { Connection } from '../store/database.ts'
import { threadTime } from '../lib/thread-time.ts'

/** What ends work that another thread is to do instead, from the beginning. */
export class TooLongHere extends AnsweredElsewhere {}

/** Milliseconds that a write may take in the thread that answers everybody. */
const MaxHere = 25
/** Rows that one statement may take there. */
const MaxRows = 1000
/**
 * Objects that a write brings, and that one deletes with all that goes with them, past which it is not begun there
 * while nothing is known of its kind.
 */
const [MaxObjects, MaxDeleted] = [200, 20]
/** Milliseconds between two looks once it took as long by the clock. */
const Pause = 5

interface Move {
  to: (body: Buffer) => void
  most: number
  isKnown: boolean
  body: Buffer
  /** It is not begun again in a transaction that goes on without it. */
  isTooLong: boolean
}
const moves = new WeakMap<object, Move>()

/**
 * Allows that a request is given away whose write takes more than `most` milliseconds, by the clock twice as many; by
 * what its answer would be written to. `isKnown`: it is known what such writes take.
 */
export const mayHandOn = (outgoing: object, to: Move['to'], isKnown: boolean, most = MaxHere): void => {
  moves.set(outgoing, { to, most, isKnown, body: Buffer.alloc(0), isTooLong: false })
}

/** Keeps the body that was read of a request for whoever may get it. */
export const keepBody = (outgoing: object, body: Buffer): void => {
  const move = moves.get(outgoing)
  if (move) move.body = body
}

/** Says how many objects a request brings or names. */
export const noteObjects = (outgoing: object, method: string, count: number): void => {
  const move = moves.get(outgoing)
  if (move && !move.isKnown) move.isTooLong = count > (method === 'DELETE' ? MaxDeleted : MaxObjects)
}

/** Gives a request away that `TooLongHere` ended: its answer comes from elsewhere. */
export function handOn(outgoing: object): void {
  const { to, body } = moves.get(outgoing)!
  moves.delete(outgoing)
  to(body)
}

/**
 * Does the first write of a request that may be given away. Throws `TooLongHere` between two statements where it takes
 * too long; what it did by then is to be undone. `used`: the thread's time (ms) when it began.
 */
export function brieflyHere<T>(db: Connection, outgoing: object | undefined, used: number, work: () => T): T {
  const move = outgoing && moves.get(outgoing)
  if (!move) return work()
  if (move.isTooLong) throw new TooLongHere()
  const { most } = move
  const began = performance.now()
  let look = began + most
  const check = (rows = 0) => {
    const now = performance.now()
    if (now < look && rows <= MaxRows) return
    look = now + Pause
    move.isTooLong ||= rows > MaxRows || now - began > 2 * most || threadTime() - used > most
    if (move.isTooLong) throw new TooLongHere()
  }
  db.pace = { rows: MaxRows, check }
  try {
    const value = work()
    if (move.isTooLong) throw new TooLongHere() // whoever caught the first one did not mean it
    moves.delete(outgoing!) // what is written cannot be done again
    return value
  } finally {
    db.pace = undefined
  }
}
