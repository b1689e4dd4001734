import { Graph, layout } from '@dagrejs/dagre'

/** A box to be placed, in pixels. */
interface Box {
  id: string
  width: number
  height: number
}
/** Boxes that stand together: in a rack one above the other, elsewhere as their lines lead. */
interface Group {
  id: string
  isRack: boolean
  /** Width that its name needs. */
  least: number
  boxes: readonly Box[]
}
export interface MapJob {
  groups: readonly Group[]
  /** Pairs of ids of boxes, each pair once. */
  lines: readonly (readonly [string, string])[]
}
export interface Placed {
  x: number
  y: number
  width: number
  height: number
}
/** Upper left corners and sizes by id, and the size of all together. */
export interface MapPlan {
  groups: Record<string, Placed>
  boxes: Record<string, Placed>
  width: number
  height: number
}

const Head = 26
const Pad = 12
const Gap = 8
/** Beside the boxes of a rack, for lines between them. */
const Aside = 44
/** So many boxes of a rack stand above each other; more begin another column. */
const Column = 40
/** Width at which boxes without lines begin another row. */
const Row = 1200

interface Inner {
  group: Group
  width: number
  height: number
  /** Places of the boxes in the group. */
  at: Map<string, { x: number; y: number }>
}

/** Places groups beside each other as the lines between them lead, and boxes in their groups. */
export function mapPlan({ groups, lines }: MapJob): MapPlan {
  const groupOf = new Map(groups.flatMap((group) => group.boxes.map(({ id }) => [id, group.id] as const)))
  const leading = new Set(lines.filter(([a, b]) => groupOf.get(a) !== groupOf.get(b)).flat())
  const inner = new Map(
    groups.map((group) => {
      const own = lines.filter(([a, b]) => groupOf.get(a) === group.id && groupOf.get(b) === group.id)
      return [group.id, insideOf(group, own, leading)] as const
    }),
  )
  const between = new Map<string, readonly [string, string]>()
  for (const [a, b] of lines) {
    const [from, to] = [groupOf.get(a)!, groupOf.get(b)!]
    if (from !== to) between.set([from, to].sort().join('\n'), [from, to])
  }
  const boxes = [...inner.values()].map(({ group, width, height }) => ({ id: group.id, width, height }))
  const placed = arranged(boxes, [...between.values()], { rankdir: 'TB', nodesep: 50, ranksep: 70 })
  const plan: MapPlan = { groups: {}, boxes: {}, width: placed.width, height: placed.height }
  for (const [id, { x, y }] of placed.at) {
    const { group, width, height, at } = inner.get(id)!
    plan.groups[id] = { x, y, width, height }
    for (const box of group.boxes) {
      const own = at.get(box.id)!
      plan.boxes[box.id] = { x: x + own.x, y: y + own.y, width: box.width, height: box.height }
    }
  }
  return plan
}

/** The boxes of a group in it; those of which lines lead out of it are `leading`. */
function insideOf(group: Group, lines: readonly (readonly [string, string])[], leading: ReadonlySet<string>): Inner {
  const inside = group.isRack
    ? stacked(group.boxes)
    : arranged(group.boxes, lines, { rankdir: 'LR', nodesep: 16, ranksep: 60 }, leading)
  const at = new Map([...inside.at].map(([id, { x, y }]) => [id, { x: x + Pad, y: y + Head }]))
  return {
    group,
    width: Math.max(group.least, inside.width + (group.isRack && lines.length ? Aside : 0)) + 2 * Pad,
    height: Head + inside.height + Pad,
    at,
  }
}

interface Arranged {
  at: Map<string, { x: number; y: number }>
  width: number
  height: number
}

function stacked(boxes: readonly Box[]): Arranged {
  const at = new Map<string, { x: number; y: number }>()
  const widest = Math.max(0, ...boxes.map(({ width }) => width))
  let height = 0
  boxes.forEach((box, i) => {
    const y = (i % Column) * (box.height + Gap)
    at.set(box.id, { x: Math.floor(i / Column) * (widest + 4 * Gap), y })
    height = Math.max(height, y + box.height)
  })
  const columns = Math.max(1, Math.ceil(boxes.length / Column))
  return { at, width: columns * (widest + 4 * Gap) - 4 * Gap, height }
}

/**
 * Boxes with lines by the library; below them, above each other, those of which lines lead elsewhere; those without in
 * rows.
 */
function arranged(
  boxes: readonly Box[],
  lines: readonly (readonly [string, string])[],
  how: { rankdir: 'TB' | 'LR'; nodesep: number; ranksep: number },
  leading: ReadonlySet<string> = new Set(),
): Arranged {
  const linked = new Set(lines.flat())
  const at = new Map<string, { x: number; y: number }>()
  let [width, height] = [0, 0]
  if (linked.size) {
    const graph = new Graph()
    graph.setGraph({ ...how, ranker: 'longest-path' })
    graph.setDefaultEdgeLabel(() => ({}))
    for (const box of boxes) if (linked.has(box.id)) graph.setNode(box.id, { width: box.width, height: box.height })
    for (const [a, b] of lines) graph.setEdge(a, b)
    layout(graph)
    for (const box of boxes) {
      if (!linked.has(box.id)) continue
      const { x, y } = graph.node(box.id) as { x: number; y: number }
      const corner = { x: x - box.width / 2, y: y - box.height / 2 }
      at.set(box.id, corner)
      width = Math.max(width, corner.x + box.width)
      height = Math.max(height, corner.y + box.height)
    }
  }
  for (const box of boxes) {
    if (linked.has(box.id) || !leading.has(box.id)) continue
    const y = height ? height + Gap : 0
    at.set(box.id, { x: 0, y })
    width = Math.max(width, box.width)
    height = y + box.height
  }
  const alone = boxes.filter(({ id }) => !at.has(id))
  const area = alone.reduce((sum, box) => sum + (box.width + Gap) * (box.height + Gap), 0)
  const most = Math.min(Row, Math.max(width, Math.sqrt(area) * 1.6))
  let [x, y, tallest] = [0, height ? height + 3 * Gap : 0, 0]
  for (const box of alone) {
    if (x > 0 && x + box.width > most) {
      x = 0
      y += tallest + 2 * Gap
      tallest = 0
    }
    at.set(box.id, { x, y })
    width = Math.max(width, x + box.width)
    tallest = Math.max(tallest, box.height)
    height = Math.max(height, y + tallest)
    x += box.width + 2 * Gap
  }
  return { at, width, height }
}
