import type { Call } from './request.ts'

/** Processor time (ms) that this thread has used, whatever else the machine does. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const times = new WeakMap<object, number>()

/**
 * Does the work of a write and adds its milliseconds to those of the call: what it took of the time of all who write.
 */
export function timedWrite<T>({ outgoing }: Call, work: () => T): T {
  const began = threadTime()
  try {
    return work()
  } finally {
    if (outgoing) times.set(outgoing, (times.get(outgoing) ?? 0) + threadTime() - began)
  }
}

/** Milliseconds that the writes of a request took, by what its answer is written to; none when it wrote nothing. */
export const writeTimeOf = (outgoing: object): number | undefined => times.get(outgoing)
