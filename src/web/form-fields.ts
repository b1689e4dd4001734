import { numberText, parseExact, stringifyExact } from '../lib/exact-json.ts'
import type { Visit } from './visit.ts'
import { customTexts } from '../rules/custom-values.ts'
import type { Control } from '../fields/control.ts'
import { type Field, FieldError } from '../fields/field.ts'
import { byIds } from '../fields/texts.ts'
import { genericPrefix } from '../engine/catalog.ts'
import { enteredOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { Upload } from '../lib/upload.ts'
import type { Html } from './cells.ts'
import type { Definition } from '../store/custom-fields.ts'
import { controlOf, customLabel } from './custom-controls.ts'
import { customCell } from './custom-panels.ts'
import type { Filled } from './form-page.ts'
import { asTyped, type FormData } from './form-data.ts'
import { type Narrow, narrowed } from './narrowing.ts'
import { specialForm } from './parts/forms.ts'
import { named } from './typed-objects.ts'
import type { Row } from './table.ts'
import { labelAt, labelFor, titleOf, withinText, words } from './words.ts'

/** One field of a form: what it is called, how it is asked for, how its texts are read and written. */
export interface FormField {
  /** Name in the form, and in the errors of the API. */
  name: string
  label: string
  help: string | undefined
  required: boolean
  control: Control
  /** What it offers alone. */
  narrow?: Narrow
  /** Pickers that narrow what it offers and say nothing else, where the form has no such field. */
  narrowers?: readonly { name: string; label: string; model: string }[]
  /** What stands below its control. */
  after?: (filled: Filled) => Html
  /** Keys of a body under which errors may stand, where not its name. */
  keys?: readonly string[]
  /** The values of another field with which this one is shown, as `pages.when` has them. */
  when?: string
  /** Other fields by which it is asked for otherwise: it is drawn anew when one of them changes. */
  follows?: { fields: readonly string[]; control: (filled: Filled) => Control }
  /** What its texts show, where it is told and not entered. */
  told?: (texts: readonly string[]) => Html
  /** The texts that show a value of an object. */
  texts: (row: Row) => string[]
  /** An item of the list that texts say, as people type it; undefined where there is no such item. */
  item?: (texts: readonly string[], index: number) => string | undefined
  /** It says something of other fields' texts, also where its own are as they were shown. */
  readsOthers?: true
  /** What a body says of the texts that the form sent. `row`: the object as it is. Throws `FieldError`. */
  read: (data: FormData, isNew: boolean, row?: Row) => Record<string, unknown>
}
export interface FormGroup {
  title: string
  fields: readonly FormField[]
  /** What stands below it. */
  after?: (filled: Filled) => Html
  /** Drawn as a whole where it is more than its fields one below the other; `draw` draws a field. */
  html?: (filled: Filled, draw: (field: FormField, filled: Filled) => Html) => Html
}

/** The groups of a model's form: those it declares, then what it does not name, its comments and custom fields. */
export function formGroups(call: Visit, m: AnyModel, only?: readonly string[]): FormGroup[] {
  const entered = new Map(enteredOf(m).filter(([, field]) => field.control && field.control('').as !== 'custom'))
  const groups: FormGroup[] = []
  const said = new Set<string>()
  const add = (title: string, names: readonly string[]) => {
    const own = names.filter((name) => entered.has(name) && !said.has(name) && (!only || only.includes(name)))
    for (const name of own) said.add(name)
    if (own.length)
      groups.push({
        title,
        fields: own.map((name) => fieldOf(call, m, name, entered.get(name)!)),
      })
  }
  const names = [...entered.keys()]
  for (const [title, names] of Object.entries(m.pages?.form ?? {})) add(title || titleOf(m), words(names))
  if (!m.pages?.form)
    add(
      titleOf(m),
      names.filter((name) => name !== 'comments' && name !== 'owner'),
    )
  const last = ['owner', 'comments']
  add(
    'Other',
    names.filter((name) => !said.has(name) && !last.includes(name) && (!m.pages?.form || entered.get(name)!.required)),
  )
  for (const name of last) add(name === 'owner' ? 'Ownership' : 'Comments', [name])
  const custom = m.fields.custom_fields && !only ? customGroups(call, m) : []
  const all = [...groups, ...custom]
  return narrowed(m, (!only && specialForm(m)?.groups(call, all)) || all)
}

function fieldOf(call: Visit, m: AnyModel, name: string, field: Field): FormField {
  const control = field.control!(name)
  const when = whenOf(m, name)
  const { filledBy } = field.options
  const isFilled = (data: FormData) =>
    filledBy !== undefined && data.all(name).join('') === '' && data.all(filledBy).join('') !== ''
  const isDecided = (data: FormData) => when?.endsWith('=') === true && data.all(when.slice(0, -1)).some(Boolean)
  return {
    name,
    label: labelAt(m, name),
    help: helpOf(control, m.pages?.help?.[name] ?? field.options.help, filledBy),
    required: field.required && control.as !== 'check' && !field.options.writeOnly && !filledBy,
    control,
    ...(field.generic ? { keys: field.keys!(name) } : {}),
    ...(when ? { when } : {}),
    ...(control.as === 'list' ? { item: (texts, i) => itemOf(control, name, field, texts, i) } : {}),
    texts: (row) => textsOf(control, name, field, row),
    read: (data, isNew) =>
      // What is never shown is kept where nothing is typed.
      isFilled(data) || isDecided(data) || (isKept(control, name, field, data) && !isNew)
        ? {}
        : readField(call, control, name, field, data),
  }
}

const isKept = (control: Control, name: string, field: Field, data: FormData): boolean =>
  (field.options.writeOnly || isCovered(control)) &&
  data.all(name).every((text) => text === '') &&
  !data.all(`${name}__clear`).includes('true')

/** A value that pages never show. */
const isCovered = (control: Control): boolean => control.as === 'line' && control.type === 'password'

/** When the form has a use for a field, as `mode=tagged access`. */
const whenOf = (m: AnyModel, name: string): string | undefined =>
  Object.entries(m.pages?.when ?? {}).find(([names]) => words(names).includes(name))?.[1]

/** What people should know of a field: what it says itself, and how it is asked for. */
function helpOf(control: Control, own: string | undefined, filledBy?: string): string | undefined {
  const both = (more: string) => (own ? `${own} ${more}` : more)
  if (filledBy) return both(`Left empty, it is filled by the ${withinText(labelFor(filledBy))}.`)
  if (control.as === 'line' && control.type === 'datetime-local') return both('In UTC.')
  if (isCovered(control)) return both('Left empty, it stays as it is.')
  if (own) return own
  if (control.as === 'area' && control.json) return 'JSON.'
  if (control.as === 'list')
    return control.lines ? 'One a line.' : control.number ? 'Numbers and ranges, as 1-4, 80.' : 'With commas between.'
  return undefined
}

const idOf = (value: unknown): string => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: number }).id : value
  return id === null || id === undefined ? '' : String(id)
}

/** The texts of a form for a value as the API shows it, by how it is asked for. */
function textsOf(
  control: Control,
  name: string,
  field: Pick<Field, 'generic' | 'toText'> & { typed?: Field['typed'] },
  row: Row,
): string[] {
  const value = row[name]
  if (control.as === 'object' && !control.multiple) {
    const as = genericPrefix(field as Field, name)
    return [String(row[`${as}_type`] ?? ''), idOf(row[`${as}_id`])]
  }
  if (value === null || value === undefined) return []
  switch (control.as) {
    case 'object':
      return (value as { object_type: string; object_id: number }[]).flatMap((each) => [
        each.object_type,
        String(each.object_id),
      ])
    case 'pick':
      return control.multiple
        ? (value as unknown[]).map((each) => (control.by === 'slug' && typeof each === 'string' ? each : idOf(each)))
        : [idOf(value)]
    case 'choice': {
      const one = (each: unknown) => String((each as { value?: unknown }).value ?? each)
      return Array.isArray(value) ? value.map(one) : [one(value)]
    }
    case 'types':
      return [value].flat().map(String)
    case 'list': {
      const items = value as unknown[]
      if (field.typed) return [field.typed(items)]
      return [items.every((each) => typeof each !== 'object') ? items.join(', ') : stringifyExact(value)]
    }
    case 'file':
      return [String(value)]
    case 'area':
      return [!control.json && typeof value === 'string' ? value : jsonText(row, name)]
    case 'line':
      if (control.type === 'password') return []
      return [control.type === 'datetime-local' ? String(value).slice(0, 19) : String(value)]
    default:
      return [String(value)]
  }
}

/** JSON of a member, with its numbers as they are stored. */
const jsonText = (row: Row, name: string): string =>
  (typeof row[name] === 'number' && numberText(row, name)) || stringifyExact(row[name], 2)

/** Members of a body for what a form sent of a field. */
function readField(
  visit: Visit,
  control: Control,
  name: string,
  field: Pick<Field, 'generic' | 'fromText' | 'options'>,
  data: FormData,
): Record<string, unknown> {
  const given = data.all(name)
  if (control.as === 'check') return { [name]: given.includes('true') }
  if (control.as === 'file') {
    const file = data.file(name)
    if (file) return { [name]: new Upload(file.name, file.bytes) }
    return data.all(`${name}__clear`).includes('true') ? { [name]: null } : {}
  }
  if (control.as === 'object') {
    const [types, ids] = [data.all(`${name}_type`), data.all(`${name}_id`)]
    const each = Math.max(1, Math.round(ids.length / types.length)) // a picker, and a line where there are no scripts
    const idAt = (i: number) => ids.slice(i * each, (i + 1) * each).findLast(Boolean) ?? ''
    if (control.multiple)
      return {
        [name]: types
          .map((type, i) => ({ object_type: type, object_id: Number(idAt(i)) || null }))
          .filter(({ object_type, object_id }) => object_type && object_id !== null),
      }
    const as = genericPrefix(field as Field, name)
    const [type = '', id = ''] = [types[0], idAt(0)]
    return { [`${as}_type`]: type || null, [`${as}_id`]: type && id ? Number(id) || id : null }
  }
  const text = 'multiple' in control && control.multiple ? given : (given.findLast(Boolean) ?? given.at(-1) ?? '')
  if (control.as === 'pick' && !control.multiple) return { [name]: named(visit, control.model, String(text)) }
  if (control.as === 'pick' && (control.by ?? 'id') === 'id')
    return { [name]: (text as string[]).filter(Boolean).map((each) => named(visit, control.model, each)) }
  const said = typeof text === 'string' ? linesOf(control, text) : text
  const value = field.fromText ? field.fromText(said, byIds, name) : said
  const isEmptied = value === null && control.as === 'area' && control.code && !field.options.nullable
  return { [name]: isEmptied ? {} : value }
}

/** An item of the list that texts say, as it is typed. */
function itemOf(control: Control, name: string, field: Field, texts: readonly string[], i: number): string | undefined {
  const items = field.fromText?.(linesOf(control, texts.findLast(Boolean) ?? ''), byIds, name)
  const item: unknown = Array.isArray(items) ? items[i] : undefined
  if (item === undefined || typeof item === 'string') return item
  return typeof item === 'number' || !field.typed ? stringifyExact(item) : field.typed([item])
}

/** A text without the line ends that browsers send; the lines of a list that has one item a line. */
function linesOf(control: Control, text: string): string | string[] {
  if (control.as !== 'area' && control.as !== 'list') return text
  const plain = asTyped(text)
  if (control.as === 'area' || !control.lines || plain.trimStart().startsWith('[')) return plain
  const lines = plain.split('\n').map((line) => line.trim())
  return lines.filter(Boolean)
}

/** The custom fields that are not hidden, by their groups; those that may not be edited are told. */
function customGroups(call: Visit, m: AnyModel): FormGroup[] {
  const shown = call.store.customFields.of(m).filter(({ ui_editable: editing }) => editing !== 'hidden')
  return [...Map.groupBy(shown, ({ group_name: group }) => group)].map(([group, definitions]) => ({
    title: group || 'Custom fields',
    fields: definitions.map((each) => (each.ui_editable === 'yes' ? customField(each) : toldField(call, each))),
  }))
}

/** A custom field that forms show and do not change. */
const toldField = (call: Visit, definition: Definition): FormField => ({
  ...customField(definition),
  help: [definition.description, 'Not edited in pages.'].filter(Boolean).join(' '),
  required: false,
  texts: (row) => [stringifyExact(customValue(row, definition))],
  told: ([text]) => customCell(call, definition, parseExact(text ?? 'null')),
  read: () => ({}),
})

/** The value of a custom field of an object; its default where there is none yet. */
function customValue(row: Row, { name, default: preset }: Definition): unknown {
  const values = row.custom_fields as Record<string, unknown> | null | undefined
  return values ? values[name] : JSON.parse(preset ?? 'null')
}

function customField(definition: Definition): FormField {
  const control = controlOf(definition)
  const texts = customTexts(definition)
  const name = `cf_${definition.name}`
  return {
    name,
    label: customLabel(definition),
    help: definition.description || undefined,
    required: definition.required === 1,
    control,
    texts: (row) => {
      const value = customValue(row, definition)
      return value === null || value === undefined ? [] : textsOf(control, 'value', texts, { value } as unknown as Row)
    },
    read: (data) => {
      const given = data.all(name)
      const text = 'multiple' in control && control.multiple ? given : (given.findLast(Boolean) ?? '')
      return { [name]: texts.fromText(text, byIds, definition.name) }
    },
  }
}

/** The body that a form says, or what is wrong with its texts, by field. */
export function bodyOf(
  groups: readonly FormGroup[],
  data: FormData,
  isNew: boolean,
  row?: Row,
): { body: Record<string, unknown>; errors: Record<string, unknown> } {
  const body: Record<string, unknown> = {}
  const errors: Record<string, unknown> = {}
  const custom: Record<string, unknown> = {}
  for (const field of groups.flatMap((group) => group.fields)) {
    if (row && isUntouched(field, row, data)) continue
    try {
      for (const [key, value] of Object.entries(field.read(data, isNew, row)))
        if (key.startsWith('cf_')) custom[key.slice(3)] = value
        else body[key] = value
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      errors[field.name] = error.detail
    }
  }
  if (Object.keys(custom).length) body.custom_fields = custom
  const message = data.all('changelog_message')[0]
  if (message) body.changelog_message = message
  return { body, errors }
}

/** Controls whose texts are all that they say. */
const Told: readonly Control['as'][] = ['line', 'area', 'list', 'choice', 'pick']

/**
 * Whether a form still has what it showed of a field: it says nothing then. A form shows less than what is stored:
 * moments without their microseconds, lines without the ends that they came with, an empty text as no value.
 */
function isUntouched({ control, name, texts, readsOthers }: FormField, row: Row, data: FormData): boolean {
  if (readsOthers || !Told.includes(control.as) || data.all(`${name}__clear`).includes('true')) return false
  const said = (given: readonly string[]) => given.filter(Boolean).map(asTyped)
  const [shown, sent] = [said(texts(row)), said(data.all(name))]
  return shown.length === sent.length && shown.every((text, i) => text === sent[i])
}
