import { setPriority } from 'node:os'

/** Niceness of processes that work beside a server. */
const Niceness = 10

/** Lowers the priority of a process, by default of this one. */
export function giveWay(pid = process.pid): void {
  try {
    setPriority(pid, Niceness)
  } catch {
    // it is over already, or stands lower
  }
}
