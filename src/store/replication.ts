// What a data folder knows of its copies elsewhere: who it is to them, and in the database how often it has changed
// hands and been written.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import * as v from 'valibot'
import { writeSafely } from '../lib/safe-file.ts'

const Role = v.object({
  role: v.picklist(['source', 'follower']),
  /** The URL below which its replica lies, as Litestream takes it. */
  place: v.pipe(v.string(), v.nonEmpty()),
  /** Of a follower: the URL of the server that takes writes. */
  source: v.optional(v.string()),
  /** The private key of an SFTP place. */
  key: v.optional(v.string()),
})
/** Whether a folder is the source of a replica or follows one, and where that lies. */
export type Role = v.InferOutput<typeof Role>

const roleFile = (data: string): string => join(data, 'replication.json')

/** What a data folder is to its replica; undefined where it has none. Throws for a file that cannot be read. */
export function roleOf(data: string): Role | undefined {
  const file = roleFile(data)
  if (!existsSync(file)) return undefined
  try {
    return v.parse(Role, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Writes down what a data folder is to its replica from now on; undefined: nothing. */
export function setRole(data: string, role: Role | undefined): void {
  if (role) writeSafely(roleFile(data), `${JSON.stringify(role, null, 2)}\n`)
  else rmSync(roleFile(data), { force: true })
}

/**
 * How often the source has become another one, from 1, and how many transactions were written since the replica was
 * begun.
 */
interface Epoch {
  epoch: number
  version: number
}

/** Whether a database counts its transactions, for a replica. */
export const replicated = (raw: Database.Database): boolean =>
  raw.prepare("select 1 from sqlite_schema where name = 'replication'").get() !== undefined

/** The epoch and version of a database; undefined where it was never replicated. */
export const epochOf = (raw: Database.Database): Epoch | undefined =>
  replicated(raw) ? (raw.prepare('select epoch, version from replication').get() as Epoch) : undefined

/** Puts a database into an epoch; from its next opening on it counts its transactions. */
export function setEpoch(raw: Database.Database, epoch: number): void {
  raw.exec(`create table if not exists replication (
    id integer primary key check (id = 1), epoch integer not null, version integer not null) strict;
    insert or ignore into replication values (1, 1, 0)`)
  raw.prepare('update replication set epoch = ?, version = version + 1').run(epoch)
}

/** Counts a transaction, inside it. */
export function versionCounter(raw: Database.Database): () => void {
  const count = raw.prepare('update replication set version = version + 1')
  return () => void count.run()
}
