import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { openDatabase } from '../lib/addons.ts'
import { Archive, filesBelow, unpack } from '../lib/archive.ts'
import { syncFolder } from '../lib/safe-file.ts'
import { sealing, unseal } from '../lib/passphrase.ts'
import { filesOf, lockData } from '../store/data-folder.ts'
import { Self } from '../store/own-ids.ts'
import type { Input } from './command.ts'
import { readSecret } from './prompt.ts'
import { prove } from './restore.ts'

/** Letters of the shortest passphrase that is taken. */
const Shortest = 10
const Variable = 'CABINET_KIT_PASSPHRASE'
/** What stays as it is: the lock and the addons of the executable; and what is made again when it is needed. */
const [Stays, IsMade] = [/^(?:cabinet\.lock.*|\.runtime|kit\.locked.*)$/, /^(?:past|kits|\.restore-\w+)$/]
const named = (data: string): string[] => readdirSync(data).filter((name) => !Stays.test(name))

/** A passphrase for a kit: from the environment, the terminal or standard input. Throws for one that is too short. */
export async function newPassphrase(): Promise<string> {
  const given = await readSecret('Passphrase for the kit: ', Variable)
  if (given.length < Shortest) throw new Error(`a passphrase has at least ${Shortest} characters`)
  return given
}

/** `cabinet kit lock`: what a kit holds becomes one file that a passphrase opens. */
export async function lockKit(input: Input): Promise<number> {
  const { data } = await input.config()
  const { database } = filesOf(data)
  if (!existsSync(database)) throw new Error(`${data} holds no database`)
  process.umask(0o077)
  const release = lockData(data)
  try {
    await lockFolder(data, await newPassphrase())
  } finally {
    release()
  }
  process.stdout.write(`${data} is locked: cabinet kit unlock opens it\n`)
  return 0
}

/** Seals a kit that nobody is using. */
export async function lockFolder(data: string, passphrase: string): Promise<void> {
  const { database, locked } = filesOf(data)
  const db = openDatabase(database)
  try {
    if (!db.prepare('select 1 from sqlite_schema where name = ?').get(Self)) throw new Error(`${data} is no field kit`)
    const [{ busy }] = db.pragma('wal_checkpoint(truncate)') as [{ busy: number }] // all of it is in the one file
    if (busy) throw new Error(`another program is using ${database}`)
  } finally {
    db.close()
  }
  const part = `${locked}.part`
  const archive = new Archive(part, [await sealing(passphrase)])
  for (const name of filesBelow(data)) {
    const [first] = name.split(sep) as [string]
    if (!Stays.test(first) && !IsMade.test(first)) await archive.add(join(data, name), name, () => undefined)
  }
  await archive.finish()
  renameSync(part, locked)
  syncFolder(data)
  for (const name of named(data)) rmSync(join(data, name), { recursive: true, force: true })
  syncFolder(data)
}

/** `cabinet kit unlock`: a locked kit is a folder that can be served again. */
export async function unlockKit(input: Input): Promise<number> {
  const { data } = await input.config()
  const { database, locked } = filesOf(data)
  if (!existsSync(locked)) throw new Error(`${data} is not locked`)
  process.umask(0o077)
  const release = lockData(data)
  const scratch = mkdtempSync(join(data, '.restore-'))
  try {
    if (existsSync(database)) throw new Error(`${data} holds a database beside ${locked}: move one of them away`)
    const [file, files] = [join(scratch, 'archive'), join(scratch, 'kit')]
    await unseal(locked, file, await readSecret('Passphrase of the kit: ', Variable, true))
    await unpack(
      file,
      files,
      () => true,
      () => undefined,
    )
    prove(join(files, 'cabinet.db'), locked)
    const names = readdirSync(files).filter((name) => name !== 'cabinet.db')
    for (const name of [...names, 'cabinet.db']) {
      rmSync(join(data, name), { recursive: true, force: true }) // of an unlocking that was killed
      renameSync(join(files, name), join(data, name))
    }
    syncFolder(data)
    rmSync(locked)
    syncFolder(data)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    release()
  }
  process.stdout.write(`${data} is open: cabinet serve --data ${data} serves it, cabinet kit lock locks it again\n`)
  return 0
}
