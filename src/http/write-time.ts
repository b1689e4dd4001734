import { threadTime } from '../lib/thread-time.ts'
import { brieflyHere, TooLongHere } from './long-writes.ts'
import type { Call } from './request.ts'

const times = new WeakMap<object, number>()

/**
 * Does the work of a write and adds its milliseconds to those of the call: what it took of the time of all who write.
 */
export function timedWrite<T>({ outgoing, store }: Call, work: () => T): T {
  const began = threadTime()
  let isElsewhere = false
  try {
    return brieflyHere(store.db, outgoing, began, work)
  } catch (error) {
    isElsewhere = error instanceof TooLongHere // and is timed there
    throw error
  } finally {
    if (outgoing && !isElsewhere) times.set(outgoing, (times.get(outgoing) ?? 0) + threadTime() - began)
  }
}

/** Milliseconds that the writes of a request took, by what its answer is written to; none when it wrote nothing. */
export const writeTimeOf = (outgoing: object): number | undefined => times.get(outgoing)
