import { hexColor, readableOn } from '../lib/color.ts'
import { runsOf } from '../lib/number-runs.ts'
import { fit } from '../lib/text-width.ts'
import { element, textElement } from '../lib/xml.ts'

export type Face = 'front' | 'rear'

/** A device as a rack's face shows it; position and height are in rack units. */
export interface DrawnDevice {
  id: number
  position: number
  height: number
  /** The face that it is mounted at. */
  face: Face
  /** Null: it may not be seen, only that something is there. */
  shown: {
    name: string
    facts: readonly string[]
    role: string
    model: string
    color: string | null
    link: string /** URL of the picture of the side seen. */
    image: string | null
    highlighted: boolean
  } | null
}
interface DrawnReservation {
  units: readonly number[]
  text: string
  link: string
}
interface DrawnRack {
  name: string
  height: number
  startingUnit: number
  descending: boolean
}
/** Sizes in pixels: of one unit, of the column of unit numbers, and of the margin that shows reservations. */
interface Sizes {
  unitWidth: number
  unitHeight: number
  legendWidth: number
  marginWidth: number
}

const Frame = 3
const Font = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'
const Ink = {
  frame: '#3b4252',
  line: '#c5ccd8',
  half: '#e9ecf2',
  empty: '#fbfcfd',
  legend: '#4c566a',
  reserved: '#3b6ea5',
  highlight: '#e6b800',
  blocked: '#8a94a6',
}

/** Patterns and colours that all parts share. */
const defs = `<defs>
<pattern id="reserved" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="8" height="8" fill="#eef4fb"/><rect width="3" height="8" fill="#c5d9ef"/>
</pattern>
<pattern id="behind" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
<rect width="2.5" height="6" fill="#ffffff" fill-opacity="0.45"/>
</pattern>
</defs>`

/** One face of a rack as an SVG drawing. */
export function elevationSvg(
  rack: DrawnRack,
  face: Face,
  devices: readonly DrawnDevice[],
  reservations: readonly DrawnReservation[],
  sizes: Sizes,
): string {
  const { unitWidth, unitHeight, legendWidth, marginWidth } = sizes
  const head = 26
  const inner = { x: legendWidth + Frame, y: head + Frame, width: unitWidth, height: rack.height * unitHeight }
  const [width, height] = [legendWidth + 2 * Frame + unitWidth + marginWidth, head + inner.height + 2 * Frame + 1]
  const drawing = new Drawing(rack, face, sizes, inner)
  const title = `${rack.name} · ${face}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
    ` role="img" ${Font}>` +
    textElement('title', {}, title) +
    defs +
    drawing.heading(head) +
    drawing.frame() +
    drawing.units() +
    reservations.map((each) => drawing.reservation(each, devices)).join('') +
    devices.map((each) => drawing.device(each)).join('') +
    '</svg>'
  )
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

class Drawing {
  readonly rack: DrawnRack
  readonly face: Face
  readonly sizes: Sizes
  readonly inner: Box

  constructor(rack: DrawnRack, face: Face, sizes: Sizes, inner: Box) {
    this.rack = rack
    this.face = face
    this.sizes = sizes
    this.inner = inner
  }

  heading(height: number): string {
    const room = this.inner.width + 2 * Frame
    const side = this.face === 'front' ? 'Front' : 'Rear'
    const size = 13
    return (
      textElement(
        'text',
        { x: this.inner.x - Frame, y: height - 9, 'font-size': size, 'font-weight': 600, fill: Ink.frame },
        fit(this.rack.name, room - 44, size * 1.12),
      ) +
      textElement(
        'text',
        { x: this.inner.x - Frame + room, y: height - 9, 'font-size': 11, 'text-anchor': 'end', fill: Ink.legend },
        side,
      )
    )
  }

  frame(): string {
    const { x, y, width, height } = this.inner
    return element('rect', {
      x: x - Frame / 2,
      y: y - Frame / 2,
      width: width + Frame,
      height: height + Frame,
      rx: 2,
      fill: Ink.empty,
      stroke: Ink.frame,
      'stroke-width': Frame,
    })
  }

  /** Unit numbers, and the lines between units and between their halves. */
  units(): string {
    const { x, y, width } = this.inner
    const { unitHeight, legendWidth } = this.sizes
    const size = Math.max(6, Math.min(11, unitHeight * 0.5))
    const parts: string[] = []
    for (let row = 0; row < this.rack.height; row++) {
      const top = y + row * unitHeight
      const unit = this.rack.descending
        ? this.rack.startingUnit + row
        : this.rack.startingUnit + this.rack.height - 1 - row
      parts.push(
        textElement(
          'text',
          {
            x: legendWidth - 6,
            y: top + unitHeight / 2,
            'font-size': size,
            'text-anchor': 'end',
            'dominant-baseline': 'central',
            fill: Ink.legend,
          },
          String(unit),
        ),
      )
      if (unitHeight >= 14)
        parts.push(
          element('line', {
            x1: x,
            x2: x + width,
            y1: top + unitHeight / 2,
            y2: top + unitHeight / 2,
            stroke: Ink.half,
            'stroke-width': 1,
          }),
        )
      if (row > 0)
        parts.push(element('line', { x1: x, x2: x + width, y1: top, y2: top, stroke: Ink.line, 'stroke-width': 1 }))
    }
    return parts.join('')
  }

  /** Top edge and height of a stretch of the rack. */
  stretch(position: number, height: number): { y: number; height: number } {
    const below = this.rack.descending
      ? position - this.rack.startingUnit
      : this.rack.startingUnit + this.rack.height - position - height
    return { y: this.inner.y + below * this.sizes.unitHeight, height: height * this.sizes.unitHeight }
  }

  /** Reserved units: a bar beside the rack and, where nothing is mounted, hatching with the reason. */
  reservation({ units, text, link }: DrawnReservation, devices: readonly DrawnDevice[]): string {
    const parts: string[] = []
    const beside = this.inner.x + this.inner.width + Frame
    for (const [from, to] of runsOf(units)) {
      const { y, height } = this.stretch(from, to - from + 1)
      const bar = Math.max(2, this.sizes.marginWidth - 8)
      if (this.sizes.marginWidth > 4)
        parts.push(
          element('rect', {
            x: beside + 4,
            y: y + 1,
            width: bar,
            height: height - 2,
            rx: Math.min(2, bar / 2),
            fill: Ink.reserved,
          }),
        )
    }
    for (const [from, to] of runsOf(
      units.filter(
        (unit) => !devices.some((device) => device.position < unit + 1 && unit < device.position + device.height),
      ),
    )) {
      const { y, height } = this.stretch(from, to - from + 1)
      parts.push(
        element('rect', {
          x: this.inner.x,
          y: y + 0.5,
          width: this.inner.width,
          height: height - 1,
          fill: 'url(#reserved)',
        }),
      )
      parts.push(
        this.label({ x: this.inner.x, y, width: this.inner.width, height }, text, '#1f4e79', {
          'font-style': 'italic',
        }),
      )
    }
    return anchor(link, [`Reserved: ${text}`, `Units ${units.join(', ')}`], parts.join(''))
  }

  device(device: DrawnDevice): string {
    const { y, height } = this.stretch(device.position, device.height)
    const box = { x: this.inner.x + 1, y: y + 0.5, width: this.inner.width - 2, height: height - 1 }
    const { shown } = device
    if (!shown)
      return element(
        'g',
        {},
        textElement('title', {}, 'Occupied') +
          element('rect', { ...box, rx: 1.5, fill: Ink.blocked }) +
          element('rect', { ...box, fill: 'url(#behind)' }) +
          this.label(box, 'occupied', '#20262f', { 'font-style': 'italic' }),
      )
    const color = hexColor(shown.color, '9e9e9e')
    const isBehind = device.face !== this.face
    const parts = [
      element('rect', {
        ...box,
        rx: 1.5,
        fill: `#${color}`,
        stroke: shown.highlighted ? Ink.highlight : '#00000055',
        'stroke-width': shown.highlighted ? 3 : 1,
      }),
    ]
    if (shown.image)
      parts.push(
        element('image', { ...box, href: shown.image, preserveAspectRatio: 'none' }),
        this.label(box, shown.name, '#ffffff', {
          'font-weight': 600,
          stroke: '#000000',
          'stroke-width': 3,
          'stroke-linejoin': 'round',
          'paint-order': 'stroke',
        }),
      )
    else {
      if (isBehind) parts.push(element('rect', { ...box, rx: 1.5, fill: 'url(#behind)' }))
      const ink = `#${isBehind ? '000000' : readableOn(color)}`
      parts.push(this.named(box, shown.name, shown.model, ink, isBehind))
    }
    return anchor(
      shown.link,
      [shown.name, ...shown.facts, ...(isBehind ? [`Mounted at the ${device.face}`] : [])],
      parts.join(''),
    )
  }

  /** The name, with the model below it where there is room. */
  named(box: Box, name: string, model: string, ink: string, isBehind: boolean): string {
    const style: Record<string, string | number> = isBehind
      ? {
          'font-style': 'italic',
          stroke: '#ffffff',
          'stroke-width': 2.5,
          'stroke-linejoin': 'round',
          'stroke-opacity': 0.75,
          'paint-order': 'stroke',
        }
      : {}
    if (box.height < 40) return this.label(box, name, ink, style)
    const middle = box.y + box.height / 2
    return (
      this.label({ ...box, y: middle - 20, height: 22 }, name, ink, style) +
      this.label({ ...box, y: middle, height: 18 }, model, ink, { ...style, 'fill-opacity': 0.8 }, 10)
    )
  }

  label(box: Box, text: string, ink: string, style: Record<string, string | number>, largest = 12): string {
    const size = Math.max(5, Math.min(largest, box.height * 0.62))
    return textElement(
      'text',
      {
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        'font-size': size,
        'text-anchor': 'middle',
        'dominant-baseline': 'central',
        fill: ink,
        ...style,
      },
      fit(text, box.width - 10, size),
    )
  }
}

/** A link with lines that show when pointed at. */
const anchor = (link: string, lines: readonly string[], content: string): string =>
  content
    ? element(
        'a',
        { href: link, target: '_blank' },
        textElement('title', {}, lines.filter(Boolean).join('\n')) + content,
      )
    : ''
