import { html, raw } from 'hono/html'
import { encode } from 'uqr'
import { fit, fitting } from '../lib/text-width.ts'
import type { Html } from './cells.ts'
import { type Layout, paperOf, perSheet, placeOf } from './label-layout.ts'

export interface Label {
  title: string
  lines: readonly string[]
  /** Where its code leads. */
  address: string
}

/** Sheets of labels as drawings in millimetres; it yields after each label. */
export function* sheets(labels: readonly Label[], layout: Layout): Generator<void, Html[]> {
  const [width, height] = paperOf(layout)
  const size = perSheet(layout)
  const places = [...Array<undefined>(Math.min(layout.skip, size - 1)), ...labels]
  const made: Html[] = []
  for (let first = 0; first < places.length; first += size) {
    const drawn: Html[] = []
    for (const [place, label] of places.slice(first, first + size).entries()) {
      if (label) drawn.push(labelHtml(label, layout, place))
      yield
    }
    made.push(
      html`<svg class="sheet" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}" role="group"
        aria-label="Sheet ${made.length + 1}">${drawn}</svg>`,
    )
  }
  return made
}

/** White around a label's content, and white that a code must have around it, in modules. */
const Edge = 1.5
const Quiet = 2

function labelHtml({ title, lines, address }: Label, layout: Layout, place: number): Html {
  const [x, y] = placeOf(layout, place)
  const { width, height } = layout
  const side = Math.max(4, Math.min(height - 2 * Edge, width * 0.42))
  const room = width - side - 3 * Edge
  const name = Math.min(4.2, height / 5)
  const small = Math.min(2.9, height / 7)
  const texts: { text: string; size: number; weight: number }[] = []
  let left = height - 2 * Edge
  const add = (text: string, size: number, weight: number, most: number) => {
    for (const line of wrapped(text, room, weight === 700 ? size * Bold : size, most)) {
      left -= size * Leading
      if (left >= 0 || texts.length === 0) texts.push({ text: line, size, weight })
    }
  }
  add(title, name, 700, height < 15 ? 1 : 2)
  for (const line of lines) add(line, small, 400, 2)
  let at = (height - texts.reduce((sum, { size }) => sum + size * Leading, 0)) / 2
  const x0 = mm(side + 2 * Edge)
  return html`<g transform="translate(${mm(x)} ${mm(y)})"><rect class="cut" width="${width}"
    height="${height}"/>${code(address, Edge, (height - side) / 2, side)}${
      room > 6
        ? texts.map(({ text, size, weight }) => {
            at += size * Leading
            return html`<text x="${x0}" y="${mm(at - size * 0.3)}" font-size="${mm(size)}"
          font-weight="${weight}">${text}</text>`
          })
        : ''
    }</g>`
}

/** How much wider bold letters are than others of their size. */
const Bold = 1.08
/** From one line to the next, of the size of letters. */
const Leading = 1.22

/** Lines have no more letters than fit of this width, of their size: narrow ones are hard to read in a long row. */
const LetterWidth = 0.58

/** A text in lines of a width, broken at spaces where there are any; what needs more lines than may be is cut. */
function wrapped(text: string, width: number, size: number, most: number): string[] {
  const longest = Math.floor(width / (size * LetterWidth))
  const lines: string[] = []
  for (let rest = text; rest; ) {
    const all = [...rest]
    const letters = Math.max(1, Math.min(longest, fitting(all, width, size)))
    if (lines.length === most - 1 || all.length <= letters) return [...lines, fit(rest, width, size)]
    const head = all.slice(0, letters + 1).join('')
    const space = head.lastIndexOf(' ')
    const end = space > 0 ? space : all.slice(0, letters).join('').length
    lines.push(rest.slice(0, end).replace(/ ·$/, ''))
    rest = rest.slice(end).replace(/^[ ·]+/, '')
  }
  return lines
}

const mm = (n: number): string => String(Math.round(n * 100) / 100)

/** A QR code of an address in a square, its black modules as one path. */
function code(address: string, x: number, y: number, side: number): Html {
  const { size, path } = codePath(address, Quiet)
  return html`<svg x="${mm(x)}" y="${mm(y)}" width="${mm(side)}" height="${mm(side)}" viewBox="0 0 ${size} ${size}"
    role="img" aria-label="Code of ${address}" data-address="${address}"><path shape-rendering="crispEdges"
      d="${raw(path)}"/></svg>`
}

/**
 * The dark modules of a QR code as the path of a drawing, and how many stand on a side with `border` of white around
 * them.
 */
export function codePath(text: string, border: number): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border })
  const runs: string[] = []
  for (const [row, modules] of data.entries())
    for (let from = 0; from < size; from++) {
      if (!modules[from]) continue
      let to = from
      while (modules[to + 1]) to++
      runs.push(`M${from} ${row}h${to - from + 1}v1H${from}z`)
      from = to
    }
  return { size, path: runs.join('') }
}
