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

/** Rows that a server needs to be one: the list of object types, whose ids must not change from start to start. */
export function seed(db: Connection): void {
  const stored = db.all<StoredType>(
    "select id, app_label || '.' || model as name, public, features from core_objecttype",
  )
  const known = new Map(stored.map((row) => [row.name, row]))
  for (const m of allModels) {
    if (m.internal === 'own') continue
    const [app, model] = m.name.split('.')
    const isPublic = Number(m.public ?? !m.internal)
    const features = JSON.stringify(m.features ?? [])
    const row = known.get(m.name)
    if (!row)
      db.run(
        'insert into core_objecttype (app_label, model, public, features) values (?, ?, ?, ?)',
        app,
        model,
        isPublic,
        features,
      )
    else if (row.public !== isPublic || row.features !== features)
      db.run('update core_objecttype set public = ?, features = ? where id = ?', isPublic, features, row.id)
  }
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
