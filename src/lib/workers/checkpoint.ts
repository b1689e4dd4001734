// Brings the log of a database back to its file: that waits for the disk, and holds up nobody here.
import { parentPort } from 'node:worker_threads'
import { keepAddonsIn, openDatabase } from '../addons.ts'

/** A database, and the folder in which its addon is looked for first. */
export interface CheckpointJob {
  file: string
  addons: string | undefined
}

parentPort!.on('message', ({ file, addons }: CheckpointJob) => {
  if (addons !== undefined) keepAddonsIn(addons)
  // Open for no longer than it works: who stops the server looks for a database without a log.
  const raw = openDatabase(file, { fileMustExist: true })
  try {
    raw.pragma('wal_autocheckpoint = 0')
    raw.pragma('wal_checkpoint(passive)')
  } finally {
    raw.close()
  }
  parentPort!.postMessage({})
})
