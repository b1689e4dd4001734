import type { Row } from '../fields/field.ts'
import type { WriteTools } from '../registry/behaviour.ts'
import { sql } from '../registry/statement.ts'
import { networkOf, packHost, unpackHost } from '../tools/ip.ts'

type Network = { vrf_id: number | null; prefix_host: Buffer; prefix_last: Buffer; prefix_mask: number; id?: number }

/** Packed networks of every shorter mask that hold this one, with their masks. */
function ancestors(n: Network): { host: Buffer; mask: number }[] {
  const { family, bytes } = unpackHost(n.prefix_host)
  return Array.from({ length: n.prefix_mask }, (_, mask) => ({
    host: packHost(family, networkOf({ family, bytes, length: mask }).bytes),
    mask,
  })).filter(({ mask }) => mask > 0)
}

const Holders = sql<{ id: number; prefix: string }>`
  select p.id, p.prefix from json_each(?) a
  cross join ipam_prefix p on p.prefix_host = unhex(a.value ->> 0) and p.prefix_mask = (a.value ->> 1)
  where p.vrf_id is +?`

/** Rows whose prefix holds this one, in the same VRF: one index probe for each shorter mask. */
export function holders(tools: Pick<WriteTools, 'all'>, n: Network): { id: number; prefix: string }[] {
  const list = JSON.stringify(ancestors(n).map(({ host, mask }) => [host.toString('hex'), mask]))
  return tools.all(Holders, list, n.vrf_id)
}

/** Rows strictly inside a network. */
const Inside = 'vrf_id is +? and prefix_host between ? and ? and prefix_mask > ?'
const inside = (n: Network) => [n.vrf_id, n.prefix_host, n.prefix_last, n.prefix_mask] as const
const CountInside = sql<{ n: number }>`select count(*) as n from ipam_prefix where ${Inside}`
const DeepenInside = sql`update ipam_prefix set _depth = _depth + ? where ${Inside}`
const CountIn = sql`
  update ipam_prefix set _children = _children + ? where id in (select value from json_each(?))`
const Twin = sql`
  select 1 from ipam_prefix where vrf_id is +? and prefix_host = ? and prefix_mask = ? and id <> ?`

/** Number of distinct prefixes that hold this one, and of rows inside it. */
export const position = (tools: Pick<WriteTools, 'all' | 'get'>, n: Network): { depth: number; children: number } => ({
  depth: new Set(holders(tools, n).map((p) => p.prefix)).size,
  children: tools.get(CountInside, ...inside(n))!.n,
})

/** Counts a prefix in (`by` 1) or out (-1): the children of those that hold it, and the depth of those inside it. */
function weigh(tools: WriteTools, n: Network, by: 1 | -1): void {
  const above = holders(tools, n).map((p) => p.id)
  if (above.length) tools.run(CountIn, by, JSON.stringify(above))
  // Another row with the same prefix counts for those inside.
  if (tools.get(Twin, n.vrf_id, n.prefix_host, n.prefix_mask, n.id ?? 0) !== undefined) return
  tools.run(DeepenInside, by, ...inside(n))
}

/** Keeps depth and children right after a prefix came, changed or went. */
export function rebalance(tools: WriteTools, row: Network | undefined, before: Network | undefined): void {
  if (
    row &&
    before &&
    row.vrf_id === before.vrf_id &&
    row.prefix_host.equals(before.prefix_host) &&
    row.prefix_mask === before.prefix_mask
  )
    return
  if (before) weigh(tools, before, -1)
  if (!row) return
  weigh(tools, row, 1)
  const { depth, children } = position(tools, row)
  tools.set('ipam.prefix', { id: row.id! }, { _depth: depth, _children: children })
}

/** Columns of a row as a network. */
export const networkColumns = (row: Row): Network => row as unknown as Network
