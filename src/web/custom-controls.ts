import type { Control } from '../fields/control.ts'
import type { Definition } from '../store/custom-fields.ts'

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
  datetime: () => ({ as: 'line', type: 'datetime-local' }),
  url: () => ({ as: 'line', type: 'url' }),
  json: () => ({ as: 'area', code: true, json: true }),
  select: (d) => ({ as: 'choice', choices: choicesOf(d) }),
  multiselect: (d) => ({ as: 'choice', choices: choicesOf(d), multiple: true }),
  object: (d) => ({ as: 'pick', model: d.related_object_type! }),
  multiobject: (d) => ({ as: 'pick', model: d.related_object_type!, multiple: true }),
}
const choicesOf = (d: Definition) => [...(d.labels ?? [])]

/** How a form asks for the value of a field that a user defined. */
export const controlOf = (d: Definition): Control => controls[d.type]?.(d) ?? { as: 'line', type: 'text' }
