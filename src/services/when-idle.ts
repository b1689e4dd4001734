import { complain } from '../lib/log.ts'

/** Utilization of this thread below which a server counts as idle. */
const Quiet = 0.5

/** How often to look whether a server is idle (ms), after how many looks work is done all the same, and what for. */
interface Rounds {
  each: number
  most: number
  /** What is said before the reason where the work fails. */
  complaint: string
}

/**
 * Has work done while a server has little else to do, one piece after the other; `isEnding` tells it to stop early.
 * Answers how to stop.
 */
export function whenIdle(
  { each, most, complaint }: Rounds,
  work: (isEnding: () => boolean) => Promise<unknown>,
): () => void {
  let isEnding = false
  let rounds = 0
  let seen = performance.eventLoopUtilization()
  let done: Promise<unknown> = Promise.resolve()
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (utilization > Quiet && ++rounds < most) return
    rounds = 0
    done = done
      .then(() => (isEnding ? undefined : work(() => isEnding)))
      .catch((error: unknown) => complain(`cabinet: ${complaint}: ${(error as Error).message}\n`))
  }
  const timer = setInterval(look, each).unref()
  return () => {
    isEnding = true
    clearInterval(timer)
  }
}
