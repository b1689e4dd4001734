import { conditionOf } from '../http/lists.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Condition } from '../store/selections.ts'
import type { Visit } from './visit.ts'

/** Those of what a condition holds for that are among some. */
export const among = ({ where, values, uses }: Condition, ids: readonly number[]): Condition => ({
  where: [...where, 't.id in (select value from json_each(:chosen))'],
  values: { ...values, chosen: JSON.stringify(ids) },
  uses,
})

/** Names of so many objects are shown. */
export const MaxNamed = 100

/** What objects are called, by id, in one statement. */
export function displaysOf(visit: Visit, m: AnyModel, ids: readonly number[]): ReadonlyMap<number, string> {
  const rows = visit.store.reader.rows(m, ids, { members: ['id', 'display'] }, '')
  return new Map(
    rows.map((bytes) => {
      const { id, display } = JSON.parse(bytes.toString()) as { id: number; display: string }
      return [id, display || `#${id}`] as const
    }),
  )
}

/** Those of some objects that the user may view: so many at most. */
export const visibleOf = (visit: Visit, m: AnyModel, ids: readonly number[], most = MaxNamed): readonly number[] =>
  visit.store.reader.page(m, among(conditionOf(visit, m, new URLSearchParams()), ids), undefined, most, 0).ids

/**
 * What objects are called that a field names, in its order: by their ids, which stay numbers for who may not view them,
 * or by what it says of them, where that is no id.
 */
export function namesOf(visit: Visit, m: AnyModel, values: readonly string[], by: string | undefined): string[] {
  if (by && by !== 'id') return [...values]
  const ids = values.filter(isId).map(Number)
  const names = ids.length ? displaysOf(visit, m, visibleOf(visit, m, ids, ids.length)) : new Map<number, string>()
  return values.map((value) => (isId(value) ? (names.get(Number(value)) ?? `#${value}`) : value))
}

const isId = (value: string): boolean => /^\d{1,15}$/.test(value)
