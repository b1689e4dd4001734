// The heartbeat of a source: at this time its database had that version. Followers tell by it how old their copy is.
import type Database from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'
import { openOwn } from './carried-files.ts'

/** What a source says of itself. */
export interface Heartbeat {
  /** Milliseconds since 1970 by the source's clock. */
  time: number
  epoch: number
  /** All that was committed before `time` is in this version of the database, and of its files. */
  version: number
  files: number
}

const Fields = 'time integer not null, epoch integer not null, version integer not null, files integer not null'
const Schema = `create table if not exists pulse (id integer primary key check (id = 1), ${Fields}) strict;
create table if not exists earlier (id integer primary key, ${Fields}) strict`
/** Earlier heartbeats that are kept: some minutes while all is copied at the same pace. */
const Kept = 200

/** Writes heartbeats into a file. */
export class HeartbeatFile {
  readonly #db: Database.Database

  constructor(file: string) {
    this.#db = openOwn(file, Schema)
  }

  beat({ time, epoch, version, files }: Heartbeat): void {
    this.#db.transaction(() => {
      this.#db.prepare('insert into earlier select null, time, epoch, version, files from pulse').run()
      this.#db.prepare('delete from earlier where id <= (select max(id) from earlier) - ?').run(Kept)
      this.#db.prepare('insert or replace into pulse values (1, ?, ?, ?, ?)').run(time, epoch, version, files)
    })()
  }

  close(): void {
    this.#db.close()
  }
}

/** The heartbeats in a file, the newest first; the file of an older source holds one. */
export function readHeartbeats(file: string): Heartbeat[] {
  const db = openDatabase(file)
  const read = (from: string) => db.prepare(`select time, epoch, version, files from ${from}`).all() as Heartbeat[]
  try {
    const knowsEarlier = db.prepare("select 1 from sqlite_schema where name = 'earlier'").get() !== undefined
    return [...read('pulse'), ...(knowsEarlier ? read('earlier order by id desc') : [])]
  } finally {
    db.close()
  }
}

/** The newest heartbeat in a file; undefined where none was written yet. */
export const readHeartbeat = (file: string): Heartbeat | undefined => readHeartbeats(file)[0]

/**
 * The newest of these heartbeats, the newest first, all of whose database is in a copy: what is copied apart comes
 * apart, and the newest sign may be ahead of the rows.
 */
export const provenBy = (
  heartbeats: readonly Heartbeat[],
  copy: { epoch: number; version: number },
): Heartbeat | undefined => heartbeats.find(({ epoch, version }) => epoch === copy.epoch && version <= copy.version)
