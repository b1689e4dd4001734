import type { WriteTools } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Row } from '../fields/field.ts'
import { Cabled, type CabledModel } from './cabled-fields.ts'
import { moveTerminations, writePeers } from './cables.ts'
import { type Node, nodeKey, retrace } from './paths.ts'

/** A row that was put to another state, or went. */
interface Changed {
  m: AnyModel
  id: number
  before: Row | null
  after: Row | null
}

/** Columns by which an object at a cable's end leads paths on, as they are traced; and its own path. */
const Leading = [
  'cable_id',
  'cable_end',
  'cable_connector',
  'cable_positions',
  'wireless_link_id',
  'positions',
  '_path_id',
]

/** Whether something else changed of an object than where it leads: an interface got a description. */
const leadsAsBefore = ({ m, before, after }: Changed): boolean =>
  before !== null &&
  after !== null &&
  before !== after && // or it is to be worked out again
  m.name !== 'circuits.circuittermination' && // which leads to others of its circuit, or its place
  Leading.every((column) => before[column] === after[column])

/**
 * What hangs on cables, once rows of any models were put to another state: marks of objects at their ends, what is
 * opposite, and paths.
 */
export function recable(tools: WriteTools, rows: readonly Changed[]): void {
  const nodes = new Map<string, Node>()
  const ends = new Map<string, Node>()
  const cables = new Set<number>()
  const add = (into: Map<string, Node>, type: string, id: number | null): void => {
    if (id !== null) into.set(nodeKey({ type, id }), { type, id })
  }
  for (const each of rows) {
    const { m, id, before, after } = each
    const states = [before, after]
    if (m.name === 'dcim.cable') {
      add(nodes, m.name, id)
      cables.add(id)
    } else if (m.name === 'wireless.wirelesslink') {
      add(nodes, m.name, id)
      for (const row of states)
        for (const end of ['a', 'b']) add(ends, 'dcim.interface', at(row, `interface_${end}_id`))
    } else if (m.name === 'dcim.portmapping') {
      for (const row of states)
        for (const face of ['front', 'rear']) add(nodes, `dcim.${face}port`, at(row, `${face}_port_id`))
    } else if (m.name === 'dcim.cabletermination') {
      for (const row of states) {
        if (!row) continue
        add(ends, row.termination_type as string, at(row, 'termination_id'))
        cables.add(row.cable_id as number)
        add(nodes, 'dcim.cable', at(row, 'cable_id'))
      }
    } else if (m.name in Cabled && !leadsAsBefore(each)) add(before ? nodes : ends, m.name, id)
    if (m.name === 'circuits.circuittermination')
      for (const row of states)
        for (const other of row ? tools.rows(m, { circuit_id: row.circuit_id }, { only: ['id'] }) : [])
          add(nodes, m.name, other.id as number)
  }
  for (const end of ends.values()) mark(tools, end)
  for (const cable of cables) {
    if (!tools.has('dcim.cable', { id: cable })) continue
    writePeers(tools, cable)
    for (const row of tools.rows('dcim.cabletermination', { cable_id: cable }))
      add(ends, row.termination_type!, row.termination_id)
  }
  const present = ({ type, id }: Node): boolean => tools.has(tools.model(type), { id })
  retrace(tools, [...nodes.values(), ...ends.values()], [...ends.values()].filter(present))
}

const at = (row: Row | null, column: string): number | null => (row?.[column] as number | null | undefined) ?? null

/** Says of an object at which cable's end it is, as the rows of the cable's ends have it; and of these, where it is. */
function mark(tools: WriteTools, { type, id }: Node): void {
  const m = tools.model(type)
  const row = tools.row(m, id)
  if (!row) return
  const end = tools.first('dcim.cabletermination', { termination_type: type as CabledModel, termination_id: id })
  const marks: Row = {
    cable_id: end?.cable_id ?? null,
    cable_end: end?.cable_end ?? null,
    cable_connector: end?.connector ?? null,
    cable_positions: end?.positions ?? null,
  }
  if (Object.keys(marks).some((name) => row[name] !== marks[name])) tools.set(m, { id }, marks)
  moveTerminations(tools, type, id)
}
