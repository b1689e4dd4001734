import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { defaultsOf } from '../store/insert.ts'
import { fileFields, retire } from '../store/uploads.ts'
import type { Writing } from '../store/write.ts'
import type { Op } from './collisions.ts'

/** Columns that a change of a row gives other values. */
const changesOf = ({ before, after }: Pick<Op, 'before' | 'after'>): Row =>
  Object.fromEntries(Object.entries(after!).filter(([name, value]) => value !== before![name] && name in before!))

/** Some of the rows that are put together cannot be. */
class Apart extends Error {}

/** Puts rows to the states that a plan wants, as the database takes them: rules come afterwards. */
export class Putting {
  readonly #w: Writing

  constructor(w: Writing) {
    this.#w = w
  }

  /** Puts rows where they were; answers those that something else stands in the way of. */
  all(ops: readonly Op[]): Op[] {
    let left = [...ops]
    for (let before = Number.POSITIVE_INFINITY; left.length && left.length < before; ) {
      before = left.length
      left = left.filter((op) => !this.one(op))
    }
    const together = new Set(this.#together(left.filter(({ key }) => key === undefined))) // links stand in nobody's way
    return left.filter((op) => !together.has(op))
  }

  /** Puts rows that stand in each other's way, as those that swap names, all at once; answers the ones that can be. */
  #together(ops: readonly Op[]): readonly Op[] {
    const { db } = this.#w
    for (let group = ops, failed: Op[] = []; group.length > 1; group = group.filter((op) => !failed.includes(op))) {
      try {
        db.within(() => {
          const rows = group.map(({ m, id, before }) =>
            before ? db.get<Row>(`select * from ${q(m.table)} where id = ?`, id) : undefined,
          )
          for (const [i, { m, id }] of group.entries())
            if (rows[i]) db.run(`delete from ${q(m.table)} where id = ?`, id)
          failed = group.filter((op, i) => {
            const now = rows[i]
            return op.after && !this.one(now ? { ...op, before: null, after: { ...now, ...changesOf(op) } } : op)
          })
          if (failed.length) throw new Apart()
          for (const op of group) if (op.before && op.after) this.#retire({ ...op, before: op.before, after: op.after })
        })
        return group
      } catch (error) {
        if (!(error instanceof Apart)) throw error
      }
    }
    return []
  }

  /** Puts one row; false where another has its place. */
  one({ m, id, before, after, key }: Op): boolean {
    const { db } = this.#w
    try {
      if (!after) db.run(`delete from ${q(m.table)} where id = ?`, id)
      else if (!before) {
        const row: Row = key ? { ...after } : { ...defaultsOf(m), ...after, id }
        if (m.fields.last_updated && !key) row.last_updated = this.#w.by.now
        // Another has it now.
        if (key && db.get(`select 1 from ${q(m.table)} where id = +?`, id) !== undefined) delete row.id
        const columns = Object.keys(row).filter((name) => name === 'id' || this.#columns(m.table).has(name))
        db.run(
          `insert into ${q(m.table)} (${columns.map(q).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
          ...columns.map((name) => row[name]),
        )
      } else {
        const columns = Object.keys(changesOf({ before, after }))
        if (columns.length === 0) return true
        if (m.fields.last_updated) {
          after.last_updated = this.#w.by.now
          if (!columns.includes('last_updated')) columns.push('last_updated')
        }
        db.run(
          `update ${q(m.table)} set ${columns.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
          ...columns.map((name) => after[name]),
          id,
        )
        this.#retire({ m, before, after })
      }
      return true
    } catch (error) {
      if (!/UNIQUE|PRIMARYKEY/.test(String((error as { code?: string }).code))) throw error
      return false
    }
  }

  /** Lets go of files that a row names no more. */
  #retire({ m, before, after }: { m: AnyModel; before: Row; after: Row }): void {
    for (const name of fileFields(m)) if (after[name] !== before[name]) retire(this.#w.db, before[name])
  }

  readonly #columnsOf = new Map<string, ReadonlySet<string>>()
  #columns(table: string): ReadonlySet<string> {
    const known = this.#columnsOf.get(table)
    if (known) return known
    const columns = new Set(
      this.#w.db.all<{ name: string }>('select name from pragma_table_info(?)', table).map(({ name }) => name),
    )
    this.#columnsOf.set(table, columns)
    return columns
  }
}
