import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { giveAllToOwner } from '../lib/owner.ts'
import { syncFolder } from '../lib/safe-file.ts'

/** What a backup holds besides its uploads. */
export const FilesOfBackup = ['peppers.json', 'cabinet.db']
/** All that a restore replaces; first what SQLite leaves beside a database that was not closed. */
const Replaced = ['cabinet.db-wal', 'cabinet.db-shm', ...FilesOfBackup, 'uploads']
/**
 * What was restored stands in one of these from the moment on at which it is to replace the data: in the first while
 * what was there goes, in the second while what was restored comes. Whoever finds them goes on from there.
 */
const Stages = ['.restoring', '.restored'] as const
const Old = 'replaced'

/** Whether a restore began to replace the data, and was killed. */
export const isHalfRestored = (data: string): boolean => Stages.some((name) => existsSync(join(data, name)))

/**
 * Puts what was restored into `scratch`, a folder in the data folder, in the place of what is there, by renaming. It is
 * done as a whole however the process ends, since `endRestore` goes on with it; where a step fails, nothing is done.
 */
export function replaceData(data: string, scratch: string): void {
  const [going] = Stages.map((name) => join(data, name)) as [string, string]
  mkdirSync(join(scratch, Old))
  giveAllToOwner(scratch, data) // who goes on with it may be the server
  for (const folder of [join(scratch, 'uploads'), scratch]) if (existsSync(folder)) syncFolder(folder)
  renameSync(scratch, going)
  try {
    clear(data, going)
  } catch (error) {
    for (const name of Replaced) move(name, join(going, Old), data)
    renameSync(going, scratch)
    throw error
  }
  endRestore(data)
}

/** Ends a restore that was killed while it replaced the data. Called by who holds the folder's lock. */
export function endRestore(data: string): void {
  const [going, coming] = Stages.map((name) => join(data, name)) as [string, string]
  if (existsSync(going)) {
    clear(data, going)
    syncFolder(data)
    renameSync(going, coming)
    syncFolder(data)
  }
  if (!existsSync(coming)) return
  for (const name of ['uploads', ...FilesOfBackup]) move(name, coming, data)
  syncFolder(data)
  rmSync(coming, { recursive: true, force: true })
}

/** Moves away what was there. */
function clear(data: string, going: string): void {
  for (const name of Replaced) move(name, data, join(going, Old))
}

function move(name: string, from: string, to: string): void {
  if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
}
