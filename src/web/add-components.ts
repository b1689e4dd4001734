import { html } from 'hono/html'
import { may } from '../registry/actor.ts'
import { allModels, fieldsOf, memo } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Html } from './cells.ts'
import { icon } from './frame.ts'
import { listHref, objectHref } from './links.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** A kind of object that is added to others in a series: its model and its field that names the other. */
export interface Component {
  model: AnyModel
  field: string
}

/** What is added to objects of a model in a series, such as interfaces to devices. */
export const componentsOf: (m: AnyModel) => readonly Component[] = memo((m) =>
  allModels.flatMap((model) => {
    if (!model.pages?.series) return []
    const field = fieldsOf(model).find(([name, each]) => each.target?.model === m.name && !name.startsWith('_'))
    return field ? [{ model, field: field[0] }] : []
  }),
)

/** Those of them that the user may add. */
export const offeredComponents = (visit: Visit, m: AnyModel): readonly Component[] =>
  visit.actor.writes ? componentsOf(m).filter(({ model }) => may(visit.actor, 'add', model)) : []

/** A menu of what can be added to an object; nothing where there is none. */
export function addComponents(visit: Visit, m: AnyModel, row: Row): Html | '' {
  const offered = offeredComponents(visit, m)
  if (offered.length === 0) return ''
  return html`<details class="drop"><summary class="button">${icon(visit, 'add')}Add</summary><ul>${offered.map(
    ({ model, field }) =>
      html`<li><a href="${listHref(visit, model)}add/?${new URLSearchParams([
        [field, String(row.id)],
        ['_back', backOf(visit, m, row, model)],
      ])}">${pluralOf(model)}</a></li>`,
  )}</ul></details>`
}

/** The tab of the object that shows such components, or its page. */
function backOf(visit: Visit, m: AnyModel, row: Row, component: AnyModel): string {
  const tab = Object.entries(m.pages?.tabs ?? {}).find(([, each]) => each !== true && each[0] === component.name)?.[0]
  return objectHref(visit, m, row.id, tab ?? '')
}
