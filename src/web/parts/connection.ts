import { html } from 'hono/html'
import { isWireless, Virtual } from '../../rules/interfaces.ts'
import type { Node } from '../../rules/paths.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { badge, cell, type Html } from '../cells.ts'
import { icon } from '../frame.ts'
import { listHref, objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import { Here, type Visit } from '../visit.ts'
import { connectHref, endHtml, endsOf, isCabled, Unseen } from './ends.ts'
import type { Named } from '../parents.ts'
import type { SpecialPanel } from './part.ts'

/** Members by which it is known what can be done with a cabled object. */
const Members = ['cable', '_occupied', 'type', 'wireless_link', 'termination_type']

const rawOf = (value: unknown): string => String((value as { value?: unknown } | null)?.value ?? value ?? '')
const isRadio = (m: AnyModel, row: Row): boolean => m.name === 'dcim.interface' && isWireless(rawOf(row.type))

/** Where the user may connect a free port; undefined where it cannot be, or they may not. */
export function connectLink(visit: Visit, m: AnyModel, row: Row, back?: string): string | undefined {
  const { actor } = visit
  if (row._occupied || row.cable || !actor.writes || !may(actor, 'change', m)) return undefined
  if (isRadio(m, row)) {
    const link = modelNamed('wireless.wirelesslink')
    const query = new URLSearchParams({ interface_a: String(row.id), ...(back ? { _back: back } : {}) })
    return may(actor, 'add', link) ? `${listHref(visit, link)}add/?${query}` : undefined
  }
  if (m.name === 'dcim.interface' && Virtual.has(rawOf(row.type))) return undefined
  if (row.termination_type === 'circuits.providernetwork') return undefined
  return may(actor, 'add', modelNamed('dcim.cable')) ? connectHref(visit, m, row.id, back) : undefined
}

/** Where the user may take a port's cable away. */
function disconnectLink(visit: Visit, row: Row): string | undefined {
  const m = modelNamed('dcim.cable')
  const { cable } = row as { cable?: Named | null }
  if (!cable || !visit.actor.writes || !may(visit.actor, 'delete', m)) return undefined
  return `${objectHref(visit, m, cable.id, 'delete')}?${new URLSearchParams({ _back: Here })}`
}

/**
 * What can be done with each of some ports, at the end of their rows; asked at once. `changed`: those that the user may
 * change.
 */
export function portLinks(
  visit: Visit,
  m: AnyModel,
  ids: readonly number[],
  changed: ReadonlySet<number>,
): (row: Row) => Html | '' {
  if (!isCabled(m)) return () => ''
  const members = ['id', ...Members.filter((name) => name in m.fields)]
  const states = new Map(
    visit.store.reader.rows(m, ids, { members }, visit.config.basePath).map((bytes) => {
      const state = JSON.parse(bytes.toString()) as Row
      return [state.id, state] as const
    }),
  )
  return ({ id, display }) => {
    const state = states.get(id)
    if (!state) return ''
    const connect = changed.has(id) ? connectLink(visit, m, state, Here) : undefined
    const act = (href: string, word: string) =>
      html`<a class="act word" href="${href}" aria-label="${word} ${display}">${word}</a>`
    if (connect) return act(connect, 'Connect')
    if (!state.cable && !state.wireless_link) return ''
    const disconnect = disconnectLink(visit, state)
    return html`${act(objectHref(visit, m, id, 'trace'), 'Trace')}${disconnect ? act(disconnect, 'Disconnect') : ''}`
  }
}

/** The buttons of a list of ports: connect or disconnect those chosen. */
export function portButtons(visit: Visit, m: AnyModel): Html[] {
  if (!isCabled(m) || !visit.actor.writes || !may(visit.actor, 'change', m)) return []
  const href = listHref(visit, m)
  const cable = modelNamed('dcim.cable')
  return [
    ...(may(visit.actor, 'add', cable)
      ? [html`<button formaction="${href}connect/">${icon(visit, 'cable')}Connect chosen</button>`]
      : []),
    ...(may(visit.actor, 'delete', cable)
      ? [html`<button formaction="${href}disconnect/">Disconnect chosen</button>`]
      : []),
  ]
}

interface Generic extends Named {
  url: string
}
const nodesOf = (type: unknown, objects: unknown): Node[] =>
  typeof type === 'string' && Array.isArray(objects) ? (objects as Generic[]).map(({ id }) => ({ type, id })) : []

/** How a port is connected: its cable, what is at the other end, what it reaches, and what can be done about it. */
export const connection: SpecialPanel = {
  of: isCabled,
  side: 'right',
  show: (visit, m, row) => {
    const isOwn = visit.store.reader.mayOn(visit.actor, 'change', m, row.id) === true
    const connect = isOwn ? connectLink(visit, m, row) : undefined
    const disconnect = disconnectLink(visit, row)
    const isLinked = Boolean(row.cable || row.wireless_link)
    return html`<section class="panel"><h2>Connection</h2>${
      isLinked ? html`<dl>${facts(visit, row)}</dl>` : html`<p class="empty">${freeText(m, row)}</p>`
    }<p class="submit">${
      connect ? html`<a class="button primary" href="${connect}">${icon(visit, 'cable')}Connect</a>` : ''
    }${
      isLinked
        ? html`<a class="button" href="${objectHref(visit, m, row.id, 'trace')}">${icon(visit, 'trace')}Trace</a>`
        : ''
    }${disconnect ? html`<a class="button danger" href="${disconnect}">Disconnect</a>` : ''}</p></section>`
  },
}

function freeText(m: AnyModel, row: Row): string {
  if (row.mark_connected) return 'Marked as connected: what it leads to is not kept here.'
  if (m.name === 'dcim.interface' && Virtual.has(rawOf(row.type))) return 'This kind of interface takes no cable.'
  if (row.termination_type === 'circuits.providernetwork') return 'A provider’s network takes no cable.'
  return 'Not connected.'
}

function facts(visit: Visit, row: Row): Html[] {
  const peers = nodesOf(row.link_peers_type ?? (row.wireless_link ? 'dcim.interface' : null), row.link_peers)
  const reached = nodesOf(row.connected_endpoints_type, row.connected_endpoints)
  const ends = endsOf(visit, [...peers, ...reached])
  const line = (label: string, value: Html | '') =>
    value === '' ? [] : [html`<div><dt>${label}</dt><dd>${value}</dd></div>`]
  const several = (nodes: readonly Node[]): Html | '' =>
    nodes.length
      ? html`<ul class="items">${nodes.map(({ type, id }) => {
          const end = ends.get(`${type}:${id}`)
          return html`<li>${end ? endHtml(visit, end) : Unseen}</li>`
        })}</ul>`
      : ''
  return [
    ...line('Cable', row.cable ? cableHtml(visit, row.cable as Named) : ''),
    ...line('Wireless link', row.wireless_link ? cell(visit, row.wireless_link) : ''),
    ...line('Other end', several(peers)),
    ...line('Leads to', several(reached)),
    ...('connected_endpoints' in row
      ? line(
          'Path',
          row.connected_endpoints_reachable
            ? badge('Reachable', 'good')
            : badge(reached.length ? 'Not in service' : 'Incomplete', reached.length ? 'odd' : 'plain'),
        )
      : []),
  ]
}

/** A cable by its name, with what it is made of where the user may view it. */
function cableHtml(visit: Visit, { id }: Named): Html {
  const m = modelNamed('dcim.cable')
  if (visit.store.reader.mayOn(visit.actor, 'view', m, id) !== true) return Unseen
  const view = { members: ['id', 'url', 'display', 'status', 'color', 'length', 'length_unit'] }
  const cable = JSON.parse(visit.store.reader.one(m, id, view, visit.config.basePath)!) as Row
  const length = cable.length === null ? '' : `${cable.length as number} ${rawOf(cable.length_unit)}`
  return html`${cell(visit, cable)} ${cell(visit, cable.status)} ${length}`
}
