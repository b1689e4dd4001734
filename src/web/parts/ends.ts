import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { writingFor } from '../../http/resource.ts'
import { CabledModels } from '../../rules/cabled-fields.ts'
import { type Node, nodeKey } from '../../rules/paths.ts'
import { may } from '../../engine/actor.ts'
import type { WriteTools } from '../../declare/behaviour.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { cell, type Html } from '../cells.ts'
import { listHref, withQuery } from '../links.ts'
import { type Named, parentBeside, Parents } from '../parents.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'

/** An object at the end of a cable that the user may view, with what it is part of and where that is. */
export interface End extends Row {
  url: string
  /** Name of its model. */
  type: string
  site?: Named | null
  location?: Named | null
  rack?: Named | null
}

const Places = ['site', 'location', 'rack'] as const

/** True of models whose objects a cable can end at. */
export const isCabled = (m: AnyModel): boolean => (CabledModels as readonly string[]).includes(m.name)

/** What a request may ask of rows by their columns. */
export const toolsOf = (visit: Visit): WriteTools => writingFor(visit).tools

/** Those of some objects that the user may view, in the order of the model. */
export function seenIds(visit: Visit, m: AnyModel, ids: readonly number[]): readonly number[] {
  if (ids.length === 0 || !may(visit.actor, 'view', m)) return []
  const { where, values, uses } = conditionOf(visit, m, new URLSearchParams())
  const among = {
    where: [...where, 't.id in (select value from json_each(:seen))'],
    values: { ...values, seen: JSON.stringify(ids) },
    uses,
  }
  return visit.store.reader.page(m, among, undefined, undefined, 0).ids
}

/**
 * The objects among some that the user may view, by their keys (`dcim.interface:7`): a few statements for each model.
 */
export function endsOf(visit: Visit, nodes: readonly Node[]): Map<string, End> {
  const byType = Map.groupBy(nodes, ({ type }) => type)
  const found = new Map<string, End>()
  for (const [type, own] of byType) {
    const m = modelNamed(type)
    const ids = seenIds(visit, m, [...new Set(own.map(({ id }) => id))])
    for (const row of rowsBy(visit, m, ids, [...Parents, ...Places, 'termination', 'termination_type']))
      found.set(nodeKey({ type, id: row.id }), { ...row, type } as End)
  }
  placed(visit, found)
  return found
}

/** Adds where devices, panels and circuits' ends are, of those that the user may view. */
function placed(visit: Visit, ends: ReadonlyMap<string, End>): void {
  for (const [name, model] of [
    ['device', 'dcim.device'],
    ['power_panel', 'dcim.powerpanel'],
  ] as const) {
    const m = modelNamed(model)
    const held = [...ends.values()].filter((end) => end[name])
    const ids = seenIds(visit, m, [...new Set(held.map((end) => (end[name] as Named).id))])
    const rows = new Map(rowsBy(visit, m, ids, Places).map((row) => [row.id, row]))
    for (const end of held) {
      const row = rows.get((end[name] as Named).id)
      for (const place of Places) end[place] ??= (row?.[place] ?? null) as Named | null
    }
  }
  for (const end of ends.values())
    if (end.termination_type === 'dcim.site') end.site = end.termination as Named
    else if (end.termination_type === 'dcim.location') end.location = end.termination as Named
}

const rowsBy = (visit: Visit, m: AnyModel, ids: readonly number[], members: readonly string[]): Row[] =>
  visit.store.reader
    .rows(
      m,
      ids,
      { members: ['id', 'url', 'display', ...members.filter((name) => name in m.fields)] },
      visit.config.basePath,
    )
    .map((bytes) => JSON.parse(bytes.toString()) as Row)

/** An end with what it is part of, as one text. */
export const fullName = (end: Row): string => {
  const parent = parentBeside(end)
  return parent ? `${parent.display} › ${end.display}` : end.display
}

/** An end as links to what it is part of and to itself. */
export function endHtml(visit: Visit, end: End): Html {
  const parent = parentBeside(end)
  return html`${parent ? html`${cell(visit, parent)} › ` : ''}${cell(visit, end)}`
}

/** What is said of an object in the place of one that the user may not view. */
export const Unseen = html`<i class="none">not shown to you</i>`

/** Where a cable is added that begins at an object of a model. */
export function connectHref(visit: Visit, m: AnyModel, id: number, back?: string): string {
  const query = new URLSearchParams({ a_terminations_type: m.name, a_terminations_id: String(id) })
  if (back) query.set('_back', back)
  return `${listHref(visit, modelNamed('dcim.cable'))}add/?${query}`
}

/** The address of the page that is shown. */
export const hereOf = (visit: Visit): string => withQuery(visit, {})
