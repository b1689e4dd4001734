import type { Row } from '../fields/field.ts'
import type { WriteTools } from '../declare/behaviour.ts'
import { sql } from '../declare/statement.ts'

type Network = { vrf_id: number | null; prefix_host: Buffer; prefix_last: Buffer; prefix_mask: number; id?: number }

/** The packed host with all bits after the first `length` of its address zero. */
function cutAt(host: Buffer, length: number): Buffer {
  const cut = Buffer.alloc(host.length)
  const whole = 1 + (length >> 3)
  host.copy(cut, 0, 0, whole)
  if (length & 7) cut[whole] = host[whole]! & (0xff << (8 - (length & 7)))
  return cut
}

/** How many bits two packed hosts begin with alike; -1 for those of different families. */
function sharedBits(a: Buffer, b: Buffer): number {
  if (a[0] !== b[0]) return -1
  let at = 1
  while (at < a.length && a[at] === b[at]) at++
  return at === a.length ? (a.length - 1) * 8 : (at - 1) * 8 + Math.clz32(a[at]! ^ b[at]!) - 24
}

const Before = sql<{ host: Buffer; mask: number }>`
  select prefix_host as host, prefix_mask as mask from ipam_prefix
  where vrf_id is +? and (prefix_host, prefix_mask) <= (+?, +?)
  order by prefix_host desc, prefix_mask desc limit 1`
const Same = sql<{ id: number; prefix: string }>`
  select id, prefix from ipam_prefix where vrf_id is +? and prefix_host = +? and prefix_mask = +?`

/**
 * Rows whose prefix holds this one, in the same VRF. In the order of addresses the row before a network either holds
 * it, or lies beside it below whatever holds both: so each probe of the index finds a holder, or a shorter mask that
 * those still to be found have at most.
 */
function holders(tools: Pick<WriteTools, 'all' | 'get'>, n: Network): { id: number; prefix: string }[] {
  const found: { id: number; prefix: string }[] = []
  for (let mask = n.prefix_mask - 1; mask > 0; ) {
    const row = tools.get(Before, n.vrf_id, cutAt(n.prefix_host, mask), mask)
    if (!row) break
    const shared = Math.min(sharedBits(row.host, n.prefix_host), row.mask)
    const holds = shared === row.mask
    if (holds && shared > 0) found.push(...tools.all(Same, n.vrf_id, row.host, row.mask))
    mask = holds ? shared - 1 : shared
  }
  return found
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

/**
 * Prefixes that were counted out of the depth of those inside, by the tools of the write: of two alike that went
 * together only one is.
 */
const countedOut = new WeakMap<WriteTools, Set<string>>()

/**
 * Counts a prefix in (`by` 1) or out (-1): the children of those that hold it, which it answers, and the depth of those
 * inside it.
 */
function weigh(tools: WriteTools, n: Network, by: 1 | -1, children?: number): { id: number; prefix: string }[] {
  const above = holders(tools, n)
  if (above.length) tools.run(CountIn, by, JSON.stringify(above.map((p) => p.id)))
  // Another row with the same prefix counts for those inside.
  if (tools.get(Twin, n.vrf_id, n.prefix_host, n.prefix_mask, n.id ?? 0) !== undefined) return above
  const out = countedOut.get(tools) ?? new Set<string>()
  countedOut.set(tools, out)
  const key = `${n.vrf_id} ${n.prefix_host.toString('hex')}/${n.prefix_mask}`
  if (by < 0 && out.has(key)) return above
  if (by < 0) out.add(key)
  else out.delete(key)
  tools.expects(children ?? tools.get(CountInside, ...inside(n))!.n)
  tools.run(DeepenInside, by, ...inside(n))
  return above
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
  const { n: children } = tools.get(CountInside, ...inside(row))!
  const depth = new Set(weigh(tools, row, 1, children).map((holder) => holder.prefix)).size
  tools.set('ipam.prefix', { id: row.id! }, { _depth: depth, _children: children })
}

/** Columns of a row as a network. */
export const networkColumns = (row: Row): Network => row as unknown as Network
