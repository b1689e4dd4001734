import type { AnyModel } from '../declare/model.ts'
import type { Order } from '../engine/order.ts'
import type { Stored } from '../fields/field.ts'
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

/** Ids of the rows of a page, in order. What lies behind the middle is read from the end. */
export function idsOfPage(db: Connection, m: AnyModel, { offset, limit, count, ...asked }: Asked): number[] {
  const take = Math.min(limit ?? count, count - offset)
  if (take <= 0) return []
  const behind = count - offset - take
  const isBackward = behind < offset
  const skip = isBackward ? behind : offset
  const page = { ...asked, count, isBackward, skip, take }
  const ids = alongOrder(db, m, page) ?? selected(db, m, page, '', asked.where, asked.values)
  return isBackward ? ids.reverse() : ids
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
  const conditions = where.length ? ` where ${where.join(' and ')}` : ''
  const rows = db.all<{ id: number }>(
    `select t.id as id from ${q(m.table)} t ${by} ${order.joins}${conditions}
      order by ${isBackward ? order.reversed : order.terms} limit :limit offset :offset`,
    { ...values, limit: take, offset: skip },
  )
  return rows.map(({ id }) => id)
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
  const last = db.get<{ id: number | null }>(`select max(id) as id from ${q(m.table)}`)!.id ?? 0
  const steps = Math.ceil(((skip + take) * last) / count) * Patience
  if (steps * 2 > count) return undefined
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
