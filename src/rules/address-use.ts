import { computed } from '../fields/computed.ts'
import type { SqlContext } from '../fields/context.ts'

const uses = (sql: SqlContext, tables: string): void => {
  for (const table of tables.split(' ')) sql.uses(`ipam_${table}`)
}

/**
 * Per cent of a network that the prefixes in it cover. One step of the index for each that lies in no other of them:
 * what they hold is jumped over, however much it is. `of`: a condition on an inner prefix, by its alias.
 */
function covered(t: string, sql: SqlContext, withItself: boolean, of: (p: string) => string): string {
  uses(sql, 'prefix')
  const [c, p, n] = [sql.alias(), sql.alias(), sql.alias()]
  const first = (after: string) => `select ${p}.id from ipam_prefix ${p}
    where ${of(p)} and ${after} and ${p}.prefix_host <= ${t}.prefix_last
    order by ${p}.prefix_host, ${p}.prefix_mask limit 1`
  const within = `${p}.prefix_host >= ${t}.prefix_host and ${p}.prefix_mask >${withItself ? '=' : ''} ${t}.prefix_mask`
  return `(with recursive ${c}(last, mask) as (
    select prefix_last, prefix_mask from ipam_prefix where id = (${first(within)})
    union all
    select ${n}.prefix_last, ${n}.prefix_mask from ${c}
    join ipam_prefix ${n} on ${n}.id = (${first(`${p}.prefix_host > ${c}.last`)})
  ) select coalesce(sum(pow(2, ${t}.prefix_mask - mask)), 0) * 100 from ${c})`
}

/** How many different addresses of a VRF lie between two packed hosts. */
function addressesIn(sql: SqlContext, vrf: string, first: string, last: string): string {
  uses(sql, 'ipaddress')
  const a = sql.alias()
  return `(select count(distinct ${a}.address_host) from ipam_ipaddress ${a}
    where ${a}.address_host between ${first} and ${last} and +${a}.vrf_id is ${vrf})`
}

/** How many addresses of a prefix are there, or lie in a range that counts as full. */
function taken(t: string, sql: SqlContext): string {
  uses(sql, 'iprange')
  const r = sql.alias()
  const vrf = `${t}.vrf_id`
  const other = addressesIn(sql, vrf, `${r}.start_address_host`, `${r}.end_address_host`)
  const full = `(select coalesce(sum(${r}.size - ${other}), 0) from ipam_iprange ${r}
    where ${r}.mark_utilized = 1 and ${r}.start_address_host between ${t}.prefix_host and ${t}.prefix_last
    and ${r}.end_address_host <= ${t}.prefix_last and +${r}.vrf_id is ${vrf})`
  return `(${addressesIn(sql, vrf, `${t}.prefix_host`, `${t}.prefix_last`)} + ${full})`
}

/** Number of addresses of a network, as a real; those that IPv4 networks keep for themselves count in pools alone. */
const usable = (t: string): string =>
  `(pow(2, (length(${t}.prefix_host) - 1) * 8 - ${t}.prefix_mask)
    - case when length(${t}.prefix_host) = 5 and ${t}.prefix_mask < 31 and ${t}.is_pool = 0 then 2 else 0 end)`

const percent = (value: string): string => `round(min(100.0, ${value}), 2)`

/**
 * How full a prefix is: a container by the prefixes in it, any other by its addresses and the ranges that count as
 * full.
 */
export const prefixUse = computed(
  (t, sql) => `case when ${t}.mark_utilized = 1 then 100.0
    when ${t}.status = 'container' then ${percent(covered(t, sql, false, (p) => `${p}.vrf_id is ${t}.vrf_id`))}
    else ${percent(`${taken(t, sql)} * 100.0 / ${usable(t)}`)} end`,
  { label: 'Utilization', look: 'percent' },
)

/** How much of an aggregate its prefixes cover, whatever their VRF. */
export const aggregateUse = computed((t, sql) => percent(covered(t, sql, true, () => 'true')), {
  label: 'Utilization',
  look: 'percent',
})

/** How many prefixes an aggregate holds. */
export const prefixesIn = computed(
  (t, sql) => {
    uses(sql, 'prefix')
    const p = sql.alias()
    return `(select count(*) from ipam_prefix ${p} where ${p}.prefix_host between ${t}.prefix_host and ${t}.prefix_last
      and ${p}.prefix_mask >= ${t}.prefix_mask)`
  },
  { label: 'Prefixes' },
)

/** How many of a range's addresses are there, in per cent. */
export const rangeUse = computed(
  (t, sql) => {
    const own = addressesIn(sql, `${t}.vrf_id`, `${t}.start_address_host`, `${t}.end_address_host`)
    return `case when ${t}.mark_utilized = 1 then 100.0 else ${percent(`${own} * 100.0 / max(${t}.size, 1)`)} end`
  },
  { label: 'Utilization', look: 'percent' },
)

/** The aggregate that a prefix lies in. */
export const aggregateOf = computed(
  (t, sql) => {
    uses(sql, 'aggregate')
    const target = sql.model('ipam.aggregate')
    const a = sql.alias()
    return `json((select ${sql.nested(target, a)} from ipam_aggregate ${a} where ${a}.prefix_host <= ${t}.prefix_host
      and ${a}.prefix_last >= ${t}.prefix_last order by ${a}.prefix_host desc limit 1))`
  },
  { label: 'Aggregate', object: { model: 'ipam.aggregate' } },
)
