import { hexColor, luminance } from '../lib/color.ts'
import { type Attributes, element, textElement } from '../lib/xml.ts'
import { fit } from '../lib/text-width.ts'
import {
  anchorOf,
  Bold,
  Box,
  boxTop,
  describe,
  type Hop,
  isLink,
  isRadio,
  Label,
  labelWidth,
  type Node,
  OpenEnd,
  place,
  type Row,
  rowsOf,
  strandsIn,
  Tab,
  tabX,
  type TracedLink,
  type TracedObject,
  widthOf,
} from './trace-layout.ts'

/** Between two rows; more where strands run down past their labels, and only then aside. */
const Run = { plain: 104, parted: 150 }
const runOf = (hop: Hop | undefined): number => (hop && strandsIn(hop)[0] !== hop ? Run.parted : Run.plain)
/** From an object to where lines turn aside. */
const Bend = 18
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
  rows.forEach((row, i) => {
    place(row, Margin.x + across / 2, y)
    y += row.height + runOf(hops[i])
  })
  const width = Math.max(across + Margin.x, ...hops.map((hop, i) => reachOf(hop, rows[i]!, rows[i + 1]))) + Margin.x
  const height = rows.length ? y - runOf(hops[rows.length - 1]) + Margin.y : 2 * Margin.y + 20
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
  const stem = middleOf(starts)
  const high = isBent(starts, stem) ? top + Bend : top
  const low = isBent(ends, stem) ? bottom - Bend : bottom
  const path = [
    ...starts.map(({ x }) => `M${x} ${top}V${high}H${stem}`),
    `M${stem} ${high}V${low}`,
    ...ends.map(({ x }) => `M${stem} ${low}H${x}V${bottom}`),
  ]
  return { path: path.join(''), x: stem + Label.aside, y: (high + low) / 2 }
}
const middleOf = (points: readonly { x: number }[]): number => (points[0]!.x + points.at(-1)!.x) / 2
const isBent = (points: readonly { x: number }[], stem: number) => points.some(({ x }) => Math.abs(x - stem) > 0.5)

/**
 * A line among others: down past its label, then straight to its own ends, so that those that cross stay apart. Ends of
 * one strand are joined at a height that is not that of its neighbours.
 */
function strandOf([near, , far]: Hop, from: Row, to: Row, index: number): Line {
  const starts = near.map((object) => anchorOf(from, object, 'below'))
  const ends = far.map((object) => anchorOf(to, object, 'above'))
  const [top, bottom] = [starts[0]!.y, ends[0]!.y]
  const [stem, foot] = [middleOf(starts), middleOf(ends)]
  const bend = (Bend * (1 + (index % 3))) / 2
  const high = isBent(starts, stem) ? top + bend : top
  const low = isBent(ends, foot) ? bottom - bend : bottom - Bend / 2
  const turn = high + LabelHeight
  const path = [
    ...starts.map(({ x }) => `M${x} ${top}V${high}H${stem}`),
    `M${stem} ${high}V${turn}L${foot} ${low}`,
    ...ends.map(({ x }) => `M${foot} ${low}H${x}V${bottom}`),
  ]
  return { path: path.join(''), x: stem + Label.aside, y: (high + turn) / 2 }
}
const LabelHeight = 54

/** The lines of a hop, each with what it is drawn for. */
function linesOf(hop: Hop, from: Row, to: Row): { strand: Hop; line: Line }[] {
  const strands = strandsIn(hop)
  return strands.flatMap((strand, i) => {
    if (!strand[0].length || !strand[2].length) return []
    return [{ strand, line: strand === hop ? lineOf(hop, from, to) : strandOf(strand, from, to, i) }]
  })
}

function drawLink(hop: Hop, from: Row, to: Row): string {
  const drawn = linesOf(hop, from, to).map(({ strand: [, link], line: { path, x, y } }) => {
    if (!isLink(link)) return strokes(path, { stroke: Ink.none, 'stroke-width': 1.5, 'stroke-dasharray': '2 4' })
    const lines = describe(link)
    return linked(link, [...lines, link.description ?? ''], drawLine(path, link) + labels(lines, x, y))
  })
  const open = strandsIn(hop).filter((strand) => strand !== hop && !strand[2].length)
  return [...open.map((strand) => openEnd(strand, from)), ...drawn].join('')
}

/** How far right the labels of a hop's links reach. */
function reachOf(hop: Hop, from: Row, to: Row | undefined): number {
  const reaches = to
    ? linesOf(hop, from, to).map(({ strand: [, link], line }) => (isLink(link) ? line.x + labelWidth(link) : 0))
    : []
  return Math.max(0, ...reaches)
}

const strokes = (d: string, style: Attributes): string =>
  element('path', { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...style })

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
        fit(line, Label.most, i ? 10.5 : 12.8),
      ),
    )
    .join('')

/** Where a path ends without a far side: the links, and that nothing is there. */
function openEnd(hop: Hop, row: Row): string {
  const ends = strandsIn(hop).flatMap(([near, link]) => {
    if (!near.length) return []
    const { x, y } = anchorOf(row, near[0]!, 'below')
    const line = isLink(link) ? drawLine(`M${x} ${y}L${x} ${y + 22}`, link) : ''
    const style = { 'font-size': 11, 'text-anchor': 'middle', 'font-style': 'italic', fill: Ink.soft }
    return line + textElement('text', { x, y: y + 34, ...style }, OpenEnd)
  })
  return ends.join('')
}
