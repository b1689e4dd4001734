import { html, raw } from 'hono/html'
import type { Answer } from '../http/request.ts'
import type { Visit } from './visit.ts'
import { watched } from './watch.ts'
import { etagOf } from '../http/resource.ts'
import { modelNamed } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import { assetHref } from './assets.ts'
import { askedField } from './asked-field.ts'
import type { Html } from './cells.ts'
import { controlHtml } from './controls.ts'
import { csrf, page } from './frame.ts'
import { fieldMessage, refusal, wrongWith } from './form-errors.ts'
import { type FormField, type FormGroup, formGroups } from './form-fields.ts'
import { hasPage, listHref, objectHref, safePath } from './links.ts'
import { redrawnBy } from './redraw.ts'
import { withPatterns } from './series.ts'
import type { Row } from './table.ts'
import { templatePicker } from './templates.ts'
import { pluralOf, withinText } from './words.ts'

/** Texts of a form's fields by name, and what is wrong with them. */
export interface Filled {
  texts: (field: FormField) => readonly string[]
  /** All texts that a form or an address gave by a name. */
  given?: (name: string) => readonly string[]
  /** Whether nobody entered it, so that nothing is lost where the page is left. */
  isPreset?: boolean
  errors: Readonly<Record<string, unknown>>
  /** What a button that saves nothing asked to see. */
  tried?: Html
  /** Where the form is sent, where not to its own address. */
  action?: string
  /** The object as it is, where it is there already: what it holds may be taken away. */
  row?: Row | undefined
}

/** The page of a form: of a new object, or of one that is there. */
export function formPage(
  call: Visit,
  m: AnyModel,
  row: Row | undefined,
  filled: Filled,
  status = 200,
  before?: Html,
): Answer {
  const groups = row ? formGroups(call, m) : withPatterns(call, m, formGroups(call, m))
  const fields = [...groups.flatMap((group) => group.fields), Message]
  // What was typed is judged by the version that was seen, until both have been shown.
  const etag = (status === 409 ? undefined : filled.given?.('_etag')[0]) ?? (row && etagOf(call, m, row.id)) ?? ''
  const all: Filled = { ...filled, row }
  const isChanged = filled.given && !filled.isPreset
  const hasFiles = fields.some(({ control }) => control.as === 'file')
  const what = row ? `Edit ${row.display}` : `Add ${/^[aeiou]/i.test(m.label) ? 'an' : 'a'} ${m.label}`
  const cancel =
    safePath(call, call.query.get('_back') ?? undefined) ??
    (row && hasPage(m) ? objectHref(call, m, row.id) : listHref(call, m))
  return page(call, {
    status,
    title: what,
    crumbs: [
      [listHref(call, m), pluralOf(m)],
      ...(row && hasPage(m) ? ([[objectHref(call, m, row.id), row.display]] as const) : []),
    ],
    body: html`${row ? watched(call, m, 'form', row.id) : ''}${before ?? ''}${refusal(fields, all)}
<form class="form" method="post"${filled.action ? html` action="${filled.action}"` : ''} ${
      hasFiles ? 'enctype=multipart/form-data hx-encoding=multipart/form-data' : ''
    }${isChanged ? raw(' data-changed="1"') : ''}${row ? raw(` data-id="${row.id}"`) : ''}>${csrf(call)}${
      row ? html`<input type="hidden" name="_etag" value="${etag}">` : ''
    }${
      call.query.get('_back') ? html`<input type="hidden" name="_back" value="${call.query.get('_back')!}">` : ''
    }${row ? '' : templatePicker(call, m, filled.given?.('_template') ?? [])}
${groups.map((group) => groupHtml(call, group, all))}
<fieldset><legend>Change log</legend>${fieldHtml(call, Message, all)}</fieldset>
<p class="submit"><button class="primary">${row ? 'Save' : 'Add'}</button>${
      row ? '' : html`<button name="_again" value="1">Add and another</button>`
    }<a class="button" href="${cancel}" data-leave>Cancel</a></p>
</form><script src="${assetHref(call.config.basePath, 'form.js')}" defer></script>`,
  })
}

function groupHtml(call: Visit, { title, fields, html: whole, after }: FormGroup, filled: Filled): Html {
  if (whole) return whole(filled, (field, filled) => fieldHtml(call, field, filled))
  return html`<fieldset><legend>${title}</legend>${fields.map((field) => fieldHtml(call, field, filled))}</fieldset>
${after?.(filled) ?? ''}`
}

/** Why something is changed, for its change record. */
const Message = askedField({
  name: 'changelog_message',
  label: 'Message',
  help: 'Why, for the change log.',
  control: { as: 'line', type: 'text', max: 200 },
})

/** A field with its label, help and errors. */
export function fieldHtml(call: Visit, field: FormField, filled: Filled): Html {
  const { texts, errors, row } = filled
  const isWrong = wrongWith(field, errors).length > 0
  const ids = [...(field.help ? [`h-${field.name}`] : []), ...(isWrong ? [`e-${field.name}`] : [])]
  const target = field.control.as === 'pick' ? modelNamed(field.control.model) : undefined
  const add = target && quickAdd(call, target)
  if (field.told) return toldHtml(field, field.told(texts(field)))
  const { control, redraws, button } = followed(call, field, filled)
  return html`<div class="field${isWrong ? ' wrong' : ''}${control.as === 'area' ? ' tall' : ''}"${redraws}${
    field.when ? html` data-when="${field.when}"` : ''
  }><label for="f-${field.name}">${field.label}${
    field.required ? html` <span class="must" aria-hidden="true">*</span>` : ''
  }</label>${controlHtml(call, control, {
    name: field.name,
    values: texts(field),
    required: field.required,
    describedBy: ids.join(' ') || undefined,
    invalid: isWrong,
    narrow: field.narrow,
    quickAdd: add,
    addPage: target && newHref(call, target),
    isStored: row !== undefined,
  })}${narrowersHtml(call, field)}${
    isWrong ? html`<p class="error" id="e-${field.name}">${fieldMessage(field, filled)}</p>` : ''
  }${
    field.help ? html`<p class="help" id="h-${field.name}">${field.help}</p>` : ''
  }${field.after?.(filled) ?? ''}${button}</div>`
}

/** How a field is asked for, which others may say; what draws it anew then, and a button for who has no scripts. */
function followed(call: Visit, { name, label, control, follows }: FormField, filled: Filled) {
  if (!follows) return { control, redraws: '', button: '' }
  const href = filled.action ?? `${call.config.basePath}${call.path}`
  return {
    control: follows.control(filled),
    redraws: redrawnBy(`field-${name}`, href, follows.fields),
    button: html`<noscript><button name="_redraw" value="1"
      formnovalidate>Show the ${withinText(label)}</button></noscript>`,
  }
}

/** Pickers by which scripts narrow what another offers; without them they would do nothing, so they are hidden. */
function narrowersHtml(call: Visit, { label, narrowers = [] }: FormField): Html | '' {
  if (narrowers.length === 0) return ''
  const names = narrowers.map((each) => withinText(each.label))
  return html`<details class="narrowers" hidden><summary>Narrow by ${names.join(', ')}</summary>${narrowers.map(
    (each) =>
      html`<label for="f-${each.name}"><span class="unseen">${label}:
</span>${each.label}</label>${controlHtml(call, { as: 'pick', model: each.model }, { name: each.name, values: [] })}`,
  )}</details>`
}

const toldHtml = ({ name, label, help }: FormField, value: Html): Html =>
  html`<div class="field"><span class="term" id="l-${name}">${label}</span><div class="told" role="group"
    aria-labelledby="l-${name}">${value}</div>${help ? html`<p class="help">${help}</p>` : ''}</div>`

/** The form of a new object of a model, where the user may make one. */
const newHref = (call: Visit, m: AnyModel): string | undefined =>
  !m.internal &&
  hasPage(m) &&
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
