import type { RowNamed } from '../declare/model.ts'
import type { Rows } from '../declare/rows.ts'

export const NestingColumns = [
  'id',
  'vrf_id',
  'prefix_host',
  'prefix_last',
  'prefix_mask',
  '_depth',
  '_children',
] as const
export type NestedPrefix = Pick<RowNamed<'ipam.prefix'>, (typeof NestingColumns)[number]>

/** Prefixes of one network, which hold those that come after them in the order of addresses, up to its last one. */
interface Nest {
  of: NestedPrefix
  ids: number[]
  inside: number
}

/**
 * Of prefixes in the order of VRF, address and mask those whose depth or number of children is not what it is by the
 * others, with the right ones: one pass, the outermost first.
 */
export function wronglyNested(rows: readonly NestedPrefix[]): NestedPrefix[] {
  const right = new Map<number, Pick<NestedPrefix, '_depth' | '_children'>>()
  const open: Nest[] = []
  const close = () => {
    const { ids, inside } = open.pop()!
    for (const id of ids) right.set(id, { _depth: open.length, _children: inside })
    const outer = open.at(-1)
    if (outer) outer.inside += inside + ids.length
  }
  for (const row of rows) {
    while (open.length && !holds(open.at(-1)!.of, row)) close()
    const top = open.at(-1)
    if (top && top.of.prefix_mask === row.prefix_mask && top.of.prefix_host.equals(row.prefix_host))
      top.ids.push(row.id)
    else open.push({ of: row, ids: [row.id], inside: 0 })
  }
  while (open.length) close()
  return rows.flatMap((row) => {
    const is = right.get(row.id)!
    return row._depth === is._depth && row._children === is._children ? [] : [{ ...row, ...is }]
  })
}

const holds = (outer: NestedPrefix, row: NestedPrefix): boolean =>
  outer.vrf_id === row.vrf_id &&
  outer.prefix_host.compare(row.prefix_host) <= 0 &&
  outer.prefix_last.compare(row.prefix_host) >= 0

/** Works out anew how the prefixes of some VRFs are nested, and stores what was wrong. */
export function renest(rows: Pick<Rows, 'rows' | 'set'>, vrfs: Iterable<number | null>): void {
  const order = ['prefix_host', 'prefix_mask'] as const
  for (const vrf_id of vrfs)
    for (const { id, _depth, _children } of wronglyNested(
      rows.rows('ipam.prefix', { vrf_id }, { only: NestingColumns, order }),
    ))
      rows.set('ipam.prefix', { id }, { _depth, _children })
}
