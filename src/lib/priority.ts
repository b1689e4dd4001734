import { setPriority } from 'node:os'

/** How much lower than a server's is the priority of a process that works beside it. */
const Niceness = 10

/** Lets others have the processor first; `pid`: of this process where it is not said. */
export function giveWay(pid = process.pid): void {
  try {
    setPriority(pid, Niceness)
  } catch {
    // it is over already, or stands lower
  }
}
