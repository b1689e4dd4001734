import { renameSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'
import { CarriedFiles } from '../services/carried-files.ts'
import { Litestream, partsOf } from '../services/litestream.ts'
import { HeartbeatFile } from '../services/heartbeat.ts'
import { markPlace } from '../services/replica-place.ts'
import { Follower } from '../server/follower.ts'
import { filesOf, lockData } from '../store/data-folder.ts'
import { epochOf, type Role, roleOf, setEpoch, setRole } from '../store/replication.ts'
import type { Config } from '../config.ts'
import type { Input } from './command.ts'

/** Milliseconds after its last heartbeat from which on a source counts as gone: it writes one every five seconds. */
const Gone = 15_000
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const at = (time: number): string => new Date(time).toISOString()

/** `cabinet promote`: makes a follower the source, with all that the replica has, and says what that may lack. */
export async function promote(input: Input): Promise<number> {
  const config = await input.config()
  const { data } = config
  const role = roleOf(data)
  if (role?.role !== 'follower') throw new Error(`${data} follows nobody`)
  process.umask(0o077)
  const release = lockData(data)
  try {
    const follower = new Follower(config, role)
    await follower.round(() => {})
    if (!follower.copy) throw new Error(`there is nothing to go on with: ${follower.fault}`)
    const { fault } = follower
    if (fault && !input.flag('force'))
      throw new Error(`the place of the replica cannot be read (${fault}); --force goes on with what is here`)
    if (!fault) await demandSilence(follower, input.flag('force'))
    await follower.stop()
    const epoch = follower.epoch + 1
    const last = takeOver(data, follower.copy.file, epoch)
    const next: Role = { role: 'source', place: role.place, ...(role.key ? { key: role.key } : {}) }
    const isTold = await claim(config, next, epoch, fault === undefined)
    setRole(data, next)
    say(`${data} is the source now, epoch ${epoch}; its last change is of ${last ?? 'nobody knows when'}`)
    say(
      follower.asOf
        ? `it has all that the source had committed by ${at(follower.asOf)}; ` +
            'what that acknowledged later is not here, unless it came on the way'
        : 'nobody knows up to when it has what the source had committed',
    )
    if (!isTold)
      say(`${role.place} does not know of it: the old source must not be started again, nobody would refuse it`)
    say('cabinet serve goes on; writes go there from now on')
    return 0
  } finally {
    release()
  }
}

/** Throws while the source writes heartbeats; waits for the next of one that may be gone. */
async function demandSilence(follower: Follower, isForced: boolean): Promise<void> {
  const until = Date.now() + Gone
  while (follower.heartbeat && Date.now() - follower.heartbeat.time < Gone && Date.now() < until + 1000) {
    if (isForced) return
    const before = follower.heartbeat.time
    await wait(1000)
    await follower.round(() => {})
    if (follower.heartbeat.time > before)
      throw new Error(
        `the source lives (${at(follower.heartbeat.time)}): stop it first, or --force, and two take writes for a while`,
      )
  }
}

/** Puts the copy in the place of a source's database. Answers when its last change was made. */
function takeOver(data: string, file: string, epoch: number): string | undefined {
  const { database } = filesOf(data)
  for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
  const db = openDatabase(file)
  let last: string | undefined
  try {
    const verdict = db.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${String(verdict)}`)
    setEpoch(db, epoch)
    last = lastChange(db)
  } finally {
    db.close()
  }
  renameSync(file, database)
  return last
}

const lastChange = (db: Database): string | undefined =>
  db.prepare('select time from core_objectchange order by id desc limit 1').pluck().get() as string | undefined

/** Tells the place of the new epoch, by a first heartbeat; answers whether it could. */
async function claim(
  { data, litestream: program }: Config,
  role: Role,
  epoch: number,
  isThere: boolean,
): Promise<boolean> {
  const parts = partsOf(data)
  for (const part of ['files', 'pulse'] as const)
    for (const end of ['', '-wal', '-shm']) rmSync(parts[part] + end, { force: true })
  const files = new CarriedFiles(data, parts.files)
  const heartbeat = new HeartbeatFile(parts.pulse)
  try {
    await files.take()
    const db = openDatabase(parts.main)
    const { version } = epochOf(db)!
    db.close()
    heartbeat.beat({ time: Date.now(), epoch, version, files: files.version })
    if (!isThere) return false
    markPlace(role.place)
    await new Litestream(program, data, role).once(epoch)
    return true
  } catch (error) {
    process.stderr.write(`warning: ${(error as Error).message}\n`)
    return false
  } finally {
    files.close()
    heartbeat.close()
  }
}
