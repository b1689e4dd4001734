import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import type { Config } from '../config.ts'
import { openDatabase } from '../lib/addons.ts'
import { logWarning } from '../lib/log.ts'
import { unpackFiles } from '../services/carried-files.ts'
import { Litestream } from '../services/litestream.ts'
import { type Heartbeat, provenBy, readHeartbeats } from '../services/heartbeat.ts'
import { epochsFrom } from '../services/replica-epochs.ts'
import { folderOf, urlOf } from '../services/replica-place.ts'
import { filesOf, pendingMigrations } from '../store/data-folder.ts'
import { openStore } from '../store/open.ts'
import { epochOf, type Role } from '../store/replication.ts'

/** Milliseconds between two looks at the replica; copying it takes a quarter of the time at most. */
const Look = 1000
const Share = 3
/** Milliseconds without a heartbeat, after which a later epoch is looked for. */
const Silent = 15_000
const Named = /^main-(\d+)\.db$/

/** A copy of the source's database, open to be read. */
interface Copy {
  file: string
  epoch: number
  version: number
}

/**
 * Polls the replica of a source and restores its newest state into a new file each time, so that nobody reads a partial
 * one.
 */
export class Follower {
  readonly #config: Config
  readonly #role: Role
  readonly #folder: string
  readonly #litestream: Litestream
  epoch = 1
  copy: Copy | undefined
  /** The newest heartbeat of the source. */
  heartbeat: Heartbeat | undefined
  #heartbeats: Heartbeat[] = []
  /** Milliseconds since 1970 by the source's clock: all that was committed before is in the copy. */
  asOf = 0
  /** Why the replica could not be read when it was last tried; undefined where it could. */
  fault: string | undefined
  /** Copies that were opened, and how long the last one took to come, in milliseconds. */
  copies = 0
  took = 0
  #files = -1
  /** The heartbeat that was the newest when the copy was fetched. */
  #fetchedAt = 0
  #number: number
  #stamp = ''
  #timer: NodeJS.Timeout | undefined
  #isEnding = false
  #work: Promise<unknown> = Promise.resolve()

  constructor(config: Config, role: Role) {
    this.#config = config
    this.#role = role
    this.#folder = filesOf(config.data).replica
    this.#litestream = new Litestream(config.litestream, config.data, role)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const kept = copiesIn(this.#folder)
    this.#number = kept.at(-1) ?? 0
    this.#adopt(kept)
  }

  /** Goes on with the newest copy that a server before this one left. */
  #adopt(kept: readonly number[]): void {
    const file = kept.length ? this.#fileOf(kept.at(-1)!) : undefined
    if (!file) return
    const db = openDatabase(file)
    try {
      const { epoch, version } = epochOf(db)!
      this.copy = { file, epoch, version }
      this.epoch = epoch
      this.asOf = statSync(file).mtimeMs
    } catch {
      this.copy = undefined // it is fetched again
    } finally {
      db.close()
    }
  }

  #fileOf = (number: number): string => join(this.#folder, `main-${number}.db`)

  /** Seconds for which the copy may lack what the source has; undefined where nobody knows. */
  get age(): number | undefined {
    return this.asOf ? Math.max(0, (Date.now() - this.asOf) / 1000) : undefined
  }

  /** Looks again and again from now on; `moved` is told of each new copy. */
  start(moved: (copy: Copy) => void): void {
    const later = (ms: number): void => {
      this.#timer = setTimeout(() => {
        this.#work = this.round(moved).then((took) => this.#isEnding || later(Math.max(Look, took * Share)))
      }, ms).unref()
    }
    later(Look)
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    clearTimeout(this.#timer)
    this.#litestream.quit()
    await this.#work
  }

  /** Looks once, and fetches what is new; answers the milliseconds that this took. */
  async round(moved: (copy: Copy) => void): Promise<number> {
    const began = performance.now()
    try {
      await this.#look()
      const heartbeat = this.heartbeat
      if (!heartbeat) throw new Error('the replica holds nothing yet')
      if (heartbeat.files !== this.#files) await this.#fetchFiles()
      const at = this.copy
      const isOther = at?.epoch !== heartbeat.epoch || heartbeat.version > at.version
      // A source whose database was put back to an earlier state counts from there.
      const isBack =
        at !== undefined && heartbeat.version < at.version && heartbeat.time > this.#fetchedAt && this.#fetchedAt > 0
      if (isOther || isBack) moved(await this.#fetch(heartbeat))
      const proven = provenBy(this.#heartbeats, this.copy!)
      if (proven) this.#isAt(proven.time)
      this.fault = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.fault && !this.#isEnding)
        logWarning(this.#config, 'the replica cannot be followed', { reason: message })
      this.fault = message
    }
    return performance.now() - began
  }

  /** The copy's time of change says to the next server what it shows. */
  #isAt(time: number): void {
    if (time === this.asOf) return
    this.asOf = time
    utimesSync(this.copy!.file, time / 1000, time / 1000)
  }

  /** Reads the newest heartbeat, of a later epoch where there is one. */
  async #look(): Promise<void> {
    const isSilent = !this.heartbeat || Date.now() - this.heartbeat.time > Silent
    if (!isSilent && !this.#hasMoved()) return
    const file = join(this.#folder, 'seen.db')
    let found: Heartbeat[] = []
    let broken: string | undefined
    for await (const { epoch, fault } of epochsFrom(this.#litestream, this.epoch, file)) {
      const heartbeats = fault === undefined ? readHeartbeats(file) : []
      if (heartbeats.length) found = heartbeats
      if (found[0]?.epoch === epoch) this.epoch = epoch
      broken = fault
      if (!isSilent) break
    }
    rmSync(file, { force: true })
    if (found.length === 0) {
      if (broken !== undefined) throw new Error(broken)
      return
    }
    this.#heartbeats = found
    this.heartbeat = found[0]
  }

  /** Whether a folder was written to since it was last looked at; of other places nobody can tell. */
  #hasMoved(): boolean {
    const folder = folderOf(urlOf(this.#role.place, this.epoch, 'pulse'))
    if (!folder) return true
    const stamp = String(statSync(join(folder, 'ltx/0'), { throwIfNoEntry: false })?.mtimeMs ?? Math.random())
    const isOther = stamp !== this.#stamp
    this.#stamp = stamp
    return isOther
  }

  async #fetchFiles(): Promise<void> {
    const file = join(this.#folder, 'files-seen.db')
    if (await this.#litestream.restore('files', this.epoch, file))
      this.#files = await unpackFiles(file, this.#config.data)
    rmSync(file, { force: true })
  }

  async #fetch(heartbeat: Heartbeat): Promise<Copy> {
    const began = performance.now()
    const file = this.#fileOf(++this.#number)
    if (!(await this.#litestream.restore('main', this.epoch, file)))
      throw new Error(`there is no database at ${urlOf(this.#role.place, this.epoch, 'main')} yet`)
    const copy = { file, ...this.#prepare(file) }
    this.copy = copy
    this.copies++
    this.#fetchedAt = heartbeat.time
    this.took = performance.now() - began
    // A thread may be about to open the one before.
    for (const number of copiesIn(this.#folder).slice(0, -2)) this.#remove(number)
    return copy
  }

  /** Makes a file ready to be read by many. Throws `DataError` for that of a newer version. */
  #prepare(file: string): { epoch: number; version: number } {
    let db: Database.Database | undefined = openDatabase(file)
    try {
      const isOlder = pendingMigrations(db).length > 0
      if (isOlder) {
        const store = openStore({ file, uploads: filesOf(this.#config.data).uploads, config: this.#config }, db)
        store.close()
        db = openDatabase(file)
      }
      db.pragma('journal_mode = delete') // nothing lies beside it
      const epoch = epochOf(db)
      if (!epoch) throw new Error(`${this.#role.place} is no replica that cabinet made`)
      return epoch
    } finally {
      db?.close()
    }
  }

  #remove(number: number): void {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(this.#fileOf(number) + end, { force: true })
  }
}

/** Numbers of the copies in a folder, the oldest first. */
const copiesIn = (folder: string): number[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .flatMap((name) => Named.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b)
    : []
