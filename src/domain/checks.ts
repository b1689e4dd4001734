import { q, type Row } from '../fields/field.ts'
import { allModels } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { rebuild } from '../store/tree.ts'
import { cabling } from './cable-checks.ts'
import { counters, found, keys, measures, type Outcome, places, prefixes } from './derived.ts'

export interface Check {
  name: string
  run: (store: Store, repair: boolean) => Outcome
}

function trees(store: Store, repair: boolean): Outcome {
  const problems: string[] = []
  for (const m of allModels.filter((each: AnyModel) => each.tree)) {
    const wrong = store.db.all<Row>(
      `select t.id from ${q(m.table)} t left join ${q(m.table)} p on p.id = t.${q(`${m.tree!.parent}_id`)} where t._place is null or t._depth <> coalesce(p._depth + 1, 0)`,
    )
    problems.push(...wrong.map(({ id }) => `${m.name} ${id}: depth or place`))
    if (repair && wrong.length) rebuild(store.db, m)
  }
  return found(problems, repair ? problems.length : 0)
}

/** What `cabinet check` looks at, in order. */
export const checks: readonly Check[] = [
  {
    name: 'integrity',
    run: (store) =>
      found(
        (store.db.raw.pragma('integrity_check') as { integrity_check: string }[])
          .map((row) => row.integrity_check)
          .filter((text) => text !== 'ok'),
      ),
  },
  {
    name: 'foreign keys',
    run: (store) =>
      found(
        (store.db.raw.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]).map(
          (row) => `${row.table} ${row.rowid} refers to a missing row of ${row.parent}`,
        ),
      ),
  },
  { name: 'keys', run: keys },
  { name: 'counters', run: counters },
  { name: 'places', run: places },
  { name: 'trees', run: trees },
  { name: 'measures', run: measures },
  { name: 'prefixes', run: prefixes },
  { name: 'cabling', run: cabling },
]
