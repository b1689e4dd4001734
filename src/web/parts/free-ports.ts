import { conditionOf } from '../../http/lists.ts'
import { ApiError } from '../../http/request.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { parentOf } from '../parents.ts'
import { idsTyped } from '../typed-objects.ts'

/** Where an end is looked for: texts of ids by the names of the pickers. */
export type Where = Readonly<Record<Place, string>>
export type Place = 'site' | 'location' | 'rack' | 'device' | 'power_panel' | 'circuit'

/** Models of the pickers that say where an end is, and how each is narrowed by others: query parameter → picker. */
export const Places: Readonly<Record<Place, { model: string; narrow: Readonly<Record<string, Place>> }>> = {
  site: { model: 'dcim.site', narrow: {} },
  location: { model: 'dcim.location', narrow: { site_id: 'site' } },
  rack: { model: 'dcim.rack', narrow: { site_id: 'site', location_id: 'location' } },
  device: { model: 'dcim.device', narrow: { site_id: 'site', location_id: 'location', rack_id: 'rack' } },
  power_panel: { model: 'dcim.powerpanel', narrow: { site_id: 'site', location_id: 'location' } },
  circuit: { model: 'circuits.circuit', narrow: { site_id: 'site' } },
}

/** The pickers of a kind of end, from the widest on. */
export function placesOf(type: string): readonly Place[] {
  if (type === 'dcim.powerfeed') return ['site', 'location', 'rack', 'power_panel']
  if (type === 'circuits.circuittermination') return ['site', 'location', 'circuit']
  return ['site', 'location', 'rack', 'device']
}

/**
 * The id that a picker's text names: an id itself, or what was typed where no picker was; '' for nothing that there is.
 */
export const resolved = (visit: Visit, place: Place, text: string): string =>
  text === 'null' ? '' : String(idsTyped(visit, modelNamed(Places[place].model), text)[0] ?? '')

/** So many free ports are offered at once. */
export const MaxOffered = 500

/**
 * The free ports of a kind that a cable may end at, of those that the user may view: the narrowest place that is named
 * counts.
 */
export function freePorts(visit: Visit, type: string, where: Where): { rows: Row[]; count: number } {
  const m = modelNamed(type)
  const query = new URLSearchParams({ occupied: 'false' })
  if (type === 'dcim.interface') query.set('kind', 'physical')
  if (type === 'circuits.circuittermination') query.set('provider_network_id', 'null')
  const place = placesOf(type).findLast((name) => where[name])
  if (place === 'location' && type === 'dcim.powerfeed') {
    const there = new URLSearchParams({ location_id: where.location })
    const panels = idsBy(visit, modelNamed('dcim.powerpanel'), there, MaxOffered).ids
    if (panels.length === 0) return { rows: [], count: 0 }
    for (const id of panels) query.append('power_panel_id', String(id))
  } else if (place) query.set(`${place}_id`, where[place])
  const { ids, count } = idsBy(visit, m, query, MaxOffered)
  return { rows: portRows(visit, m, ids), count }
}

/** Ports with what they are part of, in the order of the ids. */
export const portRows = (visit: Visit, m: AnyModel, ids: readonly number[]): Row[] =>
  visit.store.reader
    .rows(
      m,
      ids,
      { members: ['id', 'url', 'display', ...['device', 'circuit', 'power_panel'].filter((name) => name in m.fields)] },
      visit.config.basePath,
    )
    .map((bytes) => JSON.parse(bytes.toString()) as Row)

function idsBy(
  visit: Visit,
  m: AnyModel,
  query: URLSearchParams,
  limit: number,
): { ids: readonly number[]; count: number } {
  if (!may(visit.actor, 'view', m)) return { ids: [], count: 0 }
  try {
    const { ids, count } = visit.store.reader.page(m, conditionOf(visit, m, query), undefined, limit, 0)
    return { ids, count: count ?? 0 }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { ids: [], count: 0 } // a place that went meanwhile
    throw error
  }
}

/** Ports by what they are part of, in their order. */
export const byParent = (rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, (row) => parentOf(row)?.display ?? '')
