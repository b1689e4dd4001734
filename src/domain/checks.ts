import { type Field, q, type Row } from '../fields/field.ts'
import { allModels, fieldsOf, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { rebuild } from '../store/tree.ts'

export interface Outcome { problems: string[]; repaired: number }
export interface Check { name: string; run: (store: Store, repair: boolean) => Outcome }

const found = (problems: string[], repaired = 0): Outcome => ({ problems, repaired })

function counters(store: Store, repair: boolean): Outcome {
  const problems: string[] = []
  for (const m of allModels) {
    for (const [name, field] of fieldsOf(m) as [string, Field][]) {
      if (!field.counter) continue
      const actual = `(select count(*) from ${q(modelNamed(field.counter.model).table)} c where c.${q(`${field.counter.by}_id`)} = t.id)`
      const wrong = store.db.all<{ id: number }>(`select t.id as id from ${q(m.table)} t where t.${q(name)} <> ${actual}`)
      problems.push(...wrong.map(({ id }) => `${m.name} ${id}: ${name}`))
      if (repair && wrong.length) store.db.run(`update ${q(m.table)} as t set ${q(name)} = ${actual} where t.${q(name)} <> ${actual}`)
    }
  }
  return found(problems, repair ? problems.length : 0)
}

function trees(store: Store, repair: boolean): Outcome {
  const problems: string[] = []
  for (const m of allModels.filter((each: AnyModel) => each.tree)) {
    const wrong = store.db.all<Row>(`select t.id from ${q(m.table)} t left join ${q(m.table)} p on p.id = t.${q(`${m.tree!.parent}_id`)} where t._place is null or t._depth <> coalesce(p._depth + 1, 0)`)
    problems.push(...wrong.map(({ id }) => `${m.name} ${id}: depth or place`))
    if (repair && wrong.length) rebuild(store.db, m)
  }
  return found(problems, repair ? problems.length : 0)
}

/** What `cabinet check` looks at, in order. */
export const checks: readonly Check[] = [
  { name: 'integrity', run: (store) => found((store.db.raw.pragma('integrity_check') as { integrity_check: string }[]).map((row) => row.integrity_check).filter((text) => text !== 'ok')) },
  { name: 'foreign keys', run: (store) => found((store.db.raw.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]).map((row) => `${row.table} ${row.rowid} refers to a missing row of ${row.parent}`)) },
  { name: 'counters', run: counters },
  { name: 'trees', run: trees },
]
