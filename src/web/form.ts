import { demandRefusal } from './refusal.ts'
import { parseExact } from '../lib/exact-json.ts'
import { html } from 'hono/html'
import { type Answer, ApiError, forbidden, jsonAnswer } from '../http/request.ts'
import { NoSuchObject } from './no-such-object.ts'
import type { Visit } from './visit.ts'
import { createOne, demand, updateOne } from '../http/resource.ts'
import { modelNamed, models } from '../engine/catalog.ts'
import { pagesOnly, extraOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { namesOf } from './displays.ts'
import { leadTo } from './frame.ts'
import { type FormData, readForm } from './form-data.ts'
import { errorsOf } from './form-errors.ts'
import { bodyOf, type FormField, type FormGroup, formGroups } from './form-fields.ts'
import { formPage } from './form-page.ts'
import { hasPage, listHref, objectHref, safePath } from './links.ts'
import { demandTaken, mayMake } from './may-make.ts'
import { afterwards, specialForm } from './parts/forms.ts'
import { createSeries, type Series, seriesIn } from './series.ts'
import type { Row } from './table.ts'
import { FillIn } from './templates.ts'
import { titleOf } from './words.ts'

/** `/dcim/sites/add/`: the form of a new object, filled from the query or from an object to be cloned. */
export function addPage(call: Visit, m: AnyModel): Answer {
  demandTaken(m, 'POST')
  demand(call, 'add', m)
  const original = call.query.get('_clone')
  const row = original
    ? cloned(call, m, Number(original))
    : { ...defaults(m), ...fromTemplate(call, m, call.query.getAll('_template')) }
  const texts = (field: FormField) => {
    const given = presets(call, field)
    return given.length ? given : field.texts(row ?? defaults(m))
  }
  const filled = { texts, errors: {}, given: (name: string) => call.query.getAll(name), isPreset: true }
  return formPage(call, m, undefined, filled)
}

/** What a new object has in common with the template that was chosen. */
function fromTemplate(call: Visit, m: AnyModel, chosen: readonly string[]): Row | undefined {
  const id = chosen.findLast(Boolean)
  const template = id && /^\d{1,15}$/.test(id) && m.pages?.template ? modelNamed(m.pages.template) : undefined
  const given = template && shown(call, template, Number(id))
  if (!given) return undefined
  const own = Object.entries(given).filter(
    ([name]) => m.fields[name]?.input && name !== 'custom_fields' && name !== 'tags',
  )
  return Object.fromEntries(own) as Row
}

/** What a query presets in a field: `?site=3`, and of a reference to one of several models its type and id. */
const presets = (call: Visit, field: FormField): string[] =>
  field.control.as === 'object'
    ? presetObject(call, call.query.get(`${field.name}_type`), call.query.get(`${field.name}_id`))
    : call.query
        .getAll(field.name)
        .filter((value) => field.control.as !== 'pick' || isKnown(call, field.control.model, value))

const presetObject = (call: Visit, type: string | null, id: string | null): string[] =>
  type && type in models ? [type, ...(id && isKnown(call, type, id) ? [id] : [])] : []

/** Whether a form may say that it knows an object: nobody learns of one by its id whom it is not shown. */
const isKnown = (call: Visit, model: string, value: string): boolean =>
  !/^\d{1,15}$/.test(value) || call.store.reader.mayOn(call.actor, 'view', modelNamed(model), Number(value)) === true

const defaults = (m: AnyModel): Row =>
  Object.fromEntries(
    Object.entries(m.fields).map(([name, field]) => [
      name,
      (field as { options: { default?: unknown } }).options.default ?? null,
    ]),
  ) as Row

/** What a clone takes of an object: everything but what tells it from others. */
function cloned(call: Visit, m: AnyModel, id: number): Row | undefined {
  const row = shown(call, m, id)
  if (!row) return undefined
  const unique = Object.entries(m.fields).filter(
    ([, field]) => (field as { options: { unique?: boolean } }).options.unique,
  )
  for (const name of ['name', 'slug', ...unique.map(([own]) => own)]) row[name] = null
  const custom = (row.custom_fields ?? {}) as Record<string, unknown>
  for (const { name, is_cloneable: isCopied, ui_editable: editing, default: preset } of call.store.customFields.of(m))
    if (!isCopied || editing !== 'yes') custom[name] = JSON.parse(preset ?? 'null')
  return row
}

function shown(call: Visit, m: AnyModel, id: number): Row | undefined {
  if (call.store.reader.mayOn(call.actor, 'view', m, id) !== true) return undefined
  const also = [...(extraOf(m).tags ? ['tags'] : []), ...pagesOnly(m).map(([name]) => name)]
  const view = also.length > 0 ? { omit: [], also } : {}
  const json = call.store.reader.one(m, id, view, call.config.basePath)
  return json === undefined ? undefined : (parseExact(String(json)) as Row)
}

/**
 * `POST …/add/`: makes the object and leads to it, or to what `shown` says, or shows the form again with what is wrong.
 */
export async function addObject(call: Visit, m: AnyModel, shown?: (made: Row) => Answer): Promise<Answer> {
  demandTaken(m, 'POST')
  demand(call, 'add', m)
  const data = await readForm(call)
  const series = data.all('_redraw').length ? undefined : seriesIn(m, data)
  if (series) return addSeries(call, m, data, series)
  return written(call, m, undefined, data, async (body) => {
    const answer = await createOne(call, m, body, afterwards(call, m, data))
    const made = JSON.parse(String(answer.body)) as Row
    if (shown) return shown(made)
    if (call.query.has('_pick')) return jsonAnswer(201, { id: made.id, display: made.display })
    const again = data.all('_again').length > 0
    const href = again
      ? `${listHref(call, m)}add/?${repeated(data)}`
      : (safePath(call, data.all('_back')[0]) ?? (hasPage(m) ? objectHref(call, m, made.id) : listHref(call, m)))
    return leadTo(call, href, `${titleOf(m)} ${made.display} was added.`, 'good', specialForm(m)?.next?.(call, made))
  })
}

/** Makes the objects that the patterns of a form stand for, all or none. */
async function addSeries(call: Visit, m: AnyModel, data: FormData, series: Series): Promise<Answer> {
  const outcome = await createSeries(call, m, data, series)
  if ('errors' in outcome)
    return formPage(
      call,
      m,
      undefined,
      { texts: (field) => typed(field, data), errors: outcome.errors },
      outcome.status,
    )
  const back = safePath(call, data.all('_back')[0]) ?? listHref(call, m)
  const href = data.all('_again').length ? `${listHref(call, m)}add/?${repeated(data)}` : back
  return leadTo(call, href, `${outcome.made} ${m.plural} were added.`)
}

/** What the form of the next object keeps of this one: where it belongs. */
function repeated(data: FormData): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of [
    'site',
    'location',
    'rack',
    'device',
    'device_type',
    'module_type',
    'role',
    'tenant',
    'vrf',
    'group',
    'virtual_machine',
  ])
    for (const value of data.all(name)) if (value) kept.append(name, value)
  for (const value of data.all('_back')) kept.append('_back', value)
  return kept
}

const back = (call: Visit, m: AnyModel, data: FormData): string =>
  safePath(call, data.all('_back')[0]) ?? listHref(call, m)

/** `/dcim/sites/3/edit/`. */
export function editPage(call: Visit, m: AnyModel, id: number): Answer {
  const row = editable(call, m, id)
  return formPage(call, m, row, { texts: (field) => field.texts(row), errors: {} })
}

function editable(call: Visit, m: AnyModel, id: number): Row {
  demandTaken(m, 'PATCH')
  demand(call, 'change', m)
  const row = shown(call, m, id)
  if (!row) throw new NoSuchObject(m, id)
  if (call.store.reader.mayOn(call.actor, 'change', m, id) !== true) throw forbidden()
  return row
}

/** `POST …/edit/`: changes the object, unless somebody else did since the form was made. */
export async function editObject(call: Visit, m: AnyModel, id: number): Promise<Answer> {
  demandTaken(m, 'PATCH')
  const data = await readForm(call)
  try {
    return await edited(call, m, id, data)
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404
    if (isGone && mayMake(call, m)) return anew(call, m, data)
    throw error
  }
}

/** The form of a new object with what was typed for one that somebody deleted meanwhile. */
function anew(call: Visit, m: AnyModel, data: FormData): Answer {
  const before = html`<div class="message bad" role="alert">
<p><b>This ${m.label} is no longer there.</b> Nothing was saved. Below is what you typed; adding it makes a new
${m.label}.</p></div>`
  const action = `${listHref(call, m)}add/`
  const filled = { texts: (field: FormField) => typed(field, data), errors: {}, given: data.all, action }
  return formPage(call, m, undefined, filled, 409, before)
}

async function edited(call: Visit, m: AnyModel, id: number, data: FormData): Promise<Answer> {
  const row = editable(call, m, id)
  const etag = data.all('_etag')[0] || null
  return written(call, m, row, data, async (body) => {
    const answer = await updateOne(call, m, id, body, etag, afterwards(call, m, data))
    const made = JSON.parse(String(answer.body)) as Row
    const href = hasPage(m) ? (safePath(call, data.all('_back')[0]) ?? objectHref(call, m, id)) : back(call, m, data)
    return leadTo(
      call,
      href,
      `${titleOf(m)} ${call.store.reader.display(m, id)} was changed.`,
      'good',
      specialForm(m)?.next?.(call, made),
    )
  })
}

/** Reads a form and writes what it says; a refusal shows it again with what was typed and what is wrong. */
async function written(
  call: Visit,
  m: AnyModel,
  row: Row | undefined,
  data: FormData,
  write: (body: Record<string, unknown>) => Promise<Answer>,
): Promise<Answer> {
  const groups = formGroups(call, m)
  const { body, errors } = bodyOf(groups, data, row === undefined, row)
  const texts = (field: FormField) => (row && field.control.as === 'file' ? field.texts(row) : typed(field, data, row))
  const given = data.all
  if (!row && data.all('_redraw').includes(FillIn)) {
    const template = fromTemplate(call, m, data.all('_template')) ?? ({} as Row)
    const said = (field: FormField) => field.texts(template).filter(Boolean)
    const both = (field: FormField) => (field.name in template && said(field).length ? said(field) : texts(field))
    return formPage(call, m, row, { texts: both, errors: {}, given })
  }
  if (data.all('_redraw').length) {
    const tried = await specialForm(m)?.tried?.(call, data)
    return formPage(call, m, row, { texts, errors: {}, given, ...(tried ? { tried } : {}) })
  }
  if (Object.keys(errors).length) return formPage(call, m, row, { texts, errors, given }, 400)
  try {
    return await write(body)
  } catch (error) {
    demandRefusal(error, 404)
    if (error.status === 412 && row)
      return formPage(call, m, row, { texts, errors: {}, given }, 409, conflict(call, m, row, groups, data))
    return formPage(call, m, row, { texts, errors: errorsOf(error.body), given }, error.status)
  }
}

/** The texts that a form sent of a field; of one that is told, those of its object. */
export const typed = (field: FormField, data: FormData, row?: Row): string[] =>
  field.told
    ? field.texts(row ?? ({} as Row))
    : field.control.as === 'object'
      ? data.all(`${field.name}_type`).flatMap((type, i) => [type, data.all(`${field.name}_id`)[i] ?? ''])
      : data.all(field.name)

/** Both versions of what somebody else changed meanwhile. */
function conflict(call: Visit, m: AnyModel, row: Row, groups: readonly FormGroup[], data: FormData): Html {
  const differing = groups
    .flatMap((group) => group.fields)
    .filter(
      (field) =>
        field.control.as !== 'file' &&
        !field.told &&
        field.texts(row).join('\n') !== typed(field, data).filter(Boolean).join('\n'),
    )
  return html`<div class="message bad" role="alert">
<p><b>Somebody else changed this ${m.label} since you opened it.</b> Nothing was saved. Below is what you typed; saving
it now overwrites what is there.</p>
<table><thead><tr><th scope="col">Field</th><th scope="col">Now</th><th scope="col">Yours</th></tr></thead>
<tbody>${differing.map((field) => {
    const [now, yours] = [field.texts(row), typed(field, data)].map((texts) => readable(call, field, texts))
    return html`<tr><th scope="row">${field.label}</th><td>${now!}</td><td>${yours!}</td></tr>`
  })}</tbody></table></div>`
}

/** Texts of a field as a person reads them. */
function readable(call: Visit, { control }: FormField, texts: readonly string[]): string {
  if (control.as === 'choice')
    return texts.map((text) => control.choices.find(([value]) => String(value) === text)?.[1] ?? text).join(', ')
  if (control.as !== 'pick') return texts.join(', ')
  return namesOf(call, modelNamed(control.model), texts, control.by).join(', ')
}
