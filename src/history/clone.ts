import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'
import { Archive } from '../lib/archive.ts'
import { q } from '../lib/sql.ts'
import { allModels, fieldsOf } from '../engine/catalog.ts'
import { fileFields } from '../store/uploads.ts'
import { type KitRow, secretColumns } from './source.ts'

/** What a clone says of itself, in `kit.json` of its archive. */
export interface CloneFacts {
  number: number
  name: string
  version: string
  step: number
  time: string
}
/** Milliseconds for which a clone can be fetched. */
const Kept = 3_600_000

/**
 * Makes the archive of a clone: the database as it is at one moment without what no copy needs and, unless the kit is
 * given them, without secrets; and the uploads that its rows name. Answers the file's name in the folder and its bytes.
 */
export async function makeClone(
  { database, uploads, folder, version }: { database: string; uploads: string; folder: string; version: string },
  kit: KitRow,
  peppers: string,
): Promise<{ name: string; bytes: number }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  clearClones(folder, kit.id)
  const scratch = mkdtempSync(join(folder, '.making-'))
  try {
    const copy = join(scratch, 'cabinet.db')
    const source = openDatabase(database, { readonly: true })
    try {
      source.prepare('vacuum into ?').run(copy)
    } finally {
      source.close()
    }
    const raw = openDatabase(copy)
    let facts: CloneFacts
    let files: string[]
    try {
      facts = { number: kit.id, name: kit.name, version, ...headOf(raw) }
      strip(raw, kit.with_secrets === 1)
      files = namedFiles(raw)
    } finally {
      raw.close()
    }
    writeFileSync(join(scratch, 'kit.json'), JSON.stringify(facts), { mode: 0o600 })
    const archive = new Archive(join(scratch, 'archive'))
    const seen = () => {}
    await archive.add(join(scratch, 'kit.json'), 'kit.json', seen)
    await archive.add(copy, 'cabinet.db', seen)
    if (kit.with_secrets) await archive.add(peppers, 'peppers.json', seen)
    for (const path of files) await archive.add(join(uploads, path), `uploads/${path}`, seen)
    await archive.finish()
    const name = `${kit.id}-${randomBytes(12).toString('hex')}.clone`
    renameSync(join(scratch, 'archive'), join(folder, name))
    return { name, bytes: statSync(join(folder, name)).size }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Removes clones of a kit, and those that nobody fetched in time. */
export function clearClones(folder: string, kit?: number): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (name.startsWith(`${kit}-`) || age > Kept) rmSync(path, { recursive: true, force: true })
  }
}

const headOf = (raw: Database.Database): { step: number; time: string } =>
  raw.prepare('select id as step, time from history_step order by id desc limit 1').get() as {
    step: number
    time: string
  }

/** What no copy needs: sessions, jobs, other kits, the journal's earlier states. */
const Needless = [
  'users_session',
  'core_job',
  'extras_notification',
  'core_kit',
  'history_row',
  'history_step',
  'history_file',
]

function strip(raw: Database.Database, keepsSecrets: boolean): void {
  raw.pragma('secure_delete = on')
  raw.pragma('foreign_keys = off')
  raw.function('prefers_ipv4', { deterministic: true }, () => 0)
  raw.function('fold', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
  raw.transaction(() => {
    for (const table of Needless) raw.exec(`delete from ${q(table)}`)
    raw.exec("delete from sqlite_sequence where name = 'core_kit'")
    if (!keepsSecrets) stripSecrets(raw)
  })()
  raw.exec('vacuum') // what was deleted stays in free parts of pages else
}

function stripSecrets(raw: Database.Database): void {
  // Tokens, second factors, recovery codes, identities at other servers: what accounts have that is in no history.
  for (const m of allModels.filter(
    ({ app, past, name }) => app === 'users' && past === false && name !== 'users.userconfig',
  ))
    raw.exec(`delete from ${q(m.table)}`)
  for (const m of allModels) {
    const columns = Object.entries(secretColumns(m))
    if (columns.length === 0 || (m.app === 'users' && m.past === false) || Needless.includes(m.table)) continue
    const isSet = columns.map(([name]) => `${q(name)} is not ?`).join(' or ')
    const values = columns.map(([, value]) => value)
    raw
      .prepare(`update ${q(m.table)} set ${columns.map(([name]) => `${q(name)} = ?`).join(', ')} where ${isSet}`)
      .run(...values, ...values)
    for (const [name, field] of fieldsOf(m))
      if (field.options.secret)
        for (const column of ['prechange_data', 'postchange_data'])
          raw
            .prepare(
              `update core_objectchange set ${column} = json_replace(${column}, '$.${name}', null)
                where changed_object_type = ? and ${column} is not null`,
            )
            .run(m.name)
  }
}

/** Files that rows name. */
const namedFiles = (raw: Database.Database): string[] => [
  ...new Set(
    allModels.flatMap((m) =>
      fileFields(m).flatMap(
        (name) =>
          raw
            .prepare(`select ${q(name)} from ${q(m.table)} where ${q(name)} <> ''`)
            .pluck()
            .all() as string[],
      ),
    ),
  ),
]
