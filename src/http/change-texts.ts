import { binder, may, permittedRows } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { Store } from '../store/open.ts'
import { conditionOf } from './lists.ts'
import type { Call } from './request.ts'
import { withSavedFilters } from './saved-filters.ts'

export const Changes = 'core.objectchange'

/** Changes that are told at once: so many, and of so many bytes unless it is a single one. */
const Batch = 500
export const PieceBytes = 131_072

/** Changes of one piece of the stream, and about how many bytes that has. */
export interface ChangePiece {
  ids: number[]
  bytes: number
  isMore: boolean
}

/** Texts of changes as events, by base and id. */
export type Made = Map<string, Buffer>

/** The id of the last change; 0 for none. */
export const lastChange = ({ db }: Store): number =>
  db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0

/** The changes after one, up to another, that are told at once; and whether there may be more. */
export function pieceAfter({ db }: Store, id: number, last: number): ChangePiece {
  const found = db.all<{ id: number; bytes: number }>(
    `select id, coalesce(octet_length(prechange_data), 0) + coalesce(octet_length(postchange_data), 0) + 500 as bytes
      from core_objectchange where id > ? and id <= ? order by id limit ?`,
    id,
    last,
    Batch,
  )
  let [count, bytes] = [0, 0]
  while (count < found.length && (count === 0 || bytes + found[count]!.bytes <= PieceBytes))
    bytes += found[count++]!.bytes
  return { ids: found.slice(0, count).map((row) => row.id), bytes, isMore: count === Batch || count < found.length }
}

/**
 * Those of some changes that a listener asks for and may view, as events. `made`: what was made of them for others, by
 * base and id.
 */
export function textFor(call: Call, ids: readonly number[], made: Made = new Map()): Buffer {
  const m = modelNamed(Changes)
  if (ids.length === 0 || !may(call.actor, 'view', m)) return Buffer.alloc(0)
  const { reader } = call.store
  const condition = conditionOf(call, m, withSavedFilters(call, m))
  const { ids: found } = reader.from(
    m,
    {
      ...condition,
      where: [...condition.where, 't.id in (select value from json_each(:newIds))'],
      values: { ...condition.values, newIds: JSON.stringify(ids) },
    },
    0,
    ids.length,
  )
  const missing = found.filter((id) => !made.has(`${call.base} ${id}`))
  reader.rows(m, missing, {}, call.base).forEach((row, i) => {
    const text = Buffer.from(`id: ${missing[i]}\nevent: change\ndata: ${String(row)}\n\n`)
    made.set(`${call.base} ${missing[i]}`, text)
  })
  const texts = found.flatMap((id) => made.get(`${call.base} ${id}`) ?? [])
  return texts.length === 1 ? texts[0]! : Buffer.concat(texts) // one change is held once, whoever waits for it
}

/**
 * What decides of the events that a listener hears: what they may view, what they ask for, and the addresses that it
 * holds.
 */
export function groupOf({ actor, base, query }: Call): string {
  const c = binder('g')
  const permitted = permittedRows(actor, 'view', modelNamed(Changes), 't', c)
  const isOwn = [...query.keys()].some((name) => name.startsWith('filter')) // saved ones are those that a user may use
  return JSON.stringify([permitted, c.values, isOwn && actor.userId, base, query.toString()])
}
