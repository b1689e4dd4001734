import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { Config } from '../config.ts'
import type { Rows } from '../declare/rows.ts'
import { registerConfigContexts } from '../rules/config-contexts.ts'
import { openDatabase } from '../lib/addons.ts'
import { now, timesSetBack } from '../lib/datetime.ts'
import { Committer } from './commit.ts'
import { NoCommitter } from './no-committer.ts'
import { CustomFields } from './custom-fields.ts'
import { Connection } from './database.ts'
import { Disk, isNoRoom } from './disk.ts'
import { endStep, joinJournal, makeJournal } from './journal.ts'
import { counter, ensureCounts, joinCounts } from './kept-counts.ts'
import { LogSync } from './log-sync.ts'
import { migrate } from './migrate.ts'
import { Reader } from './reader.ts'
import { replicated, versionCounter } from './replication.ts'
import { rowsIn } from './rows.ts'
import { MostPages } from './checkpoints.ts'
import { ensureSearch, searchIndexer } from './search-index.ts'
import { selfOf } from './kit.ts'
import { isSeeded, seed, seedObjects, unmadeModels } from './seed.ts'
import { estimate, hasChangedMuch } from './statistics.ts'

/** Milliseconds that a statement waits, and the process with it, while another process holds the lock. */
const BusyTimeout = 5000
/** The same while requests are served; their writes are tried again by the committer. */
const BusyTimeoutOfRequests = 5
/** The same for a command beside a server, which may be taking what was changed in a field kit. */
const BusyTimeoutBeside = 60_000
const busyTimeout = ({ isBeside }: Place): string => `busy_timeout = ${isBeside ? BusyTimeoutBeside : BusyTimeout}`

/**
 * Bytes to which SQLite's log is cut when it begins anew, after somebody read one state of the data for long. More than
 * it mostly has by then: to write where the file is long enough takes the disk two thirds of the time.
 */
export const LogLimit = 96 * 2 ** 20

/** Part of the time of a slow request from which on a statement of it is told. */
const SlowShare = 10

/** One open data file, with everything that reads and writes it. */
export interface Store {
  readonly db: Connection
  readonly config: Config
  /** Rows by their columns. */
  readonly rows: Rows
  readonly reader: Reader
  readonly customFields: CustomFields
  readonly commit: Committer
  /** The room that is left; looked at where `watch` was called. */
  readonly disk: Disk
  /** Folder of uploaded files. */
  readonly uploads: string
  /** Migrations that this start applied. */
  readonly migrated: readonly string[]
  /**
   * Where this follows another server: its URL, '' where nobody said, and the moment up to which all of it is here, in
   * ms since 1970.
   */
  readonly follows: { url: string; asOf: () => number } | undefined
  /**
   * From now on requests are served: nothing holds them up while it waits for the lock of another process, or for the
   * disk.
   */
  serveRequests: () => void
  /** Goes on reading in another file, which holds a later state of the same. Only for stores that are read. */
  reopen: (file: string) => void
  close: () => void
}

/**
 * What `user_version` says of a database that holds nothing yet: neither what a fresh server does, nor when it was
 * made.
 */
export const Unseeded = 1

/** Where a store is: its file, its folder of uploads, and the configuration of its server. */
export interface Place {
  file: string
  uploads: string
  config: Config
  /** Where the database is a copy that follows another server: the URL of that server; '' where nobody said. */
  follows?: string
  /** That a server may be using it, whose business estimates and checkpoints are. */
  isBeside?: boolean
}

/**
 * Opens the database, where the caller has not, brings it up to date, and makes its readers and writers. Throws
 * `MigrationError` for a newer one.
 */
export function openStore(place: Place, raw: Database = openDatabase(place.file)): Store {
  raw.pragma('journal_mode = wal')
  tune(raw)
  raw.pragma(busyTimeout(place))
  const isMade = raw.prepare("select 1 from sqlite_schema where name = 'migration'").get() === undefined
  const isNew = isMade || raw.pragma('user_version', { simple: true }) === Unseeded
  const unmade = unmadeModels(raw)
  const migrated = migrate(raw)
  raw.pragma('foreign_keys = on')
  if (isNew) raw.pragma('synchronous = off') // the last step of the beginning, below, waits for the disk once for all
  ensureSearch(raw)
  makeJournal(raw, isNew)
  ensureCounts(raw)
  const store = assemble(raw, place, migrated)
  if (!isSeeded(store.db)) store.commit.now(() => seed(store.db)) // what holds the lock holds up a server beside
  if (isNew) {
    raw.pragma('synchronous = full')
    store.commit.now(() => begin(store))
    // A kit gets its source's.
  } else if (unmade.length && !selfOf(store.db)) store.commit.now(() => seedObjects(store, unmade))
  return store
}

/** Gives a fresh database what it holds and the time it was made, once. */
function begin(store: Store): void {
  seedObjects(store)
  store.db.raw.exec("update migration set applied = datetime('now'); pragma user_version = 0")
}

/**
 * Opens once more, for one of `threads` threads of the same server, what `openStore` has opened; to read only, or to
 * write too.
 */
export function openAgain(place: Place, { writes, threads }: { writes: boolean; threads: number }): Store {
  const raw = openDatabase(place.file, { readonly: !writes })
  tune(raw)
  raw.pragma('foreign_keys = on')
  const store = assemble(raw, place, [], 1 / threads)
  if (writes) {
    raw.pragma(`busy_timeout = ${BusyTimeoutOfRequests}`)
    raw.pragma(`wal_autocheckpoint = ${MostPages}`) // the first thread sees to it
  }
  return store
}

function tune(raw: Database): void {
  raw.pragma('synchronous = full')
  raw.pragma(`busy_timeout = ${BusyTimeout}`)
  raw.pragma('temp_store = memory')
  raw.pragma(`cache_size = ${raw.readonly ? -2048 : -8192}`)
  raw.pragma('mmap_size = 2147418112')
  raw.pragma('wal_autocheckpoint = 4000')
  raw.pragma(`journal_size_limit = ${LogLimit}`)
}

/** Opens once more what a connection reads, for reading beside it. */
function openBeside(db: Connection): Database {
  const beside = openDatabase(db.raw.name, { readonly: true })
  beside.pragma('busy_timeout = 0')
  beside.pragma('temp_store = memory')
  beside.pragma('mmap_size = 2147418112')
  db.teachTo(beside)
  return beside
}

const inTurn =
  (...steps: (() => void)[]) =>
  () => {
    for (const step of steps) step()
  }

function assemble(raw: Database, place: Place, migrated: readonly string[], share = 1): Store {
  const { uploads, config, follows } = place
  const db = new Connection(raw)
  if (config.logSlowMs > 0) db.slow.from = config.logSlowMs / SlowShare
  db.teach((each) => {
    each.function('prefers_ipv4', { deterministic: true }, () => Number(config.preferIpv4))
    registerConfigContexts(each)
  })
  const customFields = new CustomFields(db)
  const commit = raw.readonly ? new NoCommitter(db) : new Committer(db)
  if (!raw.readonly) {
    db.finishing = inTurn(searchIndexer(db), counter(raw), ...(replicated(raw) ? [versionCounter(raw)] : []))
    joinCounts(db)
    joinJournal(db)
    let known = timesSetBack()
    commit.ending = () => {
      const isSetBack = known !== timesSetBack()
      known = timesSetBack()
      endStep(db, commit.feed.by, now, { isSetBack })
    }
  }
  const disk = new Disk(config.data, config.diskReserve)
  const reader = new Reader(db, customFields, () => openBeside(db), share)
  return {
    db,
    config,
    rows: rowsIn(db),
    reader,
    customFields,
    commit,
    disk,
    uploads,
    migrated,
    // The follower sets that time of its copies, which threads see too.
    follows: follows === undefined ? undefined : { url: follows, asOf: () => statSync(db.raw.name).mtimeMs },
    serveRequests: () => {
      raw.pragma(`busy_timeout = ${BusyTimeoutOfRequests}`)
      if (raw.pragma('journal_mode', { simple: true }) !== 'wal') return // the file system has no room for its index
      commit.logSync = new LogSync(raw.name)
      raw.pragma('synchronous = normal')
    },
    reopen: (file) => {
      const next = openDatabase(file, { readonly: true })
      tune(next)
      db.replace(next)
      commit.heard()
    },
    close: () => {
      disk.close()
      reader.close()
      if (!raw.readonly) {
        raw.pragma(busyTimeout(place))
        commit.flush()
        commit.logSync?.close()
        try {
          if (!place.isBeside || hasChangedMuch(raw)) estimate(raw)
          // It holds up a server that writes; where there is none, the last connection to close makes one itself.
          if (!place.isBeside) {
            raw.pragma('busy_timeout = 0') // so would waiting for those who read
            raw.pragma('wal_checkpoint(truncate)')
          }
        } catch (error) {
          if (!isNoRoom(error)) throw error // what was written is in the log, and stays there
        }
      }
      db.raw.close()
    },
  }
}
