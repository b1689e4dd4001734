import type { AnyModel } from '../declare/model.ts'
import { type Order, orderOf } from '../engine/order.ts'
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

/**
 * Ids of the rows of a page, in order, and how many rows were about looked at. What lies behind the middle is read from
 * the end.
 */
export function idsOfPage(
  db: Connection,
  m: AnyModel,
  { offset, limit, count, ...asked }: Asked,
): { ids: number[]; walked: number } {
  const take = Math.min(limit ?? count, count - offset)
  if (take <= 0) return { ids: [], walked: 0 }
  const counted = byNumber(db, m, asked, offset, take, count)
  if (counted) return { ids: counted, walked: 0 }
  const behind = count - offset - take
  const isBackward = behind < offset
  const skip = isBackward ? behind : offset
  const page = { ...asked, order: asIndexed(db, m, asked.order), count, isBackward, skip, take }
  const along = byReference(db, m, page) ?? alongOrder(db, m, page)
  const isSorted =
    !along && count > FewSorted && isSorting(db, selecting(m, page.order, isBackward, '', asked.where), asked.values)
  const ids = along ?? selected(db, m, page, '', asked.where, asked.values)
  return {
    ids: isBackward ? ids.reverse() : ids,
    walked: isSorted ? count * Sorting : asked.order.joins ? skip * Joined : skip,
  }
}

/** The page of all rows by their ids where none is missing between the first and the last; undefined for others. */
function byNumber(
  db: Connection,
  m: AnyModel,
  { order, where }: Pick<Asked, 'order' | 'where'>,
  offset: number,
  take: number,
  count: number,
): number[] | undefined {
  const byId = /^(?:t\."id"( desc)?, )?t\.id( desc)?$/.exec(order.terms)
  if (where.length > 0 || !byId) return undefined
  const isFalling = Boolean(byId[1] ?? byId[2])
  const ends = `select (select min(id) from ${q(m.table)}) as first, (select max(id) from ${q(m.table)}) as last`
  const { first, last } = db.get<{ first: number; last: number }>(ends)!
  if (last - first + 1 !== count) return undefined
  return Array.from({ length: take }, (_, i) => (isFalling ? last - offset - i : first + offset + i))
}

/** Ids of rows that meet a condition, in no order: all, or `most` of them. */
export function idsThat(
  db: Connection,
  m: AnyModel,
  { where, values }: Pick<Asked, 'where' | 'values'>,
  most = -1,
): number[] {
  const sql = `select t.id as id from ${q(m.table)} t where ${where.join(' and ')} limit :_most`
  return db
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

/**
 * What a condition says that is no complement, and what does that takes from it: so that few rows are counted instead
 * of most.
 */
export function complementOf(where: readonly string[]): { rest: string[]; taken: string } | undefined {
  for (const [i, condition] of where.entries()) {
    const taken = /^\((.*)\) is not true$/s.exec(condition)?.[1]
    if (taken && isBalanced(taken)) return { rest: where.toSpliced(i, 1), taken }
  }
  return undefined
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

/**
 * Ids of a page of rows whose ids are known: those few are sorted, unless the page is soon met along the order of all
 * rows.
 */
export function idsAmong(
  db: Connection,
  m: AnyModel,
  { order, where, values, limit, offset }: Omit<Asked, 'count'>,
  ids: readonly number[],
): number[] {
  const count = ids.length
  const take = Math.min(limit ?? count, count - offset)
  const page = { order, where, values, count, isBackward: false, skip: offset, take }
  const along = count > FewSorted && take > 0 ? alongOrder(db, m, page) : undefined
  if (along) return along
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

/**
 * Objects past which it costs too much to look for the rows of each, and references of theirs that are followed to sort
 * them.
 */
const [ManyTargets, MaxJoined] = [20_000, 3]

/**
 * Ids of what rows refer to, perhaps with some that none refers to, in their order or the opposite; undefined where
 * they are too many.
 */
function inOrder(
  db: Connection,
  m: AnyModel,
  { column, target }: NonNullable<Order['by']>,
  isFalling: boolean,
): number[] | undefined {
  const { joins, terms, reversed } = orderOf(target)
  // In orders of others, references are not followed as far.
  if (joins.split(' join ').length - 1 > MaxJoined) return undefined
  let among = ''
  const values: Record<string, Stored> = {}
  if (db.rows.lastOwn(target.table) > ManyTargets) {
    const distinct = `select distinct ${q(column)} as id from ${q(m.table)} where ${q(column)} is not null limit :most`
    const ids = db.all<{ id: number }>(distinct, { most: ManyTargets + 1 }).map(({ id }) => id)
    if (ids.length > ManyTargets) return undefined
    among = 'where t.id in (select value from json_each(:ids))'
    values.ids = JSON.stringify(ids)
  }
  const sql = `select t.id as id from ${q(target.table)} t ${joins} ${among} order by ${isFalling ? reversed : terms}`
  return db.all<{ id: number }>(sql, values).map(({ id }) => id)
}

/**
 * The page of all rows by a reference: along what they may refer to, in its own order, and for each along the index of
 * the reference. Undefined for other orders, and where only some rows are asked for.
 */
function byReference(
  db: Connection,
  m: AnyModel,
  { order, where, count, skip, take, isBackward }: Piece,
): number[] | undefined {
  if (!order.by || where.length > 0) return undefined
  const { column, isDown, isNullable } = order.by
  const isFalling = isDown !== isBackward
  const ids: number[] = []
  let toSkip = skip
  const referring = `from ${q(m.table)} t where t.${q(column)}`
  const counted = (condition: string, values: object) =>
    db.get<{ n: number }>(`select count(*) as n ${referring} ${condition}`, values)!.n
  const add = (condition: string, values: object, known?: number): void => {
    const n = known ?? (toSkip > 0 ? counted(condition, values) : Infinity)
    if (n <= toSkip) {
      toSkip -= n
      return
    }
    const sql = `select t.id as id ${referring} ${condition}
      order by t.id${isFalling ? ' desc' : ''} limit :limit offset :offset`
    const rows = db.all<{ id: number }>(sql, { ...values, limit: take - ids.length, offset: toSkip })
    for (const { id } of rows) ids.push(id)
    toSkip = 0
  }
  const addEmpty = () => add('is null', {}, count - counted('is not null', {}))
  if (isNullable && isFalling) addEmpty()
  const targets = ids.length < take ? inOrder(db, m, order.by, isFalling) : []
  if (!targets) return undefined
  for (const id of targets) {
    if (ids.length >= take) break
    add('= :of', { of: id })
  }
  if (isNullable && !isFalling && ids.length < take) addEmpty()
  return ids.length === take ? ids : undefined
}

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
 * The page of a condition that many rows meet, by a walk along the index of the model's order: SQLite, which does not
 * know how many they are, may collect and sort them all. Undefined where that promises nothing, or where the rows that
 * it meets are elsewhere.
 */
function alongOrder(db: Connection, m: AnyModel, page: Piece): number[] | undefined {
  const { order, where, values, count, skip, take, isBackward } = page
  if (where.length === 0 || !order.lead || indexless.has(m)) return undefined
  const last = db.rows.lastOwn(m.table)
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
