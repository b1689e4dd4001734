import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { availablePower } from '../../rules/power.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { bar, cell, Nothing } from '../cells.ts'
import { objectHref } from '../links.ts'
import { columnsBy, type Row, rowsOf } from '../table.ts'
import type { Visit } from '../visit.ts'
import { words } from '../words.ts'
import type { SpecialPanel } from './part.ts'
import { plainTable } from '../plain-table.ts'

/** So many power ports of a device are added up at most, and as many outlets. */
const MaxPorts = 200

interface End {
  id: number
  url: string
}
type Drawing = Row & { allocated_draw: number | null; maximum_draw: number | null; connected_endpoints: End[] | null }

/** Objects of a kind of this device, of those that the user may view. */
function partsOf(visit: Visit, name: string, device: number, members: string): Row[] {
  const m = modelNamed(name)
  if (!may(visit.actor, 'view', m)) return []
  const asked = conditionOf(visit, m, new URLSearchParams({ device_id: String(device) }))
  const { ids } = visit.store.reader.page(m, asked, undefined, MaxPorts, 0)
  return rowsOf(visit, m, ids, columnsBy(m, words(members)))
}

/** Far ends of a kind, by the last parts of their address. */
const endsOf = (rows: readonly Row[], path: string): number[] =>
  rows.flatMap(({ connected_endpoints: ends }) =>
    ((ends ?? []) as End[]).filter(({ url }) => url.includes(`/${path}/`)).map(({ id }) => id),
  )

const sum = (numbers: readonly (number | null | undefined)[]): number =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0)

/** What the power ports of a device draw: what they say themselves, or what is plugged into their outlets. */
export const powerPanel: SpecialPanel = {
  of: (m) => m.name === 'dcim.device',
  side: 'right',
  show: (visit, _m, row) => {
    const ports = partsOf(
      visit,
      'dcim.powerport',
      row.id,
      'name allocated_draw maximum_draw connected_endpoints',
    ) as Drawing[]
    if (ports.length === 0) return ''
    const outlets = partsOf(visit, 'dcim.poweroutlet', row.id, 'name power_port connected_endpoints')
    const [port, feed] = [modelNamed('dcim.powerport'), modelNamed('dcim.powerfeed')]
    const fed = endsOf(outlets, 'power-ports')
    const far = new Map(
      rowsOf(visit, port, fed, columnsBy(port, ['allocated_draw', 'maximum_draw'])).map((each) => [
        each.id,
        each as Drawing,
      ]),
    )
    const feeds = new Map(
      rowsOf(
        visit,
        feed,
        endsOf(ports, 'power-feeds'),
        columnsBy(feed, words('voltage amperage max_utilization phase')),
      ).map((each) => [each.id, availablePower({ ...each, phase: (each.phase as { value: string }).value } as never)]),
    )
    const lines = ports.map((each) => {
      const own = outlets.filter(({ power_port: of }) => (of as { id: number } | null)?.id === each.id)
      const plugged = endsOf(own, 'power-ports').flatMap((id) => far.get(id) ?? [])
      const says = each.allocated_draw !== null || each.maximum_draw !== null
      return {
        each,
        outlets: own.length,
        allocated: says ? (each.allocated_draw ?? 0) : sum(plugged.map((end) => end.allocated_draw)),
        maximum: says ? (each.maximum_draw ?? 0) : sum(plugged.map((end) => end.maximum_draw)),
        available: endsOf([each], 'power-feeds').map((id) => feeds.get(id))[0],
      }
    })
    const rows = lines.map(({ each, outlets: count, allocated, maximum, available }) => {
      const numbers = [count, allocated, maximum, cell(visit, available)].map((n) => html`<td class="number">${n}</td>`)
      return html`<tr>
<th scope="row"><a href="${objectHref(visit, port, each.id)}">${each.display}</a></th>${numbers}<td>${
        available ? bar((100 * allocated) / available) : Nothing
      }</td></tr>`
    })
    const heads = ['Input', 'Outlets', 'Allocated (W)', 'Maximum (W)', 'Available (VA)', 'Use']
    return html`<section class="panel"><h2>Power</h2>${plainTable('Power', heads, rows)}</section>`
  },
}
