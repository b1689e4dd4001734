import { Refused } from '../declare/behaviour.ts'
import type { Rows } from '../declare/rows.ts'
import { sql } from '../declare/statement.ts'
import {
  cidrsOf,
  formatAddress,
  formatHost,
  fromBigInt,
  networkOf,
  packHost,
  parseAddress,
  toBigInt,
  unpackHost,
} from '../lib/ip.ts'
import { exhausted, InVrf, type Pool, poolOfPrefix, poolOfRange } from './available.ts'

/** Numbers from the first to the last, both included. */
export interface Span {
  first: bigint
  last: bigint
}

/** What an object gives out of a space of numbers: addresses, networks, VLAN ids, AS numbers. */
export interface Space extends Span {
  /** Model of what is given out, and the query that finds what is there. */
  model: 'ipam.prefix' | 'ipam.ipaddress' | 'ipam.vlan' | 'ipam.asn'
  query: readonly (readonly [parameter: string, value: string])[]
  /** Used spans that touch those from `from` to `to`, in order, of which none follows from an end past `end`. */
  used: (from: bigint, to: bigint) => { spans: readonly Span[]; end: bigint }
  /** The query that finds what begins before a number; or what holds it, where a thing holds many numbers. */
  before?: (at: bigint) => Space['query']
  holding?: (at: bigint) => Space['query']
  /** The largest free block around a number that nothing holds. */
  around?: (at: bigint) => Span
  /** Name by which a list is in the order of the numbers. */
  order: string
  /** What else keeps numbers from being given out, within a span: the object, of another model, and its numbers. */
  reserved?: (within: Span) => (Span & { model: string; id: number })[]
  /** The number at which an object of the model begins, as the API shows it. */
  at: (shown: Readonly<Record<string, unknown>>) => bigint
  /** The number that a text says; undefined where it is none of this space. */
  read: (text: string) => bigint | undefined
  /** What is free as it is listed and taken: networks for prefixes. */
  blocks: (free: Span) => Span[]
  /** What people call free numbers. */
  name: (free: Span) => string
  /** Body of a new object at a number. `length`: of a prefix. */
  body: (at: bigint, length?: number) => Record<string, string | number | null>
  /** Where what is found may lie: with what a network keeps for itself. */
  outer: Span
  /** What a new object has beside that where nobody says otherwise: what its form is filled with. */
  presets: Readonly<Record<string, string | number | null>>
  /** Bits of a number, and those of the whole space: where networks are given out. */
  width?: number
  mask?: number
}

/** So much is read at once of what is used. */
const Chunk = 5000

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)
const numberIn = (packed: Buffer): bigint => toBigInt(unpackHost(packed).bytes)

/** Parts of a span that some spans leave free; these are in the order of their first numbers and may overlap. */
function gapsBetween({ first, last }: Span, used: Iterable<Span>): Span[] {
  const found: Span[] = []
  let at = first
  for (const span of used) {
    if (span.first > last) break
    if (span.first > at) found.push({ first: at, last: span.first - 1n })
    if (span.last >= at) at = span.last + 1n
  }
  if (at <= last) found.push({ first: at, last })
  return found
}

/**
 * Free blocks of a part of a space in order, read in steps as they are asked for; `steps` bounds them. The answer is
 * how far they are known.
 */
export function* freeBlocks(
  space: Space,
  part: Span = space,
  steps = Number.POSITIVE_INFINITY,
): Generator<Span, bigint> {
  const to = part.last < space.last ? part.last : space.last
  let at = part.first > space.first ? part.first : space.first
  let open: Span | undefined // a gap may go on in the next step
  for (let step = 0; at <= to && step < steps; step++) {
    const { spans, end } = space.used(at, to)
    for (const gap of gapsBetween({ first: at, last: end }, spans)) {
      if (open && open.last + 1n === gap.first) {
        open.last = gap.last
        continue
      }
      if (open) yield* space.blocks(open)
      open = gap
    }
    at = end + 1n
  }
  if (open) yield* space.blocks(open)
  return at - 1n
}

/**
 * The next free numbers of a part of a space, of networks as long as asked for. Throws 409 when there are not so many.
 */
export function nextFree(space: Space, count: number, part: Span = space, length?: number): bigint[] {
  const size = length === undefined ? 1n : 1n << BigInt(space.width! - length)
  const found: bigint[] = []
  for (const block of freeBlocks(space, part))
    for (let at = block.first; at + size - 1n <= block.last; at += size) {
      found.push(at)
      if (found.length === count) return found
    }
  throw exhausted()
}

const Hosts = sql<{ h: Buffer }>`
  select address_host as h from ipam_ipaddress where address_host between ? and ? and ${InVrf}
  order by address_host limit ${String(Chunk)}`
const Populated = sql<{ id: number; a: Buffer; b: Buffer }>`
  select id, start_address_host as a, end_address_host as b from ipam_iprange
  where mark_populated = 1 and start_address_host <= ? and end_address_host >= ? and ${InVrf}
  order by a limit ${String(Chunk)}`

/** What finds the addresses from one to another; what finds nothing where the second is before the first. */
const parents = (family: 4 | 6, first: bigint, last: bigint): Space['query'] =>
  last < first ? [['parent', 'none']] : cidrsOf(family, first, last).map((n) => ['parent', formatAddress(n)] as const)

/** Addresses of a prefix or an IP range. */
function addressSpace(rows: Rows, pool: Pool, presets: Space['presets'], query: Space['query']): Space {
  const { family, mask } = pool
  const pack = (n: bigint) => packHost(family, fromBigInt(family, n))
  const host = (n: bigint) => formatHost({ bytes: fromBigInt(family, n) })
  const scope = [Number(pool.anyVrf), pool.vrf] as const
  const size = 1n << BigInt(widthOf(family) - mask)
  const start = (pool.first / size) * size
  const outer = pool.isPart ? { first: pool.first, last: pool.last } : { first: start, last: start + size - 1n }
  return {
    model: 'ipam.ipaddress',
    query,
    order: 'address',
    before: (at) => [...parents(family, outer.first, at - 1n), ...query.filter(([name]) => name !== 'parent')],
    first: pool.first,
    last: pool.last,
    used: (from, to) => {
      if (pool.closed) return { spans: [{ first: from, last: to }], end: to }
      const hosts = rows.all(Hosts, pack(from), pack(to), ...scope).map(({ h }) => numberIn(h))
      const ranges = rows.all(Populated, pack(to), pack(from), ...scope)
      const end = [
        hosts.length === Chunk ? hosts.at(-1)! : to,
        ranges.length === Chunk ? numberIn(ranges.at(-1)!.a) : to,
      ].reduce((a, b) => (a < b ? a : b))
      const spans = [
        ...hosts.map((n) => ({ first: n, last: n })),
        ...ranges.map(({ a, b }) => ({ first: numberIn(a), last: numberIn(b) })),
      ]
      return { spans: ranges.length ? inOrder(spans) : spans, end }
    },
    reserved: ({ first, last }) =>
      pool.closed
        ? []
        : rows
            .all(Populated, pack(last), pack(first), ...scope)
            .map(({ id, a, b }) => ({ model: 'ipam.iprange', id, first: numberIn(a), last: numberIn(b) })),
    at: (shown) => toBigInt(parseAddress(String(shown.address))!.bytes),
    read: (text) => hostIn(text, family),
    blocks: (free) => [free],
    outer,
    name: ({ first, last }) => (first === last ? host(first) : `${host(first)} – ${host(last)}`),
    body: (at) => ({ address: `${host(at)}/${mask}`, vrf: pool.vrf }),
    presets,
  }
}

const inOrder = (spans: readonly Span[]): Span[] =>
  [...spans].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))

function hostIn(text: string, family: 4 | 6): bigint | undefined {
  const address = parseAddress(text)
  return address?.family === family ? toBigInt(address.bytes) : undefined
}

/** A network whose prefixes are given out, and in which VRF (of any when the first value is 1). */
interface Parent {
  host: Buffer
  last: Buffer
  /** Inner prefixes are longer than this. */
  above: number
  mask: number
  vrf: readonly [any: number, id: number | null]
}

const Networks = sql<{ a: Buffer; b: Buffer }>`
  select prefix_host as a, prefix_last as b from ipam_prefix
  where prefix_host between ? and ? and prefix_mask > ? and ${InVrf} order by prefix_host limit ${String(Chunk)}`
/** The end of what holds an address that is not its first, among the networks of some first addresses (hexadecimal). */
const Holding = sql<{ b: Buffer | null }>`
  select max(prefix_last) as b from ipam_prefix
  where prefix_host in (select unhex(value) from json_each(?)) and prefix_host >= ? and prefix_last >= ?
  and prefix_mask > ? and ${InVrf}`

/** Prefixes inside a prefix or an aggregate. */
function networkSpace(rows: Rows, parent: Parent, presets: Space['presets'], query: Space['query']): Space {
  const { family } = unpackHost(parent.host)
  const width = widthOf(family)
  const pack = (n: bigint) => packHost(family, fromBigInt(family, n))
  const text = (at: bigint, length: number) => `${formatHost({ bytes: fromBigInt(family, at) })}/${length}`
  const lengthOf = ({ first, last }: Span) => width - (last - first + 1n).toString(2).length + 1
  const used: Space['used'] = (from, to) => {
    const cut = Array.from({ length: width - parent.above }, (_, i) => {
      const length = parent.above + 1 + i
      return packHost(family, networkOf({ family, bytes: fromBigInt(family, from), length }).bytes).toString('hex')
    })
    const { above, vrf } = parent
    const holding = rows.get(Holding, JSON.stringify([...new Set(cut)]), parent.host, pack(from), above, ...vrf)?.b
    const found = rows.all(Networks, pack(from), pack(to), above, ...vrf)
    const end = found.length === Chunk ? numberIn(found.at(-1)!.a) : to
    return {
      spans: [
        ...(holding ? [{ first: from, last: numberIn(holding) }] : []),
        ...found.map(({ a, b }) => ({ first: numberIn(a), last: numberIn(b) })),
      ],
      end,
    }
  }
  return {
    model: 'ipam.prefix',
    query,
    order: 'prefix',
    first: numberIn(parent.host),
    last: numberIn(parent.last),
    used,
    holding: (at) => [...query, ['contains', text(at, width)]],
    around: (at) => {
      const block = (length: number): Span => {
        const size = 1n << BigInt(width - length)
        const first = (at / size) * size
        return { first, last: first + size - 1n }
      }
      let [short, long] = [parent.mask, width] // what is longer lies in what is shorter
      while (short < long) {
        const length = (short + long) >> 1
        const { first, last } = block(length)
        if (used(first, last).spans.length) short = length + 1
        else long = length
      }
      return block(short)
    },
    at: (shown) => toBigInt(parseAddress(String(shown.prefix))!.bytes),
    read: (given) => hostIn(given, family),
    blocks: ({ first, last }) =>
      cidrsOf(family, first, last).map(({ bytes, length }) => {
        const at = toBigInt(bytes)
        return { first: at, last: at + (1n << BigInt(width - length)) - 1n }
      }),
    outer: { first: numberIn(parent.host), last: numberIn(parent.last) },
    name: (free) => text(free.first, lengthOf(free)),
    body: (at, length) => ({ prefix: text(at, length ?? parent.mask), vrf: parent.vrf[1] }),
    presets,
    width,
    mask: parent.mask,
  }
}

/** Numbers that people write as such: VLAN ids, AS numbers. */
const plain = (member: string): Pick<Space, 'at' | 'read' | 'blocks' | 'name'> => ({
  at: (shown) => BigInt(shown[member] as number),
  read: (text) => (/^\d{1,10}$/.test(text) ? BigInt(text) : undefined),
  blocks: (free) => [free],
  name: ({ first, last }) => (first === last ? `${first}` : `${first} – ${last}`),
})

const vrfQuery = (any: boolean, id: number | null): Space['query'] =>
  any ? [] : [['vrf_id', id === null ? 'null' : String(id)]]

type Maker = (rows: Rows, id: number) => Space | undefined

/** Spaces by the model of the object and that of what it gives out. */
const makers: Readonly<Record<string, Maker>> = {
  'ipam.prefix ipam.ipaddress': (rows, id) => {
    const row = rows.row('ipam.prefix', id)
    if (!row) return undefined
    const pool = poolOfPrefix(row)
    const query: Space['query'] = [['parent', row.prefix], ...vrfQuery(pool.anyVrf, pool.vrf)]
    return addressSpace(rows, pool, { tenant: row.tenant_id }, query)
  },
  'ipam.iprange ipam.ipaddress': (rows, id) => {
    const row = rows.row('ipam.iprange', id)
    if (!row) return undefined
    const pool = poolOfRange(row)
    const query = [...parents(pool.family, pool.first, pool.last), ...vrfQuery(false, pool.vrf)]
    return addressSpace(rows, pool, { tenant: row.tenant_id }, query)
  },
  'ipam.prefix ipam.prefix': (rows, id) => {
    const row = rows.row('ipam.prefix', id)
    if (!row) return undefined
    const isAny = row.status === 'container' && row.vrf_id === null
    return networkSpace(
      rows,
      {
        host: row.prefix_host,
        last: row.prefix_last,
        above: row.prefix_mask,
        mask: row.prefix_mask,
        vrf: [Number(isAny), row.vrf_id],
      },
      { tenant: row.tenant_id, scope_type: row.scope_type, scope_id: row.scope_id },
      [['within', row.prefix], ...vrfQuery(isAny, row.vrf_id)],
    )
  },
  'ipam.aggregate ipam.prefix': (rows, id) => {
    const row = rows.row('ipam.aggregate', id)
    if (!row) return undefined
    const { prefix_host: host, prefix_last: last, prefix_mask: mask } = row
    const parent = { host, last, mask, above: mask - 1, vrf: [1, null] as const }
    return networkSpace(rows, parent, { tenant: row.tenant_id }, [['within_include', row.prefix]])
  },
  'ipam.vlangroup ipam.vlan': (rows, id) => {
    const row = rows.row('ipam.vlangroup', id)
    if (!row) return undefined
    const ranges = (JSON.parse(row.vid_ranges!) as [number, number][]).map(([a, b]) => [BigInt(a), BigInt(b)] as const)
    const [first, last] = [ranges[0]?.[0] ?? 1n, ranges.at(-1)?.[1] ?? 0n]
    const outside = gapsBetween(
      { first, last },
      ranges.map(([a, b]) => ({ first: a, last: b })),
    )
    return {
      ...plain('vid'),
      model: 'ipam.vlan',
      order: 'vid',
      before: (at) => [
        ['group_id', String(id)],
        ['vid__lt', String(at)],
      ],
      query: [['group_id', String(id)]],
      first,
      last,
      outer: { first, last },
      used: (from, to) => {
        const test = { from: Number(from), to: Number(to) }
        const vids = rows.rows('ipam.vlan', { group_id: id, vid: test }, { only: ['vid'] })
        return {
          spans: inOrder([...outside, ...vids.map(({ vid }) => ({ first: BigInt(vid), last: BigInt(vid) }))]),
          end: to,
        }
      },
      body: (at) => ({ vid: Number(at), group: id }),
      presets: { tenant: row.tenant_id, ...(row.scope_type === 'dcim.site' ? { site: row.scope_id } : {}) },
    }
  },
  'ipam.asnrange ipam.asn': (rows, id) => {
    const row = rows.row('ipam.asnrange', id)
    if (!row) return undefined
    return {
      ...plain('asn'),
      model: 'ipam.asn',
      order: 'asn',
      before: (at) => [
        ['asn__gte', String(row.start)],
        ['asn__lt', String(at)],
      ],
      query: [
        ['asn__gte', String(row.start)],
        ['asn__lte', String(row.end)],
      ],
      first: BigInt(row.start),
      last: BigInt(row.end),
      outer: { first: BigInt(row.start), last: BigInt(row.end) },
      used: (from, to) => {
        const taken = rows.all(Asns, Number(from), Number(to)).map(({ asn }) => BigInt(asn))
        return {
          spans: taken.map((asn) => ({ first: asn, last: asn })),
          end: taken.length === Chunk ? taken.at(-1)! : to,
        }
      },
      body: (at) => ({ asn: Number(at), rir: row.rir_id }),
      presets: { tenant: row.tenant_id },
    }
  },
}
const Asns = sql<{ asn: number }>`
  select asn from ipam_asn where asn between ? and ? order by asn limit ${String(Chunk)}`

/** What an object gives out of objects of another model, by both their names; 404 when it is gone. */
export function spaceOf(rows: Rows, owner: string, id: number, model: string): Space {
  const space = makers[`${owner} ${model}`]?.(rows, id)
  if (!space) throw new Refused(404, { detail: 'Not found.' })
  return space
}
