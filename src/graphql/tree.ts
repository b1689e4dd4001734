import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Member } from './members.ts'

/** What, after the place of a node, sorts after the places of all nodes below it. */
const AfterAllBelow = `x'${'ff'.repeat(8)}'`

/** SQL of the place right after all nodes below one. */
export const endOf = (n: string): string => `cast(${n}._place || ${AfterAllBelow} as blob)`

/** Where a node stands among those of its tree, numbered in depth-first order: on the way in and on the way out. */
export function treeMembers(m: AnyModel): [string, Member][] {
  const table = q(m.table)
  const root = (t: string) => `(select max(r._place) from ${table} r where r._depth = 0 and r._place <= ${t}._place)`
  const below = (t: string) =>
    `(select count(*) from ${table} k where k._place > ${t}._place and k._place < ${endOf(t)})`
  const entered = (t: string) =>
    `2 * (select count(*) from ${table} k where k._place >= ${root(t)} and k._place < ${t}._place) - ${t}._depth + 1`
  const value = (sql: (t: string) => string): Member => ({ as: 'value', type: 'Int!', sql })
  return [
    ['lft', value(entered)],
    ['rght', value((t) => `${entered(t)} + 2 * ${below(t)} + 1`)],
    ['tree_id', value((t) => treeNumber(m, t, root(t)))],
    ['level', value((t) => `${t}._depth`)],
  ]
}

/**
 * Trees are numbered in the order of their roots; those whose roots have names of no use elsewhere as they were made.
 */
function treeNumber(m: AnyModel, t: string, root: string): string {
  const table = q(m.table)
  return m.fields.slug
    ? `(select count(*) from ${table} r where r._depth = 0 and r._place <= ${t}._place)`
    : `(select count(*) from ${table} r
        where r._depth = 0 and r.id <= (select o.id from ${table} o where o._place = ${root}))`
}
