import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { demandForeign, filesOf, type LastBackup, noteBackup } from '../store/data-folder.ts'
import { now } from '../lib/datetime.ts'
import { copyDatabase } from '../store/copy.ts'
import { missingUploads } from '../services/upload-checks.ts'
import { keepAddonsIn, openDatabase } from '../lib/addons.ts'
import { Archive, filesBelow, unpack } from '../lib/archive.ts'
import { isRunning } from '../lib/kill.ts'
import { giveWay } from '../lib/priority.ts'
import type { Input } from './command.ts'
import { pastIn } from './past.ts'
import { Progress } from './progress.ts'
import { isOfBackup, prove } from './restore.ts'

/** Files that are missing of which a proof tells. */
const Shown = 5

/** Begins the name of the folder of a backup that is being made; its process follows. */
const Scratch = '.cabinet-backup-'

/** Removes what backups into this folder left when they were killed. */
function clearRemains(folder: string): void {
  for (const name of readdirSync(folder)) {
    const found = /^\.cabinet-backup-(?:(\d+)-)?\w{6}$/.exec(name)
    if (found && !isRunning(Number(found[1]))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** The exit code of a backup that is written, and lacks uploaded files that its rows name. */
export const Incomplete = 4

/**
 * `cabinet backup FILE`: the database as it is at one moment, its secrets and its uploads, as one compressed archive;
 * `--verify` proves it.
 */
export async function backup(input: Input): Promise<number> {
  const [file] = input.operands as [string]
  const config = await input.config()
  const { data } = config
  const at = input.text('at')
  const { database, peppers, uploads } = filesOf(data)
  if (!existsSync(database)) throw new Error(`${data} holds no database`)
  demandForeign(data, file)
  process.umask(0o077)
  keepAddonsIn(data)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new Error(`${folder}: no such folder`)
  clearRemains(folder)
  const scratch = mkdtempSync(join(folder, `${Scratch}${process.pid}-`))
  const progress = new Progress('backup')
  try {
    const archive = new Archive(join(scratch, 'archive'))
    // The database twice: it is copied, then compressed.
    const total = [database, database, ...filesBelow(uploads).map((name) => join(uploads, name))].reduce(
      (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
    let done = 0
    const seen = (bytes: number) => {
      done += bytes
      progress.at(done, total)
    }
    const added = new Set<string>()
    const addUploads = async () => {
      for (const name of filesBelow(uploads)) {
        if (added.has(name)) continue
        added.add(name)
        await archive.add(join(uploads, name), `uploads/${name}`, seen)
      }
    }
    // Uploads come before the database, so that one deleted meanwhile is not missed by a row, and after its moment, for
    // those that came meanwhile.
    await addUploads()
    const made = now()
    const source = at === undefined ? database : await pastIn(config, at, scratch)
    await copyDatabase(source, join(scratch, 'cabinet.db'), { first: addUploads, seen })
    giveWay() // a copy that is made quickly holds others up least; what follows can wait
    await archive.add(join(scratch, 'cabinet.db'), 'cabinet.db', seen)
    await archive.add(peppers, 'peppers.json', seen)
    await archive.finish()
    const missing = input.flag('verify') ? await verify(join(scratch, 'archive'), scratch) : []
    renameSync(join(scratch, 'archive'), file)
    if (at === undefined) note(data, { made, file: resolve(file), bytes: statSync(file).size })
    if (missing.length === 0) return 0
    const more = missing.length > Shown ? `, and ${missing.length - Shown} more` : ''
    process.stderr.write(
      `cabinet: ${file} is written, but uploaded files that its rows name are missing, in the data folder too: ` +
        `${missing.slice(0, Shown).join('; ')}${more}\n`,
    )
    return Incomplete
  } finally {
    progress.end()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Opens what was written: unpacks all of it, and looks through its database. Throws when it is not whole; answers which
 * uploads are missing.
 */
async function verify(file: string, scratch: string): Promise<string[]> {
  const into = join(scratch, 'unpacked')
  mkdirSync(into)
  const names = new Set<string>()
  await unpack(
    file,
    into,
    (name) => Boolean(names.add(name)) && isOfBackup(name),
    () => {},
    (name) => !name.startsWith('uploads/'),
  )
  const database = join(into, 'cabinet.db')
  prove(database, file)
  const db = openDatabase(database, { readonly: true })
  try {
    return missingUploads(db, (path) => names.has(`uploads/${path}`))
  } finally {
    db.close()
  }
}

/** The backup is there also where the folder cannot be written to. */
function note(data: string, last: LastBackup): void {
  try {
    noteBackup(data, last)
  } catch (error) {
    process.stderr.write(`cabinet: the backup is whole, but not written down in ${data}: ${(error as Error).message}\n`)
  }
}
