// A source's sign of life: at this time, its database was at that version. Who follows knows by it how old what it has
// is.
import type Database from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'
import { openOwn } from './carried-files.ts'

/** What a source says of itself. */
export interface Pulse {
  /** Milliseconds since 1970 by the source's clock. */
  time: number
  epoch: number
  /** All that was committed before `time` is in this version of the database, and of its files. */
  version: number
  files: number
}

const Schema = `create table if not exists pulse (
  id integer primary key check (id = 1), time integer not null, epoch integer not null, version integer not null,
  files integer not null) strict`

/** Writes signs of life into a file. */
export class PulseFile {
  readonly #db: Database.Database

  constructor(file: string) {
    this.#db = openOwn(file, Schema)
  }

  beat({ time, epoch, version, files }: Pulse): void {
    this.#db.prepare('insert or replace into pulse values (1, ?, ?, ?, ?)').run(time, epoch, version, files)
  }

  close(): void {
    this.#db.close()
  }
}

/** The sign of life in a file; undefined where none was given yet. */
export function readPulse(file: string): Pulse | undefined {
  const db = openDatabase(file)
  try {
    return db.prepare('select time, epoch, version, files from pulse').get() as Pulse | undefined
  } finally {
    db.close()
  }
}
