import { type Dashboard, keepDashboard, keptDashboard } from '../../http/dashboard.ts'
import type { Visit } from '../visit.ts'
import { isObject, textOfJson } from '../../lib/json.ts'

/** A box of the home page: what it is, what it is made of, and where it stands in a grid of 12 columns. */
export interface Widget {
  id: string
  /** What draws it, as clients of the API know it: `extras.NoteWidget`. */
  kind: string
  title: string
  color: string
  config: Readonly<Record<string, unknown>>
  x: number
  y: number
  w: number
  h: number
}

const Columns = 12
const MaxHeight = 20
/** So many boxes stand on a page. */
export const MaxWidgets = 40

type Plain = Record<string, unknown>
const whole = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : otherwise
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The own boxes, or those of who has arranged none, from the top left; `isOwn`: they were kept. */
export function widgetsOf(visit: Visit): { widgets: Widget[]; isOwn: boolean } {
  const kept = visit.actor.userId === null ? undefined : keptDashboard(visit)
  return { widgets: widgetsIn(kept), isOwn: Boolean(kept?.layout) }
}

const widgetsIn = (kept: Dashboard | undefined): Widget[] => (kept?.layout ? read(kept) : placed(Standard))

/**
 * The boxes of a kept dashboard, in the order that was kept if that is how they came to their places, else from the top
 * left. Any client may have written it, so nothing of it is taken for granted.
 */
function read({ layout, config }: Dashboard): Widget[] {
  const known = isObject(config) ? config : {}
  const seen = new Set<string>()
  const found = (Array.isArray(layout) ? layout : []).flatMap((place: unknown): Widget[] => {
    if (!isObject(place)) return []
    const id = textOfJson(place.id ?? '')
    const own = Object.hasOwn(known, id) ? known[id] : undefined
    if (!isObject(own) || seen.has(id) || !/^[\w-]{1,64}$/.test(id)) return []
    seen.add(id)
    const w = whole(place.w, 1, Columns, 4)
    return [
      {
        id,
        kind: text(own.class),
        title: text(own.title),
        color: text(own.color),
        config: isObject(own.config) ? own.config : {},
        w,
        h: whole(place.h, 1, MaxHeight, 3),
        x: whole(place.x, 0, Columns - w, 0),
        y: whole(place.y, 0, 10_000, 10_000),
      },
    ]
  })
  const again = placed(found)
  const isOurs = found.every(({ x, y }, i) => again[i]!.x === x && again[i]!.y === y)
  return (isOurs ? found : found.sort((a, b) => a.y - b.y || a.x - b.x)).slice(0, MaxWidgets)
}

/**
 * Keeps what becomes of the own boxes, in their order, each in the first place that it fits in. What `become` is told
 * is what is kept when it is its turn: others may have been added meanwhile.
 */
export async function keep(
  visit: Visit,
  become: (widgets: readonly Widget[]) => readonly Omit<Widget, 'x' | 'y'>[],
): Promise<void> {
  await keepDashboard(visit, (kept) => {
    const all = placed(become(widgetsIn(kept)))
    return {
      layout: all.map(({ id, x, y, w, h }) => ({ id, x, y, w, h })),
      config: Object.fromEntries(
        all.map(({ id, kind, title, color, config }) => [id, { class: kind, title, color: color || null, config }]),
      ),
    }
  })
}

/**
 * Boxes in places: each, in order, where it fits first from the top left, never above the one before by more than its
 * row.
 */
function placed(widgets: readonly Omit<Widget, 'x' | 'y'>[]): Widget[] {
  const heights = new Array<number>(Columns).fill(0)
  return widgets.map((widget) => {
    const w = Math.min(widget.w, Columns)
    const tops = Array.from({ length: Columns - w + 1 }, (_, x) => Math.max(...heights.slice(x, x + w)))
    const y = Math.min(...tops)
    const x = tops.indexOf(y)
    heights.fill(y + widget.h, x, x + w)
    return { ...widget, w, x, y }
  })
}

/** What an arranging button does to the box of an id. */
export function changed(widgets: readonly Widget[], id: string, what: string): Widget[] {
  const at = widgets.findIndex((widget) => widget.id === id)
  const own = widgets[at]
  if (!own) return [...widgets]
  const others = widgets.filter((widget) => widget !== own)
  const size = (w: number, h: number) =>
    widgets.map((widget) =>
      widget === own ? { ...own, w: whole(w, 1, Columns, own.w), h: whole(h, 1, MaxHeight, own.h) } : widget,
    )
  const [name, first = '', second = ''] = what.split(':')
  switch (name) {
    case 'earlier':
      return others.toSpliced(Math.max(0, at - 1), 0, own)
    case 'later':
      return others.toSpliced(at + 1, 0, own)
    case 'narrower':
      return size(own.w - 1, own.h)
    case 'wider':
      return size(own.w + 1, own.h)
    case 'shorter':
      return size(own.w, own.h - 1)
    case 'taller':
      return size(own.w, own.h + 1)
    case 'size':
      return size(Number(first), Number(second))
    case 'before': {
      const to = others.findIndex((widget) => widget.id === first)
      return others.toSpliced(to < 0 ? others.length : to, 0, own)
    }
    case 'remove':
      return others
    default:
      return [...widgets]
  }
}

const box = (
  id: string,
  kind: string,
  title: string,
  [w, h]: readonly [number, number],
  config: Plain,
  color = '',
) => ({
  id,
  kind: `extras.${kind}Widget`,
  title,
  color,
  config,
  w,
  h,
})
const counts = (id: string, title: string, h: number, models: string) =>
  box(id, 'ObjectCounts', title, [4, h], { models: models.split(' ') })

/** What stands on the home page of whoever has arranged nothing. */
const Standard: readonly Omit<Widget, 'x' | 'y'>[] = [
  box('bookmarks', 'Bookmarks', 'Bookmarks', [4, 5], {}, 'orange'),
  counts('organization', 'Organization', 2, 'dcim.site tenancy.tenant tenancy.contact'),
  box(
    'note',
    'Note',
    'Welcome',
    [4, 2],
    { content: 'This page is yours: **Arrange** adds boxes, moves them and takes them away.' },
    'green',
  ),
  counts('ipam', 'IPAM', 3, 'ipam.vrf ipam.aggregate ipam.prefix ipam.iprange ipam.ipaddress ipam.vlan'),
  counts('dcim', 'Racks and devices', 3, 'dcim.location dcim.rack dcim.devicetype dcim.device dcim.cable'),
  counts(
    'circuits',
    'Circuits',
    3,
    'circuits.provider circuits.circuit circuits.providernetwork circuits.provideraccount',
  ),
  counts('virtualization', 'Virtualization', 3, 'virtualization.cluster virtualization.virtualmachine'),
  box('changes', 'ObjectList', 'Latest changes', [12, 7], { model: 'core.objectchange', page_size: 10 }, 'blue'),
]
