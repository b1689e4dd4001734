import { randomUUID } from 'node:crypto'
import { System } from '../registry/actor.ts'
import { now } from '../tools/datetime.ts'
import { create, Writing } from './write.ts'
import type { Store } from './open.ts'
import { allModels } from '../registry/catalog.ts'
import type { Connection } from './database.ts'

/** Rows that a server needs to be one: the list of object types, whose ids must not change from start to start. */
export function seed(db: Connection): void {
  const known = new Set(
    db.all<{ name: string }>("select app_label || '.' || model as name from core_objecttype").map((row) => row.name),
  )
  for (const m of allModels) {
    if (known.has(m.name) || m.internal) continue
    const [app, model] = m.name.split('.')
    db.run(
      'insert into core_objecttype (app_label, model, public, features) values (?, ?, 1, ?)',
      app,
      model,
      JSON.stringify(m.features ?? []),
    )
  }
}

/** Objects that a fresh server holds, made once, when its database is; nobody made them, so no change record says so. */
export function seedObjects(store: Store): void {
  const by = { userId: null, username: '', requestId: randomUUID(), message: '', now: now() }
  for (const m of allModels)
    for (const body of m.initial ?? []) create(new Writing(store, System, by), m, body, { mode: 'create' })
  store.db.run('delete from core_objectchange where request_id = ?', by.requestId)
}
