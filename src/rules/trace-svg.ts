import { CableTypeChoices, LinkStatusChoices } from '../choices/dcim.ts'
import { hexColor, luminance } from '../lib/color.ts'
import { type Attributes, element, textElement } from '../lib/xml.ts'
import { fit, lengthOf } from './elevation-svg.ts'

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
/** Near terminations, the link between (nothing where one object is simply part of the next), far terminations. */
type Hop = readonly [
  near: readonly TracedObject[],
  link: TracedLink | readonly never[] | null,
  far: readonly TracedObject[],
]

const Tab = { least: 84, most: 230, height: 24, gap: 8 }
const Box = { height: 46, gap: 24, padding: 12, least: 190, most: 380 }
const Run = 104
/** From an object to where lines turn aside. */
const Bend = 18
const Label = 240
const Margin = { x: 24, y: 20 }
const Ink = {
  text: '#20262f',
  soft: '#5b6675',
  line: '#3b4252',
  device: '#eef1f6',
  other: '#f3ecf8',
  tab: '#ffffff',
  none: '#8a94a6',
  radio: '#0d7fb8',
}
const Font = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'

/** A device, circuit or the like, with its terminations above and below as the path goes down through it. */
interface Node {
  key: string
  owner: TracedObject
  above: TracedObject[]
  below: TracedObject[]
  x: number
  width: number
  tab: number
}
interface Row {
  nodes: Node[]
  y: number
  height: number
}

/** Members of a termination that hold what it is part of, the first that is there. */
const Owners = ['device', 'circuit', 'virtual_circuit', 'virtual_machine', 'power_panel'] as const
const ownerOf = (object: TracedObject): TracedObject | undefined =>
  Owners.map((name) => object[name]).find((owner): owner is TracedObject => typeof owner === 'object' && owner !== null)

/** Where a drawing stands: alone, when its links open a window of their own, or in a page, whose colours it takes. */
interface TraceOptions {
  scope?: 'alone' | 'page'
}

/**
 * The way of a trace from top to bottom as an SVG drawing: objects as boxes, their terminations as tabs, links as lines
 * in their colours. What has no address is drawn without a link.
 */
export function traceSvg(trace: readonly (readonly unknown[])[], { scope = 'alone' }: TraceOptions = {}): string {
  const hops = trace as unknown as readonly Hop[]
  const rows = rowsOf(hops)
  const across = Math.max(Box.least, ...rows.map(widthOf))
  let y = Margin.y
  for (const row of rows) {
    place(row, Margin.x + across / 2, y)
    y += row.height + Run
  }
  const width = Math.max(across + Margin.x, ...hops.map((hop, i) => reachOf(hop, rows[i]!, rows[i + 1]))) + Margin.x
  const height = rows.length ? y - Run + Margin.y : 2 * Margin.y + 20
  const links = hops.map((hop, i) => (rows[i + 1] ? drawLink(hop, rows[i]!, rows[i + 1]!) : openEnd(hop, rows[i]!)))
  const extra = hops.length && !hops.at(-1)![2].length ? 34 : 0
  const content = rows.length
    ? links.join('') + rows.map((row) => row.nodes.map((node) => drawNode(node, row)).join('')).join('')
    : textElement('text', { x: Margin.x, y: Margin.y + 12, 'font-size': 12, fill: Ink.soft }, 'Not connected')
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + extra}" ` +
    `viewBox="0 0 ${width} ${height + extra}" role="img" ${Font}>${textElement('title', {}, 'Trace')}${content}</svg>`
  return scope === 'page' ? inPage(svg) : svg
}

/** Colours of a page, by those of a drawing that stands alone: links keep theirs. */
const PageInk = [
  ['fill', Ink.text, '--text'],
  ['fill', Ink.soft, '--soft'],
  ['fill', Ink.device, '--plain-back'],
  ['fill', Ink.other, '--calm-back'],
  ['fill', Ink.tab, '--sheet'],
  ['stroke', Ink.line, '--strong-line'],
] as const

/** A drawing as a part of a page: in the page's colours, light or dark, and with links that stay in its window. */
const inPage = (svg: string): string =>
  PageInk.reduce((text, [what, ink, name]) => text.replaceAll(`${what}="${ink}"`, `${what}="var(${name})"`), svg)
    .replaceAll(' target="_blank"', '')
    .replace(' role="img"', ' role="group" aria-label="Trace"')

/** One row for each place of the path: what the link before ends at together with what the next begins at. */
function rowsOf(hops: readonly Hop[]): Row[] {
  const rows: Row[] = []
  hops.forEach(([near, , far], i) => {
    rows[i] ??= { nodes: [], y: 0, height: 0 }
    for (const object of near) nodeFor(rows[i]!, object, 'below')
    if (far.length) rows[i + 1] = { nodes: [], y: 0, height: 0 }
    for (const object of far) nodeFor(rows[i + 1]!, object, 'above')
  })
  for (const row of rows)
    row.height =
      Box.height +
      (row.nodes.some((n) => n.above.length) ? Tab.height : 0) +
      (row.nodes.some((n) => n.below.length) ? Tab.height : 0)
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
  }
  if (!row.nodes.includes(node)) row.nodes.push(node)
  if (owner && !node[side].some((each) => each.url === object.url)) node[side].push(object)
  node.tab = clamp(
    Math.max(0, ...[...node.above, ...node.below].map((each) => lengthOf(each.display, 11))) + 14,
    Tab.least,
    Tab.most,
  )
  const tabs = Math.max(node.above.length, node.below.length)
  node.width = Math.max(
    clamp(lengthOf(node.owner.display, Bold) + 20, Box.least, Box.most),
    tabs * (node.tab + Tab.gap) - Tab.gap + 2 * Box.padding,
  )
}

/** Bold letters of size 13 are as wide as others of this size. */
const Bold = 14.5
const clamp = (n: number, least: number, most: number): number => Math.min(most, Math.max(least, n))

const widthOf = (row: Row): number => row.nodes.reduce((sum, node) => sum + node.width + Box.gap, -Box.gap)

function place(row: Row, middle: number, y: number): void {
  row.y = y
  let x = middle - widthOf(row) / 2
  for (const node of row.nodes) {
    node.x = x
    x += node.width + Box.gap
  }
}

const boxTop = (row: Row): number => row.y + (row.nodes.some((node) => node.above.length) ? Tab.height : 0)
const tabX = (node: Node, side: 'above' | 'below', i: number): number =>
  node.x + node.width / 2 + (i - (node[side].length - 1) / 2) * (node.tab + Tab.gap)

/** Where a line meets an object: at the edge of its tab, or of its box when it has none. */
function anchorOf(row: Row, object: TracedObject, side: 'above' | 'below'): { x: number; y: number } {
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

/** What kind of object a URL names: `/api/dcim/power-feeds/3/` → `power feed`. */
function kindOf(url: string): string {
  const words = (url.split('/').at(-3) ?? '').replaceAll('-', ' ')
  return words.replace(/(ss)$|s$/, '$1')
}
const pageOf = (object: { url: string; display_url?: unknown }): string =>
  typeof object.display_url === 'string' ? object.display_url : object.url.replace('/api/', '/')
const linked = (object: TracedObject | TracedLink, lines: readonly string[], content: string): string => {
  const told = textElement('title', {}, lines.filter(Boolean).join('\n')) + content
  const href = pageOf(object)
  return href ? element('a', { href, target: '_blank' }, told) : element('g', {}, told)
}

function drawNode(node: Node, row: Row): string {
  const y = boxTop(row)
  const kind = kindOf(node.owner.url)
  const middle = node.x + node.width / 2
  const box =
    element('rect', {
      x: node.x,
      y,
      width: node.width,
      height: Box.height,
      rx: 5,
      fill: kind === 'device' ? Ink.device : Ink.other,
      stroke: Ink.line,
      'stroke-width': 1.5,
    }) +
    textElement(
      'text',
      { x: middle, y: y + 19, 'font-size': 13, 'font-weight': 600, 'text-anchor': 'middle', fill: Ink.text },
      fit(node.owner.display, node.width - 12, Bold),
    ) +
    textElement(
      'text',
      { x: middle, y: y + 35, 'font-size': 10.5, 'text-anchor': 'middle', fill: Ink.soft },
      kind.charAt(0).toUpperCase() + kind.slice(1),
    )
  const tabs = (['above', 'below'] as const).flatMap((side) =>
    node[side].map((object, i) =>
      drawTab(object, tabX(node, side, i), node.tab, side === 'above' ? y - Tab.height : y + Box.height),
    ),
  )
  return tabs.join('') + linked(node.owner, [node.owner.display, kind], box)
}

function drawTab(object: TracedObject, middle: number, width: number, y: number): string {
  const content =
    element('rect', {
      x: middle - width / 2,
      y,
      width,
      height: Tab.height,
      rx: 3,
      fill: Ink.tab,
      stroke: Ink.line,
      'stroke-width': 1,
    }) +
    textElement(
      'text',
      {
        x: middle,
        y: y + Tab.height / 2,
        'font-size': 11,
        'text-anchor': 'middle',
        'dominant-baseline': 'central',
        fill: Ink.text,
      },
      fit(object.display, width - 8, 11),
    )
  return linked(object, [object.display, kindOf(object.url)], content)
}

const isLink = (link: Hop[1]): link is TracedLink => link !== null && !Array.isArray(link)
const labelIn = (choices: readonly (readonly [string | number, string, string?])[], value: unknown): string =>
  choices.find(([each]) => each === value)?.[1] ?? (value ? String(value) : '')

interface Line {
  path: string /** Where the label stands. */
  x: number
  y: number
}

/** Lines from each near object to each far one, in one stem where the link's label stands. */
function lineOf([near, , far]: Hop, from: Row, to: Row): Line {
  const starts = near.map((object) => anchorOf(from, object, 'below'))
  const ends = far.map((object) => anchorOf(to, object, 'above'))
  const [top, bottom] = [starts[0]!.y, ends[0]!.y]
  const stem = (starts[0]!.x + starts.at(-1)!.x) / 2
  const isBent = (points: readonly { x: number }[]) => points.some(({ x }) => Math.abs(x - stem) > 0.5)
  const high = isBent(starts) ? top + Bend : top
  const low = isBent(ends) ? bottom - Bend : bottom
  const path = [
    ...starts.map(({ x }) => `M${x} ${top}V${high}H${stem}`),
    `M${stem} ${high}V${low}`,
    ...ends.map(({ x }) => `M${stem} ${low}H${x}V${bottom}`),
  ]
  return { path: path.join(''), x: stem + 14, y: (high + low) / 2 }
}

function drawLink(hop: Hop, from: Row, to: Row): string {
  if (!hop[0].length || !hop[2].length) return ''
  const [link, { path, x, y }] = [hop[1], lineOf(hop, from, to)]
  if (!isLink(link)) return strokes(path, { stroke: Ink.none, 'stroke-width': 1.5, 'stroke-dasharray': '2 4' })
  const lines = describe(link)
  return linked(link, [...lines, link.description ?? ''], drawLine(path, link) + labels(lines, x, y))
}

/** How far right a link's label reaches. */
function reachOf(hop: Hop, from: Row, to: Row | undefined): number {
  if (!to || !isLink(hop[1]) || !hop[0].length || !hop[2].length) return 0
  return (
    lineOf(hop, from, to).x +
    Math.min(Label, Math.max(...describe(hop[1]).map((line, i) => lengthOf(line, i ? 10.5 : 12.8))))
  )
}

const strokes = (d: string, style: Attributes): string =>
  element('path', { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...style })
const isRadio = (link: TracedLink): boolean => link.url.includes('/wireless-links/')

function drawLine(path: string, link: TracedLink): string {
  if (isRadio(link)) return strokes(path, { stroke: Ink.radio, 'stroke-width': 4, 'stroke-dasharray': '0.1 9' })
  const color = hexColor(link.color, '606060')
  const gaps =
    link.status === 'planned'
      ? { 'stroke-dasharray': '9 7' }
      : link.status === 'decommissioning'
        ? { 'stroke-dasharray': '2 7' }
        : {}
  const outline = luminance(color) > 0.6 ? strokes(path, { stroke: Ink.none, 'stroke-width': 6, ...gaps }) : ''
  return outline + strokes(path, { stroke: `#${color}`, 'stroke-width': 4, ...gaps })
}

/** What stands beside a link: its name; its type; its status and length. */
function describe(link: TracedLink): string[] {
  const name = link.label || `${isRadio(link) ? 'Wireless link' : 'Cable'} #${link.id}`
  const length =
    link.length === null || link.length === undefined ? '' : `${link.length} ${link.length_unit ?? ''}`.trim()
  return [
    name,
    labelIn(CableTypeChoices, link.type),
    [labelIn(LinkStatusChoices, link.status), length].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

const labels = (lines: readonly string[], x: number, middle: number): string =>
  lines
    .map((line, i) =>
      textElement(
        'text',
        {
          x,
          y: middle + (i - (lines.length - 1) / 2) * 15,
          'font-size': i ? 10.5 : 12,
          'font-weight': i ? undefined : 600,
          'dominant-baseline': 'central',
          fill: i ? Ink.soft : Ink.text,
        },
        fit(line, Label, i ? 10.5 : 12.8),
      ),
    )
    .join('')

/** A path that ends without a far side: the link, and that nothing is there. */
function openEnd([near, link]: Hop, row: Row): string {
  if (!near.length) return ''
  const { x, y } = anchorOf(row, near[0]!, 'below')
  const line = isLink(link) ? drawLine(`M${x} ${y}L${x} ${y + 22}`, link) : ''
  return (
    line +
    textElement(
      'text',
      { x, y: y + 34, 'font-size': 11, 'text-anchor': 'middle', 'font-style': 'italic', fill: Ink.soft },
      'no further connection',
    )
  )
}
