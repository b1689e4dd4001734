import type { MapPlan, Placed } from '../lib/map-layout.ts'
import { hexColor, luminance } from '../lib/color.ts'
import { element, textElement } from '../lib/xml.ts'
import { fit } from '../lib/text-width.ts'

/** A group or a box of a map: what it is called, where it leads, its colour. */
export interface Spot {
  id: string
  name: string
  href: string
  /** Six hexadecimal digits, or ''. */
  color?: string
}
/** Cables between two boxes: one leads to its page, several to where they are told. */
export interface Line {
  a: string
  b: string
  count: number
  href: string
  title: string
  color: string
  isPlanned: boolean
}

const Font = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'
const Margin = 12

/** A map as an SVG drawing for a page, in its colours: groups of boxes, and lines between boxes. */
export function mapSvg(plan: MapPlan, groups: readonly Spot[], boxes: readonly Spot[], lines: readonly Line[]): string {
  const [width, height] = [plan.width + 2 * Margin, plan.height + 2 * Margin].map(Math.ceil)
  const inOrder = lines.toSorted((x, y) => x.count - y.count) // no line is drawn over how many another stands for
  const content = [
    ...groups.map((group) => drawGroup(group, plan.groups[group.id]!)),
    ...inOrder.map((line) => drawLine(line, plan.boxes[line.a]!, plan.boxes[line.b]!)),
    ...boxes.map((box) => drawBox(box, plan.boxes[box.id]!)),
  ].join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="${-Margin} ${-Margin} ${width} ${height}" role="group" aria-label="Map" ${Font}>${content}</svg>`
  )
}

const link = (href: string, title: string, content: string): string => {
  const told = textElement('title', {}, title) + content
  return href ? element('a', { href }, told) : element('g', {}, told)
}

function drawGroup({ name, href }: Spot, { x, y, width, height }: Placed): string {
  return (
    element('rect', { x, y, width, height, rx: 6, fill: 'var(--sheet)', stroke: 'var(--line)' }) +
    link(
      href,
      name,
      textElement(
        'text',
        { x: x + 10, y: y + 17, 'font-size': 12, 'font-weight': 600, fill: 'var(--soft)' },
        fit(name, width - 16, 13.4),
      ),
    )
  )
}

function drawBox({ name, href, color }: Spot, { x, y, width, height }: Placed): string {
  const strip = color ? element('rect', { x, y, width: 5, height, rx: 2, fill: `#${hexColor(color, '9e9e9e')}` }) : ''
  return link(
    href,
    name,
    element('rect', { x, y, width, height, rx: 4, fill: 'var(--plain-back)', stroke: 'var(--strong-line)' }) +
      strip +
      textElement(
        'text',
        { x: x + 11, y: y + height / 2, 'font-size': 12, 'dominant-baseline': 'central', fill: 'var(--text)' },
        fit(name, width - 16, 12),
      ),
  )
}

/** From the side of one box to that of the other: in an arc where they stand above each other. */
function drawLine(line: Line, a: Placed, b: Placed): string {
  const [left, right] = a.x <= b.x ? [a, b] : [b, a]
  const isAbove = left.x + left.width + 10 > right.x
  const from = { x: left.x + left.width, y: left.y + left.height / 2 }
  const to = { x: isAbove ? right.x + right.width : right.x, y: right.y + right.height / 2 }
  const reach = isAbove
    ? Math.min(54, 14 + Math.abs(to.y - from.y) / 6)
    : Math.min(160, Math.max(24, (to.x - from.x) / 2))
  const turn = isAbove ? to.x + reach : to.x - reach
  const d = `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${turn} ${to.y} ${to.x} ${to.y}`
  const color = hexColor(line.color, '7b8794')
  const style = {
    d,
    fill: 'none',
    'stroke-linecap': 'round',
    'stroke-width': Math.min(7, 1.5 + line.count),
    ...(line.isPlanned ? { 'stroke-dasharray': '7 6' } : {}),
  } as const
  const [r, g, bl] = [0, 2, 4].map((i) => Number.parseInt(color.slice(i, i + 2), 16))
  const isFaint = luminance(color) > 0.6 || r! + g! + bl! < 150 // hard to tell from a light or a dark page
  const halo = isFaint
    ? element('path', { ...style, stroke: 'var(--strong-line)', 'stroke-width': style['stroke-width'] + 2 })
    : ''
  const wide = element('path', { d, fill: 'none', stroke: 'transparent', 'stroke-width': 12 })
  const middle = { x: (from.x + 3 * (from.x + reach) + 3 * turn + to.x) / 8, y: (from.y + to.y) / 2 }
  const count =
    line.count > 1
      ? element('circle', { cx: middle.x, cy: middle.y, r: 9, fill: 'var(--sheet)', stroke: 'var(--strong-line)' }) +
        textElement(
          'text',
          {
            x: middle.x,
            y: middle.y,
            'font-size': 11,
            'text-anchor': 'middle',
            'dominant-baseline': 'central',
            fill: 'var(--text)',
          },
          String(line.count),
        )
      : ''
  return link(line.href, line.title, wide + halo + element('path', { ...style, stroke: `#${color}` }) + count)
}
