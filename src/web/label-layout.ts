import { textOfJson } from '../lib/json.ts'

/** How labels lie on a sheet; all lengths in millimetres. */
export interface Layout {
  paper: string
  width: number
  height: number
  columns: number
  rows: number
  left: number
  top: number
  across: number
  down: number
  /** Labels of the first sheet that are used up. */
  skip: number
}

export const Papers: Readonly<Record<string, { label: string; size?: readonly [number, number] }>> = {
  a4: { label: 'A4', size: [210, 297] },
  letter: { label: 'Letter', size: [215.9, 279.4] },
  a5: { label: 'A5', size: [148, 210] },
  roll: { label: 'Roll: each label is a page' },
}

interface Bounds {
  label: string
  least: number
  most: number
  step: number
}
const mm = (label: string, least: number, most: number): Bounds => ({ label: `${label} (mm)`, least, most, step: 0.1 })
export const Fields: Readonly<Record<Exclude<keyof Layout, 'paper'>, Bounds>> = {
  width: mm('Width', 10, 300),
  height: mm('Height', 5, 300),
  columns: { label: 'Columns', least: 1, most: 20, step: 1 },
  rows: { label: 'Rows', least: 1, most: 60, step: 1 },
  left: mm('Left margin', 0, 100),
  top: mm('Top margin', 0, 100),
  across: mm('Gap across', 0, 50),
  down: mm('Gap down', 0, 50),
  skip: { label: 'Labels used already', least: 0, most: 1199, step: 1 },
}

/** Sheets of 24 labels, as they are sold everywhere. */
export const Default: Layout = {
  paper: 'a4',
  width: 63.5,
  height: 33.9,
  columns: 3,
  rows: 8,
  left: 7.2,
  top: 12.9,
  across: 2.5,
  down: 0,
  skip: 0,
}

/** A layout from texts by name; what is not said is as in `preset`. What cannot be is said by name. */
export function readLayout(
  given: (name: string) => string | null,
  preset: Readonly<Record<string, unknown>> | Layout,
): { layout: Layout; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const layout: Record<string, unknown> = { ...Default }
  const kept = preset as Readonly<Record<string, unknown>>
  const paper = given('paper') ?? kept.paper
  if (typeof paper === 'string' && Object.hasOwn(Papers, paper)) layout.paper = paper
  else errors.paper = 'Paper: this is not one of the choices.'
  for (const [name, { label, least, most, step }] of Object.entries(Fields)) {
    const text = given(name)
    const n = text === null || text === '' ? Number(textOfJson(kept[name] ?? '')) : Number(text)
    if (n >= least && n <= most && (step < 1 || Number.isInteger(n))) layout[name] = n
    else errors[name] = `${label}: ${step < 1 ? 'a number' : 'a whole number'} from ${least} to ${most} is required.`
  }
  return { layout: layout as unknown as Layout, errors }
}

const isRoll = ({ paper }: Layout): boolean => Papers[paper]!.size === undefined

/** Width and height of a sheet. */
export const paperOf = (layout: Layout): readonly [number, number] =>
  Papers[layout.paper]!.size ?? [layout.width, layout.height]

/** How many labels are on a sheet. */
export const perSheet = (layout: Layout): number => (isRoll(layout) ? 1 : layout.columns * layout.rows)

/** Left and top of a place on a sheet, counted by rows. */
export const placeOf = (layout: Layout, place: number): readonly [number, number] =>
  isRoll(layout)
    ? [0, 0]
    : [
        layout.left + (place % layout.columns) * (layout.width + layout.across),
        layout.top + Math.floor(place / layout.columns) * (layout.height + layout.down),
      ]

/** Why the labels do not fit on the paper; empty where they do. */
export function fits(layout: Layout): string {
  if (isRoll(layout)) return ''
  const [width, height] = paperOf(layout)
  const [left, top] = placeOf(layout, perSheet(layout) - 1)
  const [right, bottom] = [left + layout.width, top + layout.height].map((n) => Math.round(n * 10) / 10) as [
    number,
    number,
  ]
  if (right > width) return `${layout.columns} columns take ${right} mm; the paper is ${width} mm wide.`
  if (bottom > height) return `${layout.rows} rows take ${bottom} mm; the paper is ${height} mm high.`
  return layout.skip < perSheet(layout) ? '' : `A sheet has ${perSheet(layout)} labels: fewer can be used up.`
}
