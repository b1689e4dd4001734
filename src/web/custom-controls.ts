import type { Control } from '../fields/control.ts'
import type { Field } from '../fields/field.ts'
import type { Definition } from '../store/custom-fields.ts'
import { labelFor } from './words.ts'

/** What people call a custom field. */
export const customLabel = ({ name, label }: Definition): string => label || labelFor(name)

const controls: Readonly<Record<string, (d: Definition) => Control>> = {
  text: () => ({ as: 'line', type: 'text' }),
  longtext: () => ({ as: 'area', markdown: true }),
  integer: (d) => ({
    as: 'line',
    type: 'number',
    step: 1,
    least: d.validation_minimum ?? undefined,
    most: d.validation_maximum ?? undefined,
  }),
  decimal: (d) => ({
    as: 'line',
    type: 'number',
    step: 'any',
    least: d.validation_minimum ?? undefined,
    most: d.validation_maximum ?? undefined,
  }),
  boolean: () => ({ as: 'truth' }),
  date: () => ({ as: 'line', type: 'date' }),
  datetime: () => ({ as: 'line', type: 'datetime-local', step: 1 }),
  url: () => ({ as: 'line', type: 'url' }),
  json: () => ({ as: 'area', code: true, json: true }),
  select: (d) => ({ as: 'choice', choices: choicesOf(d) }),
  multiselect: (d) => ({ as: 'choice', choices: choicesOf(d), multiple: true }),
  object: (d) => ({ as: 'pick', model: d.related_object_type! }),
  multiobject: (d) => ({ as: 'pick', model: d.related_object_type!, multiple: true }),
}
const choicesOf = (d: Definition) => [...(d.labels ?? [])]

/** How a form asks for the value of a field that a user defined. */
export function controlOf(d: Definition): Control {
  const control = known.get(d) ?? controls[d.type]?.(d) ?? { as: 'line', type: 'text' }
  known.set(d, control)
  return control
}
const known = new WeakMap<Definition, Control>()

const looks: Readonly<Record<string, Field['look']>> = { longtext: 'markdown', url: 'link', json: 'code' }

/** How the value of such a field is shown, where its JSON does not tell. */
export const lookOf = (d: Pick<Definition, 'type'>): Field['look'] => looks[d.type]
