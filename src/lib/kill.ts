import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * Kills a process and answers when it is gone: one that reads the database keeps SQLite from bringing its log back to
 * the file, where people look for all of it once the server has stopped.
 */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Whether a process of this number runs on this machine, whosever it is. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
