import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { createOne, demand } from '../http/resource.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { type Filled, fieldHtml } from './form-page.ts'
import { typed } from './form.ts'
import { errorsOf, refusal } from './form-errors.ts'
import type { FormData } from './form-data.ts'
import { bodyOf, type FormField, formGroups } from './form-fields.ts'
import { csrf } from './frame.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'

/** A short form of a few fields of a model, on the page of another object. */
export interface PartForm {
  m: AnyModel
  /** Names of its fields, in order. */
  names: readonly string[]
  title: string
  button: string
}

const fieldsIn = (visit: Visit, { m, names }: PartForm): FormField[] => {
  const found = new Map(
    formGroups(visit, m, names)
      .flatMap(({ fields }) => fields)
      .map((field) => [field.name, field]),
  )
  return names.flatMap((name) => found.get(name) ?? [])
}

/** Whether the user may make such an object at all. */
export const mayAdd = (visit: Visit, m: AnyModel): boolean =>
  (m.methods ?? ['POST']).includes('POST') && visit.actor.writes && may(visit.actor, 'add', m)

/** The form, empty or as it was refused; nothing for who may not add. */
export function partForm(visit: Visit, form: PartForm, refused?: Filled): Html | '' {
  if (!mayAdd(visit, form.m)) return ''
  const fields = fieldsIn(visit, form)
  const preset = (field: FormField) => {
    const { default: value } = (form.m.fields[field.name]?.options ?? {}) as { default?: unknown }
    return field.texts({ [field.name]: value ?? null } as unknown as Row)
  }
  const filled = refused ?? { texts: preset, errors: {} }
  const hasFile = fields.some(({ control }) => control.as === 'file')
  return html`<details class="panel part-form"${refused ? ' open' : ''}>
<summary>${form.title}</summary>${refusal(fields, filled)}<form class="form" method="post" ${
    hasFile ? 'enctype=multipart/form-data hx-encoding=multipart/form-data' : ''
  }>${csrf(visit)}<fieldset><legend class="unseen">${form.title}</legend>
${fields.map((field) => fieldHtml(visit, field, filled))}</fieldset>
<p class="submit"><button class="primary">${form.button}</button></p></form></details>`
}

/**
 * Makes an object of what such a form sent, with more members that it does not ask for; or answers what is wrong with
 * it.
 */
export async function madeOf(
  visit: Visit,
  form: PartForm,
  data: FormData,
  more: Readonly<Record<string, unknown>>,
): Promise<{ made: Row } | { refused: Filled; status: number }> {
  demand(visit, 'add', form.m)
  const fields = fieldsIn(visit, form)
  const texts = (field: FormField) => typed(field, data)
  const { body, errors } = bodyOf([{ title: '', fields }], data, true)
  if (Object.keys(errors).length) return { refused: { texts, errors }, status: 400 }
  try {
    const answer = await createOne(visit, form.m, { ...body, ...more })
    return { made: JSON.parse(String(answer.body)) as Row }
  } catch (error) {
    demandRefusal(error)
    return { refused: { texts, errors: errorsOf(error.body) }, status: error.status }
  }
}
