import { type Address, networksAround, packHost, parseAddressOrMasked, rangeOf } from '../lib/ip.ts'
import { q } from '../lib/sql.ts'
import { anyOf, type Filter, type FilterContext, isList } from './filter.ts'
import { methodFilter } from './method.ts'
import { relatedFilter } from './related.ts'
import { textCondition } from './string.ts'

const parsed = (values: readonly string[]): Address[] => values.map(parseAddressOrMasked).filter((a) => a !== undefined)
/** Alternatives of the values that are addresses; nothing when none is. */
const any = (values: readonly string[], one: (a: Address, raw: string) => string): string => {
  const conditions = values
    .map((raw) => ({ raw, a: parseAddressOrMasked(raw) }))
    .filter(({ a }) => a !== undefined)
    .map(({ a, raw }) => one(a!, raw))
  return conditions.length ? anyOf(conditions) : 'false'
}
const host = (a: Address): Buffer => packHost(a.family, a.bytes)
const within = (c: FilterContext, column: string, a: Address): string =>
  `${c.t}.${column} between ${c.bind(rangeOf(a).first)} and ${c.bind(rangeOf(a).last)}`

/** Bytes, or a number beside them, for a list that is bound as JSON. */
const hex = (bytes: Buffer): string => bytes.toString('hex')
const listed = (c: FilterContext, values: readonly unknown[]): string => `json_each(${c.bind(JSON.stringify(values))})`

/** Networks as first and last address, in order; without those that lie in others. */
function largest(networks: readonly Address[]): { first: Buffer; last: Buffer }[] {
  const found: { first: Buffer; last: Buffer }[] = []
  const sorted = networks.map(rangeOf).sort((a, b) => a.first.compare(b.first) || b.last.compare(a.last))
  for (const range of sorted) if (!found.length || found.at(-1)!.last.compare(range.last) < 0) found.push(range)
  return found
}

/** Rows whose host columns lie in any of the networks. Of many, each is looked up in an index. */
export const insideFilter = (...columns: string[]): Filter =>
  methodFilter((values, c) => {
    if (!isList(values)) return any(values, (a) => `(${columns.map((column) => within(c, column, a)).join(' and ')})`)
    const ranges = largest(parsed(values)).map(({ first, last }) => [hex(first), hex(last)])
    const inside = columns.map((column) => `r.${q(column)} between unhex(v.value ->> 0) and unhex(v.value ->> 1)`)
    return `${c.t}.id in (select r.id from ${listed(c, ranges)} v
      cross join ${q(c.model.table)} r on ${inside.join(' and ')})`
  })
/** Exact address with a mask, any mask without. */
export const addressFilter = (field: string): Filter =>
  methodFilter((values, c) => {
    if (isList(values)) {
      const bare = parsed(values.filter((raw) => !raw.includes('/'))).map((a) => hex(host(a)))
      const masked = parsed(values.filter((raw) => raw.includes('/'))).map((a) => [hex(host(a)), a.length])
      const isBare = `${c.t}.${field}_host in (select unhex(value) from ${listed(c, bare)})`
      return `(${isBare} or ${amongMasked(c, field, masked)})`
    }
    return any(values, (a, raw) => {
      const same = `${c.t}.${field}_host = ${c.bind(host(a))}`
      return raw.includes('/') ? `(${same} and ${c.t}.${field}_mask = ${c.bind(a.length)})` : `(${same})`
    })
  })
const amongMasked = (c: FilterContext, field: string, pairs: readonly unknown[]): string =>
  `(${c.t}.${field}_host, ${c.t}.${field}_mask) in (select unhex(value ->> 0), value ->> 1 from ${listed(c, pairs)})`
/** Exact network. */
export const networkFilter = (field: string, options?: { single?: boolean }): Filter =>
  methodFilter((values, c) => {
    if (isList(values)) {
      const networks = parsed(values).map((a) => [hex(rangeOf(a).first), a.length])
      return amongMasked(c, field, networks)
    }
    return any(
      values,
      (a) => `(${c.t}.${field}_host = ${c.bind(rangeOf(a).first)} and ${c.t}.${field}_mask = ${c.bind(a.length)})`,
    )
  }, options)
/** Networks inside another: strictly, or with itself. */
export const withinFilter = (field: string, orEqual: boolean): Filter =>
  methodFilter(
    (values, c) =>
      any(
        values,
        (a) =>
          `(${within(c, `${field}_host`, a)} and ${c.t}.${field}_mask ${orEqual ? '>=' : '>'} ${c.bind(a.length)})`,
      ),
    { single: true },
  )
/** Networks that hold an address or network; `around`: those alone that are larger. */
export const containsFilter = (field: string, around = false): Filter =>
  methodFilter((values, c) => any(values, (a) => containing(c, field, a, around ? '<' : '<=')), { single: true })
/**
 * Networks that hold another: their first addresses are those of the address with ever fewer bits, which an index
 * finds.
 */
const containing = (c: FilterContext, field: string, a: Address, mask = '<='): string =>
  `(${c.t}.${field}_host in (select unhex(value) from json_each(${c.bind(JSON.stringify(networksAround(a)))}))
    and ${c.t}.${field}_last >= ${c.bind(rangeOf(a).last)} and ${c.t}.${field}_mask ${mask} ${c.bind(a.length)})`
/** Ranges that hold an address. */
export const rangeContainsFilter = (): Filter =>
  methodFilter(
    (values, c) =>
      any(
        values,
        (a) => `(${c.t}.start_address_host <= ${c.bind(host(a))} and ${c.t}.end_address_host >= ${c.bind(host(a))})`,
      ),
    { single: true },
  )
/** Search of networks: the text, and what holds it when it is one. */
export const networkSearch =
  (field: string): NonNullable<Filter['compile']> =>
  ([value], _lookup, c) => {
    const [a] = parsed([value!])
    const text = c.at(field, (e, place) => textCondition('ic', e, place, value!, c))
    return a ? anyOf([text, containing(c, field, a)]) : text
  }

/**
 * Search of what has addresses: `fields` are address fields, by way of relation paths if need be
 * (`primary_ip4.address`), of which one is this host.
 */
export const hostSearch =
  (...fields: string[]): NonNullable<Filter['compile']> =>
  ([value], _lookup, c) => {
    const [a] = parsed([value!])
    return a && anyOf(fields.map((field) => c.at(`${field}_host`, (e) => `${e} = ${c.bind(host(a))}`)))
  }

/** In a VRF, or in one that exports a target which the VRF imports. */
export function presentInVrf(by: 'id' | 'rd'): Filter {
  const base = relatedFilter('vrf', 'ipam.vrf', { by, single: true, lookups: [] })
  return {
    ...base,
    compile: (values, lookup, c) => {
      const ids = base.compile(values, lookup, { ...c, at: (_path, leaf) => leaf('v.id') })
      c.uses('ipam_vrf_export_targets')
      c.uses('ipam_vrf_import_targets')
      return `${c.t}.vrf_id in (select v.id from ipam_vrf v where ${ids} union select e.from_id
        from ipam_vrf_export_targets e where e.to_id in (select i.to_id from ipam_vrf_import_targets i
        join ipam_vrf v on v.id = i.from_id
        where ${base.compile(values, lookup, { ...c, at: (_path, leaf) => leaf('v.id') })}))`
    },
  }
}
