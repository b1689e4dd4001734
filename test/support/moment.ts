import { setTimeout as wait } from 'node:timers/promises'

/** A moment (ISO 8601) at which nothing is being written: some milliseconds after what was, and before what will be. */
export async function moment(): Promise<string> {
  await wait(10)
  const now = new Date().toISOString()
  await wait(10)
  return now
}
