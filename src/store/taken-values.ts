import type { AnyModel } from '../declare/model.ts'
import { q } from '../lib/sql.ts'
import { EveryTable } from './changes.ts'
import type { Connection } from './database.ts'
import { rowsHolding } from './search-index.ts'

/** A custom field whose values no two rows share. */
interface Field {
  id: number
  name: string
  type: string
}

/** What the open transaction knows of a field's values in a table. */
interface Known {
  table: string
  since: number
  asked: number
  /** Rows that may have a value, by the value: none is missing but among those that were changed since. */
  holders: Map<unknown, Set<number>> | undefined
  changed: Set<number>
}

/** So often the table is looked through; whoever asks more often in a transaction writes many objects. */
const FewAsked = 2
/** Types of which the index of the search has every text. */
const Texts = new Set(['text', 'longtext', 'url', 'select'])

/**
 * Who has a value of a custom field, asked again and again in a transaction: of what is undone the connection tells, as
 * of any change.
 */
class TakenValues {
  readonly #db: Connection
  readonly #known = new Map<string, Known>()

  constructor(db: Connection) {
    this.#db = db
    db.onChange(({ table, ids }) => {
      for (const [key, known] of this.#known) {
        if (table !== known.table && table !== EveryTable) continue
        if (ids === 'all') this.#known.delete(key)
        else for (const id of ids) known.changed.add(id)
      }
    })
  }

  /**
   * Whether another row than `self` has a value: a number, where 1 is 1.0, or anything else by its JSON. A `bigint` is
   * exact.
   */
  has(m: AnyModel, field: Field, value: unknown, self: number): boolean {
    const known = this.#knownOf(m.table, field)
    const among = known ? this.#holding(known, field, value) : this.#indexed(m, field, value)
    if (among?.length === 0) return false
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    const same = `custom_field_data ${isNumber ? '->>' : '->'} ? = ? and id <> ?`
    const found = this.#db.get(
      `select 1 from ${q(m.table)} where ${same}${among ? ' and id in (select value from json_each(?))' : ''}`,
      pathOf(field),
      isNumber ? value : JSON.stringify(value),
      self,
      ...(among ? [JSON.stringify(among)] : []),
    )
    return found !== undefined
  }

  /** What is known in the open transaction, where that has asked often. */
  #knownOf(table: string, { name }: Field): Known | undefined {
    const since = this.#db.transaction
    if (since === undefined) return undefined
    const key = `${table} ${name}`
    const before = this.#known.get(key)
    if (before?.since === since) return ++before.asked > FewAsked ? before : undefined
    if (this.#known.size === 0) setImmediate(() => this.#known.clear()) // the transaction is over by then
    this.#known.set(key, { table, since, asked: 1, holders: undefined, changed: new Set() })
    return undefined
  }

  #holding(known: Known, field: Field, value: unknown): readonly number[] {
    if (!known.holders) this.#note(known, field, '')
    else if (known.changed.size)
      this.#note(known, field, ' and id in (select value from json_each(?))', JSON.stringify([...known.changed]))
    known.changed.clear()
    const key = typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : JSON.stringify(value)
    return [...(known.holders!.get(key) ?? [])]
  }

  #note(known: Known, field: Field, where: string, ...values: unknown[]): void {
    const holders = known.holders ?? new Map<unknown, Set<number>>()
    known.holders = holders
    const path = pathOf(field)
    const rows = this.#db.all<{ id: number; json: string; plain: unknown }>(
      `select id, custom_field_data -> ? as json, custom_field_data ->> ? as plain from ${q(known.table)}
        where custom_field_data -> ? is not null${where}`,
      ...[path, path, path, ...values],
    )
    for (const { id, json, plain } of rows) {
      const text = typeof plain === 'number' ? plain : json
      const of = holders.get(text)
      if (of) of.add(id)
      else holders.set(text, new Set([id]))
    }
  }

  /** Rows among which all are that have a text, by the index of the search; undefined where it does not know of few. */
  #indexed(model: AnyModel, { id, type }: Field, value: unknown): readonly number[] | undefined {
    if (typeof value !== 'string' || !Texts.has(type)) return undefined
    const place = { model, column: 'custom_field_data', t: model.table, custom: id }
    const found = rowsHolding(this.#db, () => '')(place, 'ie', value)
    return typeof found === 'string' ? undefined : found
  }
}

const pathOf = ({ name }: Field): string => `$."${name}"`

const taken = new WeakMap<Connection, TakenValues>()
/** Who has which values of custom fields, as a connection sees it. */
export function takenValues(db: Connection): TakenValues {
  const known = taken.get(db) ?? new TakenValues(db)
  taken.set(db, known)
  return known
}
