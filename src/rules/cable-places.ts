import type { SqlContext } from '../fields/context.ts'
import { computed } from '../fields/computed.ts'
import { q } from '../lib/sql.ts'
import type { ModelName } from '../models/index.ts'

/** Where an end of a cable is, by the column of its termination that says it. */
const Places = {
  device: ['Device', 'dcim.device'],
  rack: ['Rack', 'dcim.rack'],
  location: ['Location', 'dcim.location'],
  site: ['Site', 'dcim.site'],
} satisfies Record<string, [string, ModelName]>

/** The devices, racks, locations or sites of one end of a cable, each once, in the order of their list. */
const placesOf = (end: string, column: string, model: ModelName) => (t: string, sql: SqlContext) => {
  const target = sql.model(model)
  const [a, x] = [sql.alias(), sql.alias()]
  sql.uses('dcim_cabletermination', { t, column: 'cable_id' })
  const { joins, terms } = sql.ordered(target, a)
  return `json((select json_group_array(${sql.object(target, t, `${a}.id`)} order by ${terms})
    from ${q(target.table)} ${a} ${joins} where ${a}.id in (select ${x}.${column}_id from dcim_cabletermination ${x}
      where ${x}.cable_id = ${t}.id and ${x}.cable_end = '${end}')))`
}

/** Columns of a list of cables beside those of their ends: `device_a`, `site_b`. */
export const cablePlaces = Object.fromEntries(
  Object.entries(Places).flatMap(([name, [label, model]]) =>
    ['A', 'B'].map((end) => [
      `${name}_${end.toLowerCase()}`,
      computed(placesOf(end, `_${name}`, model), { label: `${label} ${end}` }),
    ]),
  ),
)
