import { html, raw } from 'hono/html'
import { type Answer, ApiError, forbidden, jsonAnswer, notFound } from '../http/request.ts'
import type { Visit } from './visit.ts'
import { watched } from './watch.ts'
import { type Afterwards, createOne, demand, etagOf, updateOne } from '../http/resource.ts'
import { modelNamed, models } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { assetHref } from './assets.ts'
import type { Html } from './cells.ts'
import { controlHtml } from './controls.ts'
import { csrf, leadTo, page } from './frame.ts'
import { type FormData, readForm } from './form-data.ts'
import { errorsOf, messageOf } from './form-errors.ts'
import { bodyOf, type FormField, type FormGroup, formGroups } from './form-fields.ts'
import { listHref, objectHref } from './links.ts'
import { specialForm } from './parts/forms.ts'
import { createSeries, type Series, seriesIn, withPatterns } from './series.ts'
import type { Row } from './table.ts'
import { pluralOf, titleOf } from './words.ts'

/** Texts of a form's fields by name, and what is wrong with them. */
export interface Filled {
  texts: (field: FormField) => readonly string[]
  /** All texts that a form or an address gave by a name. */
  given?: (name: string) => readonly string[]
  errors: Readonly<Record<string, unknown>>
  /** What a button that saves nothing asked to see. */
  tried?: Html
  /** The object is there already: what it holds may be taken away. */
  isStored?: boolean
}

/** `/dcim/sites/add/`: the form of a new object, filled from the query or from an object to be cloned. */
export function addPage(call: Visit, m: AnyModel): Answer {
  demand(call, 'add', m)
  const original = call.query.get('_clone')
  const row = original ? cloned(call, m, Number(original)) : fromTemplate(call, m)
  const texts = (field: FormField) => {
    const given = presets(call, field)
    return given.length ? given : row ? field.texts(row) : field.texts(defaults(m))
  }
  const filled = { texts, errors: {}, given: (name: string) => call.query.getAll(name) }
  return formPage(call, m, undefined, filled, 200, templates(call, m))
}

/** A new object with what it has in common with the template that the query names. */
function fromTemplate(call: Visit, m: AnyModel): Row | undefined {
  const id = call.query.getAll('_template').findLast(Boolean)
  const template = id && /^\d{1,15}$/.test(id) && m.pages?.template ? modelNamed(m.pages.template) : undefined
  const given = template && shown(call, template, Number(id))
  if (!given) return undefined
  const own = Object.entries(given).filter(
    ([name]) => m.fields[name]?.input && name !== 'custom_fields' && name !== 'tags',
  )
  return { ...defaults(m), ...Object.fromEntries(own) }
}

/** Where the templates of a model are chosen from. */
function templates(call: Visit, m: AnyModel): Html | undefined {
  const template = m.pages?.template ? modelNamed(m.pages.template) : undefined
  if (!template || !may(call.actor, 'view', template)) return undefined
  const kept = [...call.query].filter(([name]) => name !== '_template')
  const control = { as: 'pick', model: template.name } as const
  return html`<form class="next-free" method="get">${kept.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label for="f-_template">${titleOf(template)}</label>${controlHtml(call, control, { name: '_template', values: call.query.getAll('_template').filter(Boolean) })}<button>Fill in</button></form>`
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
  const json = call.store.reader.one(m, id, {}, call.config.basePath)
  return json === undefined ? undefined : (JSON.parse(json) as Row)
}

/**
 * `POST …/add/`: makes the object and leads to it, or to what `shown` says, or shows the form again with what is wrong.
 */
export async function addObject(call: Visit, m: AnyModel, shown?: (made: Row) => Answer): Promise<Answer> {
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
      : (safePath(call, data.all('_back')[0]) ??
        (m.displayUrl === false ? listHref(call, m) : objectHref(call, m, made.id)))
    return leadTo(call, href, `${titleOf(m)} ${made.display} was added.`, 'good', specialForm(m)?.next?.(call, made))
  })
}

/** What a special form does once its object is written, in the same transaction. */
function afterwards(call: Visit, m: AnyModel, data: FormData): Afterwards | undefined {
  const saved = specialForm(m)?.saved
  return saved && ((tools, id) => saved(tools, id, data, call))
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

/** A path of this server, or undefined: a form never leads elsewhere. */
export const safePath = (call: Visit, given: string | undefined): string | undefined =>
  given && /^\/(?![/\\])[\x21-\x7e]*$/.test(given) && given.startsWith(call.config.basePath) ? given : undefined

/** `/dcim/sites/3/edit/`. */
export function editPage(call: Visit, m: AnyModel, id: number): Answer {
  const row = editable(call, m, id)
  return formPage(call, m, row, { texts: (field) => field.texts(row), errors: {} })
}

function editable(call: Visit, m: AnyModel, id: number): Row {
  demand(call, 'change', m)
  const row = shown(call, m, id)
  if (!row) throw notFound(m.objectName)
  if (call.store.reader.mayOn(call.actor, 'change', m, id) !== true) throw forbidden()
  return row
}

/** `POST …/edit/`: changes the object, unless somebody else did since the form was made. */
export async function editObject(call: Visit, m: AnyModel, id: number): Promise<Answer> {
  const row = editable(call, m, id)
  const data = await readForm(call)
  const etag = data.all('_etag')[0] || null
  return written(call, m, row, data, async (body) => {
    const answer = await updateOne(call, m, id, body, etag, afterwards(call, m, data))
    const made = JSON.parse(String(answer.body)) as Row
    const href =
      m.displayUrl === false ? back(call, m, data) : (safePath(call, data.all('_back')[0]) ?? objectHref(call, m, id))
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
  if (data.all('_redraw').length) {
    const tried = await specialForm(m)?.tried?.(call, data)
    return formPage(call, m, row, { texts, errors: {}, given, ...(tried ? { tried } : {}) })
  }
  if (Object.keys(errors).length) return formPage(call, m, row, { texts, errors, given }, 400)
  try {
    return await write(body)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refused) || error.status >= 500 || error.status === 404)
      throw error
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
  return html`<div class="message bad" role="alert"><p><b>Somebody else changed this ${m.label} since you opened it.</b> Nothing was saved. Below is what you typed; saving it now overwrites what is there.</p>
<table><thead><tr><th scope="col">Field</th><th scope="col">Now</th><th scope="col">Yours</th></tr></thead><tbody>${differing.map(
    (field) =>
      html`<tr><th scope="row">${field.label}</th><td>${readable(call, field, field.texts(row))}</td><td>${readable(call, field, typed(field, data))}</td></tr>`,
  )}</tbody></table></div>`
}

/** Texts of a field as a person reads them. */
function readable(call: Visit, { control }: FormField, texts: readonly string[]): string {
  if (control.as === 'choice')
    return texts.map((text) => control.choices.find(([value]) => String(value) === text)?.[1] ?? text).join(', ')
  if (control.as !== 'pick') return texts.join(', ')
  const m = modelNamed(control.model)
  return texts.map((text) => (/^\d{1,15}$/.test(text) ? call.store.reader.display(m, Number(text)) : text)).join(', ')
}

function formPage(call: Visit, m: AnyModel, row: Row | undefined, filled: Filled, status = 200, before?: Html): Answer {
  const groups = row ? formGroups(call, m) : withPatterns(call, m, formGroups(call, m))
  const fields = groups.flatMap((group) => group.fields)
  const names = new Set([Message.name, ...fields.flatMap(({ name, keys = [] }) => [name, ...keys])])
  // What was typed is judged by the version that was seen, until both have been shown.
  const etag = (status === 409 ? undefined : filled.given?.('_etag')[0]) ?? (row && etagOf(call, m, row.id)) ?? ''
  const all: Filled = { ...filled, isStored: row !== undefined }
  const general = Object.entries(filled.errors).filter(
    ([name]) => !names.has(name) && !names.has(name.replace(/_(?:id|type)$/, '')),
  )
  const hasFiles = fields.some(({ control }) => control.as === 'file')
  const what = row ? `Edit ${row.display}` : `Add ${/^[aeiou]/i.test(m.label) ? 'an' : 'a'} ${m.label}`
  const cancel =
    safePath(call, call.query.get('_back') ?? undefined) ??
    (row && m.displayUrl !== false ? objectHref(call, m, row.id) : listHref(call, m))
  return page(call, {
    status,
    title: what,
    crumbs: [
      [listHref(call, m), pluralOf(m)],
      ...(row && m.displayUrl !== false ? ([[objectHref(call, m, row.id), row.display]] as const) : []),
    ],
    body: html`${row ? watched(call, m, 'form', row.id) : ''}${before ?? ''}${
      general.length
        ? html`<div class="message bad" role="alert"><ul>${general.map(
            ([name, text]) => html`<li>${name === '__all__' ? '' : `${name}: `}${messageOf(text)}</li>`,
          )}</ul></div>`
        : ''
    }<form class="form" method="post" ${
      hasFiles ? 'enctype=multipart/form-data hx-encoding=multipart/form-data' : ''
    }${filled.given ? raw(' data-changed="1"') : ''}>${csrf(call)}${
      row ? html`<input type="hidden" name="_etag" value="${etag}">` : ''
    }${
      call.query.get('_back') ? html`<input type="hidden" name="_back" value="${call.query.get('_back')!}">` : ''
    }${groups.map((group) => groupHtml(call, group, all))}
<fieldset><legend>Change log</legend>${fieldHtml(call, Message, all)}</fieldset>
<p class="submit"><button class="primary">${row ? 'Save' : 'Add'}</button>${
      row ? '' : html`<button name="_again" value="1">Add and another</button>`
    }<a class="button" href="${cancel}" data-leave>Cancel</a></p></form><script src="${assetHref(call.config.basePath, 'form.js')}" defer></script>`,
  })
}

function groupHtml(call: Visit, { title, fields, html: whole, after }: FormGroup, filled: Filled): Html {
  if (whole) return whole(filled)
  return html`<fieldset><legend>${title}</legend>${fields.map((field) => fieldHtml(call, field, filled))}</fieldset>${after?.(filled) ?? ''}`
}

/** Why something is changed, for its change record. */
const Message: FormField = {
  name: 'changelog_message',
  label: 'Message',
  help: 'Why, for the change log.',
  required: false,
  control: { as: 'line', type: 'text', max: 200 },
  texts: () => [],
  read: () => ({}),
}

/** A field with its label, help and errors. */
export function fieldHtml(call: Visit, field: FormField, filled: Filled): Html {
  const { texts, errors, isStored } = filled
  const keys = new Set([field.name, `${field.name}_id`, `${field.name}_type`, ...(field.keys ?? [])])
  const wrong = [...keys].map((key) => errors[key]).filter((text) => text !== undefined)
  const ids = [...(field.help ? [`h-${field.name}`] : []), ...(wrong.length ? [`e-${field.name}`] : [])]
  const target = field.control.as === 'pick' ? modelNamed(field.control.model) : undefined
  const add = target && quickAdd(call, target)
  if (field.told) return toldHtml(field, field.told(texts(field)))
  return html`<div class="field${wrong.length ? ' wrong' : ''}${field.control.as === 'area' ? ' tall' : ''}"${
    field.when ? html` data-when="${field.when}"` : ''
  }><label for="f-${field.name}">${field.label}${
    field.required ? html` <span class="must" aria-hidden="true">*</span>` : ''
  }</label>${controlHtml(call, field.control, {
    name: field.name,
    values: texts(field),
    required: field.required,
    describedBy: ids.join(' ') || undefined,
    invalid: wrong.length > 0,
    narrow: field.narrow,
    quickAdd: add,
    addPage: target && newHref(call, target),
    isStored: isStored ?? false,
  })}${narrowersHtml(call, field)}${
    wrong.length ? html`<p class="error" id="e-${field.name}">${messageOf(wrong)}</p>` : ''
  }${
    field.help ? html`<p class="help" id="h-${field.name}">${field.help}</p>` : ''
  }${field.after?.(filled) ?? ''}</div>`
}

/** Pickers by which scripts narrow what another offers; without them they would do nothing, so they are hidden. */
function narrowersHtml(call: Visit, { label, narrowers = [] }: FormField): Html | '' {
  if (narrowers.length === 0) return ''
  const names = narrowers.map((each) => each.label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()))
  return html`<details class="narrowers" hidden><summary>Narrow by ${names.join(', ')}</summary>${narrowers.map(
    (each) =>
      html`<label for="f-${each.name}"><span class="unseen">${label}: </span>${each.label}</label>${controlHtml(call, { as: 'pick', model: each.model }, { name: each.name, values: [] })}`,
  )}</details>`
}

const toldHtml = ({ name, label, help }: FormField, value: Html): Html =>
  html`<div class="field"><span class="term" id="l-${name}">${label}</span><div class="told" role="group" aria-labelledby="l-${name}">${value}</div>${
    help ? html`<p class="help">${help}</p>` : ''
  }</div>`

/** The form of a new object of a model, where the user may make one. */
const newHref = (call: Visit, m: AnyModel): string | undefined =>
  !m.internal &&
  m.displayUrl !== false &&
  (m.methods ?? ['POST']).includes('POST') &&
  call.actor.writes &&
  may(call.actor, 'add', m)
    ? `${listHref(call, m)}add/`
    : undefined

/** Where objects of a small model are made on the spot: those known by a name and a slug alone. */
function quickAdd(call: Visit, m: AnyModel): string | undefined {
  const needed = Object.entries(m.fields)
    .filter(([, field]) => (field as { required: boolean }).required)
    .map(([name]) => name)
  const isSmall = needed.every((name) => name === 'name' || name === 'slug') && needed.includes('slug')
  return isSmall && call.actor.writes && may(call.actor, 'add', m)
    ? `${call.config.basePath}/api/${m.path}/`
    : undefined
}
