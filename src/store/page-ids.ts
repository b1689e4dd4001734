import { lastOwn } from './own-ids.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Order } from '../engine/order.ts'
import type { Stored } from '../fields/field.ts'
import { Lru } from '../lib/lru.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from './database.ts'

/** Which rows of a list a page shows: those of a condition in some order, `count` of them in all. */
interface Asked {
  order: Order
  where: readonly string[]
  values: Readonly<Record<string, Stored>>
  limit: number | undefined
  offset: number
  count: number
}

/** Ids of the rows of a page, in order, and how many rows were about looked at. What lies behind the middle is read from the end. */
export function idsOfPage(
  db: Connection,
  m: AnyModel,
  { offset, limit, count, ...asked }: Asked,
): { ids: number[]; walked: number } {
  const take = Math.min(limit ?? count, count - offset)
  if (take <= 0) return { ids: [], walked: 0 }
  const behind = count - offset - take
  const isBackward = behind < offset
  const skip = isBackward ? behind : offset
  const page = { ...asked, order: asIndexed(db, m, asked.order), count, isBackward, skip, take }
  const along = alongOrder(db, m, page)
  const isSorted =
    !along && count > FewSorted && isSorting(db, selecting(m, page.order, isBackward, '', asked.where), asked.values)
  const ids = along ?? selected(db, m, page, '', asked.where, asked.values)
  return {
    ids: isBackward ? ids.reverse() : ids,
    walked: isSorted ? count * Sorting : asked.order.joins ? skip * Joined : skip,
  }
}

/** Ids of rows that meet a condition, in no order: all, or `most` of them. */
export function idsThat(
  db: Connection,
  m: AnyModel,
  { where, values }: Pick<Asked, 'where' | 'values'>,
  most = -1,
): number[] {
  const sql = `select t.id as id from ${q(m.table)} t where ${where.join(' and ')} limit :_most`
  return db.raw
    .prepare(sql)
    .pluck()
    .all({ ...values, _most: most }) as number[]
}

/** Ids that a condition lists, when it compares nothing else: they may not all be of rows, nor each come once. */
export function idsListed(db: Connection, { where, values }: Pick<Asked, 'where' | 'values'>): number[] | undefined {
  const listed = where.length === 1 && /^t\.id in \((select [^;]*)\)$/.exec(where[0]!)
  if (!listed || !isBalanced(listed[1]!)) return undefined
  return db.prepare(`${listed[1]!} limit -1`).pluck().all(values) as number[]
}

/** Whether what brackets open, they close, and nothing else. */
function isBalanced(sql: string): boolean {
  let depth = 0
  for (const char of sql) {
    if (char === '(') depth++
    else if (char === ')' && --depth < 0) return false
  }
  return depth === 0
}

/** Ids of a page among those of a few rows. */
export function idsAmong(
  db: Connection,
  m: AnyModel,
  order: Order,
  ids: readonly number[],
  limit: number | undefined,
  offset: number,
): number[] {
  const sql = `select t.id as id from json_each(+:ids) j cross join ${q(m.table)} t on t.id = j.value ${order.joins}
    order by ${order.terms} limit :limit offset :offset`
  const rows = db.all<{ id: number }>(sql, { ids: JSON.stringify(ids), limit: limit ?? -1, offset })
  return rows.map(({ id }) => id)
}

/** Rows that are soon sorted. */
const FewSorted = 1000
/** A row that is sorted costs as much as so many that are passed along an index. */
const Sorting = 4
/** The same of a row that is joined to others. */
const Joined = 3

/** The order as an index has it, which knows no place for rows without a value but the one that SQLite gives them. */
function asIndexed(db: Connection, m: AnyModel, order: Order): Order {
  const { filled } = order
  return filled && !db.get(`select 1 from ${q(m.table)} where ${q(filled.column)} is null limit 1`)
    ? { ...order, ...filled }
    : order
}

interface Piece extends Pick<Asked, 'order' | 'where' | 'values' | 'count'> {
  isBackward: boolean
  skip: number
  take: number
}

function selected(
  db: Connection,
  m: AnyModel,
  { order, isBackward, skip, take }: Piece,
  by: string,
  where: readonly string[],
  values: Asked['values'],
): number[] {
  const rows = db.all<{ id: number }>(selecting(m, order, isBackward, by, where), {
    ...values,
    limit: take,
    offset: skip,
  })
  return rows.map(({ id }) => id)
}

const selecting = (m: AnyModel, order: Order, isBackward: boolean, by: string, where: readonly string[]): string =>
  `select t.id as id from ${q(m.table)} t ${by} ${order.joins}${where.length ? ` where ${where.join(' and ')}` : ''}
    order by ${isBackward ? order.reversed : order.terms} limit :limit offset :offset`

const sorts = new Lru<string, boolean>(1000)
/** Whether SQLite means to collect all rows of a statement and sort them. */
function isSorting(db: Connection, sql: string, values: Asked['values']): boolean {
  const known = sorts.get(sql)
  if (known !== undefined) return known
  const plan = db.raw.prepare(`explain query plan ${sql}`).all({ ...values, limit: 1, offset: 0 }) as {
    detail: string
  }[]
  const found = plan.some(({ detail }) => detail.startsWith('USE TEMP B-TREE FOR') && detail.endsWith('ORDER BY'))
  sorts.set(sql, found)
  return found
}

/** How many times as many rows as a page should need are looked at before its condition is asked first after all. */
const Patience = 4

/**
 * The page of a condition that many rows meet, by a walk along the index of the model's order: SQLite, which does not know how
 * many they are, may collect and sort them all. Undefined where that promises nothing, or where the rows that it meets are elsewhere.
 */
function alongOrder(db: Connection, m: AnyModel, page: Piece): number[] | undefined {
  const { order, where, values, count, skip, take, isBackward } = page
  if (where.length === 0 || !order.lead || indexless.has(m)) return undefined
  const last = db.get<{ id: number | null }>(lastOwn(m.table))!.id ?? 0
  const steps = Math.ceil(((skip + take) * last) / count) * Patience
  if (steps * 2 > count || !isSorting(db, selecting(m, order, isBackward, '', where), values)) return undefined
  const { expression, isDown } = order.lead
  const terms = isBackward ? order.reversed : order.terms
  try {
    const by = `indexed by ${q(`${m.table}_order_ix`)}`
    const edge = db.get<{ value: Stored }>(
      `select ${expression} as value from ${q(m.table)} t ${by} ${order.joins} order by ${terms} limit 1 offset :steps`,
      { steps },
    )
    const within = edge ? [`${expression} ${isDown === isBackward ? '<=' : '>='} +:edge`] : []
    const ids = selected(db, m, page, by, [...within, ...where], edge ? { ...values, edge: edge.value } : values)
    return ids.length === take ? ids : undefined
  } catch (error) {
    if (!/no such index|no query solution/.test((error as Error).message)) throw error
    indexless.add(m)
    return undefined
  }
}
/** Models whose order no index of their own has. */
const indexless = new Set<AnyModel>()
