import { isObject } from '../../lib/json.ts'
import { html } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import type { Control } from '../../fields/control.ts'
import { parseExact, stringifyExact } from '../../lib/exact-json.ts'
import { askedField } from '../asked-field.ts'
import type { Html } from '../cells.ts'
import type { FormData } from '../form-data.ts'
import type { FormField, FormGroup } from '../form-fields.ts'
import type { Filled } from '../form-page.ts'
import { listHref, objectHref } from '../links.ts'
import { redrawnBy } from '../redraw.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { labelFor } from '../words.ts'
import type { SpecialForm } from './forms.ts'

/** A member of a JSON schema, as far as a form heeds it: the rule of module types checks the rest. */
interface Property {
  type?: unknown
  title?: unknown
  description?: unknown
  default?: unknown
  enum?: unknown
  items?: Property
  minimum?: unknown
  maximum?: unknown
}
type Values = Record<string, unknown>

/** What a profile asks to know: its properties by name, and which of them it demands. */
interface Questions {
  properties: readonly (readonly [key: string, property: Property])[]
  required: ReadonlySet<string>
}

/** What the profile asks whose id stands in a form, where the user may view it. */
function questionsOf(visit: Visit, profile: string | undefined): Questions | undefined {
  const m = modelNamed('dcim.moduletypeprofile')
  if (!profile || !/^\d{1,15}$/.test(profile)) return undefined
  if (visit.store.reader.mayOn(visit.actor, 'view', m, Number(profile)) !== true) return undefined
  const schema = parseExact(visit.store.rows.row('dcim.moduletypeprofile', Number(profile))?.schema ?? 'null')
  if (!isObject(schema) || !isObject(schema.properties)) return undefined
  const properties = Object.entries(schema.properties).map(
    ([key, property]) => [key, (isObject(property) ? property : {}) as Property] as const,
  )
  return { properties, required: new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []) }
}

const choices = (values: readonly unknown[]) => values.map((value) => [String(value), String(value)] as const)
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function controlOf({ type, enum: values, items, minimum, maximum }: Property): Control {
  if (Array.isArray(values)) return { as: 'choice', choices: choices(values) }
  if (type === 'boolean') return { as: 'truth' }
  if (type === 'string') return { as: 'line', type: 'text' }
  if (type === 'integer' || type === 'number')
    return {
      as: 'line',
      type: 'number',
      step: type === 'integer' ? 1 : 'any',
      least: number(minimum),
      most: number(maximum),
    }
  if (type === 'array' && Array.isArray(items?.enum))
    return { as: 'choice', choices: choices(items.enum), multiple: true }
  if (type === 'array' && items?.type === 'string') return { as: 'list' }
  return { as: 'area', json: true }
}

/** A value as the texts of its control. */
function textsOf(control: Control, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && (control.as === 'choice' || control.as === 'list')) return value.map(String)
  return [typeof value === 'string' && control.as !== 'area' ? value : stringifyExact(value)]
}

/** What the texts of a control say; undefined where that is nothing. What does not fit stays text, which is refused. */
function saidBy(control: Control, { enum: values, items }: Property, given: readonly string[]): unknown {
  const texts = given.map((text) => text.trim()).filter(Boolean)
  const [text] = texts
  if (text === undefined) return undefined
  const among = (all: unknown, each: string) => (all as unknown[]).find((value) => String(value) === each) ?? each
  if (control.as === 'choice')
    return control.multiple ? texts.map((each) => among(items?.enum, each)) : among(values, text)
  if (control.as === 'truth') return text === 'true'
  if (control.as === 'list') return text.split(',').map((each) => each.trim())
  const isText = control.as === 'line' && control.type === 'text'
  if (isText) return text
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

type Draw = Parameters<NonNullable<FormGroup['html']>>[1]
const nameOf = (key: string): string => `attr_${key}`
const attributesOf = (row: Row | undefined): Values => (isObject(row?.attributes) ? row.attributes : {})

function fieldOf({ required }: Questions, key: string, property: Property): FormField {
  const control = controlOf(property)
  return askedField({
    name: nameOf(key),
    label: typeof property.title === 'string' ? property.title : labelFor(key),
    help: typeof property.description === 'string' ? property.description : undefined,
    required: required.has(key),
    control,
    texts: (row) => textsOf(control, attributesOf(row)[key] ?? (row.id ? undefined : property.default)),
  })
}

/** What a form says of the attributes, if anything; what the profile does not ask for stays while it is the same. */
function attributesIn(visit: Visit, data: FormData, row: Row | undefined): { attributes?: Values } {
  const profile = data.all('profile').at(-1)
  const questions = questionsOf(visit, profile)
  if (!questions) return {}
  const isSame = String((row?.profile as { id: number } | null | undefined)?.id ?? '') === profile
  if (isSame && !data.names().some((name) => name.startsWith('attr_'))) return {}
  const asked = new Set(questions.properties.map(([key]) => key))
  const was = isSame ? attributesOf(row) : {}
  const is: Values = Object.fromEntries(Object.entries(was).filter(([key]) => !asked.has(key)))
  for (const [key, property] of questions.properties) {
    const value = saidBy(controlOf(property), property, data.all(nameOf(key)))
    if (value !== undefined) is[key] = value
  }
  const isUntouched = isSame && Object.keys({ ...was, ...is }).every((key) => same(was[key], is[key]))
  return isUntouched ? {} : { attributes: is }
}
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The attributes that the chosen profile asks for; they are drawn anew when another is chosen. */
function drawn(visit: Visit, profile: FormField, filled: Filled, draw: Draw): Html {
  const questions = questionsOf(visit, filled.texts(profile).at(-1))
  const { row } = filled
  // What was not in the form that was sent has the value that is stored, or the usual one.
  const texts = (field: FormField) =>
    filled.given && filled.given(field.name).length === 0 ? field.texts(row ?? ({} as Row)) : filled.texts(field)
  const fields = questions?.properties.map(([key, property]) => fieldOf(questions, key, property)) ?? []
  const m = modelNamed('dcim.moduletype')
  const href = row ? objectHref(visit, m, row.id, 'edit') : `${listHref(visit, m)}add/`
  const asked = html`<fieldset><legend>Attributes</legend>${fields.map((field) =>
    draw(field, { ...filled, texts }),
  )}</fieldset>`
  const button = html`<button name="_redraw" value="1" formnovalidate>Show the attributes of the profile</button>`
  return html`<div${redrawnBy('attributes', href, ['profile'])}>${
    fields.length > 0 ? asked : ''
  }<noscript><p class="submit">${button}</p></noscript></div>`
}

/** The form of a module type asks for what its profile wants to know. */
export const moduleTypeForm: SpecialForm = {
  groups: (visit, groups) => {
    const profile = groups.flatMap(({ fields }) => fields).find(({ name }) => name === 'profile')
    if (!profile) return [...groups]
    const attributes = askedField({
      name: 'attributes',
      label: 'Attributes',
      control: { as: 'area', json: true },
      keys: ['attribute_data'],
      readsOthers: true,
      read: (data, _isNew, row) => attributesIn(visit, data, row),
    })
    const group: FormGroup = {
      title: 'Attributes',
      fields: [attributes],
      html: (filled, draw) => drawn(visit, profile, filled, draw),
    }
    return [...groups.slice(0, 1), group, ...groups.slice(1)]
  },
}
