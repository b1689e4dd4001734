import type { ObjectName } from '../fields/generic-list.ts'
import type { Row } from '../fields/field.ts'
import type { WriteEvent, WriteTools } from '../declare/behaviour.ts'
import type { CabledModel } from './cabled-fields.ts'
import { connectorsOf, mapped } from './cable-profiles.ts'
import { isWireless, Virtual } from './interfaces.ts'
import { type Node, retrace } from './paths.ts'
import type { RowNamed } from '../declare/model.ts'

type End = 'A' | 'B'
type Termination = RowNamed<'dcim.cabletermination'>
const Ends = ['A', 'B'] as const
const fieldOf = (end: End): 'a_terminations' | 'b_terminations' => (end === 'A' ? 'a_terminations' : 'b_terminations')

const Through: readonly CabledModel[] = ['dcim.frontport', 'dcim.rearport', 'circuits.circuittermination']
const Console: readonly CabledModel[] = ['dcim.frontport', 'dcim.rearport']
/** What may be at the other end of a cable. */
const Compatible: Readonly<Record<CabledModel, readonly CabledModel[]>> = {
  'circuits.circuittermination': ['dcim.interface', ...Through],
  'dcim.consoleport': ['dcim.consoleserverport', ...Console],
  'dcim.consoleserverport': ['dcim.consoleport', ...Console],
  'dcim.interface': ['dcim.interface', ...Through],
  'dcim.frontport': ['dcim.consoleport', 'dcim.consoleserverport', 'dcim.interface', ...Through],
  'dcim.rearport': ['dcim.consoleport', 'dcim.consoleserverport', 'dcim.interface', ...Through],
  'dcim.powerport': ['dcim.poweroutlet', 'dcim.powerfeed'],
  'dcim.poweroutlet': ['dcim.powerport'],
  'dcim.powerfeed': ['dcim.powerport'],
}

/** Kinds of object that a cable from one of a kind may lead to; none for what takes no cable. */
export const compatibleWith = (type: string): readonly CabledModel[] => Compatible[type as CabledModel] ?? []

/** Objects at one end of a cable: each shows all that are at the other. */
const MostAtEnd = 256

interface Cable {
  id: number
  profile: string | null
  status: string
  length: number | null
  length_unit: string | null
  _abs_length: number | null
}

const present = (tools: WriteTools, cable: number, end: End): ObjectName[] =>
  tools
    .rows(
      'dcim.cabletermination',
      { cable_id: cable, cable_end: end },
      { only: ['termination_type', 'termination_id'], order: ['connector', 'id'] },
    )
    .map((row) => ({ type: row.termination_type!, id: row.termination_id! }))

/**
 * The terminations of one end as they will be: those of the body, or on update those there are (an empty list changes
 * nothing).
 */
function wanted(event: WriteEvent<Cable>, end: End): ObjectName[] {
  const given = event.given[fieldOf(end)] as ObjectName[] | undefined
  return given?.length || !event.before ? (given ?? []) : present(event.tools, event.before.id, end)
}

/** Rules of a cable's ends. */
export function checkCable(event: WriteEvent<Cable>): void {
  const { row, before, errors, tools } = event
  if (row.length !== null && !row.length_unit) errors.__all__ = ['Must specify a unit when setting a cable length.']
  const sides = { A: wanted(event, 'A'), B: wanted(event, 'B') }
  if (!before && (sides.A.length === 0 || sides.B.length === 0)) {
    errors.__all__ = ['Must define A and B terminations when creating a new cable.']
    return
  }
  for (const end of Ends) {
    if (new Set(sides[end].map((each) => each.type)).size > 1)
      errors.__all__ ??= ['Cannot connect different termination types to same end of cable.']
    const limit = row.profile ? connectorsOf(row.profile, end).length : Infinity
    const given = event.given[fieldOf(end)] as ObjectName[] | undefined
    if (given && given.length > MostAtEnd)
      errors[fieldOf(end)] = [`Ensure this list has no more than ${MostAtEnd} items.`]
    else if (sides[end].length > limit)
      errors[fieldOf(end)] = [
        `The cable profile has ${limit} connectors at this end, but ${sides[end].length} terminations were given.`,
      ]
    if (new Set(sides[end].map((each) => `${each.type}:${each.id}`)).size < sides[end].length)
      errors[fieldOf(end)] ??= ['The same object appears twice.']
  }
  const [a, b] = [sides.A[0], sides.B[0]]
  if (a && b && !Compatible[a.type as CabledModel].includes(b.type as CabledModel))
    errors.__all__ ??= [`Incompatible termination types: ${a.type} and ${b.type}.`]
  if (sides.A.some((x) => sides.B.some((y) => x.type === y.type && x.id === y.id)))
    errors.__all__ ??= ['A cable cannot connect an object to itself.']
  if (Object.keys(errors).length) return
  for (const each of [...sides.A, ...sides.B]) {
    const why = unfit(tools, each, before?.id)
    if (why) {
      errors.__all__ = [why]
      return
    }
  }
}

/** Why a cable cannot end here, if it cannot. */
function unfit(tools: WriteTools, { type, id }: ObjectName, cable: number | undefined): string | undefined {
  const row = tools.row(tools.model(type), id)!
  const label = `${tools.model(type).label} ${row.name ?? id}`
  if (row.cable_id !== null && row.cable_id !== cable)
    return `${label} already has a cable attached (#${row.cable_id}).`
  if (row.mark_connected) return `${label} is marked as connected and cannot take a cable.`
  if (type === 'dcim.interface' && (Virtual.has(row.type as string) || isWireless(row.type as string)))
    return `Cables cannot be terminated to ${row.type} interfaces.`
  if (type === 'circuits.circuittermination' && row._provider_network_id !== null)
    return 'Circuit terminations attached to a provider network may not be cabled.'
  return undefined
}

/** Stores a cable's ends, marks the objects there, and traces the paths anew that lead through them. */
export function connectCable(event: WriteEvent<Cable>): void {
  const { row, before, tools } = event
  const moved = !before || before.profile !== row.profile || Ends.some((end) => differs(event, end))
  if (!moved) {
    if (before.status !== row.status) retrace(tools, [{ type: 'dcim.cable', id: row.id }])
    return
  }
  if (!before) event.recordSoFar() // its ends are a second step (the recorded server keeps two records of a new cable)
  const freed: Node[] = []
  const goals = { A: wanted(event, 'A'), B: wanted(event, 'B') }
  const attached = [...goals.A, ...goals.B]
  const anew = !before || before.profile !== row.profile
  const left = before
    ? Ends.flatMap((end) => present(tools, row.id, end).filter((node) => anew || !isAmong(goals[end], node)))
    : []
  for (const node of left) {
    removeTermination(tools, row.id, node)
    if (isAmong(attached, node)) continue
    release(tools, node)
    freed.push(node)
  }
  const peers = before || row.profile ? undefined : { A: peersOf(goals.B), B: peersOf(goals.A) }
  for (const end of Ends)
    for (const [i, node] of goals[end].entries()) attach(tools, row, end, node, i + 1, peers?.[end])
  if (!peers) writePeers(tools, row.id)
  const through = before ? [{ type: 'dcim.cable', id: row.id }] : [] // no path leads through a new one
  retrace(tools, [...through, ...freed], [...attached, ...freed])
}

const isAmong = (nodes: readonly Node[], { type, id }: Node): boolean =>
  nodes.some((each) => each.type === type && each.id === id)

/**
 * The connector of a termination that comes to an end: that of its place in the list, or the first that is free when
 * one that stayed has it.
 */
function connectorFor(tools: WriteTools, cable: Cable, end: End, place: number): number | null {
  if (!cable.profile) return null
  const taken = new Set(
    tools
      .rows('dcim.cabletermination', { cable_id: cable.id, cable_end: end }, { only: ['connector'] })
      .map((row) => row.connector),
  )
  return (
    [place, ...connectorsOf(cable.profile, end).map((_, i) => i + 1)].find((connector) => !taken.has(connector)) ??
    place
  )
}

function differs(event: WriteEvent<Cable>, end: End): boolean {
  const given = event.given[fieldOf(end)] as ObjectName[] | undefined
  if (!given?.length) return false
  const key = (list: readonly ObjectName[]) =>
    list
      .map((each) => `${each.type}:${each.id}`)
      .sort()
      .join()
  return key(given) !== key(present(event.tools, event.row.id, end))
}

/** What a termination keeps of those opposite. */
const peersOf = (opposite: readonly Node[]) => ({
  peer_type: opposite[0]?.type ?? null,
  peers: JSON.stringify(opposite.map(({ id }) => id)),
})

/**
 * Adds one termination and marks its object; one that is there already stays. `peers`: what is opposite, where that is
 * known.
 */
function attach(
  tools: WriteTools,
  cable: Cable,
  end: End,
  { type, id }: ObjectName,
  place: number,
  peers?: ReturnType<typeof peersOf>,
): void {
  if (tools.has('dcim.cabletermination', at({ type, id }))) return
  const connector = connectorFor(tools, cable, end, place)
  const positions = cable.profile
    ? JSON.stringify(Array.from({ length: connectorsOf(cable.profile, end)[connector! - 1]! }, (_, i) => i + 1))
    : null
  tools.insert('dcim.cabletermination', {
    cable_id: cable.id,
    cable_end: end,
    ...at({ type, id }),
    connector,
    positions,
    ...placeOf(tools, type, tools.row(tools.model(type), id)!),
    ...peers,
  })
  tools.patch(tools.model(type), id, {
    cable_id: cable.id,
    cable_end: end,
    cable_connector: connector,
    cable_positions: positions,
  })
}

/** The columns of a termination that name its object. */
const at = ({ type, id }: Node) => ({ termination_type: type as CabledModel, termination_id: id })

function removeTermination(tools: WriteTools, cable: number, node: Node): void {
  const row = tools.first('dcim.cabletermination', { cable_id: cable, ...at(node) })
  if (row) tools.remove('dcim.cabletermination', row.id)
}

/** Says of an object that no cable ends at it. */
const release = (tools: WriteTools, { type, id }: Node): void =>
  tools.patch(tools.model(type), id, { cable_id: null, cable_end: null, cable_connector: null, cable_positions: null })

/** Where a termination is, for the filters of cables. */
function placeOf(tools: WriteTools, type: string, row: Row): Place {
  const id = (column: string) => row[column] as number | null
  if (type === 'circuits.circuittermination')
    return { _site_id: id('_site_id'), _location_id: id('_location_id'), _device_id: null, _rack_id: null }
  if (type === 'dcim.powerfeed') {
    const panel = tools.row('dcim.powerpanel', row.power_panel_id as number)!
    return { _device_id: null, _rack_id: id('rack_id'), _location_id: panel.location_id, _site_id: panel.site_id }
  }
  return {
    _device_id: id('device_id'),
    _rack_id: id('_rack_id'),
    _location_id: id('_location_id'),
    _site_id: id('_site_id'),
  }
}
type Place = Pick<Termination, '_site_id' | '_location_id' | '_rack_id' | '_device_id'>

/**
 * Keeps with each termination what is opposite: all of the other end or, with a profile, what its positions lead to.
 */
export function writePeers(tools: WriteTools, cableId: number): void {
  for (const [row, peers] of peersOfCable(tools, cableId)) tools.set('dcim.cabletermination', { id: row.id }, peers)
}

/** Whether the terminations of a cable know what is opposite. */
export const knowsPeers = (tools: WriteTools, cableId: number): boolean =>
  peersOfCable(tools, cableId).every(
    ([row, { peers, peer_type }]) => row.peers === peers && row.peer_type === peer_type,
  )

/** The terminations of a cable, each with the columns that say what is opposite. */
function peersOfCable(tools: WriteTools, cableId: number): [Termination, ReturnType<typeof peersOf>][] {
  const profile = tools.row('dcim.cable', cableId)?.profile
  const rows = tools.rows('dcim.cabletermination', { cable_id: cableId }, { order: ['connector', 'id'] })
  return rows.map((row) => {
    const opposite = rows
      .filter((each) => each.cable_end !== row.cable_end)
      .filter((each) => !profile || row.connector === null || leadsTo(profile, row, each))
    return [row, peersOf(opposite.map((each) => ({ type: each.termination_type!, id: each.termination_id! })))]
  })
}

const numbers = (json: unknown): number[] => (typeof json === 'string' ? (JSON.parse(json) as number[]) : [])
const leadsTo = (profile: string, from: Termination, to: Termination): boolean =>
  numbers(from.positions).some((position) => {
    const at = mapped(profile, from.cable_end as End, { connector: from.connector as number, position })
    return at.connector === to.connector && numbers(to.positions).includes(at.position)
  })

/** A cable goes: what it ended at is free again. */
export function freeTerminations(tools: WriteTools, cableId: number): void {
  for (const node of [...present(tools, cableId, 'A'), ...present(tools, cableId, 'B')]) release(tools, node)
}

/** A terminated object went, or left its cable: the other end sees it no more. The cable stays. */
export function forgetTermination(tools: WriteTools, row: Row): void {
  const node = { type: row.termination_type as string, id: row.termination_id as number }
  const cable = tools.row('dcim.cable', row.cable_id as number)
  if (!cable) return
  writePeers(tools, cable.id as number)
  retrace(tools, [node, { type: 'dcim.cable', id: cable.id as number }])
}

/** Terminations that moved with their object are found where it is now. */
export function moveTerminations(tools: WriteTools, type: string, id: number): void {
  const row = tools.row(tools.model(type), id)
  if (!row || row.cable_id === null) return
  tools.set('dcim.cabletermination', at({ type, id }), placeOf(tools, type, row))
}

/** A circuit's end came, went or is elsewhere now: what ran into the circuit is traced anew. */
export function changeCircuitEnd(tools: WriteTools, row: { id: number; circuit_id: number }): void {
  moveTerminations(tools, 'circuits.circuittermination', row.id)
  const ends = tools.rows('circuits.circuittermination', { circuit_id: row.circuit_id }, { only: ['id'] })
  retrace(tools, [
    { type: 'circuits.circuittermination', id: row.id },
    ...ends.map(({ id }) => ({ type: 'circuits.circuittermination', id })),
  ])
}
