import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { type Answer, noSuchPage } from '../http/request.ts'
import { conditionOf } from '../http/lists.ts'
import { changeMany, demand, messageOf } from '../http/resource.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import { fieldHtml } from './form-page.ts'
import { type FormData, readForm } from './form-data.ts'
import { errorsOf, refusal } from './form-errors.ts'
import { askedField } from './asked-field.ts'
import type { FormField } from './form-fields.ts'
import { narrowed } from './narrowing.ts'
import { csrf, leadTo, page } from './frame.ts'
import { messageField } from './message-field.ts'
import { listHref, objectHref, safePath, withQuery } from './links.ts'
import { faults, howMany, selectionOf } from './selection.ts'
import type { Row } from './table.ts'
import { idsTyped } from './typed-objects.ts'
import type { Visit } from './visit.ts'
import { labelAt, pluralOf, withinText, words } from './words.ts'

/** Where objects are to come to: the reference that leads there, and the object that it leads to. */
export interface Aim {
  field: string
  owner: AnyModel
  id: number
  name: string
}

/** Whether objects of a model can come to one of another and leave it again, by this reference. */
function isOpen(m: AnyModel, name: string): boolean {
  const field = Object.hasOwn(m.fields, name) ? m.fields[name]! : undefined
  return (
    field?.target !== undefined &&
    field.target.onDelete !== 'cascade' &&
    !field.required &&
    !field.readOnly &&
    !field.options.hidden &&
    (m.methods ?? ['PATCH']).includes('PATCH') &&
    filtersOf(m).has(`${name}_id`)
  )
}

/** Where a table of related objects gets more of those that there are; undefined where it cannot, or they may not. */
export function assignHref(visit: Visit, m: AnyModel, query: string, owner: AnyModel, row: Row): string | undefined {
  const field = /^(\w+)_id$/.exec(query)?.[1]
  if (!field || !isOpen(m, field) || m.fields[field]!.target!.model !== owner.name) return undefined
  if (!visit.actor.writes || !may(visit.actor, 'change', m)) return undefined
  return `${listHref(visit, m)}assign/?${new URLSearchParams({ [field]: String(row.id), _back: withQuery(visit, {}) })}`
}

/** What the address says. Throws 404 where it names nothing that the user may view. */
export function aimOf(visit: Visit, m: AnyModel): Aim {
  demand(visit, 'change', m)
  const [field, text = ''] = [...visit.query].find(([name]) => isOpen(m, name)) ?? []
  const [owner, id] = [field && modelNamed(m.fields[field]!.target!.model), Number(text)]
  if (!field || !owner || !/^\d{1,15}$/.test(text)) throw noSuchPage()
  if (visit.store.reader.mayOn(visit.actor, 'view', owner, id) !== true) throw noSuchPage()
  return { field, owner, id, name: visit.store.reader.display(owner, id) || `#${id}` }
}

/** `/dcim/devices/assign/?virtual_chassis=3`: a form that gives an object more of those that belong to none yet. */
export const assignPage = (visit: Visit, m: AnyModel): Answer => form(visit, m, aimOf(visit, m))

/** `POST` to it: all of those chosen, or none. */
export async function assign(visit: Visit, m: AnyModel): Promise<Answer> {
  demand(visit, 'change', m)
  const given = await readForm(visit)
  const aim = aimOf(visit, m)
  const pk = idsIn(visit, m, given)
  const data = { ...given, all: (name: string) => (name === 'pk' ? pk : given.all(name)) }
  const mine = new Set(selectionOf(visit, m, data, 'change').ids)
  const ids = [...new Set(pk.map(Number))].filter((id) => mine.has(id)) // in the order of choosing
  if (ids.length === 0) return form(visit, m, aim, data, { pk: [`Choose some ${m.plural}.`] }, 400)
  const [first = ''] = data.all('_first')
  if (numberOf(m, aim) && !/^\d{1,9}$/.test(first))
    return form(visit, m, aim, data, { _first: ['A number is required.'] }, 400)
  const refused = new Map<number, unknown>()
  try {
    const message = messageOf({ changelog_message: data.all('changelog_message')[0] ?? '' })
    const said = message ? { changelog_message: message } : {}
    const numbers = numbersFor(visit, m, aim, Number(first), ids.length)
    await changeMany(
      visit,
      m,
      ids.map((id, i) => ({ id, [aim.field]: aim.id, ...numbers[i], ...said })),
      refused,
    )
  } catch (error) {
    demandRefusal(error)
    const errors = refused.size ? {} : errorsOf(error.body)
    return form(visit, m, aim, data, errors, refused.size ? 400 : error.status, refused)
  }
  return leadTo(
    visit,
    backOf(visit, aim),
    `${howMany(m, ids.length)} now ${ids.length === 1 ? 'belongs' : 'belong'} to ${aim.name}.`,
  )
}

/** The ids that a form sent, and those of the one name that was typed where no script draws the picker. */
function idsIn(visit: Visit, m: AnyModel, data: FormData): string[] {
  const isId = (text: string) => /^\d{1,15}$/.test(text)
  const ids = data.all('pk').filter(isId)
  const typed = data.all('pk').findLast((text) => text !== '' && !isId(text)) ?? ''
  return [...ids, ...idsTyped(visit, m, typed, visit.config.maxBulkItems).map(String)]
}

/** The field that numbers what belongs to the object: the position of a member. */
const numberOf = (m: AnyModel, { field }: Aim): string | undefined => words(m.pages?.numbered?.[field])[0]

/** Numbers of those that belong to the object by now, as far as the user may view them. */
function takenBy(visit: Visit, m: AnyModel, aim: Aim, number: string): Set<number> {
  const those = conditionOf(visit, m, new URLSearchParams([[`${aim.field}_id`, String(aim.id)]]))
  const { ids } = visit.store.reader.page(m, those, undefined, undefined, 0)
  const rows = visit.store.reader.rows(m, ids, { members: ['id', number] }, '')
  return new Set(rows.map((text) => Number((JSON.parse(text) as Row)[number])))
}

/** So many free numbers from the first on, as parts of bodies. */
function numbersFor(visit: Visit, m: AnyModel, aim: Aim, first: number, count: number): Record<string, number>[] {
  const number = numberOf(m, aim)
  if (!number) return []
  const [taken, found]: [Set<number>, Record<string, number>[]] = [takenBy(visit, m, aim, number), []]
  for (let next = first; found.length < count; next++) if (!taken.has(next)) found.push({ [number]: next })
  return found
}

export const backOf = (visit: Visit, { owner, id }: Aim): string =>
  safePath(visit, visit.query.get('_back') ?? undefined) ?? objectHref(visit, owner, id)

/** The picker of those that belong to none yet. */
function pickerFor(visit: Visit, m: AnyModel, aim: Aim): FormField {
  const base = askedField({
    name: 'pk',
    label: pluralOf(m),
    help: `Those are offered that have no ${withinText(labelAt(m, aim.field))} yet.`,
    required: true,
    control: { as: 'pick', model: m.name, multiple: true },
  })
  const field = narrowed(m, [{ title: '', fields: [base] }])[0]!.fields[0]!
  const narrow: Record<string, string | readonly string[]> = { ...field.narrow, [`${aim.field}_id`]: '=null' }
  // Parts of one thing are joined: what the object is a part of narrows at once, as a form does of such a part.
  const offers = [...new URLSearchParams(m.pages?.offers?.[aim.field])]
  const shared = Object.entries(m.pages?.narrow ?? {})
    .filter(([, name]) => aim.owner.fields[name]?.target)
    .map(([parameter, name]) => [offers.find(([, value]) => value === `$${name}`)?.[0] ?? parameter, name] as const)
  const members = ['id', ...shared.map(([, name]) => name)]
  const [text] = visit.store.reader.rows(aim.owner, [aim.id], { members }, '')
  const row = JSON.parse(text ?? '{}') as Record<string, { id: number } | null>
  for (const [parameter, name] of shared) if (row[name]) narrow[parameter] = `=${row[name].id}`
  const narrowers = (field.narrowers ?? []).filter(({ name }) => Object.values(narrow).includes(name))
  return { ...field, narrow, narrowers }
}

function form(
  visit: Visit,
  m: AnyModel,
  aim: Aim,
  data?: FormData,
  errors: Readonly<Record<string, unknown>> = {},
  status = 200,
  refused?: ReadonlyMap<number, unknown>,
): Answer {
  const field = pickerFor(visit, m, aim)
  const number = numberOf(m, aim)
  const next = number ? String(Math.max(0, ...takenBy(visit, m, aim, number)) + 1) : ''
  const numbering: FormField | undefined = number
    ? {
        ...field,
        name: '_first',
        label: `First ${withinText(labelAt(m, number))}`,
        help: 'The others follow in the order in which they are chosen.',
        control: { as: 'line', type: 'number', least: 0, step: 1 },
        narrow: {},
        narrowers: [],
      }
    : undefined
  const texts = ({ name }: FormField) => data?.all(name) ?? (name === '_first' ? [next] : [])
  const fields = [field, ...(numbering ? [numbering] : [])]
  return page(visit, {
    status,
    title: `Choose ${m.plural} for ${aim.name}`,
    crumbs: [
      [listHref(visit, aim.owner), pluralOf(aim.owner)],
      [objectHref(visit, aim.owner, aim.id), aim.name],
    ],
    body: html`${refusal(fields, { texts, errors })}${refused?.size ? faults(visit, m, refused) : ''}
<form class="form" method="post">${csrf(visit)}<fieldset><legend>${pluralOf(m)}</legend>${fields.map((each) =>
      fieldHtml(visit, each, { texts, errors }),
    )}</fieldset>
<fieldset><legend>Change log</legend>${messageField(data?.all('changelog_message')[0])}</fieldset>
<p class="submit"><button class="primary">Save</button><a class="button" href="${backOf(
      visit,
      aim,
    )}">Cancel</a></p></form>`,
  })
}
