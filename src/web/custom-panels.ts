import { html } from 'hono/html'
import type { Field } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Definition } from '../store/custom-fields.ts'
import { cell, type Html, MaxItemsOfPage } from './cells.ts'
import { customLabel } from './custom-controls.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'

/** How values of the types of custom fields are shown; what is not here shows itself. */
const looks: Readonly<Record<string, NonNullable<Field['look']>>> = {
  longtext: 'markdown',
  datetime: 'moment',
  url: 'link',
  json: 'code',
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A value of a custom field, as JSON has it, the way people read it; of a list so many items at `most`. */
export function customCell(call: Visit, definition: Definition, value: unknown, most?: number): Html {
  const look = looks[definition.type]
  if (look) return cell(call, value, { look })
  const { labels } = definition
  if (labels && typeof value === 'string') return html`${labels.get(value) ?? value}`
  if (labels && Array.isArray(value))
    return cell(
      call,
      value.map((each) => labels.get(String(each)) ?? each),
      undefined,
      most,
    )
  return cell(call, value, undefined, most)
}

/** Panels of an object's custom fields, one for each group; without those that are not to be shown. */
export function customPanels(call: Visit, m: AnyModel, row: Row): Html[] {
  const values = (row.custom_fields ?? {}) as Record<string, unknown>
  const shown = call.store.customFields
    .of(m)
    .filter((d) => d.ui_visible === 'always' || (d.ui_visible === 'if-set' && !isEmpty(values[d.name])))
  return [...Map.groupBy(shown, (d) => d.group_name)].map(
    ([group, fields]) =>
      html`<section class="panel"><h2>${group || 'Custom fields'}</h2><dl>${fields.map(
        (d) =>
          html`<div><dt${
            d.description ? html` title="${d.description}"` : ''
          }>${customLabel(d)}</dt><dd>${customCell(call, d, values[d.name], MaxItemsOfPage)}</dd></div>`,
      )}</dl></section>`,
  )
}
