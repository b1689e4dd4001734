import type { Call } from './request.ts'

/** Milliseconds that this thread has worked, whatever else the machine does. */
export function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const spent = new WeakMap<object, number>()

/**
 * Does the work of a write and adds its milliseconds to those of the call: what it took of the time of all who write.
 */
export function timed<T>({ outgoing }: Call, work: () => T): T {
  const began = worked()
  try {
    return work()
  } finally {
    if (outgoing) spent.set(outgoing, (spent.get(outgoing) ?? 0) + worked() - began)
  }
}

/** Milliseconds that the writes of a request took, by what its answer is written to; none when it wrote nothing. */
export const spentOn = (outgoing: object): number | undefined => spent.get(outgoing)
