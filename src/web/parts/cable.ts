import { html, raw } from 'hono/html'
import type { Node } from '../../rules/paths.ts'
import { traceSvg } from '../../rules/trace-svg.ts'
import { cell, type Html } from '../cells.ts'
import { hrefOf, objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { type End, endHtml, endsOf, Unseen } from './ends.ts'
import type { SpecialPanel } from './part.ts'
import { linksOf } from './trace.ts'

const Cable = 'dcim.cable'
interface Listed {
  object_type: string
  object_id: number
}
const nodesOf = (row: Row, side: 'a' | 'b'): Node[] =>
  ((row[`${side}_terminations`] ?? []) as Listed[]).map(({ object_type, object_id }) => ({
    type: object_type,
    id: object_id,
  }))

/** What a cable ends at on one side, with where that is. */
const endPanel = (side: 'a' | 'b'): SpecialPanel => ({
  of: (m) => m.name === Cable,
  side: 'right',
  show: (visit, _m, row) => {
    const nodes = nodesOf(row, side)
    const ends = endsOf(visit, nodes)
    return html`<section class="panel"><h2>${side.toUpperCase()} end</h2>${
      nodes.length
        ? nodes.map((node) => html`<dl>${placeHtml(visit, ends.get(`${node.type}:${node.id}`))}</dl>`)
        : html`<p class="empty">Nothing</p>`
    }</section>`
  },
})

function placeHtml(visit: Visit, end: End | undefined): Html {
  if (!end) return html`<div><dt>Ends at</dt><dd>${Unseen}</dd></div>`
  const places = (['rack', 'location', 'site'] as const).filter((name) => end[name])
  const m = modelNamed(end.type)
  return html`<div>
<dt>${m.label.charAt(0).toUpperCase() + m.label.slice(1)}</dt><dd>${endHtml(visit, end)} <a class="act word"
  href="${objectHref(visit, m, end.id, 'trace')}" aria-label="Trace ${end.display}">Trace</a></dd></div>${places.map(
    (name) =>
      html`<div><dt>${name.charAt(0).toUpperCase() + name.slice(1)}</dt><dd>${cell(visit, end[name])}</dd></div>`,
  )}`
}

/** A cable between its ends as a drawing; the panels beside it say the same in words. */
const drawing: SpecialPanel = {
  of: (m) => m.name === Cable,
  side: 'wide',
  show: (visit, _m, row) => {
    const [a, b] = [nodesOf(row, 'a'), nodesOf(row, 'b')]
    const ends = endsOf(visit, [...a, ...b])
    const seen = (nodes: readonly Node[]) =>
      nodes.flatMap(({ type, id }) => {
        const end = ends.get(`${type}:${id}`)
        return end ? [{ ...end, display_url: hrefOf(visit, end.url) ?? '' }] : []
      })
    const link = linksOf(visit, [{ type: Cable, id: row.id }]).get(`${Cable}:${row.id}`)
    const hidden = { id: 0, url: '', display: 'Not shown to you' }
    const side = (nodes: readonly Node[]) => {
      const own = seen(nodes)
      return own.length < nodes.length ? [...own, hidden] : own
    }
    return html`<section class="panel wide"><h2>Drawing</h2>
<div class="drawing">${raw(traceSvg([[side(a), link ?? [], side(b)]], { scope: 'page' }))}</div></section>`
  },
}

export const cablePanels: readonly SpecialPanel[] = [endPanel('a'), endPanel('b'), drawing]
