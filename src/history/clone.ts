import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Archive } from '../lib/archive.ts'
import { runInThread, type SqlStep } from '../lib/sql-thread.ts'
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
  await clearClones(folder, kit.id)
  const scratch = mkdtempSync(join(folder, '.making-'))
  try {
    const copy = join(scratch, 'cabinet.db')
    await runInThread(database, [{ sql: 'vacuum into ?', values: [copy] }])
    const questions = naming()
    const [head, ...rest] = await runInThread(copy, [Head, ...stripping(kit.with_secrets === 1), ...questions])
    const files = new Set(rest.slice(-questions.length).flatMap((rows) => rows.map(({ path }) => String(path))))
    const facts = { number: kit.id, name: kit.name, version, ...head![0] }
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
    await rm(scratch, { recursive: true, force: true }) // large files take a while
  }
}

/** Removes clones of a kit, and those that nobody fetched in time. */
export async function clearClones(folder: string, kit?: number): Promise<void> {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (name.startsWith(`${kit}-`) || age > Kept) await rm(path, { recursive: true, force: true })
  }
}

const Head = { sql: 'select id as step, time from history_step order by id desc limit 1' }

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

/** Statements that take from a copy what no copy needs, and secrets. */
const stripping = (keepsSecrets: boolean): SqlStep[] => [
  { sql: 'pragma secure_delete = on' },
  { sql: 'pragma foreign_keys = off' },
  { sql: 'begin' },
  ...Needless.map((table) => ({ sql: `delete from ${q(table)}` })),
  { sql: "delete from sqlite_sequence where name = 'core_kit'" },
  ...(keepsSecrets ? [] : withoutSecrets()),
  { sql: 'commit' },
  { sql: 'vacuum' }, // what was deleted stays in free parts of pages else
]

function withoutSecrets(): SqlStep[] {
  // Tokens, second factors, recovery codes, identities at other servers: what accounts have that is in no history.
  const accounts = allModels.filter(
    ({ app, past, name }) => app === 'users' && past === false && name !== 'users.userconfig',
  )
  const steps: SqlStep[] = accounts.map((m) => ({ sql: `delete from ${q(m.table)}` }))
  for (const m of allModels) {
    const columns = Object.entries(secretColumns(m))
    if (columns.length === 0 || (m.app === 'users' && m.past === false) || Needless.includes(m.table)) continue
    const isSet = columns.map(([name]) => `${q(name)} is not ?`).join(' or ')
    const values = columns.map(([, value]) => value)
    steps.push({
      sql: `update ${q(m.table)} set ${columns.map(([name]) => `${q(name)} = ?`).join(', ')} where ${isSet}`,
      values: [...values, ...values],
    })
    for (const [name, field] of fieldsOf(m))
      if (field.options.secret)
        for (const column of ['prechange_data', 'postchange_data'])
          steps.push({
            sql: `update core_objectchange set ${column} = json_replace(${column}, '$.${name}', null)
              where changed_object_type = ? and ${column} is not null`,
            values: [m.name],
          })
  }
  return steps
}

/** Questions for the files that rows name. */
const naming = (): SqlStep[] =>
  allModels.flatMap((m) =>
    fileFields(m).map((name) => ({ sql: `select ${q(name)} as path from ${q(m.table)} where ${q(name)} <> ''` })),
  )
