import { join } from 'node:path'
import type { Config } from '../config.ts'
import { makePast, momentOf } from '../history/past.ts'
import { openBeside, placeOf } from '../store/data-folder.ts'
import { openAgain, type Store } from '../store/open.ts'

/**
 * Makes a copy of the database as it was at a moment in a folder; answers its file. Throws for a moment that cannot be
 * shown.
 */
export async function pastIn(config: Config, at: string, folder: string): Promise<string> {
  const store = openBeside(config)
  const file = join(folder, 'past.db')
  try {
    await makePast(placeOf(config), momentOf(store.db, at).step, file, { forGood: true })
  } finally {
    store.close()
  }
  return file
}

/** The data as they were at a moment, to read only. */
export const openPast = async (config: Config, at: string, folder: string): Promise<Store> =>
  openAgain({ ...placeOf(config), file: await pastIn(config, at, folder) }, { writes: false, threads: 1 })
