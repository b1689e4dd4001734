import type { WriteTools } from '../declare/behaviour.ts'
import type { RowNamed } from '../declare/model.ts'
import { type CabledModel, Cabled } from './cabled-fields.ts'
import { mapped } from './cable-profiles.ts'

/** An object on a path: model name and id. */
export interface Node {
  type: string
  id: number
}
export const nodeKey = ({ type, id }: Node): string => `${type}:${id}`
export const nodeOf = (key: string): Node => ({
  type: key.slice(0, key.lastIndexOf(':')),
  id: Number(key.slice(key.lastIndexOf(':') + 1)),
})
const isEndpoint = (type: string): boolean => Cabled[type as CabledModel] === true
const unique = (nodes: readonly Node[]): Node[] => [...new Map(nodes.map((node) => [nodeKey(node), node])).values()]

/** What a trace found: in turn terminations, link, terminations …; the last are the destinations of a complete path. */
interface Traced {
  steps: Node[][]
  isComplete: boolean
  isActive: boolean
  isSplit: boolean
}

interface End {
  node: Node
  cable: number | null
  wireless: number | null
  end: 'A' | 'B'
  connector: number | null
  positions: number[]
  width: number
}
interface Walk extends Traced {
  stack: number[][]
}

type Termination = RowNamed<'dcim.cabletermination'>

/** A path longer than this is taken for a loop. */
const MaxSteps = 500

/** The terminations of cables, by connector; those of one cable are read once. */
type Terminations = (cable: number) => readonly Termination[]
function terminationsIn(tools: WriteTools): Terminations {
  const known = new Map<number, readonly Termination[]>()
  return (cable) => {
    const rows =
      known.get(cable) ?? tools.rows('dcim.cabletermination', { cable_id: cable }, { order: ['connector', 'id'] })
    known.set(cable, rows)
    return rows
  }
}

/**
 * Follows cables, wireless links, mapped ports and circuits from terminations that share a link; undefined when nothing
 * is attached to them. `of`: the terminations of cables, where several traces go through the same.
 */
export function trace(tools: WriteTools, origins: readonly Node[], of = terminationsIn(tools)): Traced | undefined {
  const walk: Walk = { steps: [], isComplete: false, isActive: true, isSplit: false, stack: [] }
  const seen = new Set<string>()
  let near: Node[] = [...origins]
  while (near.length && walk.steps.length < MaxSteps && !near.some((node) => seen.has(nodeKey(node)))) {
    for (const node of near) seen.add(nodeKey(node))
    const ends = near.map((node) => endOf(tools, node)).filter((end) => end !== undefined)
    const links = unique(ends.map(linkOf).filter((link) => link !== undefined))
    const waiting = walk.stack.at(-1)
    if (links.length > 1 && waiting && ends.length !== waiting.length) {
      walk.isSplit = true
      break
    }
    if (links.length === 0 && walk.steps.length === 0) return undefined
    walk.steps.push(near)
    if (links.length === 0) break
    walk.steps.push(links)
    if (ends.some((end) => linkOf(end) === undefined)) walk.isSplit = true
    if (!links.every((link) => isConnected(tools, link))) walk.isActive = false
    const far = farEnds(tools, of, ends, walk)
    if (far.length === 0) break
    walk.steps.push(far)
    const next = onward(tools, far, walk)
    if (!next) break
    near = next
  }
  const { steps, isComplete, isActive, isSplit } = walk
  return { steps, isComplete: isComplete && !isSplit, isActive, isSplit }
}

function endOf(tools: WriteTools, node: Node): End | undefined {
  const row = tools.row(tools.model(node.type), node.id)
  if (!row) return undefined
  return {
    node,
    cable: row.cable_id as number | null,
    wireless: (row.wireless_link_id as number | null | undefined) ?? null,
    end: row.cable_end as 'A' | 'B',
    connector: row.cable_connector as number | null,
    positions: list(row.cable_positions),
    width: (row.positions as number | undefined) ?? 1,
  }
}
const list = (json: unknown): number[] => (typeof json === 'string' ? (JSON.parse(json) as number[]) : [])
const linkOf = (end: End): Node | undefined =>
  end.cable !== null
    ? { type: 'dcim.cable', id: end.cable }
    : end.wireless !== null
      ? { type: 'wireless.wirelesslink', id: end.wireless }
      : undefined
/** The cable or wireless link at an object. */
export function linkAt(tools: WriteTools, node: Node): Node | undefined {
  const end = endOf(tools, node)
  return end && linkOf(end)
}
const isConnected = (tools: WriteTools, link: Node): boolean =>
  tools.row(tools.model(link.type), link.id)?.status === 'connected'

function farEnds(tools: WriteTools, of: Terminations, ends: readonly End[], walk: Walk): Node[] {
  const far: Node[] = []
  const pushed: number[] = []
  for (const end of ends) {
    if (end.cable === null) {
      if (end.wireless !== null) far.push(...otherRadio(tools, end))
      continue
    }
    const profile = tools.row('dcim.cable', end.cable)?.profile
    const opposite = of(end.cable).filter((row) => row.cable_end !== end.end)
    if (!profile || end.connector === null) far.push(...opposite.map(named))
    else
      for (const { row, position } of acrossProfile(profile, end, opposite, walk)) {
        far.push(named(row))
        if (list(row.positions).length > 1) pushed.push(position)
      }
  }
  if (pushed.length) walk.stack.push([...new Set(pushed)])
  return unique(far)
}
const named = (row: Pick<Termination, 'termination_type' | 'termination_id'>): Node => ({
  type: row.termination_type!,
  id: row.termination_id!,
})

/** Terminations at the other end that the positions of one connector lead to. */
function acrossProfile(
  profile: string,
  end: End,
  opposite: readonly Termination[],
  walk: Walk,
): { row: Termination; position: number }[] {
  const positions = end.positions.length > 1 && walk.stack.length ? walk.stack.pop()! : end.positions
  return positions.flatMap((position) => {
    const to = mapped(profile, end.end, { connector: end.connector!, position })
    const row = opposite.find((each) => each.connector === to.connector && list(each.positions).includes(to.position))
    return row ? [{ row, position: to.position }] : []
  })
}

function otherRadio(tools: WriteTools, end: End): Node[] {
  const link = tools.row('wireless.wirelesslink', end.wireless!)
  if (!link) return []
  const other = link.interface_a_id === end.node.id ? link.interface_b_id : link.interface_a_id
  return [{ type: 'dcim.interface', id: other }]
}

/** Terminations from which the path goes on, or undefined where it ends; says in `walk` how. */
function onward(tools: WriteTools, far: readonly Node[], walk: Walk): Node[] | undefined {
  const type = far[0]!.type
  if (far.some((node) => node.type !== type)) {
    walk.isSplit = true
    return undefined
  }
  if (type === 'dcim.frontport') return throughPorts(tools, far, walk, 'front_port', 'rear_port')
  if (type === 'dcim.rearport') return throughPorts(tools, far, walk, 'rear_port', 'front_port')
  if (type === 'circuits.circuittermination') return throughCircuit(tools, far, walk)
  walk.isComplete = true
  return undefined
}

/** From the ports of one face to those mapped to them. Positions say which of several, last pushed first used. */
function throughPorts(
  tools: WriteTools,
  far: readonly Node[],
  walk: Walk,
  from: 'front_port' | 'rear_port',
  to: 'front_port' | 'rear_port',
): Node[] | undefined {
  const model = (face: string) => `dcim.${face.replace('_', '')}`
  let positions: number[] | undefined
  if (far.some((node) => (endOf(tools, node)?.width ?? 1) > 1)) {
    positions = walk.stack.pop()
    if (!positions) {
      walk.isSplit = true
      return undefined
    }
  }
  const mappings = far
    .flatMap((node) => tools.rows('dcim.portmapping', { [`${from}_id`]: node.id }, { order: [`${from}_position`] }))
    .filter((row) => !positions || positions.includes(row[`${from}_position`]))
  if (mappings.length === 0) return undefined
  const next = unique(mappings.map((row) => ({ type: model(to), id: row[`${to}_id`] })))
  if (next.some((node) => (endOf(tools, node)?.width ?? 1) > 1))
    walk.stack.push(mappings.map((row) => row[`${to}_position`]))
  return next
}

/** Across a circuit; at a provider's network the path is complete, at a site it ends. */
function throughCircuit(tools: WriteTools, far: readonly Node[], walk: Walk): Node[] | undefined {
  if (far.length > 1) {
    walk.isSplit = true
    return undefined
  }
  const here = tools.row('circuits.circuittermination', far[0]!.id)
  if (!here) return undefined // in the midst of a merge: the path is traced again once it is there
  const there = tools.first('circuits.circuittermination', {
    circuit_id: here.circuit_id,
    term_side: here.term_side === 'A' ? 'Z' : 'A',
  })
  if (!there) return undefined
  const other = { type: 'circuits.circuittermination', id: there.id }
  if (there._provider_network_id !== null) {
    walk.steps.push([other], [{ type: 'circuits.providernetwork', id: there._provider_network_id }])
    walk.isComplete = true
    return undefined
  }
  if (there.cable_id === null && there.termination_id !== null) {
    walk.steps.push([other], [{ type: there.termination_type!, id: there.termination_id }])
    return undefined
  }
  return [other]
}

/** Paths through any of these objects, and those that begin at the given ends, are traced anew. */
export function retrace(tools: WriteTools, nodes: readonly Node[], ends: readonly Node[] = []): void {
  const origins = new Map<string, Node>()
  const paths = new Set<number>()
  for (const node of [...nodes, ...ends]) {
    for (const { path_id } of tools.rows(
      'dcim.cablepathnode',
      { node_type: node.type, node_id: node.id },
      { only: ['path_id'] },
    ))
      paths.add(path_id)
  }
  for (const id of paths) for (const node of forget(tools, id)) origins.set(nodeKey(node), node)
  for (const node of ends) if (isEndpoint(node.type)) origins.set(nodeKey(node), node)
  const done = new Set<string>()
  const of = terminationsIn(tools)
  for (const [key, node] of origins) {
    if (done.has(key)) continue
    const group = together(tools, of, node)
    for (const each of group) done.add(nodeKey(each))
    if (group.length) keep(tools, of, group)
  }
}

/** Removes a path; answers the ends it began at. */
function forget(tools: WriteTools, id: number): Node[] {
  const path = tools.row('dcim.cablepath', id)
  if (!path) return []
  const origins = originsOf(path)
  // Several, while a merge moves a cable from some to others; of a damaged path nobody knows.
  const types = new Set(origins.length ? origins.map(({ type }) => type) : Object.keys(Cabled).filter(isEndpoint))
  for (const type of types) tools.set(tools.model(type), { _path_id: id }, { _path_id: null })
  tools.drop('dcim.cablepathnode', { path_id: id })
  tools.drop('dcim.cablepath', { id })
  return origins
}

/** The ends that share a path with this one: all at the same end of a cable without a profile, where paths begin. */
function together(tools: WriteTools, of: Terminations, node: Node): Node[] {
  const end = endOf(tools, node)
  if (!end) return []
  if (end.cable === null || end.connector !== null) return [node]
  return of(end.cable)
    .filter(({ cable_end }) => cable_end === end.end)
    .sort((a, b) => a.id - b.id)
    .map(named)
    .filter(({ type }) => isEndpoint(type)) // others may be there while the cable is being moved
}

const endsOf = (traced: Traced): Node[] => (traced.isComplete ? traced.steps.at(-1)! : [])
const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)
const columnsOf = (traced: Traced) => ({
  path: JSON.stringify(traced.steps.map((step) => step.map(nodeKey))),
  is_complete: flag(traced.isComplete),
  is_active: flag(traced.isActive),
  is_split: flag(traced.isSplit),
  destinations: JSON.stringify(endsOf(traced).map((end) => end.id)),
})

function keep(tools: WriteTools, of: Terminations, origins: readonly Node[]): void {
  for (const { type, id } of origins) {
    const known = tools.row(tools.model(type), id)?._path_id as number | null | undefined
    if (known) forget(tools, known)
  }
  const traced = trace(tools, origins, of)
  if (!traced) return
  const destination_type = endsOf(traced)[0]?.type ?? null
  const id = tools.insert('dcim.cablepath', { ...columnsOf(traced), destination_type })
  for (const { type, id: node } of unique(traced.steps.flat()))
    tools.insert('dcim.cablepathnode', { path_id: id, node_type: type, node_id: node })
  for (const { type, id: origin } of origins) tools.set(tools.model(type), { id: origin }, { _path_id: id })
}

/** A path that is not as a trace would find it now, and the ends that are to be traced instead. */
interface WrongPath {
  id: number
  ends: Node[]
}

/** Paths that are wrong: looked at in what `atOnce` does, which is of one moment, if others write meanwhile. */
export function wrongPaths(tools: WriteTools, atOnce: (work: () => WrongPath[]) => WrongPath[]): WrongPath[] {
  return tools.rows('dcim.cablepath', {}, { order: ['id'] }).flatMap((row) => {
    if (isTraced(tools, row)) return []
    return atOnce(() => {
      const now = tools.row('dcim.cablepath', row.id)
      return now && !isTraced(tools, now) ? [{ id: now.id, ends: originsOf(now) }] : []
    })
  })
}

/** Takes wrong paths away, and traces what begins where they did. */
export function retraceWrong(tools: WriteTools, wrong: readonly WrongPath[]): void {
  for (const { id } of wrong) forget(tools, id)
  const ends = wrong.flatMap(({ ends }) => ends)
  retrace(
    tools,
    [],
    ends.filter(({ type, id }) => tools.row(tools.model(type), id)),
  )
}

/** The ends at which a path begins; none where a damaged file has something else in its place. */
function originsOf(row: { path: string | null }): Node[] {
  try {
    return (JSON.parse(row.path!) as string[][])[0]!.map(nodeOf).filter(({ type }) => isEndpoint(type))
  } catch {
    return []
  }
}

/** Whether a path is the one that is found when it is followed again, and its ends and nodes know of it. */
function isTraced(tools: WriteTools, row: RowNamed<'dcim.cablepath'>): boolean {
  const origins = originsOf(row)
  const traced = trace(tools, origins)
  if (
    traced === undefined ||
    JSON.stringify({ ...columnsOf(traced), destination_type: endsOf(traced)[0]?.type ?? null }) !==
      JSON.stringify({
        path: row.path,
        is_complete: row.is_complete,
        is_active: row.is_active,
        is_split: row.is_split,
        destinations: row.destinations,
        destination_type: row.destination_type,
      })
  )
    return false
  const known = tools.rows('dcim.cablepathnode', { path_id: row.id }, { only: ['node_type', 'node_id'] })
  const keys = new Set(known.map(({ node_type, node_id }) => nodeKey({ type: node_type!, id: node_id! })))
  const nodes = unique(traced.steps.flat())
  return (
    nodes.length === keys.size &&
    nodes.every((node) => keys.has(nodeKey(node))) &&
    origins.every(({ type, id }) => tools.row(tools.model(type), id)?._path_id === row.id)
  )
}
