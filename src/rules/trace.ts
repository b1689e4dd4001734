import type { Action, ActionRequest, ActionTools, WriteTools } from '../declare/behaviour.ts'
import { traceSvg } from './trace-svg.ts'
import { linkAt, type Node, nodeKey, nodeOf, trace } from './paths.ts'
import type { RowNamed } from '../declare/model.ts'
import { sqlOf } from '../declare/statement.ts'

type StoredPath = RowNamed<'dcim.cablepath'>

const stepsOf = (path: StoredPath): Node[][] => (JSON.parse(path.path!) as string[][]).map((step) => step.map(nodeOf))

/** Nested JSON of objects by their keys, one statement for each model among them. */
function nestedObjects(tools: ActionTools, nodes: readonly Node[]): Map<string, string> {
  const byType = new Map<string, Set<number>>()
  for (const { type, id } of nodes) byType.set(type, (byType.get(type) ?? new Set()).add(id))
  const found = new Map<string, string>()
  for (const [type, ids] of byType)
    for (const json of tools.render(type, [...ids], 'nested'))
      found.set(`${type}:${/^\{"id":(\d+)/.exec(json)![1]}`, json)
  return found
}
const listOf = (nodes: readonly Node[], objects: Map<string, string>): string =>
  `[${nodes.flatMap((node) => objects.get(nodeKey(node)) ?? []).join(',')}]`

/** A link as a trace shows it: raw choice values. */
function linkJson({ tools, base }: ActionRequest, link: Node): string {
  return tools.get(LinkJson(tools.model(link.type)), base, base, link.id)?.json ?? '[]'
}
const LinkJson = sqlOf<{ json: string }>(
  (m) => {
    const [type, label, color, size] =
      m.name === 'dcim.cable' ? ['t.type', 't.label', 't.color', 'length'] : ['null', 't.ssid', "''", 'distance']
    const length = (m.fields[size].output('t', size, undefined as never) as [string, string][])[0]![1]
    return `
      select json_object('id', t.id, 'url', ? || '/api/${m.path}/' || t.id || '/',
        'display_url', ? || '/${m.path}/' || t.id || '/', 'type', ${type}, 'status', t.status, 'label', ${label},
        'color', ${color}, 'length', ${length}, 'length_unit', nullif(t.${size}_unit, ''),
        'description', t.description) as json
      from ${m.table} t where t.id = ?`
  },
  (m) => m.name === 'dcim.cable' || m.name === 'wireless.wirelesslink',
)

/** Steps of a path in threes: near terminations, link, far terminations. */
function threes(path: readonly Node[][]): Node[][][] {
  const steps = [...path]
  if (steps.length % 3 === 1) steps.push([], [])
  else if (steps.length % 3 === 2) steps.splice(steps.length - 1, 0, [])
  return Array.from({ length: steps.length / 3 }, (_, i) => steps.slice(3 * i, 3 * i + 3))
}

/**
 * Steps in threes (near, link, far) of the path that begins here, going on over the bridge of its single destination.
 */
function hops(tools: WriteTools, type: string, id: number): Node[][][] {
  const all: Node[][][] = []
  const seen = new Set<string>()
  let origin: Node | undefined = { type, id }
  while (origin && !seen.has(nodeKey(origin))) {
    seen.add(nodeKey(origin))
    const begin = tools.row(tools.model(origin.type), origin.id)?._path_id as number | null | undefined
    const path: StoredPath | undefined = begin ? tools.row('dcim.cablepath', begin) : undefined
    if (!path) break
    all.push(...threes(stepsOf(path)))
    const ends: number[] = path.is_complete ? (JSON.parse(path.destinations!) as number[]) : []
    const bridge: number | null | undefined =
      ends.length === 1 && path.destination_type === 'dcim.interface'
        ? tools.row('dcim.interface', ends[0]!)?.bridge_id
        : null
    origin = bridge ? { type: 'dcim.interface', id: bridge } : undefined
  }
  return all
}

/**
 * The strands of a hop: each of its links with the ends that are its own, and near ends that no link goes on from. A
 * hop that is one strand is all of it.
 */
export function strandsOf(tools: WriteTools, hop: readonly Node[][]): Node[][][] {
  const [near, links, far] = hop as [Node[], Node[], Node[]]
  const at = new Map([...near, ...far].map((node) => [nodeKey(node), linkAt(tools, node)]))
  const isAt = (link: Node | undefined) => (node: Node) => {
    const own = at.get(nodeKey(node))
    return own && link ? nodeKey(own) === nodeKey(link) : own === link
  }
  const loose = near.filter(isAt(undefined))
  if (links.length < 2 && (links.length === 0 || loose.length === 0)) return [[near, links, far]]
  return [
    ...links.map((link) => [near.filter(isAt(link)), [link], far.filter(isAt(link))]),
    ...loose.map((node) => [[node], [], []]),
  ]
}

/** A way through cables as pages draw it. */
export interface Way {
  /** Id of the path; 0 for one that begins at no end of a path. */
  id: number
  hops: Node[][][]
  isComplete: boolean
  isActive: boolean
  isSplit: boolean
}

/** So many ways through one object are told of. */
const MaxWays = 100

/**
 * The ways that begin at an object or lead through it; of a cabled one that no path leads through, what its cable leads
 * to.
 */
export function waysOf(tools: WriteTools, { type, id }: Node): Way[] {
  const flags = (path: StoredPath) => ({
    isComplete: path.is_complete === 1,
    isActive: path.is_active === 1,
    isSplit: path.is_split === 1,
  })
  const row = tools.row(tools.model(type), id)
  const own = row?._path_id ? tools.row('dcim.cablepath', row._path_id as number) : undefined
  if (own) return [{ id: own.id, hops: hops(tools, type, id), ...flags(own) }]
  const nodes = tools.rows('dcim.cablepathnode', { node_type: type, node_id: id }, { only: ['path_id'] })
  const through = { id: { in: nodes.map(({ path_id }) => path_id).slice(0, MaxWays) } }
  const paths = tools.rows('dcim.cablepath', through, { order: ['id'] })
  if (paths.length) return paths.map((path) => ({ id: path.id, hops: threes(stepsOf(path)), ...flags(path) }))
  const found = row?.cable_id ? trace(tools, [{ type, id }]) : undefined
  return found ? [{ id: 0, hops: threes(found.steps), ...found }] : []
}

const Svg = 'image/svg+xml'
const object = { type: 'object', additionalProperties: {} }

/** `trace`: [near terminations, link, far terminations] for each hop. */
export function traceAction(type: string): Record<string, Action> {
  return {
    trace: {
      get: {
        permission: 'view',
        drawings: (shown) => (shown.cable || shown.wireless_link ? ['render=svg'] : []),
        run: (request) => {
          const all = hops(request.tools, type, request.id)
          const objects = nestedObjects(
            request.tools,
            all.flatMap(([near, , far]) => [...near!, ...far!]),
          )
          const links = (link: Node[]) => (link.length ? linkJson(request, link[0]!) : '[]')
          const around = ([near, , far]: Node[][], between: string) =>
            `[${listOf(near!, objects)},${between},${listOf(far!, objects)}]`
          const hop = (of: Node[][]) => around(of, links(of[1]!))
          if (request.query.get('render') !== 'svg') return { status: 200, text: `[${all.map(hop).join(',')}]` }
          const drawn = all.map((of) => {
            const strands = strandsOf(request.tools, of)
            return strands.length === 1 ? hop(of) : around(of, `[${strands.map(hop).join(',')}]`)
          })
          return { status: 200, text: traceSvg(JSON.parse(`[${drawn.join(',')}]`) as never), type: Svg }
        },
        schema: {
          type: 'array',
          items: {
            type: 'array',
            minItems: 3,
            maxItems: 3,
            items: { oneOf: [{ type: 'array', items: object }, object] },
          },
        },
        query: { render: { type: 'string', enum: ['json', 'svg'] } },
      },
    },
  }
}

/** `paths`: every path through a pass-through port or circuit termination. */
export function pathsAction(type: string): Record<string, Action> {
  return {
    paths: {
      get: {
        permission: 'view',
        run: ({ id, tools }) => {
          const nodes = tools.rows('dcim.cablepathnode', { node_type: type, node_id: id }, { only: ['path_id'] })
          const through = { id: { in: nodes.map((node) => node.path_id) } }
          const paths = tools.rows('dcim.cablepath', through, { order: ['id'] })
          const objects = nestedObjects(
            tools,
            paths.flatMap((path) => stepsOf(path).flat()),
          )
          const json = paths.map((path) => {
            const steps = stepsOf(path).map((step) => listOf(step, objects))
            const states = (['is_active', 'is_complete', 'is_split'] as const).map(
              (column) => `"${column}":${path[column] === 1}`,
            )
            return `{"id":${path.id},"path":[${steps.join(',')}],${states.join(',')}}`
          })
          return { status: 200, text: `[${json.join(',')}]` }
        },
        schema: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'integer' },
              path: { type: 'array', items: { type: 'array', items: object } },
              is_active: { type: 'boolean' },
              is_complete: { type: 'boolean' },
              is_split: { type: 'boolean' },
            },
          },
        },
      },
    },
  }
}
