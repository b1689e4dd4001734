// Brings the log of a database back to its file: that waits for the disk, and holds up nobody here.
import type { Database } from 'better-sqlite3'
import { fdatasyncSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { keepAddonsIn, openDatabase } from '../addons.ts'

/** A database, and the folder in which its addon is looked for first. */
export interface CheckpointJob {
  file: string
  addons: string | undefined
  /**
   * To bring what there is; to do so and wait for the disk, by a descriptor of the file that nobody closes: SQLite
   * waits for it only where it brings all, which who writes meanwhile prevents; or to be done.
   */
  what: 'bring' | 'end' | { sync: number }
}

// Not open for longer than there is work: who stops the server looks for a database without a log.
let raw: Database | undefined
function close(): void {
  raw?.close()
  raw = undefined
}

parentPort!.on('message', ({ file, addons, what }: CheckpointJob) => {
  if (what === 'end') close()
  else
    try {
      if (addons !== undefined) keepAddonsIn(addons)
      if (!raw) {
        raw = openDatabase(file, { fileMustExist: true })
        raw.pragma('wal_autocheckpoint = 0')
      }
      raw.pragma('wal_checkpoint(passive)')
      if (what !== 'bring') fdatasyncSync(what.sync)
    } catch (error) {
      close()
      throw error
    }
  parentPort!.postMessage({})
})
