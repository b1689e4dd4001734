import { html, raw } from 'hono/html'
import { CableTypeChoices, LinkStatusChoices } from '../../choices/dcim.ts'
import { type Node, nodeKey } from '../../rules/paths.ts'
import { strandsOf, type Way, waysOf } from '../../rules/trace.ts'
import type { Hop, TracedLink, TracedObject } from '../../rules/trace-layout.ts'
import { traceSvg } from '../../rules/trace-svg.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { badge, dot, type Html } from '../cells.ts'
import { icon } from '../frame.ts'
import { hrefOf, objectHref, withQuery } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { connectLink } from './connection.ts'
import { type End, endHtml, endsOf, isCabled, seenIds, toolsOf, Unseen } from './ends.ts'
import type { SpecialTab } from './part.ts'
import { plainTable } from '../plain-table.ts'

/** A link between two places of a way, as the API shows it raw. */
interface Link extends TracedLink {
  display: string
}

/** `/dcim/interfaces/7/trace/`: the way from a port through cables, as a drawing and as a table. */
export const traceTab: SpecialTab = {
  label: 'Trace',
  of: isCabled,
  body: (visit, m, row) => {
    const ways = waysOf(toolsOf(visit), { type: m.name, id: row.id })
    const asked = Number(visit.query.get('cablepath_id'))
    const way = ways.find(({ id }) => id === asked) ?? ways[0]
    if (!way) return unconnected(visit, m, row)
    const seen = seenOf(visit, ways)
    return html`${ways.length > 1 ? choice(visit, ways, way, seen) : ''}<p>${state(way)}</p><div class="drawing">${raw(
      traceSvg(
        way.hops.map((hop) => drawn(visit, hop, seen)),
        { scope: 'page' },
      ),
    )}</div>${table(visit, way, seen)}`
  },
}

function unconnected(visit: Visit, m: AnyModel, row: Row): Html {
  const connect = connectLink(visit, m, row)
  return html`<p class="empty">Nothing is connected here.${
    connect ? html` <a class="button primary" href="${connect}">${icon(visit, 'cable')}Connect</a>` : ''
  }</p>`
}

function state({ isComplete, isActive, isSplit }: Way): Html {
  if (isSplit) return html`${badge('Split', 'odd')} The way goes apart: more than one port could be next.`
  if (!isComplete) return html`${badge('Incomplete')} The way ends before it reaches an end.`
  return isActive
    ? html`${badge('Reachable', 'good')} The way is complete and in service.`
    : html`${badge('Not in service', 'odd')} The way is complete; a link of it is not connected yet, or no more.`
}

/** What the user may view of some ways: objects and links by their keys. */
interface Seen {
  ends: ReadonlyMap<string, End>
  links: ReadonlyMap<string, Link>
}

function seenOf(visit: Visit, ways: readonly Way[]): Seen {
  const hops = ways.flatMap((way) => way.hops)
  return {
    ends: endsOf(
      visit,
      hops.flatMap(([near, , far]) => [...near!, ...far!]),
    ),
    links: linksOf(
      visit,
      hops.flatMap(([, link]) => link!),
    ),
  }
}

/** Cables and wireless links that the user may view, by their keys. */
export function linksOf(visit: Visit, nodes: readonly Node[]): Map<string, Link> {
  const found = new Map<string, Link>()
  for (const [type, own] of Map.groupBy(nodes, (node) => node.type)) {
    const m = modelNamed(type)
    const members = ['type', 'status', 'label', 'color', 'length', 'length_unit', 'description', 'ssid']
    const more = ['distance', 'distance_unit']
    const ids = seenIds(visit, m, [...new Set(own.map(({ id }) => id))])
    const view = { members: ['id', 'url', 'display', ...[...members, ...more].filter((name) => name in m.fields)] }
    for (const bytes of visit.store.reader.rows(m, ids, view, visit.config.basePath)) {
      const row = JSON.parse(bytes.toString()) as Row & { url: string }
      const raw = (value: unknown) => ((value as { value?: string } | null)?.value ?? value ?? null) as string | null
      found.set(nodeKey({ type, id: row.id }), {
        ...row,
        display_url: objectHref(visit, m, row.id),
        type: raw(row.type),
        status: raw(row.status),
        label: (row.label ?? row.ssid ?? '') as string,
        color: (row.color ?? '') as string,
        length: (row.length ?? row.distance ?? null) as number | null,
        length_unit: raw(row.length_unit ?? row.distance_unit),
        description: (row.description ?? '') as string,
      })
    }
  }
  return found
}

/** A hop as the drawing takes it; what the user may not view is told by its place alone. */
function drawn(visit: Visit, hop: Node[][], { ends, links }: Seen): Hop {
  const object = (node: Node): TracedObject => {
    const end = ends.get(nodeKey(node))
    if (!end) return { id: 0, url: '', display: 'Not shown to you' }
    return { ...end, display_url: hrefOf(visit, end.url) ?? '' }
  }
  const linkOf = (node: Node): TracedLink => links.get(nodeKey(node)) ?? { id: 0, url: '', label: 'Not shown to you' }
  const around = ([near, , far]: Node[][], between: Hop[1]): Hop => [
    once(near!.map(object)),
    between,
    once(far!.map(object)),
  ]
  const whole = (of: Node[][]): Hop => around(of, of[1]![0] ? linkOf(of[1]![0]) : [])
  const strands = strandsOf(toolsOf(visit), hop)
  return strands.length === 1 ? whole(hop) : around(hop, strands.map(whole))
}

/** Of the objects that may not be viewed one is enough to draw. */
const once = (objects: readonly TracedObject[]): TracedObject[] =>
  objects.filter(({ url }, i) => url !== '' || objects.findIndex((each) => each.url === '') === i)

function choice(visit: Visit, ways: readonly Way[], way: Way, { ends }: Seen): Html {
  const name = (nodes: readonly Node[] | undefined): string =>
    (nodes ?? [])
      .map((node) => {
        const end = ends.get(nodeKey(node))
        return end ? `${(end.device as End | undefined)?.display ?? ''} ${end.display}`.trim() : 'not shown to you'
      })
      .join(', ')
  return html`<nav class="ways" aria-label="Ways"><p>${ways.length} ways lead through here:</p><ul>${ways.map(
    (each) =>
      html`<li><a href="${withQuery(visit, { cablepath_id: String(each.id) })}"${
        each === way ? raw(' aria-current="true"') : ''
      }>${name(each.hops[0]?.[0])} → ${name(each.hops.at(-1)?.[2]) || 'open'}</a></li>`,
  )}</ul></nav>`
}

const labelIn = (choices: readonly (readonly [string | number, string, string?])[], value: unknown): string =>
  choices.find(([each]) => each === value)?.[1] ?? (value ? String(value) : '')

/** What tells one cable from another, in words. */
export const linkFacts = (link: TracedLink): string =>
  [
    labelIn(CableTypeChoices, link.type),
    labelIn(LinkStatusChoices, link.status),
    link.length === null || link.length === undefined ? '' : `${link.length} ${link.length_unit ?? ''}`.trim(),
  ]
    .filter(Boolean)
    .join(', ')

function table(visit: Visit, way: Way, { ends, links }: Seen): Html {
  const several = (nodes: readonly Node[]): Html =>
    nodes.length
      ? html`<ul class="items">${nodes.map((node) => {
          const end = ends.get(nodeKey(node))
          return html`<li>${end ? endHtml(visit, end) : Unseen}</li>`
        })}</ul>`
      : html`<span class="none">nothing</span>`
  const linkHtml = ([node]: readonly Node[], far: readonly Node[]): Html => {
    if (!node) return html`<span class="none">${far.length ? 'directly' : 'nothing'}</span>`
    const link = links.get(nodeKey(node))
    if (!link) return Unseen
    const facts = html`<div class="of">${linkFacts(link)}</div>`
    return html`${dot(link.color ?? '')}<a href="${link.display_url!}">${link.display}</a>${facts}`
  }
  const lines = way.hops.flatMap((hop, i) => {
    return strandsOf(toolsOf(visit), hop).map(([near, link, far]) => {
      const cells = [several(near!), linkHtml(link!, far!), several(far!)].map((each) => html`<td>${each}</td>`)
      return html`<tr><th scope="row">${i + 1}</th>${cells}</tr>`
    })
  })
  const table = plainTable('The way step by step', ['#', 'From', 'By', 'To'], lines)
  return html`<section class="panel wide"><h2>Step by step</h2>${table}</section>`
}
