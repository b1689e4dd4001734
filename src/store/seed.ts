import { randomUUID } from 'node:crypto'
import type Database from 'better-sqlite3'
import { System } from '../engine/actor.ts'
import { withOwnSchemas } from '../rules/schemas.ts'
import { now } from '../lib/datetime.ts'
import { create, Writing } from './write.ts'
import type { Store } from './open.ts'
import { allModels } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'

interface StoredType {
  id: number
  name: string
  public: number
  features: string
}

type Step = readonly [sql: string, ...values: unknown[]]

/** What makes the list of object types what it is to be. */
function seeding(db: Connection): Step[] {
  const stored = db.all<StoredType>(
    "select id, app_label || '.' || model as name, public, features from core_objecttype",
  )
  const known = new Map(stored.map((row) => [row.name, row]))
  return allModels.flatMap((m): Step[] => {
    if (m.internal === 'own') return []
    const row = known.get(m.name)
    const isPublic = Number(m.public ?? !m.internal)
    const features = JSON.stringify(m.features ?? [])
    if (!row) {
      const sql = 'insert into core_objecttype (app_label, model, public, features) values (?, ?, ?, ?)'
      return [[sql, ...m.name.split('.'), isPublic, features]]
    }
    if (row.public === isPublic && row.features === features) return []
    return [['update core_objecttype set public = ?, features = ? where id = ?', isPublic, features, row.id]]
  })
}

/** Whether all rows are there that a server needs to be one. */
export const isSeeded = (db: Connection): boolean => seeding(db).length === 0

/** Rows that a server needs to be one: the list of object types, whose ids must not change from start to start. */
export function seed(db: Connection): void {
  for (const [sql, ...values] of seeding(db)) db.run(sql, ...values)
}

/** Models of whose objects a server begins with some, as far as a database has no table of them yet. */
export const unmadeModels = (raw: Database.Database): readonly AnyModel[] =>
  allModels.filter(
    ({ initial, table }) => initial && !raw.prepare('select 1 from sqlite_schema where name = ?').get(table),
  )

/**
 * Objects of some models that a server begins with, made once, when the table of the model is: who deleted them does
 * not get them back. Nobody made them, so no change record says so.
 */
export function seedObjects(store: Store, models: readonly AnyModel[] = allModels): void {
  const by = { userId: null, username: '', requestId: randomUUID(), message: '', now: now() }
  withOwnSchemas(() => {
    for (const m of models)
      for (const body of m.initial ?? []) create(new Writing(store, System, by), m, body, { mode: 'create' })
  })
  store.db.run('delete from core_objectchange where request_id = ?', by.requestId)
}
