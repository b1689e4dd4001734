import { demandRefusal } from './refusal.ts'
import { html, raw } from 'hono/html'
import * as v from 'valibot'
import { type Answer, badMethod } from '../http/request.ts'
import { changeMany, messageOf } from '../http/resource.ts'
import { FieldError } from '../fields/field.ts'
import type { Control } from '../fields/control.ts'
import type { AnyModel } from '../declare/model.ts'
import { isTagged } from '../store/tags.ts'
import { errorsOf, refusal } from './form-errors.ts'
import { fieldHtml } from './form-page.ts'
import { type FormData, readForm } from './form-data.ts'
import { askedField } from './asked-field.ts'
import { type FormField, formGroups } from './form-fields.ts'
import { narrowed } from './narrowing.ts'
import { csrf, leadTo, page } from './frame.ts'
import { messageField } from './message-field.ts'
import { listHref } from './links.ts'
import { faults, howMany, remarks, type Selection, selectionOf } from './selection.ts'
import type { Visit } from './visit.ts'
import { labelFor, pluralOf, withinText, words } from './words.ts'

/**
 * A field of bulk edit, and whether it may be emptied; some add to what an object has, take from it, or change a part
 * of it.
 */
interface Settable {
  field: FormField
  canBeEmpty: boolean
  /** The member of an object that `change` makes anew of what it is and what the form says. */
  part?: { member: string; change: (now: unknown, texts: readonly string[]) => unknown }
}

const Nothing: FormData = { all: () => [], file: () => undefined, names: () => [] }
const Tags: Control = { as: 'pick', model: 'extras.tag', multiple: true }
const TagFields = [
  askedField({ name: 'add_tags', label: 'Add tags', control: Tags }),
  askedField({ name: 'remove_tags', label: 'Remove tags', control: Tags }),
]

/** What bulk edit offers: the fields that a model declares for it, or all that may be the same for several objects. */
function settables(visit: Visit, m: AnyModel): Settable[] {
  const declared = m.pages?.bulk === undefined ? undefined : new Set([...words(m.pages.bulk), 'owner', 'comments'])
  const offered = formGroups(visit, m)
    .flatMap(({ fields }) => fields)
    .filter(({ name, control, told }) => {
      if (control.as === 'file' || name === 'tags' || told) return false
      if (name.startsWith('cf_')) return true
      if (!(name in m.fields)) return false // what a special form asks for besides
      const { unique } = m.fields[name].options as { unique?: boolean }
      return declared ? declared.has(name) : !unique && name !== 'name' && name !== 'slug'
    })
  const [lengths, partial] = [lengthsOf(m), offered.flatMap((field) => addedTo(m, field))]
  const parts = new Map([...lengths, ...partial].map(({ field, part }) => [field.name, part]))
  const all = [...lengths.map(({ field }) => field), ...offered].flatMap((field) => [
    field,
    ...partial.filter(({ part }) => part.member === field.name).map((each) => each.field),
  ])
  const [group] = narrowed(m, [{ title: '', fields: all }])
  return group!.fields.map((field) => {
    const part = parts.get(field.name)
    return { field: untouched(field), canBeEmpty: !part && mayBeEmpty(m, field), ...(part ? { part } : {}) }
  })
}

const idsIn = (texts: readonly string[]): number[] => texts.filter(Boolean).map(Number)
const idsOf = (now: unknown): number[] => (now as { id: number }[]).map(({ id }) => id)

type Partial = Required<Pick<Settable, 'field' | 'part'>>

/** Fields that set the length of networks alone. */
const lengthsOf = (m: AnyModel): Partial[] =>
  Object.entries(m.pages?.lengths ?? {}).map(([name, member]) => ({
    field: askedField({
      name,
      label: labelFor(name),
      control: { as: 'line', type: 'number', least: 0, most: 128, step: 1 },
    }),
    part: { member, change: (now, [length]) => `${String(now).split('/')[0]}/${length}` },
  }))

/** Pickers that add to what an object refers to, and take from it. */
function addedTo(m: AnyModel, { name, label, control }: FormField): Partial[] {
  if (control.as !== 'pick' || !control.multiple || !m.fields[name]?.links || (control.by ?? 'id') !== 'id') return []
  const what = withinText(label)
  return [
    {
      field: askedField({ name: `add_${name}`, label: `Add ${what}`, control }),
      part: { member: name, change: (now, texts) => [...new Set([...idsOf(now), ...idsIn(texts)])] },
    },
    {
      field: askedField({ name: `remove_${name}`, label: `Remove ${what}`, control }),
      part: { member: name, change: (now, texts) => idsOf(now).filter((id) => !idsIn(texts).includes(id)) },
    },
  ]
}

/** A field that says nothing until it is set: a box becomes a choice of yes and no, and nothing is required. */
const untouched = (field: FormField): FormField => ({
  ...field,
  required: false,
  control: field.control.as === 'check' ? { as: 'truth' } : field.control,
})

/** Whether the field takes what an empty form says of it. */
function mayBeEmpty(m: AnyModel, { name, control, required, read }: FormField): boolean {
  if (required || control.as === 'check') return false
  if (name.startsWith('cf_') || control.as === 'object') return true
  const field = m.fields[name]
  try {
    const value = read(Nothing, false)[name]
    return value === null
      ? Boolean(field.options.nullable)
      : value !== undefined && v.safeParse(field.input(), value).success
  } catch (error) {
    if (error instanceof FieldError) return false
    throw error
  }
}

/** `POST …/edit/`: the form to change those chosen in a list, and with `_apply` the change. */
export async function bulkEdit(visit: Visit, m: AnyModel): Promise<Answer> {
  if (m.methods && !m.methods.includes('PATCH')) throw badMethod(visit.method)
  const data = await readForm(visit)
  const chosen = selectionOf(visit, m, data, 'change')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, noneText(m, chosen), 'bad')
  if (!data.all('_apply').length || chosen.hasMoved) return form(visit, m, chosen, data)
  const fields = settables(visit, m)
  const { body, errors, parts: changed } = changesOf(m, fields, data)
  if (Object.keys(errors).length) return form(visit, m, chosen, data, errors, 400)
  if (Object.keys(body).length === 0 && changed.length === 0)
    return form(visit, m, chosen, data, { __all__: ['Set at least one field.'] }, 400)
  const refused = new Map<number, unknown>()
  try {
    const message = messageOf({ changelog_message: data.all('changelog_message')[0] ?? '' })
    const said = message ? { changelog_message: message } : {}
    await changeMany(
      visit,
      m,
      () => bodiesOf(visit, m, chosen.ids, changed).map((own) => ({ ...body, ...own, ...said })),
      refused,
    )
  } catch (error) {
    demandRefusal(error)
    if (refused.size === 0) return form(visit, m, chosen, data, error.body as Record<string, unknown>, error.status)
    return form(visit, m, chosen, data, {}, 400, refused)
  }
  return leadTo(
    visit,
    chosen.back,
    `${howMany(m, chosen.ids.length)} ${chosen.ids.length === 1 ? 'was' : 'were'} changed.`,
  )
}

/** What to say where nothing of what was chosen is left to work on. */
export const noneText = (m: AnyModel, { left }: Selection): string =>
  left ? `You may not do this to the ${m.plural} that you chose.` : `Choose some ${m.plural} first.`

/** The body that the form says of each object: what is set, and what is emptied. */
function changesOf(m: AnyModel, fields: readonly Settable[], data: FormData) {
  const body: Record<string, unknown> = {}
  const errors: Record<string, unknown> = {}
  const custom: Record<string, unknown> = {}
  const parts: Changed[] = []
  const emptied = new Set(data.all('_empty'))
  for (const { field, canBeEmpty, part } of fields) {
    const texts = textsOf(field, data)
    const isSet = texts.some(Boolean)
    if (part) {
      if (isSet && !texts.every((text) => /^\d{0,15}$/.test(text))) errors[field.name] = ['This is no number.']
      else if (isSet) parts.push({ ...part, texts })
      if (isSet && (part.member in body || emptied.has(part.member)))
        errors[field.name] = ['This is set as a whole and changed in part at once.']
      continue
    }
    const isEmptied = canBeEmpty && emptied.has(field.name)
    if (isSet && isEmptied) errors[field.name] = ['This is set and emptied at once.']
    if (!isSet && !isEmptied) continue
    try {
      for (const [key, value] of Object.entries(field.read(isEmptied ? Nothing : data, false)))
        if (key.startsWith('cf_')) custom[key.slice(3)] = value
        else body[key] = value
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      errors[field.name] = error.detail
    }
  }
  if (Object.keys(custom).length) body.custom_fields = custom
  if (isTagged(m))
    for (const name of ['add_tags', 'remove_tags']) {
      const ids = data.all(name).filter(Boolean)
      if (ids.length) body[name] = ids.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : { slug: text }))
    }
  return { body, errors, parts }
}

/** A change of a part of a member, with what the form says of it. */
interface Changed extends NonNullable<Settable['part']> {
  texts: readonly string[]
}

/** The bodies of objects with the members that change in part, read at once. */
function bodiesOf(visit: Visit, m: AnyModel, ids: readonly number[], changed: readonly Changed[]): { id: number }[] {
  if (changed.length === 0) return ids.map((id) => ({ id }))
  const members = ['id', ...new Set(changed.map(({ member }) => member))]
  return visit.store.reader.rows(m, ids, { members }, '').map((bytes) => {
    const row = JSON.parse(bytes.toString()) as { id: number } & Record<string, unknown>
    const body: Record<string, unknown> = {}
    for (const { member, change, texts } of changed) {
      const now = body[member] ? (body[member] as number[]).map((id) => ({ id })) : row[member]
      body[member] = change(now, texts)
    }
    return { id: row.id, ...body }
  })
}

const textsOf = (field: FormField, data: FormData): string[] =>
  field.control.as === 'object'
    ? data.all(`${field.name}_type`).flatMap((type, i) => [type, data.all(`${field.name}_id`)[i] ?? ''])
    : data.all(field.name)

function form(
  visit: Visit,
  m: AnyModel,
  chosen: Selection,
  data: FormData,
  errors: Readonly<Record<string, unknown>> = {},
  status = 200,
  refused?: ReadonlyMap<number, unknown>,
): Answer {
  const isFirst = data.all('_apply').length === 0
  const texts = (field: FormField) => (isFirst ? [] : textsOf(field, data))
  const emptied = new Set(data.all('_empty'))
  const fields = settables(visit, m)
  const tags = isTagged(m) ? TagFields : []
  // The first fault of each field stands beside it; above the form is what is wrong with which objects.
  const bodies = refused ? [...refused.values()].reverse() : [errors]
  const filled = { texts, errors: Object.assign({}, ...bodies.map(errorsOf)) as Record<string, unknown> }
  return page(visit, {
    status,
    title: `Edit ${howMany(m, chosen.ids.length)}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${remarks(m, chosen)}${
      refused ? faults(visit, m, refused) : refusal([...fields.map(({ field }) => field), ...tags], filled)
    }<p>What you set here is set in all of them; every other field stays as it is.</p>
<form class="form bulk-edit"
  method="post" action="${listHref(visit, m)}edit/">${csrf(visit)}${chosen.hidden}<input type="hidden" name="_apply"
    value="1">
<fieldset><legend>Fields</legend>${fields.map(
      ({ field, canBeEmpty }) =>
        html`<div class="settable">${fieldHtml(visit, field, filled)}${
          canBeEmpty
            ? html`<label class="emptied"><input type="checkbox" name="_empty" value="${field.name}"${
                emptied.has(field.name) ? raw(' checked') : ''
              } aria-label="Empty ${field.label}"> empty</label>`
            : ''
        }</div>`,
    )}${tags.map((field) => fieldHtml(visit, field, filled))}</fieldset>
<fieldset><legend>Change log</legend>${messageField(data.all('changelog_message')[0])}</fieldset>
<p class="submit"><button class="primary">Change ${howMany(m, chosen.ids.length)}</button><a class="button"
  href="${chosen.back}">Cancel</a></p></form>`,
  })
}
