import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import { referencesIn } from './references.ts'

/**
 * Columns that a row gets again because what they referred to comes back, or stays after all: its deletion had emptied
 * them, with what means nothing without them (a position in a virtual chassis). Where it would have taken the row
 * along, or been refused, somebody had emptied them before. `isBack`: by `<table>:<id>`.
 */
export function emptiedBy(m: AnyModel, before: Row | null, now: Row, isBack: (key: string) => boolean): Row {
  const found: Row = {}
  if (before)
    for (const { columns, beside, onDelete, to, id } of referencesIn(m, before)) {
      if (
        onDelete !== 'set null' ||
        columns.some((name) => (now[name] ?? null) !== null) ||
        !isBack(`${to.table}:${id}`)
      )
        continue
      for (const name of [...columns, ...beside]) if ((now[name] ?? null) === null) found[name] = before[name] ?? null
    }
  return found
}
