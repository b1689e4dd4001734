import { element, textElement } from '../lib/xml.ts'

/** What a chart draws: the rows of a question, the column along which, and those with the numbers. */
export interface ChartData {
  kind: 'bar' | 'line' | 'share'
  columns: readonly string[]
  rows: readonly (readonly unknown[])[]
  /** Names of columns; where there is none of these, the first column, and the first with numbers beside it. */
  x: string
  y: readonly string[]
}

/** A drawing with what its colours stand for, and how many of the rows it shows. */
interface Chart {
  svg: string
  legend: readonly { color: string; label: string }[]
  shown: number
}

interface Point {
  label: string
  values: readonly number[]
  x: unknown
}

const Most = { bar: 30, line: 2000, share: 7 }
const Colors = 8
const Row = { height: 22, bar: 14 }
/** Percent of the width that labels take on the left, and values on the right. */
const Side = { bar: 28, value: 12, axis: 10 }
const LineHeight = 260

/**
 * Drawn by the server, in percent of the width it will have: so it is there without scripts, in print and in the
 * colours of the page.
 */
export function chartOf({ kind, columns, rows, x, y }: ChartData): Chart | undefined {
  const along = Math.max(columns.indexOf(x), 0)
  const named = y.map((name) => columns.indexOf(name)).filter((i) => i >= 0)
  const numeric = columns.findIndex((_, i) => i !== along && rows.some((row) => typeof row[i] === 'number'))
  const values = named.length ? named.slice(0, Colors) : numeric >= 0 ? [numeric] : []
  const points = rows
    .slice(0, Most[kind])
    .map((row) => ({ label: labelOf(row[along]), x: row[along], values: values.map((i) => numberOf(row[i])) }))
  if (points.length === 0 || values.length === 0) return undefined
  const series = values.map((i) => columns[i]!)
  const title = `Chart of ${series.join(', ')} by ${columns[along]}; the table has the numbers.`
  if (kind === 'share')
    return shares(
      points,
      rows.slice(Most.share).map((row) => numberOf(row[values[0]!])),
      title,
    )
  const drawn = kind === 'bar' ? bars(points) : lines(points)
  const legend = series.length > 1 ? series.map((label, i) => ({ color: colorOf(i), label })) : []
  return { svg: framed(drawn, title), legend, shown: points.length }
}

const labelOf = (value: unknown): string => (value === null || value === '' ? '–' : String(value))
const numberOf = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0)
const colorOf = (i: number): string => `var(--chart-${(i % Colors) + 1})`
const percent = (n: number): string => `${Math.round(n * 100) / 100}%`
const shownNumber = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: 2 })

const framed = ({ height, content }: { height: number; content: string }, title: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="100%" height="${height}" role="img" font-size="12">` +
  `${textElement('title', {}, title)}${content}</svg>`

/** Round numbers from one at most the least to one at least the greatest, 0 among them, some five in all. */
export function ticksOf(least: number, greatest: number): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, greatest)]
  const rough = (high - low || 1) / 5
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = unit * ([1, 2, 5].find((n) => n * unit >= rough) ?? 10)
  const from = Math.floor(low / step)
  const to = Math.max(Math.ceil(high / step), from + 1)
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)))
}

const scaled = (points: readonly Point[]): { ticks: number[]; at: (n: number) => number } => {
  const all = points.flatMap(({ values }) => values)
  const ticks = ticksOf(
    all.reduce((a, b) => Math.min(a, b)),
    all.reduce((a, b) => Math.max(a, b)),
  )
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  return { ticks, at: (n) => (n - low) / (high - low) }
}

/** A row for each point: its label, and a bar for each of its values. */
function bars(points: readonly Point[]): { height: number; content: string } {
  const { ticks, at } = scaled(points)
  const width = 100 - Side.bar - Side.value
  const place = (n: number) => Side.bar + at(n) * width
  const each = Math.max(Row.height, points[0]!.values.length * (Row.bar + 2) + 6)
  const height = points.length * each + 24
  const grid = ticks.map(
    (tick) =>
      element('line', {
        x1: percent(place(tick)),
        x2: percent(place(tick)),
        y1: 0,
        y2: height - 20,
        stroke: 'var(--line)',
      }) +
      textElement(
        'text',
        { x: percent(place(tick)), y: height - 6, fill: 'var(--soft)', 'text-anchor': 'middle' },
        shownNumber(tick),
      ),
  )
  const rows = points.map(({ label, values }, i) => {
    const top = i * each
    const name = element(
      'svg',
      { x: 0, y: top, width: percent(Side.bar - 1), height: each },
      textElement('text', { x: 0, y: each / 2 + 4, fill: 'var(--text)' }, label),
    )
    const drawn = values.map((value, j) => {
      const [from, to] = [place(Math.min(0, value)), place(Math.max(0, value))]
      const y = top + (each - values.length * (Row.bar + 2)) / 2 + j * (Row.bar + 2)
      const bar = { x: percent(from), y, width: percent(to - from), height: Row.bar, rx: 2, fill: colorOf(j) }
      const said = textElement('text', { x: percent(to + 0.6), y: y + 11, fill: 'var(--soft)' }, shownNumber(value))
      return element('rect', bar) + said
    })
    return element(
      'g',
      {},
      textElement('title', {}, `${label}: ${values.map(shownNumber).join(', ')}`) + name + drawn.join(''),
    )
  })
  return { height, content: grid.join('') + rows.join('') }
}

/** Where points stand along a line: numbers and moments by their value, other labels one after the other. */
function placesOf(points: readonly Point[]): number[] {
  const moments = points.map(({ x }) =>
    typeof x === 'number' ? x : typeof x === 'string' && /^\d{4}-\d\d/.test(x) ? Date.parse(x) : Number.NaN,
  )
  const known = moments.every(Number.isFinite) ? moments : points.map((_, i) => i)
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))]
  return known.map((n) => (high > low ? (n - low) / (high - low) : 0.5))
}

function lines(points: readonly Point[]): { height: number; content: string } {
  const { ticks, at } = scaled(points)
  const inner = LineHeight - 30
  const y = (n: number) => 8 + (1 - at(n)) * (inner - 8)
  const grid = ticks.map(
    (tick) =>
      element('line', { x1: percent(Side.axis), x2: '100%', y1: y(tick), y2: y(tick), stroke: 'var(--line)' }) +
      textElement(
        'text',
        { x: percent(Side.axis - 1), y: y(tick) + 4, fill: 'var(--soft)', 'text-anchor': 'end' },
        shownNumber(tick),
      ),
  )
  const places = placesOf(points)
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!)
  const drawn = points[0]!.values.map((_, j) =>
    element('polyline', {
      points: order.map((i) => `${(places[i]! * 100).toFixed(3)},${y(points[i]!.values[j]!).toFixed(2)}`).join(' '),
      fill: 'none',
      stroke: colorOf(j),
      'stroke-width': 2,
      'stroke-linejoin': 'round',
      'vector-effect': 'non-scaling-stroke',
    }),
  )
  const plot = {
    x: percent(Side.axis),
    width: percent(100 - Side.axis),
    height: LineHeight,
    viewBox: `0 0 100 ${LineHeight}`,
    preserveAspectRatio: 'none',
    overflow: 'visible',
  }
  const ends = [order[0]!, order.at(-1)!].map((i, end) =>
    textElement(
      'text',
      {
        x: percent(end ? 100 : Side.axis),
        y: LineHeight - 8,
        fill: 'var(--soft)',
        'text-anchor': end ? 'end' : 'start',
      },
      points[i]!.label.slice(0, 24),
    ),
  )
  return { height: LineHeight, content: grid.join('') + element('svg', plot, drawn.join('')) + ends.join('') }
}

/** One bar cut into the parts of a whole; what is past the largest is one part. */
function shares(points: readonly Point[], rest: readonly number[], title: string): Chart | undefined {
  const parts = points.map(({ label, values }) => ({ label, value: Math.max(0, values[0]!) }))
  const others = rest.reduce((sum, n) => sum + Math.max(0, n), 0)
  if (others > 0) parts.push({ label: 'Others', value: others })
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  if (whole === 0) return undefined
  let x = 0
  const drawn = parts.map(({ label, value }, i) => {
    const width = (100 * value) / whole
    const bar = { x: percent(x), y: 0, width: percent(width), height: 40, fill: colorOf(i), stroke: 'var(--sheet)' }
    x += width
    return element('rect', bar, textElement('title', {}, `${label}: ${shownNumber(value)}`))
  })
  return {
    svg: framed({ height: 40, content: drawn.join('') }, title),
    legend: parts.map(({ label, value }, i) => ({
      color: colorOf(i),
      label: `${label}: ${shownNumber(value)} (${shownNumber(Math.round((1000 * value) / whole) / 10)} %)`,
    })),
    shown: points.length,
  }
}
