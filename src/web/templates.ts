import { html } from 'hono/html'
import { modelNamed } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { controlHtml } from './controls.ts'
import type { Visit } from './visit.ts'
import { titleOf } from './words.ts'

/** What the button says that fills in a form. */
export const FillIn = 'template'

/**
 * Where a template of a new object is chosen, in its form: what is typed stays but where the template says otherwise.
 * Enter in a line adds the object as in other forms, so a button for that comes first.
 */
export function templatePicker(visit: Visit, m: AnyModel, chosen: readonly string[]): Html | '' {
  const template = m.pages?.template ? modelNamed(m.pages.template) : undefined
  if (!template || !may(visit.actor, 'view', template)) return ''
  const picker = controlHtml(
    visit,
    { as: 'pick', model: template.name },
    { name: '_template', values: chosen.filter(Boolean) },
  )
  const fill = html`<button name="_redraw" value="${FillIn}" formnovalidate>Fill in</button>`
  return html`<button hidden></button>
<div class="next-free"><label for="f-_template">${titleOf(template)}</label>${picker}${fill}</div>`
}
