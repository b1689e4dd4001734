import { html } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import { titleOf } from '../words.ts'
import { endHtml, endsOf, Unseen } from './ends.ts'
import type { SpecialPanel } from './part.ts'
import { numberHead, plainTable } from '../plain-table.ts'

/** What lies behind the positions of a pass-through port: the member that says it, and the model of the other face. */
const Faces: Readonly<Record<string, readonly [member: string, far: string]>> = {
  'dcim.frontport': ['rear_ports', 'dcim.rearport'],
  'dcim.rearport': ['front_ports', 'dcim.frontport'],
}
type Mapping = Readonly<Record<string, number>>

/** Which position of a port leads to which of the other face. */
export const portMappings: SpecialPanel = {
  of: (m: AnyModel) => Object.hasOwn(Faces, m.name),
  side: 'right',
  show: (visit, m, row) => {
    const [member, type] = Faces[m.name]!
    const far = modelNamed(type)
    const name = type.slice('dcim.'.length).replace('port', '_port')
    const mappings = ((row[member] ?? []) as Mapping[]).toSorted((a, b) => a.position! - b.position!)
    const ends = endsOf(
      visit,
      mappings.map((each) => ({ type, id: each[name]! })),
    )
    const line = (each: Mapping): Html => {
      const end = ends.get(`${type}:${each[name]}`)
      return html`<tr><td class="number">${each.position}</td><td>${
        end ? endHtml(visit, { ...end, device: null }) : Unseen
      }</td><td class="number">${each[`${name}_position`]}</td></tr>`
    }
    return html`<section class="panel"><h2>Mappings <small>${mappings.length}</small></h2>${
      mappings.length
        ? plainTable('Mappings', [numberHead('Position'), titleOf(far), numberHead('Its position')], mappings.map(line))
        : html`<p class="empty">None of its positions leads to a ${far.label}.</p>`
    }</section>`
  },
}
