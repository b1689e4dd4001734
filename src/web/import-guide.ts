import type { Control } from '../fields/control.ts'
import { namesFor } from '../exchange/names.ts'
import { customTexts } from '../rules/custom-values.ts'
import { genericPrefix, modelNamed } from '../engine/catalog.ts'
import { enteredOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { targetsOf } from './controls.ts'
import { controlOf, customLabel } from './custom-controls.ts'
import type { Visit } from './visit.ts'
import { labelAt, labelFor } from './words.ts'

/**
 * A column that a table to import may have: its name, what it is called, whether a new object needs it, and what a cell
 * says.
 */
interface Explained {
  name: string
  label: string
  required: boolean
  says: string
}

/** Values of a choice that are told one by one. */
const MaxTold = 12

/** The columns of tables of a model. */
export function guideOf(visit: Visit, m: AnyModel): Explained[] {
  const columns: Explained[] = []
  for (const [name, field] of enteredOf(m)) {
    if (!field.fromText || !field.control || field.control(name).as === 'custom') continue
    const control = field.control(name)
    const add = (column: string, label: string, says: string) =>
      columns.push({ name: column, label, required: field.required && control.as !== 'check', says })
    const label = labelAt(m, name)
    if (!field.generic) {
      add(name, label, saysOf(control))
      continue
    }
    const as = genericPrefix(field, name)
    const kinds = control.as === 'object' ? targetsOf(control.models).map((each) => each.name) : []
    add(`${as}_type`, `${label}: kind`, `the name of a model: ${told(kinds)}`)
    add(name === as ? `${as}` : `${as}_name`, label, `an object of that kind, by its id, slug or name; or ${as}_id`)
  }
  for (const definition of visit.store.customFields.of(m)) {
    if (!customTexts(definition).fromText || definition.ui_editable !== 'yes') continue
    columns.push({
      name: `cf_${definition.name}`,
      label: customLabel(definition),
      required: definition.required === 1,
      says: saysOf(controlOf(definition)),
    })
  }
  for (const [name, says] of Object.entries(m.behaviour.importColumns?.columns ?? {})) {
    const known = columns.find((column) => column.name === name)
    if (known) known.says = m.pages?.help?.[name] ?? 'text'
    else
      columns.push({
        name,
        label: labelFor(name),
        required: false,
        says: says === 'text' ? 'text' : says === 'boolean' ? 'true or false' : byWord(modelNamed(says)),
      })
  }
  return [
    ...columns.filter(({ required }) => required),
    ...columns.filter(({ required }) => !required),
    {
      name: 'id',
      label: 'ID',
      required: false,
      says: `of the ${m.label} to change; none makes a new one`,
    },
  ]
}

function told(values: readonly (string | number)[]): string {
  const some = values.slice(0, MaxTold).join(', ')
  return values.length > MaxTold ? `${some} and ${values.length - MaxTold} more` : some
}

/** By what one word names an object of a model. */
function byWord(m: AnyModel): string {
  const names = namesFor(m).map(([name]) => name)
  return `${m.label}, by its ${['id', ...names].join(', ').replace(/, (\w+)$/, ' or $1')}`
}

/** What a cell says, in words. */
function saysOf(control: Control): string {
  switch (control.as) {
    case 'line':
      return saysOfLine(control)
    case 'area':
      return control.json ? 'JSON' : 'text of one or more lines'
    case 'color':
      return 'six hexadecimal digits, as ff8800'
    case 'check':
    case 'truth':
      return 'true or false'
    case 'choice':
      return `${control.multiple ? 'any of, with commas between' : 'one of'}: ${told(
        control.choices.map(([value]) => value),
      )}`
    case 'pick': {
      const m = modelNamed(control.model)
      return control.multiple ? `${m.plural} with commas between, each as ${byWord(m)}` : byWord(m)
    }
    case 'object':
      return 'a JSON list of objects'
    case 'types':
      return control.multiple
        ? 'names of models with commas between, as dcim.site'
        : 'the name of a model, as dcim.site'
    case 'list':
      return 'a list with commas between'
    default:
      return 'text'
  }
}

function saysOfLine({ type, max, least, most, step }: Extract<Control, { as: 'line' }>): string {
  if (type === 'date') return 'a day, as 2026-01-31'
  if (type === 'datetime-local') return 'a moment, as 2026-01-31T10:00:00Z'
  if (type === 'email') return 'an e-mail address'
  if (type === 'url') return 'an address, as https://example.com/'
  if (type !== 'number') return max ? `text of up to ${max} characters` : 'text'
  const kind = step === 1 ? 'a whole number' : 'a number'
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`
  return least === undefined ? kind : `${kind}, at least ${least}`
}
