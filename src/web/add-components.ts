import { html } from 'hono/html'
import { type Answer, ApiError, noSuchPage } from '../http/request.ts'
import { demand } from '../http/resource.ts'
import { may } from '../engine/actor.ts'
import { allModels, fieldsOf, memo } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { type Filled, fieldHtml } from './form-page.ts'
import { typed } from './form.ts'
import { type FormData, readForm } from './form-data.ts'
import { refusal } from './form-errors.ts'
import { type FormField, formGroups } from './form-fields.ts'
import { csrf, icon, leadTo, page } from './frame.ts'
import { messageField } from './message-field.ts'
import { listHref, objectHref } from './links.ts'
import { howMany, type Selection, selectionOf } from './selection.ts'
import { createSeries, forMany, seriesIn, withPatterns } from './series.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** A kind of object that others have several of: its model and its field that names what it belongs to. */
interface Component {
  model: AnyModel
  field: string
}

/** References of a model to what its objects belong to: they go with it. */
const owners = memo((m) =>
  fieldsOf(m).filter(([name, { target }]) => target?.onDelete === 'cascade' && name[0] !== '_'),
)

/** What is added to objects of a model in series, such as interfaces to devices. */
const componentsOf: (m: AnyModel) => readonly Component[] = memo((m) =>
  allModels.flatMap((model) => {
    if (!model.pages?.series) return []
    const owner = owners(model).find(([, { target }]) => target!.model === m.name)
    return owner ? [{ model, field: owner[0] }] : []
  }),
)

/** Those of them that the user may add. */
const offered = (visit: Visit, m: AnyModel): readonly Component[] =>
  visit.actor.writes ? componentsOf(m).filter(({ model }) => may(visit.actor, 'add', model)) : []

/** A menu of what can be added to an object; nothing where there is none. */
export function addComponents(visit: Visit, m: AnyModel, row: Row): Html | '' {
  const kinds = offered(visit, m)
  if (kinds.length === 0) return ''
  const line = (each: Component) => {
    const at = `${listHref(visit, each.model)}add/?${presets(visit, m, row, each)}`
    return html`<li><a href="${at}">${pluralOf(each.model)}</a></li>`
  }
  return html`<details class="drop"><summary class="button">${icon(visit, 'add')}Add</summary>
<ul>${kinds.map(line)}</ul></details>`
}

/** What the form of a component is filled with: what it belongs to, and that what does; where it leads back. */
function presets(visit: Visit, m: AnyModel, row: Row, { model, field }: Component): URLSearchParams {
  const query = new URLSearchParams([[field, String(row.id)]])
  for (const [name, { target }] of owners(model)) {
    const { id } = (row[name] ?? {}) as { id?: number }
    if (name !== field && id && m.fields[name]?.target?.model === target!.model) query.append(name, String(id))
  }
  const tab = Object.entries(m.pages?.tabs ?? {}).find(([, each]) => each !== true && each[0] === model.name)?.[0]
  query.append('_back', objectHref(visit, m, row.id, tab ?? ''))
  return query
}

/** Components that several objects of a model can get by one form: those that belong to nothing else. */
const inBulk = (visit: Visit, m: AnyModel): readonly Component[] =>
  offered(visit, m).filter(
    ({ model, field }) =>
      may(visit.actor, 'change', m) && owners(model).every(([name, each]) => name === field || !each.required),
  )

/** The part of a list's bulk actions that adds components to the objects chosen; nothing where there is none. */
export function addToChosen(visit: Visit, m: AnyModel): Html | '' {
  const kinds = inBulk(visit, m)
  if (kinds.length === 0) return ''
  return html`<span class="add-to"><select name="_kind" aria-label="Kind of component">${kinds.map(
    ({ model }) => html`<option value="${model.name}">${pluralOf(model)}`,
  )}</select><button formaction="${listHref(visit, m)}components/">${icon(visit, 'add')}Add to chosen</button></span>`
}

/**
 * `POST /dcim/devices/components/`: the form of components for the objects chosen in a list, and with `_apply` their
 * making.
 */
export async function addToMany(visit: Visit, m: AnyModel): Promise<Answer> {
  const data = await readForm(visit)
  const component = inBulk(visit, m).find(({ model }) => model.name === data.all('_kind')[0])
  if (!component) throw noSuchPage()
  demand(visit, 'add', component.model)
  const chosen = selectionOf(visit, m, data, 'change')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, `Choose some ${m.plural} first.`, 'bad')
  const isShownAgain = chosen.hasMoved || data.all('_redraw').length > 0
  if (!data.all('_apply').length || isShownAgain) return form(visit, m, component, chosen, data)
  const series = seriesIn(component.model, data, chosen.ids.length)
  if (!series) throw new ApiError(400, { detail: 'There is no name in this form.' })
  const outcome = await createSeries(visit, component.model, data, series, { field: component.field, ids: chosen.ids })
  if ('errors' in outcome) return form(visit, m, component, chosen, data, outcome.errors, outcome.status)
  return leadTo(
    visit,
    chosen.back,
    `${howMany(component.model, outcome.made)} were added to ${howMany(m, chosen.ids.length)}.`,
  )
}

function form(
  visit: Visit,
  m: AnyModel,
  { model, field }: Component,
  chosen: Selection,
  data: FormData,
  errors: Readonly<Record<string, unknown>> = {},
  status = 200,
): Answer {
  const others = new Set(owners(model).map(([name]) => name))
  const groups = withPatterns(visit, model, forMany(formGroups(visit, model), field))
    .map((group) => ({ ...group, fields: group.fields.filter(({ name }) => !others.has(name)) }))
    .filter(({ fields }) => fields.length)
  const everyField = groups.flatMap(({ fields }) => fields)
  const isFirst = data.all('_apply').length === 0
  const texts = (one: FormField) => {
    const { default: value } = (model.fields[one.name]?.options ?? {}) as { default?: unknown }
    return isFirst ? one.texts({ [one.name]: value ?? null } as unknown as Row) : typed(one, data)
  }
  const filled: Filled = { texts, errors }
  return page(visit, {
    status,
    title: `Add ${model.plural} to ${howMany(m, chosen.ids.length)}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${refusal(everyField, filled)}<p>Each of the ${m.plural} chosen gets all of these.</p>
<form class="form" method="post" action="${listHref(visit, m)}components/">${csrf(visit)}${chosen.hidden}${[
      ['_apply', '1'],
      ['_kind', model.name],
    ].map(([name, value]) => html`<input type="hidden" name="${name!}" value="${value!}">`)}${groups.map(
      ({ title, fields }) =>
        html`<fieldset><legend>${title}</legend>${fields.map((each) => fieldHtml(visit, each, filled))}</fieldset>`,
    )}
<fieldset><legend>Change log</legend>${messageField(data.all('changelog_message')[0])}</fieldset>
<p class="submit"><button class="primary">Add</button><a class="button" href="${chosen.back}">Cancel</a></p></form>`,
  })
}
