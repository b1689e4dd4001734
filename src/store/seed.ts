import { allModels } from '../registry/catalog.ts'
import type { Connection } from './database.ts'

/** Rows that a server needs to be one: the list of object types, whose ids must not change from start to start. */
export function seed(db: Connection): void {
  const known = new Set(db.all<{ name: string }>("select app_label || '.' || model as name from core_objecttype").map((row) => row.name))
  for (const m of allModels) {
    if (known.has(m.name) || m.internal) continue
    const [app, model] = m.name.split('.')
    db.run('insert into core_objecttype (app_label, model, public, features) values (?, ?, 1, ?)', app, model, JSON.stringify(m.features ?? []))
  }
}
