import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { asset, isPackaged, sumOf } from './assets.ts'
import { candidates, materialise } from './materialise.ts'

type Argon2 = Pick<typeof import('@node-rs/argon2'), 'hash' | 'hashRaw' | 'hashSync' | 'verify' | 'verifySync'>

let dataFolder: string | undefined
/** Names the data folder, the best place for the addons of the executable to be loaded from. */
export const keepAddonsIn = (folder: string): void => {
  dataFolder = folder
}
/** The folder that was named, for threads. */
export const addonsFolder = (): string | undefined => dataFolder

let sqlite: object | undefined
/** Opens a database with the addon of this build. */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  if (!isPackaged) return new Database(file, options)
  sqlite ??= load('better_sqlite3') as object
  // The published types know only the path of an addon.
  return new Database(file, { ...options, nativeBinding: sqlite as unknown as string })
}

let hashing: Argon2 | undefined
/** The password hashing addon, loaded when first needed. */
export function argon2(): Argon2 {
  hashing ??= (isPackaged ? load('argon2') : createRequire(import.meta.url)('@node-rs/argon2')) as Argon2
  return hashing
}

/** Loads an addon from the first folder that lets it: an addon cannot be loaded from inside the executable. */
function load(name: string): unknown {
  const sum = sumOf(`native/${name}`)
  if (!sum) throw new Error(`this executable carries no ${name}`)
  const why: string[] = []
  for (const folder of candidates(dataFolder)) {
    try {
      const module = { exports: {} }
      process.dlopen(
        module,
        materialise(join(folder, sum.slice(0, 16)), `${name}.node`, sum, () => asset(`native/${name}`)),
        constants.dlopen.RTLD_LAZY,
      )
      return module.exports
    } catch (error) {
      why.push(`${folder}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  throw new Error(
    `cannot load ${name}; set CABINET_RUNTIME_DIR to a folder that is writable and not mounted noexec ` +
      `(${why.join('; ')})`,
  )
}
