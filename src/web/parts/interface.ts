import { html } from 'hono/html'
import { isWireless, Virtual } from '../../rules/interfaces.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { cell, type Html } from '../cells.ts'
import { icon } from '../frame.ts'
import { listHref } from '../links.ts'
import { columnOf, type Row, rowsOf } from '../table.ts'
import type { Visit } from '../visit.ts'
import { hereOf, seenIds, toolsOf, Unseen } from './ends.ts'
import type { SpecialPanel } from './part.ts'
import { plainTable } from '../plain-table.ts'

const isInterface = (m: AnyModel): boolean => m.name === 'dcim.interface'
const typeOf = (row: Row): string => (row.type as { value?: string } | null)?.value ?? ''
const interfaces = (): AnyModel => modelNamed('dcim.interface')

const Radio = ['rf_role', 'rf_channel', 'rf_channel_frequency', 'rf_channel_width', 'tx_power']

/** Members of interfaces that the user may view, in the order of the ids; nothing in the place of others. */
function interfaceRows(visit: Visit, ids: readonly number[], paths: readonly string[]): (Row | undefined)[] {
  const m = interfaces()
  const columns = paths.flatMap((path) => columnOf(m, path) ?? [])
  const rows = new Map(rowsOf(visit, m, seenIds(visit, m, ids), columns).map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id))
}

/** How a radio is set, beside that at the other end of its link. */
const wireless: SpecialPanel = {
  of: isInterface,
  side: 'right',
  show: (visit, m, row) => {
    if (!isWireless(typeOf(row))) return ''
    const far = row.wireless_link ? ((row.link_peers ?? []) as { id: number }[])[0] : undefined
    const [other] = far ? interfaceRows(visit, [far.id], ['device', ...Radio]) : []
    const line = (path: string): Html => {
      const { label, field } = columnOf(m, path)!
      return html`<tr><th scope="row">${label}</th><td>${cell(visit, row[path], field)}</td>${
        far ? html`<td>${other ? cell(visit, other[path], field) : Unseen}</td>` : ''
      }</tr>`
    }
    return html`<section class="panel"><h2>Wireless</h2>${
      row.wireless_link
        ? html`<p>Link: ${cell(visit, row.wireless_link)}${
            other ? html` to ${cell(visit, other.device)} › ${cell(visit, other)}` : ''
          }</p>`
        : ''
    }<div class="scroll"><table><caption class="unseen">How the radio is set</caption><thead>
<tr><td></td><th scope="col">Here</th>${
      far ? html`<th scope="col">Other end</th>` : ''
    }</tr></thead><tbody>${Radio.map(line)}</tbody></table></div></section>`
  },
}

/** Networks that a radio serves. */
const wirelessLans: SpecialPanel = {
  of: isInterface,
  side: 'right',
  show: (visit, _m, row) => {
    const lans = (row.wireless_lans ?? []) as { id: number }[]
    const m = modelNamed('wireless.wirelesslan')
    const ids = seenIds(
      visit,
      m,
      lans.map(({ id }) => id),
    )
    if (!isWireless(typeOf(row)) || ids.length === 0) return ''
    const columns = ['group', 'auth_type'].flatMap((path) => columnOf(m, path) ?? [])
    const lines = rowsOf(visit, m, ids, columns).map((lan) => {
      const cells = [lan.group, lan.auth_type].map((each) => html`<td>${cell(visit, each)}</td>`)
      return html`<tr><th scope="row" class="lead">${cell(visit, lan)}</th>${cells}</tr>`
    })
    const table = plainTable('Wireless LANs', ['SSID', 'Group', 'Authentication'], lines)
    return html`<section class="panel"><h2>Wireless LANs</h2>${table}</section>`
  },
}

/** The virtual circuit that ends at a virtual interface, or where one is made to. */
const virtualCircuit: SpecialPanel = {
  of: isInterface,
  side: 'right',
  show: (visit, _m, row) => {
    const m = modelNamed('circuits.virtualcircuittermination')
    if (!Virtual.has(typeOf(row)) || !may(visit.actor, 'view', m)) return ''
    const id = toolsOf(visit).first('circuits.virtualcircuittermination', { interface_id: row.id })?.id
    const paths = ['virtual_circuit', 'virtual_circuit.provider_network', 'virtual_circuit.provider_account', 'role']
    const columns = paths.flatMap((path) => columnOf(m, path) ?? [])
    const [own] = id === undefined ? [] : rowsOf(visit, m, seenIds(visit, m, [id]), columns)
    if (own)
      return html`<section class="panel"><h2>Virtual circuit</h2><dl>${columns.map(
        ({ path, label, field }) => html`<div><dt>${label}</dt><dd>${cell(visit, own[path], field)}</dd></div>`,
      )}<div><dt>Termination</dt><dd>${cell(visit, own)}</dd></div></dl></section>`
    if (id !== undefined || !visit.actor.writes || !may(visit.actor, 'add', m)) return ''
    const query = new URLSearchParams({ interface: String(row.id), _back: hereOf(visit) })
    return html`<section class="panel"><h2>Virtual circuit</h2><p class="empty">None ends here.</p>
<p class="submit"><a class="button"
  href="${listHref(visit, m)}add/?${query}">${icon(visit, 'circuit')}Terminate a virtual circuit here</a></p></section>`
  },
}

/** One interface of a wireless link. */
const radio = (end: 'a' | 'b'): SpecialPanel => ({
  of: (m) => m.name === 'wireless.wirelesslink',
  side: end === 'a' ? 'left' : 'right',
  show: (visit, _m, row) => {
    const { id } = row[`interface_${end}`] as { id: number }
    const paths = ['device', 'type', ...Radio]
    const [own] = interfaceRows(visit, [id], paths)
    return html`<section class="panel"><h2>Interface ${end.toUpperCase()}</h2><dl>${
      own
        ? html`<div><dt>Interface</dt><dd>${cell(visit, own)}</dd></div>${paths.map((path) => {
            const { label, field } = columnOf(interfaces(), path)!
            return html`<div><dt>${label}</dt><dd>${cell(visit, own[path], field)}</dd></div>`
          })}`
        : html`<div><dt>Interface</dt><dd>${Unseen}</dd></div>`
    }</dl></section>`
  },
})

export const interfacePanels: readonly SpecialPanel[] = [wireless, wirelessLans, virtualCircuit, radio('a'), radio('b')]
