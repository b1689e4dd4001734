import { sql } from 'drizzle-orm'
import {
  blob,
  foreignKey,
  index,
  integer,
  real,
  type SQLiteColumn,
  type SQLiteTable,
  type SQLiteTableExtraConfigValue,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { type Column, linkTable } from '../fields/field.ts'
import { changeColumn, fieldsOf, genericPrefix, modelNamed } from './catalog.ts'
import { type AnyModel, fieldOfPart } from '../declare/model.ts'

/** Columns that every model has: the id, and for trees the depth and the place in depth-first order. */
function columnsOf(m: AnyModel): Record<string, Column> {
  const columns: Record<string, Column> = {}
  for (const [name, field] of fieldsOf(m)) Object.assign(columns, field.columns(name))
  if (m.tree) {
    columns._depth ??= { type: 'integer', default: 0 }
    columns._place = { type: 'blob', null: true, index: true }
  }
  return columns
}

/**
 * Drizzle tables of all models, from which drizzle-kit makes migrations. Foreign keys carry no action: the writer does
 * deletions.
 */
export function tables(all: readonly AnyModel[]): Record<string, SQLiteTable> {
  const made: Record<string, SQLiteTable> = {}
  for (const m of all) {
    made[m.table] = table(m, made)
    for (const [name, field] of fieldsOf(m)) {
      if (field.links && !field.links.via)
        made[linkTable(m.table, name)] = link(
          linkTable(m.table, name),
          () => made[m.table]!,
          () => made[modelNamed(field.links!.model).table]!,
        )
    }
  }
  return made
}

const builders = { text, integer, real, blob: (name: string) => blob(name, { mode: 'buffer' }) }

function column(name: string, c: Column) {
  const built = builders[c.type](name) as ReturnType<typeof text>
  const filled = c.default === undefined ? built : built.default(c.default as string)
  return c.null ? filled : filled.notNull()
}

function table(m: AnyModel, made: Record<string, SQLiteTable>): SQLiteTable {
  const declared = columnsOf(m)
  const columns: Record<string, unknown> = { id: integer('id').primaryKey({ autoIncrement: true }) }
  for (const [name, c] of Object.entries(declared)) columns[name] = column(name, c)
  return sqliteTable(m.table, columns as never, (t) => {
    const at = t as unknown as Record<string, SQLiteColumn>
    const extra: SQLiteTableExtraConfigValue[] = []
    const indexed = new Map<string, { isSparse: boolean }>()
    const beginnings = new Map<string, { isSparse: boolean }>()
    const columnOf = (name: string) => (m.fields[name]?.target ? `${name}_id` : name)
    const add = (name: string, columns: readonly string[], { unique = false, sparse = '' } = {}) => {
      const key = columns.join(',')
      if (columns.length === 0 || columns.some((c) => !at[c])) return
      // An index that lists all rows says more than a sparse one.
      const isSaid = (by: typeof indexed) => by.has(key) && (sparse !== '' || !by.get(key)!.isSparse)
      if (isSaid(indexed) || (!unique && isSaid(beginnings))) return
      indexed.set(key, { isSparse: sparse !== '' })
      // What another index would say again; of a sparse one only what asks for the column that tells its rows.
      if (sparse === '' || sparse === columns[0])
        for (let n = 1; n < columns.length; n++) {
          const beginning = columns.slice(0, n).join(',')
          if (!beginnings.get(beginning) || sparse === '') beginnings.set(beginning, { isSparse: sparse !== '' })
        }
      const [first, ...rest] = columns.map((c) => at[c]!) as [SQLiteColumn, ...SQLiteColumn[]]
      const whole = (unique ? uniqueIndex(name) : index(name)).on(first, ...rest)
      extra.push(sparse ? whole.where(sql.raw(`"${sparse}" is not null`)) : whole)
    }
    // A row that has nothing in the first column is like no other; where a rule looks for such rows, they are listed.
    const lacking = new Set((m.unique ?? []).flatMap(({ when }) => when?.isNull ?? []).map(columnOf))
    const addUnique = (name: string, columns: readonly string[]) => {
      const [first = ''] = columns
      add(name, columns, { unique: true, sparse: declared[first]?.null && !lacking.has(first) ? first : '' })
    }
    for (const [name, field] of fieldsOf(m))
      if (field.options.unique) addUnique(`${m.table}_${name}_uq`, [columnOf(name)])
    for (const [i, rule] of (m.unique ?? []).entries()) {
      if (!rule.when && !rule.fields.some((part) => typeof part === 'object'))
        addUnique(`${m.table}_unique${i || ''}_uq`, rule.fields.map(fieldOfPart).map(columnOf))
    }
    for (const rule of m.unique ?? []) {
      const folded = rule.fields.flatMap((part) => (typeof part === 'object' ? [part.lower] : []))[0]
      if (!folded || indexed.has(`lower:${folded}`)) continue
      indexed.set(`lower:${folded}`, { isSparse: false })
      extra.push(index(`${m.table}_${folded}_lower_ix`).on(sql`lower(${at[folded]})`))
    }
    const order = orderColumns(m)
    const hasOwn = order.length > 0 && !declared[order[0]!]?.references
    const isOfOrder = (columns: readonly string[]) => hasOwn && order.every((name, i) => columns[i] === name)
    for (const columns of m.indexes ?? [])
      add(`${m.table}_${isOfOrder(columns) ? 'order' : columns.join('_')}_ix`, columns)
    add(`${m.table}_order_ix`, order)
    for (const [name, field] of fieldsOf(m)) {
      if (!field.generic) continue
      const [type, id] = [`${genericPrefix(field, name)}_type`, `${genericPrefix(field, name)}_id`]
      add(`${m.table}_${name}_ix`, [type, id], { sparse: declared[id]?.null ? id : '' })
    }
    for (const [name, c] of Object.entries(declared)) {
      if (c.references) {
        // Most rows refer to nothing: they need no entry.
        if (orderColumns(m)[0] !== name) add(`${m.table}_${name}_ix`, [name], { sparse: c.null ? name : '' })
        const target = modelNamed(c.references).table
        extra.push(
          foreignKey(() => ({
            columns: [at[name]!],
            foreignColumns: [(made[target] as unknown as { id: SQLiteColumn }).id],
          })),
        )
      } else if (name === changeColumn(m)) add(`${m.table}_${name}_ix`, [name])
      else if (c.index && orderColumns(m)[0] !== name)
        add(`${m.table}_${name}_ix`, [name, ...(c.beside ?? [])], { sparse: c.null ? name : '' })
    }
    return extra
  })
}

/** Own columns of the default order, so that a page is read off an index. */
function orderColumns(m: AnyModel): string[] {
  if (m.tree) return ['_place']
  const columns: string[] = []
  for (const term of m.order) {
    const name = term.replace(/^-/, '')
    const own = m.fields[name]?.columns(name) ?? { [name]: true }
    if (m.fields[name]?.compare === undefined && m.fields[name]) break
    columns.push(
      ...(`${name}_sort` in own
        ? [`${name}_sort`, name]
        : `${name}_host` in own
          ? [`${name}_host`, `${name}_mask`]
          : Object.keys(own).slice(0, 1)),
    )
  }
  return columns
}

/** Link table of a many to many field. */
function link(name: string, from: () => SQLiteTable, to: () => SQLiteTable): SQLiteTable {
  const id = (t: SQLiteTable) => (t as unknown as { id: SQLiteColumn }).id
  return sqliteTable(
    name,
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      from_id: integer('from_id').notNull(),
      to_id: integer('to_id').notNull(),
    },
    (t) => [
      uniqueIndex(`${name}_uq`).on(t.from_id, t.to_id),
      index(`${name}_to_ix`).on(t.to_id),
      foreignKey(() => ({ columns: [t.from_id], foreignColumns: [id(from())] })),
      foreignKey(() => ({ columns: [t.to_id], foreignColumns: [id(to())] })),
    ],
  )
}
