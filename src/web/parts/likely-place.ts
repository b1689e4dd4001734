import type { Visit } from '../visit.ts'
import { freePorts, type Place, Places, placesOf, type Where } from './free-ports.ts'

const Around = ['site', 'location', 'rack'] as const satisfies readonly Place[]
type Around = (typeof Around)[number]

/** What the ends of a cable share of where they are, where one is of that kind: circuits end at sites, not in halls. */
const SharedBy: Readonly<Record<string, readonly Place[]>> = {
  'circuits.circuittermination': ['site'],
  'dcim.powerfeed': ['site', 'rack'],
}
const sharedBy = (type: string): readonly Place[] => SharedBy[type] ?? Around

/** The end of a cable that is known. */
interface Near {
  type: string
  ids: readonly number[]
  where: Readonly<Partial<Record<Around, string>>>
}

/** Where the other end of a cable begins to be looked for: where the near one is, or around that if nothing is free. */
export function likelyWhere(visit: Visit, type: string, near: Near): Where {
  const isShared = (place: Place): place is Around =>
    [placesOf(type), sharedBy(type), sharedBy(near.type)].every((places) => places.includes(place))
  return widened(
    visit,
    type,
    whereBy((place) => (isShared(place) && near.where[place]) || ''),
    near,
  )
}

/** Where an end is looked for whose kind is another now: what was chosen, as far as ends of this kind share it. */
export function whereNow(visit: Visit, type: string, where: Where): Where {
  const stays = (place: Place) => !(Around as readonly Place[]).includes(place) || sharedBy(type).includes(place)
  return widened(
    visit,
    type,
    whereBy((place) => (stays(place) ? where[place] : '')),
  )
}

export const whereBy = (text: (place: Place) => string): Where =>
  Object.fromEntries(Object.keys(Places).map((place) => [place, text(place as Place)])) as unknown as Where

/** A place with something free around one without; what is more than a place stays. */
function widened(visit: Visit, type: string, where: Where, near?: Near): Where {
  if (where.device || where.power_panel || where.circuit) return where
  const isOther = ({ id }: { id: number }) => near?.type !== type || !near.ids.includes(id)
  let wide = where
  for (const place of ['rack', 'location'] as const) {
    if (!wide[place]) continue
    if (freePorts(visit, type, wide).rows.some(isOther)) return wide
    wide = { ...wide, [place]: '' }
  }
  return wide
}
