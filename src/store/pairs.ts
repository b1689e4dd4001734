import type { Pair } from '../declare/behaviour.ts'
import type { Relation } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { lit, q } from '../lib/sql.ts'
import type { Connection } from './database.ts'

/** Which of some rows of a model lead to which others by one relation. */
export function pairsOf(db: Connection, m: AnyModel, step: Relation, ids: readonly number[]): Pair[] {
  const typed = step.type ? ` and ${q(step.type.column)} = ${lit(step.type.value)}` : ''
  const [table, owner, target] =
    step.way === 'to'
      ? [m.table, 'id', step.column]
      : step.way === 'back'
        ? [step.model.table, step.column, 'id']
        : [step.table, step.from, step.to]
  return db.all<Pair>(
    `select ${q(owner)} as owner, ${q(target)} as target from ${q(table)}
     where ${q(owner)} in (select value from json_each(?)) and ${q(target)} is not null${typed}`,
    JSON.stringify(ids),
  )
}
