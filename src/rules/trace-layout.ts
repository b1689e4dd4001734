import { CableTypeChoices, LinkStatusChoices } from '../choices/dcim.ts'
import { lengthOf } from '../lib/text-width.ts'

/** An object of a trace's JSON: a termination with its parent nested in it, or an object that has none. */
export interface TracedObject {
  id: number
  url: string
  display: string
  [member: string]: unknown
}
/** A cable or wireless link of a trace's JSON, with raw choice values. */
export interface TracedLink {
  id: number
  url: string
  display_url?: string
  type?: string | null
  status?: string | null
  label?: string | null
  color?: string | null
  length?: number | null
  length_unit?: string | null
  description?: string | null
}
/**
 * Near terminations, the link between (nothing where one object is simply part of the next), far terminations. Where
 * several links run side by side, each with ends of its own, or one leaves an end out: the strands, each a hop.
 */
export type Hop = readonly [
  near: readonly TracedObject[],
  link: TracedLink | readonly Hop[] | null,
  far: readonly TracedObject[],
]
const isParted = (link: Hop[1]): link is readonly Hop[] => Array.isArray(link) && link.length > 0
/** What a hop is drawn as: its strands, or all of it at once. */
export const strandsIn = (hop: Hop): readonly Hop[] => (isParted(hop[1]) ? hop[1] : [hop])

export const Tab = { least: 84, most: 230, height: 24, gap: 8 }
export const Box = { height: 46, gap: 24, padding: 12, least: 190, most: 380 }
/** Labels of links are no wider, and stand so far from their line. */
export const Label = { most: 240, aside: 14 }

/** A device, circuit or the like, with its terminations above and below as the path goes down through it. */
export interface Node {
  key: string
  owner: TracedObject
  above: TracedObject[]
  below: TracedObject[]
  x: number
  width: number
  tab: number
  /** From the middle of one tab to that of the next. */
  pitch: number
}
export interface Row {
  nodes: Node[]
  y: number
  height: number
}

/** Members of a termination that hold what it is part of, the first that is there. */
const Owners = ['device', 'circuit', 'virtual_circuit', 'virtual_machine', 'power_panel'] as const
const ownerOf = (object: TracedObject): TracedObject | undefined =>
  Owners.map((name) => object[name]).find((owner): owner is TracedObject => typeof owner === 'object' && owner !== null)

/** One row for each place of the path: what the link before ends at together with what the next begins at. */
export function rowsOf(hops: readonly Hop[]): Row[] {
  const rows: Row[] = []
  hops.forEach(([near, , far], i) => {
    rows[i] ??= { nodes: [], y: 0, height: 0 }
    for (const object of near) nodeFor(rows[i]!, object, 'below')
    if (far.length) rows[i + 1] = { nodes: [], y: 0, height: 0 }
    for (const object of far) nodeFor(rows[i + 1]!, object, 'above')
  })
  rows.forEach((row, i) => {
    for (const node of row.nodes) measure(node, hops[i] ? besides(hops[i]) : 0)
    row.height =
      Box.height +
      (row.nodes.some((n) => n.above.length) ? Tab.height : 0) +
      (row.nodes.some((n) => n.below.length) ? Tab.height : 0)
  })
  return rows
}

function nodeFor(row: Row, object: TracedObject, side: 'above' | 'below'): void {
  const owner = ownerOf(object)
  const key = (owner ?? object).url
  const node = row.nodes.find((each) => each.key === key) ?? {
    key,
    owner: owner ?? object,
    above: [],
    below: [],
    x: 0,
    width: 0,
    tab: 0,
    pitch: 0,
  }
  if (!row.nodes.includes(node)) row.nodes.push(node)
  if (owner && !node[side].some((each) => each.url === object.url)) node[side].push(object)
}

/** The room that the labels of strands need, each beside its own line, and what stands where one goes no further. */
function besides([, link]: Hop): number {
  if (!isParted(link)) return 0
  const widest = Math.max(0, ...link.map(([, own]) => (isLink(own) ? labelWidth(own) : 0)))
  const open = link.some(([, , far]) => far.length === 0) ? lengthOf(OpenEnd, 11) / 2 : 0
  return Math.max(2 * open, widest + open) + 2 * Label.aside
}
/** What a drawing says where a way ends without a far side. */
export const OpenEnd = 'no further connection'

function measure(node: Node, room: number): void {
  const texts = [...node.above, ...node.below].map((each) => lengthOf(each.display, 11))
  node.tab = clamp(Math.max(0, ...texts) + 14, Tab.least, Tab.most)
  node.pitch = Math.max(node.tab + Tab.gap, node.below.length > 1 ? room : 0)
  const tabs = Math.max(node.above.length, node.below.length)
  node.width = Math.max(
    clamp(lengthOf(node.owner.display, Bold) + 20, Box.least, Box.most),
    room,
    (tabs - 1) * node.pitch + node.tab + 2 * Box.padding,
  )
}

/** Bold letters of size 13 are as wide as others of this size. */
export const Bold = 14.5
const clamp = (n: number, least: number, most: number): number => Math.min(most, Math.max(least, n))

export const widthOf = (row: Row): number => row.nodes.reduce((sum, node) => sum + node.width + Box.gap, -Box.gap)

export function place(row: Row, middle: number, y: number): void {
  row.y = y
  let x = middle - widthOf(row) / 2
  for (const node of row.nodes) {
    node.x = x
    x += node.width + Box.gap
  }
}

export const boxTop = (row: Row): number => row.y + (row.nodes.some((node) => node.above.length) ? Tab.height : 0)
export const tabX = (node: Node, side: 'above' | 'below', i: number): number =>
  node.x + node.width / 2 + (i - (node[side].length - 1) / 2) * node.pitch

/** Where a line meets an object: at the edge of its tab, or of its box when it has none. */
export function anchorOf(row: Row, object: TracedObject, side: 'above' | 'below'): { x: number; y: number } {
  for (const node of row.nodes) {
    const i = node[side].findIndex((each) => each.url === object.url)
    if (i >= 0)
      return {
        x: tabX(node, side, i),
        y: side === 'above' ? boxTop(row) - Tab.height : boxTop(row) + Box.height + Tab.height,
      }
    if (node.key === object.url)
      return { x: node.x + node.width / 2, y: side === 'above' ? boxTop(row) : boxTop(row) + Box.height }
  }
  return { x: 0, y: 0 }
}

export const isLink = (link: Hop[1]): link is TracedLink => link !== null && !Array.isArray(link)
const labelIn = (choices: readonly (readonly [string | number, string, string?])[], value: unknown): string =>
  choices.find(([each]) => each === value)?.[1] ?? (value ? String(value) : '')

export const isRadio = (link: TracedLink): boolean => link.url.includes('/wireless-links/')
/** What stands beside a link: its name; its type; its status and length. */
export function describe(link: TracedLink): string[] {
  const name = link.label || `${isRadio(link) ? 'Wireless link' : 'Cable'} #${link.id}`
  const length =
    link.length === null || link.length === undefined ? '' : `${link.length} ${link.length_unit ?? ''}`.trim()
  return [
    name,
    labelIn(CableTypeChoices, link.type),
    [labelIn(LinkStatusChoices, link.status), length].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

/** How wide the label of a link is. */
export const labelWidth = (link: TracedLink): number =>
  Math.min(Label.most, Math.max(...describe(link).map((line, i) => lengthOf(line, i ? 10.5 : 12.8))))
