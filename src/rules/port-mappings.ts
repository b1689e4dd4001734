import { computed } from '../fields/computed.ts'
import type { Row } from '../fields/field.ts'
import { rowsOf } from '../fields/rows.ts'
import type { WriteEvent, WriteTools } from '../declare/behaviour.ts'
import { retrace } from './paths.ts'

type Face = 'front' | 'rear'
type Owner = 'dcim.portmapping' | 'dcim.porttemplatemapping'
const other = (face: Face): Face => (face === 'front' ? 'rear' : 'front')
const portModel = (owner: Owner, face: Face) =>
  `dcim.${face}port${owner === 'dcim.portmapping' ? '' : 'template'}` as const

/** `rear_ports` of a front port, `front_ports` of a rear port: `{position, <face>_port, <face>_port_position}`. */
export function mappedPorts(owner: Owner, face: Face) {
  const far = other(face)
  return rowsOf(owner, `${face}_port_id`, {
    position: { column: `${face}_port_position`, min: 1, max: 1024 },
    [`${far}_port`]: { column: `${far}_port_id`, target: portModel(owner, far) },
    [`${far}_port_position`]: { column: `${far}_port_position`, min: 1, max: 1024, default: 1 },
  })
}

/** What the positions of a port lead to, as pages tell it: `R1:3`. */
export function mappings(owner: Owner, face: Face) {
  const far = other(face)
  return computed(
    (t, sql) => {
      const [table, port] = [sql.model(owner).table, sql.model(portModel(owner, far))]
      const [a, p] = [sql.alias(), sql.alias()]
      sql.uses(table, { t, column: `${face}_port_id` })
      sql.uses(port.table)
      const object = sql.object(port, t, `${p}.id`, ['id', 'url', 'display'])
      return `json((select json_group_array(json_object(
          'display', ${p}.name || ':' || ${a}.${far}_port_position, 'object', ${object}
        ) order by ${a}.${face}_port_position)
        from ${table} ${a} join ${port.table} ${p} on ${p}.id = ${a}.${far}_port_id
        where ${a}.${face}_port_id = ${t}.id))`
    },
    { label: 'Mappings' },
  )
}

type Port = { id: number; positions: number }
const given = (event: WriteEvent<Port>, face: Face) =>
  event.given[`${other(face)}_ports`] as Record<string, number>[] | undefined

/**
 * Positions that are mapped must be there, and a position of the other face is mapped once, by the rows before the
 * change too.
 */
export function checkMappings(event: WriteEvent<Port>, owner: Owner, face: Face): void {
  const { row, before, errors, tools } = event
  const far = other(face)
  const list = given(event, face)
  const count = list?.length ?? (before ? tools.count(owner, { [`${face}_port_id`]: before.id }) : 0)
  if (row.positions < count)
    errors.positions = [`The number of positions cannot be less than the number of mapped ${far} ports (${count}).`]
  if (!list) return
  const seen = new Set<string>()
  for (const item of list) {
    const key = `${item[`${far}_port`]}:${item[`${far}_port_position`]}`
    const mapped = tools.rows(owner, {
      [`${far}_port_id`]: item[`${far}_port`]!,
      [`${far}_port_position`]: item[`${far}_port_position`]!,
    })
    const taken = mapped.some(
      (each) => each[`${face}_port_id`] !== before?.id || each[`${face}_port_position`] !== item.position,
    )
    if (taken || seen.has(key)) {
      const port = tools.display(portModel(owner, far), item[`${far}_port`]!)
      errors[`${far}_ports`] = [`Position ${item[`${far}_port_position`]} of ${far} port ${port} is mapped already.`]
    }
    seen.add(key)
    if (seen.has(`own:${item.position}`)) errors[`${far}_ports`] ??= [`Position ${item.position} is given twice.`]
    seen.add(`own:${item.position}`)
  }
}

/**
 * Makes the mappings of a port exactly those given, and traces anew what led through them. `place`: columns the rows
 * share with their port.
 */
export function storeMappings(event: WriteEvent<Port>, owner: Owner, face: Face, place: Row): void {
  const { row, tools } = event
  const far = other(face)
  const list = given(event, face)
  if (list) {
    tools.drop(owner, { [`${face}_port_id`]: row.id })
    for (const item of list) {
      tools.insert(owner, {
        ...place,
        [`${face}_port_id`]: row.id,
        [`${face}_port_position`]: item.position!,
        [`${far}_port_id`]: item[`${far}_port`]!,
        [`${far}_port_position`]: item[`${far}_port_position`]!,
      })
    }
  }
  if (
    owner === 'dcim.portmapping' &&
    (list?.length || (event.before && (list || event.before.positions !== row.positions)))
  ) {
    retrace(tools, [
      { type: portModel(owner, face), id: row.id },
      ...(list ?? []).map((item) => ({ type: portModel(owner, far), id: item[`${far}_port`]! })),
    ])
  }
}

/** A port went: paths through it end before it. */
export const forgetPort = (tools: WriteTools, face: Face, id: number): void =>
  retrace(tools, [{ type: `dcim.${face}port`, id }])
