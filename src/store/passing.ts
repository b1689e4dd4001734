import { Locked } from './commit.ts'
import { isBusy } from './database.ts'
import { isNoRoom } from './disk.ts'

/** Whether what failed may be done later as it is: another process holds the database, or the disk is full. */
export const isPassing = (error: unknown): boolean => error instanceof Locked || isBusy(error) || isNoRoom(error)
