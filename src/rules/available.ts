import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import type { Action, ActionAnswer, ActionRequest, ActionTools } from '../declare/behaviour.ts'
import { Refused } from '../declare/behaviour.ts'
import {
  type Address,
  formatAddress,
  freeCidrs,
  fromBigInt,
  packHost,
  parseAddress,
  toBigInt,
  unpackHost,
} from '../lib/ip.ts'
import type { Field } from '../fields/field.ts'
import type { RowNamed } from '../declare/model.ts'
import { sql } from '../declare/statement.ts'
import { isObject, textOfJson } from '../lib/json.ts'

type Item = Record<string, unknown>

/** Nothing is left to be taken. */
export const exhausted = (): Refused =>
  new Refused(409, { detail: 'Insufficient resources are available to satisfy the request' })

/** The items of a body: one object or a list of them. */
function itemsOf(body: unknown): Item[] {
  const items = Array.isArray(body) ? body : [body]
  for (const item of items)
    if (!isObject(item)) throw new Refused(400, { non_field_errors: ['Expected an object or a list of objects.'] })
  return items as Item[]
}

/** 201 with the created objects: one for one, a list for a list. */
const created = (tools: ActionTools, model: string, ids: readonly number[], body: unknown): ActionAnswer => {
  const counts = Object.entries(tools.model(model).fields as Record<string, Field>)
    .filter(([, field]) => field.counts)
    .map(([name]) => name)
  const rows = tools.render(model, ids).map((text) => {
    const object = parseExact(text) as Item
    for (const name of counts) delete object[name]
    return stringifyExact('_depth' in object ? { ...object, children: 0, _depth: 0 } : object)
  })
  return { status: 201, text: Array.isArray(body) ? `[${rows.join(',')}]` : rows[0]! }
}

/**
 * Creates items one by one; errors of a list are aligned with it. `listed`: errors of fields are told as of a list even
 * when one object was asked for.
 */
function make(request: ActionRequest, model: string, bodies: readonly Item[], listed = false): ActionAnswer {
  const ids: number[] = []
  const errors = bodies.map((body): Item => {
    try {
      ids.push(request.tools.create(model, body))
      return {}
    } catch (error) {
      if (error instanceof Refused && error.status === 400) return error.body as Item
      throw error
    }
  })
  if (ids.length < bodies.length)
    throw new Refused(400, Array.isArray(request.body) || (listed && !('__all__' in errors[0]!)) ? errors : errors[0])
  if (!ids.every((id) => request.tools.mayOn('add', model, id)))
    throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
  return created(request.tools, model, ids, request.body)
}

/** What an action says of a page of free ones with these members. */
const freeOnes = (properties: object) => ({
  schema: { type: 'array', items: { type: 'object', properties } },
  query: { limit: { type: 'integer' } },
})
/** What an action says of taking free ones: one body or a list, one object or a list. */
const takes = (model: string, properties: object) => {
  const items = { type: 'object', properties, additionalProperties: {} }
  const one = { '~object': model, '~uncounted': true }
  return {
    body: { oneOf: [items, { type: 'array', items }] },
    schema: { oneOf: [one, { type: 'array', items: one }] },
    status: 201,
  }
}
const Vrf = { '~nested': 'ipam.vrf', nullable: true }
const Family = { type: 'integer', enum: [4, 6] }
const Length = { prefix_length: { type: 'integer', minimum: 1, maximum: 128 } }

const nestedVrf = (tools: ActionTools, id: unknown): unknown =>
  id === null ? null : (JSON.parse(tools.render('ipam.vrf', [id as number], 'nested')[0]!) as unknown)

/** Where free addresses are looked for: bounds, whose VRF, and the mask of what is given out. */
export interface Pool {
  family: 4 | 6
  first: bigint
  last: bigint
  vrf: number | null
  anyVrf: boolean
  mask: number
  closed: boolean
  /** It is a part of its network: a range. */
  isPart: boolean
}

/** Addresses that a prefix gives out. */
export function poolOfPrefix(row: RowNamed<'ipam.prefix'>): Pool {
  const { family } = unpackHost(row.prefix_host as Buffer)
  let first = toBigInt(unpackHost(row.prefix_host as Buffer).bytes)
  let last = toBigInt(unpackHost(row.prefix_last as Buffer).bytes)
  const mask = row.prefix_mask as number
  const isPool = row.is_pool === 1
  if (!isPool && family === 4 && mask < 31) [first, last] = [first + 1n, last - 1n]
  if (!isPool && family === 6 && mask < 127) first += 1n
  return {
    family,
    first,
    last,
    vrf: row.vrf_id as number | null,
    anyVrf: row.status === 'container' && row.vrf_id === null,
    mask,
    closed: false,
    isPart: false,
  }
}

/** Addresses that an IP range gives out. */
export function poolOfRange(row: RowNamed<'ipam.iprange'>): Pool {
  const { family, bytes } = unpackHost(row.start_address_host as Buffer)
  return {
    family,
    first: toBigInt(bytes),
    last: toBigInt(unpackHost(row.end_address_host as Buffer).bytes),
    vrf: row.vrf_id as number | null,
    anyVrf: false,
    mask: row.start_address_mask as number,
    closed: row.mark_populated === 1,
    isPart: true,
  }
}

/** Of one VRF (none when null), or of any when the first value is 1. */
export const InVrf = '(? = 1 or +vrf_id is ?)'
const PopulatedWithin = sql<{ a: Buffer; b: Buffer }>`
  select start_address_host as a, end_address_host as b from ipam_iprange
  where mark_populated = 1 and start_address_host <= ? and end_address_host >= ? and ${InVrf} order by a`
const UsedHosts = sql<{ h: Buffer }>`
  select distinct address_host as h from ipam_ipaddress
  where address_host between ? and ? and ${InVrf} order by h limit 2000`
const UsedNetworks = sql<{ prefix: string }>`
  select prefix from ipam_prefix where prefix_host between ? and ? and prefix_mask > ? and ${InVrf}`

/**
 * Up to `limit` free host numbers of a pool, lowest first; reads used addresses in order and stops when it has enough.
 */
function freeHosts(tools: ActionTools, pool: Pool, limit: number): bigint[] {
  if (pool.closed) return []
  const pack = (n: bigint) => packHost(pool.family, fromBigInt(pool.family, n))
  const scope = [Number(pool.anyVrf), pool.vrf] as const
  const ranges = tools
    .all(PopulatedWithin, pack(pool.last), pack(pool.first), ...scope)
    .map(({ a, b }) => [toBigInt(unpackHost(a).bytes), toBigInt(unpackHost(b).bytes)] as const)
  const found: bigint[] = []
  let at = pool.first
  while (at <= pool.last && found.length < limit) {
    const used = tools.all(UsedHosts, pack(at), pack(pool.last), ...scope).map(({ h }) => toBigInt(unpackHost(h).bytes))
    const end = used.length < 2000 ? pool.last : used.at(-1)!
    const taken = new Set(used)
    for (; at <= end && found.length < limit; at++) {
      const range = ranges.find(([a, b]) => a <= at && at <= b)
      if (range) at = range[1]
      else if (!taken.has(at)) found.push(at)
    }
    if (used.length === 0) break
  }
  return found
}

const text = (pool: Pool, n: bigint, mask = pool.mask): string =>
  formatAddress({ family: pool.family, bytes: fromBigInt(pool.family, n), length: mask })

function addresses<N extends 'ipam.prefix' | 'ipam.iprange'>(poolOf: (row: RowNamed<N>) => Pool, model: N): Action {
  const find = ({ tools, id }: ActionRequest) => poolOf(tools.row(model, id)!)
  return {
    get: {
      permission: 'view',
      ...freeOnes({ family: Family, address: { type: 'string' }, vrf: Vrf }),
      run: (request) => {
        const pool = find(request)
        const vrf = nestedVrf(request.tools, pool.vrf)
        return {
          status: 200,
          json: freeHosts(request.tools, pool, request.tools.limit(request.query)).map((n) => ({
            family: pool.family,
            address: text(pool, n),
            vrf,
          })),
        }
      },
    },
    post: {
      permission: 'add',
      of: 'ipam.ipaddress',
      ...takes('ipam.ipaddress', Length),
      run: (request) => {
        const pool = find(request)
        const items = itemsOf(request.body)
        for (const item of items) maskOf(item, pool)
        const free = freeHosts(request.tools, pool, items.length)
        if (free.length < items.length) throw exhausted()
        return make(
          request,
          'ipam.ipaddress',
          items.map((item, i) => ({ ...item, address: text(pool, free[i]!, maskOf(item, pool)), vrf: pool.vrf })),
        )
      },
    },
  }
}

function maskOf(item: Item, pool: Pool): number {
  if (item.prefix_length === undefined || item.prefix_length === null) return pool.mask
  const asked = Number(textOfJson(item.prefix_length))
  if (!Number.isInteger(asked) || asked < pool.mask || asked > (pool.family === 4 ? 32 : 128))
    throw new Refused(400, [{ prefix_length: `Must be a whole number from ${pool.mask} on.` }])
  return asked
}

/** `available-ips` of a prefix. */
export const availableInPrefix = addresses(poolOfPrefix, 'ipam.prefix')
/** `available-ips` of an IP range. */
export const availableInRange = addresses(poolOfRange, 'ipam.iprange')

const free = (tools: ActionTools, row: RowNamed<'ipam.prefix'>): Address[] => {
  const isAnyVrf = row.vrf_id === null && row.status === 'container'
  const used = tools.all(UsedNetworks, row.prefix_host, row.prefix_last, row.prefix_mask, Number(isAnyVrf), row.vrf_id)
  return freeCidrs(
    parseAddress(row.prefix)!,
    used.map((p) => parseAddress(p.prefix)!),
  )
}

/** `available-prefixes`: free networks inside a prefix; taking is first fit, lowest first. */
export const availablePrefixes: Action = {
  get: {
    permission: 'view',
    ...freeOnes({ family: Family, prefix: { type: 'string' }, vrf: Vrf }),
    run: ({ tools, id }) => {
      const row = tools.row('ipam.prefix', id)!
      const vrf = nestedVrf(tools, row.vrf_id)
      return { status: 200, json: free(tools, row).map((n) => ({ family: n.family, prefix: formatAddress(n), vrf })) }
    },
  },
  post: {
    permission: 'add',
    of: 'ipam.prefix',
    ...takes('ipam.prefix', Length),
    run: (request) => {
      const row = request.tools.row('ipam.prefix', request.id)!
      const width = unpackHost(row.prefix_host as Buffer).family === 4 ? 32 : 128
      let left = free(request.tools, row)
      const bodies = itemsOf(request.body).map((item) => {
        const length = item.prefix_length as number
        if (!Number.isInteger(length) || length < 1 || length > width)
          throw new Refused(400, [{ prefix_length: `Must be a whole number from 1 to ${width}.` }])
        const from = left.find((n) => n.length <= length)
        if (!from) throw exhausted()
        const taken: Address = { ...from, length }
        left = left.flatMap((n) => (n === from ? freeCidrs(from, [taken]) : [n]))
        const { prefix_length, ...rest } = item
        void prefix_length
        return { ...rest, prefix: formatAddress(taken), vrf: row.vrf_id }
      })
      return make(request, 'ipam.prefix', bodies)
    },
  },
}

/** First free numbers of some inclusive ranges. */
function freeNumbers(
  ranges: readonly (readonly [number, number])[],
  used: ReadonlySet<number>,
  limit: number,
): number[] {
  const found: number[] = []
  for (const [low, high] of ranges)
    for (let n = low; n <= high && found.length < limit; n++) if (!used.has(n)) found.push(n)
  return found
}

const nested = (tools: ActionTools, model: string, id: number): unknown =>
  JSON.parse(tools.render(model, [id], 'nested')[0]!)

/** `available-vlans` of a group: free VLAN ids in its ranges. */
export const availableVlans: Action = {
  get: {
    permission: 'view',
    ...freeOnes({ vid: { type: 'integer' }, group: { '~nested': 'ipam.vlangroup' } }),
    run: ({ tools, id, query }) => {
      const group = nested(tools, 'ipam.vlangroup', id)
      return { status: 200, json: freeVids(tools, id, tools.limit(query)).map((vid) => ({ vid, group })) }
    },
  },
  post: {
    permission: 'add',
    of: 'ipam.vlan',
    ...takes('ipam.vlan', { name: { type: 'string' } }),
    run: (request) => {
      const items = itemsOf(request.body)
      const vids = freeVids(request.tools, request.id, items.length)
      if (vids.length < items.length) throw exhausted()
      return make(
        request,
        'ipam.vlan',
        items.map((item, i) => ({ ...item, vid: vids[i], group: request.id })),
        true,
      )
    },
  },
}
function freeVids(tools: ActionTools, id: number, limit: number): number[] {
  const used = new Set(tools.rows('ipam.vlan', { group_id: id }, { only: ['vid'] }).map((v) => v.vid))
  return freeNumbers(
    JSON.parse(tools.row('ipam.vlangroup', id)!.vid_ranges as string) as [number, number][],
    used,
    limit,
  )
}

/** `available-asns` of a range. */
export const availableAsns: Action = {
  get: {
    permission: 'view',
    ...freeOnes({ rir: { '~nested': 'ipam.rir' }, asn: { type: 'integer' } }),
    run: ({ tools, id, query }) => {
      const rir = nested(tools, 'ipam.rir', tools.row('ipam.asnrange', id)!.rir_id as number)
      return { status: 200, json: freeAsns(tools, id, tools.limit(query)).map((asn) => ({ rir, asn })) }
    },
  },
  post: {
    permission: 'add',
    of: 'ipam.asn',
    ...takes('ipam.asn', {}),
    run: (request) => {
      const items = itemsOf(request.body)
      const asns = freeAsns(request.tools, request.id, items.length)
      if (asns.length < items.length) throw exhausted()
      const rir = request.tools.row('ipam.asnrange', request.id)!.rir_id
      return make(
        request,
        'ipam.asn',
        items.map((item, i) => ({ ...item, asn: asns[i], rir })),
      )
    },
  },
}
function freeAsns(tools: ActionTools, id: number, limit: number): number[] {
  const { start, end } = tools.row('ipam.asnrange', id)!
  const used = new Set(tools.rows('ipam.asn', { asn: { from: start, to: end } }, { only: ['asn'] }).map((a) => a.asn))
  return freeNumbers([[start, end]], used, limit)
}
