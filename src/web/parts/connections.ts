import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { type Answer, forbidden } from '../../http/request.ts'
import { withSavedFilters } from '../../http/saved-filters.ts'
import { onCompletePath } from '../../rules/cabled-fields.ts'
import type { Node } from '../../rules/paths.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { badge, cell, type Html, Nothing } from '../cells.ts'
import { chips } from '../chips.ts'
import { filterPanel } from '../filter-panel.ts'
import { page } from '../frame.ts'
import { objectHref } from '../links.ts'
import { paged, pager } from '../list.ts'
import { preferencesOf } from '../preferences.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { titleOf } from '../words.ts'
import { endHtml, endsOf, Unseen } from './ends.ts'
import { parentOf } from '../parents.ts'
import { plainTable } from '../plain-table.ts'

/** The models whose connections are listed, by the first part of the address. */
const Kinds: Readonly<Record<string, string>> = {
  interface: 'dcim.interface',
  console: 'dcim.consoleport',
  power: 'dcim.powerport',
}

interface Connected extends Row {
  cable: { id: number } | null
  connected_endpoints: { id: number }[] | null
  connected_endpoints_type: string | null
  connected_endpoints_reachable: boolean
}

/** `/dcim/interface-connections/`: ports whose path reaches an end, with both ends. */
export function connectionsPage(visit: Visit, kind: string): Answer {
  const m = modelNamed(Kinds[kind]!)
  if (!may(visit.actor, 'view', m)) throw forbidden()
  const { where, values, uses } = conditionOf(visit, m, withSavedFilters(visit, m))
  const condition = {
    where: [...where, ...onCompletePath.where],
    values,
    uses: [...uses, ...onCompletePath.uses],
  }
  const found = paged(visit, m, preferencesOf(visit), condition)
  const members = ['id', 'url', 'display', 'device', 'cable', ...Object.keys(Reached)]
  const rows = visit.store.reader
    .rows(m, found.ids, { members }, visit.config.basePath)
    .map((bytes) => JSON.parse(bytes.toString()) as Connected)
  const ends = endsOf(visit, rows.flatMap(nodesOf))
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} connections`
  const acts = html`<th class="acts"><span class="unseen">Actions</span></th>`
  const line = (row: Connected): Html => {
    const own = nodesOf(row).map(({ type, id }) => ends.get(`${type}:${id}`))
    return html`<tr><td>${cell(visit, row.device)}</td><th scope="row"
      class="lead"><a href="${objectHref(visit, m, row.id)}">${row.display}</a></th><td>${own.map(
        (end) => html`<div>${end ? cell(visit, parentOf(end)) : Unseen}</div>`,
      )}</td><td>${own.map(
        (end) => html`<div>${end ? endHtml(visit, { ...end, device: null }) : Nothing}</div>`,
      )}</td><td>${
        row.connected_endpoints_reachable ? badge('Reachable', 'good') : badge('Not in service', 'odd')
      }</td><td class="acts"><a class="act word" href="${objectHref(visit, m, row.id, 'trace')}"
      aria-label="Trace ${row.display}">Trace</a></td></tr>`
  }
  return page(visit, {
    title,
    note: html`${found.count.toLocaleString('en')}`,
    body: html`${chips(visit, m)}${filterPanel(visit, m)}${
      rows.length
        ? html`${plainTable(
            title,
            ['Device', titleOf(m), 'Leads to', 'Its port', 'State', acts],
            rows.map(line),
          )}${pager(visit, found)}`
        : html`<p class="empty">No connections match.</p>`
    }`,
  })
}

const Reached = {
  connected_endpoints: true,
  connected_endpoints_type: true,
  connected_endpoints_reachable: true,
} as const

const nodesOf = ({ connected_endpoints: list, connected_endpoints_type: type }: Connected): Node[] =>
  type && list ? list.map(({ id }) => ({ type, id })) : []
