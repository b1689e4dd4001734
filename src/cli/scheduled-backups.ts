import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { isPackaged } from '../lib/assets.ts'
import { logWarning } from '../lib/log.ts'
import { kill } from '../lib/kill.ts'
import { giveWay } from '../lib/priority.ts'
import type { Store } from '../store/open.ts'
import { sizesOf } from '../store/sizes.ts'
import { Incomplete } from './backup.ts'
import { type Backups, backupsOf } from './backup-series.ts'

const Hour = 3_600_000
/** Milliseconds from the start of the server to a backup that is due, between two looks, and after one that failed. */
const Wait = { first: 5000, next: 60_000, failed: 900_000 }
/** Room that a backup needs, in sizes of the database: its copy, the archive, and what is unpacked to prove it. */
const Copies = 3
/** Characters of what a backup said that are told. */
const MaxSaid = 500

/** The folder of scheduled backups. */
export const backupFolderOf = ({ backupFolder, data }: Config): string => resolve(backupFolder || join(data, 'backups'))

/**
 * Makes a backup every `backup_every` hours, proves it, and deletes those past `backup_keep`. Each is made by a process
 * of its own, so that requests do not wait for it. Answers what ends this, and when that is done.
 */
export function keepBackups(store: Store): () => Promise<void> {
  const { config } = store
  if (config.backupEvery === 0) return async () => {}
  const folder = backupFolderOf(config)
  let own: Backups | undefined
  let child: ChildProcess | undefined
  let isEnding = false
  const run = (file: string) =>
    new Promise<void>((done, fail) => {
      const self = isPackaged ? [] : [process.argv[1]!]
      const args = [...self, 'backup', file, '--verify', '--data', config.data]
      const made = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      child = made
      let said = ''
      made.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-MaxSaid)
      })
      made.once('spawn', () => giveWay(made.pid!)).once('error', fail)
      made.once('close', (code) => {
        child = undefined
        if (code === Incomplete) logWarning(config, 'the scheduled backup lacks files', { file, reason: said.trim() })
        if (code === 0 || code === Incomplete) done()
        else fail(new Error(said.trim() || `it ended with ${code}`))
      })
    })
  const look = async (): Promise<number> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    own ??= backupsOf(config.data, folder)
    if (Date.now() < own.last() + config.backupEvery * Hour) return Wait.next
    await demandRoom(store, folder)
    if (isEnding) return Wait.next
    await run(join(folder, own.nameAt(Date.now())))
    for (const name of own.names().slice(config.backupKeep)) rmSync(join(folder, name), { force: true })
    return Wait.next
  }
  let timer: NodeJS.Timeout
  const later = (ms: number): void => {
    timer = setTimeout(() => {
      look()
        .catch((error: Error) => {
          if (!isEnding) logWarning(config, 'the scheduled backup failed', { folder, reason: error.message })
          return Wait.failed
        })
        .then((next) => isEnding || later(next))
    }, ms).unref()
  }
  later(Wait.first)
  return async () => {
    isEnding = true
    clearTimeout(timer)
    if (child) await kill(child) // the next one clears up what it leaves
  }
}

/** Throws where a backup would leave too little room on the disk that it is written to. */
async function demandRoom(store: Store, folder: string): Promise<void> {
  const { database, wal, uploads } = await sizesOf(store)
  const { bavail, bsize } = await statfs(folder)
  const needed = Copies * (database + wal) + uploads.bytes + store.config.diskReserve
  if (bavail * bsize < needed) throw new Error(`${bavail * bsize} bytes are free, a backup may need ${needed}`)
}
