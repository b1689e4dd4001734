// The files that belong to a database, in a database of their own: so they travel with it wherever that goes.
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type Database from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'
import { filesOf } from '../store/data-folder.ts'

const Schema = `
  create table if not exists file (id integer primary key, path text not null unique, size integer not null) strict;
  create table if not exists part (
    file integer not null, n integer not null, bytes blob not null, primary key (file, n)) strict`
/** Bytes of a file that are written at once. */
const PartSize = 1_048_576
/** Milliseconds for which a file was not written to, before it is taken for whole. */
const Settled = 1000
const Peppers = 'peppers.json'

/** A database that only this program and Litestream know: what it holds can be had again from what it was made of. */
export function openOwn(file: string, schema: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = openDatabase(file)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = normal')
  db.pragma('busy_timeout = 5000')
  db.exec(schema)
  return db
}

/** The uploads of a data folder and its secrets, as they are to be had elsewhere. */
export class CarriedFiles {
  readonly #data: string
  readonly #db: Database.Database

  constructor(data: string, file: string) {
    this.#data = data
    this.#db = openOwn(file, Schema)
  }

  /** A number that rises with each change. */
  get version(): number {
    return this.#db.pragma('user_version', { simple: true }) as number
  }

  /**
   * Takes in what is new in the folder, and lets go of what is no longer there; answers whether all of it was whole.
   */
  async take(): Promise<boolean> {
    const { uploads } = filesOf(this.#data)
    const there = await namesIn(uploads)
    if (existsSync(join(this.#data, Peppers))) there.add(Peppers)
    const known = new Map(
      (this.#db.prepare('select path, size from file').all() as { path: string; size: number }[]).map(
        ({ path, size }) => [path, size] as const,
      ),
    )
    let isWhole = true
    for (const path of there) {
      if (known.has(path) && path !== Peppers) continue // an upload never becomes another under its name
      const facts = await stat(join(this.#data, path)).catch(() => undefined)
      if (!facts || known.get(path) === facts.size) continue
      if (Date.now() - facts.mtimeMs < Settled) isWhole = false
      else await this.#add(path, facts.size)
    }
    for (const path of known.keys()) if (!there.has(path)) this.#drop(path)
    return isWhole
  }

  async #add(path: string, size: number): Promise<void> {
    this.#drop(path)
    const add = this.#db.prepare('insert into part values (?, ?, ?)')
    const id = (this.#db.prepare('select coalesce(max(id), 0) + 1 from file').pluck().get() as number) + 0
    this.#db.prepare('delete from part where file >= ?').run(id) // of one that did not come to its end
    let n = 0
    let had = 0
    for await (const bytes of createReadStream(join(this.#data, path), { highWaterMark: PartSize })) {
      add.run(id, n++, bytes as Buffer)
      had += (bytes as Buffer).length
    }
    if (had !== size) return
    this.#db.prepare('insert into file values (?, ?, ?)').run(id, path, size)
    this.#count()
  }

  #drop(path: string): void {
    const id = this.#db.prepare('delete from file where path = ? returning id').pluck().get(path) as number | undefined
    if (id === undefined) return
    this.#db.prepare('delete from part where file = ?').run(id)
    this.#count()
  }

  #count(): void {
    this.#db.pragma(`user_version = ${this.version + 1}`)
  }

  close(): void {
    this.#db.close()
  }
}

/** Puts the files of such a database into a data folder, and takes others out of its uploads; answers the version. */
export async function unpackFiles(file: string, data: string): Promise<number> {
  const db = openDatabase(file)
  try {
    const { uploads } = filesOf(data)
    await mkdir(uploads, { recursive: true, mode: 0o700 })
    const wanted = new Map(
      (db.prepare('select id, path, size from file').all() as { id: number; path: string; size: number }[]).map(
        (each) => [each.path, each] as const,
      ),
    )
    const has = await namesIn(uploads)
    for (const { id, path } of wanted.values()) {
      const target = resolve(data, path)
      if (path !== Peppers && !target.startsWith(resolve(uploads) + sep))
        throw new Error(`the replica names a file outside of uploads: ${path}`)
      if (!has.has(path) || path === Peppers) await writeParts(db, id, target)
    }
    for (const path of has) if (!wanted.has(path)) await rm(join(data, path), { force: true })
    return db.pragma('user_version', { simple: true }) as number
  } finally {
    db.close()
  }
}

async function writeParts(db: Database.Database, id: number, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const making = `${target}.coming`
  const out = await open(making, 'w', 0o600)
  try {
    for (const bytes of db.prepare('select bytes from part where file = ? order by n').pluck().iterate(id))
      await out.writeFile(bytes as Buffer)
    await out.sync()
  } finally {
    await out.close()
  }
  await rename(making, target)
}

/** Files below a folder of uploads, as `uploads/…`. */
async function namesIn(uploads: string): Promise<Set<string>> {
  const found = await readdir(uploads, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((entry) => entry.isFile())
  return new Set(files.map((entry) => `uploads/${relative(uploads, join(entry.parentPath, entry.name))}`))
}

/** The secrets of tokens that a data folder has, by their number; none where it has no such file. */
export const peppersIn = (data: string): Record<string, string> =>
  existsSync(join(data, Peppers))
    ? (JSON.parse(readFileSync(join(data, Peppers), 'utf8')) as Record<string, string>)
    : {}
