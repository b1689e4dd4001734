import { computed } from '../fields/computed.ts'
import type { SqlContext } from '../fields/context.ts'

const uses = (sql: SqlContext, tables: string): void => {
  for (const table of tables.split(' ')) sql.uses(`dcim_${table}`)
}

/** Per cent of a rack's units that hold a device (of a type that counts) or are reserved, to one place. */
function spaceUsed(t: string, sql: SqlContext): string {
  uses(sql, 'rack device devicetype rackreservation')
  const [u, d, y, r, j] = [sql.alias(), sql.alias(), sql.alias(), sql.alias(), sql.alias()]
  const halves = `with recursive ${u}(n) as (select ${t}.starting_unit + 0.0
    union all select n + 0.5 from ${u} where n + 0.5 < ${t}.starting_unit + ${t}.u_height)`
  const mounted = `exists (select 1 from dcim_device ${d} join dcim_devicetype ${y} on ${y}.id = ${d}.device_type_id
    where ${d}.rack_id = ${t}.id and ${y}.exclude_from_utilization = 0
    and ${d}.position <= ${u}.n and ${u}.n < ${d}.position + ${y}.u_height)`
  const reserved = `exists (select 1 from dcim_rackreservation ${r}, json_each(${r}.units) ${j}
    where ${r}.rack_id = ${t}.id and ${j}.value = cast(${u}.n as integer))`
  return `(${halves} select round(count(*) * 50.0 / ${t}.u_height, 1) from ${u} where ${mounted} or ${reserved})`
}

/**
 * Per cent of what some feeds can give that is allocated to the power ports cabled to them, to one place; 0 without
 * feeds. `own`: SQL of whether a feed is one of them.
 */
function powerUsed(sql: SqlContext, own: (feed: string) => string): string {
  uses(sql, 'powerfeed powerport poweroutlet')
  const [f, p, o, c] = [sql.alias(), sql.alias(), sql.alias(), sql.alias()]
  // A port that says nothing of its draw has what the ports behind its outlets draw.
  const behind = `(select sum(${c}.allocated_draw) from dcim_poweroutlet ${o}
    join dcim_powerport ${c} on ${c}.cable_id = ${o}.cable_id and ${c}.cable_end <> ${o}.cable_end
    where ${o}.power_port_id = ${p}.id)`
  const draw = `case when ${p}.allocated_draw is null and ${p}.maximum_draw is null then ${behind}
    else ${p}.allocated_draw end`
  const allocated = `(select sum(${draw}) from dcim_powerfeed ${f}
    join dcim_powerport ${p} on ${p}.cable_id = ${f}.cable_id and ${p}.cable_end <> ${f}.cable_end
    where ${own(f)})`
  const available = `(select sum(${f}.available_power) from dcim_powerfeed ${f} where ${own(f)})`
  return `coalesce(round(${allocated} * 100.0 / nullif(${available}, 0), 1), 0.0)`
}

/** Weight of a rack with its devices and their modules, in grams: what their types and the rack itself say. */
function totalWeight(t: string, sql: SqlContext): string {
  uses(sql, 'device devicetype module moduletype')
  const [d, y, m, k] = [sql.alias(), sql.alias(), sql.alias(), sql.alias()]
  const devices = `(select sum(${y}._abs_weight) from dcim_device ${d}
    join dcim_devicetype ${y} on ${y}.id = ${d}.device_type_id where ${d}.rack_id = ${t}.id)`
  const modules = `(select sum(${k}._abs_weight) from dcim_device ${d} join dcim_module ${m} on ${m}.device_id = ${d}.id
    join dcim_moduletype ${k} on ${k}.id = ${m}.module_type_id where ${d}.rack_id = ${t}.id)`
  const grams = `coalesce(${t}._abs_weight, 0) + coalesce(${devices}, 0) + coalesce(${modules}, 0)`
  return `(${grams})`
}

const kilograms = (t: string, sql: SqlContext): string => `round(${totalWeight(t, sql)} / 1000.0, 2)`
const weightUsed = (t: string, sql: SqlContext): string =>
  `round(${totalWeight(t, sql)} * 100.0 / nullif(${t}._abs_max_weight, 0), 1)`

/** Weight of a device with its modules, in kilograms; null where no type says any. */
function deviceWeight(t: string, sql: SqlContext): string {
  uses(sql, 'devicetype module moduletype')
  const [y, m, k] = [sql.alias(), sql.alias(), sql.alias()]
  const own = `(select ${y}._abs_weight from dcim_devicetype ${y} where ${y}.id = ${t}.device_type_id)`
  const modules = `(select sum(${k}._abs_weight) from dcim_module ${m}
    join dcim_moduletype ${k} on ${k}.id = ${m}.module_type_id where ${m}.device_id = ${t}.id)`
  const grams = `(coalesce(${own}, 0) + coalesce(${modules}, 0))`
  return `case when ${grams} > 0 then round(${grams} / 1000.0, 2) end`
}

/** What a device weighs, for its pages. */
export const deviceUse = { total_weight: computed(deviceWeight, { label: 'Total weight', unit: 'kg' }) }

/** How much of what a feed can give is allocated, for its pages. */
export const feedUse = {
  utilization: computed((t, sql) => powerUsed(sql, (feed) => `${feed}.id = ${t}.id`), {
    label: 'Utilization (allocated)',
    look: 'percent',
  }),
}

/** How full a rack is, for its pages. */
export const rackUse = {
  get_utilization: computed(spaceUsed, { label: 'Space', look: 'percent' }),
  get_power_utilization: computed((t, sql) => powerUsed(sql, (feed) => `${feed}.rack_id = ${t}.id`), {
    label: 'Power',
    look: 'percent',
  }),
  total_weight: computed(kilograms, { label: 'Total weight', unit: 'kg' }),
  weight_utilization: computed(weightUsed, { label: 'Weight used', look: 'percent' }),
}
